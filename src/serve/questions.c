#include "serve/questions.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"

/* Who left is noticed so soon. */
#define TICK_NS 250000000u

/* Those that no worker has begun, the oldest first. All have the same patience, so the order is
 * that of the deadlines, too. */
struct line {
    struct eco_question *first, *last;
};

/* A worker's turn at lengthy questions: in the pool's queue, or with a worker that takes one after
 * the other. */
struct turn {
    struct eco_pool_job job; /* first: the job is the turn */
    struct eco_questions *questions;
    bool taken;
};

struct eco_questions {
    struct eco_pool *pool;
    struct eco_worlds *worlds;
    struct eco_blocks *blocks;
    uint64_t patience_ns;
    pthread_mutex_t mutex;   /* taken before the pool's */
    pthread_cond_t ended;    /* the last of `asked` */
    unsigned asked, lengthy; /* all, and those of them that are not brief */
    struct line brief_line, lengthy_line;
    struct turn turns[ECO_THREADS_MAX / 2];
    unsigned turns_count;
    uint64_t expired;
    bool draining;

    pthread_t clock_thread;
    bool clock_started, clock_stop;
    pthread_cond_t clock_wake;
};

/* --- with the mutex held -----------------------------------------------------------------------
 */

static struct line *line_of(struct eco_questions *questions, const struct eco_question *question)
{
    return question->brief ? &questions->brief_line : &questions->lengthy_line;
}

static void stand_in_line(struct line *line, struct eco_question *question)
{
    question->next = NULL;
    question->previous = line->last;
    if (line->last)
        line->last->next = question;
    else
        line->first = question;
    line->last = question;
}

static void leave_line(struct line *line, struct eco_question *question)
{
    if (question->previous)
        question->previous->next = question->next;
    else
        line->first = question->next;
    if (question->next)
        question->next->previous = question->previous;
    else
        line->last = question->previous;
}

static void end_one(struct eco_questions *questions, bool brief)
{
    questions->lengthy -= !brief;
    if (--questions->asked == 0)
        pthread_cond_broadcast(&questions->ended);
}

/* --- in a worker -------------------------------------------------------------------------------
 */

static bool is_draining(struct eco_questions *questions)
{
    bool draining;

    pthread_mutex_lock(&questions->mutex);
    draining = questions->draining;
    pthread_mutex_unlock(&questions->mutex);
    return draining;
}

static void count_late(struct eco_questions *questions)
{
    pthread_mutex_lock(&questions->mutex);
    questions->expired++;
    pthread_mutex_unlock(&questions->mutex);
}

static bool is_late(const struct eco_question *question)
{
    return eco_clock_monotonic_ns() >= question->deadline_ns;
}

static bool is_of_no_use(struct eco_question *question)
{
    return is_draining(question->questions) || is_late(question) ||
           (question->left && question->left(question));
}

bool eco_questions_pause(struct eco_question *question)
{
    struct eco_pool *pool = question->questions->pool;

    /* No other lengthy one is in the queue of one worker: this goes no deeper. */
    if (!question->brief && eco_pool_threads(pool) == 1)
        eco_pool_yield(pool, question->worker);
    return is_of_no_use(question);
}

static int work_out(struct eco_question *question, struct eco_worker *worker,
                    struct eco_error *error)
{
    struct eco_questions *questions = question->questions;
    struct eco_seeded_world *seeded;
    const struct eco_world *world;
    int code;

    if (is_of_no_use(question))
        return eco_error_set(error, ECO_ECANCELED, "nobody waits for the answer any more");
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

static void answer_one(struct eco_question *question, struct eco_worker *worker)
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
    if (code == ECO_ECANCELED && is_late(question))
        count_late(questions);
    question->done(question, code);
    pthread_mutex_lock(&questions->mutex);
    end_one(questions, brief);
    pthread_mutex_unlock(&questions->mutex);
}

static void run_brief(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct eco_question *question =
        (struct eco_question *)((char *)job - offsetof(struct eco_question, job));
    struct eco_questions *questions = question->questions;

    pthread_mutex_lock(&questions->mutex);
    leave_line(&questions->brief_line, question);
    pthread_mutex_unlock(&questions->mutex);
    answer_one(question, worker);
}

static void run_turn(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct turn *turn = (struct turn *)job;
    struct eco_questions *questions = turn->questions;

    for (;;) {
        struct eco_question *question;

        pthread_mutex_lock(&questions->mutex);
        question = questions->lengthy_line.first;
        if (question)
            leave_line(&questions->lengthy_line, question);
        turn->taken = question != NULL;
        pthread_mutex_unlock(&questions->mutex);
        if (!question)
            return;
        answer_one(question, worker);
        eco_sampler_reset(&worker->sampler);
    }
}

/* --- who waits no longer -----------------------------------------------------------------------
 */

/* With the mutex held: takes those out of the line that are late or have left, unless a worker has
 * them already. They are chained by `next` before `lost`. */
static struct eco_question *take_lost(struct eco_questions *questions, struct line *line,
                                      struct eco_question *lost)
{
    struct eco_question *next;

    for (struct eco_question *question = line->first; question; question = next) {
        next = question->next;
        if (!is_late(question) && !(question->left && question->left(question)))
            continue;
        if (question->brief && !eco_pool_remove(questions->pool, &question->job))
            continue;
        leave_line(line, question);
        question->next = lost;
        lost = question;
    }
    return lost;
}

/* With the mutex held, which is open while they are told. */
static void let_go_of_lost(struct eco_questions *questions)
{
    struct eco_question *lost = take_lost(questions, &questions->brief_line, NULL);

    lost = take_lost(questions, &questions->lengthy_line, lost);
    while (lost) {
        struct eco_question *question = lost;
        bool brief = question->brief;

        lost = question->next;
        questions->expired += is_late(question);
        pthread_mutex_unlock(&questions->mutex);
        question->done(question, ECO_ECANCELED);
        pthread_mutex_lock(&questions->mutex);
        end_one(questions, brief);
    }
}

static void *watch_clock(void *argument)
{
    struct eco_questions *questions = argument;
    uint64_t tick =
        questions->patience_ns / 16 < TICK_NS ? questions->patience_ns / 16 + 1 : TICK_NS;

    pthread_mutex_lock(&questions->mutex);
    while (!questions->clock_stop) {
        uint64_t moment = eco_clock_monotonic_ns() + tick;
        struct timespec until = {.tv_sec = (time_t)(moment / 1000000000u),
                                 .tv_nsec = (long)(moment % 1000000000u)};

        let_go_of_lost(questions);
        if (!questions->clock_stop)
            pthread_cond_timedwait(&questions->clock_wake, &questions->mutex, &until);
    }
    pthread_mutex_unlock(&questions->mutex);
    return NULL;
}

/* --- asking ------------------------------------------------------------------------------------
 */

/* With the mutex held: one more worker for the lengthy ones, if one may be with them. */
static int take_turn(struct eco_questions *questions)
{
    for (unsigned i = 0; i < questions->turns_count; i++) {
        struct turn *turn = &questions->turns[i];
        int code;

        if (turn->taken)
            continue;
        code = eco_pool_push(questions->pool, &turn->job);
        turn->taken = code == 0;
        return code;
    }
    return 0;
}

/* With the mutex held. */
static int take_in(struct eco_questions *questions, struct eco_question *question)
{
    struct line *line = line_of(questions, question);
    int code;

    stand_in_line(line, question);
    code = question->brief ? eco_pool_push(questions->pool, &question->job) : take_turn(questions);
    if (code) {
        leave_line(line, question);
        return code;
    }
    questions->lengthy += !question->brief;
    questions->asked++;
    return 0;
}

int eco_questions_ask(struct eco_questions *questions, struct eco_question *question)
{
    int code;

    question->questions = questions;
    question->job.run = run_brief;
    question->deadline_ns = eco_clock_monotonic_ns() + questions->patience_ns;
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

uint64_t eco_questions_expired(struct eco_questions *questions)
{
    uint64_t expired;

    pthread_mutex_lock(&questions->mutex);
    expired = questions->expired;
    pthread_mutex_unlock(&questions->mutex);
    return expired;
}

/* --- start and end -----------------------------------------------------------------------------
 */

struct eco_questions *eco_questions_new(struct eco_pool *pool, struct eco_worlds *worlds,
                                        struct eco_blocks *blocks, unsigned deadline_ms)
{
    struct eco_questions *questions = calloc(1, sizeof(*questions));
    unsigned threads = eco_pool_threads(pool);
    pthread_condattr_t monotonic;

    if (!questions)
        return NULL;
    questions->pool = pool;
    questions->worlds = worlds;
    questions->blocks = blocks;
    questions->patience_ns = (uint64_t)deadline_ms * 1000000u;
    questions->turns_count = threads > 3 ? threads / 2 : 1;
    for (unsigned i = 0; i < questions->turns_count; i++)
        questions->turns[i] = (struct turn){.job.run = run_turn, .questions = questions};
    pthread_mutex_init(&questions->mutex, NULL);
    pthread_cond_init(&questions->ended, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&questions->clock_wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    questions->clock_started =
        pthread_create(&questions->clock_thread, NULL, watch_clock, questions) == 0;
    if (questions->clock_started)
        return questions;
    eco_questions_free(questions);
    return NULL;
}

void eco_questions_free(struct eco_questions *questions)
{
    if (!questions)
        return;
    if (questions->clock_started) {
        pthread_mutex_lock(&questions->mutex);
        questions->clock_stop = true;
        pthread_cond_signal(&questions->clock_wake);
        pthread_mutex_unlock(&questions->mutex);
        pthread_join(questions->clock_thread, NULL);
    }
    pthread_cond_destroy(&questions->clock_wake);
    pthread_cond_destroy(&questions->ended);
    pthread_mutex_destroy(&questions->mutex);
    free(questions);
}
