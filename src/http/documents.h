/*
 * The JSON that the server answers with. Seeds and world hashes are strings in it, since JavaScript
 * has no 64-bit numbers. Each function returns text for the caller to free, or NULL when memory
 * runs out. Thread rule: pure functions.
 */
#ifndef ECO_HTTP_DOCUMENTS_H
#define ECO_HTTP_DOCUMENTS_H

#include "raster/raster.h"
#include "serve/service.h"
#include "world/config.h"

#define ECO_VERSION_TEXT_MAX 17

/* A world's version, eco_service_world_version, as it stands in URLs. */
void eco_version_text(uint64_t version, char text[ECO_VERSION_TEXT_MAX]);

/* /api/worlds: what a page needs to know of every world. `broken` (may be NULL): what is wrong with
 * a newer configuration that could not take the place of this one. */
char *eco_document_worlds(const struct eco_config *config, const char *broken);

struct eco_tilejson {
    const struct eco_world_config *world;
    int64_t seed;
    enum eco_layer layer;
    unsigned blend; /* as in struct eco_tile_request */
    enum eco_format format;
    bool tms;         /* of the tiles under /tms/ */
    const char *root; /* as of eco_root_write */
};

/* TileJSON 3.0.0 of a layer. The world square stands where Web Mercator has its own. */
char *eco_document_tilejson(const struct eco_tilejson *ask);

struct eco_point_answer {
    const struct eco_world_config *config;
    const struct eco_world *world;
    const struct eco_planes *planes; /* of one block, all fields */
    int64_t x, z;                    /* as asked */
    int64_t sampled_x, sampled_z;    /* the block whose pixel shows it */
    int64_t step;
    uint32_t layers;                   /* that colours are asked of: 1 << enum eco_layer */
    uint32_t colours[ECO_LAYER_COUNT]; /* 0xRRGGBB: what the layer's tiles show there */
};

/* /api/worlds/{world}/point */
char *eco_document_point(const struct eco_point_answer *answer);

/* /readyz of a server that is ready. */
char *eco_document_ready(const struct eco_service_stats *stats);

/* /legend/{world}.json: what the colours of each layer mean. */
char *eco_document_legend(const struct eco_world_config *world);

/* /healthz */
char *eco_document_health(const struct eco_service_stats *stats, unsigned connections,
                          bool stopping);

#endif
