/*
 * A field of floats whose rows are kept as five lanes, lane l holding the cells with x mod 5 = l:
 * the cells of one colour of a row, and those of any one neighbour of theirs, are then contiguous.
 * Thread rule: a field belongs to one thread.
 */
#ifndef ECO_WORLD_RELIEF_LANES_H
#define ECO_WORLD_RELIEF_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "world/relief/source.h"

#define RELIEF_LANES 5
#define RELIEF_LANES_PAD 8 /* before each lane, for the neighbour of its first cell */

struct relief_lanes {
    int64_t x0, z0; /* of the first column and row; x0 is a multiple of 5 */
    size_t stride;  /* floats from a lane to the next */
    float *cells;
};

/* Room for the cells of an area; the values are those of `heights`, or 0 where that is NULL. */
int relief_lanes_load(struct relief_lanes *lanes, const struct relief_area *area,
                      const float *heights, struct eco_arena *arena);
void relief_lanes_store(const struct relief_lanes *lanes, const struct relief_area *area,
                        float *heights);

/* A copy of lanes that were loaded for the area. */
int relief_lanes_copy(struct relief_lanes *copy, const struct relief_lanes *lanes,
                      const struct relief_area *area, struct eco_arena *arena);

/* The lane of row z with x mod 5 = lane, from the cell of the first five columns on. `lane` may be
 * -1 or 5: the neighbours of lanes 0 and 4. */
static inline float *relief_lane(const struct relief_lanes *lanes, int64_t z, int lane)
{
    ptrdiff_t shift = lane < 0 ? -1 : lane >= RELIEF_LANES ? 1 : 0;
    size_t index = (size_t)(lane - RELIEF_LANES * (int)shift);

    return lanes->cells + ((size_t)(z - lanes->z0) * RELIEF_LANES + index) * lanes->stride + shift;
}

#endif
