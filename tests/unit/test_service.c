#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "serve/questions.h"
#include "serve/service.h"
#include "serve/worlds.h"

static const char config_text[] = "worlds:\n"
                                  "  - name: small\n"
                                  "    generator: patchwork\n"
                                  "    seed: 7\n"
                                  "    minzoom: 0\n"
                                  "    biomes:\n"
                                  "      - {id: 1, name: A, colour: \"#102030\"}\n"
                                  "      - {id: 2, name: B, colour: \"#405060\"}\n";

struct fixture {
    struct eco_config *config;
    char folder[64];
    char cache[96];
    struct eco_service *service;
    struct eco_service_client *client;
};

static void start_threads(struct fixture *fixture, bool with_cache, size_t memory_bytes,
                          unsigned threads)
{
    struct eco_service_options options = {.config = fixture->config,
                                          .cache_path = with_cache ? fixture->cache : NULL,
                                          .memory_bytes = memory_bytes,
                                          .threads = threads,
                                          .queue = 64};
    struct eco_error error = {0};

    if (eco_service_new(&options, &fixture->service, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(eco_service_client_new(fixture->service, &fixture->client, &error), 0);
}

static void start(struct fixture *fixture, bool with_cache, size_t memory_bytes)
{
    start_threads(fixture, with_cache, memory_bytes, 2);
}

static void stop(struct fixture *fixture)
{
    eco_service_drain(fixture->service);
    eco_service_client_free(fixture->client);
    eco_service_free(fixture->service);
    fixture->service = NULL;
}

static int make_fixture(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    struct eco_error error = {0};

    assert_non_null(fixture);
    if (eco_config_parse(config_text, strlen(config_text), "test", &fixture->config, &error) != 0)
        fail_msg("%s", error.text);
    strcpy(fixture->folder, "/tmp/ecotone-service-XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    snprintf(fixture->cache, sizeof(fixture->cache), "%s/tiles", fixture->folder);
    *state = fixture;
    return 0;
}

static int free_fixture(void **state)
{
    struct fixture *fixture = *state;
    char path[128];

    for (const char *const *ending = (const char *const[]){"", "-wal", "-shm", NULL}; *ending;
         ending++) {
        snprintf(path, sizeof(path), "%s%s", fixture->cache, *ending);
        unlink(path);
    }
    rmdir(fixture->folder);
    eco_config_free(fixture->config);
    free(fixture);
    return 0;
}

struct reply {
    pthread_mutex_t mutex;
    pthread_cond_t told;
    bool done;
    int code;
    struct eco_blob *blob;
};

static void tell(void *context, int code, struct eco_blob *blob)
{
    struct reply *reply = context;

    pthread_mutex_lock(&reply->mutex);
    reply->done = true;
    reply->code = code;
    reply->blob = blob;
    if (blob)
        eco_blob_incref(blob);
    pthread_cond_signal(&reply->told);
    pthread_mutex_unlock(&reply->mutex);
}

/* Renders and waits; the blob is the caller's. */
static int render(struct fixture *fixture, const struct eco_tile_request *request,
                  struct eco_blob **blob)
{
    struct reply reply = {.mutex = PTHREAD_MUTEX_INITIALIZER, .told = PTHREAD_COND_INITIALIZER};
    int code = eco_service_render(fixture->service, request, tell, NULL, &reply);

    *blob = NULL;
    if (code)
        return code;
    pthread_mutex_lock(&reply.mutex);
    while (!reply.done)
        pthread_cond_wait(&reply.told, &reply.mutex);
    pthread_mutex_unlock(&reply.mutex);
    *blob = reply.blob;
    return reply.code;
}

static struct eco_tile_request request_of(struct fixture *fixture, int64_t seed)
{
    return (struct eco_tile_request){.world = &fixture->config->worlds[0],
                                     .seed = seed,
                                     .layer = ECO_LAYER_BLEND,
                                     .tile = {.zoom = 18, .x = 131072, .y = 131071, .scale = 1}};
}

static struct eco_service_stats stats_of(struct fixture *fixture)
{
    struct eco_service_stats stats;

    eco_service_stats(fixture->service, &stats);
    return stats;
}

static void rendered_tile_is_found_in_memory(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_blob *rendered, *found;

    start(fixture, false, 1 << 20);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &found), ECO_ENOTFOUND);
    assert_int_equal(render(fixture, &request, &rendered), 0);
    assert_memory_equal(rendered->data, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &found), 0);
    assert_ptr_equal(found, rendered);
    eco_blob_decref(found);
    eco_blob_decref(rendered);
    assert_int_equal(stats_of(fixture).renders, 1);
    assert_int_equal(stats_of(fixture).memory_hits, 1);
    assert_false(stats_of(fixture).store_open);
    assert_true(stats_of(fixture).memory_bytes > 0);
    stop(fixture);
}

static void tile_is_stored_and_found_by_the_next_service(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7), other = request_of(fixture, 8);
    struct eco_blob *rendered, *found;

    start(fixture, true, 1 << 20);
    assert_int_equal(render(fixture, &request, &rendered), 0);
    stop(fixture);

    start(fixture, true, 0);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &found), 0);
    assert_int_equal(found->size, rendered->size);
    assert_memory_equal(found->data, rendered->data, rendered->size);
    assert_memory_equal(&found->hash, &rendered->hash, sizeof(found->hash));
    assert_int_equal(stats_of(fixture).store_hits, 1);
    eco_blob_decref(found);
    assert_int_equal(eco_service_lookup(fixture->client, &other, &found), ECO_ENOTFOUND);
    stop(fixture);
    eco_blob_decref(rendered);
}

/* A request that missed the tile, whose flight begins only when the tile is there. */
static void tile_that_memory_did_not_keep_is_made_once(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_blob *first, *again;

    start(fixture, true, 0);
    assert_int_equal(render(fixture, &request, &first), 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(render(fixture, &request, &again), 0);
        assert_int_equal(again->size, first->size);
        assert_memory_equal(again->data, first->data, first->size);
        assert_memory_equal(&again->hash, &first->hash, sizeof(first->hash));
        eco_blob_decref(again);
        /* At first it waits for the writer, then it is in the file. */
        while (i > 0 && stats_of(fixture).store_pending > 0)
            usleep(1000);
    }
    assert_int_equal(stats_of(fixture).renders, 1);
    assert_int_equal(stats_of(fixture).store_hits, 3);
    eco_blob_decref(first);
    stop(fixture);
}

static void everything_that_decides_the_bytes_is_in_the_key(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_world_config changed = fixture->config->worlds[0];
    struct eco_blob *rendered, *found;

    start(fixture, true, 1 << 20);
    assert_int_equal(render(fixture, &request, &rendered), 0);
    eco_blob_decref(rendered);
    for (unsigned part = 0; part < 7; part++) {
        struct eco_tile_request other = request;
        other.seed += part == 0;
        other.layer = part == 1 ? ECO_LAYER_BIOME : other.layer;
        other.tile.zoom -= part == 2;
        other.tile.x += part == 3;
        other.tile.y += part == 4;
        other.tile.scale += part == 5;
        changed.hash += part == 6;
        if (part == 6)
            other.world = &changed;
        assert_int_equal(eco_service_lookup(fixture->client, &other, &found), ECO_ENOTFOUND);
    }
    stop(fixture);
}

static void failed_render_is_told_and_counted(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_blob *blob;

    /* There is no such zoom, which the URL parser would have seen. */
    request.tile.zoom = 19;
    start(fixture, true, 1 << 20);
    assert_int_equal(render(fixture, &request, &blob), ECO_EINVAL);
    assert_null(blob);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &blob), ECO_ENOTFOUND);
    assert_int_equal(stats_of(fixture).failed, 1);
    assert_int_equal(stats_of(fixture).renders, 0);
    assert_int_equal(stats_of(fixture).in_flight, 0);
    stop(fixture);
}

static void drained_service_refuses_renders_and_answers_hits(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7), cold = request_of(fixture, 8);
    struct eco_blob *blob;

    start(fixture, false, 1 << 20);
    assert_int_equal(render(fixture, &request, &blob), 0);
    eco_blob_decref(blob);
    eco_service_drain(fixture->service);
    assert_int_equal(render(fixture, &cold, &blob), ECO_ECANCELED);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &blob), 0);
    eco_blob_decref(blob);
    stop(fixture);
}

struct asked {
    struct eco_question question; /* first */
    atomic_bool *shut;            /* its answer waits while this is set */
    atomic_int *answered;
};

static atomic_int answering; /* questions that were begun */

static int wait_and_answer(struct eco_question *question, const struct eco_world *world,
                           struct eco_sampler *sampler, struct eco_error *error)
{
    struct asked *asked = (struct asked *)question;

    (void)world;
    (void)sampler;
    (void)error;
    atomic_fetch_add(&answering, 1);
    while (atomic_load(asked->shut))
        usleep(100);
    return 0;
}

static void count_answer(struct eco_question *question, int code)
{
    if (!code)
        atomic_fetch_add(((struct asked *)question)->answered, 1);
}

/* How many of `count` questions are taken in while none is answered. */
static unsigned taken_in(struct fixture *fixture, struct asked *asked, unsigned count, bool brief,
                         atomic_bool *shut, atomic_int *answered)
{
    unsigned taken = 0;

    for (unsigned i = 0; i < count; i++) {
        int code;

        asked[i] = (struct asked){.question = {.world = &fixture->config->worlds[0],
                                               .seed = 9,
                                               .brief = brief,
                                               .answer = wait_and_answer,
                                               .done = count_answer},
                                  .shut = shut,
                                  .answered = answered};
        code = eco_service_ask(fixture->service, &asked[i].question);
        assert_true(code == 0 || code == ECO_EBUSY);
        taken += code == 0;
    }
    return taken;
}

static void brief_questions_are_bounded_by_the_queue_alone(void **state)
{
    struct fixture *fixture = *state;
    static struct asked lengthy[100], brief[100];
    atomic_bool shut;
    atomic_int answered;
    unsigned taken;

    atomic_init(&shut, true);
    atomic_init(&answered, 0);
    start(fixture, false, 1 << 20);
    assert_int_equal(taken_in(fixture, lengthy, 100, false, &shut, &answered), ECO_QUESTIONS_MAX);
    /* A lengthy one may still be in the queue of 64; each worker may have taken one out of it. */
    taken = taken_in(fixture, brief, 100, true, &shut, &answered);
    assert_in_range(taken, 63, 65);
    atomic_store(&shut, false);
    eco_service_drain(fixture->service);
    /* The drain fails those that no worker has begun. */
    assert_in_range(atomic_load(&answered), 0, taken + ECO_QUESTIONS_MAX);
    stop(fixture);
}

static void questions_leave_workers_to_tiles(void **state)
{
    struct fixture *fixture = *state;

    for (unsigned threads = 2; threads <= 5; threads++) {
        static struct asked asked[ECO_QUESTIONS_MAX];
        struct eco_tile_request request = request_of(fixture, threads);
        struct eco_blob *blob;
        atomic_bool shut;
        atomic_int answered;

        atomic_init(&shut, true);
        atomic_init(&answered, 0);
        atomic_store(&answering, 0);
        start_threads(fixture, false, 1 << 20, threads);
        assert_int_equal(taken_in(fixture, asked, ECO_QUESTIONS_MAX, false, &shut, &answered),
                         ECO_QUESTIONS_MAX);
        for (unsigned tile = 0; tile < 20; tile++) {
            request.tile.x = 100 + tile;
            assert_int_equal(render(fixture, &request, &blob), 0);
            eco_blob_decref(blob);
        }
        assert_in_range(atomic_load(&answering), 0, threads / 2);
        atomic_store(&shut, false);
        for (unsigned waited = 0; waited < 10000; waited++) {
            if (atomic_load(&answered) == ECO_QUESTIONS_MAX)
                break;
            usleep(1000);
        }
        assert_int_equal(atomic_load(&answered), ECO_QUESTIONS_MAX);
        stop(fixture);
    }
}

/* Goes on, slice after slice, until it may end. */
static int answer_in_slices(struct eco_question *question, const struct eco_world *world,
                            struct eco_sampler *sampler, struct eco_error *error)
{
    struct asked *asked = (struct asked *)question;

    (void)world;
    (void)sampler;
    (void)error;
    atomic_fetch_add(&answering, 1);
    while (atomic_load(asked->shut)) {
        if (eco_questions_pause(question))
            return ECO_ECANCELED;
        usleep(100);
    }
    return 0;
}

static void tiles_go_between_the_slices_of_a_question_where_there_is_one_worker(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 3);
    atomic_bool shut;
    atomic_int answered;
    struct asked asked = {.question = {.world = &fixture->config->worlds[0],
                                       .seed = 9,
                                       .answer = answer_in_slices,
                                       .done = count_answer},
                          .shut = &shut,
                          .answered = &answered};
    struct asked other = asked;
    struct eco_blob *blob;

    atomic_init(&shut, true);
    atomic_init(&answered, 0);
    atomic_store(&answering, 0);
    start_threads(fixture, false, 1 << 20, 1);
    assert_int_equal(eco_service_ask(fixture->service, &asked.question), 0);
    assert_int_equal(eco_service_ask(fixture->service, &other.question), 0);
    while (atomic_load(&answering) == 0)
        usleep(100);
    for (unsigned tile = 0; tile < 5; tile++) {
        request.tile.x = 200 + tile;
        assert_int_equal(render(fixture, &request, &blob), 0);
        eco_blob_decref(blob);
    }
    assert_int_equal(atomic_load(&answering), 1);
    assert_int_equal(atomic_load(&answered), 0);
    /* A question that runs is let go by a drain, one that waits is never begun. */
    eco_service_drain(fixture->service);
    assert_int_equal(atomic_load(&answering), 1);
    assert_int_equal(atomic_load(&answered), 0);
    stop(fixture);
}

static void world_version_changes_with_seed_and_config(void **state)
{
    struct fixture *fixture = *state;
    struct eco_world_config changed = fixture->config->worlds[0];
    uint64_t version = eco_service_world_version(&changed, 7);

    assert_true(version == eco_service_world_version(&fixture->config->worlds[0], 7));
    assert_true(version != eco_service_world_version(&changed, 8));
    changed.hash++;
    assert_true(version != eco_service_world_version(&changed, 7));
}

static void worlds_are_opened_once_and_bounded(void **state)
{
    struct fixture *fixture = *state;
    const struct eco_world_config *config = &fixture->config->worlds[0];
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct eco_seeded_world *held[ECO_SEEDED_WORLDS_MAX + 8], *again;
    const struct eco_world *world, *same;
    const unsigned many = ECO_SEEDED_WORLDS_MAX + 8;

    assert_int_equal(
        eco_worlds_acquire(worlds, config, 1, ECO_BLEND_SCATTERED, &held[0], &world, NULL), 0);
    assert_int_equal(
        eco_worlds_acquire(worlds, config, 1, ECO_BLEND_SCATTERED, &again, &same, NULL), 0);
    assert_ptr_equal(world, same);
    assert_int_equal(eco_worlds_count(worlds), 1);
    eco_worlds_release(worlds, again);
    for (unsigned i = 1; i < many; i++)
        assert_int_equal(
            eco_worlds_acquire(worlds, config, i + 1, ECO_BLEND_SCATTERED, &held[i], &world, NULL),
            0);
    /* What is in use stays, even above the bound. */
    assert_int_equal(eco_worlds_count(worlds), many);
    for (unsigned i = 0; i < many; i++)
        eco_worlds_release(worlds, held[i]);
    assert_int_equal(eco_worlds_count(worlds), ECO_SEEDED_WORLDS_MAX);
    eco_worlds_free(worlds);
}

static void each_method_of_blending_is_a_world_of_its_own(void **state)
{
    struct fixture *fixture = *state;
    const struct eco_world_config *config = &fixture->config->worlds[0];
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct eco_seeded_world *held[ECO_BLEND_METHODS];
    const struct eco_world *world;

    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++) {
        assert_int_equal(eco_worlds_acquire(worlds, config, 1, (enum eco_blend_method)method,
                                            &held[method], &world, NULL),
                         0);
        assert_int_equal(eco_world_blend(world), method);
        assert_int_equal(eco_worlds_count(worlds), method + 1);
    }
    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++)
        eco_worlds_release(worlds, held[method]);
    eco_worlds_free(worlds);
}

static void world_that_cannot_be_opened_is_not_kept(void **state)
{
    struct fixture *fixture = *state;
    struct eco_world_config unknown = fixture->config->worlds[0];
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct eco_seeded_world *seeded = NULL;
    const struct eco_world *world = NULL;
    struct eco_error error = {0};

    unknown.name = "unknown";
    for (int round = 0; round < 2; round++) {
        assert_int_equal(
            eco_worlds_acquire(worlds, &unknown, 1, ECO_BLEND_SCATTERED, &seeded, &world, &error),
            ECO_ENOTFOUND);
        assert_non_null(strstr(error.text, "unknown"));
        assert_int_equal(eco_worlds_count(worlds), 0);
    }
    eco_worlds_free(worlds);
}

struct opener {
    struct eco_worlds *worlds;
    const struct eco_world_config *config;
    unsigned failures;
};

static void *open_many(void *argument)
{
    struct opener *opener = argument;

    for (int64_t i = 0; i < 300; i++) {
        struct eco_seeded_world *seeded;
        const struct eco_world *world;

        if (eco_worlds_acquire(opener->worlds, opener->config, i * 7 % 40, ECO_BLEND_SCATTERED,
                               &seeded, &world, NULL)) {
            opener->failures++;
            continue;
        }
        if (eco_world_seed(world) != i * 7 % 40)
            opener->failures++;
        eco_worlds_release(opener->worlds, seeded);
    }
    return NULL;
}

static void threads_share_opened_worlds(void **state)
{
    struct fixture *fixture = *state;
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct opener openers[4];
    pthread_t threads[4];

    for (unsigned i = 0; i < 4; i++) {
        openers[i] = (struct opener){worlds, &fixture->config->worlds[0], 0};
        assert_int_equal(pthread_create(&threads[i], NULL, open_many, &openers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(openers[i].failures, 0);
    }
    assert_true(eco_worlds_count(worlds) <= ECO_SEEDED_WORLDS_MAX);
    eco_worlds_free(worlds);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, free_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rendered_tile_is_found_in_memory),
        TEST(tile_is_stored_and_found_by_the_next_service),
        TEST(tile_that_memory_did_not_keep_is_made_once),
        TEST(everything_that_decides_the_bytes_is_in_the_key),
        TEST(failed_render_is_told_and_counted),
        TEST(drained_service_refuses_renders_and_answers_hits),
        TEST(questions_leave_workers_to_tiles),
        TEST(tiles_go_between_the_slices_of_a_question_where_there_is_one_worker),
        TEST(brief_questions_are_bounded_by_the_queue_alone),
        TEST(world_version_changes_with_seed_and_config),
        TEST(worlds_are_opened_once_and_bounded),
        TEST(each_method_of_blending_is_a_world_of_its_own),
        TEST(world_that_cannot_be_opened_is_not_kept),
        TEST(threads_share_opened_worlds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
