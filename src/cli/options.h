/* What several commands read from their command line. Messages go to standard error. */
#ifndef ECO_CLI_OPTIONS_H
#define ECO_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "ecotone/world.h"
#include "raster/raster.h"

/* A whole number from `low` to `high`, all of the text; false after a message that names `option`.
 */
bool eco_option_integer(const char *option, const char *text, int64_t low, int64_t high,
                        int64_t *out);

/* `count` whole numbers with commas between them, each within the bounds. */
bool eco_option_integers(const char *option, const char *text, int64_t low, int64_t high,
                         int64_t *out, unsigned count);

/*
 * Loads the configuration at `path`. NULL: ./config/ecotone.yaml, else ecotone/ecotone.yaml in
 * /usr/local/etc or /etc, else the one in the binary. *name (may be NULL) tells which it was.
 */
int eco_option_config(const char *path, struct eco_config **out, const char **name,
                      struct eco_error *error);

/* The files that eco_option_config reads, now or when it is called again; ended by NULL. */
#define ECO_OPTION_CONFIG_FILES 3
void eco_option_config_files(const char *path, const char *files[ECO_OPTION_CONFIG_FILES + 1]);

/* The layer `name`, if the world has it; ECO_EINVAL with a sentence that lists those it has. */
int eco_option_layer(const char *name, const struct eco_world_config *world, enum eco_layer *out,
                     struct eco_error *error);

/* The number of render threads: `threads`, or one a processor when that is 0. */
unsigned eco_option_threads(int64_t threads);

#endif
