#include <math.h>

#include "raster/draw.h"

static float clamp(float value, float low, float high)
{
    value = value > low ? value : low;
    return value < high ? value : high;
}

uint32_t eco_colour_mix(uint32_t a, uint32_t b, float share)
{
    uint32_t result = 0;

    for (unsigned shift = 16; shift <= 16; shift -= 8) {
        float from = (float)(a >> shift & 255), to = (float)(b >> shift & 255);

        result = result << 8 | (uint32_t)(int32_t)(from + (to - from) * share + 0.5f);
    }
    return result;
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

/* Sea: the ground's colour gives way to water, light to dark with depth. Land: colour by light. */
static uint32_t shade_pixel(float sea_level, uint32_t colour, float height, float light)
{
    static const float shallow[3] = {86.0f, 156.0f, 196.0f}, deep[3] = {16.0f, 44.0f, 92.0f};
    float depth = sea_level - height;
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

/* Slopes flatten out with coarser samples; the root of the step keeps mountains readable. */
static float exaggeration_of(const struct eco_grid *grid)
{
    return 0.4f * sqrtf((float)grid->step) / (float)grid->step;
}

/* The colour of one sample, the `at`th of the planes, in that light. */
typedef uint32_t colour_fn(const struct eco_drawing *drawing, size_t at, float light);

/* Inlined for each colour: a call a pixel would cost more than the light. */
static inline __attribute__((always_inline)) void draw_lit(const struct eco_drawing *drawing,
                                                           struct eco_picture *out,
                                                           colour_fn *colour_of)
{
    const struct eco_grid *grid = drawing->grid;
    size_t stride = eco_drawing_stride(drawing);
    float exaggeration = exaggeration_of(grid);

    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++) {
            size_t at = eco_drawing_at(drawing, x, y);
            float light = light_of(drawing->planes->height + at, stride, exaggeration);

            eco_put_rgb(out->pixels + 3 * ((size_t)y * grid->width + x),
                        colour_of(drawing, at, light));
        }
    }
}

static uint32_t relief_colour(const struct eco_drawing *drawing, size_t at, float light)
{
    return shade_pixel((float)drawing->config->sea_level, drawing->planes->colour[at],
                       drawing->planes->height[at], light);
}

void eco_draw_relief(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_lit(drawing, out, relief_colour);
}

/* --- trees ---------------------------------------------------------------------------------- */

#define CROWN 0x24421F   /* what crowns are mixed with */
#define CROWN_SHARE 0.6f /* how much of it */
#define CROWN_AREA 7.0f  /* blocks, for the tint of distant woods */
#define TINT_MAX 0.45f
#define SHADOW 0.6f /* of the light, in the shadow of a crown */

static uint32_t pixel_of(const uint8_t *pixel)
{
    return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

/* Whether a crown covers the sample: a tree of a block's step reaches to the four next to it. */
static bool crown_at(const float *trees, size_t stride, int64_t step)
{
    if (*trees > 0.0f)
        return true;
    return step == 1 && (trees[1] > 0.0f || trees[-1] > 0.0f || trees[stride] > 0.0f ||
                         trees[-(ptrdiff_t)stride] > 0.0f);
}

static uint32_t with_trees(const struct eco_drawing *drawing, size_t at, uint32_t colour)
{
    size_t stride = eco_drawing_stride(drawing);
    const float *trees = drawing->planes->trees + at;
    int64_t step = drawing->grid->step;

    if (step > 4) {
        float share = CROWN_AREA * *trees / ((float)step * (float)step);

        return eco_colour_mix(colour, CROWN, clamp(share, 0.0f, TINT_MAX));
    }
    if (crown_at(trees, stride, step))
        return eco_colour_mix(colour, CROWN, CROWN_SHARE);
    if (drawing->planes->height[at] >= (float)drawing->config->sea_level &&
        crown_at(trees - stride - 1, stride, step))
        return eco_colour_mix(0, colour, SHADOW);
    return colour;
}

void eco_draw_trees(const struct eco_drawing *drawing, struct eco_picture *out)
{
    const struct eco_grid *grid = drawing->grid;

    eco_draw_relief(drawing, out);
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++) {
            uint8_t *pixel = out->pixels + 3 * ((size_t)y * grid->width + x);

            eco_put_rgb(pixel, with_trees(drawing, eco_drawing_at(drawing, x, y), pixel_of(pixel)));
        }
    }
}

/* --- rivers --------------------------------------------------------------------------------- */

#define RIVER_WATER 0x2F7FC4
#define RIVER_VALLEY 0xBFDDE8
#define RIVER_LAND 0xF2EFE6
#define RIVER_SEA 0xA9CBE2

static uint32_t river_colour(const struct eco_drawing *drawing, size_t at, float light)
{
    float river = drawing->planes->river[at];
    uint32_t colour = eco_colour_mix(RIVER_LAND, RIVER_VALLEY, river);

    if (drawing->planes->height[at] < (float)drawing->config->sea_level)
        return river > 0.0f ? eco_colour_mix(RIVER_SEA, RIVER_WATER, river) : RIVER_SEA;
    return eco_colour_mix(0, colour, 0.75f + 0.25f * clamp(light, 0.0f, 1.0f));
}

void eco_draw_rivers(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_lit(drawing, out, river_colour);
}

/* --- use ------------------------------------------------------------------------------------ */

#define USE_UNIT 0xA9CF8C
#define USE_BUILDING 0x5FA56B
#define USE_STEEP 0xA3715A
#define USE_UNEVEN 0xE9E2CF
#define USE_SEA 0x2F6FA8
#define SEA_SHARE 0.45f

static inline __attribute__((always_inline)) uint32_t use_colour(const struct eco_drawing *drawing,
                                                                 size_t at, float light,
                                                                 uint32_t colour)
{
    if (drawing->planes->height[at] < (float)drawing->config->sea_level)
        colour = eco_colour_mix(colour, USE_SEA, SEA_SHARE);
    return eco_colour_mix(0, colour, 0.6f + 0.4f * clamp(light, 0.0f, 1.0f));
}

static uint32_t access_colour(const struct eco_drawing *drawing, size_t at, float light)
{
    bool access = drawing->planes->use[at] & ECO_USE_ACCESS;

    return use_colour(drawing, at, light, access ? USE_UNIT : USE_STEEP);
}

static uint32_t build_colour(const struct eco_drawing *drawing, size_t at, float light)
{
    bool room = drawing->planes->use[at] & ECO_USE_BUILD;

    return use_colour(drawing, at, light, room ? USE_BUILDING : USE_UNEVEN);
}

void eco_draw_access(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_lit(drawing, out, access_colour);
}

void eco_draw_build(const struct eco_drawing *drawing, struct eco_picture *out)
{
    draw_lit(drawing, out, build_colour);
}

const struct eco_legend eco_legend_access = {
    .unit = "",
    .count = 3,
    .stops = {{"flat enough for units; whether they get there, only the score of a window tells",
               0.0f, USE_UNIT},
              {"too steep", 0.0f, USE_STEEP},
              {"under water: bluish", 0.0f, USE_SEA}},
};

const struct eco_legend eco_legend_build = {
    .unit = "",
    .count = 3,
    .stops = {{"room for a building; whether units get there, only the score of a window tells",
               0.0f, USE_BUILDING},
              {"no room", 0.0f, USE_UNEVEN},
              {"under water: bluish", 0.0f, USE_SEA}},
};

const struct eco_legend eco_legend_rivers = {
    .unit = "",
    .count = 4,
    .stops = {{"river", 0.0f, RIVER_WATER},
              {"valley", 0.0f, RIVER_VALLEY},
              {"land", 0.0f, RIVER_LAND},
              {"sea", 0.0f, RIVER_SEA}},
};

const struct eco_legend eco_legend_trees = {
    .unit = "", .count = 1, .stops = {{"tree", 0.0f, CROWN}}};
