/*
 * OpenSimplex2S in 2D over many points at once: equally spaced grids of the current generation, and
 * scattered points of either, for several seeds at the same points. Every value equals that of the
 * one-point function in ecotone/noise.h bit for bit, on every level of base/simd.h; coordinates are
 * limited alike. Thread rule: pure functions.
 */
#ifndef ECO_NOISE_GRID_H
#define ECO_NOISE_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd.h"
#include "ecotone/noise.h"

/* out[row * stride + column] = eco_os2s_noise2(seed, x0 + column * dx, y0 + row * dy). Any width
 * and height; made for squares of 8x8, in which a lattice vertex is hashed once. */
void eco_os2s_noise2_grid(int64_t seed, double x0, double dx, double y0, double dy, unsigned width,
                          unsigned height, float *out, size_t stride);

/* The same for `count` seeds: the plane of seed i starts at out + i * height * stride. What depends
 * on the coordinates alone is worked out once. */
void eco_os2s_noise2_grid_many(const int64_t *seeds, unsigned count, double x0, double dx,
                               double y0, double dy, unsigned width, unsigned height, float *out,
                               size_t stride);

/* As eco_os2s_noise2_grid_many, on a level of the caller's choice, which the CPU must support. */
void eco_os2s_noise2_grid_on(enum eco_simd level, const int64_t *seeds, unsigned count, double x0,
                             double dx, double y0, double dy, unsigned width, unsigned height,
                             float *out, size_t stride);

/* out[k * count + i] = eco_os2s_noise2(seeds[i], x[k] * frequency, y[k] * frequency), for `points`
 * places in any order; fastest where neighbours in the list lie close together. */
void eco_os2s_noise2_points(const int64_t *seeds, unsigned count, const double *x, const double *y,
                            size_t points, double frequency, float *out);

/* As eco_os2s_noise2_points, on a level of the caller's choice, which the CPU must support. */
void eco_os2s_noise2_points_on(enum eco_simd level, const int64_t *seeds, unsigned count,
                               const double *x, const double *y, size_t points, double frequency,
                               float *out);

/* out[i] = eco_legacy_noise2(noises[i], x, y). */
void eco_legacy_noise2_many(const struct eco_legacy_noise *const *noises, unsigned count, double x,
                            double y, double *out);

/* As eco_os2s_noise2_points: out[k * count + i] is the value of noises[i] at place k. */
void eco_legacy_noise2_points(const struct eco_legacy_noise *const *noises, unsigned count,
                              const double *x, const double *y, size_t points, double frequency,
                              double *out);

/* As eco_legacy_noise2_points, on a level of the caller's choice, which the CPU must support. */
void eco_legacy_noise2_points_on(enum eco_simd level, const struct eco_legacy_noise *const *noises,
                                 unsigned count, const double *x, const double *y, size_t points,
                                 double frequency, double *out);

#endif
