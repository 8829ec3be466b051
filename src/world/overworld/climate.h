/*
 * Climate: temperature and precipitation as noise of one octave, made flatter by a constant table
 * of the noise's distribution. Nothing of a map is measured at run time, so no place depends on
 * another. Thread rule: pure functions; a climate is constant once set up.
 */
#ifndef ECO_WORLD_OVERWORLD_CLIMATE_H
#define ECO_WORLD_OVERWORLD_CLIMATE_H

#include <stddef.h>
#include <stdint.h>

struct eco_climate_noise {
    double frequency; /* cycles a block */
    double equalise;  /* 0: the noise as it is; 1: every value equally common */
    int64_t seeds[2]; /* temperature, precipitation */
};

/* Temperature and precipitation as levels, -1 is -128 .. 1 is 127, one byte each: 0 .. 255. */
struct eco_climate_levels {
    uint8_t temperature, precipitation;
};

/* The noise times this is spread as widely as evenly common values are: sqrt(1 / 3) over the
 * noise's standard deviation, measured from the values of the table. */
#define ECO_CLIMATE_SPREAD 1.3823f

/* equalise * (2 share - 1) + (1 - equalise) * value * ECO_CLIMATE_SPREAD, in [-1, 1]. As both are
 * spread alike, no mix of them makes extreme climates rare. */
float eco_climate_equalised(float value, double equalise);

/* The levels at `count` places; `scratch` has room for 2 * count floats. */
void eco_climate_points(const struct eco_climate_noise *climate, const double *x, const double *z,
                        size_t count, float *scratch, struct eco_climate_levels *out);

/* What the middle of a level stands for on a thermometer and in a rain gauge: constant scales, -25
 * to 45 degrees Celsius and 0 to 3000 mm a year. */
float eco_climate_celsius(uint8_t level);
float eco_climate_millimetres(uint8_t level);

/* The table: share of values below -1 + k / 128. */
#define ECO_CLIMATE_TABLE_SIZE 257
extern const float eco_climate_table[ECO_CLIMATE_TABLE_SIZE];

#endif
