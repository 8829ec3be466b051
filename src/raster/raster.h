/*
 * From fields to pixels: which blocks a tile shows, and what a layer makes of them.
 * Thread rule: pure functions; the sampler belongs to the caller.
 */
#ifndef ECO_RASTER_RASTER_H
#define ECO_RASTER_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "world/generator.h"

/* Part of the cache key: raise it when any layer's pixels change for equal fields. */
#define ECO_RENDER_REVISION 1

/* The numbers stand in cache keys: new layers go to the end, or the render revision rises. */
enum eco_layer {
    ECO_LAYER_BIOME,         /* true biome, palette */
    ECO_LAYER_BLEND,         /* biome colours mixed by weight, RGB */
    ECO_LAYER_HEIGHT,        /* grey, the world's constant range */
    ECO_LAYER_RELIEF,        /* blend colours, sea by depth, hill shading, RGB */
    ECO_LAYER_TERRARIUM,     /* height + 32768 as R * 256 + G + B / 256, RGB */
    ECO_LAYER_TREES,         /* relief with trees, RGB */
    ECO_LAYER_RIVERS,        /* rivers and their valleys, RGB */
    ECO_LAYER_TEMPERATURE,   /* of the cell, a ramp, RGB */
    ECO_LAYER_PRECIPITATION, /* of the cell, a ramp, RGB */
    ECO_LAYER_CELLS,         /* a colour a cell, RGB */
    ECO_LAYER_BORDER,        /* where more than one biome weighs, a ramp, RGB */
    ECO_LAYER_BLEND_ERROR,   /* difference of the weights to those of full blending, a ramp, RGB */
    ECO_LAYER_POINTS,        /* where the biome source is asked for blending, RGB */
    ECO_LAYER_SLOPE,         /* of the ground, a ramp, RGB */
    ECO_LAYER_ACCESS,        /* where a unit can stand, RGB */
    ECO_LAYER_BUILD,         /* where a building can stand, RGB */
    ECO_LAYER_MAPBOX,        /* height * 10 + 100000 as 24 bits, RGB */
    ECO_LAYER_HEIGHT16,      /* 16 bits of grey over three times the world's range, as data */
    ECO_LAYER_COUNT,
};

#define ECO_LEGEND_STOPS_MAX 8

struct eco_legend_stop {
    const char *label; /* NULL: the value with the unit */
    float value;
    uint32_t colour; /* 0xRRGGBB */
};

/* What a layer's colours mean: marks of a ramp by rising value, or labels. */
struct eco_legend {
    const char *unit;
    unsigned count;
    struct eco_legend_stop stops[ECO_LEGEND_STOPS_MAX];
};

/* The layer's name in URLs; eco_layer_find returns a negative code for an unknown one. */
const char *eco_layer_name(enum eco_layer layer);
int eco_layer_find(const char *name, size_t length);
/* True where pixels are numbers for programs: colours that mean nothing to people. */
bool eco_layer_is_data(enum eco_layer layer);
/* How a pixel of a layer of data becomes a height in blocks, as one line of text. */
void eco_layer_formula(enum eco_layer layer, const struct eco_world_config *config, char *text,
                       size_t size);
/* True for shaded ground, whose colours nobody reads as values: it may be compressed with loss. */
bool eco_layer_is_shaded(enum eco_layer layer);
/* One sentence for people. */
const char *eco_layer_title(enum eco_layer layer);
/* NULL for layers of biomes, and of heights in the world's range. */
const struct eco_legend *eco_layer_legend(enum eco_layer layer);
/* Whether the world's generator knows all fields of the layer. */
bool eco_layer_available(enum eco_layer layer, const struct eco_world_config *config);

enum eco_pixel_format {
    ECO_PIXEL_PALETTE8, /* one byte a pixel, an index into `palette` */
    ECO_PIXEL_GREY8,
    ECO_PIXEL_RGB8,
    ECO_PIXEL_GREY16, /* two bytes a pixel, the high one first */
};

static inline size_t eco_pixel_bytes(enum eco_pixel_format format)
{
    return format == ECO_PIXEL_RGB8 ? 3 : format == ECO_PIXEL_GREY16 ? 2 : 1;
}

/* `height` rows of `width` pixels without gaps, in the sampler's memory until it is reset. */
struct eco_picture {
    uint32_t width, height;
    enum eco_pixel_format format;
    uint8_t *pixels;
    uint32_t palette[256]; /* 0xRRGGBB */
    unsigned palette_size;
};

/* A tile's place. `scale` is 1 or 2 (`@2x`: twice the pixels of the same ground). */
struct eco_tile {
    unsigned zoom;
    uint32_t x, y;
    unsigned scale;
};

/* The block of the tile's north-west corner and the blocks a side. The tile must lie in the world.
 */
void eco_tile_ground(const struct eco_tile *tile, int64_t *x0, int64_t *z0, int64_t *side);

/* True for zoom <= 18, x and y below 2^zoom, scale 1 or 2. */
bool eco_tile_valid(const struct eco_tile *tile);

/* Draws the samples of a grid, one pixel each. */
int eco_raster_grid(const struct eco_world *world, enum eco_layer layer,
                    const struct eco_grid *grid, struct eco_sampler *sampler,
                    struct eco_picture *out, struct eco_error *error);

/* The colour, 0xRRGGBB, that a pixel of a picture shows; grey has equal channels. */
uint32_t eco_picture_colour(const struct eco_picture *picture, uint32_t x, uint32_t y);

/* Draws a tile: 256 * scale pixels a side. */
int eco_raster_tile(const struct eco_world *world, enum eco_layer layer,
                    const struct eco_tile *tile, struct eco_sampler *sampler,
                    struct eco_picture *out, struct eco_error *error);

/* A picture of any ground, on the pixels of the tiles of its zoom. */
struct eco_view {
    int64_t x0, z0; /* of the north-west corner, a multiple of the blocks of a pixel at scale 1 */
    uint32_t width, height; /* pixels at scale 1 */
    unsigned zoom, scale;
};

/* The view whose middle is nearest to (x, z). ECO_EINVAL: the size is 0, or above
 * ECO_VIEW_SIDE_MAX or ECO_VIEW_PIXELS_MAX; ECO_ENOTFOUND: it reaches out of the world. */
int eco_view_around(int64_t x, int64_t z, unsigned zoom, unsigned scale, uint32_t width,
                    uint32_t height, struct eco_view *out, struct eco_error *error);

/*
 * The view at the closest zoom at which the blocks from (rect[0], rect[1]) up to, not including,
 * (rect[2], rect[3]) fit in the picture whole; they are in its middle with more ground around, for
 * a pixel is as wide as high. At the world's edge the picture ends there. The rectangle lies in the
 * world square. Errors: as above, and ECO_EINVAL for an empty rectangle, or one that fits at no
 * zoom.
 */
int eco_view_of_rect(const int64_t rect[4], unsigned scale, uint32_t width, uint32_t height,
                     struct eco_view *out, struct eco_error *error);

/* Whether one of the two functions above can have made the view. */
bool eco_view_valid(const struct eco_view *view);

/* Draws a view: width * scale by height * scale pixels, those that the tiles have there. */
int eco_raster_view(const struct eco_world *world, enum eco_layer layer,
                    const struct eco_view *view, struct eco_sampler *sampler,
                    struct eco_picture *out, struct eco_error *error);

/* The step at which a tile of this zoom and scale is sampled, so that a read-out can ask the same.
 */
int64_t eco_tile_step(unsigned zoom, unsigned scale);

#endif
