/* The tile cache on an ordinary day, and damaged rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/limits.h"
#include "cache_fixture.h"
#include "store/cache.h"

/* --- the ordinary day --------------------------------------------------------------------------
 */

static void tiles_come_back_as_they_were_also_after_a_restart(void **state)
{
    static const size_t lengths[] = {1, 70, 700, 8000, 8192, 20000, 70000};
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);

    (void)state;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 7; i++) {
            if (round == 0) {
                assert_int_equal(look(reader, i, lengths[i]), 0);
                assert_int_equal(put_tile(cache, i, lengths[i]), 0);
                assert_int_equal(eco_cache_flush(cache), 0);
            }
            assert_int_equal(look(reader, i, lengths[i]), 1);
        }
        assert_int_equal(look(reader, 7, 1), 0);
        assert_int_equal(stats_of(cache).stored, round == 0 ? 7 : 0);
        assert_int_equal(stats_of(cache).pending, 0);
        assert_int_equal(stats_of(cache).dropped, 0);
        assert_false(stats_of(cache).degraded);
        eco_cache_reader_free(reader);
        eco_cache_close(cache);
        assert_integrity();
        cache = open_cache();
        reader = new_reader(cache);
    }
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_int_equal(log_lines(""), 0);
}

static void keys_that_differ_in_one_field_are_different_tiles(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    struct eco_cache_key keys[9];
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    for (size_t i = 0; i < 9; i++)
        keys[i] = make_key(1);
    keys[1].world ^= 1;
    keys[2].world ^= (uint64_t)1 << 63;
    keys[3].x ^= 1u << 31;
    keys[4].y ^= 1;
    keys[5].layer ^= 1;
    keys[6].zoom ^= 1;
    keys[7].scale ^= 3;
    keys[8].format ^= 1;
    for (unsigned char i = 0; i < 9; i++) {
        struct eco_hash128 hash = eco_hash128(&i, 1);

        assert_int_equal(eco_cache_put(cache, &keys[i], &origin_a, &i, 1, &hash), 0);
    }
    assert_int_equal(eco_cache_flush(cache), 0);
    for (unsigned char i = 0; i < 9; i++) {
        struct eco_hash128 hash;

        assert_int_equal(eco_cache_get(reader, &keys[i], &out, &hash), 0);
        assert_int_equal(out.size, 1);
        assert_int_equal(out.data[0], i);
    }
    eco_buffer_release(&out);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
}

static void the_last_tile_put_under_a_key_wins(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    struct tile *tile = malloc(sizeof(*tile));

    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        make_tile(tile, i, 900);
        tile->key = make_key(4);
        assert_int_equal(eco_cache_put(cache, &tile->key, &origin_a, tile->data, 900, &tile->hash),
                         0);
    }
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(look(reader, 4, 900), 1);
    free(tile);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
}

static void ten_thousand_equal_tiles_are_stored_once(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    struct tile *tile = malloc(sizeof(*tile));
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    make_tile(tile, 0, 20000);
    for (uint32_t i = 0; i < 10000; i++) {
        tile->key = make_key(i);
        assert_int_equal(
            eco_cache_put(cache, &tile->key, &origin_a, tile->data, tile->size, &tile->hash), 0);
        if (i % 1000 == 999)
            assert_int_equal(eco_cache_flush(cache), 0);
    }
    for (uint32_t i = 0; i < 10000; i += 1111) {
        struct eco_cache_key key = make_key(i);
        struct eco_hash128 hash;

        assert_int_equal(eco_cache_get(reader, &key, &out, &hash), 0);
        assert_int_equal(out.size, tile->size);
        assert_memory_equal(out.data, tile->data, tile->size);
    }
    eco_buffer_release(&out);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_int_equal(sql_number("SELECT count(*) FROM images"), 1);
    assert_int_equal(sql_number("SELECT count(*) FROM map"), 10000);
    assert_in_range(file_size(fixture.path), 1, 1000000);
    free(tile);
}

static void what_is_put_is_written_soon_without_a_flush(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    uint64_t start = eco_clock_monotonic_ns();

    (void)state;
    assert_int_equal(put_tile(cache, 1, 5000), 0);
    while (look(reader, 1, 5000) == 0 && eco_clock_monotonic_ns() - start < 10000000000u)
        usleep(1000);
    assert_int_equal(look(reader, 1, 5000), 1);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
}

static void closing_writes_what_is_pending(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader;

    (void)state;
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(put_tile(cache, i, size_of(i)), 0);
    eco_cache_close(cache);
    cache = open_cache();
    reader = new_reader(cache);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(look(reader, i, size_of(i)), 1);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
}

static void sizes_out_of_range_are_refused(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_key key = make_key(1);
    struct eco_hash128 hash = {1, 2};

    (void)state;
    assert_int_equal(eco_cache_put(cache, &key, &origin_a, "", 0, &hash), ECO_EINVAL);
    assert_int_equal(eco_cache_put(cache, &key, &origin_a, "", ECO_CACHE_TILE_BYTES_MAX + 1, &hash),
                     ECO_EINVAL);
    eco_cache_close(cache);
}

static void paths_that_can_be_no_file_are_refused(void **state)
{
    struct eco_cache *cache = NULL;
    struct eco_error error;
    char *path = malloc(10001);

    (void)state;
    memset(path, 'a', 10000);
    path[10000] = '\0';
    assert_int_equal(eco_cache_open(path, &cache, &error), ECO_EINVAL);
    assert_int_equal(eco_cache_open("", &cache, &error), ECO_EINVAL);
    assert_int_equal(eco_cache_open(fixture.directory, &cache, &error), ECO_EINVAL);
    assert_non_null(strstr(error.text, fixture.directory));
    assert_null(cache);
    free(path);
}

static void names_that_sqlite_reads_in_its_own_way_are_files(void **state)
{
    static const char *const names[] = {":memory:", "file:x.db?mode=memory"};
    char before[4096];

    (void)state;
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(fixture.directory), 0);
    for (size_t i = 0; i < 2; i++) {
        struct eco_cache *cache;

        assert_int_equal(eco_cache_open(names[i], &cache, NULL), 0);
        assert_works(cache, 1);
        eco_cache_close(cache);
        assert_in_range(file_size(names[i]), 1000, 1000000);
    }
    assert_int_equal(chdir(before), 0);
}

/* --- damaged rows ------------------------------------------------------------------------------
 */

/* The row is a miss, is deleted, and a put heals it. */
static void assert_heals(const char *damage, int64_t images_left)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);

    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(put_tile(cache, i, 30000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(look(reader, 1, 30000), 1);
    sql_once(damage);
    assert_int_equal(look(reader, 1, 30000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(sql_number("SELECT count(*) FROM map"), 2);
    assert_int_equal(sql_number("SELECT count(*) FROM images"), images_left);
    assert_int_equal(look(reader, 1, 30000), 0);
    assert_int_equal(put_tile(cache, 1, 30000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(look(reader, i, 30000), 1);
    /* The same damage, and the tile put again before anyone reads it. */
    sql_once(damage);
    assert_int_equal(put_tile(cache, 1, 30000), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(look(reader, i, 30000), 1);
    assert_false(stats_of(cache).degraded);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_integrity();
    assert_int_equal(files_named("cache.db", NULL, 0), 1);
}

/* Tile 1 by its key: x is in bytes 13 to 16. */
#define TILE_1 "substr(key, 13, 4) = x'00000001'"
#define IMAGE_1 "(SELECT image FROM map WHERE " TILE_1 ")"

static void a_flipped_byte_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals(
        "UPDATE images SET data = CAST(substr(data, 1, 20000) || x'00' ||"
        " substr(data, 20002) AS BLOB) WHERE id = " IMAGE_1 " AND substr(data, 20001, 1) <> x'00';"
        "UPDATE images SET data = CAST(substr(data, 1, 20000) || x'FF' ||"
        " substr(data, 20002) AS BLOB) WHERE id = " IMAGE_1 " AND substr(data, 20001, 1) = x'00'",
        2);
}

static void a_shortened_tile_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("UPDATE images SET data = substr(data, 1, 29999) WHERE id = " IMAGE_1, 2);
}

static void an_empty_tile_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("UPDATE images SET data = x'' WHERE id = " IMAGE_1, 2);
}

static void a_number_for_a_tile_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("UPDATE images SET data = 17 WHERE id = " IMAGE_1, 2);
}

static void a_damaged_hash_of_an_image_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("DELETE FROM images WHERE hash = x'55';"
                 "UPDATE images SET hash = x'55', data = x'66' WHERE id = " IMAGE_1,
                 2);
}

static void a_damaged_hash_of_a_row_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("UPDATE map SET hash = x'0102' WHERE " TILE_1, 3);
}

static void a_row_that_points_to_another_image_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("UPDATE map SET image = (SELECT image FROM map WHERE substr(key, 13, 4) ="
                 " x'00000002') WHERE " TILE_1,
                 3);
}

/* As a bit that rots in a key makes it: the row of one tile under the key of another. */
static void a_row_under_the_key_of_another_tile_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("UPDATE map SET (image, hash) = (SELECT image, hash FROM map WHERE"
                 " substr(key, 13, 4) = x'00000002') WHERE " TILE_1,
                 3);
}

static void a_row_without_its_image_is_a_miss_and_heals(void **state)
{
    (void)state;
    assert_heals("DELETE FROM images WHERE id = " IMAGE_1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tiles_come_back_as_they_were_also_after_a_restart),
        TEST(keys_that_differ_in_one_field_are_different_tiles),
        TEST(the_last_tile_put_under_a_key_wins),
        TEST(ten_thousand_equal_tiles_are_stored_once),
        TEST(what_is_put_is_written_soon_without_a_flush),
        TEST(closing_writes_what_is_pending),
        TEST(sizes_out_of_range_are_refused),
        TEST(paths_that_can_be_no_file_are_refused),
        TEST(names_that_sqlite_reads_in_its_own_way_are_files),
        TEST(a_flipped_byte_is_a_miss_and_heals),
        TEST(a_shortened_tile_is_a_miss_and_heals),
        TEST(an_empty_tile_is_a_miss_and_heals),
        TEST(a_number_for_a_tile_is_a_miss_and_heals),
        TEST(a_damaged_hash_of_an_image_is_a_miss_and_heals),
        TEST(a_damaged_hash_of_a_row_is_a_miss_and_heals),
        TEST(a_row_that_points_to_another_image_is_a_miss_and_heals),
        TEST(a_row_under_the_key_of_another_tile_is_a_miss_and_heals),
        TEST(a_row_without_its_image_is_a_miss_and_heals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
