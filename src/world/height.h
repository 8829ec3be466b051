/* The height formulas of biomes: fractal noise put through a shape. Pure functions. */
#ifndef ECO_WORLD_HEIGHT_H
#define ECO_WORLD_HEIGHT_H

#include "noise/fractal.h"
#include "world/config.h"

struct eco_height {
    struct eco_fractal fractal;
    enum eco_shape shape;
    float base, amplitude; /* blocks */
    float steps;
};

/* `stream` tells one formula's noise from another's. */
void eco_height_init(struct eco_height *height, const struct eco_height_formula *formula,
                     int64_t seed, uint64_t stream);

/* Heights of the square of 8x8 samples from block (x, z), row by row; blocks. */
void eco_height_square(const struct eco_height *height, int64_t x, int64_t z, int64_t step,
                       float out[64]);

#endif
