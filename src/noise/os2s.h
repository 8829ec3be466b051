/*
 * The geometry of 2D OpenSimplex2S inside one cell of its skewed square lattice. A point takes part
 * of the corners (0, 0) and (1, 1) of its cell and of two more vertices, which depend on the region
 * of the cell it lies in. Constants in float, as the reference rounds them.
 */
#ifndef ECO_NOISE_OS2S_H
#define ECO_NOISE_OS2S_H

#include <stdint.h>

#include "noise/common.h"

#define OS2S_RADIUS2 (2.0f / 3.0f)
#define OS2S_RADIUS3 (3.0f / 4.0f)
#define OS2S_UNSKEW ((float)NOISE_UNSKEW_2D)

/* The corner (1, 1): its place on both axes, and its falloff from that of (0, 0) and the unskewing.
 */
#define OS2S_FAR ((float)(1 + 2 * NOISE_UNSKEW_2D))
#define OS2S_FAR_SLOPE ((float)(2 * (1 + 2 * NOISE_UNSKEW_2D) * (1 / NOISE_UNSKEW_2D + 2)))
#define OS2S_FAR_OFFSET ((float)(-2 * (1 + 2 * NOISE_UNSKEW_2D) * (1 + 2 * NOISE_UNSKEW_2D)))

#define OS2S_REGIONS 8

/* Four numbers, one for each vertex that can reach a point, in the order of the additions. */
typedef float os2s_four __attribute__((vector_size(16)));
typedef int32_t os2s_mask __attribute__((vector_size(16)));

struct os2s_region {
    os2s_four x, y;     /* places of the vertices, unskewed */
    int32_t i[4], j[4]; /* and on the skewed lattice */
};

extern const struct os2s_region eco_os2s_regions[OS2S_REGIONS];

/* The third and the fourth vertex in the other order, for lookups by region within a register. */
struct os2s_lookup {
    float x[2][OS2S_REGIONS], y[2][OS2S_REGIONS];
    int32_t i[2][OS2S_REGIONS], j[2][OS2S_REGIONS];
};

extern const struct os2s_lookup eco_os2s_lookup;

/* Region of a point: bit 2 says that it lies beyond the short diagonal, bits 0 and 1 that it lies
 * near the outer edge along x and y. */
static inline unsigned os2s_region_of(float in_x, float in_y, float unskew)
{
    float difference = in_x - in_y;
    /* The reference compares with the double here, which the float rounds to a smaller number: the
     * diagonal itself lies beyond. */
    unsigned beyond = unskew <= OS2S_UNSKEW;
    unsigned low = (unsigned)(in_x + difference < 0.0f) | (unsigned)(in_y < difference) << 1;
    unsigned high = (unsigned)(in_x + difference > 1.0f) | (unsigned)(in_y - difference > 1.0f)
                                                               << 1;

    return beyond << 2 | (beyond ? high : low);
}

/* The gradient that a hash key leads to. */
static inline const float *os2s_gradient2(uint64_t key)
{
    return eco_os2s_gradients2 + noise_hash_index(key, NOISE_GRADIENT2_BITS, 1);
}

struct os2s_cell {
    int64_t x, y;
    unsigned region;
    os2s_four to_x, to_y; /* from the vertices to the point */
    os2s_four power;      /* of the falloffs; 0 where a vertex is out of reach */
    os2s_mask fill;       /* the sign bit where a vertex is out of reach: -0 changes no sum */
};

static inline void os2s_cell_find(struct os2s_cell *cell, struct noise_point2 skewed)
{
    cell->x = noise_floor(skewed.x);
    cell->y = noise_floor(skewed.y);
    float in_x = (float)(skewed.x - (double)cell->x), in_y = (float)(skewed.y - (double)cell->y);
    float unskew = (in_x + in_y) * OS2S_UNSKEW;
    float x = in_x + unskew, y = in_y + unskew;

    cell->region = os2s_region_of(in_x, in_y, unskew);
    cell->to_x = x - eco_os2s_regions[cell->region].x;
    cell->to_y = y - eco_os2s_regions[cell->region].y;

    os2s_four falloff = OS2S_RADIUS2 - cell->to_x * cell->to_x - cell->to_y * cell->to_y;
    os2s_mask out_of_reach = ~(falloff > 0.0f);

    /* The falloff of the far corner has a formula of its own, and neither corner is left out. */
    falloff[1] = OS2S_FAR_SLOPE * unskew + (OS2S_FAR_OFFSET + falloff[0]);
    out_of_reach &= (os2s_mask){0, 0, -1, -1};
    falloff *= falloff;
    cell->power = (os2s_four)((os2s_mask)(falloff * falloff) & ~out_of_reach);
    cell->fill = out_of_reach & INT32_MIN;
}

#endif
