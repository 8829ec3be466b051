#include "base/executor.h"

int eco_executor_run_serial(struct eco_executor *self, size_t count, eco_job job, void *context,
                            struct eco_arena *arena)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    int result = 0;

    (void)self;
    for (size_t index = 0; index < count && !result; index++) {
        result = job(context, index, arena);
        eco_arena_rewind(arena, mark);
    }
    return result;
}

int eco_executor_run(struct eco_executor *executor, size_t count, eco_job job, void *context,
                     struct eco_arena *arena)
{
    if (!executor)
        return eco_executor_run_serial(NULL, count, job, context, arena);
    return executor->run(executor, count, job, context, arena);
}
