#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "world/config_schema.h"

/* `ground`: only what decides the blocks of a relief. */
static void print_section(struct eco_buffer *buffer, const struct eco_config_section *section,
                          const void *object, bool ground);

static long long load_integer(const void *member, size_t size)
{
    switch (size) {
    case 1:
        return *(const uint8_t *)member;
    case 2:
        return *(const uint16_t *)member;
    case 4:
        return *(const uint32_t *)member;
    default:
        return *(const int64_t *)member;
    }
}

static void print_text(struct eco_buffer *buffer, const char *text)
{
    eco_buffer_printf(buffer, "%zu:%s\n", text ? strlen(text) : 0, text ? text : "");
}

static void print_list(struct eco_buffer *buffer, const struct eco_config_key *key,
                       const void *object, bool ground)
{
    const char *objects = *(const char *const *)((const char *)object + key->offset);
    unsigned count = *(const unsigned *)((const char *)object + key->count_offset);

    eco_buffer_printf(buffer, "%u\n", count);
    for (unsigned i = 0; i < count; i++)
        print_section(buffer, key->section, objects + i * key->section->size, ground);
}

/* What was read in place of a list; false: nothing was. */
static bool print_bytes(struct eco_buffer *buffer, const struct eco_config_key *key,
                        const void *object)
{
    const uint8_t *bytes = *(const uint8_t *const *)((const char *)object + key->bytes_offset);

    if (bytes)
        eco_buffer_printf(buffer, "%016llx\n",
                          (unsigned long long)eco_hash64(bytes, key->bytes_size));
    return bytes != NULL;
}

static void print_key(struct eco_buffer *buffer, const struct eco_config_key *key,
                      const void *object, bool ground)
{
    const char *member = (const char *)object + key->offset;

    eco_buffer_printf(buffer, "%s=", key->name);
    switch (key->kind) {
    case ECO_KEY_NUMBER:
        eco_buffer_printf(buffer, "%a\n", *(const double *)member);
        break;
    case ECO_KEY_CHOICE:
        print_text(buffer, key->choices[load_integer(member, key->size)]);
        break;
    case ECO_KEY_TEXT:
    case ECO_KEY_WORD:
        print_text(buffer, *(const char *const *)member);
        break;
    case ECO_KEY_WHOLE:
    case ECO_KEY_BYTES:
    case ECO_KEY_COLOUR:
        eco_buffer_printf(buffer, "%lld\n", load_integer(member, key->size));
        break;
    case ECO_KEY_WORDS: {
        const char *const *texts =
            *(const char *const *const *)((const char *)object + key->texts_offset);
        unsigned count = *(const unsigned *)((const char *)object + key->count_offset);

        print_text(buffer, *(const char *const *)member);
        for (unsigned i = 0; i < count; i++)
            print_text(buffer, texts[i]);
        break;
    }
    case ECO_KEY_SECTION:
        eco_buffer_printf(buffer, "\n");
        print_section(buffer, key->section, member, ground);
        break;
    case ECO_KEY_LIST:
        if (key->text && print_bytes(buffer, key, object))
            break;
        print_list(buffer, key, object, ground);
        break;
    }
}

/* Whether the value of a choice or whole number is its default. */
static bool is_fallback(const struct eco_config_key *key, const void *object)
{
    long long value = load_integer((const char *)object + key->offset, key->size);
    char text[24];

    if (key->kind == ECO_KEY_CHOICE)
        return strcmp(key->choices[value], key->fallback) == 0;
    snprintf(text, sizeof(text), "%lld", value);
    return strcmp(text, key->fallback) == 0;
}

static bool is_hashed(const struct eco_config_key *key, const void *object)
{
    return !key->aside && !key->instead && !(key->late && is_fallback(key, object));
}

static void print_section(struct eco_buffer *buffer, const struct eco_config_section *section,
                          const void *object, bool ground)
{
    for (unsigned k = 0; k < section->count; k++) {
        const struct eco_config_key *key = &section->keys[k];

        if (is_hashed(key, object) && !(ground && key->look))
            print_key(buffer, key, object, ground);
    }
}

static int hash_of(const struct eco_config_section *section, const void *object, bool ground,
                   uint64_t *hash)
{
    struct eco_buffer buffer;
    int code = ECO_ENOMEM;

    eco_buffer_init(&buffer);
    print_section(&buffer, section, object, ground);
    if (!buffer.failed) {
        *hash = eco_hash64(buffer.data, buffer.size);
        code = 0;
    }
    eco_buffer_release(&buffer);
    return code;
}

int eco_config_hash(struct eco_world_config *world)
{
    int code = hash_of(&eco_config_section_world, world, false, &world->hash);

    return code ? code
                : hash_of(&eco_config_section_relief, &world->relief, true, &world->relief.hash);
}
