#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/guard.h"

/* True when the other side of the pair is shut within `ms`. */
static bool is_shut_within(int other, int ms)
{
    struct pollfd poll_fd = {.fd = other, .events = POLLIN};
    char byte;

    return poll(&poll_fd, 1, ms) == 1 && recv(other, &byte, 1, 0) == 0;
}

static void silent_connection_is_shut_and_busy_one_is_not(void **state)
{
    struct eco_guard *guard = NULL;
    struct eco_guarded *silent, *busy;
    int pair_silent[2], pair_busy[2];

    (void)state;
    assert_int_equal(eco_guard_new(1, 100, &guard, NULL), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair_silent), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair_busy), 0);
    silent = eco_guard_add(guard, pair_silent[0]);
    busy = eco_guard_add(guard, pair_busy[0]);
    assert_int_equal(eco_guard_count(guard), 2);
    for (int i = 0; i < 35; i++) {
        eco_guard_touch(busy);
        if (is_shut_within(pair_silent[1], 100))
            break;
    }
    assert_true(is_shut_within(pair_silent[1], 0));
    assert_false(is_shut_within(pair_busy[1], 0));
    eco_guard_remove(guard, silent);
    eco_guard_remove(guard, busy);
    assert_int_equal(eco_guard_count(guard), 0);
    eco_guard_free(guard);
    for (int i = 0; i < 2; i++) {
        close(pair_silent[i]);
        close(pair_busy[i]);
    }
}

static void crowd_of_idle_connections_makes_room(void **state)
{
    struct eco_guard *guard = NULL;
    struct eco_guarded *guarded[4];
    int pairs[4][2];

    (void)state;
    assert_int_equal(eco_guard_new(60, 4, &guard, NULL), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]), 0);
    for (int i = 0; i < 3; i++)
        guarded[i] = eco_guard_add(guard, pairs[i][0]);
    eco_guard_begin(guarded[1]);
    /* Three are no crowd. */
    assert_false(is_shut_within(pairs[0][1], 3500));
    guarded[3] = eco_guard_add(guard, pairs[3][0]);
    assert_true(is_shut_within(pairs[0][1], 3000));
    assert_true(is_shut_within(pairs[2][1], 3000));
    assert_true(is_shut_within(pairs[3][1], 3500));
    assert_false(is_shut_within(pairs[1][1], 0));
    for (int i = 0; i < 4; i++) {
        eco_guard_remove(guard, guarded[i]);
        close(pairs[i][0]);
        close(pairs[i][1]);
    }
    eco_guard_free(guard);
}

static void missing_connection_is_no_matter(void **state)
{
    struct eco_guard *guard = NULL;

    (void)state;
    assert_int_equal(eco_guard_new(60, 100, &guard, NULL), 0);
    eco_guard_touch(NULL);
    eco_guard_begin(NULL);
    eco_guard_remove(guard, NULL);
    eco_guard_free(guard);
    eco_guard_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silent_connection_is_shut_and_busy_one_is_not),
        cmocka_unit_test(crowd_of_idle_connections_makes_room),
        cmocka_unit_test(missing_connection_is_no_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
