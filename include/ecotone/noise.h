/*
 * OpenSimplex2 noise: the current generation (static functions, 32-bit float results) and the older
 * one that the biome blending article uses (an instance with a permutation, double results).
 *
 * Shapes: one point a call; noise/grid.h asks for many at once. Results lie in about [-1, 1].
 * Coordinates must be finite and below 2^31 in absolute value (checked by assert only).
 * Thread rule: pure functions; a legacy instance is constant once initialised.
 * Source: K. Spencer, OpenSimplex2 (commit 4cd120d) and Scattered-Biome-Blender (commit 02b6ecc),
 * both CC0-1.0. Golden values: tests/golden/noise_*.csv.
 */
#ifndef ECOTONE_NOISE_H
#define ECOTONE_NOISE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Current OpenSimplex2S, the smooth variant. Argument order is x, y, z throughout. */
float eco_os2s_noise2(int64_t seed, double x, double y);
float eco_os2s_noise2_improve_x(int64_t seed, double x, double y);
float eco_os2s_noise3_improve_xy(int64_t seed, double x, double y, double z);
float eco_os2s_noise3_improve_xz(int64_t seed, double x, double y, double z);
float eco_os2s_noise3_fallback(int64_t seed, double x, double y, double z);

/* Current OpenSimplex2, the fast variant. */
float eco_os2_noise2(int64_t seed, double x, double y);
float eco_os2_noise2_improve_x(int64_t seed, double x, double y);
float eco_os2_noise3_improve_xy(int64_t seed, double x, double y, double z);
float eco_os2_noise3_improve_xz(int64_t seed, double x, double y, double z);
float eco_os2_noise3_fallback(int64_t seed, double x, double y, double z);

#define ECO_LEGACY_NOISE_SIZE 2048

/* The older OpenSimplex2S: a permutation of 2048 drawn from the seed by a 64-bit generator. */
struct eco_legacy_noise {
    int16_t permutation[ECO_LEGACY_NOISE_SIZE];
};

void eco_legacy_noise_init(struct eco_legacy_noise *noise, int64_t seed);
double eco_legacy_noise2(const struct eco_legacy_noise *noise, double x, double y);
double eco_legacy_noise2_x_before_y(const struct eco_legacy_noise *noise, double x, double y);
double eco_legacy_noise3_classic(const struct eco_legacy_noise *noise, double x, double y,
                                 double z);
double eco_legacy_noise3_xy_before_z(const struct eco_legacy_noise *noise, double x, double y,
                                     double z);
double eco_legacy_noise3_xz_before_y(const struct eco_legacy_noise *noise, double x, double y,
                                     double z);

#ifdef __cplusplus
}
#endif
#endif
