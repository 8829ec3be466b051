#include "base/checked.h"
#include "base/limits.h"
#include "raster/draw.h"

static int check_size(uint32_t width, uint32_t height, unsigned scale, struct eco_error *error)
{
    if (width >= 1 && height >= 1 && width <= ECO_VIEW_SIDE_MAX && height <= ECO_VIEW_SIDE_MAX &&
        (uint64_t)width * height * scale * scale <= ECO_VIEW_PIXELS_MAX)
        return 0;
    return eco_error_set(error, ECO_EINVAL,
                         "a picture has 1 to %d pixels a side, and with @2x at most %d in all",
                         ECO_VIEW_SIDE_MAX, ECO_VIEW_PIXELS_MAX);
}

static int check_place(const struct eco_view *view, int64_t ground, struct eco_error *error)
{
    if (view->x0 >= -ECO_WORLD_HALF && view->z0 >= -ECO_WORLD_HALF &&
        view->x0 + view->width * ground <= ECO_WORLD_HALF &&
        view->z0 + view->height * ground <= ECO_WORLD_HALF)
        return 0;
    return eco_error_set(error, ECO_ENOTFOUND,
                         "the picture reaches out of the world, which ends at %d blocks; "
                         "choose a smaller one or a closer zoom",
                         ECO_WORLD_HALF);
}

int eco_view_around(int64_t x, int64_t z, unsigned zoom, unsigned scale, uint32_t width,
                    uint32_t height, struct eco_view *out, struct eco_error *error)
{
    const int64_t ground = (int64_t)1 << (ECO_ZOOM_MAX - zoom);
    const int64_t wide = width * ground, high = height * ground;
    int code = check_size(width, height, scale, error);

    if (code)
        return code;
    *out = (struct eco_view){.x0 = eco_floor_div(x - wide / 2, ground) * ground,
                             .z0 = eco_floor_div(z - high / 2, ground) * ground,
                             .width = width,
                             .height = height,
                             .zoom = zoom,
                             .scale = scale};
    return check_place(out, ground, error);
}

/* Where `size` pixels begin that have low .. high - 1 in their middle, or, at the world's edge, as
 * far towards it as there is ground. False: they are too few. */
static bool fit_axis(int64_t low, int64_t high, uint32_t size, int64_t ground, int64_t *start)
{
    int64_t first = eco_floor_div(low, ground), count = eco_floor_div(high - 1, ground) - first + 1;
    int64_t edge = ECO_WORLD_HALF / ground;

    if (count > size)
        return false;
    *start = first - (size - count) / 2;
    if (*start + size > edge)
        *start = edge - size;
    if (*start < -edge)
        *start = -edge;
    *start *= ground;
    return true;
}

int eco_view_of_rect(const int64_t rect[4], unsigned scale, uint32_t width, uint32_t height,
                     struct eco_view *out, struct eco_error *error)
{
    int code = check_size(width, height, scale, error);

    if (code)
        return code;
    if (rect[0] >= rect[2] || rect[1] >= rect[3])
        return eco_error_set(error, ECO_EINVAL,
                             "the rectangle is empty; x1 and z1 must be greater than x0 and z0");
    *out = (struct eco_view){.width = width, .height = height, .scale = scale};
    for (unsigned zoom = ECO_ZOOM_MAX + 1; zoom-- > 0;) {
        const int64_t ground = (int64_t)1 << (ECO_ZOOM_MAX - zoom);

        out->zoom = zoom;
        if (fit_axis(rect[0], rect[2], width, ground, &out->x0) &&
            fit_axis(rect[1], rect[3], height, ground, &out->z0))
            return check_place(out, ground, error);
    }
    return eco_error_set(error, ECO_EINVAL,
                         "the rectangle does not fit in %u by %u pixels at any zoom", width,
                         height);
}

bool eco_view_valid(const struct eco_view *view)
{
    int64_t ground;

    if (view->zoom > ECO_ZOOM_MAX || view->scale < 1 || view->scale > ECO_TILE_SCALE_MAX ||
        check_size(view->width, view->height, view->scale, NULL) != 0)
        return false;
    ground = (int64_t)1 << (ECO_ZOOM_MAX - view->zoom);
    return view->x0 % ground == 0 && view->z0 % ground == 0 && check_place(view, ground, NULL) == 0;
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
