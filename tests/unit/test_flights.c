#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "serve/flights.h"

#define SECOND_NS 1000000000u
#define WAITERS 60

/* Flights hold the configuration of their world. */
static struct eco_config *config;

static int load_config(void **state)
{
    static const char text[] = "worlds: [{name: a, generator: patchwork, biomes: [{id: 1, name: A, "
                               "colour: \"#102030\"}]}]\n";

    (void)state;
    return eco_config_parse(text, strlen(text), "test", &config, NULL);
}

static int free_config(void **state)
{
    (void)state;
    eco_config_free(config);
    return 0;
}

/* A flight's whole surroundings: what it renders is its x, and x 666 fails. */
struct airport {
    struct eco_memory *memory;
    struct eco_pool *pool;
    struct eco_flights *flights;
    atomic_bool closed; /* renders wait while it is set */
    atomic_uint rendering, renders;
    atomic_uint order[8]; /* the x of the first renders */
};

/* What a waiter was told. */
struct reply {
    atomic_uint calls;
    int code;
    uint32_t x;
    struct eco_hash128 hash;
};

static int render(void *context, const struct eco_cache_key *key,
                  const struct eco_tile_request *request, struct eco_worker *worker,
                  struct eco_blob **out)
{
    struct airport *airport = context;
    uint64_t start = eco_clock_monotonic_ns();
    unsigned number;

    (void)worker;
    atomic_fetch_add(&airport->rendering, 1);
    while (atomic_load(&airport->closed) && eco_clock_monotonic_ns() - start < 10u * SECOND_NS)
        usleep(100);
    number = atomic_fetch_add(&airport->renders, 1);
    if (number < 8)
        atomic_store(&airport->order[number], key->x);
    if (request->tile.x == 666)
        return ECO_ENOMEM;
    *out = eco_blob_new(&key->x, sizeof(key->x), eco_hash128(&key->x, sizeof(key->x)));
    return *out ? 0 : ECO_ENOMEM;
}

static void told(void *context, int code, struct eco_blob *blob)
{
    struct reply *reply = context;

    reply->code = code;
    if (blob) {
        reply->x = *(const uint32_t *)(const void *)blob->data;
        reply->hash = blob->hash;
    }
    atomic_fetch_add(&reply->calls, 1);
}

static bool eventually(atomic_uint *value, unsigned expected)
{
    uint64_t start = eco_clock_monotonic_ns();

    while (atomic_load(value) != expected) {
        if (eco_clock_monotonic_ns() - start > 10u * SECOND_NS)
            return false;
        usleep(100);
    }
    return true;
}

static void open_airport(struct airport *airport, unsigned threads, unsigned queue,
                         unsigned deadline_ms, size_t memory_bytes)
{
    *airport = (struct airport){0};
    airport->memory = eco_memory_new(memory_bytes);
    assert_non_null(airport->memory);
    assert_int_equal(eco_pool_new(threads, queue, &airport->pool, NULL), 0);
    assert_int_equal(eco_flights_new(airport->memory, airport->pool, queue, deadline_ms, render,
                                     airport, &airport->flights, NULL),
                     0);
}

static void close_airport(struct airport *airport)
{
    eco_flights_drain(airport->flights);
    eco_pool_free(airport->pool);
    eco_flights_free(airport->flights);
    eco_memory_free(airport->memory);
}

static int ask(struct airport *airport, uint32_t x, struct reply *reply)
{
    struct eco_cache_key key = {.world = 1, .x = x};
    struct eco_tile_request request = {.world = &config->worlds[0], .tile.x = x};

    return eco_flights_join(airport->flights, &key, &request, told, NULL, reply);
}

/* The first reply of an array of two is the waiter's, the calls of the second say that he left. */
static bool has_left(void *context)
{
    return atomic_load(&((struct reply *)context)[1].calls) > 0;
}

static struct eco_flights_stats stats_of(struct airport *airport)
{
    struct eco_flights_stats stats;

    eco_flights_stats(airport->flights, &stats);
    return stats;
}

static void all_who_ask_at_once_share_one_render(void **state)
{
    struct airport airport;
    struct reply replies[WAITERS] = {0};

    (void)state;
    open_airport(&airport, 2, 8, 10000, 1 << 20);
    atomic_store(&airport.closed, true);
    for (unsigned i = 0; i < WAITERS; i++)
        assert_int_equal(ask(&airport, 42, &replies[i]), 0);
    assert_int_equal(stats_of(&airport).flights, 1);
    atomic_store(&airport.closed, false);
    for (unsigned i = 0; i < WAITERS; i++) {
        assert_true(eventually(&replies[i].calls, 1));
        assert_int_equal(replies[i].code, 0);
        assert_int_equal(replies[i].x, 42);
    }
    assert_int_equal(atomic_load(&airport.renders), 1);
    assert_int_equal(stats_of(&airport).joined, WAITERS - 1);
    close_airport(&airport);
}

static void who_comes_late_finds_the_tile_in_memory(void **state)
{
    struct airport airport;
    struct reply first = {0}, second = {0};

    (void)state;
    open_airport(&airport, 1, 8, 10000, 1 << 20);
    assert_int_equal(ask(&airport, 1, &first), 0);
    assert_true(eventually(&first.calls, 1));
    assert_int_equal(ask(&airport, 1, &second), 0);
    assert_int_equal(atomic_load(&second.calls), 1);
    assert_int_equal(second.x, 1);
    assert_int_equal(stats_of(&airport).found, 1);
    assert_int_equal(atomic_load(&airport.renders), 1);
    close_airport(&airport);
}

static void failed_render_fails_every_waiter_and_is_not_kept(void **state)
{
    struct airport airport;
    struct reply replies[WAITERS] = {0}, again = {0};

    (void)state;
    open_airport(&airport, 2, 8, 10000, 1 << 20);
    atomic_store(&airport.closed, true);
    for (unsigned i = 0; i < WAITERS; i++)
        assert_int_equal(ask(&airport, 666, &replies[i]), 0);
    atomic_store(&airport.closed, false);
    for (unsigned i = 0; i < WAITERS; i++) {
        assert_true(eventually(&replies[i].calls, 1));
        assert_int_equal(replies[i].code, ECO_ENOMEM);
    }
    assert_int_equal(ask(&airport, 666, &again), 0);
    assert_true(eventually(&again.calls, 1));
    assert_int_equal(again.code, ECO_ENOMEM);
    assert_int_equal(atomic_load(&airport.renders), 2);
    assert_int_equal(stats_of(&airport).failed, 2);
    close_airport(&airport);
}

static void full_queue_refuses_but_lets_join(void **state)
{
    struct airport airport;
    struct reply replies[5] = {0};

    (void)state;
    open_airport(&airport, 1, 2, 10000, 1 << 20);
    atomic_store(&airport.closed, true);
    assert_int_equal(ask(&airport, 0, &replies[0]), 0);
    assert_true(eventually(&airport.rendering, 1));
    assert_int_equal(ask(&airport, 1, &replies[1]), 0);
    assert_int_equal(ask(&airport, 2, &replies[2]), 0);
    assert_int_equal(ask(&airport, 3, &replies[3]), ECO_EBUSY);
    assert_int_equal(ask(&airport, 2, &replies[4]), 0);
    assert_int_equal(stats_of(&airport).refused, 1);
    atomic_store(&airport.closed, false);
    for (unsigned i = 0; i < 5; i++)
        assert_true(eventually(&replies[i].calls, i != 3));
    close_airport(&airport);
    assert_int_equal(atomic_load(&replies[3].calls), 0);
}

static void who_joins_moves_the_tile_to_the_front(void **state)
{
    struct airport airport;
    struct reply replies[6] = {0};
    static const unsigned order[] = {0, 1, 4, 3, 2};

    (void)state;
    open_airport(&airport, 1, 8, 10000, 1 << 20);
    atomic_store(&airport.closed, true);
    assert_int_equal(ask(&airport, 0, &replies[0]), 0);
    assert_true(eventually(&airport.rendering, 1));
    for (uint32_t i = 1; i < 5; i++)
        assert_int_equal(ask(&airport, i, &replies[i]), 0);
    assert_int_equal(ask(&airport, 1, &replies[5]), 0);
    atomic_store(&airport.closed, false);
    for (unsigned i = 0; i < 6; i++)
        assert_true(eventually(&replies[i].calls, 1));
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(atomic_load(&airport.order[i]), order[i]);
    close_airport(&airport);
}

static void *drain(void *argument)
{
    struct airport *airport = argument;

    eco_flights_drain(airport->flights);
    return NULL;
}

static void drain_fails_who_waits_and_lets_the_running_end(void **state)
{
    struct airport airport;
    struct reply running = {0}, waiting[3] = {0}, late = {0};
    pthread_t thread;

    (void)state;
    open_airport(&airport, 1, 8, 10000, 1 << 20);
    atomic_store(&airport.closed, true);
    assert_int_equal(ask(&airport, 0, &running), 0);
    assert_true(eventually(&airport.rendering, 1));
    assert_int_equal(ask(&airport, 1, &waiting[0]), 0);
    assert_int_equal(ask(&airport, 1, &waiting[1]), 0);
    assert_int_equal(ask(&airport, 2, &waiting[2]), 0);

    assert_int_equal(pthread_create(&thread, NULL, drain, &airport), 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(eventually(&waiting[i].calls, 1));
        assert_int_equal(waiting[i].code, ECO_ECANCELED);
    }
    assert_int_equal(atomic_load(&running.calls), 0);
    assert_int_equal(ask(&airport, 5, &late), ECO_ECANCELED);
    atomic_store(&airport.closed, false);
    pthread_join(thread, NULL);
    assert_int_equal(atomic_load(&running.calls), 1);
    assert_int_equal(running.code, 0);
    assert_int_equal(atomic_load(&airport.renders), 1);
    close_airport(&airport);
}

static void waiter_is_let_go_at_the_deadline_and_its_tile_dropped(void **state)
{
    struct airport airport;
    struct reply running = {0}, waiting = {0};

    (void)state;
    open_airport(&airport, 1, 8, 200, 1 << 20);
    atomic_store(&airport.closed, true);
    assert_int_equal(ask(&airport, 0, &running), 0);
    assert_true(eventually(&airport.rendering, 1));
    assert_int_equal(ask(&airport, 1, &waiting), 0);
    assert_true(eventually(&running.calls, 1));
    assert_true(eventually(&waiting.calls, 1));
    assert_int_equal(running.code, ECO_ECANCELED);
    assert_int_equal(waiting.code, ECO_ECANCELED);
    assert_int_equal(stats_of(&airport).expired, 2);
    assert_int_equal(stats_of(&airport).flights, 1);
    atomic_store(&airport.closed, false);
    close_airport(&airport);
    /* What had begun is finished and kept; what had not is never made. */
    assert_int_equal(atomic_load(&airport.renders), 1);
}

static void who_leaves_is_let_go_and_a_tile_for_nobody_is_dropped(void **state)
{
    struct airport airport;
    struct reply running = {0}, waiting[4][2] = {0};
    struct eco_tile_request request = {.world = &config->worlds[0]};
    struct eco_cache_key key = {.world = 1};

    (void)state;
    open_airport(&airport, 1, 8, 30000, 1 << 20);
    atomic_store(&airport.closed, true);
    assert_int_equal(ask(&airport, 0, &running), 0);
    assert_true(eventually(&airport.rendering, 1));
    /* Tile 1 is for one, tile 2 for two, tile 3 for one. */
    for (uint32_t i = 0; i < 4; i++) {
        key.x = request.tile.x = (const uint32_t[]){1, 2, 2, 3}[i];
        assert_int_equal(
            eco_flights_join(airport.flights, &key, &request, told, has_left, waiting[i]), 0);
    }
    assert_int_equal(stats_of(&airport).flights, 4);
    atomic_store(&waiting[0][1].calls, 1);
    atomic_store(&waiting[1][1].calls, 1);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(eventually(&waiting[i][0].calls, 1));
        assert_int_equal(waiting[i][0].code, ECO_ECANCELED);
    }
    assert_int_equal(stats_of(&airport).flights, 3);
    assert_int_equal(stats_of(&airport).left, 2);
    assert_int_equal(stats_of(&airport).expired, 0);
    atomic_store(&airport.closed, false);
    for (uint32_t i = 2; i < 4; i++) {
        assert_true(eventually(&waiting[i][0].calls, 1));
        assert_int_equal(waiting[i][0].code, 0);
        assert_int_equal(waiting[i][0].x, i);
    }
    close_airport(&airport);
    assert_int_equal(atomic_load(&airport.renders), 3);
}

struct asker {
    struct airport *airport;
    uint32_t start;
    struct reply replies[200];
    unsigned answers;
};

static void *ask_many(void *argument)
{
    struct asker *asker = argument;

    for (uint32_t i = 0; i < 200; i++) {
        uint32_t x = (asker->start + i) % 50;
        if (ask(asker->airport, x, &asker->replies[i]) == 0)
            asker->answers++;
        else
            atomic_store(&asker->replies[i].calls, 99);
    }
    return NULL;
}

static void many_threads_get_each_tile_and_each_is_made_once(void **state)
{
    static struct asker askers[4];
    struct airport airport;
    pthread_t threads[4];

    (void)state;
    open_airport(&airport, 3, 1024, 10000, 1 << 20);
    for (unsigned i = 0; i < 4; i++) {
        askers[i] = (struct asker){.airport = &airport, .start = i * 11};
        assert_int_equal(pthread_create(&threads[i], NULL, ask_many, &askers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(askers[i].answers, 200);
        for (uint32_t k = 0; k < 200; k++) {
            assert_true(eventually(&askers[i].replies[k].calls, 1));
            assert_int_equal(askers[i].replies[k].x, (askers[i].start + k) % 50);
        }
    }
    assert_int_equal(atomic_load(&airport.renders), 50);
    close_airport(&airport);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_who_ask_at_once_share_one_render),
        cmocka_unit_test(who_comes_late_finds_the_tile_in_memory),
        cmocka_unit_test(failed_render_fails_every_waiter_and_is_not_kept),
        cmocka_unit_test(full_queue_refuses_but_lets_join),
        cmocka_unit_test(who_joins_moves_the_tile_to_the_front),
        cmocka_unit_test(drain_fails_who_waits_and_lets_the_running_end),
        cmocka_unit_test(waiter_is_let_go_at_the_deadline_and_its_tile_dropped),
        cmocka_unit_test(who_leaves_is_let_go_and_a_tile_for_nobody_is_dropped),
        cmocka_unit_test(many_threads_get_each_tile_and_each_is_made_once),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
