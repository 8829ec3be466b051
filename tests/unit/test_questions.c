#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/questions.h"
#include "service_fixture.h"

struct asked {
    struct eco_question question; /* first */
    atomic_bool *shut;            /* its answer waits while this is set */
    atomic_int *answered;
};

static atomic_int answering; /* questions that were begun */

static int wait_and_answer(struct eco_question *question, const struct eco_world *world,
                           struct eco_sampler *sampler, struct eco_error *error)
{
    struct asked *asked = (struct asked *)question;

    (void)world;
    (void)sampler;
    (void)error;
    atomic_fetch_add(&answering, 1);
    while (atomic_load(asked->shut))
        usleep(100);
    return 0;
}

static void count_answer(struct eco_question *question, int code)
{
    if (!code)
        atomic_fetch_add(((struct asked *)question)->answered, 1);
}

/* How many of `count` questions are taken in while none is answered. */
static unsigned taken_in(struct fixture *fixture, struct asked *asked, unsigned count, bool brief,
                         atomic_bool *shut, atomic_int *answered)
{
    unsigned taken = 0;

    for (unsigned i = 0; i < count; i++) {
        int code;

        asked[i] = (struct asked){.question = {.world = &fixture->config->worlds[0],
                                               .seed = 9,
                                               .brief = brief,
                                               .answer = wait_and_answer,
                                               .done = count_answer},
                                  .shut = shut,
                                  .answered = answered};
        code = eco_service_ask(fixture->service, &asked[i].question);
        assert_true(code == 0 || code == ECO_EBUSY);
        taken += code == 0;
    }
    return taken;
}

static void brief_questions_are_bounded_by_the_queue_alone(void **state)
{
    struct fixture *fixture = *state;
    static struct asked lengthy[100], brief[100];
    atomic_bool shut;
    atomic_int answered;
    unsigned taken;

    atomic_init(&shut, true);
    atomic_init(&answered, 0);
    start(fixture, false, 1 << 20);
    assert_int_equal(taken_in(fixture, lengthy, 100, false, &shut, &answered), ECO_QUESTIONS_MAX);
    /* A lengthy one may still be in the queue of 64; each worker may have taken one out of it. */
    taken = taken_in(fixture, brief, 100, true, &shut, &answered);
    assert_in_range(taken, 63, 65);
    atomic_store(&shut, false);
    eco_service_drain(fixture->service);
    /* The drain fails those that no worker has begun. */
    assert_in_range(atomic_load(&answered), 0, taken + ECO_QUESTIONS_MAX);
    stop(fixture);
}

static void questions_leave_workers_to_tiles(void **state)
{
    struct fixture *fixture = *state;

    for (unsigned threads = 2; threads <= 5; threads++) {
        static struct asked asked[ECO_QUESTIONS_MAX];
        struct eco_tile_request request = request_of(fixture, threads);
        struct eco_blob *blob;
        atomic_bool shut;
        atomic_int answered;

        atomic_init(&shut, true);
        atomic_init(&answered, 0);
        atomic_store(&answering, 0);
        start_service(fixture, false, 1 << 20, threads, 0);
        assert_int_equal(taken_in(fixture, asked, ECO_QUESTIONS_MAX, false, &shut, &answered),
                         ECO_QUESTIONS_MAX);
        for (unsigned tile = 0; tile < 20; tile++) {
            request.tile.x = 100 + tile;
            assert_int_equal(render(fixture, &request, &blob), 0);
            eco_blob_decref(blob);
        }
        assert_in_range(atomic_load(&answering), 0, threads / 2);
        atomic_store(&shut, false);
        for (unsigned waited = 0; waited < 10000; waited++) {
            if (atomic_load(&answered) == ECO_QUESTIONS_MAX)
                break;
            usleep(1000);
        }
        assert_int_equal(atomic_load(&answered), ECO_QUESTIONS_MAX);
        stop(fixture);
    }
}

/* Goes on, slice after slice, until it may end. */
static int answer_in_slices(struct eco_question *question, const struct eco_world *world,
                            struct eco_sampler *sampler, struct eco_error *error)
{
    struct asked *asked = (struct asked *)question;

    (void)world;
    (void)sampler;
    (void)error;
    atomic_fetch_add(&answering, 1);
    while (atomic_load(asked->shut)) {
        if (eco_questions_pause(question))
            return ECO_ECANCELED;
        usleep(100);
    }
    return 0;
}

static void tiles_go_between_the_slices_of_a_question_where_there_is_one_worker(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 3);
    atomic_bool shut;
    atomic_int answered;
    struct asked asked = {.question = {.world = &fixture->config->worlds[0],
                                       .seed = 9,
                                       .answer = answer_in_slices,
                                       .done = count_answer},
                          .shut = &shut,
                          .answered = &answered};
    struct asked other = asked;
    struct eco_blob *blob;

    atomic_init(&shut, true);
    atomic_init(&answered, 0);
    atomic_store(&answering, 0);
    start_service(fixture, false, 1 << 20, 1, 0);
    assert_int_equal(eco_service_ask(fixture->service, &asked.question), 0);
    assert_int_equal(eco_service_ask(fixture->service, &other.question), 0);
    while (atomic_load(&answering) == 0)
        usleep(100);
    for (unsigned tile = 0; tile < 5; tile++) {
        request.tile.x = 200 + tile;
        assert_int_equal(render(fixture, &request, &blob), 0);
        eco_blob_decref(blob);
    }
    assert_int_equal(atomic_load(&answering), 1);
    assert_int_equal(atomic_load(&answered), 0);
    /* A question that runs is let go by a drain, one that waits is never begun. */
    eco_service_drain(fixture->service);
    assert_int_equal(atomic_load(&answering), 1);
    assert_int_equal(atomic_load(&answered), 0);
    stop(fixture);
}

/* How many of the questions were let go. */
static void count_lost(struct eco_question *question, int code)
{
    if (code == ECO_ECANCELED)
        atomic_fetch_add(((struct asked *)question)->answered, 1);
}

static bool has_left(struct eco_question *question)
{
    (void)question;
    return true;
}

/* The only worker is held up while a point and two lengthy questions wait. */
static void let_go_of_three(struct fixture *fixture, unsigned deadline_ms,
                            bool (*left)(struct eco_question *question))
{
    struct asked first, waiting[3];
    atomic_bool shut;
    atomic_int answered, lost;

    atomic_init(&shut, true);
    atomic_init(&answered, 0);
    atomic_init(&lost, 0);
    atomic_store(&answering, 0);
    start_service(fixture, false, 1 << 20, 1, deadline_ms);
    assert_int_equal(taken_in(fixture, &first, 1, true, &shut, &answered), 1);
    while (atomic_load(&answering) == 0)
        usleep(100);
    for (unsigned i = 0; i < 3; i++) {
        waiting[i] = (struct asked){.question = {.world = &fixture->config->worlds[0],
                                                 .seed = 9,
                                                 .brief = i == 0,
                                                 .answer = wait_and_answer,
                                                 .left = left,
                                                 .done = count_lost},
                                    .shut = &shut,
                                    .answered = &lost};
        assert_int_equal(eco_service_ask(fixture->service, &waiting[i].question), 0);
    }
    for (unsigned waited = 0; waited < 5000 && atomic_load(&lost) < 3; waited++)
        usleep(1000);
    assert_int_equal(atomic_load(&lost), 3);
    assert_int_equal(atomic_load(&answered), 0);
    atomic_store(&shut, false);
    while (atomic_load(&answered) == 0)
        usleep(100);
}

static void question_that_no_worker_begins_ends_at_its_deadline(void **state)
{
    struct fixture *fixture = *state;

    let_go_of_three(fixture, 100, NULL);
    assert_int_equal(stats_of(fixture).expired, 3);
    stop(fixture);
}

static void question_that_no_worker_begins_ends_when_who_asked_has_left(void **state)
{
    struct fixture *fixture = *state;

    let_go_of_three(fixture, 60000, has_left);
    assert_int_equal(stats_of(fixture).expired, 0);
    stop(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(questions_leave_workers_to_tiles),
        TEST(tiles_go_between_the_slices_of_a_question_where_there_is_one_worker),
        TEST(brief_questions_are_bounded_by_the_queue_alone),
        TEST(question_that_no_worker_begins_ends_at_its_deadline),
        TEST(question_that_no_worker_begins_ends_when_who_asked_has_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
