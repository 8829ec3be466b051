/*
 * Scores of windows, worked out by the render workers: they may need many blocks of a world.
 * Thread rule: every function from any thread.
 */
#ifndef ECO_SERVE_SCORES_H
#define ECO_SERVE_SCORES_H

#include "serve/blocks.h"
#include "serve/pool.h"
#include "serve/worlds.h"
#include "world/score_world.h"

struct eco_scores;

/* What is asked must outlive the scores. NULL when memory runs out. */
struct eco_scores *eco_scores_new(struct eco_pool *pool, struct eco_worlds *worlds,
                                  struct eco_blocks *blocks);
/* After eco_scores_drain. NULL is allowed. */
void eco_scores_free(struct eco_scores *scores);

/* 0: `done` is called exactly once, from a worker, perhaps before this returns, with 0 and a score
 * that is valid during the call, or with an error code and NULL. ECO_EBUSY: the queue is full;
 * ECO_ECANCELED: draining; ECO_ENOMEM; `done` is then never called. The query must have passed
 * eco_score_check. */
int eco_scores_ask(struct eco_scores *scores, const struct eco_world_config *world, int64_t seed,
                   const struct eco_score_query *query,
                   void (*done)(void *context, int code, const struct eco_score *score),
                   void *context);

/* Refuses new ones, fails those that no worker has begun, and returns when all have ended. */
void eco_scores_drain(struct eco_scores *scores);

#endif
