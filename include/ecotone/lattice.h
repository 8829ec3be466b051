/*
 * The jittered triangular lattice: the sample points at which a biome source is asked.
 *
 * Lattice point (i, j) lies at ((i + t) / f, (j + t) / f) blocks with t = -0.211324865405187 (i +
 * j), moved by sqrt(1/2) / f blocks in one of 24 directions that a hash of (seed, i, j) picks.
 * Every place of the plane has a point within 1.1785113 / f blocks. Thread rule: pure functions.
 * Source: "Fast Biome Blending, Without Squareness" and Scattered-Biome-Blender (commit 02b6ecc,
 * CC0-1.0). Golden values: tests/golden/points_*.csv.
 */
#ifndef ECOTONE_LATTICE_H
#define ECOTONE_LATTICE_H

#include <stddef.h>
#include <stdint.h>

#include "ecotone/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest distance from any place to the nearest sample point, in units of 1 / frequency. */
#define ECO_LATTICE_GAP 1.1785113019775793

/* frequency * spacing for a lattice with one point per spacing^2 blocks: 3^(-1/4). */
#define ECO_LATTICE_SPACING_FREQUENCY 0.7598356856515925

struct eco_point {
    double x, z;   /* blocks */
    int32_t i, j;  /* lattice indices; with the seed they identify the point */
    uint32_t hash; /* 26 left-over bits of the jitter hash */
};

/* A rectangle of the plane in blocks, closed on all sides. */
struct eco_rect {
    double x0, z0, x1, z1;
};

/* The point (i, j) of the lattice of this frequency and seed. */
struct eco_point eco_lattice_point(int64_t seed, double frequency, int32_t i, int32_t j);

/*
 * Calls `visit` for each point within `radius` of `rect`, by rising j, then rising i: an order that
 * does not depend on the rectangle. A negative result of `visit` ends the walk and is returned.
 * Errors: ECO_EINVAL for a frequency or radius that is not positive and finite, or a rectangle
 * whose lattice indices do not fit int32.
 */
int eco_lattice_gather(int64_t seed, double frequency, const struct eco_rect *rect, double radius,
                       int (*visit)(void *context, const struct eco_point *point), void *context,
                       struct eco_error *error);

#ifdef __cplusplus
}
#endif
#endif
