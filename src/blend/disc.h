/*
 * The kernel max(0, r^2 - d^2)^2 over the points of a square grid, in whole numbers, and summed
 * along rows, so that a run of points of one biome costs two look-ups however long it is.
 *
 * Samples and points lie at whole places; points at multiples of `interval`, samples `step` apart.
 * Entries are the true sums, scaled so that all points around a sample weigh at most 2^31 - 1, and
 * rounded. Whole numbers add up to the same in any order, so weights made of them are alike for any
 * partition and vector width. Thread rule: pure; a disc is constant once made. Private to the blend
 * folder.
 */
#ifndef ECO_BLEND_DISC_H
#define ECO_BLEND_DISC_H

#include <stdint.h>

#include "base/arena.h"
#include "base/checked.h"
#include "blend/engine.h"

#define DISC_SAMPLES ECO_SQUARE_SIDE /* of a row that are looked up together */

struct disc {
    int64_t interval, step;
    int64_t reach;    /* the least whole distance at which the kernel is 0 */
    int64_t greatest; /* quotient of the first entry of each list, see disc_entry */
    size_t list_stride, row_stride, total_stride;
    int32_t *sums; /* rows of distance 0 .. reach - 1, each with a list for each phase 0 .. step - 1
                    */
    int32_t *totals; /* lists for each phase of x, for each of the `interval` phases of z */
};

/*
 * Where the look-up of a row of samples begins. `offset` is the distance from the first sample,
 * east of it, of a point: entry k from there on is what all points of the row up to that one weigh
 * in sample k. Offsets from -reach to disc_far are in the table.
 */
static inline size_t disc_entry(const struct disc *disc, int64_t offset)
{
    int64_t phase, quotient;

    if (disc->step == 1)
        return (size_t)(disc->greatest - offset);
    quotient = eco_floor_div(offset, disc->step);
    phase = offset - quotient * disc->step;
    return (size_t)phase * disc->list_stride + (size_t)(disc->greatest - quotient);
}

/* The offset of a point that is out of reach to the east for every sample of a row from `x` on: up
 * to there are all points of the row. */
static inline int64_t disc_far(const struct disc *disc, int64_t x)
{
    int64_t out = disc->reach + (DISC_SAMPLES - 1) * disc->step;

    return out + eco_floor_mod(-x - out, disc->interval);
}

/* The list of what all points weigh in samples of row `z`, to be read like those of `sums`. */
static inline const int32_t *disc_totals(const struct disc *disc, int64_t x, int64_t z)
{
    int64_t far = disc_far(disc, x), quotient = eco_floor_div(far, disc->step);
    int64_t phase = far - quotient * disc->step;

    return disc->totals +
           ((size_t)eco_floor_mod(-z, disc->interval) * (size_t)disc->step + (size_t)phase) *
               disc->total_stride +
           (disc->greatest - quotient);
}

/* Makes the table in `arena`. The radius must be greater than interval * sqrt(1/2). ECO_ENOMEM. */
int disc_make(double radius, int64_t interval, int64_t step, struct eco_arena *arena,
              struct disc *disc);

#endif
