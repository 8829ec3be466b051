/*
 * What the tests of the tile cache share: a directory and a log for each test, tiles by number, and
 * the file as SQLite sees it. Include it after <cmocka.h>.
 */
#ifndef ECO_TESTS_CACHE_FIXTURE_H
#define ECO_TESTS_CACHE_FIXTURE_H

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/cache.h"

/* --- a directory for each test, and its log ----------------------------------------------------
 */

struct fixture {
    char directory[64];
    char path[128]; /* of the cache */
    int log_before; /* the real standard error */
};

static struct fixture fixture;

static inline void remove_directory(const char *directory)
{
    DIR *dir = opendir(directory);
    struct dirent *entry;
    char path[512];

    if (!dir)
        return;
    while ((entry = readdir(dir))) {
        snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlink(path) != 0)
            rmdir(path);
    }
    closedir(dir);
    rmdir(directory);
}

static inline char *path_in(const char *name)
{
    static char path[256];

    snprintf(path, sizeof(path), "%s/%s", fixture.directory, name);
    return path;
}

/* What the cache says goes to a file, which the tests read. */
static inline int set_up(void **state)
{
    int log;

    (void)state;
    strcpy(fixture.directory, "/tmp/ecotone-cache-XXXXXX");
    if (!mkdtemp(fixture.directory))
        return -1;
    snprintf(fixture.path, sizeof(fixture.path), "%s/cache.db", fixture.directory);
    log = open(path_in("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    fixture.log_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    dup2(log, STDERR_FILENO);
    close(log);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    dup2(fixture.log_before, STDERR_FILENO);
    close(fixture.log_before);
    remove_directory(fixture.directory);
    return 0;
}

/* Lines of the log that contain `text`. */
static inline int log_lines(const char *text)
{
    FILE *log = fopen(path_in("log"), "r");
    char line[4096];
    int count = 0;

    while (fgets(line, sizeof(line), log))
        count += strstr(line, text) != NULL;
    fclose(log);
    return count;
}

/* Files of the directory whose name begins so; the last such name in `found`. */
static inline int files_named(const char *prefix, char *found, size_t size)
{
    DIR *dir = opendir(fixture.directory);
    struct dirent *entry;
    int count = 0;

    while ((entry = readdir(dir))) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        count++;
        if (found)
            snprintf(found, size, "%s/%s", fixture.directory, entry->d_name);
    }
    closedir(dir);
    return count;
}

static inline long file_size(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

/* --- tiles -------------------------------------------------------------------------------------
 */

struct tile {
    struct eco_cache_key key;
    struct eco_hash128 hash;
    size_t size;
    unsigned char data[70000];
};

static const struct eco_cache_origin origin_a = {"a", 5, 0};

static inline struct eco_cache_key make_key(uint32_t number)
{
    return (struct eco_cache_key){.world = 0xFEDCBA9876543210u,
                                  .x = number,
                                  .y = ~number,
                                  .layer = 3,
                                  .zoom = 18,
                                  .scale = 1,
                                  .format = 0};
}

/* Tile `number` is the same bytes in every process. */
static inline void make_tile(struct tile *tile, uint32_t number, size_t size)
{
    tile->key = make_key(number);
    tile->size = size;
    for (size_t i = 0; i < size; i++)
        tile->data[i] = (unsigned char)(eco_mix64(number * 0x10001u + i / 8) >> (8 * (i % 8)));
    tile->hash = eco_hash128(tile->data, size);
}

static inline size_t size_of(uint32_t number)
{
    return 500 + number * 7919u % 20000;
}

static inline int put_tile(struct eco_cache *cache, uint32_t number, size_t size)
{
    static _Thread_local struct tile tile;

    make_tile(&tile, number, size);
    return eco_cache_put(cache, &tile.key, &origin_a, tile.data, tile.size, &tile.hash);
}

/* 1: the tile is there; 0: a miss; -1: something else is there. */
static inline int look(struct eco_cache_reader *reader, uint32_t number, size_t size)
{
    static _Thread_local struct tile tile;
    struct eco_hash128 hash = {0};
    struct eco_buffer out;
    int code, answer;

    eco_buffer_init(&out);
    make_tile(&tile, number, size);
    code = eco_cache_get(reader, &tile.key, &out, &hash);
    if (code == 0)
        answer = out.size == size && memcmp(out.data, tile.data, size) == 0 &&
                         hash.low == tile.hash.low && hash.high == tile.hash.high
                     ? 1
                     : -1;
    else
        answer = code == ECO_ENOTFOUND && out.size == 0 ? 0 : -1;
    eco_buffer_release(&out);
    return answer;
}

static inline struct eco_cache *open_cache(void)
{
    struct eco_cache *cache;
    struct eco_error error = {0};

    if (eco_cache_open(fixture.path, &cache, &error) != 0)
        fail_msg("%s", error.text);
    return cache;
}

static inline struct eco_cache_reader *new_reader(struct eco_cache *cache)
{
    struct eco_cache_reader *reader;

    assert_int_equal(eco_cache_reader_new(cache, &reader, NULL), 0);
    return reader;
}

static inline struct eco_cache_stats stats_of(struct eco_cache *cache)
{
    struct eco_cache_stats stats;

    eco_cache_stats(cache, &stats);
    return stats;
}

/* Puts a tile, waits until it is written, and reads it. */
static inline void assert_works(struct eco_cache *cache, uint32_t number)
{
    struct eco_cache_reader *reader = new_reader(cache);

    assert_int_equal(put_tile(cache, number, 1000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(look(reader, number, 1000), 1);
    assert_false(stats_of(cache).degraded);
    eco_cache_reader_free(reader);
}

/* --- the file, seen from outside ---------------------------------------------------------------
 */

static inline sqlite3 *open_sqlite(void)
{
    sqlite3 *handle;

    assert_int_equal(sqlite3_open(fixture.path, &handle), SQLITE_OK);
    sqlite3_busy_timeout(handle, 5000);
    return handle;
}

static inline void sql(sqlite3 *handle, const char *text)
{
    char *message = NULL;

    if (sqlite3_exec(handle, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", text, message);
}

static inline int64_t sql_number(const char *text)
{
    sqlite3 *handle = open_sqlite();
    sqlite3_stmt *statement;
    int64_t number;

    assert_int_equal(sqlite3_prepare_v2(handle, text, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return number;
}

static inline void sql_once(const char *text)
{
    sqlite3 *handle = open_sqlite();

    sql(handle, text);
    sqlite3_close(handle);
}

static inline void assert_integrity(void)
{
    sqlite3 *handle = open_sqlite();
    sqlite3_stmt *statement;

    assert_int_equal(sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(statement, 0), "ok");
    sqlite3_finalize(statement);
    sqlite3_close(handle);
}

static inline void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static inline unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data;

    *size = (size_t)file_size(path);
    data = malloc(*size);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
