#include "serve/questions.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/log.h"

struct eco_questions {
    struct eco_pool *pool;
    struct eco_worlds *worlds;
    struct eco_blocks *blocks;
    pthread_mutex_t mutex;
    pthread_cond_t ended;    /* the last of `asked` */
    unsigned asked, lengthy; /* all, and those of them that are not brief */
    bool draining;
};

struct eco_questions *eco_questions_new(struct eco_pool *pool, struct eco_worlds *worlds,
                                        struct eco_blocks *blocks)
{
    struct eco_questions *questions = calloc(1, sizeof(*questions));

    if (!questions)
        return NULL;
    questions->pool = pool;
    questions->worlds = worlds;
    questions->blocks = blocks;
    pthread_mutex_init(&questions->mutex, NULL);
    pthread_cond_init(&questions->ended, NULL);
    return questions;
}

void eco_questions_free(struct eco_questions *questions)
{
    if (!questions)
        return;
    pthread_cond_destroy(&questions->ended);
    pthread_mutex_destroy(&questions->mutex);
    free(questions);
}

/* 0, or why there cannot be another one. */
static int begin(struct eco_questions *questions, bool brief)
{
    int code = 0;

    pthread_mutex_lock(&questions->mutex);
    if (questions->draining)
        code = ECO_ECANCELED;
    else if (!brief && questions->lengthy >= ECO_QUESTIONS_MAX)
        code = ECO_EBUSY;
    if (!code) {
        questions->asked++;
        questions->lengthy += !brief;
    }
    pthread_mutex_unlock(&questions->mutex);
    return code;
}

static void end(struct eco_questions *questions, bool brief)
{
    pthread_mutex_lock(&questions->mutex);
    questions->lengthy -= !brief;
    if (--questions->asked == 0)
        pthread_cond_broadcast(&questions->ended);
    pthread_mutex_unlock(&questions->mutex);
}

bool eco_questions_draining(struct eco_questions *questions)
{
    bool draining;

    pthread_mutex_lock(&questions->mutex);
    draining = questions->draining;
    pthread_mutex_unlock(&questions->mutex);
    return draining;
}

static int work_out(struct eco_question *question, struct eco_worker *worker,
                    struct eco_error *error)
{
    struct eco_questions *questions = question->questions;
    struct eco_seeded_world *seeded;
    const struct eco_world *world;
    int code;

    if (eco_questions_draining(questions))
        return eco_error_set(error, ECO_ECANCELED, "the service is stopping");
    code = eco_worlds_acquire(questions->worlds, question->world, question->seed,
                              eco_worlds_method(question->world, question->blend), &seeded, &world,
                              error);
    if (code)
        return code;
    worker->sampler.blocks = eco_blocks_cache(questions->blocks);
    code = question->answer(question, world, &worker->sampler, error);
    eco_worlds_release(questions->worlds, seeded);
    return code;
}

static void run(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct eco_question *question =
        (struct eco_question *)((char *)job - offsetof(struct eco_question, job));
    struct eco_questions *questions = question->questions;
    struct eco_error error = {0};
    bool brief = question->brief;
    int code = work_out(question, worker, &error);

    if (code && code != ECO_ECANCELED)
        eco_log(ECO_LOG_ERROR, "a question about the world %s failed: %s", question->world->name,
                error.text);
    question->done(question, code);
    end(questions, brief);
}

int eco_questions_ask(struct eco_questions *questions, struct eco_question *question)
{
    int code = begin(questions, question->brief);

    if (code)
        return code;
    question->questions = questions;
    question->job.run = run;
    code = eco_pool_push(questions->pool, &question->job);
    if (code)
        end(questions, question->brief);
    return code;
}

void eco_questions_drain(struct eco_questions *questions)
{
    pthread_mutex_lock(&questions->mutex);
    questions->draining = true;
    while (questions->asked > 0)
        pthread_cond_wait(&questions->ended, &questions->mutex);
    pthread_mutex_unlock(&questions->mutex);
}
