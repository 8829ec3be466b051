/*
 * The legend of a world or a layer as a picture: swatches and names, a ramp with its values, or,
 * of a layer of data, what its numbers mean. Thread rule: pure function.
 */
#ifndef ECO_RASTER_LEGEND_H
#define ECO_RASTER_LEGEND_H

#include "raster/raster.h"

/*
 * Draws the legend of `layer`, or of the biomes alone for a negative one, at 1 or 2 pixels a unit;
 * an RGB picture in the arena. The world has the layer. ECO_ENOMEM.
 */
int eco_legend_draw(const struct eco_world_config *world, int layer, unsigned scale,
                    struct eco_arena *arena, struct eco_picture *out, struct eco_error *error);

#endif
