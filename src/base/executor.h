/*
 * Who runs the jobs that one piece of work is cut into. The world code only knows this interface,
 * so it stays free of threads; the pool of serve/ offers an executor whose idle workers help.
 */
#ifndef ECO_BASE_EXECUTOR_H
#define ECO_BASE_EXECUTOR_H

#include <stddef.h>

#include "base/arena.h"

/*
 * One job. What it allocates in `scratch` is gone when it returns. Returns 0 or an eco_code. Jobs
 * of one run write to disjoint places and may run in any order, at the same time.
 */
typedef int (*eco_job)(void *context, size_t index, struct eco_arena *scratch);

struct eco_executor {
    /*
     * Runs jobs 0 .. count-1 and returns when all have ended: 0 or the first error met. The calling
     * thread takes part and its jobs use `arena` above what is allocated there.
     */
    int (*run)(struct eco_executor *self, size_t count, eco_job job, void *context,
               struct eco_arena *arena);
};

/* Runs the jobs one after the other in the calling thread; `self` may be NULL. */
int eco_executor_run_serial(struct eco_executor *self, size_t count, eco_job job, void *context,
                            struct eco_arena *arena);

/* Runs through `executor`, or serially when it is NULL. */
int eco_executor_run(struct eco_executor *executor, size_t count, eco_job job, void *context,
                     struct eco_arena *arena);

#endif
