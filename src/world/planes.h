/* Planes of a part of a grid, and back: for generators that sample a grid in parts. Pure functions.
 */
#ifndef ECO_WORLD_PLANES_H
#define ECO_WORLD_PLANES_H

#include "base/arena.h"
#include "ecotone/world.h"

/* Planes of `area` samples for each that `like` has; weights and points are zero. ECO_ENOMEM. */
int eco_planes_alloc(const struct eco_planes *like, size_t area, unsigned biomes,
                     struct eco_arena *arena, struct eco_planes *out);

/* Copies the planes of `part` to where its first sample is sample (x, z) of `grid`. */
void eco_planes_copy(const struct eco_planes *from, const struct eco_grid *part, uint32_t x,
                     uint32_t z, unsigned biomes, const struct eco_planes *to,
                     const struct eco_grid *grid);

#endif
