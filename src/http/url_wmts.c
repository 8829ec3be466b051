/* WMTS by key-value pairs: keys in any case, and what is not known is left aside, as OGC has it. */
#include "http/url_internal.h"

#include <string.h>
#include <strings.h>

enum {
    SERVICE,
    VERSION,
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

static const char *const keys[KEYS] = {"SERVICE", "VERSION", "REQUEST",       "LAYER",
                                       "STYLE",   "FORMAT",  "TILEMATRIXSET", "TILEMATRIX",
                                       "TILEROW", "TILECOL"};

static bool equals(struct eco_slice text, const char *expected)
{
    return text.length == strlen(expected) && strncasecmp(text.data, expected, text.length) == 0;
}

static int read_pairs(struct eco_slice query, struct eco_slice *values, struct eco_error *error)
{
    struct eco_slice pair, name;

    while (eco_url_part(&query, '&', &pair)) {
        if (!eco_url_part(&pair, '=', &name) || !pair.data)
            continue;
        for (unsigned k = 0; k < KEYS; k++) {
            if (!equals(name, keys[k]))
                continue;
            if (values[k].data)
                return eco_error_set(error, ECO_EINVAL, "%s is given twice; once at most", keys[k]);
            values[k] = pair;
        }
    }
    return 0;
}

/* Whether a value that may be left out is the only one there is. */
static int check_constant(const struct eco_slice *values, unsigned key, const char *only,
                          const char *escaped, struct eco_error *error)
{
    if (!values[key].data || equals(values[key], only) || (escaped && equals(values[key], escaped)))
        return 0;
    return eco_error_set(error, ECO_EINVAL, "%s must be %s", keys[key], only);
}

static int read_format(struct eco_slice value, struct eco_url *url, struct eco_error *error)
{
    if (!value.data || equals(value, "image/png") || equals(value, "image%2Fpng"))
        return 0;
    url->format = ECO_FORMAT_WEBP;
    if (equals(value, "image/webp") || equals(value, "image%2Fwebp"))
        return 0;
    return eco_error_set(error, ECO_EINVAL, "FORMAT must be image/png or image/webp");
}

/* The same path as that of a tile, from the values. */
static int read_tile(const struct eco_slice *values, struct eco_url *url, struct eco_error *error)
{
    struct eco_slice layer = values[LAYER], segments[6] = {{"", 0}};
    static const unsigned needed[] = {LAYER, MATRIX, ROW, COLUMN};

    for (unsigned i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (!values[needed[i]].data)
            return eco_error_set(error, ECO_EINVAL, "%s is missing", keys[needed[i]]);
    }
    if (!eco_url_part(&layer, '.', &segments[1]) || !layer.data)
        return eco_error_set(error, ECO_EINVAL, "LAYER is not of the form {world}.{layer}");
    segments[2] = layer;
    segments[3] = values[MATRIX];
    segments[4] = values[COLUMN];
    segments[5] = values[ROW];
    url->route = ECO_ROUTE_TILE;
    return eco_url_place(segments, url, error);
}

int eco_url_wmts(struct eco_slice query, struct eco_url *url, struct eco_error *error)
{
    struct eco_slice values[KEYS] = {{NULL, 0}};
    int result = read_pairs(query, values, error);

    url->route = ECO_ROUTE_WMTS;
    if (!result)
        result = check_constant(values, SERVICE, "WMTS", NULL, error);
    if (!result)
        result = check_constant(values, VERSION, "1.0.0", NULL, error);
    if (!result)
        result = check_constant(values, STYLE, "default", NULL, error);
    if (!result)
        result = read_format(values[FORMAT], url, error);
    if (!result)
        result = check_constant(values, MATRIX_SET, "GoogleMapsCompatible", NULL, error);
    if (result)
        return result;
    if (values[REQUEST].data && equals(values[REQUEST], "GetCapabilities"))
        return 0;
    if (values[REQUEST].data && equals(values[REQUEST], "GetTile"))
        return read_tile(values, url, error);
    return eco_error_set(error, ECO_EINVAL, "REQUEST must be GetCapabilities or GetTile");
}
