#include "base/checked.h"
#include "base/limits.h"
#include "raster/draw.h"

int eco_view_around(int64_t x, int64_t z, unsigned zoom, unsigned scale, uint32_t width,
                    uint32_t height, struct eco_view *out, struct eco_error *error)
{
    const int64_t ground = (int64_t)1 << (ECO_ZOOM_MAX - zoom);
    int64_t wide, high;

    if (width < 1 || height < 1 || width > ECO_VIEW_SIDE_MAX || height > ECO_VIEW_SIDE_MAX ||
        (uint64_t)width * height * scale * scale > ECO_VIEW_PIXELS_MAX)
        return eco_error_set(error, ECO_EINVAL,
                             "a picture has 1 to %d pixels a side, and with @2x at most %d in all",
                             ECO_VIEW_SIDE_MAX, ECO_VIEW_PIXELS_MAX);
    wide = width * ground;
    high = height * ground;
    *out = (struct eco_view){.x0 = eco_floor_div(x - wide / 2, ground) * ground,
                             .z0 = eco_floor_div(z - high / 2, ground) * ground,
                             .width = width,
                             .height = height,
                             .zoom = zoom,
                             .scale = scale};
    if (out->x0 < -ECO_WORLD_HALF || out->z0 < -ECO_WORLD_HALF || out->x0 + wide > ECO_WORLD_HALF ||
        out->z0 + high > ECO_WORLD_HALF)
        return eco_error_set(error, ECO_ENOTFOUND,
                             "the picture reaches out of the world, which ends at %d blocks; "
                             "choose a smaller one or a closer zoom",
                             ECO_WORLD_HALF);
    return 0;
}

int eco_raster_view(const struct eco_world *world, enum eco_layer layer,
                    const struct eco_view *view, struct eco_sampler *sampler,
                    struct eco_picture *out, struct eco_error *error)
{
    const int64_t ground = (int64_t)1 << (ECO_ZOOM_MAX - view->zoom);
    const int64_t step = eco_tile_step(view->zoom, view->scale);
    const struct eco_grid grid = {.x0 = view->x0 + step / 2,
                                  .z0 = view->z0 + step / 2,
                                  .step = step,
                                  .width = (uint32_t)(view->width * ground / step),
                                  .height = (uint32_t)(view->height * ground / step)};
    int code = eco_raster_grid(world, layer, &grid, sampler, out, error);

    if (!code && grid.width < view->width * view->scale && eco_picture_double(out, &sampler->arena))
        code = eco_error_set(error, ECO_ENOMEM, "no memory for a picture of %u by %u pixels",
                             view->width * view->scale, view->height * view->scale);
    return code;
}
