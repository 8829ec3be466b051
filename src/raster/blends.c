/* Layers that show the blending itself. */
#include "ecotone/lattice.h"
#include "raster/draw.h"

const struct eco_legend eco_legend_border = {
    .unit = "% other biomes",
    .count = 5,
    .stops = {{NULL, 0.0f, 0x0F1A24},
              {NULL, 10.0f, 0x1F4E6B},
              {NULL, 25.0f, 0x2C8C8C},
              {NULL, 50.0f, 0xF2E08A},
              {NULL, 75.0f, 0xFFFFFF}},
};

/* Errors are small: most of the colours are for the first tenth. */
const struct eco_legend eco_legend_blend_error = {
    .unit = "% of the weight",
    .count = 6,
    .stops = {{NULL, 0.0f, 0x101420},
              {NULL, 1.0f, 0x3B2F73},
              {NULL, 3.0f, 0x9B3A86},
              {NULL, 10.0f, 0xE8604C},
              {NULL, 30.0f, 0xFBB44D},
              {NULL, 100.0f, 0xFFF8D0}},
};

static void draw_share(const struct eco_drawing *drawing, const float *plane,
                       const struct eco_legend *legend, struct eco_picture *out)
{
    size_t area = (size_t)drawing->grid->width * drawing->grid->height;

    for (size_t k = 0; k < area; k++)
        eco_put_rgb(out->pixels + 3 * k, eco_ramp_colour(legend, 100.0f * plane[k]));
}

void eco_draw_border(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_share(drawing, drawing->planes->border, &eco_legend_border, out);
}

void eco_draw_blend_error(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_share(drawing, drawing->planes->blend_error, &eco_legend_blend_error, out);
}

/* The ground between the points is faded, so that they stand out of their own colour. */
#define PAPER 0xF4F2EC
#define FADED 0.55f
#define RING 0x20242A
#define RINGED 0.6f

struct offset {
    int x, y;
};

/* From the middle outwards; the first POINT_CORE are the dot, the rest its ring. */
static const struct offset around[] = {
    {0, 0},  {1, 0},   {-1, 0},  {0, 1},  {0, -1}, {1, 1},  {1, -1},
    {-1, 1}, {-1, -1}, {2, 0},   {-2, 0}, {0, 2},  {0, -2}, {2, 1},
    {2, -1}, {-2, 1},  {-2, -1}, {1, 2},  {-1, 2}, {1, -2}, {-1, -2},
};
#define POINT_CORE 5
#define POINT_ALL 21

/* How much of a dot there is room for. */
static unsigned dot_size(const struct eco_drawing *drawing)
{
    const struct eco_blend_config *blend = &drawing->config->blend;
    double distance = ECO_LATTICE_SPACING_FREQUENCY / blend->frequency;

    if (drawing->blend == ECO_BLEND_FULL)
        distance = 1;
    else if (drawing->blend == ECO_BLEND_GRID_CONVOLVE || drawing->blend == ECO_BLEND_GRID_LERP)
        distance = blend->interval;
    distance /= (double)drawing->grid->step;
    if (distance >= 7)
        return POINT_ALL;
    return distance >= 4 ? POINT_CORE : 1;
}

/* The dot that covers a sample: its place in `around`, or POINT_ALL. */
static unsigned find_dot(const uint16_t *points, ptrdiff_t stride, unsigned size)
{
    for (unsigned k = 0; k < size; k++) {
        if (points[around[k].y * stride + around[k].x])
            return k;
    }
    return POINT_ALL;
}

void eco_draw_points(const struct eco_drawing *drawing, struct eco_picture *out)
{
    const struct eco_grid *grid = drawing->grid;
    ptrdiff_t stride = (ptrdiff_t)eco_drawing_stride(drawing);
    unsigned size = dot_size(drawing);

    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++) {
            size_t at = eco_drawing_at(drawing, x, y);
            const uint16_t *points = drawing->planes->points + at;
            uint32_t colour = eco_colour_mix(drawing->planes->colour[at], PAPER, FADED);
            unsigned dot = find_dot(points, stride, size);

            if (dot < POINT_CORE) {
                uint16_t biome = points[around[dot].y * stride + around[dot].x];

                colour = drawing->config->biomes[biome - 1].biome.colour;
            } else if (dot < POINT_ALL) {
                colour = eco_colour_mix(colour, RING, RINGED);
            }
            eco_put_rgb(out->pixels + 3 * ((size_t)y * grid->width + x), colour);
        }
    }
}
