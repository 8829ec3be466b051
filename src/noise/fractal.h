/*
 * Fractal sums of OpenSimplex2S over squares of 8x8 samples, the unit in which worlds are
 * evaluated.
 *
 * Each octave has twice the frequency and half the amplitude of the one before; the sum is divided
 * by the sum of all amplitudes, so it stays in about [-1, 1]. An octave that the sample step cannot
 * show (more than half a cycle a sample) adds its mean instead. Thread rule: pure functions; a
 * fractal is constant once set up.
 */
#ifndef ECO_NOISE_FRACTAL_H
#define ECO_NOISE_FRACTAL_H

#include <stdint.h>

#include "base/limits.h"

/* What is done to each octave's noise n before it is added. */
enum eco_fractal_fold {
    ECO_FOLD_NONE,   /* n */
    ECO_FOLD_RIDGED, /* 1 - 2 |n| */
    ECO_FOLD_BILLOW, /* 2 |n| - 1 */
};

struct eco_fractal {
    enum eco_fractal_fold fold;
    unsigned octaves;
    double frequency_x, frequency_z; /* cycles a block of the first octave */
    int64_t seeds[ECO_OCTAVES_MAX];
};

/* Values at blocks (x + column * step, z + row * step), row by row. */
void eco_fractal_square(const struct eco_fractal *fractal, int64_t x, int64_t z, int64_t step,
                        unsigned least, float out[64]);

/* How far the value of any block on the ground of a sample, step x step blocks around it, may be
 * from that of the sample in eco_fractal_square, where `least` is 1 and nothing is folded. */
float eco_fractal_slack(const struct eco_fractal *fractal, int64_t step);

#endif
