#include "serve/service.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/log.h"
#include "codec/png.h"
#include "serve/blocks.h"
#include "serve/flights.h"
#include "serve/memory.h"
#include "serve/pool.h"
#include "serve/questions.h"
#include "serve/worlds.h"
#include "store/cache.h"

/* What a worker needs beside its sampler. */
struct kit {
    struct eco_png_encoder *encoder;
    struct eco_buffer bytes;
};

struct eco_service {
    struct eco_worlds *worlds;
    struct eco_blocks *blocks;
    struct eco_memory *memory;
    struct eco_cache *cache; /* NULL: memory only */
    pthread_mutex_t again_mutex;
    struct eco_cache_reader *again; /* of the workers; NULL without a cache */
    bool cache_failed;              /* one was asked for, but could not be opened */
    struct eco_pool *pool;
    struct eco_flights *flights;
    struct eco_questions *questions;
    struct kit *kits;
    unsigned kit_count;
    atomic_uint_fast64_t renders;
    atomic_uint_fast64_t found_again; /* tiles that the store had after all */
    struct eco_histogram render_seconds;

    pthread_mutex_t clients_mutex;
    LIST_HEAD(, eco_service_client) clients;
    uint64_t memory_hits, store_hits; /* of clients that are gone */
};

struct eco_service_client {
    struct eco_service *service;
    LIST_ENTRY(eco_service_client) clients;
    struct eco_cache_reader *reader;
    struct eco_buffer bytes;
    /* Counted by the client's own thread, read by whoever asks for statistics. */
    atomic_uint_fast64_t memory_hits, store_hits;
};

int eco_service_ask(struct eco_service *service, struct eco_question *question)
{
    return eco_questions_ask(service->questions, question);
}

uint64_t eco_service_blend_version(const struct eco_world_config *world, int64_t seed,
                                   unsigned blend)
{
    return eco_tiles_version(world, seed, eco_worlds_method(world, blend));
}

uint64_t eco_service_world_version(const struct eco_world_config *world, int64_t seed)
{
    return eco_service_blend_version(world, seed, 0);
}

/* The bytes of a tile in kit->bytes. */
static int make_tile(struct eco_service *service, const struct eco_tile_request *request,
                     struct eco_worker *worker, struct kit *kit, struct eco_error *error)
{
    struct eco_seeded_world *seeded;
    const struct eco_world *world;
    int result = eco_worlds_acquire(service->worlds, request->world, request->seed,
                                    eco_worlds_method(request->world, request->blend), &seeded,
                                    &world, error);

    if (result)
        return result;
    worker->sampler.blocks = eco_blocks_cache(service->blocks);
    result = eco_tiles_make(request, world, &worker->sampler, kit->encoder, &kit->bytes, error);
    eco_worlds_release(service->worlds, seeded);
    return result;
}

/*
 * The tile may have been made between the caller's look into the store and the flight, and memory
 * need not have kept it.
 */
static struct eco_blob *look_again(struct eco_service *service, const struct eco_cache_key *key,
                                   struct kit *kit)
{
    struct eco_hash128 hash;
    struct eco_blob *blob;
    int code;

    if (!service->again)
        return NULL;
    code = eco_cache_get_pending(service->cache, key, &kit->bytes, &hash);
    if (code) {
        pthread_mutex_lock(&service->again_mutex);
        code = eco_cache_get(service->again, key, &kit->bytes, &hash);
        pthread_mutex_unlock(&service->again_mutex);
    }
    blob = code ? NULL : eco_blob_new(kit->bytes.data, kit->bytes.size, hash);
    if (blob)
        atomic_fetch_add_explicit(&service->found_again, 1, memory_order_relaxed);
    return blob;
}

static int render(void *context, const struct eco_cache_key *key,
                  const struct eco_tile_request *request, struct eco_worker *worker,
                  struct eco_blob **out)
{
    struct eco_service *service = context;
    struct kit *kit = &service->kits[worker->index];
    struct eco_error error = {0};
    uint64_t begin;
    int result;

    *out = look_again(service, key, kit);
    if (*out)
        return 0;
    begin = eco_clock_monotonic_ns();
    result = make_tile(service, request, worker, kit, &error);
    eco_histogram_add(&service->render_seconds, eco_clock_monotonic_ns() - begin);
    if (!result) {
        struct eco_hash128 hash = eco_hash128(kit->bytes.data, kit->bytes.size);
        *out = eco_blob_new(kit->bytes.data, kit->bytes.size, hash);
        if (!*out) {
            result = ECO_ENOMEM;
            eco_error_set(&error, result, "no memory for the bytes of a tile");
        }
    }
    if (result) {
        eco_log(ECO_LOG_ERROR, "tile %s/%s/%u/%u/%u of seed %lld failed: %s", request->world->name,
                eco_layer_name(request->layer), request->tile.zoom, request->tile.x,
                request->tile.y, (long long)request->seed, error.text);
        return result;
    }
    atomic_fetch_add_explicit(&service->renders, 1, memory_order_relaxed);
    /* The cache counts what it could not take; the tile is served all the same. */
    if (service->cache) {
        const struct eco_cache_origin origin = {
            request->world->name, request->seed,
            (uint8_t)eco_worlds_method(request->world, request->blend)};

        (void)eco_cache_put(service->cache, key, &origin, (*out)->data, (*out)->size,
                            &(*out)->hash);
    }
    return 0;
}

static void open_cache(struct eco_service *service, const char *path)
{
    struct eco_error error = {0};

    if (!path)
        return;
    if (eco_cache_open(path, &service->cache, &error) == 0 &&
        eco_cache_reader_new(service->cache, &service->again, &error) == 0 &&
        eco_blocks_keep_in(service->blocks, service->cache, &error) == 0)
        return;
    eco_cache_reader_free(service->again);
    service->again = NULL;
    eco_cache_close(service->cache);
    service->cache = NULL;
    service->cache_failed = true;
    eco_log(ECO_LOG_WARN, "%s; tiles are kept in memory only", error.text);
}

/* The quotas of a configuration's worlds. */
static void set_quotas(struct eco_service *service, const struct eco_config *config)
{
    struct eco_cache_quota quotas[ECO_WORLDS_MAX];
    unsigned count = 0;

    for (unsigned i = 0; i < config->worlds_count; i++) {
        const struct eco_world_config *world = &config->worlds[i];

        if (!world->quota)
            continue;
        quotas[count] = (struct eco_cache_quota){.limit = world->quota};
        snprintf(quotas[count].world, sizeof(quotas[count].world), "%s", world->name);
        count++;
    }
    eco_cache_set_quotas(service->cache, quotas, count);
}

unsigned eco_service_quotas(struct eco_service *service, struct eco_cache_quota *out,
                            unsigned capacity)
{
    return service->cache ? eco_cache_quotas(service->cache, out, capacity) : 0;
}

static int make_kits(struct eco_service *service, unsigned count, struct eco_error *error)
{
    service->kits = calloc(count, sizeof(*service->kits));
    if (!service->kits)
        return eco_error_set(error, ECO_ENOMEM, "no memory for %u render threads", count);
    for (; service->kit_count < count; service->kit_count++) {
        struct kit *kit = &service->kits[service->kit_count];
        eco_buffer_init(&kit->bytes);
        if (eco_png_encoder_new(&kit->encoder) != 0)
            return eco_error_set(error, ECO_ENOMEM, "no memory for %u PNG encoders", count);
    }
    return 0;
}

int eco_service_new(const struct eco_service_options *options, struct eco_service **out,
                    struct eco_error *error)
{
    struct eco_service *service = calloc(1, sizeof(*service));
    unsigned deadline = options->deadline_ms ? options->deadline_ms : ECO_DEADLINE_MS_DEFAULT;
    int result;

    if (!service)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the tile service");
    atomic_init(&service->renders, 0);
    atomic_init(&service->found_again, 0);
    pthread_mutex_init(&service->again_mutex, NULL);
    eco_histogram_init(&service->render_seconds);
    pthread_mutex_init(&service->clients_mutex, NULL);
    LIST_INIT(&service->clients);
    service->worlds = eco_worlds_new(options->config);
    service->memory = eco_memory_new(options->memory_bytes);
    service->blocks = eco_blocks_new(ECO_BLOCKS_BYTES);
    if (!service->worlds || !service->memory || !service->blocks) {
        result = eco_error_set(error, ECO_ENOMEM, "no memory for the tile service");
        goto out;
    }
    result = eco_pool_new(options->threads, options->queue, &service->pool, error);
    if (result)
        goto out;
    result = make_kits(service, options->threads, error);
    if (result)
        goto out;
    result = eco_flights_new(service->memory, service->pool, options->queue, deadline, render,
                             service, &service->flights, error);
    if (result)
        goto out;
    service->questions =
        eco_questions_new(service->pool, service->worlds, service->blocks,
                          options->deadline_ms ? options->deadline_ms : ECO_QUESTION_MS);
    if (!service->questions) {
        result = eco_error_set(error, ECO_ENOMEM, "no memory for the tile service");
        goto out;
    }
    open_cache(service, options->cache_path);
    if (service->cache) {
        eco_cache_set_limit(service->cache, options->cache_limit);
        set_quotas(service, options->config);
    }
    *out = service;
    return 0;
out:
    eco_service_free(service);
    return result;
}

void eco_service_reload(struct eco_service *service, const struct eco_config *config)
{
    eco_worlds_replace(service->worlds, config);
    if (service->cache) {
        eco_cache_set_limit(service->cache, config->cache.limit_bytes);
        set_quotas(service, config);
    }
}

void eco_service_drain(struct eco_service *service)
{
    eco_flights_drain(service->flights);
    eco_questions_drain(service->questions);
}

void eco_service_free(struct eco_service *service)
{
    if (!service)
        return;
    eco_pool_free(service->pool);
    eco_flights_free(service->flights);
    eco_questions_free(service->questions);
    eco_blocks_free(service->blocks);
    eco_cache_reader_free(service->again);
    eco_cache_close(service->cache);
    for (unsigned i = 0; i < service->kit_count; i++) {
        eco_png_encoder_free(service->kits[i].encoder);
        eco_buffer_release(&service->kits[i].bytes);
    }
    free(service->kits);
    eco_memory_free(service->memory);
    eco_worlds_free(service->worlds);
    pthread_mutex_destroy(&service->clients_mutex);
    pthread_mutex_destroy(&service->again_mutex);
    free(service);
}

int eco_service_client_new(struct eco_service *service, struct eco_service_client **out,
                           struct eco_error *error)
{
    struct eco_service_client *client = calloc(1, sizeof(*client));
    int result;

    if (!client)
        return eco_error_set(error, ECO_ENOMEM, "no memory for a client of the tile service");
    client->service = service;
    if (service->cache) {
        result = eco_cache_reader_new(service->cache, &client->reader, error);
        if (result) {
            free(client);
            return result;
        }
    }
    eco_buffer_init(&client->bytes);
    atomic_init(&client->memory_hits, 0);
    atomic_init(&client->store_hits, 0);
    pthread_mutex_lock(&service->clients_mutex);
    LIST_INSERT_HEAD(&service->clients, client, clients);
    pthread_mutex_unlock(&service->clients_mutex);
    *out = client;
    return 0;
}

void eco_service_client_free(struct eco_service_client *client)
{
    struct eco_service *service;

    if (!client)
        return;
    service = client->service;
    pthread_mutex_lock(&service->clients_mutex);
    LIST_REMOVE(client, clients);
    service->memory_hits += atomic_load_explicit(&client->memory_hits, memory_order_relaxed);
    service->store_hits += atomic_load_explicit(&client->store_hits, memory_order_relaxed);
    pthread_mutex_unlock(&service->clients_mutex);
    if (client->reader)
        eco_cache_reader_free(client->reader);
    eco_buffer_release(&client->bytes);
    free(client);
}

void eco_service_client_hits(const struct eco_service_client *client, struct eco_service_hits *out)
{
    out->memory = atomic_load_explicit(&client->memory_hits, memory_order_relaxed);
    out->store = atomic_load_explicit(&client->store_hits, memory_order_relaxed);
}

int eco_service_lookup(struct eco_service_client *client, const struct eco_tile_request *request,
                       struct eco_blob **out)
{
    struct eco_service *service = client->service;
    struct eco_cache_key key = eco_tiles_key(request);
    struct eco_hash128 hash;
    struct eco_blob *blob = eco_memory_get(service->memory, &key);

    *out = blob;
    if (blob) {
        atomic_fetch_add_explicit(&client->memory_hits, 1, memory_order_relaxed);
        return 0;
    }
    if (!client->reader || eco_cache_get(client->reader, &key, &client->bytes, &hash) != 0)
        return ECO_ENOTFOUND;
    blob = eco_blob_new(client->bytes.data, client->bytes.size, hash);
    if (!blob)
        return ECO_ENOMEM;
    atomic_fetch_add_explicit(&client->store_hits, 1, memory_order_relaxed);
    eco_memory_put(service->memory, &key, blob);
    *out = blob;
    return 0;
}

int eco_service_render(struct eco_service *service, const struct eco_tile_request *request,
                       void (*done)(void *context, int code, struct eco_blob *blob),
                       bool (*left)(void *context), void *context)
{
    struct eco_cache_key key = eco_tiles_key(request);

    return eco_flights_join(service->flights, &key, request, done, left, context);
}

void eco_service_stats(struct eco_service *service, struct eco_service_stats *out)
{
    struct eco_flights_stats flights;
    struct eco_cache_stats cache = {0};
    struct eco_blocks_stats blocks;
    struct eco_service_client *client;

    eco_flights_stats(service->flights, &flights);
    eco_blocks_stats(service->blocks, &blocks);
    if (service->cache)
        eco_cache_stats(service->cache, &cache);
    *out = (struct eco_service_stats){
        .renders = atomic_load_explicit(&service->renders, memory_order_relaxed),
        .joined = flights.joined,
        .refused = flights.refused,
        .expired = flights.expired + eco_questions_expired(service->questions),
        .left = flights.left,
        .failed = flights.failed,
        .in_flight = flights.flights,
        .waiting = eco_pool_waiting(service->pool),
        .memory_bytes = eco_memory_bytes(service->memory),
        .memory_evicted = eco_memory_evicted(service->memory),
        .blocks_bytes = blocks.bytes,
        .blocks_made = blocks.made,
        .blocks_found = blocks.found,
        .blocks_read = blocks.read,
        .store_stored = cache.stored,
        .store_dropped = cache.dropped,
        .store_pending = cache.pending,
        .store_evicted = cache.evicted,
        .store_bytes = cache.bytes,
        .store_limit = cache.limit,
        .store_open = service->cache != NULL,
        .store_degraded = service->cache_failed || cache.degraded,
    };
    eco_histogram_read(&service->render_seconds, &out->render_seconds);
    pthread_mutex_lock(&service->clients_mutex);
    out->memory_hits = service->memory_hits + flights.found;
    out->store_hits =
        service->store_hits + atomic_load_explicit(&service->found_again, memory_order_relaxed);
    LIST_FOREACH (client, &service->clients, clients) {
        out->memory_hits += atomic_load_explicit(&client->memory_hits, memory_order_relaxed);
        out->store_hits += atomic_load_explicit(&client->store_hits, memory_order_relaxed);
    }
    pthread_mutex_unlock(&service->clients_mutex);
}
