#include <math.h>
#include <stdio.h>
#include <string.h>

#include "raster/draw.h"

struct layer_info {
    const char *name, *title;
    unsigned mask; /* fields to sample */
    uint32_t halo; /* samples around the grid */
    enum eco_pixel_format format;
    void (*draw)(const struct eco_drawing *drawing, struct eco_picture *out);
    const struct eco_legend *legend; /* NULL: biomes, or heights in the world's range */
};

static size_t area_of(const struct eco_grid *grid)
{
    return (size_t)grid->width * grid->height;
}

static void draw_biome(const struct eco_drawing *drawing, struct eco_picture *out)
{
    memcpy(out->pixels, drawing->planes->biome, area_of(drawing->grid));
    out->palette_size = drawing->config->biomes_count;
    for (unsigned b = 0; b < drawing->config->biomes_count; b++)
        out->palette[b] = drawing->config->biomes[b].biome.colour;
}

static void draw_blend(const struct eco_drawing *drawing, struct eco_picture *out)
{
    for (size_t k = 0; k < area_of(drawing->grid); k++)
        eco_put_rgb(out->pixels + 3 * k, drawing->planes->colour[k]);
}

static void draw_height(const struct eco_drawing *drawing, struct eco_picture *out)
{
    float low = (float)drawing->config->height_low;
    float scale = 255.0f / (float)(drawing->config->height_high - drawing->config->height_low);

    for (size_t k = 0; k < area_of(drawing->grid); k++) {
        float grey = (drawing->planes->height[k] - low) * scale + 0.5f;

        grey = grey > 0.0f ? grey : 0.0f;
        out->pixels[k] = (uint8_t)(grey < 255.0f ? grey : 255.0f);
    }
}

/*
 * What the 16 bits span: the world's range, and as much below it and above it, for trenches and
 * peaks that it leaves out. So 21845 is its low end and 43690 its high one.
 */
static void span_of_height16(const struct eco_world_config *config, double *low, double *span)
{
    double range = config->height_high - config->height_low;

    *low = config->height_low - range;
    *span = 3.0 * range;
}

/* In double: 16 bits are near a float's own. */
static void draw_height16(const struct eco_drawing *drawing, struct eco_picture *out)
{
    double low, span;

    span_of_height16(drawing->config, &low, &span);
    for (size_t k = 0; k < area_of(drawing->grid); k++) {
        double grey = ((double)drawing->planes->height[k] - low) / span * 65535.0 + 0.5;
        unsigned value = grey > 0.0 ? (unsigned)(grey < 65535.0 ? grey : 65535.0) : 0;

        out->pixels[2 * k] = (uint8_t)(value >> 8);
        out->pixels[2 * k + 1] = (uint8_t)value;
    }
}

static void draw_terrarium(const struct eco_drawing *drawing, struct eco_picture *out)
{
    for (size_t k = 0; k < area_of(drawing->grid); k++) {
        float value = floorf(drawing->planes->height[k] * 256.0f + 0.5f);

        /* Heights are bounded by the configuration far inside the 24 bits. */
        eco_put_rgb(out->pixels + 3 * k, (uint32_t)((int32_t)value + (32768 << 8)));
    }
}

static void draw_mapbox(const struct eco_drawing *drawing, struct eco_picture *out)
{
    for (size_t k = 0; k < area_of(drawing->grid); k++) {
        float value = floorf((drawing->planes->height[k] + 10000.0f) * 10.0f + 0.5f);

        /* As above, far inside the 24 bits. */
        eco_put_rgb(out->pixels + 3 * k, (uint32_t)value);
    }
}

static const struct layer_info layers[ECO_LAYER_COUNT] = {
    [ECO_LAYER_BIOME] = {"biome", "Biomes", ECO_FIELD_BIOME, 0, ECO_PIXEL_PALETTE8, draw_biome},
    [ECO_LAYER_BLEND] = {"blend", "Blended biomes", ECO_FIELD_COLOUR, 0, ECO_PIXEL_RGB8,
                         draw_blend},
    [ECO_LAYER_HEIGHT] = {"height", "Height in grey", ECO_FIELD_HEIGHT, 0, ECO_PIXEL_GREY8,
                          draw_height},
    [ECO_LAYER_RELIEF] = {"relief", "Relief", ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR, 1,
                          ECO_PIXEL_RGB8, eco_draw_relief},
    [ECO_LAYER_TERRARIUM] = {"terrarium", "Height as data (Terrarium)", ECO_FIELD_HEIGHT, 0,
                             ECO_PIXEL_RGB8, draw_terrarium},
    [ECO_LAYER_TREES] = {"trees", "Relief with trees",
                         ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_TREES, 2, ECO_PIXEL_RGB8,
                         eco_draw_trees, &eco_legend_trees},
    [ECO_LAYER_RIVERS] = {"rivers", "Rivers", ECO_FIELD_HEIGHT | ECO_FIELD_RIVER, 1, ECO_PIXEL_RGB8,
                          eco_draw_rivers, &eco_legend_rivers},
    [ECO_LAYER_TEMPERATURE] = {"temperature", "Temperature", ECO_FIELD_TEMPERATURE, 0,
                               ECO_PIXEL_RGB8, eco_draw_temperature, &eco_legend_temperature},
    [ECO_LAYER_PRECIPITATION] = {"precipitation", "Precipitation", ECO_FIELD_PRECIPITATION, 0,
                                 ECO_PIXEL_RGB8, eco_draw_precipitation, &eco_legend_precipitation},
    [ECO_LAYER_CELLS] = {"cells", "Cells", ECO_FIELD_CELL, 0, ECO_PIXEL_RGB8, eco_draw_cells,
                         &eco_legend_cells},
    [ECO_LAYER_BORDER] = {"border", "Blended borders", ECO_FIELD_BORDER, 0, ECO_PIXEL_RGB8,
                          eco_draw_border, &eco_legend_border},
    [ECO_LAYER_BLEND_ERROR] = {"blend-error", "Difference to full blending", ECO_FIELD_BLEND_ERROR,
                               0, ECO_PIXEL_RGB8, eco_draw_blend_error, &eco_legend_blend_error},
    [ECO_LAYER_POINTS] = {"points", "Sample points", ECO_FIELD_COLOUR | ECO_FIELD_POINTS, 2,
                          ECO_PIXEL_RGB8, eco_draw_points},
    [ECO_LAYER_SLOPE] = {"slope", "Slope", ECO_FIELD_SLOPE, 0, ECO_PIXEL_RGB8, eco_draw_slope,
                         &eco_legend_slope},
    [ECO_LAYER_ACCESS] = {"access", "Room for units", ECO_FIELD_HEIGHT | ECO_FIELD_USE, 1,
                          ECO_PIXEL_RGB8, eco_draw_access, &eco_legend_access},
    [ECO_LAYER_BUILD] = {"build", "Room for buildings", ECO_FIELD_HEIGHT | ECO_FIELD_USE, 1,
                         ECO_PIXEL_RGB8, eco_draw_build, &eco_legend_build},
    [ECO_LAYER_MAPBOX] = {"mapbox", "Height as data (Mapbox)", ECO_FIELD_HEIGHT, 0, ECO_PIXEL_RGB8,
                          draw_mapbox},
    [ECO_LAYER_HEIGHT16] = {"height16", "Height as data (grey of 16 bits)", ECO_FIELD_HEIGHT, 0,
                            ECO_PIXEL_GREY16, draw_height16},
};

const char *eco_layer_name(enum eco_layer layer)
{
    return layers[layer].name;
}

const char *eco_layer_title(enum eco_layer layer)
{
    return layers[layer].title;
}

const struct eco_legend *eco_layer_legend(enum eco_layer layer)
{
    return layers[layer].legend;
}

bool eco_layer_is_data(enum eco_layer layer)
{
    return layer == ECO_LAYER_TERRARIUM || layer == ECO_LAYER_MAPBOX || layer == ECO_LAYER_HEIGHT16;
}

void eco_layer_formula(enum eco_layer layer, const struct eco_world_config *config, char *text,
                       size_t size)
{
    if (layer == ECO_LAYER_TERRARIUM)
        snprintf(text, size, "height = red * 256 + green + blue / 256 - 32768");
    else if (layer == ECO_LAYER_MAPBOX)
        snprintf(text, size, "height = (red * 65536 + green * 256 + blue) / 10 - 10000");
    else {
        double low, span;

        span_of_height16(config, &low, &span);
        snprintf(text, size, "height = value * %.10g / 65535 %c %.10g", span, low < 0.0 ? '-' : '+',
                 fabs(low));
    }
}

bool eco_layer_is_shaded(enum eco_layer layer)
{
    return layer == ECO_LAYER_RELIEF || layer == ECO_LAYER_TREES;
}

bool eco_layer_available(enum eco_layer layer, const struct eco_world_config *config)
{
    return (layers[layer].mask & ~eco_world_fields(config)) == 0;
}

int eco_layer_find(const char *name, size_t length)
{
    for (int layer = 0; layer < ECO_LAYER_COUNT; layer++) {
        if (strlen(layers[layer].name) == length && memcmp(layers[layer].name, name, length) == 0)
            return layer;
    }
    return ECO_ENOTFOUND;
}

int eco_raster_grid(const struct eco_world *world, enum eco_layer layer,
                    const struct eco_grid *grid, struct eco_sampler *sampler,
                    struct eco_picture *out, struct eco_error *error)
{
    const struct layer_info *info = &layers[layer];
    struct eco_grid sampled = *grid;
    struct eco_planes planes;
    int code = eco_grid_check(grid, error); /* before the halo could wrap around */

    if (code)
        return code;
    sampled.x0 -= info->halo * grid->step;
    sampled.z0 -= info->halo * grid->step;
    sampled.width += 2 * info->halo;
    sampled.height += 2 * info->halo;
    code = eco_world_sample(world, &sampled, info->mask, sampler, &planes, error);
    if (code)
        return code;
    *out =
        (struct eco_picture){.width = grid->width, .height = grid->height, .format = info->format};
    out->pixels = eco_arena_alloc(&sampler->arena, area_of(grid), eco_pixel_bytes(info->format));
    if (!out->pixels)
        return eco_error_set(error, ECO_ENOMEM, "no memory for a picture of %u x %u pixels",
                             grid->width, grid->height);
    info->draw(&(struct eco_drawing){eco_world_config_of(world), grid, &planes, info->halo,
                                     eco_world_blend(world)},
               out);
    return 0;
}
