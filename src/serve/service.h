/*
 * The tile service: memory cache -> SQLite -> single flight -> bounded queue (newest first) ->
 * pool. It knows nothing of HTTP.
 *
 * Thread rule: every function from any thread, except that an eco_service_client belongs to one
 * thread.
 */
#ifndef ECO_SERVE_SERVICE_H
#define ECO_SERVE_SERVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "raster/raster.h"
#include "world/config.h"

/* Immutable bytes, shared by reference count. */
struct eco_blob {
    atomic_uint references;
    unsigned char *data;
    size_t size;
    struct eco_hash128 hash; /* eco_hash128 of the bytes; the ETag */
    /* What the transport keeps ready beside the bytes (an MHD_Response); set once, freed with the
     * blob. */
    _Atomic(void *) attachment;
    void (*attachment_free)(void *attachment);
};

void eco_blob_incref(struct eco_blob *blob);
void eco_blob_decref(struct eco_blob *blob);

struct eco_service;
struct eco_service_client; /* a thread's own SQLite reader and scratch memory */

struct eco_tile_request {
    const struct eco_world_config *world;
    int64_t seed;
    enum eco_layer layer;
    struct eco_tile tile;
};

struct eco_service_options {
    const struct eco_config *config; /* must outlive the service */
    const char *cache_path;          /* NULL: memory only */
    size_t memory_bytes;
    unsigned threads; /* render workers, >= 1 */
    unsigned queue;   /* cold tiles that may wait */
};

struct eco_service_stats {
    uint64_t memory_hits, store_hits, renders, joined, refused, failed;
    uint64_t in_flight; /* tiles being rendered or waiting */
    uint64_t memory_bytes;
    bool store_degraded;
};

int eco_service_new(const struct eco_service_options *options, struct eco_service **out,
                    struct eco_error *error);
/* Refuses new renders, fails the waiting ones with ECO_ECANCELED and waits for the running ones.
 * All waiters have been called when it returns. Call it before the transport stops. */
void eco_service_drain(struct eco_service *service);
/* After eco_service_drain, once all clients are freed: joins the pool, flushes and closes the
 * cache. */
void eco_service_free(struct eco_service *service);

int eco_service_client_new(struct eco_service *service, struct eco_service_client **out,
                           struct eco_error *error);
void eco_service_client_free(struct eco_service_client *client);

/* The tile if memory or SQLite has it: 0 and a reference in *out. ECO_ENOTFOUND: it must be
 * rendered. Never waits for a render. */
int eco_service_lookup(struct eco_service_client *client, const struct eco_tile_request *request,
                       struct eco_blob **out);

/*
 * Has the tile rendered, once for all who ask at the same time. 0: `done` is called exactly once,
 * from any thread, perhaps before this returns, with 0 and a blob that is valid during the call
 * (take a reference to keep it), or with an error code and NULL. ECO_EBUSY: the queue is full;
 * ECO_ECANCELED: draining; `done` is then never called.
 */
int eco_service_render(struct eco_service *service, const struct eco_tile_request *request,
                       void (*done)(void *context, int code, struct eco_blob *blob), void *context);

/*
 * The planes of one block (width = height = 1) as a tile sampled at `step` shows it. `*world` is a
 * seeded world that stays open until eco_service_point_end, which must follow each success; planes
 * too.
 */
int eco_service_point_begin(struct eco_service_client *client,
                            const struct eco_world_config *config, int64_t seed, int64_t x,
                            int64_t z, int64_t step, const struct eco_world **world,
                            struct eco_planes *planes, struct eco_error *error);
void eco_service_point_end(struct eco_service_client *client);

void eco_service_stats(struct eco_service *service, struct eco_service_stats *out);

#endif
