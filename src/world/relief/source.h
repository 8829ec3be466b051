/*
 * The terrain before erosion: sources of heights on the erosion grid, their mix and its
 * perturbation, after J. Olsen, "Realtime Procedural Terrain Generation" (2004), with lattice
 * values hashed from seed and place, so that the terrain has no end and any part of it can be made
 * alone.
 *
 * A level k has cells of 2^k cells of the erosion grid: lattice place i of level k is place i * 2^k
 * of level 0, so a coarse level has the same large forms without the small ones. Thread rule: pure
 * functions; a terrain is constant once set up.
 */
#ifndef ECO_WORLD_RELIEF_SOURCE_H
#define ECO_WORLD_RELIEF_SOURCE_H

#include <stdint.h>

#include "base/arena.h"
#include "world/relief/config.h"
#include "world/relief/kernels.h"

#define RELIEF_TOP_LOG_MAX 15

struct relief_terrain {
    struct eco_relief_source sources[RELIEF_SOURCES_MAX];
    float means[RELIEF_SOURCES_MAX]; /* of Voronoi sources */
    unsigned sources_count;
    unsigned period_log; /* N = 2^period_log cells */
    float low;           /* subtracted from the mix of the sources */
    double perturb;      /* displacement at most, in periods */
    enum eco_relief_field perturb_by;
    int64_t seed;
    const struct relief_kernels *kernels;
};

/* Cells x0 .. x0 + width - 1, z0 .. z0 + height - 1 of a level; below 2^27 from 0. */
struct relief_area {
    int64_t x0, z0;
    uint32_t width, height;
    unsigned level;
};

void relief_terrain_init(struct relief_terrain *terrain, const struct eco_relief_config *config,
                         int64_t seed, enum eco_simd simd);

/* Each adds weight * value to out[row * width + column]; `stream` tells one source's hashes from
 * another's. ECO_ENOMEM. */
int relief_add_spectral(const struct relief_terrain *terrain,
                        const struct eco_relief_source *source, const struct relief_area *area,
                        uint64_t stream, float weight, struct eco_arena *arena, float *out);
int relief_add_midpoint(const struct relief_terrain *terrain,
                        const struct eco_relief_source *source, const struct relief_area *area,
                        uint64_t stream, float weight, struct eco_arena *arena, float *out);
int relief_add_voronoi(const struct relief_terrain *terrain, const struct eco_relief_source *source,
                       const struct relief_area *area, uint64_t stream, float weight,
                       struct eco_arena *arena, float *out);

/* What a Voronoi source is on the average, of any seed. */
float relief_voronoi_mean(const struct eco_relief_source *source,
                          const struct relief_kernels *kernels);

/* The mix of all sources, perturbed: width * height heights of about 0 to 1. */
int relief_base(const struct relief_terrain *terrain, const struct relief_area *area,
                struct eco_arena *arena, float *out);

/* log2 of the cells of level 0 between the places of a source's coarsest lattice. */
static inline unsigned relief_top_log(const struct relief_terrain *terrain,
                                      const struct eco_relief_source *source)
{
    return terrain->period_log + RELIEF_FEATURES(0) - source->features;
}

/* The key of a row of lattice places. */
static inline uint32_t relief_row_key(int64_t seed, int64_t z)
{
    return (uint32_t)(((uint64_t)seed ^ ((uint64_t)z * 0xD1B54A32D192ED03u)) >> 7);
}

#endif
