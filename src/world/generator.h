/*
 * What a generator is: a table of functions behind eco_world_sample. To add one, write a file
 * beside this and list it in registry.c.
 */
#ifndef ECO_WORLD_GENERATOR_H
#define ECO_WORLD_GENERATOR_H

#include "base/arena.h"
#include "base/executor.h"
#include "ecotone/world.h"
#include "world/block_cache.h"
#include "world/config.h"

/* Scratch memory of one caller, who runs its jobs (NULL: the caller alone), and where blocks are
 * kept that are worth it (NULL: each is made when it is needed). */
struct eco_sampler {
    struct eco_arena arena;
    struct eco_executor *executor;
    struct eco_block_cache *blocks;
};

/* A survey looks at a square of ECO_SURVEY_SIDE x ECO_SURVEY_SIDE plots. */
#define ECO_SURVEY_SIDE 8
#define ECO_SURVEY_PLOT 128 /* blocks a side of a plot */

struct eco_generator {
    const char *name;
    unsigned revision; /* part of the world hash: raise it when any byte of any answer changes */
    unsigned fields;   /* enum eco_field bits that it can answer */
    /* Builds what depends on configuration, seed and method of blending. `*state` is passed to the
     * others. */
    int (*open)(const struct eco_world_config *config, int64_t seed, enum eco_blend_method blend,
                void **state, struct eco_error *error);
    void (*close)(void *state);
    /* The contract of eco_world_sample; the grid is checked, the planes are allocated by it. */
    int (*sample)(const void *state, const struct eco_grid *grid, unsigned mask,
                  struct eco_sampler *sampler, struct eco_planes *planes, struct eco_error *error);
    /* NULL, or: on which plots from block (x, z) on the biome may be at step 1. Bit row *
     * ECO_SURVEY_SIDE + column of *plots is clear only where no block of the plot is of biome index
     * `biome`. ECO_ENOMEM. */
    int (*survey)(const void *state, int64_t x, int64_t z, unsigned biome, struct eco_arena *arena,
                  uint64_t *plots);
};

extern const struct eco_generator eco_generator_patchwork;
extern const struct eco_generator eco_generator_overworld;
extern const struct eco_generator eco_generator_relief;

/* NULL when there is none of that name. */
const struct eco_generator *eco_generator_find(const char *name);

/* What the keys of a relief's blocks name as their world. Pure and cheap. */
uint64_t eco_relief_blocks_hash(const struct eco_world_config *config, int64_t seed);

/* The names of all generators, NULL at the end. */
const char *const *eco_generator_names(void);

const struct eco_world_config *eco_world_config_of(const struct eco_world *world);

/* What `open` of the generator built, NULL where the world is another's. */
const void *eco_world_state(const struct eco_world *world, const struct eco_generator *generator);

/* Whether the world's generator has a survey, which eco_world_survey asks for. */
bool eco_world_surveys(const struct eco_world *world);
int eco_world_survey(const struct eco_world *world, int64_t x, int64_t z, unsigned biome,
                     struct eco_sampler *sampler, uint64_t *plots);

/* The fields that a world of this configuration can answer. */
unsigned eco_world_fields(const struct eco_world_config *config);

/* Hash of the configuration's part, the seed, the method of blending and the generator's revision:
 * decides every byte of every field of the world. */
uint64_t eco_world_hash(const struct eco_world *world);

/* The same number without opening the world. Pure and cheap: a cache asks it for every request. */
uint64_t eco_world_config_hash(const struct eco_world_config *config, int64_t seed,
                               enum eco_blend_method blend);

#endif
