#include "world/config.h"

#include <errno.h>
#include <locale.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "world/config_read.h"
#include "world/config_schema.h"
#include "world/config_yaml.h"

#define NAME_SHOWN_MAX 200 /* bytes of a file's name in an error, so that the reason has room */

/* What a struct eco_config is the first part of. */
struct storage {
    struct eco_config config;
    struct eco_arena arena;
    atomic_uint references;
};

/* The end of a long name. */
static const char *shown(const char *name)
{
    size_t length = strlen(name);

    return length > NAME_SHOWN_MAX ? name + length - NAME_SHOWN_MAX : name;
}

static int read_document(yaml_document_t *document, const char *path,
                         const struct eco_config_images *images, struct eco_config **out,
                         struct eco_error *error)
{
    const char *name = shown(path);
    struct eco_config_reader reader = {
        .name = name, .file = path, .images = images, .document = document, .error = error};
    struct storage *storage = calloc(1, sizeof(*storage));
    int code;

    if (!storage)
        return eco_error_set(error, ECO_ENOMEM, "%s: out of memory", name);
    eco_arena_init(&storage->arena);
    atomic_init(&storage->references, 1);
    reader.arena = &storage->arena;
    code = eco_config_read(&reader, &eco_config_section_root, &storage->config);
    for (unsigned i = 0; i < storage->config.worlds_count && code == 0; i++) {
        storage->config.worlds[i].owner = &storage->config;
        code = eco_config_hash(&storage->config.worlds[i]);
        if (code != 0)
            eco_error_set(error, code, "%s: out of memory", name);
    }
    if (code == 0)
        *out = &storage->config;
    else
        eco_config_free(&storage->config);
    return code;
}

int eco_config_parse(const char *text, size_t length, const char *name, struct eco_config **out,
                     struct eco_error *error)
{
    return eco_config_parse_with(text, length, name, NULL, out, error);
}

int eco_config_parse_with(const char *text, size_t length, const char *name,
                          const struct eco_config_images *images, struct eco_config **out,
                          struct eco_error *error)
{
    /* Numbers are read and printed with a point whatever the locale of the caller. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    yaml_document_t document;
    locale_t before;
    int code;

    *out = NULL;
    if (!plain)
        return eco_error_set(error, ECO_ENOMEM, "%s: out of memory", shown(name));
    before = uselocale(plain);
    code = eco_config_yaml_load(text, length, shown(name), &document, error);
    if (code == 0) {
        code = read_document(&document, name, images, out, error);
        yaml_document_delete(&document);
    }
    uselocale(before);
    freelocale(plain);
    return code;
}

int eco_config_load(const char *path, struct eco_config **out, struct eco_error *error)
{
    return eco_config_load_with(path, NULL, out, error);
}

int eco_config_load_with(const char *path, const struct eco_config_images *images,
                         struct eco_config **out, struct eco_error *error)
{
    char *text = NULL;
    FILE *file = NULL;
    char reason[128];
    size_t length;
    int code;

    *out = NULL;
    file = fopen(path, "rbe");
    if (!file) {
        code = eco_error_set(error, errno == ENOENT ? ECO_ENOTFOUND : ECO_EIO,
                             "%s: %s; a readable YAML file is needed", shown(path),
                             strerror_r(errno, reason, sizeof(reason)));
        goto out;
    }
    /* One byte more than allowed shows a file that is too large without asking for its size. */
    text = malloc(ECO_CONFIG_BYTES_MAX + 1);
    if (!text) {
        code = eco_error_set(error, ECO_ENOMEM, "%s: out of memory", shown(path));
        goto out;
    }
    length = fread(text, 1, ECO_CONFIG_BYTES_MAX + 1, file);
    if (ferror(file)) {
        code = eco_error_set(error, ECO_EIO, "%s: %s; a readable YAML file is needed", shown(path),
                             strerror_r(errno, reason, sizeof(reason)));
        goto out;
    }
    code = eco_config_parse_with(text, length, path, images, out, error);
out:
    free(text);
    if (file)
        fclose(file);
    return code;
}

void eco_config_hold(const struct eco_config *config)
{
    struct storage *storage = (struct storage *)config;

    atomic_fetch_add_explicit(&storage->references, 1, memory_order_relaxed);
}

void eco_config_free(struct eco_config *config)
{
    struct storage *storage = (struct storage *)config;

    if (!storage || atomic_fetch_sub_explicit(&storage->references, 1, memory_order_acq_rel) != 1)
        return;
    eco_arena_release(&storage->arena);
    free(storage);
}

const struct eco_world_config *eco_config_world(const struct eco_config *config, const char *name)
{
    for (unsigned i = 0; i < config->worlds_count; i++) {
        if (strcmp(config->worlds[i].name, name) == 0)
            return &config->worlds[i];
    }
    return NULL;
}
