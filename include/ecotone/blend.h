/*
 * Scattered biome blending with a caller's own biome source, a chunk at a time, in double.
 *
 * The weight of a biome in a block is the normalised sum of max(0, r^2 - d^2)^2 over the sample
 * points of that biome, r = padding + ECO_LATTICE_GAP / frequency, d the distance in blocks.
 * Thread rule: any thread; a result belongs to its caller.
 * Source: "Fast Biome Blending, Without Squareness". Golden values: tests/golden/weights_*.csv.
 */
#ifndef ECOTONE_BLEND_H
#define ECOTONE_BLEND_H

#include <stddef.h>
#include <stdint.h>

#include "ecotone/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The biome at a place, in blocks. Must be a pure function of (context, x, z). */
typedef uint16_t (*eco_biome_source)(void *context, double x, double z);

struct eco_blend {
    double frequency; /* of the sample lattice, points of distance about 0.76 / frequency blocks */
    double padding;   /* blocks beyond the lattice's worst-case gap; wider is softer */
    int64_t seed;     /* of the jitter */
};

/* The radius of the kernel, blocks. A padding below 0.001 / frequency counts as that. */
double eco_blend_radius(const struct eco_blend *blend);

/*
 * Weights of the biomes of one chunk: `count` biomes in rising id, each with size*size doubles, row
 * by row from (x0, z0): weights[b * size * size + z * size + x]. They sum to 1 in every block.
 * NULL weights: the one biome weighs 1 everywhere.
 */
struct eco_blend_chunk {
    uint32_t size;
    uint32_t count;
    uint32_t points; /* sample points that were asked */
    uint16_t *biomes;
    double *weights;
};

/* Blends the chunk of `size` blocks a side at (x0, z0). Free with eco_blend_chunk_release. */
int eco_blend_chunk_compute(const struct eco_blend *blend, int64_t x0, int64_t z0, uint32_t size,
                            eco_biome_source source, void *context, struct eco_blend_chunk *chunk,
                            struct eco_error *error);
void eco_blend_chunk_release(struct eco_blend_chunk *chunk);

#ifdef __cplusplus
}
#endif
#endif
