/*
 * The tile cache where nothing can be written, with many users, and killed. With `--write PATH`
 * this program is the writer that one of the tests kills.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "cache_fixture.h"
#include "store/cache.h"

/* --- where nothing can be written --------------------------------------------------------------
 */

/* Flushes until it works; an attempt that was under way may still fail once. */
static void flush_soon(struct eco_cache *cache)
{
    int code = eco_cache_flush(cache);

    for (int i = 0; i < 20 && code; i++)
        code = eco_cache_flush(cache);
    assert_int_equal(code, 0);
}

static void a_lock_of_another_process_delays_tiles_and_drops_none(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    uint64_t start, longest = 0;
    sqlite3 *other;

    (void)state;
    assert_works(cache, 1);
    other = open_sqlite();
    sql(other, "BEGIN EXCLUSIVE");
    for (uint32_t i = 10; i < 200; i++)
        assert_int_equal(put_tile(cache, i, 3000), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(eco_cache_flush(cache), ECO_EIO);
    assert_true(stats_of(cache).degraded);
    assert_int_equal(stats_of(cache).pending, 190);
    for (int i = 0; i < 100; i++) {
        start = eco_clock_monotonic_ns();
        assert_int_equal(look(reader, 1, 1000), 1);
        assert_int_equal(look(reader, 10, 3000), 0);
        if (eco_clock_monotonic_ns() - start > longest)
            longest = eco_clock_monotonic_ns() - start;
    }
    assert_in_range(longest, 0, 50000000);
    assert_int_equal(log_lines("cannot be written"), 1);
    sql(other, "ROLLBACK");
    sqlite3_close(other);
    flush_soon(cache);
    assert_false(stats_of(cache).degraded);
    assert_int_equal(stats_of(cache).stored, 191);
    assert_int_equal(stats_of(cache).dropped, 0);
    for (uint32_t i = 10; i < 200; i++)
        assert_int_equal(look(reader, i, 3000), 1);
    assert_int_equal(log_lines("can be written again"), 1);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
}

static void a_tile_that_waits_for_the_writer_is_found_until_the_file_has_it(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_key key = make_key(10);
    struct eco_buffer bytes;
    struct eco_hash128 hash;
    sqlite3 *other;

    (void)state;
    eco_buffer_init(&bytes);
    assert_works(cache, 1);
    other = open_sqlite();
    sql(other, "BEGIN EXCLUSIVE");
    for (uint32_t i = 10; i < 20; i++)
        assert_int_equal(put_tile(cache, i, 3000), 0);
    assert_int_equal(eco_cache_flush(cache), ECO_EIO);
    for (uint32_t i = 10; i < 20; i++) {
        key = make_key(i);
        assert_int_equal(eco_cache_get_pending(cache, &key, &bytes, &hash), 0);
        assert_int_equal(bytes.size, 3000);
        assert_true(eco_hash128(bytes.data, bytes.size).low == hash.low);
    }
    key = make_key(20);
    assert_int_equal(eco_cache_get_pending(cache, &key, &bytes, &hash), ECO_ENOTFOUND);
    assert_int_equal(bytes.size, 0);
    sql(other, "ROLLBACK");
    sqlite3_close(other);
    flush_soon(cache);
    key = make_key(10);
    assert_int_equal(eco_cache_get_pending(cache, &key, &bytes, &hash), ECO_ENOTFOUND);
    eco_buffer_release(&bytes);
    eco_cache_close(cache);
}

static void a_cache_locked_for_good_gives_up_when_it_is_closed(void **state)
{
    struct eco_cache *cache = open_cache();
    uint64_t start;
    sqlite3 *other;

    (void)state;
    assert_works(cache, 1);
    other = open_sqlite();
    sql(other, "BEGIN EXCLUSIVE");
    for (uint32_t i = 10; i < 500; i++)
        assert_int_equal(put_tile(cache, i, 3000), 0);
    start = eco_clock_monotonic_ns();
    eco_cache_close(cache);
    assert_in_range(eco_clock_monotonic_ns() - start, 0, 3000000000);
    assert_int_equal(log_lines("490 tiles were not stored"), 1);
    sql(other, "ROLLBACK");
    sqlite3_close(other);
    assert_integrity();
}

static void the_queue_is_bounded_in_bytes_and_in_tiles(void **state)
{
    static const size_t lengths[] = {70000, 100};
    static const uint32_t least[] = {400, 8000}, most[] = {480, 8192};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct eco_cache *cache = open_cache();
        uint32_t taken = 0;
        sqlite3 *other;

        assert_works(cache, 1);
        other = open_sqlite();
        sql(other, "BEGIN EXCLUSIVE");
        while (put_tile(cache, taken, lengths[i]) == 0)
            taken++;
        assert_in_range(taken, least[i], most[i]);
        assert_int_equal(put_tile(cache, taken, lengths[i]), ECO_EBUSY);
        assert_int_equal(stats_of(cache).dropped, 2);
        assert_int_equal(stats_of(cache).pending, taken);
        sql(other, "ROLLBACK");
        sqlite3_close(other);
        flush_soon(cache);
        assert_int_equal(stats_of(cache).pending, 0);
        assert_int_equal(put_tile(cache, taken, lengths[i]), 0);
        eco_cache_close(cache);
        unlink(fixture.path);
    }
}

/* A limit of the process on the size of files fails as a full disk does, for root as well. */
static void a_full_disk_degrades_and_heals_by_itself(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    struct rlimit before, full;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_works(cache, 1);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    full = before;
    full.rlim_cur = 400000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    for (uint32_t i = 10; i < 200; i++)
        assert_int_equal(put_tile(cache, i, 20000), 0);
    while (eco_cache_flush(cache) == 0)
        ;
    for (int i = 0; i < 3; i++)
        assert_int_equal(eco_cache_flush(cache), ECO_EIO);
    assert_true(stats_of(cache).degraded);
    assert_int_equal(look(reader, 1, 1000), 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    flush_soon(cache);
    assert_false(stats_of(cache).degraded);
    assert_int_equal(stats_of(cache).dropped, 0);
    for (uint32_t i = 10; i < 200; i++)
        assert_int_equal(look(reader, i, 20000), 1);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_integrity();
    assert_int_equal(log_lines("cannot be written"), 1);
    assert_int_equal(log_lines("can be written again"), 1);
}

static void a_missing_directory_degrades_and_heals_when_it_comes(void **state)
{
    struct eco_cache *cache;
    struct eco_cache_reader *reader;

    (void)state;
    snprintf(fixture.path, sizeof(fixture.path), "%s/later/cache.db", fixture.directory);
    cache = open_cache();
    reader = new_reader(cache);
    assert_true(stats_of(cache).degraded);
    assert_int_equal(put_tile(cache, 1, 3000), 0);
    assert_int_equal(eco_cache_flush(cache), ECO_EIO);
    assert_int_equal(look(reader, 1, 3000), 0);
    assert_int_equal(log_lines("cannot be written"), 1);
    assert_int_equal(log_lines("No such file or directory"), 1);
    assert_int_equal(mkdir(path_in("later"), 0700), 0);
    flush_soon(cache);
    assert_int_equal(look(reader, 1, 3000), 1);
    assert_false(stats_of(cache).degraded);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    remove_directory(path_in("later"));
}

static void a_cache_without_tiles_heals_too(void **state)
{
    struct eco_cache *cache;
    uint64_t start;

    (void)state;
    snprintf(fixture.path, sizeof(fixture.path), "%s/later/cache.db", fixture.directory);
    cache = open_cache();
    assert_true(stats_of(cache).degraded);
    assert_int_equal(mkdir(path_in("later"), 0700), 0);
    start = eco_clock_monotonic_ns();
    while (stats_of(cache).degraded && eco_clock_monotonic_ns() - start < 10000000000u)
        usleep(10000);
    assert_false(stats_of(cache).degraded);
    eco_cache_close(cache);
    remove_directory(path_in("later"));
}

/* --- more than one -----------------------------------------------------------------------------
 */

static void two_caches_on_one_file_get_along(void **state)
{
    struct eco_cache *caches[2] = {open_cache(), open_cache()};
    struct eco_cache_reader *readers[2] = {new_reader(caches[0]), new_reader(caches[1])};

    (void)state;
    for (uint32_t i = 0; i < 400; i++)
        assert_int_equal(put_tile(caches[i % 2], i, size_of(i)), 0);
    flush_soon(caches[0]);
    flush_soon(caches[1]);
    for (uint32_t i = 0; i < 400; i++) {
        assert_int_equal(look(readers[0], i, size_of(i)), 1);
        assert_int_equal(look(readers[1], i, size_of(i)), 1);
    }
    for (int i = 0; i < 2; i++) {
        eco_cache_reader_free(readers[i]);
        eco_cache_close(caches[i]);
    }
    assert_integrity();
}

struct crowd {
    struct eco_cache *cache;
    atomic_bool stop;
    atomic_uint wrong, hits, failed;
};

static void *put_many(void *argument)
{
    struct crowd *crowd = argument;

    for (uint32_t i = 0; !atomic_load(&crowd->stop); i++) {
        if (put_tile(crowd->cache, i % 500, 700) != 0)
            usleep(1000);
        if (i % 100 == 99)
            (void)eco_cache_flush(crowd->cache);
    }
    return NULL;
}

static void *get_many(void *argument)
{
    struct crowd *crowd = argument;
    struct eco_cache_reader *reader;

    for (uint32_t i = 0; !atomic_load(&crowd->stop);) {
        if (eco_cache_reader_new(crowd->cache, &reader, NULL) != 0) {
            atomic_fetch_add(&crowd->failed, 1);
            break;
        }
        for (int n = 0; n < 2000; n++, i++) {
            int answer = look(reader, i % 500, 700);

            atomic_fetch_add(answer < 0 ? &crowd->wrong : &crowd->hits, answer != 0);
        }
        eco_cache_reader_free(reader);
    }
    return NULL;
}

/* The file is deleted again and again under those who write and read it. */
static void many_threads_never_see_a_wrong_tile(void **state)
{
    struct crowd crowd = {.cache = open_cache()};
    pthread_t threads[5];

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? put_many : get_many, &crowd), 0);
    for (int i = 0; i < 5; i++) {
        usleep(200000);
        unlink(fixture.path);
    }
    usleep(200000);
    atomic_store(&crowd.stop, true);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&crowd.wrong), 0);
    assert_int_equal(atomic_load(&crowd.failed), 0);
    assert_int_not_equal(atomic_load(&crowd.hits), 0);
    eco_cache_close(crowd.cache);
    assert_integrity();
}

/* --- kill -9 -----------------------------------------------------------------------------------
 */

/* The child: stores tile after tile for ever and says how many are surely written. */
static int write_for_ever(const char *path)
{
    struct eco_cache *cache;

    if (eco_cache_open(path, &cache, NULL) != 0)
        return 1;
    for (uint32_t i = 0;; i++) {
        if (put_tile(cache, i, size_of(i)) != 0)
            return 1;
        if (i % 100 == 99) {
            uint32_t written = i + 1;

            if (eco_cache_flush(cache) != 0 || write(STDOUT_FILENO, &written, 4) != 4)
                return 1;
        }
    }
}

static void kill_9_loses_nothing_that_was_written(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        char name[] = "test_cache_faults", option[] = "--write";
        char *arguments[] = {name, option, fixture.path, NULL};
        posix_spawn_file_actions_t actions;
        struct eco_cache_reader *reader;
        struct eco_cache *cache;
        uint32_t written = 0, next, found = 0;
        int channel[2], status;
        pid_t child;

        assert_int_equal(pipe2(channel, O_CLOEXEC), 0);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, channel[1], STDOUT_FILENO);
        assert_int_equal(posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ),
                         0);
        posix_spawn_file_actions_destroy(&actions);
        close(channel[1]);
        while (written < 600 && read(channel[0], &next, 4) == 4)
            written = next;
        assert_in_range(written, 600, 100000);
        /* In the midst of a batch, at another point each round. */
        usleep((useconds_t)(round * 3000));
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        while (read(channel[0], &next, 4) == 4)
            written = next;
        close(channel[0]);

        cache = open_cache();
        reader = new_reader(cache);
        for (uint32_t i = 0; i < written + 5000; i++) {
            int answer = look(reader, i, size_of(i));

            assert_int_not_equal(answer, -1);
            if (i < written)
                assert_int_equal(answer, 1);
            found += answer == 1;
        }
        assert_int_equal(sql_number("SELECT count(*) FROM map"), found);
        assert_works(cache, 1);
        eco_cache_reader_free(reader);
        eco_cache_close(cache);
        assert_integrity();
        assert_int_equal(files_named("cache.db", NULL, 0), 1);
        unlink(fixture.path);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(a_lock_of_another_process_delays_tiles_and_drops_none),
        TEST(a_tile_that_waits_for_the_writer_is_found_until_the_file_has_it),
        TEST(a_cache_locked_for_good_gives_up_when_it_is_closed),
        TEST(the_queue_is_bounded_in_bytes_and_in_tiles),
        TEST(a_full_disk_degrades_and_heals_by_itself),
        TEST(a_missing_directory_degrades_and_heals_when_it_comes),
        TEST(a_cache_without_tiles_heals_too),
        TEST(two_caches_on_one_file_get_along),
        TEST(many_threads_never_see_a_wrong_tile),
        TEST(kill_9_loses_nothing_that_was_written),
    };

    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_for_ever(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
