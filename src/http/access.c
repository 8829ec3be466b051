#include "http/access.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define BUFFER_BYTES (1024 * 1024) /* 50 ms of a very busy server */
#define LINE_BYTES 6144
#define TARGET_BYTES 3072 /* escaped, as those below */
#define FIELD_BYTES 512
#define GATHER_NS (20 * 1000000u)
#define STOP_MS 1000
#define LOOK_MS 100

struct eco_access {
    int descriptor;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    pthread_t thread;
    bool started, stopping;
    char *filling, *writing; /* BUFFER_BYTES each */
    size_t filled;
    atomic_uint_fast64_t dropped;
};

/* --- a line ------------------------------------------------------------------------------------
 */

struct line {
    char text[LINE_BYTES];
    size_t length;
};

static void add_text(struct line *line, const char *text)
{
    size_t length = strlen(text);

    if (length > sizeof(line->text) - line->length)
        length = sizeof(line->text) - line->length;
    memcpy(line->text + line->length, text, length);
    line->length += length;
}

static void add_number(struct line *line, uint64_t number)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, number);
    add_text(line, text);
}

/* At most `most` bytes of the escaped text, never a part of an escape. */
static void add_escaped(struct line *line, const char *text, size_t most, bool json)
{
    size_t used = 0;

    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        char piece[8] = {*text};

        if (byte == '"' || byte == '\\')
            snprintf(piece, sizeof(piece), "\\%c", byte);
        else if (byte < 0x20 || byte > 0x7e)
            snprintf(piece, sizeof(piece), json ? "\\u%04x" : "\\x%02x", byte);
        used += strlen(piece);
        if (used > most)
            return;
        add_text(line, piece);
    }
}

static void add_quoted(struct line *line, const char *text, size_t most, bool json)
{
    if (!text && json) {
        add_text(line, "null");
        return;
    }
    add_text(line, "\"");
    add_escaped(line, text ? text : "-", most, json);
    add_text(line, "\"");
}

static void add_request(struct line *line, const struct eco_access_record *record)
{
    add_text(line, "\"");
    add_escaped(line, record->method ? record->method : "-", FIELD_BYTES, false);
    add_text(line, " ");
    add_escaped(line, record->target ? record->target : "-", TARGET_BYTES, false);
    add_text(line, " ");
    add_escaped(line, record->version ? record->version : "-", FIELD_BYTES, false);
    add_text(line, "\"");
}

static void write_common(struct line *line, const struct tm *utc, const char *address,
                         const struct eco_access_record *record, bool combined)
{
    char time[40];

    strftime(time, sizeof(time), " - - [%d/%b/%Y:%H:%M:%S +0000] ", utc);
    add_text(line, address);
    add_text(line, time);
    add_request(line, record);
    add_text(line, " ");
    if (record->status)
        add_number(line, record->status);
    else
        add_text(line, "-");
    add_text(line, " ");
    add_number(line, record->bytes);
    if (combined) {
        add_text(line, " ");
        add_quoted(line, record->referer, FIELD_BYTES, false);
        add_text(line, " ");
        add_quoted(line, record->agent, FIELD_BYTES, false);
    }
    add_text(line, "\n");
}

static void write_json(struct line *line, const struct tm *utc, unsigned milliseconds,
                       const char *address, const struct eco_access_record *record)
{
    char time[32], text[64];

    strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%S", utc);
    snprintf(text, sizeof(text), "{\"time\":\"%s.%03uZ\",\"address\":", time, milliseconds);
    add_text(line, text);
    add_quoted(line, record->client.size ? address : NULL, FIELD_BYTES, true);
    add_text(line, ",\"method\":");
    add_quoted(line, record->method, FIELD_BYTES, true);
    add_text(line, ",\"path\":");
    add_quoted(line, record->target, TARGET_BYTES, true);
    add_text(line, ",\"status\":");
    if (record->status)
        add_number(line, record->status);
    else
        add_text(line, "null");
    add_text(line, ",\"bytes\":");
    add_number(line, record->bytes);
    snprintf(text, sizeof(text),
             ",\"seconds\":%" PRIu64 ".%06" PRIu64 ",\"tier\":", record->nanoseconds / 1000000000u,
             record->nanoseconds / 1000u % 1000000u);
    add_text(line, text);
    add_quoted(line, record->tier, FIELD_BYTES, true);
    add_text(line, record->complete ? ",\"complete\":true" : ",\"complete\":false");
    add_text(line, ",\"referer\":");
    add_quoted(line, record->referer, FIELD_BYTES, true);
    add_text(line, ",\"agent\":");
    add_quoted(line, record->agent, FIELD_BYTES, true);
    add_text(line, "}\n");
}

static void write_line(struct line *line, enum eco_access_log form,
                       const struct eco_access_record *record)
{
    char address[ECO_ADDRESS_TEXT_MAX];
    struct timespec now;
    struct tm utc;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    eco_address_write(&record->client, address);
    line->length = 0;
    if (form == ECO_ACCESS_LOG_JSON)
        write_json(line, &utc, (unsigned)(now.tv_nsec / 1000000), address, record);
    else
        write_common(line, &utc, address, record, form == ECO_ACCESS_LOG_COMBINED);
}

void eco_access_add(struct eco_access *access, enum eco_access_log form,
                    const struct eco_access_record *record)
{
    struct line line;
    bool wake;

    if (form == ECO_ACCESS_LOG_NONE)
        return;
    write_line(&line, form, record);
    pthread_mutex_lock(&access->mutex);
    if (line.length > BUFFER_BYTES - access->filled) {
        pthread_mutex_unlock(&access->mutex);
        atomic_fetch_add_explicit(&access->dropped, 1, memory_order_relaxed);
        return;
    }
    /* The thread that writes is woken for the first line, and when it should gather no longer. */
    wake = access->filled == 0 ||
           (access->filled < BUFFER_BYTES / 2 && access->filled + line.length >= BUFFER_BYTES / 2);
    memcpy(access->filling + access->filled, line.text, line.length);
    access->filled += line.length;
    if (wake)
        pthread_cond_signal(&access->wake);
    pthread_mutex_unlock(&access->mutex);
}

/* --- the thread --------------------------------------------------------------------------------
 */

static bool is_stopping(struct eco_access *access)
{
    bool stopping;

    pthread_mutex_lock(&access->mutex);
    stopping = access->stopping;
    pthread_mutex_unlock(&access->mutex);
    return stopping;
}

/*
 * Waits until the descriptor takes PIPE_BUF bytes, which a pipe then takes without blocking; false
 * when it should not be waited for any longer.
 */
static bool await_room(struct eco_access *access, unsigned *stopping_ms)
{
    struct pollfd watched = {.fd = access->descriptor, .events = POLLOUT};

    for (;;) {
        int found = poll(&watched, 1, LOOK_MS);

        if (found > 0)
            return true;
        if (found < 0 && errno != EINTR)
            return false;
        if (is_stopping(access) && (*stopping_ms += LOOK_MS) >= STOP_MS)
            return false;
    }
}

static unsigned count_lines(const char *text, size_t length)
{
    unsigned count = 0;

    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

/* In whole lines, so that two programs may write to one pipe. */
static void write_out(struct eco_access *access, size_t length, unsigned *stopping_ms)
{
    const char *at = access->writing, *end = at + length;

    while (at < end) {
        size_t piece = (size_t)(end - at);
        ssize_t written = -1;

        if (piece > PIPE_BUF) {
            const char *last = memrchr(at, '\n', PIPE_BUF);
            piece = last ? (size_t)(last - at) + 1 : PIPE_BUF;
        }
        if (await_room(access, stopping_ms))
            written = write(access->descriptor, at, piece);
        if (written > 0)
            at += written;
        else if (written == 0 || (errno != EINTR && errno != EAGAIN)) {
            atomic_fetch_add_explicit(&access->dropped, count_lines(at, (size_t)(end - at)),
                                      memory_order_relaxed);
            return;
        }
    }
}

/* With the mutex held: until there is something to write, and a moment longer for more. */
static void gather(struct eco_access *access)
{
    struct timespec until;
    uint64_t moment;

    while (access->filled == 0 && !access->stopping)
        pthread_cond_wait(&access->wake, &access->mutex);
    moment = eco_clock_monotonic_ns() + GATHER_NS;
    until = (struct timespec){.tv_sec = (time_t)(moment / 1000000000u),
                              .tv_nsec = (long)(moment % 1000000000u)};
    while (access->filled < BUFFER_BYTES / 2 && !access->stopping &&
           pthread_cond_timedwait(&access->wake, &access->mutex, &until) == 0)
        ;
}

static void *write_lines(void *argument)
{
    struct eco_access *access = argument;
    unsigned stopping_ms = 0;

    pthread_mutex_lock(&access->mutex);
    for (;;) {
        char *full = access->filling;
        size_t length;

        gather(access);
        length = access->filled;
        if (length == 0)
            break;
        access->filling = access->writing;
        access->writing = full;
        access->filled = 0;
        pthread_mutex_unlock(&access->mutex);
        write_out(access, length, &stopping_ms);
        pthread_mutex_lock(&access->mutex);
    }
    pthread_mutex_unlock(&access->mutex);
    return NULL;
}

int eco_access_new(int descriptor, struct eco_access **out, struct eco_error *error)
{
    struct eco_access *access = calloc(1, sizeof(*access));
    pthread_condattr_t monotonic;

    if (!access)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the access log");
    access->descriptor = descriptor;
    atomic_init(&access->dropped, 0);
    pthread_mutex_init(&access->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&access->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    access->filling = malloc(BUFFER_BYTES);
    access->writing = malloc(BUFFER_BYTES);
    if (!access->filling || !access->writing ||
        pthread_create(&access->thread, NULL, write_lines, access) != 0) {
        eco_access_free(access);
        return eco_error_set(error, ECO_ENOMEM, "no memory for the access log");
    }
    access->started = true;
    *out = access;
    return 0;
}

void eco_access_free(struct eco_access *access)
{
    if (!access)
        return;
    if (access->started) {
        pthread_mutex_lock(&access->mutex);
        access->stopping = true;
        pthread_cond_signal(&access->wake);
        pthread_mutex_unlock(&access->mutex);
        pthread_join(access->thread, NULL);
    }
    pthread_cond_destroy(&access->wake);
    pthread_mutex_destroy(&access->mutex);
    free(access->filling);
    free(access->writing);
    free(access);
}

uint64_t eco_access_dropped(struct eco_access *access)
{
    return atomic_load_explicit(&access->dropped, memory_order_relaxed);
}
