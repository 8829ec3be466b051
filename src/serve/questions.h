/*
 * Questions about worlds that take a while, answered by the render workers: scores, areas,
 * searches, points. At most half of the workers, and at least one, are with questions that are not
 * brief, the oldest first; where there is one worker alone, tiles go between the slices of a
 * question. Who has waited longer than the deadline, or has left, is let go with ECO_ECANCELED,
 * whether a worker has begun or not. Thread rule: every function from any thread.
 */
#ifndef ECO_SERVE_QUESTIONS_H
#define ECO_SERVE_QUESTIONS_H

#include <stdbool.h>

#include "serve/blocks.h"
#include "serve/pool.h"
#include "serve/worlds.h"

/* One question. It belongs to who asks and must live until `done`. */
struct eco_question {
    const struct eco_world_config *world;
    int64_t seed;
    unsigned blend; /* 0: as configured; otherwise 1 + enum eco_blend_method */
    bool brief;     /* it takes no longer than a tile: only the queue bounds how many there are */
    /* Called in a worker: 0 or an error code; the sampler is the worker's. */
    int (*answer)(struct eco_question *question, const struct eco_world *world,
                  struct eco_sampler *sampler, struct eco_error *error);
    /* Whether nobody waits for the answer any more; asked now and then until `done` is called,
     * never after. It must not wait. May be NULL. */
    bool (*left)(struct eco_question *question);
    /* Called once, from any thread, as the last that is done with the question. */
    void (*done)(struct eco_question *question, int code);
    struct eco_pool_job job; /* the questions' own, as what follows */
    struct eco_questions *questions;
    struct eco_question *next, *previous; /* of those that wait */
    uint64_t deadline_ns;
    struct eco_worker *worker;
};

struct eco_questions;

/* What is asked must outlive the questions. NULL when there is no memory or no thread. */
struct eco_questions *eco_questions_new(struct eco_pool *pool, struct eco_worlds *worlds,
                                        struct eco_blocks *blocks, unsigned deadline_ms);
/* After eco_questions_drain. NULL is allowed. */
void eco_questions_free(struct eco_questions *questions);

/* 0: `done` is called exactly once, perhaps before this returns. ECO_EBUSY: too many wait, for the
 * queue or, where not brief, for ECO_QUESTIONS_MAX; ECO_ECANCELED: draining; `done` is then never
 * called. */
int eco_questions_ask(struct eco_questions *questions, struct eco_question *question);

/* From `answer`, between two slices, when nothing in the sampler is needed any more: it may be used
 * for a tile meanwhile. True: the answer is of no use any more, `answer` returns ECO_ECANCELED. */
bool eco_questions_pause(struct eco_question *question);

/* Refuses new ones, fails those that no worker has begun, and returns when all have ended. */
void eco_questions_drain(struct eco_questions *questions);

/* Questions let go at their deadline. */
uint64_t eco_questions_expired(struct eco_questions *questions);

#endif
