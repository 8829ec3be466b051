/*
 * Blends all samples of a grid: cuts it into panels whose sample points are gathered once, the
 * panels into chunks that an executor runs as jobs, the chunks into squares that are handed to the
 * caller one by one.
 *
 * Thread rule: `ask`, `direct` and `take` are called from any thread of the executor, at the same
 * time for different squares, `point` only from the thread that runs the area; a square's samples
 * are handed out exactly once.
 */
#ifndef ECO_BLEND_AREA_H
#define ECO_BLEND_AREA_H

#include "base/executor.h"
#include "blend/engine.h"
#include "ecotone/world.h"

/* Where a square lies. Its samples in the grid are columns first_column .. end_column - 1 of rows
 * first_row .. end_row - 1; sample (column, row) is grid sample (x + column, z + row). */
struct eco_square_place {
    int64_t block_x, block_z; /* of sample (0, 0) */
    int64_t x, z;             /* in the grid; may be negative */
    int first_column, end_column, first_row, end_row;
};

/* Nanoseconds of all threads together, added to what is there. */
struct eco_blend_times {
    uint64_t gather;  /* finding the sample points */
    uint64_t ask;     /* the biome source */
    uint64_t lists;   /* finding which points matter where */
    uint64_t squares; /* weights, and `take` */
};

struct eco_blend_area {
    const struct eco_grid *grid;
    unsigned chunk;                /* samples a side: 8, 16, 32 or 64; never changes the bits */
    const struct eco_blend *blend; /* NULL: no blending, `direct` makes the squares */
    /* A second way to blend, or NULL: its squares are handed out beside those of the first. */
    const struct eco_blend *against;
    /* Biomes at `count` places, blocks. */
    void (*ask)(void *context, const double *x, const double *z, size_t count, uint8_t *biomes);
    /* Fills a square whose samples are too coarse to blend. Weights go to `scratch`. */
    int (*direct)(void *context, const struct eco_square_place *place, struct eco_arena *scratch,
                  struct eco_square *square);
    /* Uses a finished square; `against` is NULL where the area's is. */
    void (*take)(void *context, const struct eco_square_place *place,
                 const struct eco_square *square, const struct eco_square *against);
    /* Where it is not NULL: the grid sample nearest to a sample point of `blend`, for each point
     * whose nearest sample is in the grid, in an order that does not depend on the partition. */
    void (*point)(void *context, uint32_t column, uint32_t row, uint8_t biome);
    void *context;
    struct eco_blend_times *times; /* NULL: no clock is read */
    size_t points_asked;           /* out: places that `ask` was asked about */
};

/*
 * Errors: ECO_ENOMEM, those of eco_lattice_gather, and ECO_EINVAL where a method that asks at every
 * block or grid point would have to ask at more than 2^25 in a panel.
 */
int eco_blend_area_run(struct eco_blend_area *area, struct eco_executor *executor,
                       struct eco_arena *arena, struct eco_error *error);

#endif
