/* YAML text to a tree of nodes, bounded. */
#ifndef ECO_WORLD_CONFIG_YAML_H
#define ECO_WORLD_CONFIG_YAML_H

#include <stddef.h>
#include <yaml.h>

#include "ecotone/error.h"

/*
 * Reads the one document of `text`. On success it belongs to the caller: yaml_document_delete.
 * Aliases are links to the node of their anchor, so they cost nothing, but the graph may hold
 * cycles. Errors: ECO_ECONFIG with `name` and line for what is too large (see limits.h), not UTF-8,
 * not YAML, empty, tagged, or more than one document; ECO_ENOMEM.
 */
int eco_config_yaml_load(const char *text, size_t length, const char *name,
                         yaml_document_t *document, struct eco_error *error);

#endif
