/*
 * Blending over the points of a square grid: a sample's weights from the runs of biomes in the rows
 * around it, each run by the two look-ups of disc.h.
 *
 * The sums are whole numbers, so a weight depends on the biomes around its sample alone, not on the
 * square, the area or the vector level. The weights are the true ones within 1e-6 where the radius
 * is at least 1.02 times the gap of the grid, 2e-5 where it is barely more than the gap. Places are
 * in the units of the disc, whatever they are in blocks. Thread rule: pure functions. Private to
 * the blend folder.
 */
#ifndef ECO_BLEND_GRID_H
#define ECO_BLEND_GRID_H

#include "blend/disc.h"
#include "blend/engine.h"
#include "blend/map.h"

/* Samples from (x0, z0) to (x1, z1), both included; x1 - x0 and z1 - z0 are multiples of the disc's
 * step. */
struct grid_span {
    int64_t x0, z0, x1, z1;
};

/* Grid points that can weigh in a span: `first` up to, not including, `end`. */
struct grid_reach {
    int64_t first_x, first_z, end_x, end_z;
};

struct grid_reach grid_reach_of(const struct disc *disc, const struct grid_span *span);

/* The runs near some squares. */
struct grid_window {
    const struct disc *disc;
    const struct map *map;
    uint32_t first_row, end_row, end_column; /* of the map: what is in reach */
    uint32_t *first_run; /* [row - first_row]: the first that reaches into the window */
    unsigned count;      /* biomes, in rising index */
    uint8_t biomes[ECO_BIOMES_MAX];
    uint8_t slot[ECO_BIOMES_MAX]; /* of each listed biome in `biomes` */
};

/* What is near `span`; the map must hold all that is in reach. Lives in `scratch`. ECO_ENOMEM. */
int grid_window_find(const struct disc *disc, const struct map *map, const struct grid_span *span,
                     struct eco_arena *scratch, struct grid_window *out);

/* The square of 8x8 samples from (x, z) on, as eco_blend_square. What lies outside the window's
 * span has weights without a meaning. */
int grid_square(enum eco_simd level, const struct grid_window *window, int64_t x, int64_t z,
                struct eco_arena *arena, struct eco_square *square);

#endif
