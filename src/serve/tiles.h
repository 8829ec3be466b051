/*
 * What a tile is: its key, and how its bytes are made. The same for who serves tiles and for who
 * looks whether stored ones are right. Thread rule: pure functions, but for the sampler and
 * encoder.
 */
#ifndef ECO_SERVE_TILES_H
#define ECO_SERVE_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/format.h"
#include "codec/png.h"
#include "raster/raster.h"
#include "store/cache.h"
#include "world/config.h"

struct eco_tile_request {
    const struct eco_world_config *world; /* held by whoever works on the request */
    int64_t seed;
    enum eco_layer layer;
    struct eco_tile tile;
    struct eco_view view;   /* a width of 0: the tile; otherwise this picture instead */
    unsigned blend;         /* 0: as configured; otherwise 1 + enum eco_blend_method */
    enum eco_format format; /* one that holds the layer (eco_format_holds) */
};

/* What the tiles of a world are made of, as one number: the world hash with the render revision.
 * Equal numbers, equal bytes. */
uint64_t eco_tiles_version(const struct eco_world_config *world, int64_t seed,
                           enum eco_blend_method blend);

struct eco_cache_key eco_tiles_key(const struct eco_tile_request *request);

/* Whether the key is that of a view: its x and y are then not those of a tile. */
bool eco_tiles_is_view(const struct eco_cache_key *key);

/* The request that has this key, of a world, seed and method that it is a key of; false where it is
 * that of no tile and no view. */
bool eco_tiles_request(const struct eco_cache_key *key, const struct eco_world_config *world,
                       int64_t seed, enum eco_blend_method blend, struct eco_tile_request *out);

/* Replaces the content of `bytes` by the tile or view. `world` is what the request names, opened.
 */
int eco_tiles_make(const struct eco_tile_request *request, const struct eco_world *world,
                   struct eco_sampler *sampler, struct eco_png_encoder *encoder,
                   struct eco_buffer *bytes, struct eco_error *error);

#endif
