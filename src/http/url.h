/*
 * What a request asks for, read from the raw path and query, byte for byte as the client sent them.
 * One strict parser for every route: what it lets through is bounded and has one spelling only, so
 * that a tile has one URL. Numbers are digits without a sign or leading zeros (x and z of a point
 * may have a sign); percent-escapes are read in the value of `seed` only, where
 * + is a space unless it is the sign of a number.
 * Thread rule: pure function.
 */
#ifndef ECO_HTTP_URL_H
#define ECO_HTTP_URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "codec/format.h"
#include "ecotone/error.h"
#include "raster/raster.h"

enum eco_route {
    /* /tiles/{world}/{layer}/{z}/{x}/{y}[@2x].{format}[?seed=][&blend=][&v=] */
    ECO_ROUTE_TILE,
    /* /static/{world}/{layer}/{x},{z},{zoom}/{width}x{height}[@2x].{format}[?seed=][&blend=][&v=],
     * /static/{world}/{layer}/{x0},{z0},{x1},{z1}/{width}x{height}[@2x].{format}… */
    ECO_ROUTE_STATIC,
    ECO_ROUTE_TILEJSON, /* /tiles/{world}/{layer}.json[?seed=][&blend=][&format=] */
    ECO_ROUTE_WMTS,     /* /wmts/1.0.0/WMTSCapabilities.xml, /wmts?SERVICE=WMTS&REQUEST=… */
    ECO_ROUTE_LEGEND,   /* /legend/{world}.json, /legend/{world}[/{layer}][@2x].png */
    ECO_ROUTE_WORLDS,   /* /api/worlds */
    /* /api/worlds/{world}/point?x=&z=[&seed=][&blend=][&zoom=][&scale=][&layers=] */
    ECO_ROUTE_POINT,
    /* /api/worlds/{world}/score?x0=&z0=&x1=&z1=[&seed=][&step=][&unit_slope=][&unit_size=]
     * [&building_slope=][&building_size=] */
    ECO_ROUTE_SCORE,
    ECO_ROUTE_AREA,    /* /api/worlds/{world}/area?x0=&z0=&x1=&z1=[&seed=] */
    ECO_ROUTE_LOCATE,  /* /api/worlds/{world}/locate?biome=&x=&z=[&within=][&seed=] */
    ECO_ROUTE_BORDER,  /* /api/worlds/{world}/border */
    ECO_ROUTE_HEALTH,  /* /healthz */
    ECO_ROUTE_READY,   /* /readyz */
    ECO_ROUTE_METRICS, /* /metrics */
    ECO_ROUTE_ASSET,   /* / and every other path */
    ECO_ROUTE_COUNT,
};

/* Bytes of the raw URL, plain characters only; not terminated. */
struct eco_slice {
    const char *data;
    size_t length;
};

/* How WMTS names an error. */
enum eco_ows_code {
    ECO_OWS_OTHER,
    ECO_OWS_MISSING,
    ECO_OWS_INVALID,
    ECO_OWS_OUT_OF_RANGE,
    ECO_OWS_NOT_SUPPORTED,
    ECO_OWS_VERSION,
};

struct eco_url {
    enum eco_route route;
    struct eco_slice world, layer; /* as written; whether they exist is for the caller to see */
    struct eco_slice asset;        /* without the leading slash; "index.html" for "/" */
    struct eco_tile tile;          /* of ECO_ROUTE_TILE: valid (eco_tile_valid) */
    enum eco_format format;        /* of a tile, a picture, the tiles of TileJSON */
    struct eco_view view;          /* of ECO_ROUTE_STATIC; tile.zoom is its zoom */
    int64_t x, z;                  /* of ECO_ROUTE_POINT and _LOCATE: within the world square */
    unsigned zoom, scale;          /* of ECO_ROUTE_POINT: 18 and 1 where not given */
    struct eco_slice layers;       /* of ECO_ROUTE_POINT: a,b,c as written; empty: not given */
    int64_t rect[4]; /* of ECO_ROUTE_SCORE and _AREA: x0, z0, x1, z1, within the world square */
    int64_t step;    /* of ECO_ROUTE_SCORE, as those below: 0 where not given */
    double unit_slope, building_slope;
    unsigned unit_size, building_size;
    unsigned biome; /* of ECO_ROUTE_LOCATE: an id */
    int64_t within; /* of ECO_ROUTE_LOCATE, blocks: 4096 where not given */
    unsigned blend; /* 0: as configured; otherwise 1 + enum eco_blend_method */
    bool tms; /* of a tile and TileJSON: it stands under /tms/, where y counts from the south; the
                 tile is found already */
    bool picture; /* of ECO_ROUTE_LEGEND: as PNG, at tile.scale; of a layer or, where that is empty,
                     of the biomes */
    /* Of every path under /wmts, also of one that is refused: errors are XML. The locator is the
     * name of a parameter or an operation. */
    bool wmts;
    enum eco_ows_code exception;
    struct eco_slice locator;
    struct eco_slice version; /* the value of `v`; empty where not given */
    bool has_seed;
    size_t seed_length; /* 1 .. ECO_SEED_TEXT_MAX */
    char seed[ECO_SEED_TEXT_MAX];
};

/* The path and query of a URL that may name the server before them, as clients of a proxy send it
 * and every server must accept (RFC 9112, 3.2.2). Points into `raw`, or is constant. */
const char *eco_url_origin_form(const char *raw);

/*
 * Reads `length` bytes of path and query. Errors: ECO_EINVAL: malformed (400); ECO_ENOTFOUND:
 * well-formed, but there is nothing of that kind (404); ECO_ERANGE: longer than ECO_URL_MAX (414).
 * Of `out`, only wmts, exception and locator mean something then. The slices point into `raw`, or
 * are constant.
 */
int eco_url_parse(const char *raw, size_t length, struct eco_url *out, struct eco_error *error);

#endif
