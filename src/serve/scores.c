#include "serve/scores.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"

struct eco_scores {
    struct eco_pool *pool;
    struct eco_worlds *worlds;
    struct eco_blocks *blocks;
    pthread_mutex_t mutex;
    pthread_cond_t ended; /* the last of `asked` */
    unsigned asked;
    bool draining;
};

struct asked {
    struct eco_pool_job job; /* first: the pool hands it back */
    struct eco_scores *scores;
    const struct eco_world_config *world;
    int64_t seed;
    struct eco_score_query query;
    void (*done)(void *context, int code, const struct eco_score *score);
    void *context;
};

struct eco_scores *eco_scores_new(struct eco_pool *pool, struct eco_worlds *worlds,
                                  struct eco_blocks *blocks)
{
    struct eco_scores *scores = calloc(1, sizeof(*scores));

    if (!scores)
        return NULL;
    scores->pool = pool;
    scores->worlds = worlds;
    scores->blocks = blocks;
    pthread_mutex_init(&scores->mutex, NULL);
    pthread_cond_init(&scores->ended, NULL);
    return scores;
}

void eco_scores_free(struct eco_scores *scores)
{
    if (!scores)
        return;
    pthread_cond_destroy(&scores->ended);
    pthread_mutex_destroy(&scores->mutex);
    free(scores);
}

static void end(struct eco_scores *scores)
{
    pthread_mutex_lock(&scores->mutex);
    if (--scores->asked == 0)
        pthread_cond_broadcast(&scores->ended);
    pthread_mutex_unlock(&scores->mutex);
}

static bool is_draining(struct eco_scores *scores)
{
    bool draining;

    pthread_mutex_lock(&scores->mutex);
    draining = scores->draining;
    pthread_mutex_unlock(&scores->mutex);
    return draining;
}

static int work_out(const struct asked *asked, struct eco_worker *worker, struct eco_score *score,
                    struct eco_error *error)
{
    struct eco_scores *scores = asked->scores;
    struct eco_seeded_world *seeded;
    const struct eco_world *world;
    int code;

    if (is_draining(scores))
        return eco_error_set(error, ECO_ECANCELED, "the service is stopping");
    code = eco_worlds_acquire(scores->worlds, asked->world, asked->seed, asked->world->blend.method,
                              &seeded, &world, error);
    if (code)
        return code;
    worker->sampler.blocks = eco_blocks_cache(scores->blocks);
    code = eco_score_world(world, &asked->query, &worker->sampler, score, error);
    eco_worlds_release(scores->worlds, seeded);
    return code;
}

static void run(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct asked *asked = (struct asked *)job;
    struct eco_scores *scores = asked->scores;
    struct eco_error error = {0};
    struct eco_score score;
    int code = work_out(asked, worker, &score, &error);

    if (code && code != ECO_ECANCELED)
        eco_log(ECO_LOG_ERROR, "a score of the world %s failed: %s", asked->world->name,
                error.text);
    asked->done(asked->context, code, code ? NULL : &score);
    free(asked);
    end(scores);
}

int eco_scores_ask(struct eco_scores *scores, const struct eco_world_config *world, int64_t seed,
                   const struct eco_score_query *query,
                   void (*done)(void *context, int code, const struct eco_score *score),
                   void *context)
{
    struct asked *asked = calloc(1, sizeof(*asked));
    bool draining;
    int code;

    if (!asked)
        return ECO_ENOMEM;
    asked->job.run = run;
    asked->scores = scores;
    asked->world = world;
    asked->seed = seed;
    asked->query = *query;
    asked->done = done;
    asked->context = context;
    pthread_mutex_lock(&scores->mutex);
    draining = scores->draining;
    scores->asked += !draining;
    pthread_mutex_unlock(&scores->mutex);
    code = draining ? ECO_ECANCELED : eco_pool_push(scores->pool, &asked->job);
    if (code) {
        free(asked);
        if (!draining)
            end(scores);
    }
    return code;
}

void eco_scores_drain(struct eco_scores *scores)
{
    pthread_mutex_lock(&scores->mutex);
    scores->draining = true;
    while (scores->asked > 0)
        pthread_cond_wait(&scores->ended, &scores->mutex);
    pthread_mutex_unlock(&scores->mutex);
}
