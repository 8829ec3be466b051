#include "world/overworld/terrain.h"

#include <math.h>

#include "noise/grid.h"

/* Steps along the curve, as in the article. */
#define CURVE_STEPS 256

/* Land values over which a land's own height takes over from the coast's. */
#define FEATHER 0.14f

/* Height of the coast's ground for each unit of the land value. */
#define COAST_SLOPE 0.25f

#define HEIGHT_MAX 1.2f

const struct eco_filter_curve eco_filter_curves[ECO_LAND_COUNT] = {
    [ECO_LAND_DESERT] = {0.75, 0.2, 0.95, 0.2, 0.2, 0.5},
    [ECO_LAND_SAVANNA] = {0.5, 0.1, 0.95, 0.1, 0.1, 0.2},
    [ECO_LAND_TROPICAL_WOODLAND] = {0.33, 0.33, 0.95, 0.1, 0.1, 0.75},
    [ECO_LAND_TUNDRA] = {0.5, 1.0, 0.25, 1.0, 1.0, 1.0},
    [ECO_LAND_SEASONAL_FOREST] = {0.75, 0.5, 0.4, 0.4, 0.33, 0.2},
    [ECO_LAND_RAINFOREST] = {0.5, 0.25, 0.66, 1.0, 1.0, 0.5},
    [ECO_LAND_TEMPERATE_FOREST] = {0.75, 0.5, 0.4, 0.4, 0.33, 0.33},
    [ECO_LAND_TEMPERATE_RAINFOREST] = {0.75, 0.5, 0.4, 0.4, 0.33, 0.33},
    [ECO_LAND_BOREAL_FOREST] = {0.8, 0.1, 0.9, 0.05, 0.05, 0.1},
};

static double bezier(double a, double b, double c, double d, double t)
{
    double s = 1.0 - t;

    return s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
}

void eco_filter_init(struct eco_filter *filter, const struct eco_filter_curve *curve)
{
    double x = 0.0, y = 0.0, next_x = 0.0, next_y = 0.0;
    int step = 0;

    filter->sharpness = (float)curve->sharpness;
    for (int k = 0; k < ECO_FILTER_SIZE; k++) {
        double at = (double)k / (ECO_FILTER_SIZE - 1);

        while (step < CURVE_STEPS && next_x <= at) {
            double t = (double)++step / CURVE_STEPS;

            x = next_x;
            y = next_y;
            next_x = bezier(0.0, curve->x1, curve->x2, 1.0, t);
            next_y = bezier(0.0, curve->y1, curve->y2, curve->end, t);
        }
        filter->height[k] =
            (float)(next_x > x ? y + (next_y - y) * (at - x) / (next_x - x) : next_y);
    }
}

float eco_filter_at(const struct eco_filter *filter, float x)
{
    float place = x * (float)(ECO_FILTER_SIZE - 1);
    int k;

    place = place > 0.0f ? place : 0.0f;
    place = place < (float)(ECO_FILTER_SIZE - 1) ? place : (float)(ECO_FILTER_SIZE - 1);
    k = (int)place < ECO_FILTER_SIZE - 2 ? (int)place : ECO_FILTER_SIZE - 2;
    return filter->height[k] + (filter->height[k + 1] - filter->height[k]) * (place - (float)k);
}

/* The first octave of a fractal alone, which eco_fractal_square has divided by the sum of all. */
static void first_octave(const struct eco_fractal *fractal, int64_t x, int64_t z, int64_t step,
                         float out[64])
{
    double frequency = fractal->frequency_x;

    eco_os2s_noise2_grid(fractal->seeds[0], (double)x * frequency, (double)step * frequency,
                         (double)z * frequency, (double)step * frequency, 8, 8, out, 8);
}

void eco_terrain_square(const struct eco_terrain *terrain, int64_t x, int64_t z, int64_t step,
                        float sharp[64], float smooth[64])
{
    float continents[64];

    eco_fractal_square(&terrain->continents, x, z, step, 1, continents);
    eco_fractal_square(&terrain->land, x, z, step, 1, sharp);
    first_octave(&terrain->land, x, z, step, smooth);
    for (unsigned k = 0; k < 64; k++) {
        float base = terrain->continent_weight * continents[k] + terrain->sea_bias;

        sharp[k] = terrain->gain * (sharp[k] + base);
        smooth[k] = terrain->gain * (0.7f * smooth[k] + base);
    }
}

void eco_terrain_range(const struct eco_terrain *terrain, int64_t x, int64_t z, int64_t step,
                       float *low, float *high)
{
    float slack =
        terrain->gain * (eco_fractal_slack(&terrain->land, step) +
                         terrain->continent_weight * eco_fractal_slack(&terrain->continents, step));
    float sharp[64], smooth[64];

    eco_terrain_square(terrain, x, z, step, sharp, smooth);
    *low = *high = sharp[0];
    for (unsigned k = 1; k < 64; k++) {
        *low = sharp[k] < *low ? sharp[k] : *low;
        *high = sharp[k] > *high ? sharp[k] : *high;
    }
    *low -= slack;
    *high += slack;
}

float eco_terrain_smooth_point(const struct eco_terrain *terrain, double x, double z)
{
    const struct eco_fractal *continents = &terrain->continents;
    double frequency = terrain->land.frequency_x;
    float noise = eco_os2s_noise2(terrain->land.seeds[0], x * frequency, z * frequency);
    float base = 0.0f, amplitude = 1.0f, sum = 0.0f;

    frequency = continents->frequency_x;
    for (unsigned octave = 0; octave < continents->octaves; octave++) {
        base +=
            amplitude * eco_os2s_noise2(continents->seeds[octave], x * frequency, z * frequency);
        sum += amplitude;
        amplitude *= 0.5f;
        frequency *= 2.0;
    }
    return terrain->gain *
           (0.7f * noise + terrain->continent_weight * base / sum + terrain->sea_bias);
}

static float terraced(float height, float steps)
{
    float place = height * steps, step = floorf(place), rise = (place - step - 0.6f) * 2.5f;

    rise = rise > 0.0f ? rise : 0.0f;
    return (step + rise * rise * (3.0f - 2.0f * rise)) / steps;
}

float eco_terrain_land(const struct eco_terrain *terrain, const struct eco_land_info *info,
                       float sharp, float smooth)
{
    const struct eco_filter *filter = &terrain->filters[info->land];
    float mixed = filter->sharpness * sharp + (1.0f - filter->sharpness) * smooth;
    /* Hills are not flat: their lift follows what is rough in the noise. */
    float lift = info->lift * (0.7f + 2.0f * (sharp - smooth));
    float own = (lift > 0.0f ? lift : 0.0f) + info->gain * eco_filter_at(filter, mixed);
    float inland = sharp / FEATHER;

    if (!(sharp > 0.0f))
        return 0.0f;
    if (info->terrace > 0.0f)
        own = 0.35f * own + 0.65f * terraced(own * 3.0f, info->terrace) / 3.0f;
    inland = inland < 1.0f ? inland * inland * (3.0f - 2.0f * inland) : 1.0f;
    own = COAST_SLOPE * sharp * (1.0f - inland) + own * inland;
    return own < HEIGHT_MAX ? own : HEIGHT_MAX;
}
