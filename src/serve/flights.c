#include "serve/flights.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "store/key.h"

/* A waiter who left is noticed so soon. */
#define TICK_NS 250000000u

struct flight;

struct waiter {
    eco_flight_done done;
    eco_flight_left left;
    void *context;
    uint64_t deadline_ns;
    struct flight *flight;
    TAILQ_ENTRY(waiter) of_flight; /* or of those to be called */
    TAILQ_ENTRY(waiter) by_deadline;
};

TAILQ_HEAD(waiters, waiter);

struct flight {
    struct eco_pool_job job; /* first: the job is the flight */
    struct eco_flights *flights;
    struct eco_cache_key key;
    struct eco_tile_request request;
    uint64_t hash;
    struct flight *chain;
    struct waiters waiters;
};

struct eco_flights {
    struct eco_memory *memory;
    struct eco_pool *pool;
    eco_flight_render render;
    void *context;
    uint64_t deadline_ns;

    pthread_mutex_t mutex; /* taken before those of the pool and the memory cache */
    struct flight **buckets;
    size_t bucket_count;        /* a power of two */
    struct waiters by_deadline; /* every waiter has the same patience: a queue */
    unsigned open;              /* flights whose waiters have not all been called */
    pthread_cond_t closed;      /* `open` fell to 0 */
    bool draining;
    struct eco_flights_stats stats;

    pthread_t clock_thread;
    bool clock_started, clock_stop;
    pthread_cond_t clock_wake;
};

static void free_flight(struct flight *flight)
{
    eco_config_free((struct eco_config *)flight->request.world->owner);
    free(flight);
}

/* --- with the mutex held -----------------------------------------------------------------------
 */

static struct flight **place_of(struct eco_flights *flights, const struct eco_cache_key *key,
                                uint64_t hash)
{
    struct flight **place = &flights->buckets[hash & (flights->bucket_count - 1)];

    while (*place && !((*place)->hash == hash && eco_key_equal(&(*place)->key, key)))
        place = &(*place)->chain;
    return place;
}

static void add_waiter(struct eco_flights *flights, struct flight *flight, struct waiter *waiter)
{
    waiter->flight = flight;
    waiter->deadline_ns = eco_clock_monotonic_ns() + flights->deadline_ns;
    TAILQ_INSERT_HEAD(&flight->waiters, waiter, of_flight);
    TAILQ_INSERT_TAIL(&flights->by_deadline, waiter, by_deadline);
}

/* Takes the flight off the map and adds all who wait for it to those to be called. */
static void end_flight(struct eco_flights *flights, struct flight *flight, struct waiters *called)
{
    struct flight **place = place_of(flights, &flight->key, flight->hash);
    struct waiter *waiter;

    *place = flight->chain;
    flights->stats.flights--;
    TAILQ_FOREACH (waiter, &flight->waiters, of_flight)
        TAILQ_REMOVE(&flights->by_deadline, waiter, by_deadline);
    TAILQ_CONCAT(called, &flight->waiters, of_flight);
}

static void close_one(struct eco_flights *flights)
{
    if (--flights->open == 0)
        pthread_cond_broadcast(&flights->closed);
}

/* --- without it
 * ---------------------------------------------------------------------------------*/

static void call_waiters(struct waiters *called, int code, struct eco_blob *blob)
{
    struct waiter *waiter;

    while ((waiter = TAILQ_FIRST(called))) {
        TAILQ_REMOVE(called, waiter, of_flight);
        waiter->done(waiter->context, code, blob);
        free(waiter);
    }
}

static void fly(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct flight *flight = (struct flight *)job;
    struct eco_flights *flights = flight->flights;
    struct waiters called = TAILQ_HEAD_INITIALIZER(called);
    struct eco_blob *blob = NULL;
    int code;

    code = flights->render(flights->context, &flight->key, &flight->request, worker, &blob);
    if (!code)
        eco_memory_put(flights->memory, &flight->key, blob);
    pthread_mutex_lock(&flights->mutex);
    end_flight(flights, flight, &called);
    if (code)
        flights->stats.failed++;
    pthread_mutex_unlock(&flights->mutex);

    call_waiters(&called, code, blob);
    eco_blob_decref(blob);
    free_flight(flight);
    pthread_mutex_lock(&flights->mutex);
    close_one(flights);
    pthread_mutex_unlock(&flights->mutex);
}

/* With the mutex held: one waiter goes to the lost, and with the last one the flight. The drain
 * waits until he was called and close_one followed. */
static void let_go(struct eco_flights *flights, struct waiter *waiter, struct waiters *lost)
{
    struct flight *flight = waiter->flight;

    TAILQ_REMOVE(&flights->by_deadline, waiter, by_deadline);
    TAILQ_REMOVE(&flight->waiters, waiter, of_flight);
    TAILQ_INSERT_HEAD(lost, waiter, of_flight);
    flights->open++;
    if (TAILQ_EMPTY(&flight->waiters) && eco_pool_remove(flights->pool, &flight->job)) {
        end_flight(flights, flight, lost);
        free_flight(flight);
        close_one(flights);
    }
}

/* With the mutex held, which is open while waiters are called. */
static void let_go_of_lost(struct eco_flights *flights, uint64_t now)
{
    struct waiters lost = TAILQ_HEAD_INITIALIZER(lost);
    struct waiter *later;
    unsigned count = 0;

    for (struct waiter *waiter = TAILQ_FIRST(&flights->by_deadline); waiter; waiter = later) {
        later = TAILQ_NEXT(waiter, by_deadline);
        if (waiter->deadline_ns <= now)
            flights->stats.expired++;
        else if (waiter->left && waiter->left(waiter->context))
            flights->stats.left++;
        else
            continue;
        let_go(flights, waiter, &lost);
        count++;
    }
    if (!count)
        return;
    pthread_mutex_unlock(&flights->mutex);
    call_waiters(&lost, ECO_ECANCELED, NULL);
    pthread_mutex_lock(&flights->mutex);
    while (count--)
        close_one(flights);
}

/* Looks at all who wait a few times in each span of patience, so that no waiter has to wake it. */
static void *watch_clock(void *argument)
{
    struct eco_flights *flights = argument;
    uint64_t tick = flights->deadline_ns / 16 < TICK_NS ? flights->deadline_ns / 16 + 1 : TICK_NS;

    pthread_mutex_lock(&flights->mutex);
    while (!flights->clock_stop) {
        uint64_t now = eco_clock_monotonic_ns();
        struct timespec until;

        let_go_of_lost(flights, now);
        until.tv_sec = (time_t)((now + tick) / 1000000000u);
        until.tv_nsec = (long)((now + tick) % 1000000000u);
        if (!flights->clock_stop)
            pthread_cond_timedwait(&flights->clock_wake, &flights->mutex, &until);
    }
    pthread_mutex_unlock(&flights->mutex);
    return NULL;
}

static struct flight *new_flight(struct eco_flights *flights, const struct eco_cache_key *key,
                                 uint64_t hash, const struct eco_tile_request *request)
{
    struct flight *flight = malloc(sizeof(*flight));

    if (!flight)
        return NULL;
    /* It may outlive all who asked. */
    eco_config_hold(request->world->owner);
    *flight = (struct flight){
        .job.run = fly, .flights = flights, .key = *key, .request = *request, .hash = hash};
    TAILQ_INIT(&flight->waiters);
    return flight;
}

/* With the mutex held: a flight of its own for the waiter. */
static int take_off(struct eco_flights *flights, const struct eco_cache_key *key, uint64_t hash,
                    const struct eco_tile_request *request, struct waiter *waiter)
{
    struct flight *flight = new_flight(flights, key, hash, request);
    struct flight **bucket = &flights->buckets[hash & (flights->bucket_count - 1)];
    int result;

    if (!flight)
        return ECO_ENOMEM;
    /* A worker that takes the job at once waits for the mutex before it ends the flight. */
    result = eco_pool_push(flights->pool, &flight->job);
    if (result) {
        free_flight(flight);
        flights->stats.refused++;
        return result;
    }
    flight->chain = *bucket;
    *bucket = flight;
    flights->stats.flights++;
    flights->open++;
    add_waiter(flights, flight, waiter);
    return 0;
}

int eco_flights_join(struct eco_flights *flights, const struct eco_cache_key *key,
                     const struct eco_tile_request *request, eco_flight_done done,
                     eco_flight_left left, void *context)
{
    uint64_t hash = eco_key_hash(key);
    struct waiter *waiter = malloc(sizeof(*waiter));
    struct eco_blob *blob = NULL;
    struct flight *flight;
    int result = 0;

    if (!waiter)
        return ECO_ENOMEM;
    *waiter = (struct waiter){.done = done, .left = left, .context = context};
    pthread_mutex_lock(&flights->mutex);
    flight = *place_of(flights, key, hash);
    if (flights->draining) {
        result = ECO_ECANCELED;
    } else if (flight) {
        flights->stats.joined++;
        add_waiter(flights, flight, waiter);
        (void)eco_pool_raise(flights->pool, &flight->job);
    } else {
        /* The flight may have landed since the caller looked. */
        blob = eco_memory_get(flights->memory, key);
        if (blob)
            flights->stats.found++;
        else
            result = take_off(flights, key, hash, request, waiter);
    }
    pthread_mutex_unlock(&flights->mutex);
    if (blob) {
        done(context, 0, blob);
        eco_blob_decref(blob);
    }
    if (blob || result)
        free(waiter);
    return result;
}

void eco_flights_drain(struct eco_flights *flights)
{
    struct waiters called = TAILQ_HEAD_INITIALIZER(called);

    pthread_mutex_lock(&flights->mutex);
    flights->draining = true;
    for (size_t i = 0; i < flights->bucket_count; i++) {
        struct flight **place = &flights->buckets[i];
        while (*place) {
            struct flight *flight = *place;

            if (!eco_pool_remove(flights->pool, &flight->job)) {
                place = &flight->chain;
                continue;
            }
            end_flight(flights, flight, &called);
            assert(*place != flight);
            free_flight(flight);
            flights->open--;
        }
    }
    pthread_mutex_unlock(&flights->mutex);
    call_waiters(&called, ECO_ECANCELED, NULL);
    pthread_mutex_lock(&flights->mutex);
    while (flights->open > 0)
        pthread_cond_wait(&flights->closed, &flights->mutex);
    pthread_mutex_unlock(&flights->mutex);
}

int eco_flights_new(struct eco_memory *memory, struct eco_pool *pool, unsigned queue,
                    unsigned deadline_ms, eco_flight_render render, void *context,
                    struct eco_flights **out, struct eco_error *error)
{
    struct eco_flights *flights = calloc(1, sizeof(*flights));
    pthread_condattr_t monotonic;

    if (!flights)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the flights");
    TAILQ_INIT(&flights->by_deadline);
    flights->memory = memory;
    flights->pool = pool;
    flights->render = render;
    flights->context = context;
    flights->deadline_ns = (uint64_t)deadline_ms * 1000000u;
    pthread_mutex_init(&flights->mutex, NULL);
    pthread_cond_init(&flights->closed, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&flights->clock_wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    flights->bucket_count = 64;
    while (flights->bucket_count < queue && flights->bucket_count < 65536)
        flights->bucket_count *= 2;
    flights->buckets = calloc(flights->bucket_count, sizeof(struct flight *));
    if (!flights->buckets) {
        eco_flights_free(flights);
        return eco_error_set(error, ECO_ENOMEM, "no memory for %u flights", queue);
    }
    if (pthread_create(&flights->clock_thread, NULL, watch_clock, flights) != 0) {
        eco_flights_free(flights);
        return eco_error_set(error, ECO_ENOMEM, "cannot start the thread of the deadlines");
    }
    flights->clock_started = true;
    *out = flights;
    return 0;
}

void eco_flights_free(struct eco_flights *flights)
{
    if (!flights)
        return;
    if (flights->clock_started) {
        pthread_mutex_lock(&flights->mutex);
        flights->clock_stop = true;
        pthread_cond_signal(&flights->clock_wake);
        pthread_mutex_unlock(&flights->mutex);
        pthread_join(flights->clock_thread, NULL);
    }
    free(flights->buckets);
    pthread_cond_destroy(&flights->clock_wake);
    pthread_cond_destroy(&flights->closed);
    pthread_mutex_destroy(&flights->mutex);
    free(flights);
}

void eco_flights_stats(struct eco_flights *flights, struct eco_flights_stats *out)
{
    pthread_mutex_lock(&flights->mutex);
    *out = flights->stats;
    pthread_mutex_unlock(&flights->mutex);
}
