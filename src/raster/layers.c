#include <math.h>
#include <string.h>

#include "raster/raster.h"

struct layer_info {
    const char *name, *title;
    unsigned mask; /* fields to sample */
    uint32_t halo; /* samples around the grid */
    enum eco_pixel_format format;
    /* Fills out->pixels from planes of (width + 2 halo) x (height + 2 halo) samples. */
    void (*draw)(const struct eco_world_config *config, const struct eco_grid *grid,
                 const struct eco_planes *planes, struct eco_picture *out);
};

static void put_rgb(uint8_t *pixel, uint32_t colour)
{
    pixel[0] = (uint8_t)(colour >> 16);
    pixel[1] = (uint8_t)(colour >> 8);
    pixel[2] = (uint8_t)colour;
}

static size_t area_of(const struct eco_grid *grid)
{
    return (size_t)grid->width * grid->height;
}

static void draw_biome(const struct eco_world_config *config, const struct eco_grid *grid,
                       const struct eco_planes *planes, struct eco_picture *out)
{
    memcpy(out->pixels, planes->biome, area_of(grid));
    out->palette_size = config->biomes_count;
    for (unsigned b = 0; b < config->biomes_count; b++)
        out->palette[b] = config->biomes[b].biome.colour;
}

static void draw_blend(const struct eco_world_config *config, const struct eco_grid *grid,
                       const struct eco_planes *planes, struct eco_picture *out)
{
    (void)config;
    for (size_t k = 0; k < area_of(grid); k++)
        put_rgb(out->pixels + 3 * k, planes->colour[k]);
}

static void draw_height(const struct eco_world_config *config, const struct eco_grid *grid,
                        const struct eco_planes *planes, struct eco_picture *out)
{
    float low = (float)config->height_low;
    float scale = 255.0f / (float)(config->height_high - config->height_low);

    for (size_t k = 0; k < area_of(grid); k++) {
        float grey = (planes->height[k] - low) * scale + 0.5f;

        grey = grey > 0.0f ? grey : 0.0f;
        out->pixels[k] = (uint8_t)(grey < 255.0f ? grey : 255.0f);
    }
}

static void draw_terrarium(const struct eco_world_config *config, const struct eco_grid *grid,
                           const struct eco_planes *planes, struct eco_picture *out)
{
    (void)config;
    for (size_t k = 0; k < area_of(grid); k++) {
        float value = floorf(planes->height[k] * 256.0f + 0.5f);

        /* Heights are bounded by the configuration far inside the 24 bits. */
        put_rgb(out->pixels + 3 * k, (uint32_t)((int32_t)value + (32768 << 8)));
    }
}

static float clamp(float value, float low, float high)
{
    value = value > low ? value : low;
    return value < high ? value : high;
}

/*
 * Light of a slope, 1 on flat ground: the cosine to a light in the north-west at 45 degrees, over
 * that of flat ground. `ex` is the exaggeration over the distance of the differences.
 */
static float light_of(const float *height, size_t row_stride, float ex)
{
    float east = (height[1] - height[-1]) * ex;
    float south = (height[row_stride] - height[-(ptrdiff_t)row_stride]) * ex;

    return (1.0f + 0.70710678f * (east + south)) / sqrtf(1.0f + east * east + south * south);
}

struct shade {
    float sea_level, exaggeration;
};

/* Sea: the ground's colour gives way to water, light to dark with depth. Land: colour by light. */
static uint32_t shade_pixel(const struct shade *shade, uint32_t colour, float height, float light)
{
    static const float shallow[3] = {86.0f, 156.0f, 196.0f}, deep[3] = {16.0f, 44.0f, 92.0f};
    float depth = shade->sea_level - height;
    uint32_t result = 0;

    for (unsigned channel = 0; channel < 3; channel++) {
        float value = (float)(colour >> (16 - 8 * channel) & 255);

        if (depth > 0.0f) {
            float dark = depth / (depth + 14.0f), clear = 0.45f * 2.0f / (depth + 2.0f);
            float water = shallow[channel] + (deep[channel] - shallow[channel]) * dark;

            value = (water + (value - water) * clear) * (0.75f + 0.25f * clamp(light, 0.4f, 1.6f));
        } else {
            value *= clamp(0.25f + 0.75f * light, 0.45f, 1.3f);
        }
        result = result << 8 | (uint32_t)(int32_t)clamp(value + 0.5f, 0.0f, 255.0f);
    }
    return result;
}

static void draw_relief(const struct eco_world_config *config, const struct eco_grid *grid,
                        const struct eco_planes *planes, struct eco_picture *out)
{
    size_t stride = (size_t)grid->width + 2;
    struct shade shade = {
        .sea_level = (float)config->sea_level,
        /* Slopes flatten out with coarser samples; the root of the step keeps mountains readable.
         */
        .exaggeration = 0.4f * sqrtf((float)grid->step) / (float)grid->step,
    };

    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++) {
            size_t from = (y + 1) * stride + x + 1;
            const float *height = planes->height + from;

            put_rgb(out->pixels + 3 * ((size_t)y * grid->width + x),
                    shade_pixel(&shade, planes->colour[from], *height,
                                light_of(height, stride, shade.exaggeration)));
        }
    }
}

static const struct layer_info layers[ECO_LAYER_COUNT] = {
    [ECO_LAYER_BIOME] = {"biome", "Biomes", ECO_FIELD_BIOME, 0, ECO_PIXEL_PALETTE8, draw_biome},
    [ECO_LAYER_BLEND] = {"blend", "Blended biomes", ECO_FIELD_COLOUR, 0, ECO_PIXEL_RGB8,
                         draw_blend},
    [ECO_LAYER_HEIGHT] = {"height", "Height in grey", ECO_FIELD_HEIGHT, 0, ECO_PIXEL_GREY8,
                          draw_height},
    [ECO_LAYER_RELIEF] = {"relief", "Relief", ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR, 1,
                          ECO_PIXEL_RGB8, draw_relief},
    [ECO_LAYER_TERRARIUM] = {"terrarium", "Height as data (Terrarium)", ECO_FIELD_HEIGHT, 0,
                             ECO_PIXEL_RGB8, draw_terrarium},
};

const char *eco_layer_name(enum eco_layer layer)
{
    return layers[layer].name;
}

const char *eco_layer_title(enum eco_layer layer)
{
    return layers[layer].title;
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
    out->pixels =
        eco_arena_alloc(&sampler->arena, area_of(grid), info->format == ECO_PIXEL_RGB8 ? 3 : 1);
    if (!out->pixels)
        return eco_error_set(error, ECO_ENOMEM, "no memory for a picture of %u x %u pixels",
                             grid->width, grid->height);
    info->draw(eco_world_config_of(world), grid, &planes, out);
    return 0;
}
