/*
 * Bilinear weights between the points of a square grid: the weights of the grid's points are worked
 * out once for a block of samples, planes of them, and the samples lie between four points each.
 * Thread rule: pure functions. Private to the blend folder.
 */
#ifndef ECO_BLEND_LERP_H
#define ECO_BLEND_LERP_H

#include "blend/grid.h"

/* Weights at the grid's points around some samples. */
struct lerp_planes {
    int64_t interval;         /* blocks */
    int64_t first_x, first_z; /* grid points of the first column and row */
    size_t columns, rows;
    unsigned count; /* biomes, in rising index; 1: it weighs 1 everywhere and has no plane */
    uint8_t biomes[ECO_BIOMES_MAX];
    float *planes; /* [biome * columns * rows + row * columns + column] */
};

/* The grid points whose weights the samples of a span need, in blocks, as a span of the grid. */
struct grid_span lerp_span(int64_t interval, const struct grid_span *samples);

/* Fills the planes from a window that holds the span of lerp_span in units of the interval. */
int lerp_planes_make(enum eco_simd level, const struct grid_window *window, int64_t interval,
                     const struct grid_span *span, struct eco_arena *scratch,
                     struct lerp_planes *out);

/* The square whose first sample is the block (x, z), as eco_blend_square. */
int lerp_square(enum eco_simd level, const struct lerp_planes *planes, int64_t x, int64_t z,
                int64_t step, struct eco_arena *arena, struct eco_square *square);

#endif
