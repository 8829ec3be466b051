#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/notify.h"

/* A service manager's socket; `name` begins with / or @. */
static int manager(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

    assert_true(fd >= 0);
    memcpy(address.sun_path, name, length);
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    assert_int_equal(bind(fd, (struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)),
                     0);
    return fd;
}

static const char *heard(int fd)
{
    static char text[1024];
    ssize_t got = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);

    text[got < 0 ? 0 : got] = '\0';
    return text;
}

static void every_state_is_told_in_words_of_the_protocol(void **state)
{
    static const char *const kinds[] = {"/tmp/", "@"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        unsigned long long before, said, after;
        char name[64];
        int fd;

        snprintf(name, sizeof(name), "%secotone-notify-%d", kinds[i], (int)getpid());
        fd = manager(name);
        setenv("NOTIFY_SOCKET", name, 1);
        eco_notify_open();
        assert_null(getenv("NOTIFY_SOCKET"));
        eco_notify_ready("Serving 2 worlds");
        assert_string_equal(heard(fd), "READY=1\nSTATUS=Serving 2 worlds");
        before = eco_clock_monotonic_ns() / 1000;
        eco_notify_reloading();
        after = eco_clock_monotonic_ns() / 1000;
        assert_int_equal(sscanf(heard(fd), "RELOADING=1\nMONOTONIC_USEC=%llu", &said), 1);
        assert_true(before <= said && said <= after);
        eco_notify_stopping("Bye");
        assert_string_equal(heard(fd), "STOPPING=1\nSTATUS=Bye");
        eco_notify_well();
        assert_string_equal(heard(fd), "WATCHDOG=1");
        assert_string_equal(heard(fd), "");
        close(fd);
        /* Nobody listens any more. */
        eco_notify_well();
        if (name[0] == '/')
            unlink(name);
    }
}

static void a_manager_that_does_not_read_holds_nothing_up(void **state)
{
    char name[64];
    int fd;

    (void)state;
    snprintf(name, sizeof(name), "@ecotone-notify-full-%d", (int)getpid());
    fd = manager(name);
    setenv("NOTIFY_SOCKET", name, 1);
    eco_notify_open();
    for (unsigned i = 0; i < 10000; i++)
        eco_notify_well();
    assert_string_equal(heard(fd), "WATCHDOG=1");
    close(fd);
}

static unsigned pulse(const char *interval, const char *process)
{
    char name[64];
    int fd;
    unsigned found;

    snprintf(name, sizeof(name), "@ecotone-notify-dog-%d", (int)getpid());
    fd = manager(name);
    setenv("NOTIFY_SOCKET", name, 1);
    if (interval)
        setenv("WATCHDOG_USEC", interval, 1);
    if (process)
        setenv("WATCHDOG_PID", process, 1);
    eco_notify_open();
    assert_null(getenv("WATCHDOG_USEC"));
    assert_null(getenv("WATCHDOG_PID"));
    found = eco_notify_watchdog_ms();
    close(fd);
    return found;
}

static void the_watchdog_is_fed_twice_as_often_as_it_asks(void **state)
{
    char own[16];

    (void)state;
    snprintf(own, sizeof(own), "%d", (int)getpid());
    assert_int_equal(pulse("30000000", own), 15000);
    assert_int_equal(pulse("30000000", NULL), 15000);
    assert_int_equal(pulse("30000000", "1"), 0);
    assert_int_equal(pulse(NULL, NULL), 0);
    assert_int_equal(pulse("x", NULL), 0);
    assert_int_equal(pulse("-1", NULL), 0);
    assert_int_equal(pulse("1", NULL), 0);
    assert_int_equal(pulse("99999999999999999999999", NULL), 0);
}

static void without_a_manager_nothing_is_told(void **state)
{
    static const char *const names[] = {
        NULL, "", "relative", "/", "/none/of/that", "@ecotone-nobody"};
    char longest[300];

    (void)state;
    memset(longest, 'a', sizeof(longest));
    longest[0] = '/';
    longest[sizeof(longest) - 1] = '\0';
    for (unsigned i = 0; i <= sizeof(names) / sizeof(names[0]); i++) {
        const char *name = i < sizeof(names) / sizeof(names[0]) ? names[i] : longest;

        if (name)
            setenv("NOTIFY_SOCKET", name, 1);
        setenv("WATCHDOG_USEC", "30000000", 1);
        eco_notify_open();
        eco_notify_ready("x");
        assert_int_equal(eco_notify_watchdog_ms(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_is_told_in_words_of_the_protocol),
        cmocka_unit_test(a_manager_that_does_not_read_holds_nothing_up),
        cmocka_unit_test(the_watchdog_is_fed_twice_as_often_as_it_asks),
        cmocka_unit_test(without_a_manager_nothing_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
