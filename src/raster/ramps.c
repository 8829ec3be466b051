#include "base/hash.h"
#include "raster/draw.h"

const struct eco_legend eco_legend_temperature = {
    .unit = "\u00b0C",
    .count = 7,
    .stops = {{NULL, -25.0f, 0x2C2E7D},
              {NULL, -10.0f, 0x3F7FC1},
              {NULL, 0.0f, 0xA9D6E5},
              {NULL, 10.0f, 0xF3F1D0},
              {NULL, 20.0f, 0xF6C667},
              {NULL, 30.0f, 0xE8743B},
              {NULL, 45.0f, 0x8E1B22}},
};

const struct eco_legend eco_legend_precipitation = {
    .unit = "mm a year",
    .count = 5,
    .stops = {{NULL, 0.0f, 0xE9D8A6},
              {NULL, 500.0f, 0xC9D58A},
              {NULL, 1200.0f, 0x6FB78F},
              {NULL, 2000.0f, 0x2F83A6},
              {NULL, 3000.0f, 0x1B3A73}},
};

const struct eco_legend eco_legend_slope = {
    .unit = "rise over run",
    .count = 6,
    .stops = {{NULL, 0.0f, 0xF4F7EC},
              {NULL, 0.125f, 0xBFDD9C},
              {NULL, 0.25f, 0xF2D98B},
              {NULL, 0.5f, 0xE08A4A},
              {NULL, 1.0f, 0x9C2F35},
              {NULL, 2.0f, 0x32122B}},
};

const struct eco_legend eco_legend_cells = {
    .unit = "", .count = 1, .stops = {{"a colour a cell, from its number", 0.0f, 0x8FA3B5}}};

uint32_t eco_ramp_colour(const struct eco_legend *legend, float value)
{
    const struct eco_legend_stop *stops = legend->stops;
    unsigned k = 1;

    if (!(value > stops[0].value))
        return stops[0].colour;
    while (k < legend->count && stops[k].value < value)
        k++;
    if (k == legend->count)
        return stops[k - 1].colour;
    return eco_colour_mix(stops[k - 1].colour, stops[k].colour,
                          (value - stops[k - 1].value) / (stops[k].value - stops[k - 1].value));
}

static void draw_ramp(const struct eco_drawing *drawing, const float *plane,
                      const struct eco_legend *legend, struct eco_picture *out)
{
    size_t area = (size_t)drawing->grid->width * drawing->grid->height;

    for (size_t k = 0; k < area; k++)
        eco_put_rgb(out->pixels + 3 * k, eco_ramp_colour(legend, plane[k]));
}

void eco_draw_temperature(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_ramp(drawing, drawing->planes->temperature, &eco_legend_temperature, out);
}

void eco_draw_precipitation(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_ramp(drawing, drawing->planes->precipitation, &eco_legend_precipitation, out);
}

void eco_draw_slope(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_ramp(drawing, drawing->planes->slope, &eco_legend_slope, out);
}

void eco_draw_cells(const struct eco_drawing *drawing, struct eco_picture *out)
{
    size_t area = (size_t)drawing->grid->width * drawing->grid->height;

    for (size_t k = 0; k < area; k++) {
        uint32_t bits = (uint32_t)eco_mix64(drawing->planes->cell[k]);

        /* Pastel: no channel below 96. */
        eco_put_rgb(out->pixels + 3 * k, 0x606060 + (bits & 0x7F7F7F));
    }
}
