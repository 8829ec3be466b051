/*
 * Questions about ground as a whole: what an area is made of, and where the nearest block of a
 * biome is. An area is looked at on samples of a stated grid, as the tiles of the zoom with that
 * step show them; a search looks at every block. Both are bounded in work whatever is asked. Thread
 * rule: pure functions of the world; the sampler belongs to the caller and is reset.
 */
#ifndef ECO_WORLD_QUERY_H
#define ECO_WORLD_QUERY_H

#include "world/generator.h"

#define ECO_AREA_QUANTILES 7 /* least, 5 %, 25 %, median, 75 %, 95 %, greatest */

/* Asked now and then; true ends the work with ECO_ECANCELED. */
struct eco_query_stop {
    bool (*asked)(void *context);
    void *context;
};

/* Blocks from (x0, z0) up to, not including, (x1, z1). */
struct eco_area {
    int64_t x0, z0, x1, z1;
};

struct eco_area_answer {
    int64_t step; /* blocks between samples: the least power of two that keeps them few enough */
    uint32_t columns, rows;
    uint64_t counts[ECO_BIOMES_MAX]; /* samples of each biome */
    uint64_t land;                   /* samples not below the sea */
    float heights[ECO_AREA_QUANTILES];
};

/* ECO_EINVAL for an area that is empty or leaves the world square; ECO_ECANCELED, ECO_ENOMEM. */
int eco_query_area(const struct eco_world *world, const struct eco_area *area,
                   struct eco_sampler *sampler, const struct eco_query_stop *stop,
                   struct eco_area_answer *out, struct eco_error *error);

/* The nearest block of biome index `biome` to (x, z), at most `within` blocks away. */
struct eco_locate {
    unsigned biome;
    int64_t x, z;
    int64_t within; /* 0 .. ECO_LOCATE_WITHIN_MAX */
};

struct eco_locate_answer {
    bool found;
    int64_t x, z;     /* the block; the most northern, then western, of equally near ones */
    double distance;  /* blocks */
    uint64_t samples; /* that were looked at */
};

/* ECO_EINVAL for a place outside the world square or too wide a search; ECO_ECANCELED, ECO_ENOMEM.
 */
int eco_query_locate(const struct eco_world *world, const struct eco_locate *locate,
                     struct eco_sampler *sampler, const struct eco_query_stop *stop,
                     struct eco_locate_answer *out, struct eco_error *error);

/* The index of the biome of that id; -1 when the world has none. */
int eco_query_biome(const struct eco_world_config *config, unsigned id);

#endif
