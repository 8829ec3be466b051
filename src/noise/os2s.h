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

struct os2s_vertex {
    float x, y;            /* place, unskewed */
    uint64_t key_x, key_y; /* to be added to the cell's keys */
};

/* The third and fourth vertex by region, in the order of the additions. */
extern const struct os2s_vertex eco_os2s_vertices[OS2S_REGIONS][2];

/* Region of a point: bit 2 says that it lies beyond the short diagonal, bits 0 and 1 that it lies
 * near the outer edge along x and y. */
static inline unsigned os2s_region(float in_x, float in_y, float unskew)
{
    float difference = in_x - in_y;

    /* The reference compares with the double here, which the float rounds to a smaller number: the
     * diagonal itself lies beyond. */
    if (unskew <= OS2S_UNSKEW) {
        return 4u | (in_x + difference > 1.0f) | (unsigned)(in_y - difference > 1.0f) << 1;
    }
    return (unsigned)(in_x + difference < 0.0f) | (unsigned)(in_y < difference) << 1;
}

#endif
