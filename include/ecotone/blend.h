/*
 * Biome blending with a caller's own biome source, a chunk at a time, in double.
 *
 * Four methods ask the source at sample points and weigh each biome in each block by the normalised
 * sum of max(0, r^2 - d^2)^2 over its points, d the distance in blocks, r = padding + the method's
 * gap, the largest distance of any place to the nearest point; so r always reaches one.
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

/* Where the sample points lie. */
enum eco_blend_method {
    ECO_BLEND_SCATTERED,     /* the jittered triangular lattice; gap ECO_LATTICE_GAP / frequency */
    ECO_BLEND_FULL,          /* every block; gap sqrt(1/2) */
    ECO_BLEND_GRID_CONVOLVE, /* blocks whose x and z are multiples of `interval`; gap interval *
                                sqrt(1/2) */
    ECO_BLEND_GRID_LERP, /* the weights of ECO_BLEND_GRID_CONVOLVE at the grid's points, bilinear
                            in between */
    ECO_BLEND_NONE,      /* hard borders: the source at the block itself, no points */
    ECO_BLEND_METHODS
};

/* "scattered", "full", "grid_convolve", "grid_lerp" or "none". */
const char *eco_blend_method_name(enum eco_blend_method method);
/* The method of that name, or ECO_ENOTFOUND. */
int eco_blend_method_find(const char *name, size_t length);

#define ECO_BLEND_INTERVAL_MAX 256

struct eco_blend {
    double frequency; /* of the sample lattice, points of distance about 0.76 / frequency blocks */
    double padding;   /* blocks beyond the method's gap; wider is softer */
    int64_t seed;     /* of the jitter */
    enum eco_blend_method method;
    uint32_t interval; /* of the grid methods, blocks, 1 to ECO_BLEND_INTERVAL_MAX */
};

/* The gap of the method, blocks; that of scattered for none. */
double eco_blend_gap(const struct eco_blend *blend);

/* The radius of the kernel, blocks: padding + gap. A padding below a thousandth of the points'
 * distance (of 1 / frequency for scattered) counts as that. */
double eco_blend_radius(const struct eco_blend *blend);

/* The same blending by another method: same radius, other padding. */
struct eco_blend eco_blend_by(const struct eco_blend *blend, enum eco_blend_method method);

/*
 * Weights of the biomes of one chunk: `count` biomes in rising id, each with size*size doubles, row
 * by row from (x0, z0): weights[b * size * size + z * size + x]. They sum to 1 in every block.
 * NULL weights: the one biome weighs 1 everywhere.
 */
struct eco_blend_chunk {
    uint32_t size;
    uint32_t count;
    uint32_t points; /* places that the source was asked about */
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
