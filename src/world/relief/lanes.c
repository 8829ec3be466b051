#include "world/relief/lanes.h"

#include <string.h>

#include "base/checked.h"
#include "ecotone/error.h"

int relief_lanes_load(struct relief_lanes *lanes, const struct relief_area *area,
                      const float *heights, struct eco_arena *arena)
{
    size_t skip = (size_t)eco_floor_mod(area->x0, RELIEF_LANES);
    size_t columns = (skip + area->width + RELIEF_LANES - 1) / RELIEF_LANES;
    size_t rows = area->height, size;

    lanes->x0 = area->x0 - (int64_t)skip;
    lanes->z0 = area->z0;
    /* An odd number of cache lines, so that lanes do not fall on each other in the cache. */
    lanes->stride = ((columns + 2 * RELIEF_LANES_PAD + 15) / 16 | 1) * 16;
    size = rows * RELIEF_LANES * lanes->stride;
    lanes->cells = eco_arena_alloc(arena, size, sizeof(*lanes->cells));
    if (!lanes->cells)
        return ECO_ENOMEM;
    memset(lanes->cells, 0, size * sizeof(*lanes->cells));
    lanes->cells += RELIEF_LANES_PAD;
    for (size_t z = 0; heights && z < rows; z++) {
        const float *from = heights + z * area->width;
        float *to = lanes->cells + z * RELIEF_LANES * lanes->stride;

        for (size_t lane = 0; lane < RELIEF_LANES; lane++) {
            size_t first = (lane + RELIEF_LANES - skip) % RELIEF_LANES;
            float *cell = to + lane * lanes->stride + (skip + first) / RELIEF_LANES;

            for (size_t x = first; x < area->width; x += RELIEF_LANES)
                *cell++ = from[x];
        }
    }
    return 0;
}

void relief_lanes_store(const struct relief_lanes *lanes, const struct relief_area *area,
                        float *heights)
{
    size_t skip = (size_t)(area->x0 - lanes->x0);

    for (size_t z = 0; z < area->height; z++) {
        const float *from = lanes->cells + z * RELIEF_LANES * lanes->stride;
        float *to = heights + z * area->width;

        for (size_t lane = 0; lane < RELIEF_LANES; lane++) {
            size_t first = (lane + RELIEF_LANES - skip) % RELIEF_LANES;
            const float *cell = from + lane * lanes->stride + (skip + first) / RELIEF_LANES;

            for (size_t x = first; x < area->width; x += RELIEF_LANES)
                to[x] = *cell++;
        }
    }
}

int relief_lanes_copy(struct relief_lanes *copy, const struct relief_lanes *lanes,
                      const struct relief_area *area, struct eco_arena *arena)
{
    size_t size = (size_t)area->height * RELIEF_LANES * lanes->stride;

    *copy = *lanes;
    copy->cells = eco_arena_alloc(arena, size, sizeof(*copy->cells));
    if (!copy->cells)
        return ECO_ENOMEM;
    memcpy(copy->cells, lanes->cells - RELIEF_LANES_PAD, size * sizeof(*copy->cells));
    copy->cells += RELIEF_LANES_PAD;
    return 0;
}
