/*
 * The inner loops of the grid methods over one square of 8x8 samples. Compiled once for every CPU
 * and once for AVX2 from the same source: whole numbers, and float operations one by one, give the
 * same bits. Thread rule: pure functions. Private to the blend folder.
 */
#ifndef ECO_BLEND_GRID_KERNEL_H
#define ECO_BLEND_GRID_KERNEL_H

#include "blend/grid.h"

/* Sums of one square while they add up. */
struct grid_sums {
    int64_t x, z;
    unsigned base;                    /* slot whose sums are what the others leave of the total */
    bool used[ECO_BIOMES_MAX];        /* slots other than base that appear in reach */
    int32_t (*sums)[ECO_SQUARE_AREA]; /* a slot each; those of unused slots are not set */
};

/* The cells of grid points that the samples of a square lie in: columns and rows of the north-west
 * points and how far the samples are from them, 0 to 1. */
struct lerp_cells {
    uint32_t column[ECO_SQUARE_SIDE], row[ECO_SQUARE_SIDE];
    float x[ECO_SQUARE_SIDE], z[ECO_SQUARE_SIDE];
};

struct grid_kernel {
    void (*accumulate)(const struct grid_window *window, struct grid_sums *sums);
    /* Base's sums from the totals. */
    void (*complete)(const struct grid_window *window, struct grid_sums *sums);
    /* Divides by the totals; false if all weights are 0. */
    bool (*weigh)(const struct grid_window *window, const struct grid_sums *sums, unsigned slot,
                  float weights[ECO_SQUARE_AREA]);
    /* Values between those of a plane; false if all are 0. */
    bool (*lerp)(const float *plane, size_t stride, const struct lerp_cells *cells,
                 float out[ECO_SQUARE_AREA]);
};

/* The kernel of a level; the CPU must support it. */
const struct grid_kernel *grid_kernel_of(enum eco_simd level);

#endif
