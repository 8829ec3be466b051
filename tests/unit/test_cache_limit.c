#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache_fixture.h"

#define LIMIT 10000000
#define BIG 60000

/* Bytes of the file and its WAL. */
static long whole_size(void)
{
    long wal = file_size(path_in("cache.db-wal"));

    return file_size(fixture.path) + (wal > 0 ? wal : 0);
}

/* Puts tiles first .. end - 1 and returns the most bytes that the files ever had. */
static long fill(struct eco_cache *cache, uint32_t first, uint32_t end, size_t size)
{
    long most = 0;

    for (uint32_t i = first; i < end; i++) {
        long now;

        assert_int_equal(put_tile(cache, i, size), 0);
        if (i % 20 == 19)
            assert_int_equal(eco_cache_flush(cache), 0);
        now = whole_size();
        most = now > most ? now : most;
    }
    assert_int_equal(eco_cache_flush(cache), 0);
    return most;
}

static void await_size(struct eco_cache *cache, uint64_t bytes)
{
    uint64_t until = eco_clock_monotonic_ns() + 20000000000u;

    while (stats_of(cache).bytes > bytes && eco_clock_monotonic_ns() < until)
        usleep(1000);
    assert_true(stats_of(cache).bytes <= bytes);
}

/* The first column of the first row of the closed file. */
static int ask_count(const char *sql)
{
    sqlite3_stmt *statement;
    sqlite3 *db;
    int count;

    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

static void assert_whole(void)
{
    assert_int_equal(ask_count("SELECT count(*) FROM pragma_integrity_check"
                               " WHERE integrity_check <> 'ok'"),
                     0);
    assert_int_equal(ask_count("SELECT count(*) FROM map LEFT JOIN images"
                               " ON images.id = map.image WHERE images.id IS NULL"),
                     0);
}

static void ten_megabytes_asked_for_a_hundred_stay_under_twelve(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    uint32_t count = 100000000 / BIG;

    (void)state;
    eco_cache_set_limit(cache, LIMIT);
    assert_true(fill(cache, 0, count, BIG) < LIMIT / 5 * 6);
    /* The newest are there, the oldest gone, and it was used to the full. */
    assert_int_equal(look(reader, count - 1, BIG), 1);
    assert_int_equal(look(reader, count - 100, BIG), 1);
    assert_int_equal(look(reader, 0, BIG), 0);
    assert_true(stats_of(cache).bytes > LIMIT / 5 * 4);
    assert_int_equal(stats_of(cache).stored, count);
    assert_true(stats_of(cache).evicted > count / 2);
    assert_int_equal(stats_of(cache).limit, LIMIT);
    assert_false(stats_of(cache).degraded);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_true(file_size(fixture.path) < LIMIT / 5 * 6);
    assert_whole();
}

struct reading {
    pthread_t thread;
    atomic_bool *stop;
};

/* Looks into the file for 5 ms at a time. */
static void *read_on(void *argument)
{
    struct reading *reading = argument;
    sqlite3 *db;

    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 1000);
    while (!atomic_load(reading->stop)) {
        sqlite3_exec(db, "BEGIN; SELECT count(*) FROM images", NULL, NULL, NULL);
        usleep(5000);
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    }
    sqlite3_close(db);
    return NULL;
}

static void readers_at_all_times_do_not_let_the_wal_grow(void **state)
{
    struct eco_cache *cache = open_cache();
    atomic_bool stop = false;
    struct reading readings[3];
    long most;

    (void)state;
    eco_cache_set_limit(cache, LIMIT / 5);
    fill(cache, 0, 20, BIG);
    for (int i = 0; i < 3; i++) {
        readings[i].stop = &stop;
        assert_int_equal(pthread_create(&readings[i].thread, NULL, read_on, &readings[i]), 0);
    }
    most = fill(cache, 20, 220, BIG);
    atomic_store(&stop, true);
    for (int i = 0; i < 3; i++)
        pthread_join(readings[i].thread, NULL);
    eco_cache_close(cache);
    assert_true(most < LIMIT / 5 / 5 * 6);
}

static void without_a_limit_nothing_is_evicted(void **state)
{
    struct eco_cache *cache = open_cache();

    (void)state;
    fill(cache, 0, 400, BIG);
    assert_int_equal(stats_of(cache).evicted, 0);
    assert_true(stats_of(cache).bytes > 400 * BIG);
    eco_cache_close(cache);
}

static void a_lower_limit_shrinks_the_file_while_it_is_used(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);

    (void)state;
    fill(cache, 0, 800, BIG);
    assert_true(file_size(fixture.path) > 40000000);
    eco_cache_set_limit(cache, LIMIT);
    assert_int_equal(put_tile(cache, 800, BIG), 0);
    await_size(cache, LIMIT);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(look(reader, 800, BIG), 1);
    assert_int_equal(look(reader, 799, BIG), 1);
    assert_int_equal(look(reader, 0, BIG), 0);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_true(file_size(fixture.path) <= LIMIT);
    assert_whole();
}

/* Of an image with many keys all go, in steps. */
static void many_keys_of_one_image_make_room_too(void **state)
{
    struct eco_cache *cache = open_cache();
    struct tile *tile = malloc(sizeof(*tile));

    (void)state;
    make_tile(tile, 1, 2000);
    for (uint32_t i = 0; i < 60000; i++) {
        tile->key = make_key(i);
        assert_int_equal(
            eco_cache_put(cache, &tile->key, &origin_a, tile->data, tile->size, &tile->hash), 0);
        if (i % 4000 == 3999)
            assert_int_equal(eco_cache_flush(cache), 0);
    }
    assert_true(stats_of(cache).bytes > 3000000);
    eco_cache_set_limit(cache, 1048576);
    await_size(cache, 1048576);
    free(tile);
    assert_works(cache, 70000);
    eco_cache_close(cache);
    assert_whole();
    assert_in_range(ask_count("SELECT count(*) FROM map"), 1, 40000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ten_megabytes_asked_for_a_hundred_stay_under_twelve, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(readers_at_all_times_do_not_let_the_wal_grow, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_a_limit_nothing_is_evicted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lower_limit_shrinks_the_file_while_it_is_used, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(many_keys_of_one_image_make_room_too, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
