/* Any bytes as a URL: no read beyond them, and whatever is let through is bounded. */
#include <stdlib.h>
#include <string.h>

#include "http/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool true_always)
{
    if (!true_always)
        abort();
}

static void require_within(struct eco_slice slice, const char *raw, size_t size)
{
    if (slice.length > 0)
        require(slice.data >= raw && slice.data + slice.length <= raw + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *raw = (const char *)data;
    struct eco_error error = {0};
    struct eco_url url;
    int result = eco_url_parse(raw, size, &url, &error);

    if (result) {
        require(result == ECO_EINVAL || result == ECO_ENOTFOUND || result == ECO_ERANGE);
        require((int)error.code == result && error.text[0] != '\0');
        require(memchr(error.text, '\0', sizeof(error.text)) != NULL);
        return 0;
    }
    require(size <= ECO_URL_MAX);
    require(url.seed_length <= ECO_SEED_TEXT_MAX && url.has_seed == (url.seed_length > 0));
    require(memchr(url.seed, '\0', url.seed_length) == NULL);
    require(eco_tile_valid(&url.tile));
    require(url.x >= -ECO_WORLD_HALF && url.x < ECO_WORLD_HALF);
    require(url.z >= -ECO_WORLD_HALF && url.z < ECO_WORLD_HALF);
    require(url.zoom <= ECO_ZOOM_MAX && url.scale >= 1 && url.scale <= ECO_TILE_SCALE_MAX);
    require(url.view.width <= ECO_VIEW_SIDE_MAX && url.view.height <= ECO_VIEW_SIDE_MAX);
    if (url.route == ECO_ROUTE_STATIC) {
        int64_t ground = (int64_t)1 << (ECO_ZOOM_MAX - url.view.zoom);

        require(url.view.zoom == url.tile.zoom && url.view.width > 0 && url.view.height > 0);
        require(url.view.x0 >= -ECO_WORLD_HALF && url.view.z0 >= -ECO_WORLD_HALF);
        require(url.view.x0 + url.view.width * ground <= ECO_WORLD_HALF);
        require(url.view.z0 + url.view.height * ground <= ECO_WORLD_HALF);
    }
    require_within(url.world, raw, size);
    require_within(url.layer, raw, size);
    require_within(url.version, raw, size);
    require_within(url.layers, raw, size);
    if (!(url.asset.length == 10 && memcmp(url.asset.data, "index.html", 10) == 0))
        require_within(url.asset, raw, size);
    return 0;
}
