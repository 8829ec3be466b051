/* Any bytes as a URL: no read beyond them, and whatever is let through is bounded. */
#include <stdlib.h>
#include <string.h>

#include "http/ows.h"

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

/* What is told of a refused URL is XML, whatever the URL holds. */
static void check_report(const struct eco_url *url, const struct eco_error *error)
{
    struct eco_buffer report;
    unsigned opened = 0;

    eco_buffer_init(&report);
    eco_ows_report(url->exception, url->locator, error->text, &report);
    for (size_t i = 0; i < report.size; i++) {
        require(report.data[i] == '\n' || report.data[i] >= 0x20);
        opened += report.data[i] == '<';
    }
    require(report.failed || opened == 7);
    eco_buffer_release(&report);
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
        if (url.wmts)
            check_report(&url, &error);
        return 0;
    }
    require(size <= ECO_URL_MAX);
    require(url.seed_length <= ECO_SEED_TEXT_MAX && url.has_seed == (url.seed_length > 0));
    require(memchr(url.seed, '\0', url.seed_length) == NULL);
    require(eco_tile_valid(&url.tile));
    require(url.x >= -ECO_WORLD_HALF && url.x < ECO_WORLD_HALF);
    require(url.z >= -ECO_WORLD_HALF && url.z < ECO_WORLD_HALF);
    require(url.zoom <= ECO_ZOOM_MAX && url.scale >= 1 && url.scale <= ECO_TILE_SCALE_MAX);
    require(url.format < ECO_FORMAT_COUNT);
    require(url.view.width <= ECO_VIEW_SIDE_MAX && url.view.height <= ECO_VIEW_SIDE_MAX);
    if (url.route == ECO_ROUTE_STATIC) {
        require(url.view.zoom == url.tile.zoom && eco_view_valid(&url.view));
    }
    require_within(url.world, raw, size);
    require_within(url.layer, raw, size);
    require_within(url.version, raw, size);
    require_within(url.layers, raw, size);
    if (!(url.asset.length == 10 && memcmp(url.asset.data, "index.html", 10) == 0))
        require_within(url.asset, raw, size);
    return 0;
}
