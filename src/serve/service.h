/*
 * The tile service: memory cache -> SQLite -> single flight -> bounded queue (newest first) ->
 * pool. It knows nothing of HTTP.
 *
 * Thread rule: every function from any thread, except that an eco_service_client belongs to one
 * thread.
 */
#ifndef ECO_SERVE_SERVICE_H
#define ECO_SERVE_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/blob.h"
#include "serve/histogram.h"
#include "serve/tiles.h"
#include "store/cache.h"
#include "world/config.h"

struct eco_service;
struct eco_service_client; /* a thread's own SQLite reader */

struct eco_service_options {
    const struct eco_config *config; /* whose worlds are kept open */
    const char *cache_path;          /* NULL: memory only */
    uint64_t cache_limit;            /* bytes of the file; 0: no limit */
    size_t memory_bytes;
    unsigned threads;     /* render workers, >= 1 */
    unsigned queue;       /* cold tiles that may wait */
    unsigned deadline_ms; /* who has waited longer is let go; 0: ECO_DEADLINE_MS_DEFAULT, with a
                             question ECO_QUESTION_MS */
};

struct eco_service_stats {
    uint64_t memory_hits, store_hits;
    uint64_t renders;   /* tiles that were made */
    uint64_t joined;    /* requests that waited for a render that was under way */
    uint64_t refused;   /* requests that met a full queue */
    uint64_t expired;   /* requests let go at their deadline */
    uint64_t left;      /* requests whose client went away before the tile was drawn */
    uint64_t failed;    /* renders that ended in an error */
    uint64_t in_flight; /* tiles being rendered or waiting */
    uint64_t waiting;   /* of these, the tiles that no worker has begun */
    struct eco_histogram_snapshot render_seconds; /* of tiles, made or failed */
    uint64_t memory_bytes, memory_evicted;
    uint64_t blocks_bytes; /* of the block cache, as those below: eco_blocks_stats */
    uint64_t blocks_made, blocks_found, blocks_read;
    uint64_t store_stored, store_dropped, store_pending; /* tiles, as in eco_cache_stats */
    uint64_t store_evicted;                              /* images */
    uint64_t store_bytes, store_limit;
    bool store_open;     /* false: memory only, by choice or because the file could not be opened */
    bool store_degraded; /* asked for, but not open or not writable at the moment */
};

/* A cache file that cannot be opened is said in the log, and the service runs from memory. */
int eco_service_new(const struct eco_service_options *options, struct eco_service **out,
                    struct eco_error *error);
/* Another configuration takes the place of the first, of whose settings only cache.limit and
 * quotas are looked at here. Tiles of worlds with the same version stay in the caches; what was
 * asked of the old one is finished. */
void eco_service_reload(struct eco_service *service, const struct eco_config *config);
/* Refuses new renders, fails the waiting ones with ECO_ECANCELED and waits for the running ones.
 * All waiters have been called when it returns. Call it before the transport stops. */
void eco_service_drain(struct eco_service *service);
/* After eco_service_drain, once all clients are freed: joins the pool, flushes and closes the
 * cache. */
void eco_service_free(struct eco_service *service);

int eco_service_client_new(struct eco_service *service, struct eco_service_client **out,
                           struct eco_error *error);
void eco_service_client_free(struct eco_service_client *client);

struct eco_service_hits {
    uint64_t memory, store;
};

/* What the client found so far, from its own thread. */
void eco_service_client_hits(const struct eco_service_client *client, struct eco_service_hits *out);

/* The tile if memory or SQLite has it: 0 and a reference in *out. ECO_ENOTFOUND: it must be
 * rendered. Never waits for a render. */
int eco_service_lookup(struct eco_service_client *client, const struct eco_tile_request *request,
                       struct eco_blob **out);

/*
 * Has the tile rendered, once for all who ask at the same time. 0: `done` is called exactly once,
 * from any thread, perhaps before this returns, with 0 and a blob that is valid during the call
 * (take a reference to keep it), or with an error code and NULL. ECO_EBUSY: the queue is full;
 * ECO_ECANCELED: draining; `done` is then never called. `left`, or NULL: whether who asked has gone
 * away; asked now and then before `done`, which is then called with ECO_ECANCELED.
 */
int eco_service_render(struct eco_service *service, const struct eco_tile_request *request,
                       void (*done)(void *context, int code, struct eco_blob *blob),
                       bool (*left)(void *context), void *context);

/* A question for a render worker, as eco_questions_ask. */
struct eco_question;
int eco_service_ask(struct eco_service *service, struct eco_question *question);

/*
 * What the tiles of a world and seed are made of, as one number: the world hash with the render
 * revision. Equal numbers, equal bytes. Pure.
 */
uint64_t eco_service_world_version(const struct eco_world_config *world, int64_t seed);
/* The same of a world blended by another method; `blend` as in struct eco_tile_request. */
uint64_t eco_service_blend_version(const struct eco_world_config *world, int64_t seed,
                                   unsigned blend);

/* The quotas of worlds, as eco_cache_quotas. */
unsigned eco_service_quotas(struct eco_service *service, struct eco_cache_quota *out,
                            unsigned capacity);

void eco_service_stats(struct eco_service *service, struct eco_service_stats *out);

#endif
