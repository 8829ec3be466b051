/*
 * What grid.c hands to the vector kernels: a block of at most 8x8 samples of a grid, and the box of
 * lattice vertices that can reach it. Private to the noise folder.
 */
#ifndef ECO_NOISE_BLOCK_H
#define ECO_NOISE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "noise/os2s.h"

#define BLOCK_SIDE 8
#define BLOCK_SAMPLES (BLOCK_SIDE * BLOCK_SIDE)
/* Beyond four vertices a sample each sample might as well hash its own. */
#define BLOCK_VERTICES_MAX (4 * BLOCK_SAMPLES)

struct noise_grid {
    double x0, dx, y0, dy;
    unsigned width, height;
    size_t stride;
};

struct noise_block {
    const struct noise_grid *grid;
    unsigned column, row;   /* of the first sample in the grid */
    unsigned width, height; /* 1 to BLOCK_SIDE */
    /* The box: one vertex beyond the cells of the samples on the low sides, two on the high ones.
     */
    int64_t box_x, box_y;
    unsigned box_width, box_height; /* their product is at most BLOCK_VERTICES_MAX */
};

/* Gradients of a box, row by row: what eight bytes of the tables of gradients.h hold. */
struct noise_box {
    _Alignas(64) struct {
        float x, y;
    } gradients[BLOCK_VERTICES_MAX];
};

static inline double block_x(const struct noise_block *block, unsigned column)
{
    return block->grid->x0 + (double)(block->column + column) * block->grid->dx;
}

static inline double block_y(const struct noise_block *block, unsigned row)
{
    return block->grid->y0 + (double)(block->row + row) * block->grid->dy;
}

void eco_noise_box_fill(struct noise_box *box, const struct noise_block *block, int64_t seed);

/* Writes the block of `count` planes; `out` is the block's first sample in the first plane, the
 * planes are `plane` floats apart. */
typedef void eco_noise_block_fn(const struct noise_block *block, const int64_t *seeds,
                                unsigned count, float *out, size_t plane);

eco_noise_block_fn eco_noise_block_avx2;
eco_noise_block_fn eco_noise_block_avx512;

#endif
