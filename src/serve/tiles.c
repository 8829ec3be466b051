#include "serve/tiles.h"

#include "codec/webp.h"
#include "serve/worlds.h"

#define FORMAT_VIEW 0x80 /* its key is packed by view_key */
#define FORMAT_SHIFT 5   /* of a view's enum eco_format, below FORMAT_VIEW */

uint64_t eco_tiles_version(const struct eco_world_config *world, int64_t seed,
                           enum eco_blend_method blend)
{
    return eco_mix64(eco_world_config_hash(world, seed, blend) + ECO_RENDER_REVISION);
}

static uint64_t version_of(const struct eco_tile_request *request)
{
    return eco_tiles_version(request->world, request->seed,
                             eco_worlds_method(request->world, request->blend));
}

/*
 * Place and size of a view in the members of a tile's key: a place has 26 bits, a side 11, of which
 * six go above the place; the others stand beside scale and format.
 */
static struct eco_cache_key view_key(const struct eco_tile_request *request)
{
    const struct eco_view *view = &request->view;

    return (struct eco_cache_key){
        .world = version_of(request),
        .x = (uint32_t)(view->x0 + ECO_WORLD_HALF) | view->width << 26,
        .y = (uint32_t)(view->z0 + ECO_WORLD_HALF) | view->height << 26,
        .layer = (uint8_t)request->layer,
        .zoom = (uint8_t)view->zoom,
        .scale = (uint8_t)(view->scale | view->width >> 6 << 2),
        .format =
            (uint8_t)(FORMAT_VIEW | (unsigned)request->format << FORMAT_SHIFT | view->height >> 6),
    };
}

bool eco_tiles_is_view(const struct eco_cache_key *key)
{
    return (key->format & FORMAT_VIEW) != 0;
}

struct eco_cache_key eco_tiles_key(const struct eco_tile_request *request)
{
    if (request->view.width)
        return view_key(request);
    return (struct eco_cache_key){
        .world = version_of(request),
        .x = request->tile.x,
        .y = request->tile.y,
        .layer = (uint8_t)request->layer,
        .zoom = (uint8_t)request->tile.zoom,
        .scale = (uint8_t)request->tile.scale,
        .format = (uint8_t)request->format,
    };
}

static void unpack_view(const struct eco_cache_key *key, struct eco_tile_request *out)
{
    const uint32_t place = (1u << 26) - 1;

    out->format = (enum eco_format)(key->format >> FORMAT_SHIFT & 3);
    out->view = (struct eco_view){
        .x0 = (int64_t)(key->x & place) - ECO_WORLD_HALF,
        .z0 = (int64_t)(key->y & place) - ECO_WORLD_HALF,
        .width = key->x >> 26 | (uint32_t)(key->scale >> 2) << 6,
        .height = key->y >> 26 | (uint32_t)(key->format & ((1 << FORMAT_SHIFT) - 1)) << 6,
        .zoom = key->zoom,
        .scale = key->scale & 3,
    };
    out->tile = (struct eco_tile){.zoom = key->zoom, .scale = out->view.scale};
}

bool eco_tiles_request(const struct eco_cache_key *key, const struct eco_world_config *world,
                       int64_t seed, enum eco_blend_method blend, struct eco_tile_request *out)
{
    *out = (struct eco_tile_request){
        .world = world,
        .seed = seed,
        .layer = (enum eco_layer)key->layer,
        .tile = {.zoom = key->zoom, .x = key->x, .y = key->y, .scale = key->scale},
        .blend = 1 + (unsigned)blend,
        .format = (enum eco_format)key->format,
    };
    if (eco_tiles_is_view(key))
        unpack_view(key, out);
    return key->layer < ECO_LAYER_COUNT && out->format < ECO_FORMAT_COUNT &&
           eco_tile_valid(&out->tile) && (!eco_tiles_is_view(key) || eco_view_valid(&out->view)) &&
           eco_layer_available(out->layer, world) && eco_format_holds(out->format, out->layer);
}

int eco_tiles_make(const struct eco_tile_request *request, const struct eco_world *world,
                   struct eco_sampler *sampler, struct eco_png_encoder *encoder,
                   struct eco_buffer *bytes, struct eco_error *error)
{
    struct eco_picture picture;
    int result;

    if (request->view.width)
        result = eco_raster_view(world, request->layer, &request->view, sampler, &picture, error);
    else
        result = eco_raster_tile(world, request->layer, &request->tile, sampler, &picture, error);
    if (result)
        return result;
    if (request->format == ECO_FORMAT_WEBP)
        return eco_webp_encode(&picture, !eco_layer_is_shaded(request->layer), bytes, error);
    return eco_png_encode(encoder, &picture, bytes, error);
}
