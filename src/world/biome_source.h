/*
 * Which biome lies at a place before any blending: every biome has a fractal noise, the greatest
 * wins (the lower index where two are equal). Thread rule: constant once opened; pure functions
 * after that. Source: the demonstration of "Fast Biome Blending, Without Squareness".
 */
#ifndef ECO_WORLD_BIOME_SOURCE_H
#define ECO_WORLD_BIOME_SOURCE_H

#include "ecotone/noise.h"
#include "world/config.h"

struct eco_biome_source_state {
    unsigned biomes, octaves;
    double frequency; /* of the first octave, cycles a block */
    double bias[ECO_BIOMES_MAX];
    /* Both are [octave * biomes + biome]; the one of the other generation is NULL. */
    int64_t *seeds;
    const struct eco_legacy_noise **legacy;
    struct eco_legacy_noise *legacy_noises; /* what `legacy` points to */
};

int eco_biome_source_init(struct eco_biome_source_state *source,
                          const struct eco_world_config *config, int64_t seed);
void eco_biome_source_release(struct eco_biome_source_state *source);

/* Biomes at `count` places, blocks; the octaves that single blocks can show. */
void eco_biome_source_points(const struct eco_biome_source_state *source, const double *x,
                             const double *z, size_t count, uint8_t *biomes);

/* Biomes of the square of 8x8 samples from block (x, z); octaves that the step cannot show are left
 * out, except the first. */
void eco_biome_source_square(const struct eco_biome_source_state *source, int64_t x, int64_t z,
                             int64_t step, uint8_t biomes[64]);

#endif
