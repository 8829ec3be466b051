/*
 * What a square of blend weights makes of a sample: its true biome, its mixed colour. Shared by the
 * generators that blend. Pure functions.
 */
#ifndef ECO_WORLD_MIX_H
#define ECO_WORLD_MIX_H

#include "blend/area.h"
#include "world/config.h"

/* The biome of the greatest weight, the lower index where two are equal. */
void eco_mix_biomes(const struct eco_square *square, uint8_t out[ECO_SQUARE_AREA]);

/* 0xRRGGBB, mixed by weight from colours[biome][channel], 0 .. 255. */
void eco_mix_colours(const struct eco_square *square, float (*const colours)[3],
                     uint32_t out[ECO_SQUARE_AREA]);

/* The colours of a world's biomes as eco_mix_colours takes them. */
void eco_mix_palette(const struct eco_world_config *config, float (*colours)[3]);

/* Writes those of a square's values that lie in the grid into the planes; NULL planes are left out,
 * and so may their values be. */
void eco_mix_put(const struct eco_grid *grid, const struct eco_square_place *place,
                 const struct eco_square *square, const uint8_t biomes[ECO_SQUARE_AREA],
                 const float heights[ECO_SQUARE_AREA], const uint32_t colours[ECO_SQUARE_AREA],
                 const struct eco_planes *planes);

/* The same for the planes border and blend_error: of a square, and of what `full` makes of it
 * (NULL: no error). */
void eco_mix_put_blend(const struct eco_grid *grid, const struct eco_square_place *place,
                       const struct eco_square *square, const struct eco_square *full,
                       const struct eco_planes *planes);

#endif
