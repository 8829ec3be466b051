#include "raster/draw.h"

#include <string.h>

#include "base/limits.h"

bool eco_tile_valid(const struct eco_tile *tile)
{
    return tile->zoom <= ECO_ZOOM_MAX && tile->x >> tile->zoom == 0 && tile->y >> tile->zoom == 0 &&
           tile->scale >= 1 && tile->scale <= ECO_TILE_SCALE_MAX;
}

void eco_tile_ground(const struct eco_tile *tile, int64_t *x0, int64_t *z0, int64_t *side)
{
    *side = (int64_t)ECO_TILE_SIZE << (ECO_ZOOM_MAX - tile->zoom);
    *x0 = (int64_t)tile->x * *side - ECO_WORLD_HALF;
    *z0 = (int64_t)tile->y * *side - ECO_WORLD_HALF;
}

int64_t eco_tile_step(unsigned zoom, unsigned scale)
{
    int64_t step = ((int64_t)1 << (ECO_ZOOM_MAX - zoom)) / scale;

    return step > 1 ? step : 1;
}

uint32_t eco_picture_colour(const struct eco_picture *picture, uint32_t x, uint32_t y)
{
    size_t at = (size_t)y * picture->width + x;
    const uint8_t *pixel = picture->pixels;

    switch (picture->format) {
    case ECO_PIXEL_PALETTE8:
        return picture->palette[pixel[at]];
    case ECO_PIXEL_GREY8:
        return pixel[at] * 0x010101u;
    case ECO_PIXEL_GREY16: /* to the nearest of a screen's 8 bits */
        return (((uint32_t)pixel[2 * at] << 8 | pixel[2 * at + 1]) * 255 + 32767) / 65535 *
               0x010101u;
    default:
        pixel += 3 * at;
        return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
    }
}

int eco_picture_double(struct eco_picture *picture, struct eco_arena *arena)
{
    size_t bytes = eco_pixel_bytes(picture->format);
    size_t row_bytes = picture->width * 2 * bytes;
    uint8_t *pixels = eco_arena_alloc(arena, row_bytes, (size_t)picture->height * 2);

    if (!pixels)
        return ECO_ENOMEM;
    for (uint32_t y = 0; y < picture->height; y++) {
        const uint8_t *from = picture->pixels + (size_t)y * picture->width * bytes;
        uint8_t *to = pixels + (size_t)y * 2 * row_bytes;

        for (uint32_t x = 0; x < picture->width; x++) {
            memcpy(to + 2 * x * bytes, from + x * bytes, bytes);
            memcpy(to + (2 * x + 1) * bytes, from + x * bytes, bytes);
        }
        memcpy(to + row_bytes, to, row_bytes);
    }
    picture->pixels = pixels;
    picture->width *= 2;
    picture->height *= 2;
    return 0;
}

int eco_raster_tile(const struct eco_world *world, enum eco_layer layer,
                    const struct eco_tile *tile, struct eco_sampler *sampler,
                    struct eco_picture *out, struct eco_error *error)
{
    struct eco_grid grid;
    int64_t side;
    int code;

    if (!eco_tile_valid(tile))
        return eco_error_set(error, ECO_EINVAL, "there is no tile %u/%u/%u at scale %u", tile->zoom,
                             tile->x, tile->y, tile->scale);
    eco_tile_ground(tile, &grid.x0, &grid.z0, &side);
    grid.step = eco_tile_step(tile->zoom, tile->scale);
    grid.width = grid.height = (uint32_t)(side / grid.step);
    /* A pixel shows the block that holds its centre. */
    grid.x0 += grid.step / 2;
    grid.z0 += grid.step / 2;
    code = eco_raster_grid(world, layer, &grid, sampler, out, error);
    if (!code && grid.width < ECO_TILE_SIZE * tile->scale &&
        eco_picture_double(out, &sampler->arena))
        code = eco_error_set(error, ECO_ENOMEM, "no memory for a tile of %u pixels a side",
                             ECO_TILE_SIZE * tile->scale);
    return code;
}
