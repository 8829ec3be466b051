/*
 * Blends all samples of a grid: cuts it into panels whose sample points are gathered once, the
 * panels into chunks that an executor runs as jobs, the chunks into squares that are handed to the
 * caller one by one.
 *
 * Thread rule: the callbacks are called from any thread of the executor, at the same time for
 * different squares; a square's samples are handed out exactly once.
 */
#ifndef ECO_BLEND_AREA_H
#define ECO_BLEND_AREA_H

#include "base/executor.h"
#include "blend/engine.h"
#include "ecotone/world.h"

/* Where a square lies. Its samples in the grid are columns first_column .. end_column - 1 of rows
 * first_row
 * .. end_row - 1; sample (column, row) is grid sample (x + column, z + row). */
struct eco_square_place {
    int64_t block_x, block_z; /* of sample (0, 0) */
    int64_t x, z;             /* in the grid; may be negative */
    int first_column, end_column, first_row, end_row;
};

struct eco_blend_area {
    const struct eco_grid *grid;
    unsigned chunk;                /* samples a side: 8, 16, 32 or 64; never changes the bits */
    const struct eco_blend *blend; /* NULL: no blending, `direct` makes the squares */
    /* Biomes at `count` places, blocks. */
    void (*ask)(void *context, const double *x, const double *z, size_t count, uint8_t *biomes);
    /* Fills a square whose samples are too coarse to blend. Weights go to `scratch`. */
    int (*direct)(void *context, const struct eco_square_place *place, struct eco_arena *scratch,
                  struct eco_square *square);
    /* Uses a finished square. */
    void (*take)(void *context, const struct eco_square_place *place,
                 const struct eco_square *square);
    void *context;
    size_t points_asked; /* out: sample points that `ask` was asked about */
};

/* Errors: ECO_ENOMEM, and those of eco_lattice_gather. */
int eco_blend_area_run(struct eco_blend_area *area, struct eco_executor *executor,
                       struct eco_arena *arena, struct eco_error *error);

#endif
