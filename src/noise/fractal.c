#include "noise/fractal.h"

#include <math.h>

#include "ecotone/noise.h"
#include "noise/grid.h"

/* Mean of |n| over the plane, measured from 4,000,000 values. */
#define MEAN_ABSOLUTE 0.3547f

/*
 * The steepest that the noise may be, for each unit of its coordinates, and the greatest that it
 * may be: the sums over all vertices within reach with the worst gradient at each, the greatest of
 * 360,000 places in a cell of its lattice being 6.41 and 1.007.
 */
#define STEEPEST 6.5f
#define GREATEST 1.01f

#define SIDE 8
#define AREA (SIDE * SIDE)

static float fold_value(enum eco_fractal_fold fold, float value)
{
    switch (fold) {
    case ECO_FOLD_RIDGED:
        return 1.0f - 2.0f * fabsf(value);
    case ECO_FOLD_BILLOW:
        return 2.0f * fabsf(value) - 1.0f;
    default:
        return value;
    }
}

/* 1 / (1 + 1/2 + 1/4 + ...) */
static float first_amplitude(unsigned octaves)
{
    return 1.0f / (2.0f - ldexpf(1.0f, 1 - (int)octaves));
}

/* How many octaves a sample step shows, `least` at the least. */
static unsigned octaves_shown(const struct eco_fractal *fractal, int64_t step, unsigned least)
{
    double frequency =
        fractal->frequency_x > fractal->frequency_z ? fractal->frequency_x : fractal->frequency_z;
    unsigned shown = 0;

    while (shown < fractal->octaves && frequency * (double)step <= 0.5) {
        frequency *= 2;
        shown++;
    }
    return shown > least ? shown : least;
}

void eco_fractal_square(const struct eco_fractal *fractal, int64_t x, int64_t z, int64_t step,
                        unsigned least, float out[AREA])
{
    unsigned shown = octaves_shown(fractal, step, least);
    float amplitude = first_amplitude(fractal->octaves), hidden = 0.0f;
    double scale = 1.0;
    float noise[AREA];

    for (unsigned octave = shown; octave < fractal->octaves; octave++)
        hidden += fold_value(fractal->fold, fractal->fold ? MEAN_ABSOLUTE : 0.0f) *
                  ldexpf(amplitude, -(int)octave);
    for (unsigned k = 0; k < AREA; k++)
        out[k] = hidden;
    for (unsigned octave = 0; octave < shown; octave++) {
        double fx = fractal->frequency_x * scale, fz = fractal->frequency_z * scale;

        eco_os2s_noise2_grid(fractal->seeds[octave], (double)x * fx, (double)step * fx,
                             (double)z * fz, (double)step * fz, SIDE, SIDE, noise, SIDE);
        for (unsigned k = 0; k < AREA; k++)
            out[k] += amplitude * fold_value(fractal->fold, noise[k]);
        amplitude *= 0.5f;
        scale *= 2.0;
    }
}

float eco_fractal_slack(const struct eco_fractal *fractal, int64_t step)
{
    unsigned shown = octaves_shown(fractal, step, 1);
    float amplitude = first_amplitude(fractal->octaves), slack = 0.0f;
    float x = (float)fractal->frequency_x, z = (float)fractal->frequency_z;
    float away = (x > z ? x : z) * (float)step * 0.70711f;

    for (unsigned octave = 0; octave < fractal->octaves; octave++) {
        float most = octave < shown ? 2.0f * GREATEST : GREATEST;
        float change = octave < shown ? STEEPEST * away : most;

        slack += amplitude * (change < most ? change : most);
        amplitude *= 0.5f;
        away *= 2.0f;
    }
    return slack;
}
