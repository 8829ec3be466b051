/*
 * The tile engine: scattered blending of many samples at once. Sample points are gathered once for
 * an area; weights are computed in float, a square of 8x8 samples at a time.
 *
 * Squares lie on an absolute grid (their first sample index is a multiple of 8 for the grid's step
 * and phase), and points are always summed by biome, then j, then i. So the bits of a weight do not
 * depend on the area, its partition or the thread. Thread rule: pure functions; points are
 * read-only once their biomes are filled in.
 */
#ifndef ECO_BLEND_ENGINE_H
#define ECO_BLEND_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/simd.h"
#include "ecotone/blend.h"
#include "ecotone/lattice.h"

#define ECO_SQUARE_SIDE 8
#define ECO_SQUARE_AREA (ECO_SQUARE_SIDE * ECO_SQUARE_SIDE)

/*
 * The sample points that can weigh in an area, by rising j, then i; of each row of the lattice
 * those from row_start to row_end, with room for more between rows. In the arena of who planned
 * them.
 */
struct eco_blend_points {
    struct eco_blend blend;
    struct eco_rect rect; /* all points within the radius of it */
    double radius;        /* blocks */
    double *x, *z;        /* blocks */
    int32_t *i;
    uint8_t *biome; /* filled in by the caller */
    int32_t j_first;
    uint32_t rows;
    size_t *row_start; /* rows + 1: the last is the number of places in the arrays */
    size_t *row_end;
};

/* Makes room for all points within the kernel's radius of `rect`. Errors as eco_lattice_gather,
 * ECO_ENOMEM. */
int eco_blend_points_plan(const struct eco_blend *blend, const struct eco_rect *rect,
                          struct eco_arena *arena, struct eco_blend_points *points,
                          struct eco_error *error);

/* Finds the points of some rows, all but their biomes, which then lie without gaps from
 * row_start[first]. Returns how many. Different rows may be found at the same time. */
size_t eco_blend_points_find(struct eco_blend_points *points, uint32_t first, uint32_t end);

/* Points near a part of the area, biome after biome, each biome's by rising j, then i. */
struct eco_blend_lists {
    unsigned count; /* biomes */
    uint8_t biomes[ECO_BIOMES_MAX];
    size_t start[ECO_BIOMES_MAX + 1];
    double *x, *z; /* blocks */
};

/* The points near `rect`, from all points of the area. */
int eco_blend_lists_find(const struct eco_blend_points *points, const struct eco_rect *rect,
                         struct eco_arena *arena, struct eco_blend_lists *out);

/* The points near `rect`, from those near a rectangle that contains it. */
int eco_blend_lists_narrow(const struct eco_blend_lists *wide, const struct eco_rect *rect,
                           double radius, struct eco_arena *arena, struct eco_blend_lists *out);

/*
 * The biomes of one square in rising index, each with weights[b][row * 8 + column] that sum to 1 in
 * every sample within 1e-6. NULL weights: the one biome weighs 1 everywhere.
 */
struct eco_square {
    unsigned count;
    uint8_t biomes[ECO_BIOMES_MAX];
    float (*weights)[ECO_SQUARE_AREA];
    void *extra; /* from `direct` to `take` of an area that is not blended; theirs */
};

/* The square whose first sample is the block (x, z), samples `step` blocks apart. `lists` must
 * cover it. The weights live in `arena`. `level` never changes the bits. */
int eco_blend_square(enum eco_simd level, const struct eco_blend_lists *lists, double radius,
                     int64_t x, int64_t z, int64_t step, struct eco_arena *arena,
                     struct eco_square *square);

/* The square of these biomes, one a sample, which weighs 1. The weights live in `arena`.
 * ECO_ENOMEM. */
int eco_blend_hard_square(const uint8_t biomes[ECO_SQUARE_AREA], struct eco_arena *arena,
                          struct eco_square *square);

#endif
