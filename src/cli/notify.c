#include "cli/notify.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

static int notify_socket = -1;
static unsigned watchdog_ms;

static int connect_to(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    int fd;

    if ((name[0] != '/' && name[0] != '@') || length < 2 || length >= sizeof(address.sun_path)) {
        errno = EINVAL;
        return -1;
    }
    memcpy(address.sun_path, name, length);
    /* A name without a file. */
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address,
                           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void read_watchdog(void)
{
    const char *interval = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
    char *end;
    unsigned long long microseconds;

    watchdog_ms = 0;
    if (!interval || (process && strtol(process, &end, 10) != (long)getpid()))
        return;
    errno = 0;
    microseconds = strtoull(interval, &end, 10);
    /* Anything else is not meant for us; a day is as good as never. */
    if (errno == 0 && *end == '\0' && microseconds >= 2000 && microseconds < 86400000000ull)
        watchdog_ms = (unsigned)(microseconds / 2000);
}

void eco_notify_open(void)
{
    const char *name = getenv("NOTIFY_SOCKET");
    char reason[128];

    if (notify_socket >= 0)
        close(notify_socket);
    notify_socket = -1;
    read_watchdog();
    if (name && *name) {
        notify_socket = connect_to(name);
        if (notify_socket < 0)
            eco_log(ECO_LOG_WARN, "NOTIFY_SOCKET is %s: %s; the service manager is told nothing",
                    name, strerror_r(errno, reason, sizeof(reason)));
    }
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

unsigned eco_notify_watchdog_ms(void)
{
    return notify_socket >= 0 ? watchdog_ms : 0;
}

static void tell(const char *text)
{
    ssize_t sent;

    if (notify_socket < 0)
        return;
    /* A manager that does not listen must not hold up the daemon. */
    sent = send(notify_socket, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0)
        eco_log(ECO_LOG_DEBUG, "the service manager does not take a message");
}

void eco_notify_ready(const char *status)
{
    char text[512];

    snprintf(text, sizeof(text), "READY=1\nSTATUS=%s", status);
    tell(text);
}

void eco_notify_reloading(void)
{
    char text[128];

    snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
             eco_clock_monotonic_ns() / 1000);
    tell(text);
}

void eco_notify_stopping(const char *status)
{
    char text[512];

    snprintf(text, sizeof(text), "STOPPING=1\nSTATUS=%s", status);
    tell(text);
}

void eco_notify_well(void)
{
    tell("WATCHDOG=1");
}
