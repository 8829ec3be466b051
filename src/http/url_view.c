#include "http/url_internal.h"

#include <assert.h>

/* Everything is read before anything is compared with its range: a URL is malformed or not, however
 * far away its tile lies. */
int eco_url_place(const struct eco_slice *segments, struct eco_url *url, struct eco_error *error)
{
    uint64_t zoom = 0, x = 0, y = 0, last;
    int result;

    url->world = segments[1];
    url->layer = segments[2];
    result = eco_url_digits(segments[3], "the zoom", &zoom, error);
    if (!result)
        result = eco_url_digits(segments[4], "x of the tile", &x, error);
    if (!result)
        result = eco_url_digits(segments[5], "y of the tile", &y, error);
    if (result)
        return result;
    result = eco_url_range(zoom, "the zoom", 0, ECO_ZOOM_MAX, error);
    if (result)
        return result;
    assert(zoom <= ECO_ZOOM_MAX);
    last = ((uint64_t)1 << zoom) - 1;
    result = eco_url_range(x, "x of the tile", 0, last, error);
    if (!result)
        result = eco_url_range(y, "y of the tile", 0, last, error);
    if (result)
        return result;
    url->tile.zoom = (unsigned)zoom;
    url->tile.x = (uint32_t)x;
    url->tile.y = (uint32_t)(url->tms ? last - y : y);
    return 0;
}

int eco_url_tile(const struct eco_slice *segments, struct eco_url *url, struct eco_error *error)
{
    struct eco_slice plain[6];
    int result;

    for (unsigned i = 0; i < 6; i++)
        plain[i] = segments[i];
    result = eco_url_ending(&plain[5], "a tile", url, error);
    return result ? result : eco_url_place(plain, url, error);
}

static const char *const place_names[] = {"x", "z"}, *const rect_names[] = {"x0", "z0", "x1", "z1"};

/* "{x},{z},{zoom}" or "{x0},{z0},{x1},{z1}": the numbers, and how many they are. */
static int read_place(struct eco_slice text, int64_t numbers[4], unsigned *count,
                      struct eco_error *error)
{
    struct eco_slice part[4];
    uint64_t zoom = 0;
    int result = 0;

    for (*count = 0; *count < 4 && eco_url_part(&text, ',', &part[*count]);)
        (*count)++;
    if (*count < 3 || text.data)
        return eco_error_set(
            error, ECO_EINVAL,
            "the place is neither of the form x,z,zoom nor x0,z0,x1,z1: blocks, and "
            "a zoom of 0 to %d",
            ECO_ZOOM_MAX);
    if (*count == 3)
        result = eco_url_digits(part[2], "the zoom", &zoom, error);
    for (unsigned i = 0; i < (*count == 3 ? 2 : 4) && !result; i++)
        result = eco_url_coordinate(part[i], *count == 3 ? place_names[i] : rect_names[i],
                                    &numbers[i], error);
    if (*count == 3 && !result)
        result = eco_url_range(zoom, "the zoom", 0, ECO_ZOOM_MAX, error);
    if (*count == 3)
        numbers[2] = (int64_t)zoom;
    return result;
}

/* "{width}x{height}" */
static int read_size(struct eco_slice text, uint64_t *width, uint64_t *height,
                     struct eco_error *error)
{
    struct eco_slice wide = {"", 0};
    int result;

    eco_url_part(&text, 'x', &wide);
    if (!text.data)
        return eco_error_set(error, ECO_EINVAL, "the size is not of the form 640x400");
    result = eco_url_digits(wide, "the width", width, error);
    if (!result)
        result = eco_url_digits(text, "the height", height, error);
    if (!result && (*width > ECO_VIEW_SIDE_MAX || *height > ECO_VIEW_SIDE_MAX))
        result = eco_error_set(error, ECO_EINVAL, "a picture has 1 to %d pixels a side",
                               ECO_VIEW_SIDE_MAX);
    return result;
}

int eco_url_view(const struct eco_slice *segments, struct eco_url *url, struct eco_error *error)
{
    struct eco_slice size = segments[4];
    uint64_t width = 0, height = 0;
    int64_t numbers[4] = {0};
    unsigned count = 0;
    int result;

    url->world = segments[1];
    url->layer = segments[2];
    result = eco_url_ending(&size, "a picture", url, error);
    if (!result)
        result = read_size(size, &width, &height, error);
    if (!result)
        result = read_place(segments[3], numbers, &count, error);
    if (!result && count == 4)
        result = eco_view_of_rect(numbers, url->tile.scale, (uint32_t)width, (uint32_t)height,
                                  &url->view, error);
    else if (!result)
        result = eco_view_around(numbers[0], numbers[1], (unsigned)numbers[2], url->tile.scale,
                                 (uint32_t)width, (uint32_t)height, &url->view, error);
    url->tile.zoom = url->view.zoom;
    return result;
}
