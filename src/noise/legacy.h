/*
 * The geometry of the older 2D OpenSimplex2S, which does not depend on the instance: what a point
 * sees of the four vertices that can reach it. Private to the noise folder.
 */
#ifndef ECO_NOISE_LEGACY_H
#define ECO_NOISE_LEGACY_H

#include <stdint.h>

#include "ecotone/noise.h"
#include "noise/common.h"

#define LEGACY_MASK (ECO_LEGACY_NOISE_SIZE - 1)
#define LEGACY_UNSKEW (-0.211324865405187)

/* Four numbers, one for each vertex or for each of four instances. */
typedef double legacy_four __attribute__((vector_size(32)));
typedef int64_t legacy_mask __attribute__((vector_size(32)));

/* The four vertices that can reach a point. */
struct legacy_region {
    legacy_four x, y; /* from the vertex, unskewed, to the cell's corner (0, 0) */
    int i[4], j[4];   /* place on the skewed lattice */
};

#define LEGACY_REGIONS 8

/* By the region of the cell that the point lies in: bit 0 says that it lies beyond the short
 * diagonal, bits 1 and 2 on which side of two lines along the axes. */
extern const struct legacy_region eco_legacy_regions[LEGACY_REGIONS];

extern const double eco_legacy_gradients2[24][2];

struct legacy_cell {
    int64_t x, y;
    unsigned region;
    legacy_four to_x, to_y; /* from the vertices to the point */
    legacy_four power;      /* of the falloffs; 0 where the vertex is out of reach */
};

static inline void legacy_cell_find(struct legacy_cell *cell, struct noise_point2 skewed)
{
    cell->x = noise_floor(skewed.x);
    cell->y = noise_floor(skewed.y);
    double in_x = skewed.x - (double)cell->x, in_y = skewed.y - (double)cell->y;
    int beyond = (int)(in_x + in_y);
    /* Rounding can make both offsets 1: then `beyond` is 2, which means as much as bit 1. */
    unsigned region = (unsigned)beyond | (unsigned)(in_x - in_y / 2 + 1 - beyond / 2.0) << 1 |
                      (unsigned)(in_y - in_x / 2 + 1 - beyond / 2.0) << 2;
    double unskew = (in_x + in_y) * LEGACY_UNSKEW;
    double x = in_x + unskew, y = in_y + unskew;

    cell->region = region;
    cell->to_x = x + eco_legacy_regions[region].x;
    cell->to_y = y + eco_legacy_regions[region].y;
    legacy_four falloff = 2.0 / 3.0 - cell->to_x * cell->to_x - cell->to_y * cell->to_y;

    falloff = (legacy_four)((legacy_mask)falloff & (falloff > 0));
    falloff *= falloff;
    cell->power = falloff * falloff;
}

/* The gradient of the vertex (x, y). */
static inline const double *legacy_gradient2(const struct eco_legacy_noise *noise, int64_t x,
                                             int64_t y)
{
    unsigned key = (unsigned)noise->permutation[(uint64_t)x & LEGACY_MASK];

    key = (unsigned)noise->permutation[key ^ ((uint64_t)y & LEGACY_MASK)];
    return eco_legacy_gradients2[key % 24];
}

#endif
