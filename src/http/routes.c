#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/ask.h"
#include "http/assets.h"
#include "http/documents.h"
#include "http/legend.h"
#include "http/ows.h"
#include "http/root.h"
#include "http/score.h"
#include "http/server_internal.h"
#include "http/wmts.h"

unsigned eco_status_of(int code)
{
    switch (code) {
    case ECO_EINVAL:
        return MHD_HTTP_BAD_REQUEST;
    case ECO_ENOTFOUND:
        return MHD_HTTP_NOT_FOUND;
    case ECO_ERANGE:
        return MHD_HTTP_URI_TOO_LONG;
    case ECO_EBUSY:
    case ECO_ECANCELED:
    case ECO_ENOMEM:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    default:
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

/* An error in the form of the route. `locator`: the parameter of WMTS that is wrong, or NULL. */
static enum MHD_Result refuse(struct eco_request *request, unsigned status, const char *locator,
                              const char *sentence)
{
    const struct eco_url *url = &request->url;
    enum eco_ows_code code = locator ? ECO_OWS_INVALID : ECO_OWS_OTHER;
    struct eco_buffer report;

    if (!url->wmts)
        return eco_reply_error(request->connection, status, sentence);
    eco_buffer_init(&report);
    if (request->url_code)
        code = url->exception;
    eco_ows_report(code, locator ? (struct eco_slice){locator, strlen(locator)} : url->locator,
                   sentence, &report);
    eco_buffer_append(&report, "", 1);
    if (report.failed) {
        eco_buffer_release(&report);
        return MHD_NO;
    }
    return eco_reply_error_text(request->connection, eco_ows_status(code, status),
                                "application/xml", (char *)report.data);
}

static enum MHD_Result reply_code(struct eco_request *request, int code)
{
    const char *sentence;

    switch (code) {
    case ECO_EBUSY:
        sentence = "too many requests are waiting; ask again a little later";
        break;
    case ECO_ECANCELED:
        sentence = atomic_load(&request->server->stopping)
                       ? "the server is stopping; ask again when it is back"
                       : "what you ask for was not made in time; ask again a little later";
        break;
    case ECO_ENOMEM:
        sentence = "the server is short of memory; ask again a little later";
        break;
    default:
        sentence = "what you ask for could not be made; the log of the server says why";
        break;
    }
    return refuse(request, eco_status_of(code), NULL, sentence);
}

static enum MHD_Result reply_limited(struct eco_request *request)
{
    atomic_fetch_add_explicit(&request->server->metrics.limited, 1, memory_order_relaxed);
    return refuse(request, MHD_HTTP_TOO_MANY_REQUESTS, NULL,
                  "your address asks for more than this server makes for one; ask again a "
                  "little later");
}

/* Queues a document made for this reply alone, from text that is freed here. */
static enum MHD_Result reply_text(struct eco_request *request, char *text, bool no_store)
{
    struct eco_document *document =
        text ? eco_document_new_json(text, strlen(text), no_store) : NULL;
    enum MHD_Result result;

    free(text);
    if (!document)
        return MHD_NO;
    result = eco_reply_document(request->connection, &request->headers, document);
    eco_document_free(document);
    return result;
}

static bool is_name(struct eco_slice slice, const char *name)
{
    return strlen(name) == slice.length && memcmp(name, slice.data, slice.length) == 0;
}

/* The world of the URL; NULL after an error was queued, with its result in *result. */
static const struct eco_world_config *find_world(struct eco_request *request,
                                                 enum MHD_Result *result)
{
    const struct eco_config *config = request->site->config;
    struct eco_slice name = request->url.world;
    char sentence[256];

    for (unsigned i = 0; i < config->worlds_count; i++) {
        if (is_name(name, config->worlds[i].name))
            return &config->worlds[i];
    }
    snprintf(sentence, sizeof(sentence), "there is no world '%.*s'; /api/worlds lists the worlds",
             name.length > ECO_NAME_MAX ? ECO_NAME_MAX : (int)name.length, name.data);
    *result = refuse(request, MHD_HTTP_NOT_FOUND, "LAYER", sentence);
    return NULL;
}

/* The layer of the URL, if the world has it; negative after an error was queued. */
static int find_layer(struct eco_request *request, const struct eco_world_config *world,
                      enum MHD_Result *result)
{
    struct eco_slice name = request->url.layer;
    int layer = eco_layer_find(name.data, name.length);
    char sentence[256];

    if (layer >= 0 && eco_layer_available((enum eco_layer)layer, world))
        return layer;
    snprintf(sentence, sizeof(sentence),
             "the world %s has no layer '%.*s'; /api/worlds lists the layers of each world",
             world->name, name.length > ECO_NAME_MAX ? ECO_NAME_MAX : (int)name.length, name.data);
    *result = refuse(request, MHD_HTTP_NOT_FOUND, "LAYER", sentence);
    return ECO_ENOTFOUND;
}

/* Whether the format of the URL can hold the layer; otherwise an error was queued. */
static bool may_hold(struct eco_request *request, int layer, enum MHD_Result *result)
{
    const char *format = eco_format_name(request->url.format);
    char sentence[160];

    if (eco_format_holds(request->url.format, (enum eco_layer)layer))
        return true;
    snprintf(sentence, sizeof(sentence),
             "the layer %s has more bits than %s can hold; ask for .png",
             eco_layer_name((enum eco_layer)layer), format);
    *result = refuse(request, MHD_HTTP_NOT_FOUND, "FORMAT", sentence);
    return false;
}

/* The seeds of a world, as a sentence. */
static void describe_seeds(const struct eco_world_config *world, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "the world %s has the seed %.*s", world->name,
                                   ECO_SEED_TEXT_MAX, world->seed_text);

    for (unsigned i = 0; i < world->seeds.count; i++) {
        /* A cut text of many bytes a character would be no UTF-8. */
        if (used + strlen(world->seeds.texts[i]) + 64 > size) {
            snprintf(out + used, size - used, " and others; /api/worlds lists all");
            return;
        }
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s",
                             i + 1 == world->seeds.count ? " or " : ", ", world->seeds.texts[i]);
    }
    snprintf(out + used, size - used, " and no other");
}

/* The seed of the URL, or the world's own, if it may be asked for; otherwise an error was queued.
 */
static bool find_seed(struct eco_request *request, const struct eco_world_config *world,
                      int64_t *seed, enum MHD_Result *result)
{
    const struct eco_url *url = &request->url;
    char sentence[1024];

    *seed = url->has_seed ? eco_seed_parse(url->seed, url->seed_length, NULL) : world->seed;
    if (eco_config_seed_allowed(world, *seed))
        return true;
    describe_seeds(world, sentence, sizeof(sentence));
    *result = eco_reply_error(request->connection, MHD_HTTP_FORBIDDEN, sentence);
    return false;
}

/* Whether the world may be blended as the URL asks; otherwise an error was queued. */
static bool may_blend(struct eco_request *request, const struct eco_world_config *world,
                      enum MHD_Result *result)
{
    unsigned blend = request->url.blend;
    char sentence[160];

    if (blend == 0 || world->blend.override || blend - 1 == (unsigned)world->blend.method)
        return true;
    snprintf(sentence, sizeof(sentence), "the world %s is blended by %s alone", world->name,
             eco_blend_method_name(world->blend.method));
    *result = eco_reply_error(request->connection, MHD_HTTP_BAD_REQUEST, sentence);
    return false;
}

/* --- tiles -------------------------------------------------------------------------------------
 */

/* Called from a worker. Once the connection is resumed it belongs to its own thread again. */
static void tile_done(void *context, int code, struct eco_blob *blob)
{
    struct eco_request *request = context;

    request->code = code;
    request->blob = blob;
    if (blob)
        eco_blob_incref(blob);
    MHD_resume_connection(request->connection);
}

static bool client_left(void *context)
{
    return eco_server_left(((struct eco_request *)context)->socket);
}

static enum MHD_Result reply_waited(struct eco_request *request)
{
    if (request->code)
        return reply_code(request, request->code);
    if (request->url.route == ECO_ROUTE_SCORE)
        return eco_score_end(request);
    if (request->ask)
        return eco_ask_end(request);
    return eco_reply_tile(request->connection, &request->headers, request->blob,
                          eco_format_type(request->url.format), request->immutable);
}

static enum MHD_Result wait_for_tile(struct eco_request *request,
                                     const struct eco_tile_request *tile)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    int code;

    if (!info)
        return MHD_NO;
    if (!eco_request_may_render(request))
        return reply_limited(request);
    request->socket = info->connect_fd;
    if (atomic_load_explicit(&request->server->stopping, memory_order_relaxed))
        return reply_code(request, ECO_ECANCELED);
    /* Suspended first: the worker may be done before eco_service_render returns. */
    request->state = ECO_REQUEST_WAITING;
    MHD_suspend_connection(request->connection);
    code = eco_service_render(request->server->service, tile, tile_done, client_left, request);
    if (code) {
        request->code = code;
        MHD_resume_connection(request->connection);
    }
    return MHD_YES;
}

static enum MHD_Result reply_tile(struct eco_request *request)
{
    struct eco_server *server = request->server;
    const struct eco_url *url = &request->url;
    struct eco_service_client *client = eco_server_client(server);
    struct eco_tile_request tile = {.tile = url->tile, .view = url->view, .format = url->format};
    char version[ECO_VERSION_TEXT_MAX];
    enum MHD_Result result = MHD_NO;
    int layer, code;

    tile.world = find_world(request, &result);
    if (!tile.world)
        return result;
    layer = find_layer(request, tile.world, &result);
    if (layer < 0 || !may_hold(request, layer, &result) ||
        !find_seed(request, tile.world, &tile.seed, &result) ||
        !may_blend(request, tile.world, &result))
        return result;
    if (url->tile.zoom < tile.world->minzoom) {
        char sentence[128];
        snprintf(sentence, sizeof(sentence), "the world %s is drawn at zooms %u to %d",
                 tile.world->name, tile.world->minzoom, ECO_ZOOM_MAX);
        return refuse(request, MHD_HTTP_NOT_FOUND, "TILEMATRIX", sentence);
    }
    if (!client)
        return reply_code(request, ECO_ENOMEM);
    tile.layer = (enum eco_layer)layer;
    tile.blend = url->blend;
    if (url->version.length > 0) {
        eco_version_text(eco_service_blend_version(tile.world, tile.seed, tile.blend), version);
        request->immutable = is_name(url->version, version);
    }
    code = eco_service_lookup(client, &tile, &request->blob);
    if (code == 0)
        return eco_reply_tile(request->connection, &request->headers, request->blob,
                              eco_format_type(url->format), request->immutable);
    return code == ECO_ENOTFOUND ? wait_for_tile(request, &tile) : reply_code(request, code);
}

/* --- documents ---------------------------------------------------------------------------------
 */

/* Where the client finds the server; false after an error was queued. */
static bool find_root(struct eco_request *request, char root[ECO_ROOT_MAX], enum MHD_Result *result)
{
    const union MHD_ConnectionInfo *peer =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct eco_error error = {0};
    struct eco_address address;

    eco_address_of(peer ? peer->client_addr : NULL, &address);
    if (eco_root_write(&request->site->config->server, &request->headers, &address,
                       request->server->address, root, &error) == 0)
        return true;
    *result = refuse(request, MHD_HTTP_BAD_REQUEST, NULL, error.text);
    return false;
}

/* Queues a document made for this reply alone, and releases the text. */
static enum MHD_Result reply_buffer(struct eco_request *request, const char *type,
                                    struct eco_buffer *text, bool no_store)
{
    struct eco_document *document = NULL;
    enum MHD_Result result = MHD_NO;

    if (!text->failed)
        document = eco_document_new_text(type, (const char *)text->data, text->size, no_store);
    if (document)
        result = eco_reply_document(request->connection, &request->headers, document);
    eco_document_free(document);
    eco_buffer_release(text);
    return result;
}

static enum MHD_Result reply_wmts(struct eco_request *request)
{
    char root[ECO_ROOT_MAX];
    enum MHD_Result result = MHD_NO;
    struct eco_buffer text;

    if (!find_root(request, root, &result))
        return result;
    eco_buffer_init(&text);
    eco_wmts_write(request->site->config, root, &text);
    return reply_buffer(request, "application/xml", &text, false);
}

static enum MHD_Result reply_tilejson(struct eco_request *request)
{
    const struct eco_url *url = &request->url;
    struct eco_tilejson ask = {.blend = url->blend, .format = url->format, .tms = url->tms};
    char root[ECO_ROOT_MAX];
    enum MHD_Result result = MHD_NO;
    int layer;

    ask.world = find_world(request, &result);
    if (!ask.world)
        return result;
    layer = find_layer(request, ask.world, &result);
    if (layer < 0 || !may_hold(request, layer, &result) ||
        !find_seed(request, ask.world, &ask.seed, &result) ||
        !may_blend(request, ask.world, &result) || !find_root(request, root, &result))
        return result;
    ask.layer = (enum eco_layer)layer;
    ask.root = root;
    return reply_text(request, eco_document_tilejson(&ask), false);
}

static enum MHD_Result reply_legend(struct eco_request *request)
{
    enum MHD_Result result = MHD_NO;
    const struct eco_world_config *world = find_world(request, &result);
    int layer = -1;

    if (!world)
        return result;
    if (!request->url.picture)
        return reply_text(request, eco_document_legend(world), false);
    if (request->url.layer.length > 0) {
        layer = find_layer(request, world, &result);
        if (layer < 0)
            return result;
    }
    return eco_legends_reply(request->site->legends, request->connection, &request->headers, world,
                             layer, request->url.tile.scale);
}

static enum MHD_Result reply_score(struct eco_request *request)
{
    enum MHD_Result result = MHD_NO;
    const struct eco_world_config *world = find_world(request, &result);
    int64_t seed;

    if (!world || !find_seed(request, world, &seed, &result))
        return result;
    if (atomic_load_explicit(&request->server->stopping, memory_order_relaxed))
        return reply_code(request, ECO_ECANCELED);
    if (!eco_request_may_render(request))
        return reply_limited(request);
    return eco_score_begin(request, world, seed);
}

static enum MHD_Result reply_ground(struct eco_request *request)
{
    enum MHD_Result result = MHD_NO;
    const struct eco_world_config *world = find_world(request, &result);
    int64_t seed;

    if (!world || !find_seed(request, world, &seed, &result))
        return result;
    if (request->url.route == ECO_ROUTE_BORDER)
        return eco_ask_border(request, world);
    if (atomic_load_explicit(&request->server->stopping, memory_order_relaxed))
        return reply_code(request, ECO_ECANCELED);
    if (!may_blend(request, world, &result))
        return result;
    if (!eco_request_may_render(request))
        return reply_limited(request);
    return eco_ask_begin(request, world, seed);
}

static enum MHD_Result reply_health(struct eco_request *request)
{
    struct eco_server *server = request->server;
    struct eco_service_stats stats;

    eco_service_stats(server->service, &stats);
    return reply_text(
        request,
        eco_document_health(&stats, eco_guard_count(server->guard), atomic_load(&server->stopping)),
        true);
}

/* 503 tells a balancer to ask another server; a degraded cache makes tiles slower, not wrong. */
static enum MHD_Result reply_ready(struct eco_request *request)
{
    struct eco_service_stats stats;

    if (atomic_load(&request->server->leaving))
        return eco_reply_error(request->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                               "the server is stopping; ask another");
    eco_service_stats(request->server->service, &stats);
    return reply_text(request, eco_document_ready(&stats), true);
}

static enum MHD_Result reply_metrics(struct eco_request *request)
{
    struct eco_server *server = request->server;
    const struct eco_metrics_state state = {
        .connections = eco_guard_count(server->guard),
        .ready = !atomic_load(&server->leaving),
        .log_dropped = eco_access_dropped(server->access),
    };
    struct eco_cache_quota quotas[ECO_WORLDS_MAX];
    struct eco_service_stats stats;
    struct eco_buffer text;
    unsigned count;

    eco_buffer_init(&text);
    eco_service_stats(server->service, &stats);
    eco_metrics_write(&server->metrics, &stats, &state, &text);
    count = eco_service_quotas(server->service, quotas, ECO_WORLDS_MAX);
    eco_metrics_write_quotas(quotas, count, &text);
    return reply_buffer(request, ECO_METRICS_TYPE, &text, true);
}

static enum MHD_Result reply_asset(struct eco_request *request)
{
    for (size_t i = 0; i < eco_assets_count; i++) {
        if (is_name(request->url.asset, eco_assets[i].path))
            return eco_reply_document(request->connection, &request->headers,
                                      request->server->assets[i]);
    }
    return eco_reply_error(request->connection, MHD_HTTP_NOT_FOUND,
                           "there is nothing here; the page is /, the worlds are /api/worlds, "
                           "tiles are /tiles/{world}/{layer}/{z}/{x}/{y}.png");
}

enum MHD_Result eco_route_request(struct eco_request *request)
{
    if (request->state == ECO_REQUEST_WAITING)
        return reply_waited(request);
    if (request->moved)
        return eco_reply_redirect(request->connection, request->site->config->server.base_path,
                                  request->moved);
    if (request->url_code)
        return refuse(request, eco_status_of(request->url_code), NULL, request->url_error.text);
    switch (request->url.route) {
    case ECO_ROUTE_TILE:
    case ECO_ROUTE_STATIC:
        return reply_tile(request);
    case ECO_ROUTE_TILEJSON:
        return reply_tilejson(request);
    case ECO_ROUTE_WMTS:
        return reply_wmts(request);
    case ECO_ROUTE_LEGEND:
        return reply_legend(request);
    case ECO_ROUTE_WORLDS:
        return eco_reply_document(request->connection, &request->headers, request->site->worlds);
    case ECO_ROUTE_SCORE:
        return reply_score(request);
    case ECO_ROUTE_POINT:
    case ECO_ROUTE_AREA:
    case ECO_ROUTE_LOCATE:
    case ECO_ROUTE_BORDER:
        return reply_ground(request);
    case ECO_ROUTE_HEALTH:
        return reply_health(request);
    case ECO_ROUTE_READY:
        return reply_ready(request);
    case ECO_ROUTE_METRICS:
        return reply_metrics(request);
    default:
        return reply_asset(request);
    }
}
