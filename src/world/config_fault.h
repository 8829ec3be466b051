/*
 * Where a reader is and what is wrong there: the texts of all errors about values and keys. Each
 * eco_config_fault_... returns the code of its error, ECO_ECONFIG but where told. Thread rule: one
 * reader a thread.
 */
#ifndef ECO_WORLD_CONFIG_FAULT_H
#define ECO_WORLD_CONFIG_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "world/config_read.h"

/* Adds a part to the path; the result goes to eco_config_pop. */
size_t eco_config_push_key(struct eco_config_reader *reader, const char *key);
size_t eco_config_push_index(struct eco_config_reader *reader, size_t index);
void eco_config_pop(struct eco_config_reader *reader, size_t mark);

bool eco_config_node_is(const yaml_node_t *node, const char *text);
/* True for what YAML takes for no value: nothing, ~ or null without quotes. */
bool eco_config_node_null(const yaml_node_t *node);

/* NULL where a key has none. */
const char *const *eco_config_choices(const struct eco_config_key *key);
/* The range of a number, which may depend on the keys of `object` that stand before. */
void eco_config_range(const struct eco_config_key *key, const void *object, double *low,
                      double *high);

int eco_config_fault_at(struct eco_config_reader *reader, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A value of the wrong type, or, for `code` ECO_ERANGE, of the right type and out of range. */
int eco_config_fault_value(struct eco_config_reader *reader, const struct eco_config_key *key,
                           const void *object, const yaml_node_t *node, int code);
int eco_config_fault_missing(struct eco_config_reader *reader, const struct eco_config_key *key,
                             const void *object);
int eco_config_fault_length(struct eco_config_reader *reader, const struct eco_config_key *key,
                            const yaml_node_t *list, size_t count);
/* `node` is the key, a scalar. */
int eco_config_fault_unknown(struct eco_config_reader *reader,
                             const struct eco_config_section *section, const yaml_node_t *node);
/* Returns ECO_ENOMEM. */
int eco_config_fault_memory(struct eco_config_reader *reader);

#endif
