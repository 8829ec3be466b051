/*
 * The lattice indices whose points can lie within a distance of a rectangle: rows j_first .. j_last
 * and, in each row, a span of i. A superset; the jitter decides. Pure functions.
 */
#ifndef ECO_LATTICE_WALK_H
#define ECO_LATTICE_WALK_H

#include "ecotone/lattice.h"

struct eco_lattice_walk {
    int32_t j_first, j_last;
    double x0, z0, x1, z1; /* what is covered, in lattice units */
};

/* Errors as eco_lattice_gather. */
int eco_lattice_walk_init(struct eco_lattice_walk *walk, double frequency,
                          const struct eco_rect *rect, double radius, struct eco_error *error);

/* The span of row j; empty when *i_first > *i_last. */
void eco_lattice_walk_row(const struct eco_lattice_walk *walk, int32_t j, int32_t *i_first,
                          int32_t *i_last);

/*
 * Squared distance of a place to the nearest place of the rectangle, 0 inside. Monotone in the
 * rectangle even after rounding: never greater for a rectangle that contains the other.
 */
static inline double eco_rect_distance2(const struct eco_rect *rect, double x, double z)
{
    double west = rect->x0 - x, east = x - rect->x1;
    double north = rect->z0 - z, south = z - rect->z1;
    double dx = west > east ? west : east;
    double dz = north > south ? north : south;

    dx = dx > 0 ? dx : 0;
    dz = dz > 0 ? dz : 0;
    return dx * dx + dz * dz;
}

#endif
