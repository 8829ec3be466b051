/* The tile cache when its file is damaged, of another kind, or gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache_fixture.h"
#include "store/cache.h"

static void assert_set_aside(const char *word, const void *bytes, size_t size)
{
    struct eco_cache *cache;
    char found[512], prefix[64];
    unsigned char *aside;
    size_t aside_size;

    write_file(fixture.path, bytes, size);
    cache = open_cache();
    assert_works(cache, 1);
    eco_cache_close(cache);
    assert_integrity();
    snprintf(prefix, sizeof(prefix), "cache.db.%s-20", word);
    assert_int_equal(files_named(prefix, found, sizeof(found)), 1);
    aside = read_file(found, &aside_size);
    assert_int_equal(aside_size, size);
    assert_memory_equal(aside, bytes, size);
    free(aside);
    assert_int_equal(log_lines("set aside"), 1);
    assert_int_equal(log_lines(found), 1);
    assert_int_equal(log_lines(""), 1);
}

/* A file of somebody else is not touched, and said to be in the way. */
static void assert_refused(const void *bytes, size_t size)
{
    struct eco_error error = {0};
    struct eco_cache *cache;
    unsigned char *after;
    size_t after_size;
    char found[512];

    write_file(fixture.path, bytes, size);
    assert_int_equal(eco_cache_open(fixture.path, &cache, &error), ECO_EINVAL);
    assert_null(cache);
    assert_non_null(strstr(error.text, "left as it is"));
    after = read_file(fixture.path, &after_size);
    assert_int_equal(after_size, size);
    assert_memory_equal(after, bytes, size);
    free(after);
    assert_int_equal(files_named("cache.db.", found, sizeof(found)), 0);
    assert_int_equal(files_named("cache.db-", found, sizeof(found)), 0);
}

static void noise_for_a_file_is_set_aside(void **state)
{
    unsigned char noise[4096];

    (void)state;
    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (unsigned char)eco_mix64(i);
    assert_set_aside("damaged", noise, sizeof(noise));
}

static void a_text_is_refused(void **state)
{
    static const char text[] = "Dear diary,\nthis is no database.\n";
    const unsigned char letter[] = {0xE2, 0x82, 0xAC};
    char page[8192];

    (void)state;
    assert_refused(text, strlen(text));
    memset(page, 'x', sizeof(page));
    memcpy(page, text, sizeof(text) - 1);
    assert_refused(page, sizeof(page));
    /* A letter of three bytes across the end of what is looked at. */
    memcpy(page + 4095, letter, sizeof(letter));
    assert_refused(page, sizeof(page));
}

/* The bytes of a whole cache of 50 tiles; `change` may spoil it before. */
static unsigned char *whole_file(const char *change, size_t *size)
{
    struct eco_cache *cache = open_cache();
    unsigned char *data;

    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(put_tile(cache, i, size_of(i)), 0);
    eco_cache_close(cache);
    if (change)
        sql_once(change);
    data = read_file(fixture.path, size);
    unlink(fixture.path);
    return data;
}

static void a_shortened_file_is_set_aside(void **state)
{
    size_t size;
    unsigned char *data = whole_file(NULL, &size);

    (void)state;
    assert_set_aside("damaged", data, size / 2);
    free(data);
}

static void a_database_of_another_program_is_refused(void **state)
{
    size_t size;
    unsigned char *data;

    (void)state;
    sql_once("CREATE TABLE tiles(a, b); INSERT INTO tiles VALUES(1, 2)");
    data = read_file(fixture.path, &size);
    assert_refused(data, size);
    /* Damaged it is still not ours. */
    memset(data + 100, 0xA5, 1000);
    assert_refused(data, size);
    free(data);
}

static void an_empty_database_of_another_program_is_refused(void **state)
{
    size_t size;
    unsigned char *data;

    (void)state;
    sql_once("PRAGMA application_id = 77; PRAGMA journal_mode = WAL");
    data = read_file(fixture.path, &size);
    assert_refused(data, size);
    free(data);
}

static void a_file_put_there_under_way_is_left_alone(void **state)
{
    static const char text[] = "Dear diary,\nthis is no database.\n";
    struct eco_cache *cache = open_cache();
    unsigned char *after;
    size_t size;
    char wal[512];

    (void)state;
    assert_works(cache, 1);
    unlink(fixture.path);
    snprintf(wal, sizeof(wal), "%s-wal", fixture.path);
    unlink(wal);
    write_file(fixture.path, text, strlen(text));
    assert_int_equal(put_tile(cache, 2, 3000), 0);
    assert_int_equal(eco_cache_flush(cache), ECO_EIO);
    after = read_file(fixture.path, &size);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(after, text, size);
    free(after);
    assert_int_equal(stats_of(cache).pending, 1);
    unlink(fixture.path);
    for (int i = 0; i < 20 && eco_cache_flush(cache); i++)
        ;
    assert_int_equal(stats_of(cache).pending, 0);
    eco_cache_close(cache);
}

static void a_cache_without_a_table_is_set_aside(void **state)
{
    size_t size;
    unsigned char *data = whole_file("DROP TABLE images; PRAGMA journal_mode = DELETE", &size);

    (void)state;
    assert_set_aside("damaged", data, size);
    free(data);
}

static void a_cache_of_another_version_is_set_aside(void **state)
{
    size_t size;
    unsigned char *data =
        whole_file("PRAGMA user_version = 99; PRAGMA journal_mode = DELETE", &size);

    (void)state;
    assert_set_aside("version-99", data, size);
    free(data);
}

static void an_empty_file_becomes_a_cache(void **state)
{
    struct eco_cache *cache;

    (void)state;
    write_file(fixture.path, "", 0);
    cache = open_cache();
    assert_works(cache, 1);
    eco_cache_close(cache);
    assert_int_equal(files_named("cache.db", NULL, 0), 1);
    assert_int_equal(log_lines(""), 0);
}

static void any_byte_of_the_header_may_be_wrong(void **state)
{
    size_t size;
    unsigned char *data = whole_file(NULL, &size);

    (void)state;
    for (size_t i = 0; i < 100; i++) {
        struct eco_cache *cache;

        data[i] ^= 0xFF;
        write_file(fixture.path, data, size);
        data[i] ^= 0xFF;
        cache = open_cache();
        assert_works(cache, 1);
        eco_cache_close(cache);
        unlink(fixture.path);
    }
    free(data);
}

/*
 * The descriptor must stay open until the cache is closed: closing any descriptor of a file drops
 * the locks that this process holds on it.
 */
static int spoil_open_file(size_t from)
{
    int file = open(fixture.path, O_RDWR);
    size_t size = (size_t)file_size(fixture.path);
    char junk[8192];

    memset(junk, 0xA5, sizeof(junk));
    for (size_t at = from; at < size; at += sizeof(junk))
        assert_int_equal(pwrite(file, junk, sizeof(junk), (off_t)at), sizeof(junk));
    return file;
}

/* A cache whose tiles are all in the file proper, none in the WAL. */
static struct eco_cache *cache_with_old_tiles(void)
{
    struct eco_cache *cache = open_cache();

    for (uint32_t i = 0; i < 2000; i++)
        assert_int_equal(put_tile(cache, i, 3000), 0);
    eco_cache_close(cache);
    return open_cache();
}

static void damage_that_a_reader_meets_makes_the_file_anew(void **state)
{
    struct eco_cache *cache = cache_with_old_tiles();
    struct eco_cache_reader *first = new_reader(cache), *second = new_reader(cache);
    uint64_t start = eco_clock_monotonic_ns();
    int file;

    (void)state;
    assert_int_equal(look(first, 1, 3000), 1);
    file = spoil_open_file(8192);
    assert_int_equal(look(second, 1500, 3000), 0);
    while (files_named("cache.db.damaged-", NULL, 0) == 0 &&
           eco_clock_monotonic_ns() - start < 10000000000u)
        usleep(1000);
    assert_works(cache, 5);
    assert_int_equal(look(first, 5, 1000), 1);
    assert_int_equal(look(second, 5, 1000), 1);
    assert_int_equal(look(first, 1, 3000), 0);
    eco_cache_reader_free(first);
    eco_cache_reader_free(second);
    eco_cache_close(cache);
    close(file);
    assert_integrity();
    assert_int_equal(log_lines("set aside"), 1);
}

static void damage_that_the_writer_meets_makes_the_file_anew_and_loses_no_new_tile(void **state)
{
    struct eco_cache *cache = cache_with_old_tiles();
    struct eco_cache_reader *reader = new_reader(cache);
    int file = spoil_open_file(8192);

    (void)state;
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(put_tile(cache, 5000 + i, 3000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(look(reader, 5000 + i, 3000), 1);
    assert_false(stats_of(cache).degraded);
    assert_int_equal(stats_of(cache).stored, 200);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    close(file);
    assert_integrity();
    assert_int_equal(log_lines("set aside"), 1);
}

static void a_file_deleted_under_way_is_made_anew(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);

    (void)state;
    assert_int_equal(put_tile(cache, 1, 3000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(look(reader, 1, 3000), 1);
    unlink(fixture.path);
    assert_int_equal(put_tile(cache, 2, 3000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(look(reader, 2, 3000), 1);
    assert_int_equal(look(reader, 1, 3000), 0);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_integrity();
    assert_int_equal(sql_number("SELECT count(*) FROM map"), 1);
    assert_int_equal(log_lines("moved or deleted"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(noise_for_a_file_is_set_aside),
        TEST(a_text_is_refused),
        TEST(a_shortened_file_is_set_aside),
        TEST(a_database_of_another_program_is_refused),
        TEST(an_empty_database_of_another_program_is_refused),
        TEST(a_file_put_there_under_way_is_left_alone),
        TEST(a_cache_without_a_table_is_set_aside),
        TEST(a_cache_of_another_version_is_set_aside),
        TEST(an_empty_file_becomes_a_cache),
        TEST(any_byte_of_the_header_may_be_wrong),
        TEST(damage_that_a_reader_meets_makes_the_file_anew),
        TEST(damage_that_the_writer_meets_makes_the_file_anew_and_loses_no_new_tile),
        TEST(a_file_deleted_under_way_is_made_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
