/*
 * The render workers. A bounded queue of tile jobs, the newest first, because the newest is what
 * somebody still looks at; and an executor through which a worker hands out the parts of its tile,
 * so that idle workers help. Queued jobs go before helping: one cold tile uses every core when they
 * are idle, and none waits when they are busy.
 * Thread rule: every function from any thread; `run` of a job is called from a worker.
 */
#ifndef ECO_SERVE_POOL_H
#define ECO_SERVE_POOL_H

#include <stdbool.h>
#include <sys/queue.h>

#include "ecotone/error.h"
#include "world/generator.h"

/* A worker's own: the sampler is empty when a job starts and is reset when it has ended. */
struct eco_worker {
    unsigned index; /* 0 .. threads - 1 */
    struct eco_sampler sampler;
};

/* Embedded in what is to be done; belongs to the caller, who keeps it alive until it has run or
 * was removed. The members after `run` are the pool's. */
struct eco_pool_job {
    void (*run)(struct eco_pool_job *job, struct eco_worker *worker);
    LIST_ENTRY(eco_pool_job) queue;
    bool queued;
};

struct eco_pool;

/* `threads` workers, at least 1; at most `queue` jobs wait. */
int eco_pool_new(unsigned threads, unsigned queue, struct eco_pool **out, struct eco_error *error);

/* Queues the job. ECO_EBUSY: the queue is full; the job is not touched. */
int eco_pool_push(struct eco_pool *pool, struct eco_pool_job *job);

/* Makes a job that waits the newest; false, and nothing changes, as eco_pool_remove. */
bool eco_pool_raise(struct eco_pool *pool, struct eco_pool_job *job);

/* Takes a job back that waits. False: it runs, or has run, or was never queued. */
bool eco_pool_remove(struct eco_pool *pool, struct eco_pool_job *job);

/* Workers of the pool. */
unsigned eco_pool_threads(const struct eco_pool *pool);

/* From `run` of a job whose sampler is empty: runs as many jobs as wait now before it goes on. */
void eco_pool_yield(struct eco_pool *pool, struct eco_worker *worker);

/* Jobs that wait at this moment. */
unsigned eco_pool_waiting(struct eco_pool *pool);

/* Runs what is queued, then joins the workers. NULL is allowed. */
void eco_pool_free(struct eco_pool *pool);

#endif
