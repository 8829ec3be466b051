#include "http/score.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/questions.h"
#include "serve/service.h"

#define FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))

char *eco_document_score(const struct eco_world_config *world, int64_t seed,
                         const struct eco_score_query *query, const struct eco_score *score)
{
    char seed_text[24];
    json_t *object;
    char *text;

    snprintf(seed_text, sizeof(seed_text), "%" PRId64, seed);
    object = json_pack(
        "{s:s,s:s,s:[I,I,I,I],s:I,s:{s:f,s:i,s:f,s:i},s:{s:f,s:f},s:f,s:f,s:f,s:f,s:f,s:f,s:I,s:I,"
        "s:s}",
        "world", world->name, "seed", seed_text, "rect", (json_int_t)query->x0,
        (json_int_t)query->z0, (json_int_t)query->x1, (json_int_t)query->z1, "step",
        (json_int_t)query->step, "rules", "unit_slope", query->rules.unit_slope, "unit_size",
        (int)query->rules.unit_size, "building_slope", query->rules.building_slope, "building_size",
        (int)query->rules.building_size, "slope", "mean", score->mean, "deviation",
        score->deviation, "eps", score->eps, "upsilon", score->upsilon, "beta", score->beta,
        "omega", score->omega, "access", score->access, "build", score->build, "parts",
        (json_int_t)score->parts, "largest", (json_int_t)score->largest, "note",
        "what hangs together is asked within the window");
    text = object ? json_dumps(object, FLAGS) : NULL;
    json_decref(object);
    return text;
}

struct eco_score_question {
    struct eco_question question; /* first: it is handed back */
    struct eco_request *request;
    int socket;
};

static bool has_left(struct eco_question *question)
{
    return eco_server_left(((struct eco_score_question *)question)->socket);
}

static bool shall_stop(void *context)
{
    return eco_questions_pause(context);
}

static int answer(struct eco_question *question, const struct eco_world *world,
                  struct eco_sampler *sampler, struct eco_error *error)
{
    struct eco_request *request = ((struct eco_score_question *)question)->request;
    const struct eco_query_stop stop = {shall_stop, question};

    return eco_score_world(world, &request->score_query, sampler, &stop, &request->score, error);
}

/* Called from any thread. Once the connection is resumed it belongs to its own thread again. */
static void score_done(struct eco_question *question, int code)
{
    struct eco_request *request = ((struct eco_score_question *)question)->request;

    free(question);
    request->code = code;
    MHD_resume_connection(request->connection);
}

static void set_query(struct eco_request *request, const struct eco_world_config *world)
{
    const struct eco_url *url = &request->url;
    struct eco_score_query *query = &request->score_query;

    eco_score_defaults(world, query);
    query->x0 = url->rect[0];
    query->z0 = url->rect[1];
    query->x1 = url->rect[2];
    query->z1 = url->rect[3];
    if (url->step)
        query->step = url->step;
    if (url->unit_slope > 0.0)
        query->rules.unit_slope = url->unit_slope;
    if (url->building_slope > 0.0)
        query->rules.building_slope = url->building_slope;
    if (url->unit_size)
        query->rules.unit_size = url->unit_size;
    if (url->building_size)
        query->rules.building_size = url->building_size;
}

enum MHD_Result eco_score_begin(struct eco_request *request, const struct eco_world_config *world,
                                int64_t seed)
{
    struct eco_score_question *asked;
    const union MHD_ConnectionInfo *info;
    struct eco_error error = {0};
    int code;

    set_query(request, world);
    request->score_world = world;
    request->score_seed = seed;
    if (eco_score_check(&request->score_query, ECO_SCORE_CELLS_MAX, &error))
        return eco_reply_error(request->connection, MHD_HTTP_BAD_REQUEST, error.text);
    info = MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    asked = info ? calloc(1, sizeof(*asked)) : NULL;
    if (!asked)
        return MHD_NO;
    asked->socket = info->connect_fd;
    asked->request = request;
    asked->question = (struct eco_question){
        .world = world, .seed = seed, .answer = answer, .left = has_left, .done = score_done};
    /* Suspended first: the worker may be done before eco_service_ask returns. */
    request->state = ECO_REQUEST_WAITING;
    MHD_suspend_connection(request->connection);
    code = eco_service_ask(request->server->service, &asked->question);
    if (code)
        score_done(&asked->question, code);
    return MHD_YES;
}

enum MHD_Result eco_score_end(struct eco_request *request)
{
    char *text = eco_document_score(request->score_world, request->score_seed,
                                    &request->score_query, &request->score);
    struct eco_document *document = text ? eco_document_new_json(text, strlen(text), false) : NULL;
    enum MHD_Result result = MHD_NO;

    free(text);
    if (document)
        result = eco_reply_document(request->connection, &request->headers, document);
    eco_document_free(document);
    return result;
}
