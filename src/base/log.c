#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 2048

const char *const eco_log_level_names[] = {"error", "warn", "info", "debug", NULL};

static atomic_int threshold = ECO_LOG_INFO;

void eco_log_set_level(enum eco_log_level level)
{
    atomic_store_explicit(&threshold, level, memory_order_relaxed);
}

void eco_log(enum eco_log_level level, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    struct timespec now;
    struct tm utc;
    size_t used;
    va_list args;

    if ((int)level > atomic_load_explicit(&threshold, memory_order_relaxed))
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    used = strftime(line, sizeof(line), "%Y-%m-%dT%H:%M:%S", &utc);
    used += (size_t)snprintf(line + used, sizeof(line) - used, ".%03ldZ %-5s ",
                             now.tv_nsec / 1000000, eco_log_level_names[level]);
    va_start(args, format);
    int length = vsnprintf(line + used, sizeof(line) - used - 1, format, args);
    va_end(args);
    if (length < 0)
        return;
    used += (size_t)length < sizeof(line) - used - 1 ? (size_t)length : sizeof(line) - used - 2;
    for (size_t i = 0; i < used; i++) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = ' ';
    }
    line[used++] = '\n';
    /* A log that cannot be written must not end the program. */
    ssize_t written = write(STDERR_FILENO, line, used);
    (void)written;
}
