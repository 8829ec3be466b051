#include "world/overworld/climate.h"

#include <math.h>

#include "noise/grid.h"

#define INTERVALS (ECO_CLIMATE_TABLE_SIZE - 1)

/* Share of the noise's values below `value`: the table, with straight lines between its entries. */
static float share_below(float value)
{
    float place = (value + 1.0f) * (0.5f * INTERVALS);
    int interval;

    if (!(place > 0.0f))
        return 0.0f;
    if (place >= INTERVALS)
        return 1.0f;
    interval = (int)place;
    return eco_climate_table[interval] +
           (eco_climate_table[interval + 1] - eco_climate_table[interval]) *
               (place - (float)interval);
}

float eco_climate_equalised(float value, double equalise)
{
    float share = (float)equalise, spread = value * ECO_CLIMATE_SPREAD;

    spread = spread > -1.0f ? (spread < 1.0f ? spread : 1.0f) : -1.0f;
    return share * (2.0f * share_below(value) - 1.0f) + (1.0f - share) * spread;
}

static uint8_t level_of(float noise, double equalise)
{
    float level = floorf((eco_climate_equalised(noise, equalise) + 1.0f) * 128.0f);

    level = level > 0.0f ? level : 0.0f;
    return (uint8_t)(level < 255.0f ? level : 255.0f);
}

void eco_climate_points(const struct eco_climate_noise *climate, const double *x, const double *z,
                        size_t count, float *scratch, struct eco_climate_levels *out)
{
    eco_os2s_noise2_points(climate->seeds, 2, x, z, count, climate->frequency, scratch);
    for (size_t k = 0; k < count; k++) {
        out[k].temperature = level_of(scratch[2 * k], climate->equalise);
        out[k].precipitation = level_of(scratch[2 * k + 1], climate->equalise);
    }
}

float eco_climate_celsius(uint8_t level)
{
    return -25.0f + 70.0f * ((float)level + 0.5f) / 256.0f;
}

float eco_climate_millimetres(uint8_t level)
{
    return 3000.0f * ((float)level + 0.5f) / 256.0f;
}
