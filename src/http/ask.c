#include "http/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "http/documents.h"
#include "http/ground.h"
#include "http/url_internal.h"
#include "serve/questions.h"

struct eco_ask {
    struct eco_question question; /* first: it is handed back */
    struct eco_request *request;
    struct eco_area area;
    struct eco_locate locate;
    struct eco_point_answer point;
    int socket;
    char *text; /* the answer */
};

void eco_ask_free(struct eco_ask *ask)
{
    if (!ask)
        return;
    free(ask->text);
    free(ask);
}

static bool has_left(struct eco_question *question)
{
    return eco_server_left(((struct eco_ask *)question)->socket);
}

static bool shall_stop(void *context)
{
    return eco_questions_pause(context);
}

/* The block in the middle of the pixel is the one that the tile was drawn from. */
static void set_point(struct eco_point_answer *point, const struct eco_url *url,
                      const struct eco_world_config *world)
{
    int64_t step = eco_tile_step(url->zoom, url->scale);

    *point = (struct eco_point_answer){
        .config = world,
        .x = url->x,
        .z = url->z,
        .sampled_x = eco_floor_div(url->x, step) * step + step / 2,
        .sampled_z = eco_floor_div(url->z, step) * step + step / 2,
        .step = step,
    };
}

/* The layers whose names are in the list, each once. */
static int find_layers(struct eco_slice list, const struct eco_world_config *world, uint32_t *out,
                       struct eco_error *error)
{
    struct eco_slice name;

    if (list.length == 0)
        return 0;
    while (eco_url_part(&list, ',', &name)) {
        int layer = eco_layer_find(name.data, name.length);

        if (name.length == 0)
            return eco_error_set(error, ECO_EINVAL,
                                 "layers has an empty name in it; names with a comma between them");
        if (layer < 0 || !eco_layer_available((enum eco_layer)layer, world))
            return eco_error_set(error, ECO_ENOTFOUND,
                                 "the world %s has no layer '%.*s'; "
                                 "/api/worlds lists the layers of each world",
                                 world->name,
                                 name.length > ECO_NAME_MAX ? ECO_NAME_MAX : (int)name.length,
                                 name.data);
        if (*out >> layer & 1)
            return eco_error_set(error, ECO_EINVAL, "layers has %s twice; once at most",
                                 eco_layer_name((enum eco_layer)layer));
        *out |= 1u << layer;
    }
    return 0;
}

/* What the tiles of the layers that were asked for show there. */
static int paint_point(struct eco_point_answer *point, const struct eco_world *world,
                       const struct eco_grid *grid, struct eco_sampler *sampler,
                       struct eco_error *error)
{
    int code = 0;

    for (int layer = 0; !code && layer < ECO_LAYER_COUNT; layer++) {
        struct eco_picture picture;

        if (!(point->layers >> layer & 1))
            continue;
        code = eco_raster_grid(world, (enum eco_layer)layer, grid, sampler, &picture, error);
        if (!code)
            point->colours[layer] = eco_picture_colour(&picture, 0, 0);
    }
    return code;
}

static int answer_point(struct eco_ask *ask, const struct eco_world *world,
                        struct eco_sampler *sampler, struct eco_error *error)
{
    const unsigned climate = ECO_FIELD_TEMPERATURE | ECO_FIELD_PRECIPITATION | ECO_FIELD_RIVER;
    struct eco_point_answer *point = &ask->point;
    unsigned mask = ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_WEIGHTS |
                    (climate & eco_world_fields(point->config));
    const struct eco_grid grid = {.x0 = point->sampled_x,
                                  .z0 = point->sampled_z,
                                  .step = point->step,
                                  .width = 1,
                                  .height = 1};
    struct eco_planes planes;
    int code = eco_world_sample(world, &grid, mask, sampler, &planes, error);

    if (!code)
        code = paint_point(point, world, &grid, sampler, error);
    if (code)
        return code;
    point->world = world;
    point->planes = &planes;
    ask->text = eco_document_point(point);
    point->planes = NULL;
    return 0;
}

static int answer(struct eco_question *question, const struct eco_world *world,
                  struct eco_sampler *sampler, struct eco_error *error)
{
    struct eco_ask *ask = (struct eco_ask *)question;
    const struct eco_query_stop stop = {shall_stop, question};
    struct eco_locate_answer found;
    struct eco_area_answer ground;
    int code;

    if (ask->request->url.route == ECO_ROUTE_POINT) {
        code = answer_point(ask, world, sampler, error);
    } else if (ask->request->url.route == ECO_ROUTE_AREA) {
        code = eco_query_area(world, &ask->area, sampler, &stop, &ground, error);
        if (!code)
            ask->text = eco_document_area(world, &ask->area, &ground);
    } else {
        code = eco_query_locate(world, &ask->locate, sampler, &stop, &found, error);
        if (!code)
            ask->text = eco_document_locate(world, &ask->locate, &found);
    }
    if (!code && !ask->text)
        code = eco_error_set(error, ECO_ENOMEM, "no memory for an answer");
    return code;
}

/* Called from any thread. Once the connection is resumed it belongs to its own thread again. */
static void ask_done(struct eco_question *question, int code)
{
    struct eco_request *request = ((struct eco_ask *)question)->request;

    request->code = code;
    MHD_resume_connection(request->connection);
}

/* 0, or an error whose sentence is for the client. */
static int check(struct eco_ask *ask, const struct eco_url *url,
                 const struct eco_world_config *world, struct eco_error *error)
{
    if (url->route == ECO_ROUTE_POINT) {
        set_point(&ask->point, url, world);
        return find_layers(url->layers, world, &ask->point.layers, error);
    }
    if (url->route == ECO_ROUTE_AREA) {
        ask->area = (struct eco_area){url->rect[0], url->rect[1], url->rect[2], url->rect[3]};
        if (ask->area.x1 <= ask->area.x0 || ask->area.z1 <= ask->area.z0)
            return eco_error_set(error, ECO_EINVAL, "x1 and z1 must be greater than x0 and z0");
        return 0;
    }
    int biome = eco_query_biome(world, url->biome);

    if (biome < 0)
        return eco_error_set(error, ECO_ENOTFOUND,
                             "the world %s has no biome %u; /api/worlds lists the biomes of each "
                             "world",
                             world->name, url->biome);
    ask->locate = (struct eco_locate){(unsigned)biome, url->x, url->z, url->within};
    return 0;
}

enum MHD_Result eco_ask_begin(struct eco_request *request, const struct eco_world_config *world,
                              int64_t seed)
{
    struct eco_ask *ask = calloc(1, sizeof(*ask));
    const union MHD_ConnectionInfo *info;
    struct eco_error error = {0};
    int code;

    if (!ask)
        return MHD_NO;
    request->ask = ask;
    if (check(ask, &request->url, world, &error))
        return eco_reply_error(request->connection, eco_status_of(error.code), error.text);
    info = MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info)
        return MHD_NO;
    ask->socket = info->connect_fd;
    ask->request = request;
    ask->question.world = world;
    ask->question.seed = seed;
    ask->question.blend = request->url.blend;
    ask->question.brief = request->url.route == ECO_ROUTE_POINT;
    ask->question.answer = answer;
    ask->question.left = has_left;
    ask->question.done = ask_done;
    /* Suspended first: the worker may be done before eco_service_ask returns. */
    request->state = ECO_REQUEST_WAITING;
    MHD_suspend_connection(request->connection);
    code = eco_service_ask(request->server->service, &ask->question);
    if (code)
        ask_done(&ask->question, code);
    return MHD_YES;
}

static enum MHD_Result reply_json(struct eco_request *request, const char *text, bool no_store)
{
    struct eco_document *document =
        text ? eco_document_new_json(text, strlen(text), no_store) : NULL;
    enum MHD_Result result = MHD_NO;

    if (document)
        result = eco_reply_document(request->connection, &request->headers, document);
    eco_document_free(document);
    return result;
}

enum MHD_Result eco_ask_end(struct eco_request *request)
{
    return reply_json(request, request->ask->text, false);
}

enum MHD_Result eco_ask_border(struct eco_request *request, const struct eco_world_config *world)
{
    const struct eco_site *site = request->site;
    const struct eco_site_border *border = &site->borders[world - site->config->worlds];
    char *text = eco_document_border(world, &border->border, eco_site_border_elapsed(border));
    enum MHD_Result result = reply_json(request, text, true);

    free(text);
    return result;
}
