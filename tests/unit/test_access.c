#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/access.h"

#define TEXT_MAX 65536

/* What one record becomes, through a pipe; for the caller to free. */
static char *written(enum eco_access_log form, const struct eco_access_record *record)
{
    struct eco_access *access = NULL;
    char *text = calloc(1, TEXT_MAX);
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(eco_access_new(ends[1], &access, NULL), 0);
    eco_access_add(access, form, record);
    assert_int_equal(eco_access_dropped(access), 0);
    eco_access_free(access);
    close(ends[1]);
    assert_true(read(ends[0], text, TEXT_MAX - 1) >= 0);
    close(ends[0]);
    return text;
}

static struct eco_access_record example(void)
{
    return (struct eco_access_record){
        .client = {.size = 4, .bytes = {192, 0, 2, 1}},
        .method = "GET",
        .target = "/tiles/a/b/1/0/0.png?v=1",
        .version = "HTTP/1.1",
        .referer = "https://maps.example/",
        .agent = "Mozilla/5.0 (a \"b\")",
        .tier = "memory",
        .status = 200,
        .bytes = 12345,
        .nanoseconds = 1234567899,
        .complete = true,
    };
}

static void lines_are_as_apache_writes_them(void **state)
{
    struct eco_access_record record = example();
    char *text = written(ECO_ACCESS_LOG_COMMON, &record);
    char *end = strstr(text, "] ");

    (void)state;
    assert_int_equal(strncmp(text, "192.0.2.1 - - [", 15), 0);
    assert_int_equal(end - text, 15 + 26); /* 30/Nov/2026:20:16:04 +0000 */
    assert_string_equal(end, "] \"GET /tiles/a/b/1/0/0.png?v=1 HTTP/1.1\" 200 12345\n");
    free(text);
    text = written(ECO_ACCESS_LOG_COMBINED, &record);
    assert_non_null(strstr(text, "\" 200 12345 \"https://maps.example/\" "
                                 "\"Mozilla/5.0 (a \\\"b\\\")\"\n"));
    free(text);
    record = (struct eco_access_record){0};
    text = written(ECO_ACCESS_LOG_COMBINED, &record);
    assert_int_equal(strncmp(text, "- - - [", 7), 0);
    assert_string_equal(strstr(text, "] "), "] \"- - -\" - 0 \"-\" \"-\"\n");
    free(text);
}

static void json_has_every_member(void **state)
{
    struct eco_access_record record = example();
    char *text = written(ECO_ACCESS_LOG_JSON, &record);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const char *address, *method, *path, *tier, *time, *referer, *agent;
    int status, bytes, complete;
    double seconds;

    (void)state;
    assert_int_equal(json_unpack(json, "{s:s,s:s,s:s,s:s,s:i,s:i,s:f,s:s,s:b,s:s,s:s!}", "time",
                                 &time, "address", &address, "method", &method, "path", &path,
                                 "status", &status, "bytes", &bytes, "seconds", &seconds, "tier",
                                 &tier, "complete", &complete, "referer", &referer, "agent",
                                 &agent),
                     0);
    assert_int_equal(strlen(time), strlen("2026-11-30T20:16:04.123Z"));
    assert_string_equal(address, "192.0.2.1");
    assert_string_equal(path, record.target);
    assert_string_equal(agent, record.agent);
    assert_string_equal(tier, "memory");
    assert_true(complete);
    assert_true(seconds == 1.234567);
    assert_int_equal(bytes, 12345);
    json_decref(json);
    free(text);
    record = (struct eco_access_record){0};
    text = written(ECO_ACCESS_LOG_JSON, &record);
    json = json_loads(text, 0, NULL);
    assert_true(json_is_null(json_object_get(json, "address")));
    assert_true(json_is_null(json_object_get(json, "status")));
    assert_true(json_is_null(json_object_get(json, "tier")));
    assert_true(json_is_false(json_object_get(json, "complete")));
    json_decref(json);
    free(text);
}

static void no_byte_of_a_request_breaks_a_line(void **state)
{
    struct eco_access_record record = example();
    char nasty[256];
    json_t *json;
    char *text;

    (void)state;
    for (unsigned i = 1; i < 256; i++)
        nasty[i - 1] = (char)i;
    nasty[255] = '\0';
    record.target = record.referer = record.agent = record.method = nasty;
    for (enum eco_access_log form = ECO_ACCESS_LOG_COMMON; form <= ECO_ACCESS_LOG_JSON; form++) {
        text = written(form, &record);
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
        for (const char *c = text; *c != '\n'; c++)
            assert_in_range((unsigned char)*c, 0x20, 0x7e);
        if (form == ECO_ACCESS_LOG_JSON) {
            json = json_loads(text, 0, NULL);
            assert_non_null(json);
            json_decref(json);
        }
        free(text);
    }
}

static void long_texts_are_cut_between_escapes(void **state)
{
    struct eco_access_record record = example();
    char *longest = malloc(TEXT_MAX), *text;
    json_t *json;

    (void)state;
    memset(longest, 0xe9, TEXT_MAX - 1);
    longest[TEXT_MAX - 1] = '\0';
    record.target = record.referer = record.agent = longest;
    text = written(ECO_ACCESS_LOG_JSON, &record);
    json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_true(strlen(text) < 6144);
    assert_int_equal(json_string_length(json_object_get(json, "path")) / 2, 3072 / 6);
    json_decref(json);
    free(text);
    free(longest);
}

/* --- a reader that does not read ---------------------------------------------------------------
 */

struct writers {
    struct eco_access *access;
    unsigned lines;
};

static void *add_lines(void *argument)
{
    const struct writers *writers = argument;
    struct eco_access_record record = example();

    for (unsigned i = 0; i < writers->lines; i++)
        eco_access_add(writers->access, ECO_ACCESS_LOG_COMMON, &record);
    return NULL;
}

static void who_does_not_read_holds_up_nobody_and_what_is_lost_is_counted(void **state)
{
    enum { THREADS = 4, LINES = 20000 };
    struct writers writers = {.lines = LINES};
    pthread_t threads[THREADS];
    char *text = malloc(THREADS * LINES * 200);
    uint64_t begin, dropped;
    unsigned lines = 0;
    ssize_t got;
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(eco_access_new(ends[1], &writers.access, NULL), 0);
    begin = eco_clock_monotonic_ns();
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_lines, &writers), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    dropped = eco_access_dropped(writers.access);
    assert_true(dropped > 0);
    /* Ends though nobody reads. */
    eco_access_free(writers.access);
    assert_true(eco_clock_monotonic_ns() - begin < 20000000000u);
    close(ends[1]);
    while ((got = read(ends[0], text, THREADS * LINES * 200)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            lines += text[i] == '\n';
    }
    assert_true(lines > 0);
    assert_true(lines + dropped <= THREADS * LINES);
    close(ends[0]);
    free(text);
}

static void a_reader_that_reads_gets_every_line(void **state)
{
    enum { LINES = 5000 };
    struct writers writers = {.lines = LINES};
    FILE *file = tmpfile();
    unsigned lines = 0;
    char line[512];

    (void)state;
    assert_int_equal(eco_access_new(fileno(file), &writers.access, NULL), 0);
    for (unsigned i = 0; i < LINES; i++) {
        struct eco_access_record record = example();

        /* As fast as a busy server: the buffer never fills. */
        eco_access_add(writers.access, ECO_ACCESS_LOG_COMMON, &record);
        if (i % 500 == 0)
            usleep(1000);
    }
    assert_int_equal(eco_access_dropped(writers.access), 0);
    eco_access_free(writers.access);
    rewind(file);
    while (fgets(line, sizeof(line), file)) {
        assert_int_equal(strncmp(line, "192.0.2.1 ", 10), 0);
        lines++;
    }
    assert_int_equal(lines, LINES);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_as_apache_writes_them),
        cmocka_unit_test(json_has_every_member),
        cmocka_unit_test(no_byte_of_a_request_breaks_a_line),
        cmocka_unit_test(long_texts_are_cut_between_escapes),
        cmocka_unit_test(who_does_not_read_holds_up_nobody_and_what_is_lost_is_counted),
        cmocka_unit_test(a_reader_that_reads_gets_every_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
