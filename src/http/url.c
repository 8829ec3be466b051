#include "http/url_internal.h"

#include <string.h>
#include <strings.h>

#define SEGMENTS_MAX 6

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || eco_url_is_digit(c) || c == '-' ||
           c == '_' || c == '.' || c == '@' || c == ',' || c == '/';
}

static int route_tiles(const struct eco_slice *segments, size_t count, struct eco_slice query,
                       struct eco_url *url, struct eco_error *error)
{
    int result;

    url->tms = eco_url_is(segments[0], "tms");
    if (count == 6) {
        url->route = ECO_ROUTE_TILE;
        result = eco_url_query(query, ECO_URL_KEY_SEED | ECO_URL_KEY_BLEND | ECO_URL_KEY_VERSION, 0,
                               url, error);
        return result ? result : eco_url_tile(segments, url, error);
    }
    url->route = ECO_ROUTE_TILEJSON;
    if (count == 3) {
        url->world = segments[1];
        url->layer = segments[2];
        if (eco_url_cut(&url->layer, ".json"))
            return eco_url_query(query, ECO_URL_KEY_SEED | ECO_URL_KEY_BLEND | ECO_URL_KEY_FORMAT,
                                 0, url, error);
    }
    return eco_error_set(error, ECO_ENOTFOUND,
                         "there is nothing here; tiles are /tiles/{world}/{layer}/{z}/{x}/{y}.png "
                         "and /tiles/{world}/{layer}.json describes them");
}

static int route_wmts(const struct eco_slice *segments, size_t count, struct eco_slice query,
                      struct eco_url *url, struct eco_error *error)
{
    url->route = ECO_ROUTE_WMTS;
    if (count == 1)
        return eco_url_wmts(query, url, error);
    if (count == 3 && eco_url_is(segments[1], "1.0.0") &&
        eco_url_is(segments[2], "WMTSCapabilities.xml"))
        return eco_url_query(query, 0, 0, url, error);
    return eco_error_set(error, ECO_ENOTFOUND,
                         "there is nothing here; it is /wmts/1.0.0/WMTSCapabilities.xml");
}

static int route_legend(const struct eco_slice *segments, size_t count, struct eco_slice query,
                        struct eco_url *url, struct eco_error *error)
{
    struct eco_slice *last = count == 2 ? &url->world : &url->layer;

    url->route = ECO_ROUTE_LEGEND;
    if (count == 2 || count == 3) {
        url->world = segments[1];
        url->layer = count == 3 ? segments[2] : url->layer;
        if (count == 2 && eco_url_cut(last, ".json"))
            return eco_url_query(query, 0, 0, url, error);
        url->picture = eco_url_cut(last, ".png");
        url->tile.scale = url->picture && eco_url_cut(last, "@2x") ? 2 : 1;
        if (url->picture)
            return eco_url_query(query, 0, 0, url, error);
    }
    return eco_error_set(error, ECO_ENOTFOUND,
                         "there is nothing here; legends are /legend/{world}.json, "
                         "/legend/{world}.png and /legend/{world}/{layer}.png");
}

static int route_static(const struct eco_slice *segments, size_t count, struct eco_slice query,
                        struct eco_url *url, struct eco_error *error)
{
    int result;

    if (count != 5)
        return eco_error_set(error, ECO_ENOTFOUND,
                             "there is nothing here; pictures are "
                             "/static/{world}/{layer}/{x},{z},{zoom}/{width}x{height}.png, "
                             "or with {x0},{z0},{x1},{z1} for a rectangle");
    url->route = ECO_ROUTE_STATIC;
    result = eco_url_query(query, ECO_URL_KEY_SEED | ECO_URL_KEY_BLEND | ECO_URL_KEY_VERSION, 0,
                           url, error);
    return result ? result : eco_url_view(segments, url, error);
}

/* What is asked of a world by its name alone. */
static int route_ground(const struct eco_slice *segments, struct eco_slice query,
                        struct eco_url *url, struct eco_error *error)
{
    url->world = segments[2];
    if (eco_url_is(segments[3], "area")) {
        url->route = ECO_ROUTE_AREA;
        return eco_url_query(query, ECO_URL_KEYS_RECT | ECO_URL_KEY_SEED, ECO_URL_KEYS_RECT, url,
                             error);
    }
    if (eco_url_is(segments[3], "locate")) {
        url->route = ECO_ROUTE_LOCATE;
        return eco_url_query(query,
                             ECO_URL_KEY_BIOME | ECO_URL_KEY_X | ECO_URL_KEY_Z |
                                 ECO_URL_KEY_WITHIN | ECO_URL_KEY_SEED,
                             ECO_URL_KEY_BIOME | ECO_URL_KEY_X | ECO_URL_KEY_Z, url, error);
    }
    if (eco_url_is(segments[3], "border")) {
        url->route = ECO_ROUTE_BORDER;
        return eco_url_query(query, 0, 0, url, error);
    }
    return eco_error_set(error, ECO_ENOTFOUND,
                         "there is nothing here; of a world one asks point, area, locate, border "
                         "and score");
}

static int route_api(const struct eco_slice *segments, size_t count, struct eco_slice query,
                     struct eco_url *url, struct eco_error *error)
{
    if (count == 2 && eco_url_is(segments[1], "worlds")) {
        url->route = ECO_ROUTE_WORLDS;
        return eco_url_query(query, 0, 0, url, error);
    }
    if (count == 4 && eco_url_is(segments[1], "worlds") && eco_url_is(segments[3], "point")) {
        url->route = ECO_ROUTE_POINT;
        url->world = segments[2];
        return eco_url_query(query,
                             ECO_URL_KEY_X | ECO_URL_KEY_Z | ECO_URL_KEY_SEED | ECO_URL_KEY_BLEND |
                                 ECO_URL_KEY_ZOOM | ECO_URL_KEY_SCALE | ECO_URL_KEY_LAYERS,
                             ECO_URL_KEY_X | ECO_URL_KEY_Z, url, error);
    }
    if (count == 4 && eco_url_is(segments[1], "worlds") && eco_url_is(segments[3], "score")) {
        url->route = ECO_ROUTE_SCORE;
        url->world = segments[2];
        return eco_url_query(query, ECO_URL_KEYS_SCORE | ECO_URL_KEY_SEED, ECO_URL_KEYS_RECT, url,
                             error);
    }
    if (count == 4 && eco_url_is(segments[1], "worlds"))
        return route_ground(segments, query, url, error);
    return eco_error_set(error, ECO_ENOTFOUND,
                         "there is nothing here; /api/worlds lists the worlds and "
                         "/api/worlds/{world}/point?x=&z= tells of a block");
}

/* Cuts the path, which begins with a slash, in segments. More than SEGMENTS_MAX are counted only.
 */
static int cut_path(struct eco_slice path, struct eco_slice *segments, size_t *count,
                    struct eco_error *error)
{
    struct eco_slice rest = {path.data + 1, path.length - 1}, segment;

    *count = 0;
    while (eco_url_part(&rest, '/', &segment)) {
        if (segment.length == 0 || eco_url_is(segment, ".") || eco_url_is(segment, ".."))
            return eco_error_set(error, ECO_EINVAL,
                                 "the path has an empty segment, . or .. in it; write it plainly");
        if (*count < SEGMENTS_MAX)
            segments[*count] = segment;
        (*count)++;
    }
    return 0;
}

static int check_characters(struct eco_slice path, struct eco_slice query, struct eco_error *error)
{
    for (size_t i = 0; i < path.length; i++) {
        if (!is_plain(path.data[i]))
            return eco_error_set(
                error, ECO_EINVAL,
                "byte %zu of the path is not plain; letters, digits and - _ . , @ / "
                "only, nothing escaped",
                i + 1);
    }
    for (size_t i = 0; i < query.length; i++) {
        if (query.data[i] <= 0x20 || query.data[i] >= 0x7f)
            return eco_error_set(error, ECO_EINVAL,
                                 "byte %zu of the query is not printable ASCII; escape it as %%XX",
                                 i + 1);
    }
    return 0;
}

const char *eco_url_origin_form(const char *raw)
{
    const char *rest = strncasecmp(raw, "http://", 7) == 0    ? raw + 7
                       : strncasecmp(raw, "https://", 8) == 0 ? raw + 8
                                                              : NULL;

    if (!rest || strcspn(rest, "/?#") == 0)
        return raw;
    rest += strcspn(rest, "/?#");
    return *rest ? rest : "/";
}

static bool is_wmts(const char *raw, size_t length)
{
    const size_t name = strlen("/wmts");

    return length >= name && memcmp(raw, "/wmts", name) == 0 &&
           (length == name || raw[name] == '/' || raw[name] == '?');
}

/* What is not in the URL. */
static void set_defaults(struct eco_url *out)
{
    out->locator = out->world = out->layer = out->asset = out->version = out->layers =
        (struct eco_slice){"", 0};
    out->exception = ECO_OWS_OTHER;
    out->tile = (struct eco_tile){.scale = 1};
    out->format = ECO_FORMAT_PNG;
    out->view = (struct eco_view){0};
    out->x = out->z = 0;
    out->zoom = ECO_ZOOM_MAX;
    out->scale = 1;
    memset(out->rect, 0, sizeof(out->rect));
    out->step = 0;
    out->unit_slope = out->building_slope = 0.0;
    out->unit_size = out->building_size = 0;
    out->biome = 0;
    out->within = 4096;
    out->blend = 0;
    out->tms = out->picture = out->has_seed = false;
    out->seed_length = 0;
}

/* Everything but the page, whose path is a slash. */
static int route(struct eco_slice path, struct eco_slice query, struct eco_url *out,
                 struct eco_error *error)
{
    struct eco_slice segments[SEGMENTS_MAX] = {0};
    size_t count;
    int result = cut_path(path, segments, &count, error);

    if (result)
        return result;
    if (eco_url_is(segments[0], "tiles") || eco_url_is(segments[0], "tms"))
        return route_tiles(segments, count, query, out, error);
    if (eco_url_is(segments[0], "wmts"))
        return route_wmts(segments, count, query, out, error);
    if (eco_url_is(segments[0], "legend"))
        return route_legend(segments, count, query, out, error);
    if (eco_url_is(segments[0], "static"))
        return route_static(segments, count, query, out, error);
    if (eco_url_is(segments[0], "api"))
        return route_api(segments, count, query, out, error);
    if (count == 1 && eco_url_is(segments[0], "healthz"))
        out->route = ECO_ROUTE_HEALTH;
    else if (count == 1 && eco_url_is(segments[0], "readyz"))
        out->route = ECO_ROUTE_READY;
    else if (count == 1 && eco_url_is(segments[0], "metrics"))
        out->route = ECO_ROUTE_METRICS;
    else
        out->asset = (struct eco_slice){path.data + 1, path.length - 1};
    return eco_url_query(query, 0, 0, out, error);
}

int eco_url_parse(const char *raw, size_t length, struct eco_url *out, struct eco_error *error)
{
    struct eco_slice path = {0}, query = {raw, length};
    int result;

    set_defaults(out);
    out->route = ECO_ROUTE_ASSET;
    out->wmts = is_wmts(raw, length);
    if (length > ECO_URL_MAX)
        return eco_error_set(error, ECO_ERANGE, "the URL is too long; at most %d bytes",
                             ECO_URL_MAX);
    eco_url_part(&query, '?', &path);
    result = check_characters(path, query, error);
    if (result)
        return result;
    if (path.length == 0 || path.data[0] != '/')
        return eco_error_set(error, ECO_EINVAL, "the path does not begin with a slash");
    if (path.length > 1)
        return route(path, query, out, error);
    /* The page alone takes any query: links to it gather keys of their own on their way. */
    out->asset = (struct eco_slice){"index.html", strlen("index.html")};
    return 0;
}
