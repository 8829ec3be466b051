/*
 * Rivers: along the borders of cells, by the analytic distance to the border in roughened space, so
 * that a river is as wide in blocks at every zoom. Thread rule: pure functions.
 */
#ifndef ECO_WORLD_OVERWORLD_RIVERS_H
#define ECO_WORLD_OVERWORLD_RIVERS_H

#include "base/arena.h"
#include "noise/fractal.h"
#include "world/overworld/realm.h"

struct eco_rivers {
    struct eco_fractal gate;
    float wide, narrow;             /* half widths, blocks */
    float wide_limit, narrow_limit; /* heights above the sea from which on there is none, 0 .. 1 */
    float land_height;              /* blocks of a height of 1 */
    float farthest; /* from its border that a river or its valley reaches, blocks: at least twice
                       the half widths */
};

/* Land value of the sea below which no river is looked for. */
#define ECO_RIVERS_SEA (-0.05f)

/* How far from a border its river and valley reach, blocks. */
float eco_rivers_reach(const struct eco_rivers *rivers, int64_t step);

/*
 * How much of a river each sample of a square is, 0 to 1: 1 in its bed, 0 from its banks on, and 0
 * where `height` (of the ground, 0 at the coast) is above the limit; `land` is the smooth land
 * value. The realm covers the square. `known`: its sites within eco_rivers_reach, or NULL to have
 * them found.
 */
void eco_rivers_square(const struct eco_rivers *rivers, const struct eco_realm *realm, int64_t x,
                       int64_t z, int64_t step, const float height[64], const float land[64],
                       const struct eco_surroundings *known, float out[64]);

#endif
