#include "serve/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"

#define WORKER_NICE 10 /* above what the process has */
#define LOOK_OUT_NS 100000u
/* A worker keeps this much scratch memory between jobs; what a tile needed beyond goes back. */
#define SCRATCH_KEEP ((size_t)16 * 1024 * 1024)

/* The jobs of one eco_executor run, on the stack of the worker that owns it. */
struct batch {
    eco_job job;
    void *context;
    size_t count;
    atomic_size_t next;
    atomic_int error;
    atomic_uint helpers; /* changed under the pool's mutex */
    pthread_cond_t left;
    TAILQ_ENTRY(batch) offer;
};

struct worker_thread {
    struct eco_worker worker;
    struct eco_pool *pool;
    pthread_t thread;
};

struct eco_pool {
    struct eco_executor executor; /* first: the executor is the pool */
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    LIST_HEAD(, eco_pool_job) queue; /* the newest first */
    atomic_uint queued;              /* changed under the mutex, read by helpers without it */
    unsigned queue_limit;
    unsigned idle;
    unsigned running;            /* jobs, any of which may still need help */
    atomic_uint offered;         /* jobs and batches so far, changed under the mutex */
    TAILQ_HEAD(, batch) batches; /* the oldest first */
    bool stopping;
    unsigned thread_count; /* of those that were started */
    struct worker_thread *threads;
};

static void link_job(struct eco_pool *pool, struct eco_pool_job *job)
{
    LIST_INSERT_HEAD(&pool->queue, job, queue);
    job->queued = true;
    atomic_fetch_add_explicit(&pool->queued, 1, memory_order_relaxed);
}

static void unlink_job(struct eco_pool *pool, struct eco_pool_job *job)
{
    LIST_REMOVE(job, queue);
    job->queued = false;
    atomic_fetch_sub_explicit(&pool->queued, 1, memory_order_relaxed);
}

/*
 * Waits for a moment until the number is `value`, or is not. A tile is drawn in stages of a few
 * dozen microseconds, and to wake a thread takes as long as one of them: who waits for the next
 * stage, or for the last helper of one, looks out for it before it sleeps.
 */
static void look_out(const atomic_uint *number, unsigned value, bool until)
{
    uint64_t start = eco_clock_monotonic_ns();

    while ((atomic_load_explicit(number, memory_order_relaxed) == value) != until &&
           eco_clock_monotonic_ns() - start < LOOK_OUT_NS) {
    }
}

/* Runs jobs of the batch until none is left, or, for a helper, until a tile is waiting. */
static void run_batch(struct eco_pool *pool, struct batch *batch, struct eco_arena *arena,
                      bool helper)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);

    while (!helper || atomic_load_explicit(&pool->queued, memory_order_relaxed) == 0) {
        size_t index = atomic_fetch_add_explicit(&batch->next, 1, memory_order_relaxed);
        int result;

        if (index >= batch->count)
            break;
        result = batch->job(batch->context, index, arena);
        eco_arena_rewind(arena, mark);
        if (result) {
            int none = 0;
            atomic_compare_exchange_strong(&batch->error, &none, result);
            /* Nobody needs the rest. */
            atomic_store_explicit(&batch->next, batch->count, memory_order_relaxed);
        }
    }
}

static struct batch *find_batch(const struct eco_pool *pool)
{
    struct batch *batch;

    TAILQ_FOREACH (batch, &pool->batches, offer) {
        if (atomic_load_explicit(&batch->next, memory_order_relaxed) < batch->count)
            break;
    }
    return batch;
}

static int run_with_helpers(struct eco_executor *self, size_t count, eco_job job, void *context,
                            struct eco_arena *arena)
{
    struct eco_pool *pool = (struct eco_pool *)self;
    struct batch batch = {.job = job, .context = context, .count = count};

    if (count <= 1 || pool->thread_count == 1)
        return eco_executor_run_serial(NULL, count, job, context, arena);
    pthread_cond_init(&batch.left, NULL);
    pthread_mutex_lock(&pool->mutex);
    TAILQ_INSERT_TAIL(&pool->batches, &batch, offer);
    atomic_fetch_add_explicit(&pool->offered, 1, memory_order_relaxed);
    if (pool->idle > 0)
        pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);

    run_batch(pool, &batch, arena, false);

    pthread_mutex_lock(&pool->mutex);
    TAILQ_REMOVE(&pool->batches, &batch, offer);
    if (batch.helpers > 0) {
        pthread_mutex_unlock(&pool->mutex);
        look_out(&batch.helpers, 0, true);
        pthread_mutex_lock(&pool->mutex);
    }
    while (batch.helpers > 0)
        pthread_cond_wait(&batch.left, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    pthread_cond_destroy(&batch.left);
    return atomic_load_explicit(&batch.error, memory_order_relaxed);
}

static void settle(struct eco_worker *worker)
{
    eco_arena_reset(&worker->sampler.arena);
    eco_arena_trim(&worker->sampler.arena, SCRATCH_KEEP);
}

/* With the mutex held, which is open while the work is done. */
static void help(struct eco_pool *pool, struct batch *batch, struct eco_worker *worker)
{
    unsigned offered;

    batch->helpers++;
    pthread_mutex_unlock(&pool->mutex);
    run_batch(pool, batch, &worker->sampler.arena, true);
    settle(worker);
    pthread_mutex_lock(&pool->mutex);
    if (--batch->helpers == 0)
        pthread_cond_signal(&batch->left);
    if (pool->running == 0 || !LIST_EMPTY(&pool->queue) || find_batch(pool))
        return;
    offered = atomic_load_explicit(&pool->offered, memory_order_relaxed);
    pthread_mutex_unlock(&pool->mutex);
    look_out(&pool->offered, offered, false);
    pthread_mutex_lock(&pool->mutex);
}

static void *work(void *argument)
{
    struct worker_thread *self = argument;
    struct eco_pool *pool = self->pool;
    struct eco_worker *worker = &self->worker;

    /* Who answers from a cache does so at once, also when every processor is drawing. */
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), getpriority(PRIO_PROCESS, 0) + WORKER_NICE);
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        struct eco_pool_job *job = LIST_FIRST(&pool->queue);
        struct batch *batch = job ? NULL : find_batch(pool);

        if (job) {
            unlink_job(pool, job);
            pool->running++;
            pthread_mutex_unlock(&pool->mutex);
            job->run(job, worker);
            settle(worker);
            pthread_mutex_lock(&pool->mutex);
            if (--pool->running == 0 && pool->stopping)
                pthread_cond_broadcast(&pool->wake);
        } else if (batch) {
            help(pool, batch, worker);
        } else if (pool->stopping && pool->running == 0) {
            break;
        } else {
            pool->idle++;
            pthread_cond_wait(&pool->wake, &pool->mutex);
            pool->idle--;
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* A thread that could not be started is an error only when it is the first. */
static int start_threads(struct eco_pool *pool, unsigned threads, struct eco_error *error)
{
    for (unsigned i = 0; i < threads; i++) {
        struct worker_thread *self = &pool->threads[i];
        int failure;

        self->pool = pool;
        self->worker.index = i;
        eco_arena_init(&self->worker.sampler.arena);
        self->worker.sampler.executor = &pool->executor;
        failure = pthread_create(&self->thread, NULL, work, self);
        if (failure)
            return eco_error_set(error, ECO_ENOMEM,
                                 "cannot start render thread %u of %u (error %d); fewer threads "
                                 "may fit",
                                 i + 1, threads, failure);
        pool->thread_count++;
    }
    return 0;
}

int eco_pool_new(unsigned threads, unsigned queue, struct eco_pool **out, struct eco_error *error)
{
    struct eco_pool *pool = NULL;
    int result;

    if (threads < 1 || threads > ECO_THREADS_MAX)
        return eco_error_set(error, ECO_EINVAL, "%u render threads; 1 to %d are possible", threads,
                             ECO_THREADS_MAX);
    pool = calloc(1, sizeof(*pool));
    if (!pool)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the render pool");
    pool->executor.run = run_with_helpers;
    pool->queue_limit = queue;
    LIST_INIT(&pool->queue);
    TAILQ_INIT(&pool->batches);
    atomic_init(&pool->queued, 0);
    atomic_init(&pool->offered, 0);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pool->threads = calloc(threads, sizeof(*pool->threads));
    if (!pool->threads) {
        result = eco_error_set(error, ECO_ENOMEM, "no memory for %u render threads", threads);
        goto out;
    }
    /* No worker looks at thread_count before it has a job, and none comes before this returns. */
    result = start_threads(pool, threads, error);
    if (result)
        goto out;
    *out = pool;
    return 0;
out:
    eco_pool_free(pool);
    return result;
}

int eco_pool_push(struct eco_pool *pool, struct eco_pool_job *job)
{
    int result = 0;

    pthread_mutex_lock(&pool->mutex);
    if (atomic_load_explicit(&pool->queued, memory_order_relaxed) >= pool->queue_limit) {
        result = ECO_EBUSY;
    } else {
        link_job(pool, job);
        atomic_fetch_add_explicit(&pool->offered, 1, memory_order_relaxed);
        if (pool->idle > 0)
            pthread_cond_signal(&pool->wake);
    }
    pthread_mutex_unlock(&pool->mutex);
    return result;
}

bool eco_pool_raise(struct eco_pool *pool, struct eco_pool_job *job)
{
    bool raised;

    pthread_mutex_lock(&pool->mutex);
    raised = job->queued;
    if (raised) {
        unlink_job(pool, job);
        link_job(pool, job);
    }
    pthread_mutex_unlock(&pool->mutex);
    return raised;
}

bool eco_pool_remove(struct eco_pool *pool, struct eco_pool_job *job)
{
    bool removed;

    pthread_mutex_lock(&pool->mutex);
    removed = job->queued;
    if (removed)
        unlink_job(pool, job);
    pthread_mutex_unlock(&pool->mutex);
    return removed;
}

unsigned eco_pool_threads(const struct eco_pool *pool)
{
    return pool->thread_count;
}

void eco_pool_yield(struct eco_pool *pool, struct eco_worker *worker)
{
    unsigned count = atomic_load_explicit(&pool->queued, memory_order_relaxed);
    struct eco_pool_job *job;

    if (count == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    while (count-- > 0 && (job = LIST_FIRST(&pool->queue))) {
        unlink_job(pool, job);
        pthread_mutex_unlock(&pool->mutex);
        job->run(job, worker);
        settle(worker);
        pthread_mutex_lock(&pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

unsigned eco_pool_waiting(struct eco_pool *pool)
{
    return atomic_load_explicit(&pool->queued, memory_order_relaxed);
}

void eco_pool_free(struct eco_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->thread_count; i++) {
        pthread_join(pool->threads[i].thread, NULL);
        eco_arena_release(&pool->threads[i].worker.sampler.arena);
    }
    free(pool->threads);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}
