/*
 * The inner loops of scattered blending over one square of 8x8 samples, once in plain C, which
 * states the truth, and once a vector level. All give the same bits: the same operations a sample
 * in the same order, sums over points in the same eight lanes, and no fused multiply-add.
 *
 * A point at distance d from a sample weighs max(0, r^2 - d^2)^2. For a disc that covers the whole
 * square the maximum is never needed: with p the point and u the sample relative to the centre, s =
 * r^2 - |p|^2 and q = |u|^2, the weight is (s - q + 2 p.u)^2, so the sum over all such points is a
 * polynomial of ten moments. Thread rule: pure functions. Private to the blend folder.
 */
#ifndef ECO_BLEND_KERNEL_H
#define ECO_BLEND_KERNEL_H

#include <stddef.h>

#include "base/simd.h"
#include "blend/engine.h"

/* Floats behind the end of each list that a kernel may overwrite. */
#define KERNEL_SLACK 16

/* Fewer covering discs are cheaper one by one. */
#define KERNEL_COVER_LEAST 8

#define KERNEL_LANES 8

struct kernel_square {
    double x, z;   /* the centre, blocks */
    float half;    /* from the centre to the outermost samples, blocks */
    float step;    /* blocks */
    float radius2; /* of the disc, squared */
};

/* Points of one biome near a square, relative to its centre, in the order they came. */
struct kernel_points {
    float *rim_x, *rim_z; /* discs that cover some of the square, perhaps none of its samples */
    float *cover_x, *cover_z;
    size_t rim, cover;
};

/* A rectangle by its centre and half its sides; a point is taken within `radius2` of it. */
struct kernel_window {
    double x, z, half_x, half_z, radius2;
};

struct kernel {
    /* Copies the points within a window, in order; returns how many. */
    size_t (*select)(const struct kernel_window *window, const double *x, const double *z,
                     size_t count, double *out_x, double *out_z);
    /* Sorts points into rim and cover and drops those out of reach. */
    void (*classify)(const struct kernel_square *square, const double *x, const double *z,
                     size_t count, struct kernel_points *out);
    /* Sums of the weights of all points, for each sample. */
    void (*sum)(const struct kernel_square *square, const struct kernel_points *points,
                float sums[ECO_SQUARE_AREA]);
    /* Divides the sums of `count` biomes by their total in each sample. */
    void (*normalise)(float (*sums)[ECO_SQUARE_AREA], unsigned count);
};

/* The kernel of a level; the CPU must support it. */
const struct kernel *eco_kernel(enum eco_simd level);

extern const struct kernel eco_kernel_scalar, eco_kernel_avx2, eco_kernel_avx512;

struct kernel_moments {
    float count, s, ss, x, z, sx, sz, xx, xz, zz;
};

/* What the polynomial of one row needs: value = max(0, q * (count q - 2 s - 4 (x ux + z uz)) + ux *
 * (slope + curve * ux) + level). */
struct kernel_row {
    float z_part, slope, curve, level, count, twice_s, four_x;
};

static inline struct kernel_row kernel_row_of(const struct kernel_moments *m, float uz)
{
    return (struct kernel_row){
        .z_part = 4.0f * m->z * uz,
        .slope = 4.0f * (m->sx + 2.0f * uz * m->xz),
        .curve = 4.0f * m->xx,
        .level = m->ss + uz * (4.0f * m->sz + 4.0f * uz * m->zz),
        .count = m->count,
        .twice_s = 2.0f * m->s,
        .four_x = 4.0f * m->x,
    };
}

/* The sum of eight lanes, always in this tree. */
static inline float kernel_sum_lanes(const float lane[KERNEL_LANES])
{
    float a0 = lane[0] + lane[4], a1 = lane[1] + lane[5];
    float a2 = lane[2] + lane[6], a3 = lane[3] + lane[7];

    return (a0 + a2) + (a1 + a3);
}

#endif
