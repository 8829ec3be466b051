#include "http/guard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include "base/clock.h"

#define CROWDED_TICKS 1 /* a tick later it is two seconds at most, and one at least */

struct eco_guarded {
    LIST_ENTRY(eco_guarded) all;
    struct eco_guard *guard;
    int socket;
    atomic_bool answering;
    atomic_uint last_tick; /* of the last completed request, or of the start */
};

struct eco_guard {
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    pthread_t thread;
    bool started, stopping;
    LIST_HEAD(, eco_guarded) all;
    unsigned count, crowd;
    unsigned limit;   /* ticks */
    atomic_uint tick; /* seconds since the start: the clock of a busy server is not asked */
};

static void *watch(void *argument)
{
    struct eco_guard *guard = argument;
    struct eco_guarded *each;

    pthread_mutex_lock(&guard->mutex);
    while (!guard->stopping) {
        uint64_t until = eco_clock_monotonic_ns() + 1000000000u;
        struct timespec time = {.tv_sec = (time_t)(until / 1000000000u),
                                .tv_nsec = (long)(until % 1000000000u)};
        bool crowded;
        unsigned now;

        /* A second that is cut short by nothing but the stop. */
        while (!guard->stopping && pthread_cond_timedwait(&guard->wake, &guard->mutex, &time) == 0)
            ;
        now = atomic_fetch_add(&guard->tick, 1) + 1;
        crowded = guard->count >= guard->crowd;
        LIST_FOREACH (each, &guard->all, all) {
            unsigned idle = now - atomic_load_explicit(&each->last_tick, memory_order_relaxed);

            if (idle > guard->limit ||
                (crowded && idle > CROWDED_TICKS &&
                 !atomic_load_explicit(&each->answering, memory_order_relaxed)))
                shutdown(each->socket, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&guard->mutex);
    return NULL;
}

int eco_guard_new(unsigned seconds, unsigned crowd, struct eco_guard **out, struct eco_error *error)
{
    struct eco_guard *guard = calloc(1, sizeof(*guard));
    pthread_condattr_t monotonic;

    if (!guard)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the guard of connections");
    LIST_INIT(&guard->all);
    guard->limit = seconds;
    guard->crowd = crowd;
    atomic_init(&guard->tick, 0);
    pthread_mutex_init(&guard->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&guard->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&guard->thread, NULL, watch, guard) != 0) {
        eco_guard_free(guard);
        return eco_error_set(error, ECO_ENOMEM, "cannot start the thread that guards connections");
    }
    guard->started = true;
    *out = guard;
    return 0;
}

void eco_guard_free(struct eco_guard *guard)
{
    if (!guard)
        return;
    if (guard->started) {
        pthread_mutex_lock(&guard->mutex);
        guard->stopping = true;
        pthread_cond_signal(&guard->wake);
        pthread_mutex_unlock(&guard->mutex);
        pthread_join(guard->thread, NULL);
    }
    pthread_cond_destroy(&guard->wake);
    pthread_mutex_destroy(&guard->mutex);
    free(guard);
}

struct eco_guarded *eco_guard_add(struct eco_guard *guard, int socket)
{
    struct eco_guarded *guarded = calloc(1, sizeof(*guarded));

    if (!guarded)
        return NULL;
    guarded->guard = guard;
    guarded->socket = socket;
    atomic_init(&guarded->answering, false);
    atomic_init(&guarded->last_tick, atomic_load(&guard->tick));
    pthread_mutex_lock(&guard->mutex);
    LIST_INSERT_HEAD(&guard->all, guarded, all);
    guard->count++;
    pthread_mutex_unlock(&guard->mutex);
    return guarded;
}

void eco_guard_begin(struct eco_guarded *guarded)
{
    if (guarded)
        atomic_store_explicit(&guarded->answering, true, memory_order_relaxed);
}

void eco_guard_touch(struct eco_guarded *guarded)
{
    if (!guarded)
        return;
    atomic_store_explicit(&guarded->last_tick,
                          atomic_load_explicit(&guarded->guard->tick, memory_order_relaxed),
                          memory_order_relaxed);
    atomic_store_explicit(&guarded->answering, false, memory_order_relaxed);
}

void eco_guard_remove(struct eco_guard *guard, struct eco_guarded *guarded)
{
    if (!guarded)
        return;
    pthread_mutex_lock(&guard->mutex);
    LIST_REMOVE(guarded, all);
    guard->count--;
    pthread_mutex_unlock(&guard->mutex);
    free(guarded);
}

unsigned eco_guard_count(struct eco_guard *guard)
{
    unsigned count;

    pthread_mutex_lock(&guard->mutex);
    count = guard->count;
    pthread_mutex_unlock(&guard->mutex);
    return count;
}
