#include "world/config_read.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "world/config_fault.h"
#include "world/config_value.h"

/* The entries of a mapping, by the index of their key in the section. */
struct entries {
    yaml_node_t *values[ECO_CONFIG_KEYS_MAX];
};

static int read_section(struct eco_config_reader *reader, const struct eco_config_section *section,
                        yaml_node_t *node, void *object);

/* --- one value ------------------------------------------------------------------------------ */

static void store_integer(void *member, size_t size, int64_t value)
{
    switch (size) {
    case 1:
        *(uint8_t *)member = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)member = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)member = (uint32_t)value;
        break;
    default:
        *(int64_t *)member = value;
        break;
    }
}

static int store_number(const struct eco_config_key *key, void *object, const char *text,
                        size_t length)
{
    double low, high, value;
    int code = eco_value_number(text, length, &value);

    if (code != 0)
        return code;
    eco_config_range(key, object, &low, &high);
    if (low < high && (value < low || value > high))
        return ECO_ERANGE;
    if (key->over > 0)
        value = key->over / value;
    if (key->shift)
        value -= key->shift(object);
    *(double *)((char *)object + key->offset) = value;
    return 0;
}

static int store_whole(const struct eco_config_key *key, void *object, const char *text,
                       size_t length)
{
    int64_t value;
    int code = key->kind == ECO_KEY_BYTES ? eco_value_bytes(text, length, &value)
                                          : eco_value_whole(text, length, &value);

    if (code != 0)
        return code;
    if (key->low < key->high && ((double)value < key->low || (double)value > key->high))
        return ECO_ERANGE;
    store_integer((char *)object + key->offset, key->size, value);
    return 0;
}

static int store_choice(const struct eco_config_key *key, void *object, const char *text,
                        size_t length)
{
    const char *const *choices = eco_config_choices(key);
    void *member = (char *)object + key->offset;

    for (size_t i = 0; choices[i]; i++) {
        if (strlen(choices[i]) != length || memcmp(choices[i], text, length) != 0)
            continue;
        if (key->kind == ECO_KEY_WORD || key->kind == ECO_KEY_WORDS)
            *(const char **)member = choices[i];
        else if (key->kind == ECO_KEY_WHOLE)
            return store_whole(key, object, text, length);
        else
            store_integer(member, key->size, (int64_t)i);
        return 0;
    }
    return ECO_EINVAL;
}

static int copy_text(struct eco_config_reader *reader, const char *text, size_t length,
                     const char **out)
{
    char *copy = eco_arena_alloc(reader->arena, length + 1, 1);

    if (!copy)
        return ECO_ENOMEM;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *out = copy;
    return 0;
}

static int store_text(struct eco_config_reader *reader, const struct eco_config_key *key,
                      void *object, const char *text, size_t length)
{
    bool fits = length >= key->low && length <= key->high && eco_value_plain(text, length);

    if (key->check && (!fits || !key->check(text)))
        return ECO_EINVAL;
    if (!fits)
        return ECO_ERANGE;
    return copy_text(reader, text, length, (const char **)((char *)object + key->offset));
}

/* ECO_EINVAL and ECO_ERANGE as in config_value.h, or ECO_ENOMEM. */
static int store(struct eco_config_reader *reader, const struct eco_config_key *key, void *object,
                 const char *text, size_t length)
{
    switch (key->kind) {
    case ECO_KEY_NUMBER:
        return store_number(key, object, text, length);
    case ECO_KEY_WHOLE:
        if (key->choices)
            return store_choice(key, object, text, length);
        return store_whole(key, object, text, length);
    case ECO_KEY_BYTES:
        return store_whole(key, object, text, length);
    case ECO_KEY_TEXT:
        return store_text(reader, key, object, text, length);
    case ECO_KEY_CHOICE:
    case ECO_KEY_WORD:
    case ECO_KEY_WORDS:
        return store_choice(key, object, text, length);
    case ECO_KEY_COLOUR:
        return eco_value_colour(text, length, (uint32_t *)((char *)object + key->offset));
    default:
        return ECO_EINVAL;
    }
}

static int read_scalar(struct eco_config_reader *reader, const struct eco_config_key *key,
                       yaml_node_t *node, void *object)
{
    int code;

    if (eco_config_node_null(node) && key->nullable)
        return 0;
    if (eco_config_node_null(node) || node->type != YAML_SCALAR_NODE)
        return eco_config_fault_value(reader, key, object, node, ECO_EINVAL);
    code =
        store(reader, key, object, (const char *)node->data.scalar.value, node->data.scalar.length);
    if (code == ECO_ENOMEM)
        return eco_config_fault_memory(reader);
    return code == 0 ? 0 : eco_config_fault_value(reader, key, object, node, code);
}

static int read_default(struct eco_config_reader *reader, const struct eco_config_key *key,
                        void *object)
{
    int code;

    if (key->optional)
        return 0;
    if (!key->fallback)
        return eco_config_fault_missing(reader, key, object);
    code = store(reader, key, object, key->fallback, strlen(key->fallback));
    assert(code == 0 || code == ECO_ENOMEM);
    return code == 0 ? 0 : eco_config_fault_memory(reader);
}

/* --- lists and mappings --------------------------------------------------------------------- */

static yaml_node_t *item_of(struct eco_config_reader *reader, yaml_node_t *list, size_t index)
{
    return yaml_document_get_node(reader->document, list->data.sequence.items.start[index]);
}

static bool same_value(const struct eco_config_key *key, const void *a, const void *b)
{
    const char *left = (const char *)a + key->offset, *right = (const char *)b + key->offset;

    if (key->kind == ECO_KEY_TEXT)
        return strcmp(*(const char *const *)left, *(const char *const *)right) == 0;
    return memcmp(left, right, key->size) == 0;
}

/* Fails at the first of `count` objects that has the same value of `key` as one before it. */
static int check_unique(struct eco_config_reader *reader, const struct eco_config_key *list_key,
                        const struct eco_config_key *key, yaml_node_t *list, const char *objects,
                        size_t count)
{
    size_t size = list_key->section->size;

    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            yaml_node_t *first;
            const yaml_node_t *value;

            if (!same_value(key, objects + i * size, objects + j * size))
                continue;
            first = eco_config_find(reader, item_of(reader, list, j), key->name);
            value = eco_config_find(reader, item_of(reader, list, i), key->name);
            eco_config_push_index(reader, i);
            return eco_config_fault(reader, item_of(reader, list, i), key->name,
                                    "%s is taken by %s[%zu] on line %zu; each needs its own",
                                    (const char *)value->data.scalar.value, list_key->name, j,
                                    first->start_mark.line + 1);
        }
    }
    return 0;
}

static int read_list(struct eco_config_reader *reader, const struct eco_config_key *key,
                     yaml_node_t *node, void *object)
{
    const struct eco_config_key item_key = {.kind = ECO_KEY_SECTION, .section = key->section};
    size_t count, size = key->section->size;
    char *objects;
    int code = 0;

    if (key->text && node->type == YAML_SCALAR_NODE && !eco_config_node_null(node))
        return key->text(reader, node, object);
    if (node->type != YAML_SEQUENCE_NODE)
        return eco_config_fault_value(reader, key, object, node, ECO_EINVAL);
    count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if ((double)count < key->low || (double)count > key->high)
        return eco_config_fault_length(reader, key, node, count);
    objects = eco_arena_alloc(reader->arena, count, size);
    if (!objects)
        return eco_config_fault_memory(reader);
    memset(objects, 0, count * size);
    for (size_t i = 0; i < count && code == 0; i++) {
        yaml_node_t *item = item_of(reader, node, i);
        size_t mark = eco_config_push_index(reader, i);

        code = item->type == YAML_MAPPING_NODE
                   ? read_section(reader, key->section, item, objects + i * size)
                   : eco_config_fault_value(reader, &item_key, object, item, ECO_EINVAL);
        if (code == 0)
            eco_config_pop(reader, mark);
    }
    for (unsigned k = 0; k < key->section->count && code == 0; k++) {
        if (key->section->keys[k].unique)
            code = check_unique(reader, key, &key->section->keys[k], node, objects, count);
    }
    *(void **)((char *)object + key->offset) = objects;
    *(unsigned *)((char *)object + key->count_offset) = (unsigned)count;
    return code;
}

static int read_words(struct eco_config_reader *reader, const struct eco_config_key *key,
                      yaml_node_t *list, void *object)
{
    size_t count = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    const char **texts;

    if ((double)count < key->low || (double)count > key->high)
        return eco_config_fault_length(reader, key, list, count);
    texts = eco_arena_alloc(reader->arena, count, sizeof(*texts));
    if (!texts)
        return eco_config_fault_memory(reader);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item = item_of(reader, list, i);
        size_t mark = eco_config_push_index(reader, i), length;

        if (item->type != YAML_SCALAR_NODE || eco_config_node_null(item))
            return eco_config_fault_value(reader, key->item, object, item, ECO_EINVAL);
        length = item->data.scalar.length;
        if (length < key->item->low || length > key->item->high ||
            !eco_value_plain((const char *)item->data.scalar.value, length))
            return eco_config_fault_value(reader, key->item, object, item, ECO_ERANGE);
        if (copy_text(reader, (const char *)item->data.scalar.value, length, &texts[i]) != 0)
            return eco_config_fault_memory(reader);
        eco_config_pop(reader, mark);
    }
    *(const char *const **)((char *)object + key->texts_offset) = texts;
    *(unsigned *)((char *)object + key->count_offset) = (unsigned)count;
    return 0;
}

/* Sorts the values of a mapping by key. */
static int collect(struct eco_config_reader *reader, const struct eco_config_section *section,
                   yaml_node_t *mapping, struct entries *entries)
{
    const yaml_node_pair_t *pairs = mapping->data.mapping.pairs.start;
    size_t count = (size_t)(mapping->data.mapping.pairs.top - pairs);

    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *node = yaml_document_get_node(reader->document, pairs[i].key);
        unsigned k = 0;

        if (node->type != YAML_SCALAR_NODE)
            return eco_config_fault_at(reader, node->start_mark.line + 1, "a key must be a text");
        while (k < section->count && !eco_config_node_is(node, section->keys[k].name))
            k++;
        if (k == section->count)
            return eco_config_fault_unknown(reader, section, node);
        if (entries->values[k]) {
            eco_config_push_key(reader, section->keys[k].name);
            return eco_config_fault_at(reader, node->start_mark.line + 1,
                                       "given twice; the first is on line %zu",
                                       entries->values[k]->start_mark.line + 1);
        }
        entries->values[k] = yaml_document_get_node(reader->document, pairs[i].value);
    }
    return 0;
}

/* The index of the key that `key` may stand for or that may stand for it, with a value; -1 when
 * there is none. */
static int given_instead(const struct eco_config_section *section, const struct entries *entries,
                         const struct eco_config_key *key)
{
    for (unsigned k = 0; k < section->count; k++) {
        const struct eco_config_key *other = &section->keys[k];

        if (entries->values[k] && ((other->instead && strcmp(other->instead, key->name) == 0) ||
                                   (key->instead && strcmp(key->instead, other->name) == 0)))
            return (int)k;
    }
    return -1;
}

static int read_key(struct eco_config_reader *reader, const struct eco_config_section *section,
                    const struct entries *entries, unsigned index, void *object)
{
    const struct eco_config_key *key = &section->keys[index];
    yaml_node_t *node = entries->values[index];
    int other = given_instead(section, entries, key);

    if (key->kind == ECO_KEY_SECTION) {
        if (node && node->type != YAML_MAPPING_NODE && !eco_config_node_null(node))
            return eco_config_fault_value(reader, key, object, node, ECO_EINVAL);
        return read_section(reader, key->section, node, (char *)object + key->offset);
    }
    if (!node)
        return key->instead || other >= 0 ? 0 : read_default(reader, key, object);
    if (other >= 0)
        return eco_config_fault_at(reader, node->start_mark.line + 1,
                                   "given beside %s on line %zu; one of the two is enough",
                                   section->keys[other].name,
                                   entries->values[other]->start_mark.line + 1);
    if (key->kind == ECO_KEY_LIST)
        return read_list(reader, key, node, object);
    if (key->kind == ECO_KEY_WORDS && node->type == YAML_SEQUENCE_NODE)
        return read_words(reader, key, node, object);
    return read_scalar(reader, key, node, object);
}

/* `node` may be NULL or without a value: all keys have their defaults then. */
static int read_section(struct eco_config_reader *reader, const struct eco_config_section *section,
                        yaml_node_t *node, void *object)
{
    struct entries entries = {{NULL}};
    size_t line = reader->line;
    int code = 0;

    assert(section->count <= ECO_CONFIG_KEYS_MAX);
    if (node)
        reader->line = node->start_mark.line + 1;
    if (node && node->type == YAML_MAPPING_NODE)
        code = collect(reader, section, node, &entries);
    for (unsigned k = 0; k < section->count && code == 0; k++) {
        size_t mark = eco_config_push_key(reader, section->keys[k].name);

        code = read_key(reader, section, &entries, k, object);
        if (code == 0)
            eco_config_pop(reader, mark);
    }
    if (code == 0 && section->finish)
        code = section->finish(reader, node, object);
    reader->line = line;
    return code;
}

yaml_node_t *eco_config_find(struct eco_config_reader *reader, yaml_node_t *mapping,
                             const char *key)
{
    if (!mapping || mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *node = yaml_document_get_node(reader->document, pair->key);

        if (eco_config_node_is(node, key))
            return yaml_document_get_node(reader->document, pair->value);
    }
    return NULL;
}

int eco_config_read(struct eco_config_reader *reader, const struct eco_config_section *section,
                    void *object)
{
    const struct eco_config_key key = {.kind = ECO_KEY_SECTION, .section = section};
    yaml_node_t *root = yaml_document_get_root_node(reader->document);

    reader->line = 1;
    eco_config_pop(reader, 0);
    if (root->type != YAML_MAPPING_NODE)
        return eco_config_fault_value(reader, &key, object, root, ECO_EINVAL);
    return read_section(reader, section, root, object);
}
