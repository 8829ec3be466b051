/*
 * The inner loops of relief: rows of plain arithmetic, compiled once for every CPU and once for
 * AVX2. Both give the same bits, as no loop adds across its lanes and nothing is contracted.
 * Thread rule: pure functions; the arrays of one call do not overlap except where told.
 */
#ifndef ECO_WORLD_RELIEF_KERNELS_H
#define ECO_WORLD_RELIEF_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/simd.h"

#define RELIEF_NEAREST 3
#define RELIEF_CANDIDATES_MAX 128

/* Feature points near a region, in sides of the region from its north-west corner. */
struct relief_points {
    unsigned count;
    float x[RELIEF_CANDIDATES_MAX], z[RELIEF_CANDIDATES_MAX];
    float scale[RELIEF_CANDIDATES_MAX]; /* of the hill of the point */
};

/* How distances become a height: scale * (c[0] d1 + c[1] d2 + c[2] d3) - offset, at least 0 where
 * `clip`. */
struct relief_hill {
    float c[RELIEF_NEAREST];
    float offset;
    bool clip, euclid;
};

/* The four rows that one offset of midpoint displacement is the mean of. */
struct relief_mean {
    const float *a, *b, *c, *d;
};

enum relief_offsets {
    RELIEF_OFFSETS_UNIFORM,
    RELIEF_OFFSETS_GAUSS,
    RELIEF_OFFSETS_SMOOTHED,
};

/* A row of lattice places whose hash is taken: x + stride * index; `key` hashes the rest. */
struct relief_hash_row {
    uint32_t x, stride, key;
};

/* The rows of one colour and their four neighbours, the centre first. */
struct relief_flow {
    const float *ground[5];
    float *water[5];
};

#define RELIEF_AROUND 9 /* a cell and its eight neighbours, row by row; the cell is the fifth */

/* Rows of `surface`, what is level where nothing flows, and around them; per cell and per height
 * that a neighbour is lower, `rate` leaves for it, and `carried` of the load with it. */
struct relief_spread {
    const float *surface[RELIEF_AROUND];
    float *rate, *carried;
    float *water, *load;
};

struct relief_gather {
    const float *surface[RELIEF_AROUND], *rate[RELIEF_AROUND];
    float least; /* difference that nothing flows down */
    float *out;
};

struct relief_rain {
    float amount, solubility, capacity, stays; /* Kr, Ks, Kc, 1 - Ke */
};

struct relief_kernels {
    /* out[i] in [0, 1): the hash of place i. */
    void (*hash)(float *out, const struct relief_hash_row *row, size_t count);
    /* out[i] = mean + range * (2 hash - 1), the offset times the mean where smoothed; gauss: the
     * fourth root of its share of the range is what an offset lies away from the ends of it. */
    void (*displace)(float *out, const struct relief_mean *mean, const struct relief_hash_row *row,
                     float range, enum relief_offsets offsets, size_t count);
    /* out[2 i] = even[i], out[2 i + 1] = odd[i]. */
    void (*interleave)(float *out, const float *even, const float *odd, size_t count);
    /* out[i] += weight * (above[i] + (below[i] - above[i]) * t). */
    void (*add_between)(float *out, const float *above, const float *below, float t, float weight,
                        size_t count);
    /* out[i] += weight * height at (x + i * dx, z). */
    void (*add_hills)(float *out, const struct relief_points *points,
                      const struct relief_hill *hill, float x, float dx, float z, float weight,
                      size_t count);
    /* One row of one colour: `centre` is changed with the lowest of its four neighbours a .. d
     * (the first of those equal). Inverted: 0 < difference <= talus moves half; thermal:
     * difference > talus moves share * difference. */
    void (*inverted)(float *centre, float *const around[4], float talus, size_t count);
    void (*thermal)(float *centre, float *const around[4], float talus, float share, size_t count);
    /* out[i] = centre[i] + share * the sum of what the neighbours are higher, each where that is at
     * most the talus either way. */
    void (*settle)(float *out, float *const row[5], float talus, float share, size_t count);
    /* The same for water over ground: it flows to the lowest surface, at most until the surfaces
     * are level. */
    void (*flow)(const struct relief_flow *at, size_t count);
    /* Water that always holds all that it can: it takes ground where it falls, and leaves it where
     * it dries. */
    void (*pour)(const struct relief_rain *rain, float *ground, float *water, size_t count);
    void (*drain)(const struct relief_rain *rain, float *ground, float *water, size_t count);
    /* out[i] and rate[i] of a slope of more than the talus to some of the eight neighbours. */
    void (*slide)(float *out, float *rate, const float *const around[RELIEF_AROUND], float talus,
                  float share, size_t count);
    /* Takes from water and load what leaves, and says at which rates. */
    void (*spread)(const struct relief_spread *at, size_t count);
    /* Adds to out[i] what comes from higher neighbours, in the order of `around`. */
    void (*gather)(const struct relief_gather *at, size_t count);
    /* Rain dissolves ground, where it falls; water dries and leaves what it cannot hold. */
    void (*rain)(const struct relief_rain *rain, float *ground, float *water, float *load,
                 size_t count);
    void (*dry)(const struct relief_rain *rain, float *ground, float *water, float *load,
                size_t count);
};

extern const struct relief_kernels relief_kernels_scalar;
extern const struct relief_kernels relief_kernels_avx2;

/* Those of a level of base/simd.h, which the CPU must support. */
const struct relief_kernels *relief_kernels_of(enum eco_simd level);

#endif
