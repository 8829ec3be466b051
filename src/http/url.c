#include "http/url_internal.h"

#include <string.h>
#include <strings.h>

#include "ecotone/blend.h"

#define SEGMENTS_MAX 6

enum key {
    KEY_SEED = 1u << 0,
    KEY_VERSION = 1u << 1,
    KEY_X = 1u << 2,
    KEY_Z = 1u << 3,
    KEY_ZOOM = 1u << 4,
    KEY_SCALE = 1u << 5,
    KEY_X0 = 1u << 6,
    KEY_Z0 = 1u << 7,
    KEY_X1 = 1u << 8,
    KEY_Z1 = 1u << 9,
    KEY_STEP = 1u << 10,
    KEY_UNIT_SLOPE = 1u << 11,
    KEY_UNIT_SIZE = 1u << 12,
    KEY_BUILDING_SLOPE = 1u << 13,
    KEY_BUILDING_SIZE = 1u << 14,
    KEY_BIOME = 1u << 15,
    KEY_WITHIN = 1u << 16,
    KEY_BLEND = 1u << 17,
    KEY_LAYERS = 1u << 18,
    KEY_FORMAT = 1u << 19,
    KEYS_RECT = KEY_X0 | KEY_Z0 | KEY_X1 | KEY_Z1,
    KEYS_SCORE = KEYS_RECT | KEY_STEP | KEY_UNIT_SLOPE | KEY_UNIT_SIZE | KEY_BUILDING_SLOPE |
                 KEY_BUILDING_SIZE,
};

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || eco_url_is_digit(c) || c == '-' ||
           c == '_' || c == '.' || c == '@' || c == ',' || c == '/';
}

static bool is_text(struct eco_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.data, text, slice.length) == 0;
}

static int hex_value(char c)
{
    if (eco_url_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* A + before nothing but digits: whoever writes that means a sign. */
static bool is_signed(struct eco_slice text)
{
    size_t i = 1;

    while (i < text.length && eco_url_is_digit(text.data[i]))
        i++;
    return text.length > 1 && text.data[0] == '+' && i == text.length;
}

/* Decodes as forms are sent: %XX is a byte and + a space, but for a sign. */
static int read_seed(struct eco_slice text, struct eco_url *url, struct eco_error *error)
{
    size_t used = 0;

    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];

        if (c == '%') {
            int high = i + 2 < text.length ? hex_value(text.data[i + 1]) : -1;
            int low = i + 2 < text.length ? hex_value(text.data[i + 2]) : -1;
            if (high < 0 || low < 0)
                return eco_error_set(error, ECO_EINVAL,
                                     "seed has a %% without two hexadecimal digits after it; a "
                                     "percent sign is written %%25");
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && !is_signed(text)) {
            c = ' ';
        }
        if ((unsigned char)c < 0x20 || c == 0x7f)
            return eco_error_set(error, ECO_EINVAL,
                                 "seed has a control character in it; a number "
                                 "or a text of printable characters");
        if (used == ECO_SEED_TEXT_MAX)
            return eco_error_set(error, ECO_EINVAL, "seed is too long; at most %d bytes",
                                 ECO_SEED_TEXT_MAX);
        url->seed[used++] = c;
    }
    if (used == 0)
        return eco_error_set(error, ECO_EINVAL,
                             "seed is empty; a number or a text, or leave it out for the world's "
                             "own");
    url->has_seed = true;
    url->seed_length = used;
    return 0;
}

static int read_version(struct eco_slice text, struct eco_url *url, struct eco_error *error)
{
    for (size_t i = 0; i < text.length; i++) {
        if (hex_value(text.data[i]) < 0)
            return eco_error_set(
                error, ECO_EINVAL,
                "v is not a world hash; hexadecimal digits, as /api/worlds gives them, 32 at most");
    }
    if (text.length == 0 || text.length > 32)
        return eco_error_set(
            error, ECO_EINVAL,
            "v is not a world hash; hexadecimal digits, as /api/worlds gives them, 32 at most");
    url->version = text;
    return 0;
}

static int read_blend(struct eco_slice text, struct eco_url *url, struct eco_error *error)
{
    int method = eco_blend_method_find(text.data, text.length);

    if (method < 0)
        return eco_error_set(error, ECO_EINVAL,
                             "blend is no way of blending; scattered, full, grid_convolve, "
                             "grid_lerp or none");
    url->blend = 1 + (unsigned)method;
    return 0;
}

static int read_format(struct eco_slice text, struct eco_url *url, struct eco_error *error)
{
    int format = eco_format_find(text.data, text.length);

    if (format < 0)
        return eco_error_set(error, ECO_EINVAL, "format is no format of tiles; png or webp");
    url->format = (enum eco_format)format;
    return 0;
}

static unsigned find_key(struct eco_slice name)
{
    static const struct {
        const char *name;
        unsigned key;
    } keys[] = {{"seed", KEY_SEED},
                {"v", KEY_VERSION},
                {"blend", KEY_BLEND},
                {"format", KEY_FORMAT},
                {"x", KEY_X},
                {"z", KEY_Z},
                {"zoom", KEY_ZOOM},
                {"scale", KEY_SCALE},
                {"layers", KEY_LAYERS},
                {"x0", KEY_X0},
                {"z0", KEY_Z0},
                {"x1", KEY_X1},
                {"z1", KEY_Z1},
                {"biome", KEY_BIOME},
                {"within", KEY_WITHIN},
                {"step", KEY_STEP},
                {"unit_slope", KEY_UNIT_SLOPE},
                {"unit_size", KEY_UNIT_SIZE},
                {"building_slope", KEY_BUILDING_SLOPE},
                {"building_size", KEY_BUILDING_SIZE}};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (is_text(name, keys[i].name))
            return keys[i].key;
    }
    return 0;
}

/* Digits, perhaps with a point and more digits; above 0. */
static int read_decimal(struct eco_slice text, const char *name, double *out,
                        struct eco_error *error)
{
    struct eco_slice rest = text, whole = {"", 0}, part = {"", 0};
    double value = 0.0, place = 1.0;

    eco_url_part(&rest, '.', &whole);
    if (rest.data)
        part = rest;
    for (size_t i = 0; i < whole.length && eco_url_is_digit(whole.data[i]); i++)
        value = value * 10.0 + (whole.data[i] - '0');
    for (size_t i = 0; i < part.length && eco_url_is_digit(part.data[i]); i++)
        value += (part.data[i] - '0') * (place *= 0.1);
    for (size_t i = 0; i < text.length; i++) {
        if (!eco_url_is_digit(text.data[i]) && text.data + i != whole.data + whole.length)
            value = 0.0;
    }
    if (whole.length < 1 || text.length > 16 || (rest.data && part.length < 1) || !(value > 0.0))
        return eco_error_set(error, ECO_EINVAL, "%s is not a number above 0, such as 0.125", name);
    *out = value;
    return 0;
}

static int read_count(struct eco_slice text, const char *name, uint64_t high, uint64_t *out,
                      struct eco_error *error)
{
    int result = eco_url_digits(text, name, out, error);

    return result ? result : eco_url_range(*out, name, 1, high, error);
}

static int read_score_value(unsigned key, struct eco_slice value, struct eco_url *url,
                            struct eco_error *error)
{
    uint64_t number = 0;
    int result;

    switch (key) {
    case KEY_X0:
        return eco_url_coordinate(value, "x0", &url->rect[0], error);
    case KEY_Z0:
        return eco_url_coordinate(value, "z0", &url->rect[1], error);
    case KEY_X1:
        return eco_url_coordinate(value, "x1", &url->rect[2], error);
    case KEY_Z1:
        return eco_url_coordinate(value, "z1", &url->rect[3], error);
    case KEY_UNIT_SLOPE:
        return read_decimal(value, "unit_slope", &url->unit_slope, error);
    case KEY_BUILDING_SLOPE:
        return read_decimal(value, "building_slope", &url->building_slope, error);
    case KEY_UNIT_SIZE:
        result = read_count(value, "unit_size", ECO_SCORE_SIZE_MAX, &number, error);
        url->unit_size = (unsigned)number;
        return result;
    case KEY_BUILDING_SIZE:
        result = read_count(value, "building_size", ECO_SCORE_SIZE_MAX, &number, error);
        url->building_size = (unsigned)number;
        return result;
    default:
        result = read_count(value, "step", ECO_WORLD_STEP_MAX, &number, error);
        url->step = (int64_t)number;
        return result;
    }
}

static int read_value(unsigned key, struct eco_slice value, struct eco_url *url,
                      struct eco_error *error)
{
    uint64_t number = 0;
    int result;

    if (key & KEYS_SCORE)
        return read_score_value(key, value, url, error);
    switch (key) {
    case KEY_SEED:
        return read_seed(value, url, error);
    case KEY_VERSION:
        return read_version(value, url, error);
    case KEY_BLEND:
        return read_blend(value, url, error);
    case KEY_LAYERS:
        url->layers = value;
        return value.length > 0
                   ? 0
                   : eco_error_set(error, ECO_EINVAL,
                                   "layers is empty; names of layers with a comma between them");
    case KEY_FORMAT:
        return read_format(value, url, error);
    case KEY_X:
        return eco_url_coordinate(value, "x", &url->x, error);
    case KEY_Z:
        return eco_url_coordinate(value, "z", &url->z, error);
    case KEY_BIOME:
        result = eco_url_digits(value, "biome", &number, error);
        if (!result)
            result = eco_url_range(number, "biome", 0, 65535, error);
        url->biome = (unsigned)number;
        return result;
    case KEY_WITHIN:
        result = eco_url_digits(value, "within", &number, error);
        if (!result)
            result = eco_url_range(number, "within", 0, ECO_LOCATE_WITHIN_MAX, error);
        url->within = (int64_t)number;
        return result;
    case KEY_ZOOM:
        result = eco_url_digits(value, "zoom", &number, error);
        if (!result)
            result = eco_url_range(number, "zoom", 0, ECO_ZOOM_MAX, error);
        url->zoom = (unsigned)number;
        return result;
    default:
        result = eco_url_digits(value, "scale", &number, error);
        if (!result)
            result = eco_url_range(number, "scale", 1, ECO_TILE_SCALE_MAX, error);
        url->scale = (unsigned)number;
        return result;
    }
}

/* `allowed` and `needed` are enum key bits. */
static int read_query(struct eco_slice query, unsigned allowed, unsigned needed,
                      struct eco_url *url, struct eco_error *error)
{
    struct eco_slice pair, name;
    unsigned seen = 0;

    while (eco_url_part(&query, '&', &pair)) {
        unsigned key;
        int result;

        if (!memchr(pair.data, '=', pair.length))
            return eco_error_set(error, ECO_EINVAL, "the query is not of the form key=value&…");
        eco_url_part(&pair, '=', &name);
        key = find_key(name);
        if (!(key & allowed))
            return eco_error_set(
                error, ECO_EINVAL,
                "the query has a key that means nothing here; allowed:%s%s%s%s%s%s%s%s%s%s%s",
                allowed ? "" : " none", allowed & KEY_SEED ? " seed" : "",
                allowed & KEY_VERSION ? " v" : "", allowed & KEY_BLEND ? " blend" : "",
                allowed & KEY_FORMAT ? " format" : "", allowed & KEY_X ? " x z" : "",
                allowed & KEY_ZOOM ? " zoom scale" : "", allowed & KEY_LAYERS ? " layers" : "",
                allowed & KEY_X0 ? " x0 z0 x1 z1" : "",
                allowed & KEY_STEP ? " step unit_slope unit_size building_slope building_size" : "",
                allowed & KEY_BIOME ? " biome within" : "");
        if (key & seen)
            return eco_error_set(error, ECO_EINVAL, "the query has a key twice; once at most");
        seen |= key;
        result = read_value(key, pair, url, error);
        if (result)
            return result;
    }
    if ((seen & needed) != needed && (needed & KEYS_RECT))
        return eco_error_set(error, ECO_EINVAL,
                             "x0, z0, x1 and z1 are needed, in blocks: ?x0=0&z0=0&x1=2048&z1=2048");
    if ((seen & needed) != needed && (needed & KEY_BIOME))
        return eco_error_set(error, ECO_EINVAL,
                             "biome, x and z are needed: an id, and blocks: ?biome=21&x=0&z=0");
    if ((seen & needed) != needed)
        return eco_error_set(error, ECO_EINVAL, "x and z are needed, in blocks: ?x=-100&z=2000");
    return 0;
}

static int route_tiles(const struct eco_slice *segments, size_t count, struct eco_slice query,
                       struct eco_url *url, struct eco_error *error)
{
    int result;

    url->tms = is_text(segments[0], "tms");
    if (count == 6) {
        url->route = ECO_ROUTE_TILE;
        result = read_query(query, KEY_SEED | KEY_BLEND | KEY_VERSION, 0, url, error);
        return result ? result : eco_url_tile(segments, url, error);
    }
    url->route = ECO_ROUTE_TILEJSON;
    if (count == 3) {
        url->world = segments[1];
        url->layer = segments[2];
        if (eco_url_cut(&url->layer, ".json"))
            return read_query(query, KEY_SEED | KEY_BLEND | KEY_FORMAT, 0, url, error);
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
    if (count == 3 && is_text(segments[1], "1.0.0") && is_text(segments[2], "WMTSCapabilities.xml"))
        return read_query(query, 0, 0, url, error);
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
            return read_query(query, 0, 0, url, error);
        url->picture = eco_url_cut(last, ".png");
        url->tile.scale = url->picture && eco_url_cut(last, "@2x") ? 2 : 1;
        if (url->picture)
            return read_query(query, 0, 0, url, error);
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
    result = read_query(query, KEY_SEED | KEY_BLEND | KEY_VERSION, 0, url, error);
    return result ? result : eco_url_view(segments, url, error);
}

/* What is asked of a world by its name alone. */
static int route_ground(const struct eco_slice *segments, struct eco_slice query,
                        struct eco_url *url, struct eco_error *error)
{
    url->world = segments[2];
    if (is_text(segments[3], "area")) {
        url->route = ECO_ROUTE_AREA;
        return read_query(query, KEYS_RECT | KEY_SEED, KEYS_RECT, url, error);
    }
    if (is_text(segments[3], "locate")) {
        url->route = ECO_ROUTE_LOCATE;
        return read_query(query, KEY_BIOME | KEY_X | KEY_Z | KEY_WITHIN | KEY_SEED,
                          KEY_BIOME | KEY_X | KEY_Z, url, error);
    }
    if (is_text(segments[3], "border")) {
        url->route = ECO_ROUTE_BORDER;
        return read_query(query, 0, 0, url, error);
    }
    return eco_error_set(error, ECO_ENOTFOUND,
                         "there is nothing here; of a world one asks point, area, locate, border "
                         "and score");
}

static int route_api(const struct eco_slice *segments, size_t count, struct eco_slice query,
                     struct eco_url *url, struct eco_error *error)
{
    if (count == 2 && is_text(segments[1], "worlds")) {
        url->route = ECO_ROUTE_WORLDS;
        return read_query(query, 0, 0, url, error);
    }
    if (count == 4 && is_text(segments[1], "worlds") && is_text(segments[3], "point")) {
        url->route = ECO_ROUTE_POINT;
        url->world = segments[2];
        return read_query(query,
                          KEY_X | KEY_Z | KEY_SEED | KEY_BLEND | KEY_ZOOM | KEY_SCALE | KEY_LAYERS,
                          KEY_X | KEY_Z, url, error);
    }
    if (count == 4 && is_text(segments[1], "worlds") && is_text(segments[3], "score")) {
        url->route = ECO_ROUTE_SCORE;
        url->world = segments[2];
        return read_query(query, KEYS_SCORE | KEY_SEED, KEYS_RECT, url, error);
    }
    if (count == 4 && is_text(segments[1], "worlds"))
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
        if (segment.length == 0 || is_text(segment, ".") || is_text(segment, ".."))
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

int eco_url_parse(const char *raw, size_t length, struct eco_url *out, struct eco_error *error)
{
    struct eco_slice segments[SEGMENTS_MAX] = {0}, path = {0}, query = {raw, length};
    size_t count;
    int result;

    out->wmts = is_wmts(raw, length);
    out->exception = ECO_OWS_OTHER;
    out->locator = (struct eco_slice){"", 0};
    if (length > ECO_URL_MAX)
        return eco_error_set(error, ECO_ERANGE, "the URL is too long; at most %d bytes",
                             ECO_URL_MAX);
    out->world = out->layer = out->asset = out->version = out->layers = (struct eco_slice){"", 0};
    out->tile = (struct eco_tile){.scale = 1};
    out->view = (struct eco_view){0};
    out->x = out->z = 0;
    memset(out->rect, 0, sizeof(out->rect));
    out->step = 0;
    out->biome = 0;
    out->within = 4096;
    out->unit_slope = out->building_slope = 0.0;
    out->unit_size = out->building_size = 0;
    out->zoom = ECO_ZOOM_MAX;
    out->scale = 1;
    out->has_seed = false;
    out->tms = false;
    out->picture = false;
    out->format = ECO_FORMAT_PNG;
    out->blend = 0;
    out->seed_length = 0;
    eco_url_part(&query, '?', &path);
    result = check_characters(path, query, error);
    if (result)
        return result;
    if (path.length == 0 || path.data[0] != '/')
        return eco_error_set(error, ECO_EINVAL, "the path does not begin with a slash");
    out->route = ECO_ROUTE_ASSET;
    if (path.length == 1) {
        /* The page alone takes any query: links to it gather keys of their own on their way. */
        out->asset = (struct eco_slice){"index.html", strlen("index.html")};
        return 0;
    }
    result = cut_path(path, segments, &count, error);
    if (result)
        return result;
    if (is_text(segments[0], "tiles") || is_text(segments[0], "tms"))
        return route_tiles(segments, count, query, out, error);
    if (is_text(segments[0], "wmts"))
        return route_wmts(segments, count, query, out, error);
    if (is_text(segments[0], "legend"))
        return route_legend(segments, count, query, out, error);
    if (is_text(segments[0], "static"))
        return route_static(segments, count, query, out, error);
    if (is_text(segments[0], "api"))
        return route_api(segments, count, query, out, error);
    if (count == 1 && is_text(segments[0], "healthz"))
        out->route = ECO_ROUTE_HEALTH;
    else if (count == 1 && is_text(segments[0], "readyz"))
        out->route = ECO_ROUTE_READY;
    else if (count == 1 && is_text(segments[0], "metrics"))
        out->route = ECO_ROUTE_METRICS;
    else
        out->asset = (struct eco_slice){path.data + 1, path.length - 1};
    return read_query(query, 0, 0, out, error);
}
