/* What the tests of the tile service share: a small world, a service and its folder for each test.
 * Include it after <cmocka.h>. */
#ifndef ECO_TESTS_SERVICE_FIXTURE_H
#define ECO_TESTS_SERVICE_FIXTURE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "serve/service.h"

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

static inline void start_service(struct fixture *fixture, bool with_cache, size_t memory_bytes,
                                 unsigned threads, unsigned deadline_ms)
{
    struct eco_service_options options = {.config = fixture->config,
                                          .cache_path = with_cache ? fixture->cache : NULL,
                                          .memory_bytes = memory_bytes,
                                          .threads = threads,
                                          .queue = 64,
                                          .deadline_ms = deadline_ms};
    struct eco_error error = {0};

    if (eco_service_new(&options, &fixture->service, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(eco_service_client_new(fixture->service, &fixture->client, &error), 0);
}

static inline void start(struct fixture *fixture, bool with_cache, size_t memory_bytes)
{
    start_service(fixture, with_cache, memory_bytes, 2, 0);
}

static inline void stop(struct fixture *fixture)
{
    eco_service_drain(fixture->service);
    eco_service_client_free(fixture->client);
    eco_service_free(fixture->service);
    fixture->service = NULL;
}

static inline int make_fixture(void **state)
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

static inline int free_fixture(void **state)
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

static inline void tell(void *context, int code, struct eco_blob *blob)
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
static inline int render(struct fixture *fixture, const struct eco_tile_request *request,
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

static inline struct eco_tile_request request_of(struct fixture *fixture, int64_t seed)
{
    return (struct eco_tile_request){.world = &fixture->config->worlds[0],
                                     .seed = seed,
                                     .layer = ECO_LAYER_BLEND,
                                     .tile = {.zoom = 18, .x = 131072, .y = 131071, .scale = 1}};
}

static inline struct eco_service_stats stats_of(struct fixture *fixture)
{
    struct eco_service_stats stats;

    eco_service_stats(fixture->service, &stats);
    return stats;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, free_fixture)

#endif
