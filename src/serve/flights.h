/*
 * Single flight: whoever asks for a tile that is already being made waits with the others, and the
 * tile is made once; it moves to the front of the queue. The result is in the memory cache before
 * the flight ends, and a new flight first looks there. Memory need not have kept it, so the render
 * looks where else a tile may be before it draws. A failed flight fails all who wait. Who has
 * waited longer than the deadline, or has left, is let go with ECO_ECANCELED; a tile that nobody
 * waits for any more and that no worker has begun is dropped.
 * Thread rule: every function from any thread.
 */
#ifndef ECO_SERVE_FLIGHTS_H
#define ECO_SERVE_FLIGHTS_H

#include <stdint.h>

#include "serve/memory.h"
#include "serve/pool.h"
#include "serve/service.h"

/* Makes the tile in a worker: 0 and a reference in *out, or an error code. */
typedef int (*eco_flight_render)(void *context, const struct eco_cache_key *key,
                                 const struct eco_tile_request *request, struct eco_worker *worker,
                                 struct eco_blob **out);

typedef void (*eco_flight_done)(void *context, int code, struct eco_blob *blob);

/* Whether the waiter has gone away; asked now and then until `done` is called, never after. It must
 * not wait. */
typedef bool (*eco_flight_left)(void *context);

struct eco_flights_stats {
    uint64_t joined;  /* waiters that found a flight under way */
    uint64_t found;   /* waiters whose tile was in memory after all */
    uint64_t refused; /* by a full queue */
    uint64_t failed;  /* flights that ended in an error */
    uint64_t expired; /* waiters let go at their deadline */
    uint64_t left;    /* waiters let go because they had gone away */
    uint64_t flights; /* under way now */
};

struct eco_flights;

/* `memory` and `pool` must outlive the flights; `queue` is a guess at how many there will be. */
int eco_flights_new(struct eco_memory *memory, struct eco_pool *pool, unsigned queue,
                    unsigned deadline_ms, eco_flight_render render, void *context,
                    struct eco_flights **out, struct eco_error *error);
/* After eco_flights_drain. NULL is allowed. */
void eco_flights_free(struct eco_flights *flights);

/*
 * 0: `done` is called exactly once, from any thread, perhaps before this returns, with 0 and a blob
 * that is valid during the call, or with an error code and NULL. ECO_EBUSY: the queue is full;
 * ECO_ECANCELED: draining; ECO_ENOMEM; `done` is then never called. `left` may be NULL.
 */
int eco_flights_join(struct eco_flights *flights, const struct eco_cache_key *key,
                     const struct eco_tile_request *request, eco_flight_done done,
                     eco_flight_left left, void *context);

/* Refuses new flights, fails those that no worker has begun, and returns when every waiter has been
 * called. */
void eco_flights_drain(struct eco_flights *flights);

void eco_flights_stats(struct eco_flights *flights, struct eco_flights_stats *out);

#endif
