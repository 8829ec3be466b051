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
    pthread_cond_t ended;               /* the last of `asked` */
    unsigned asked, lengthy;            /* all, and those of them that are not brief */
    unsigned workers, workers_limit;    /* that are with lengthy ones, or will be soon */
    struct eco_question *oldest, **end; /* lengthy ones that wait for one of these */
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
    questions->workers_limit = eco_pool_threads(pool) > 3 ? eco_pool_threads(pool) / 2 : 1;
    questions->end = &questions->oldest;
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

/* The next question for a worker that is with lengthy ones; NULL: it is not any more. */
static struct eco_question *end(struct eco_questions *questions, bool brief)
{
    struct eco_question *next;

    pthread_mutex_lock(&questions->mutex);
    next = brief ? NULL : questions->oldest;
    if (next) {
        questions->oldest = next->next;
        if (!questions->oldest)
            questions->end = &questions->oldest;
    } else {
        questions->workers -= !brief;
    }
    questions->lengthy -= !brief;
    if (--questions->asked == 0)
        pthread_cond_broadcast(&questions->ended);
    pthread_mutex_unlock(&questions->mutex);
    return next;
}

static bool is_draining(struct eco_questions *questions)
{
    bool draining;

    pthread_mutex_lock(&questions->mutex);
    draining = questions->draining;
    pthread_mutex_unlock(&questions->mutex);
    return draining;
}

bool eco_questions_pause(struct eco_question *question)
{
    struct eco_pool *pool = question->questions->pool;

    /* No other lengthy one is in the queue of one worker: this goes no deeper. */
    if (!question->brief && eco_pool_threads(pool) == 1)
        eco_pool_yield(pool, question->worker);
    return is_draining(question->questions);
}

static int work_out(struct eco_question *question, struct eco_worker *worker,
                    struct eco_error *error)
{
    struct eco_questions *questions = question->questions;
    struct eco_seeded_world *seeded;
    const struct eco_world *world;
    int code;

    if (is_draining(questions))
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

static struct eco_question *answer_one(struct eco_question *question, struct eco_worker *worker)
{
    struct eco_questions *questions = question->questions;
    struct eco_error error = {0};
    bool brief = question->brief;
    int code;

    question->worker = worker;
    code = work_out(question, worker, &error);
    if (code && code != ECO_ECANCELED)
        eco_log(ECO_LOG_ERROR, "a question about the world %s failed: %s", question->world->name,
                error.text);
    question->done(question, code);
    return end(questions, brief);
}

static void run(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct eco_question *question =
        (struct eco_question *)((char *)job - offsetof(struct eco_question, job));

    while (question) {
        question = answer_one(question, worker);
        eco_sampler_reset(&worker->sampler);
    }
}

/* With the mutex held. A question that was pushed may be gone at once. */
static int take_in(struct eco_questions *questions, struct eco_question *question)
{
    bool brief = question->brief, waits = !brief && questions->workers >= questions->workers_limit;

    if (waits) {
        *questions->end = question;
        questions->end = &question->next;
    } else {
        int code = eco_pool_push(questions->pool, &question->job);

        if (code)
            return code;
    }
    questions->workers += !brief && !waits;
    questions->lengthy += !brief;
    questions->asked++;
    return 0;
}

int eco_questions_ask(struct eco_questions *questions, struct eco_question *question)
{
    int code;

    question->questions = questions;
    question->job.run = run;
    question->next = NULL;
    pthread_mutex_lock(&questions->mutex);
    if (questions->draining)
        code = ECO_ECANCELED;
    else if (!question->brief && questions->lengthy >= ECO_QUESTIONS_MAX)
        code = ECO_EBUSY;
    else
        code = take_in(questions, question);
    pthread_mutex_unlock(&questions->mutex);
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
