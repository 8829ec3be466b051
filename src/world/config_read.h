/*
 * Reads a tree of YAML nodes into structs as the table of config_schema.h says. Every error is
 * "file:line: key.path: what was found; what is allowed". Thread rule: a reader has one owner.
 */
#ifndef ECO_WORLD_CONFIG_READ_H
#define ECO_WORLD_CONFIG_READ_H

#include <stddef.h>
#include <yaml.h>

#include "base/arena.h"
#include "ecotone/error.h"
#include "world/config_schema.h"

#define ECO_CONFIG_PATH_MAX 128

struct eco_config_images; /* see config.h */

struct eco_config_reader {
    const char *name;                       /* of the file, for errors */
    const char *file;                       /* of the file, to find others beside it */
    const struct eco_config_images *images; /* NULL: pictures cannot be read */
    yaml_document_t *document;
    struct eco_arena *arena; /* for strings and arrays */
    struct eco_error *error;
    size_t line; /* of the innermost mapping or list being read, for what is missing in it */
    char path[ECO_CONFIG_PATH_MAX];
    size_t path_length;
};

/* Fills `object`, which must be zeroed, from the root of the document. ECO_ECONFIG, ECO_ENOMEM. */
int eco_config_read(struct eco_config_reader *reader, const struct eco_config_section *section,
                    void *object);

/* The value of `key` in a mapping; NULL when there is none, or no mapping. */
yaml_node_t *eco_config_find(struct eco_config_reader *reader, yaml_node_t *mapping,
                             const char *key);

/* An error at `key` of the section being read, which may be dotted; the line is that of its last
 * part in `mapping`, of the section where it was left out. Returns ECO_ECONFIG. */
int eco_config_fault(struct eco_config_reader *reader, yaml_node_t *mapping, const char *key,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
