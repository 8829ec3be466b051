/* What the parts of the command `cache` share. */
#ifndef ECO_CLI_CACHE_H
#define ECO_CLI_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/admin.h"
#include "world/config.h"

/* What it is asked to do, and on what. */
struct cache_run {
    const char *config_path, *path, *world;
    int layer; /* as in keys; negative: all */
    bool has_zooms, has_area, has_seed, stale, all, json;
    int64_t zooms[2], area[4], seed, samples, wait;
    struct eco_config *config;
    struct eco_cache_admin *admin;
};

/* What has become of the world that tiles were made of. */
enum cache_state {
    CACHE_CURRENT, /* its tiles are served */
    CACHE_OLD,     /* the configuration has a world of that name, which is another by now */
    CACHE_REFUSED, /* the seed, or the way of blending, is no longer allowed */
    CACHE_FOREIGN, /* the configuration has no world of that name */
};

/* "current"; one word for tables and JSON. */
const char *cache_state_name(enum cache_state state);
enum cache_state cache_state_of(const struct eco_config *config,
                                const struct eco_cache_world *world, uint8_t layer);

/* "relief", "blocks"; of a layer that this version does not know, its number in `spare`. */
const char *cache_layer_name(uint8_t layer, char spare[16]);

/* Whether the options mean this group. */
bool cache_wants(const struct cache_run *run, const struct eco_cache_world *world, uint8_t layer);
/* Whether they mean this tile of a group that they mean. */
bool cache_takes(const struct cache_run *run, const struct eco_cache_key *key);

/* The verbs: the exit status, or a negative code with the error set. */
int cache_stats(struct cache_run *run, struct eco_error *error);
int cache_purge(struct cache_run *run, struct eco_error *error);
int cache_verify(struct cache_run *run, struct eco_error *error);

#endif
