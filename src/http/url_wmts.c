/* WMTS by key-value pairs: keys in any case, and what is not known is left aside, as OGC has it. */
#include "http/url_internal.h"

#include <string.h>
#include <strings.h>

enum {
    SERVICE,
    VERSION,
    ACCEPT_VERSIONS,
    REQUEST,
    LAYER,
    STYLE,
    FORMAT,
    MATRIX_SET,
    MATRIX,
    ROW,
    COLUMN,
    KEYS,
};

static const char *const keys[KEYS] = {"SERVICE",    "VERSION", "ACCEPTVERSIONS", "REQUEST",
                                       "LAYER",      "STYLE",   "FORMAT",         "TILEMATRIXSET",
                                       "TILEMATRIX", "TILEROW", "TILECOL"};

static bool equals(struct eco_slice text, const char *expected)
{
    return text.length == strlen(expected) && strncasecmp(text.data, expected, text.length) == 0;
}

/* Notes what the report of an error says of it beside the sentence. */
static int blame(struct eco_url *url, enum eco_ows_code code, unsigned key, int result)
{
    url->exception = code;
    url->locator = (struct eco_slice){keys[key], strlen(keys[key])};
    return result;
}

static int read_pairs(struct eco_slice query, struct eco_slice *values, struct eco_url *url,
                      struct eco_error *error)
{
    struct eco_slice pair, name;

    while (eco_url_part(&query, '&', &pair)) {
        if (!eco_url_part(&pair, '=', &name) || !pair.data)
            continue;
        for (unsigned k = 0; k < KEYS; k++) {
            if (!equals(name, keys[k]))
                continue;
            if (values[k].data)
                return blame(
                    url, ECO_OWS_INVALID, k,
                    eco_error_set(error, ECO_EINVAL, "%s is given twice; once at most", keys[k]));
            values[k] = pair;
        }
    }
    return 0;
}

/* Whether a value that may be left out is the only one there is. */
static int check_constant(const struct eco_slice *values, unsigned key, const char *only,
                          struct eco_url *url, struct eco_error *error)
{
    if (!values[key].data || equals(values[key], only))
        return 0;
    return blame(url, ECO_OWS_INVALID, key,
                 eco_error_set(error, ECO_EINVAL, "%s must be %s", keys[key], only));
}

static int read_format(struct eco_slice value, struct eco_url *url, struct eco_error *error)
{
    if (!value.data || equals(value, "image/png") || equals(value, "image%2Fpng"))
        return 0;
    url->format = ECO_FORMAT_WEBP;
    if (equals(value, "image/webp") || equals(value, "image%2Fwebp"))
        return 0;
    return blame(url, ECO_OWS_INVALID, FORMAT,
                 eco_error_set(error, ECO_EINVAL, "FORMAT must be image/png or image/webp"));
}

/* A list in which 1.0.0 must be. */
static int check_versions(struct eco_slice value, struct eco_url *url, struct eco_error *error)
{
    struct eco_slice version;

    if (!value.data)
        return 0;
    while (eco_url_part(&value, ',', &version)) {
        if (equals(version, "1.0.0"))
            return 0;
    }
    return blame(url, ECO_OWS_VERSION, ACCEPT_VERSIONS,
                 eco_error_set(error, ECO_EINVAL, "the only version is 1.0.0"));
}

/* Which of the numbers, once they are known to be numbers, lies outside. */
static int blame_range(const struct eco_slice *values, struct eco_url *url, int result)
{
    uint64_t zoom = 0, column = 0;

    eco_url_digits(values[MATRIX], "", &zoom, NULL);
    eco_url_digits(values[COLUMN], "", &column, NULL);
    if (zoom > ECO_ZOOM_MAX)
        return blame(url, ECO_OWS_INVALID, MATRIX, result);
    return blame(url, ECO_OWS_OUT_OF_RANGE, column >> zoom ? COLUMN : ROW, result);
}

/* The same path as that of a tile, from the values. */
static int read_tile(const struct eco_slice *values, struct eco_url *url, struct eco_error *error)
{
    struct eco_slice layer = values[LAYER], segments[6] = {{"", 0}};
    static const unsigned needed[] = {LAYER, MATRIX, ROW, COLUMN};
    uint64_t number;
    int result;

    for (unsigned i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (!values[needed[i]].data)
            return blame(url, ECO_OWS_MISSING, needed[i],
                         eco_error_set(error, ECO_EINVAL, "%s is missing", keys[needed[i]]));
    }
    if (!eco_url_part(&layer, '.', &segments[1]) || !layer.data)
        return blame(url, ECO_OWS_INVALID, LAYER,
                     eco_error_set(error, ECO_EINVAL, "LAYER is not of the form {world}.{layer}"));
    for (unsigned i = 1; i < sizeof(needed) / sizeof(needed[0]); i++) {
        result = eco_url_digits(values[needed[i]], keys[needed[i]], &number, error);
        if (result)
            return blame(url, ECO_OWS_INVALID, needed[i], result);
    }
    segments[2] = layer;
    segments[3] = values[MATRIX];
    segments[4] = values[COLUMN];
    segments[5] = values[ROW];
    url->route = ECO_ROUTE_TILE;
    result = eco_url_place(segments, url, error);
    return result ? blame_range(values, url, result) : 0;
}

static int refuse_operation(const struct eco_slice *values, struct eco_url *url,
                            struct eco_error *error)
{
    if (!values[REQUEST].data)
        return blame(
            url, ECO_OWS_MISSING, REQUEST,
            eco_error_set(error, ECO_EINVAL, "REQUEST is missing; GetCapabilities or GetTile"));
    url->exception = ECO_OWS_NOT_SUPPORTED;
    url->locator = values[REQUEST];
    return eco_error_set(error, ECO_EINVAL, "REQUEST must be GetCapabilities or GetTile");
}

int eco_url_wmts(struct eco_slice query, struct eco_url *url, struct eco_error *error)
{
    struct eco_slice values[KEYS] = {{NULL, 0}};
    int result = read_pairs(query, values, url, error);

    url->route = ECO_ROUTE_WMTS;
    if (!result)
        result = check_constant(values, SERVICE, "WMTS", url, error);
    if (!result)
        result = check_constant(values, VERSION, "1.0.0", url, error);
    /* Clients that know of no styles leave it empty. */
    if (!result && values[STYLE].length > 0)
        result = check_constant(values, STYLE, "default", url, error);
    if (!result)
        result = read_format(values[FORMAT], url, error);
    if (!result)
        result = check_constant(values, MATRIX_SET, "GoogleMapsCompatible", url, error);
    if (result)
        return result;
    if (values[REQUEST].data && equals(values[REQUEST], "GetCapabilities"))
        return check_versions(values[ACCEPT_VERSIONS], url, error);
    if (values[REQUEST].data && equals(values[REQUEST], "GetTile"))
        return read_tile(values, url, error);
    return refuse_operation(values, url, error);
}
