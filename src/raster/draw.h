/*
 * How layers draw: each function fills out->pixels of a picture of `grid` from planes that have
 * `halo` samples more on each side. Private to the raster folder. Pure functions.
 */
#ifndef ECO_RASTER_DRAW_H
#define ECO_RASTER_DRAW_H

#include "raster/raster.h"

struct eco_drawing {
    const struct eco_world_config *config;
    const struct eco_grid *grid;
    const struct eco_planes *planes;
    uint32_t halo;
    enum eco_blend_method blend; /* that the world was opened with */
};

/* Samples in a row of the planes, and where the grid's sample (x, y) stands in them. */
static inline size_t eco_drawing_stride(const struct eco_drawing *drawing)
{
    return (size_t)drawing->grid->width + 2 * drawing->halo;
}

static inline size_t eco_drawing_at(const struct eco_drawing *drawing, uint32_t x, uint32_t y)
{
    return ((size_t)y + drawing->halo) * eco_drawing_stride(drawing) + x + drawing->halo;
}

static inline void eco_put_rgb(uint8_t *pixel, uint32_t colour)
{
    pixel[0] = (uint8_t)(colour >> 16);
    pixel[1] = (uint8_t)(colour >> 8);
    pixel[2] = (uint8_t)colour;
}

/* `share` of the second colour, 0 to 1, in each channel. */
uint32_t eco_colour_mix(uint32_t a, uint32_t b, float share);

void eco_draw_relief(const struct eco_drawing *drawing, struct eco_picture *out);
/* Relief with trees: crowns and their shadows, a tint where they are too small to see. */
void eco_draw_trees(const struct eco_drawing *drawing, struct eco_picture *out);
/* Rivers on a pale ground. */
void eco_draw_rivers(const struct eco_drawing *drawing, struct eco_picture *out);

void eco_draw_temperature(const struct eco_drawing *drawing, struct eco_picture *out);
void eco_draw_precipitation(const struct eco_drawing *drawing, struct eco_picture *out);
void eco_draw_cells(const struct eco_drawing *drawing, struct eco_picture *out);

void eco_draw_border(const struct eco_drawing *drawing, struct eco_picture *out);
void eco_draw_blend_error(const struct eco_drawing *drawing, struct eco_picture *out);
/* Dots in the colours of their biomes on the faded ground. */
void eco_draw_points(const struct eco_drawing *drawing, struct eco_picture *out);

/* The colour of a value between the stops of a legend. */
uint32_t eco_ramp_colour(const struct eco_legend *legend, float value);

void eco_draw_slope(const struct eco_drawing *drawing, struct eco_picture *out);
/* Ground that is flat enough for units, for buildings; what can be reached, only a window tells. */
void eco_draw_access(const struct eco_drawing *drawing, struct eco_picture *out);
void eco_draw_build(const struct eco_drawing *drawing, struct eco_picture *out);

extern const struct eco_legend eco_legend_slope, eco_legend_access, eco_legend_build;
extern const struct eco_legend eco_legend_temperature, eco_legend_precipitation, eco_legend_cells,
    eco_legend_rivers, eco_legend_trees, eco_legend_border, eco_legend_blend_error;

/* Repeats each pixel of a picture twice both ways: half a block a pixel shows each block four
 * times. ECO_ENOMEM. */
int eco_picture_double(struct eco_picture *picture, struct eco_arena *arena);

#endif
