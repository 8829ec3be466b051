/* The query: keys that mean something to the route, each once. */
#include "http/url_internal.h"

#include <string.h>

#include "ecotone/blend.h"

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
    } keys[] = {{"seed", ECO_URL_KEY_SEED},
                {"v", ECO_URL_KEY_VERSION},
                {"blend", ECO_URL_KEY_BLEND},
                {"format", ECO_URL_KEY_FORMAT},
                {"x", ECO_URL_KEY_X},
                {"z", ECO_URL_KEY_Z},
                {"zoom", ECO_URL_KEY_ZOOM},
                {"scale", ECO_URL_KEY_SCALE},
                {"layers", ECO_URL_KEY_LAYERS},
                {"x0", ECO_URL_KEY_X0},
                {"z0", ECO_URL_KEY_Z0},
                {"x1", ECO_URL_KEY_X1},
                {"z1", ECO_URL_KEY_Z1},
                {"biome", ECO_URL_KEY_BIOME},
                {"within", ECO_URL_KEY_WITHIN},
                {"step", ECO_URL_KEY_STEP},
                {"unit_slope", ECO_URL_KEY_UNIT_SLOPE},
                {"unit_size", ECO_URL_KEY_UNIT_SIZE},
                {"building_slope", ECO_URL_KEY_BUILDING_SLOPE},
                {"building_size", ECO_URL_KEY_BUILDING_SIZE}};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (eco_url_is(name, keys[i].name))
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
    case ECO_URL_KEY_X0:
        return eco_url_coordinate(value, "x0", &url->rect[0], error);
    case ECO_URL_KEY_Z0:
        return eco_url_coordinate(value, "z0", &url->rect[1], error);
    case ECO_URL_KEY_X1:
        return eco_url_coordinate(value, "x1", &url->rect[2], error);
    case ECO_URL_KEY_Z1:
        return eco_url_coordinate(value, "z1", &url->rect[3], error);
    case ECO_URL_KEY_UNIT_SLOPE:
        return read_decimal(value, "unit_slope", &url->unit_slope, error);
    case ECO_URL_KEY_BUILDING_SLOPE:
        return read_decimal(value, "building_slope", &url->building_slope, error);
    case ECO_URL_KEY_UNIT_SIZE:
        result = read_count(value, "unit_size", ECO_SCORE_SIZE_MAX, &number, error);
        url->unit_size = (unsigned)number;
        return result;
    case ECO_URL_KEY_BUILDING_SIZE:
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

    if (key & ECO_URL_KEYS_SCORE)
        return read_score_value(key, value, url, error);
    switch (key) {
    case ECO_URL_KEY_SEED:
        return read_seed(value, url, error);
    case ECO_URL_KEY_VERSION:
        return read_version(value, url, error);
    case ECO_URL_KEY_BLEND:
        return read_blend(value, url, error);
    case ECO_URL_KEY_LAYERS:
        url->layers = value;
        return value.length > 0
                   ? 0
                   : eco_error_set(error, ECO_EINVAL,
                                   "layers is empty; names of layers with a comma between them");
    case ECO_URL_KEY_FORMAT:
        return read_format(value, url, error);
    case ECO_URL_KEY_X:
        return eco_url_coordinate(value, "x", &url->x, error);
    case ECO_URL_KEY_Z:
        return eco_url_coordinate(value, "z", &url->z, error);
    case ECO_URL_KEY_BIOME:
        result = eco_url_digits(value, "biome", &number, error);
        if (!result)
            result = eco_url_range(number, "biome", 0, 65535, error);
        url->biome = (unsigned)number;
        return result;
    case ECO_URL_KEY_WITHIN:
        result = eco_url_digits(value, "within", &number, error);
        if (!result)
            result = eco_url_range(number, "within", 0, ECO_LOCATE_WITHIN_MAX, error);
        url->within = (int64_t)number;
        return result;
    case ECO_URL_KEY_ZOOM:
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

int eco_url_query(struct eco_slice query, unsigned allowed, unsigned needed, struct eco_url *url,
                  struct eco_error *error)
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
                allowed ? "" : " none", allowed & ECO_URL_KEY_SEED ? " seed" : "",
                allowed & ECO_URL_KEY_VERSION ? " v" : "",
                allowed & ECO_URL_KEY_BLEND ? " blend" : "",
                allowed & ECO_URL_KEY_FORMAT ? " format" : "",
                allowed & ECO_URL_KEY_X ? " x z" : "",
                allowed & ECO_URL_KEY_ZOOM ? " zoom scale" : "",
                allowed & ECO_URL_KEY_LAYERS ? " layers" : "",
                allowed & ECO_URL_KEY_X0 ? " x0 z0 x1 z1" : "",
                allowed & ECO_URL_KEY_STEP
                    ? " step unit_slope unit_size building_slope building_size"
                    : "",
                allowed & ECO_URL_KEY_BIOME ? " biome within" : "");
        if (key & seen)
            return eco_error_set(error, ECO_EINVAL, "the query has a key twice; once at most");
        seen |= key;
        result = read_value(key, pair, url, error);
        if (result)
            return result;
    }
    if ((seen & needed) != needed && (needed & ECO_URL_KEYS_RECT))
        return eco_error_set(error, ECO_EINVAL,
                             "x0, z0, x1 and z1 are needed, in blocks: ?x0=0&z0=0&x1=2048&z1=2048");
    if ((seen & needed) != needed && (needed & ECO_URL_KEY_BIOME))
        return eco_error_set(error, ECO_EINVAL,
                             "biome, x and z are needed: an id, and blocks: ?biome=21&x=0&z=0");
    if ((seen & needed) != needed)
        return eco_error_set(error, ECO_EINVAL, "x and z are needed, in blocks: ?x=-100&z=2000");
    return 0;
}
