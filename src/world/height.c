#include "world/height.h"

#include <math.h>

#include "base/hash.h"

/* Crests of dunes run along z: there the noise changes this much slower. */
#define DUNE_STRETCH 0.3

/* The share of a terrace that is flat. */
#define TERRACE_FLAT 0.6f

void eco_height_init(struct eco_height *height, const struct eco_height_formula *formula,
                     int64_t seed, uint64_t stream)
{
    struct eco_fractal *fractal = &height->fractal;

    height->shape = formula->shape;
    height->base = (float)formula->base;
    height->amplitude = (float)formula->amplitude;
    height->steps = (float)formula->steps;
    fractal->octaves = formula->octaves;
    fractal->frequency_x = 1.0 / formula->wavelength;
    fractal->frequency_z = fractal->frequency_x;
    fractal->fold = ECO_FOLD_NONE;
    if (formula->shape == ECO_SHAPE_RIDGED || formula->shape == ECO_SHAPE_DUNES)
        fractal->fold = ECO_FOLD_RIDGED;
    if (formula->shape == ECO_SHAPE_BILLOW)
        fractal->fold = ECO_FOLD_BILLOW;
    if (formula->shape == ECO_SHAPE_DUNES)
        fractal->frequency_z *= DUNE_STRETCH;
    for (unsigned octave = 0; octave < formula->octaves; octave++)
        fractal->seeds[octave] = eco_seed_derive(seed, stream << 8 | octave);
}

/* n in [-1, 1] in `steps` flat steps with soft rises between them. */
static float terrace(float n, float steps)
{
    float place = (n * 0.5f + 0.5f) * steps;
    float step = floorf(place);
    float rise = (place - step - TERRACE_FLAT) / (1.0f - TERRACE_FLAT);

    rise = rise > 0.0f ? rise : 0.0f;
    return (step + rise * rise * (3.0f - 2.0f * rise)) / steps * 2.0f - 1.0f;
}

void eco_height_square(const struct eco_height *height, int64_t x, int64_t z, int64_t step,
                       float out[64])
{
    eco_fractal_square(&height->fractal, x, z, step, 0, out);
    if (height->shape == ECO_SHAPE_TERRACED) {
        for (unsigned k = 0; k < 64; k++)
            out[k] = terrace(out[k], height->steps);
    }
    for (unsigned k = 0; k < 64; k++)
        out[k] = height->base + height->amplitude * out[k];
}
