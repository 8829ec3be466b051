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
#include "serve/pool.h"

#define JOBS 256
#define SECOND_NS 1000000000u

/* A gate that jobs wait at until the test opens it; gives up after ten seconds. */
static atomic_bool gate_open;
static atomic_uint at_gate;

static void wait_at_gate(void)
{
    uint64_t start = eco_clock_monotonic_ns();

    atomic_fetch_add(&at_gate, 1);
    while (!atomic_load(&gate_open) && eco_clock_monotonic_ns() - start < 10u * SECOND_NS)
        usleep(100);
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

static struct eco_pool *new_pool(unsigned threads, unsigned queue)
{
    struct eco_pool *pool = NULL;

    atomic_store(&gate_open, false);
    atomic_store(&at_gate, 0);
    assert_int_equal(eco_pool_new(threads, queue, &pool, NULL), 0);
    return pool;
}

/* --- the queue ---------------------------------------------------------------------------------*/

struct noted_job {
    struct eco_pool_job job;
    unsigned number;
};

static unsigned order[16];
static atomic_uint order_count;

static void note_order(struct eco_pool_job *job, struct eco_worker *worker)
{
    (void)worker;
    order[atomic_load(&order_count)] = ((struct noted_job *)job)->number;
    atomic_fetch_add(&order_count, 1);
}

static void block(struct eco_pool_job *job, struct eco_worker *worker)
{
    (void)job;
    (void)worker;
    wait_at_gate();
}

static void newest_job_runs_first(void **state)
{
    struct eco_pool *pool = new_pool(1, 8);
    struct eco_pool_job blocker = {.run = block};
    struct noted_job jobs[4] = {0};

    (void)state;
    atomic_store(&order_count, 0);
    assert_int_equal(eco_pool_push(pool, &blocker), 0);
    assert_true(eventually(&at_gate, 1));
    for (unsigned i = 0; i < 4; i++) {
        jobs[i] = (struct noted_job){.job.run = note_order, .number = i};
        assert_int_equal(eco_pool_push(pool, &jobs[i].job), 0);
    }
    atomic_store(&gate_open, true);
    eco_pool_free(pool);
    assert_int_equal(atomic_load(&order_count), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(order[i], 3 - i);
}

static void full_queue_refuses_and_removed_job_never_runs(void **state)
{
    struct eco_pool *pool = new_pool(1, 2);
    struct eco_pool_job blocker = {.run = block};
    struct noted_job jobs[3] = {0};

    (void)state;
    atomic_store(&order_count, 0);
    assert_int_equal(eco_pool_push(pool, &blocker), 0);
    assert_true(eventually(&at_gate, 1));
    for (unsigned i = 0; i < 3; i++)
        jobs[i] = (struct noted_job){.job.run = note_order, .number = i};
    assert_int_equal(eco_pool_push(pool, &jobs[0].job), 0);
    assert_int_equal(eco_pool_push(pool, &jobs[1].job), 0);
    assert_int_equal(eco_pool_push(pool, &jobs[2].job), ECO_EBUSY);
    assert_int_equal(eco_pool_waiting(pool), 2);
    assert_true(eco_pool_remove(pool, &jobs[0].job));
    assert_false(eco_pool_remove(pool, &jobs[0].job));
    assert_false(eco_pool_remove(pool, &blocker));
    assert_int_equal(eco_pool_push(pool, &jobs[2].job), 0);
    atomic_store(&gate_open, true);
    eco_pool_free(pool);
    assert_int_equal(atomic_load(&order_count), 2);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
}

static void impossible_thread_counts_are_refused(void **state)
{
    struct eco_pool *pool = NULL;
    struct eco_error error = {0};

    (void)state;
    assert_int_equal(eco_pool_new(0, 8, &pool, &error), ECO_EINVAL);
    assert_int_equal(eco_pool_new(ECO_THREADS_MAX + 1, 8, &pool, &error), ECO_EINVAL);
    assert_null(pool);
    assert_non_null(strstr(error.text, "1 to 64"));
}

/* --- the executor ------------------------------------------------------------------------------*/

struct parts {
    struct eco_pool_job job;
    eco_job part;
    unsigned values[JOBS];
    atomic_uint calls;
    size_t fail_at;
    int result;
    atomic_uint done;
    pthread_t threads[JOBS];
};

static int count_part(void *context, size_t index, struct eco_arena *scratch)
{
    struct parts *parts = context;
    unsigned *memory = eco_arena_alloc(scratch, 1000, sizeof(*memory));

    atomic_fetch_add(&parts->calls, 1);
    if (!memory)
        return ECO_ENOMEM;
    memory[999] = (unsigned)index;
    parts->threads[index] = pthread_self();
    parts->values[index] += memory[999] + 1;
    return index == parts->fail_at ? ECO_ECORRUPT : 0;
}

/* Two jobs that end only when both have begun: one thread alone never gets through. */
static int meet_part(void *context, size_t index, struct eco_arena *scratch)
{
    struct parts *parts = context;

    (void)scratch;
    (void)index;
    atomic_fetch_add(&parts->calls, 1);
    return eventually(&parts->calls, 2) ? 0 : ECO_ECANCELED;
}

static size_t parts_of(const struct parts *parts)
{
    return parts->part == meet_part ? 2 : JOBS;
}

static void run_parts(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct parts *parts = (struct parts *)job;
    struct eco_arena *arena = &worker->sampler.arena;
    unsigned *kept = eco_arena_alloc(arena, 16, sizeof(*kept));

    kept[7] = 4711;
    parts->result =
        eco_executor_run(worker->sampler.executor, parts_of(parts), parts->part, parts, arena);
    if (kept[7] != 4711)
        parts->result = ECO_EINVAL;
    atomic_store(&parts->done, 1);
}

static void each_part_runs_exactly_once_with_any_number_of_threads(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 5; threads++) {
        struct eco_pool *pool = new_pool(threads, 8);

        for (unsigned round = 0; round < 50; round++) {
            struct parts parts = {.job.run = run_parts, .part = count_part, .fail_at = JOBS};

            assert_int_equal(eco_pool_push(pool, &parts.job), 0);
            assert_true(eventually(&parts.done, 1));
            assert_int_equal(parts.result, 0);
            assert_int_equal(atomic_load(&parts.calls), JOBS);
            for (unsigned i = 0; i < JOBS; i++)
                assert_int_equal(parts.values[i], i + 1);
        }
        eco_pool_free(pool);
    }
}

static void idle_workers_help_with_a_cold_tile(void **state)
{
    struct eco_pool *pool = new_pool(2, 8);
    struct parts parts = {.job.run = run_parts, .part = meet_part};

    (void)state;
    assert_int_equal(eco_pool_push(pool, &parts.job), 0);
    assert_true(eventually(&parts.done, 1));
    assert_int_equal(parts.result, 0);
    eco_pool_free(pool);
}

static void error_of_any_part_is_the_error_of_the_run(void **state)
{
    struct eco_pool *pool = new_pool(3, 8);

    (void)state;
    for (size_t fail_at = 0; fail_at < JOBS; fail_at += 51) {
        struct parts parts = {.job.run = run_parts, .part = count_part, .fail_at = fail_at};

        assert_int_equal(eco_pool_push(pool, &parts.job), 0);
        assert_true(eventually(&parts.done, 1));
        assert_int_equal(parts.result, ECO_ECORRUPT);
        assert_true(atomic_load(&parts.calls) <= JOBS);
    }
    eco_pool_free(pool);
}

/* The owner waits at the gate in its first part; the helper's first part pushes a tile. */
struct priority {
    struct eco_pool_job job;
    struct eco_pool *pool;
    struct noted_job tile;
    pthread_t owner;
    atomic_uint helped, owned, done;
    unsigned helped_before_tile;
};

static void note_tile(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct noted_job *tile = (struct noted_job *)job;
    struct priority *priority = (struct priority *)((char *)tile - offsetof(struct priority, tile));

    (void)worker;
    priority->helped_before_tile = atomic_load(&priority->helped);
    atomic_store(&gate_open, true);
}

static int priority_part(void *context, size_t index, struct eco_arena *scratch)
{
    struct priority *priority = context;

    (void)index;
    (void)scratch;
    if (pthread_equal(pthread_self(), priority->owner)) {
        if (atomic_fetch_add(&priority->owned, 1) == 0)
            wait_at_gate();
    } else if (atomic_fetch_add(&priority->helped, 1) == 0) {
        priority->tile.job.run = note_tile;
        return eco_pool_push(priority->pool, &priority->tile.job);
    }
    return 0;
}

static void run_priority(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct priority *priority = (struct priority *)job;

    priority->owner = pthread_self();
    eco_executor_run(worker->sampler.executor, JOBS, priority_part, priority,
                     &worker->sampler.arena);
    atomic_store(&priority->done, 1);
}

static void queued_tile_goes_before_helping(void **state)
{
    struct eco_pool *pool = new_pool(2, 8);
    struct priority priority = {.job.run = run_priority, .pool = pool};

    (void)state;
    assert_int_equal(eco_pool_push(pool, &priority.job), 0);
    assert_true(eventually(&priority.done, 1));
    assert_int_equal(priority.helped_before_tile, 1);
    eco_pool_free(pool);
}

/* --- the end ---------------------------------------------------------------------------------- */

struct late_run {
    struct eco_pool_job job;
    atomic_uint met; /* parts that are there at the same time */
    bool parts_met;
};

static int meet(void *context, size_t index, struct eco_arena *scratch)
{
    struct late_run *late = context;

    (void)index;
    (void)scratch;
    atomic_fetch_add(&late->met, 1);
    return eventually(&late->met, 2) ? 0 : ECO_ECANCELED;
}

static void run_late(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct late_run *late = (struct late_run *)job;

    /* By now the other worker has found nothing to do, and the pool is to end. */
    usleep(50000);
    late->parts_met =
        eco_executor_run(worker->sampler.executor, 2, meet, late, &worker->sampler.arena) == 0;
}

static void the_last_job_is_helped_although_the_pool_is_to_end(void **state)
{
    struct eco_pool *pool = new_pool(2, 8);
    struct late_run late = {.job.run = run_late};

    (void)state;
    assert_int_equal(eco_pool_push(pool, &late.job), 0);
    eco_pool_free(pool);
    assert_true(late.parts_met);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_job_runs_first),
        cmocka_unit_test(full_queue_refuses_and_removed_job_never_runs),
        cmocka_unit_test(impossible_thread_counts_are_refused),
        cmocka_unit_test(each_part_runs_exactly_once_with_any_number_of_threads),
        cmocka_unit_test(idle_workers_help_with_a_cold_tile),
        cmocka_unit_test(error_of_any_part_is_the_error_of_the_run),
        cmocka_unit_test(queued_tile_goes_before_helping),
        cmocka_unit_test(the_last_job_is_helped_although_the_pool_is_to_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
