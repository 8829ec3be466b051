/*
 * Heights of the overworld: land noise, sharp and smooth, and each land's cubic Bezier filter.
 *
 * The land value is 0 at the coast, about 1 at the highest and -1 at the deepest. A land's height
 * is its filter of the mix of both noises, feathered to the land value at the coast; what lies
 * below 0 is the same for all. Thread rule: pure functions; a terrain is constant once set up.
 * Source: the nine filters of "Replicating Minecraft World Generation in Python".
 */
#ifndef ECO_WORLD_OVERWORLD_TERRAIN_H
#define ECO_WORLD_OVERWORLD_TERRAIN_H

#include "noise/fractal.h"
#include "world/overworld/diagram.h"
#include "world/overworld/rules.h"

#define ECO_FILTER_SIZE 257

/* A cubic Bezier curve through (0, 0), (x1, y1), (x2, y2), (1, end), and how much of the sharp
 * noise goes into it. */
struct eco_filter_curve {
    double x1, y1, x2, y2, end;
    double sharpness;
};

extern const struct eco_filter_curve eco_filter_curves[ECO_LAND_COUNT];

/* A curve as a table over x = 0 .. 1. */
struct eco_filter {
    float height[ECO_FILTER_SIZE];
    float sharpness;
};

void eco_filter_init(struct eco_filter *filter, const struct eco_filter_curve *curve);

/* The filter at `x`, which is taken into [0, 1]. */
float eco_filter_at(const struct eco_filter *filter, float x);

struct eco_terrain {
    struct eco_fractal continents, land;
    float continent_weight, gain, sea_bias;
    struct eco_filter filters[ECO_LAND_COUNT];
};

/* Land values of a square: the sharp one, and the smooth one of the first octave. */
void eco_terrain_square(const struct eco_terrain *terrain, int64_t x, int64_t z, int64_t step,
                        float sharp[64], float smooth[64]);

/* Bounds of the sharp land values of all blocks on the ground of a square's samples, which is step
 * x step blocks around each. */
void eco_terrain_range(const struct eco_terrain *terrain, int64_t x, int64_t z, int64_t step,
                       float *low, float *high);

/* The smooth land value at one place. */
float eco_terrain_smooth_point(const struct eco_terrain *terrain, double x, double z);

/* The height of a land on ground of these land values, 0 at the coast and at most 1.2. */
float eco_terrain_land(const struct eco_terrain *terrain, const struct eco_land_info *info,
                       float sharp, float smooth);

#endif
