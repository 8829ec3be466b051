/* Quotas of worlds, and whose image is whose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache_fixture.h"

#define QUOTA 2000000
#define SIZE 20000

static const struct eco_cache_origin origin_b = {"b", 5, 0};

static int put_for(struct eco_cache *cache, const struct eco_cache_origin *origin, uint32_t number,
                   uint64_t world)
{
    static struct tile tile;

    make_tile(&tile, number, SIZE);
    tile.key.world = world;
    return eco_cache_put(cache, &tile.key, origin, tile.data, tile.size, &tile.hash);
}

static void set_quota(struct eco_cache *cache, const char *world, uint64_t limit)
{
    struct eco_cache_quota quota = {.limit = limit};

    snprintf(quota.world, sizeof(quota.world), "%s", world);
    eco_cache_set_quotas(cache, &quota, 1);
}

static struct eco_cache_quota quota_of(struct eco_cache *cache)
{
    struct eco_cache_quota quota;

    assert_int_equal(eco_cache_quotas(cache, &quota, 1), 1);
    return quota;
}

static int64_t bytes_of(const char *world)
{
    char text[128];

    snprintf(text, sizeof(text), "SELECT bytes FROM owners WHERE name = '%s'", world);
    return sql_number(text);
}

static void assert_counts_are_right(void)
{
    assert_int_equal(sql_number("SELECT count(*) FROM owners WHERE (bytes, images) <>"
                                " (SELECT coalesce(sum(length(data)), 0), count(*) FROM images"
                                " WHERE owner = owners.id)"),
                     0);
    assert_int_equal(sql_number("SELECT count(*) FROM map LEFT JOIN images"
                                " ON images.id = map.image WHERE images.id IS NULL"),
                     0);
}

static void a_world_stays_under_its_quota_and_others_lose_nothing(void **state)
{
    struct eco_cache *cache = open_cache();
    int64_t most = 0;

    (void)state;
    set_quota(cache, "a", QUOTA);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(put_for(cache, &origin_b, 1000 + i, 2), 0);
    for (uint32_t i = 0; i < 400; i++) {
        /* Of two seeds: a quota is for all of them. */
        struct eco_cache_origin origin = {"a", i % 2, 0};

        assert_int_equal(put_for(cache, &origin, i, i % 2), 0);
        if (i % 25 == 24) {
            assert_int_equal(eco_cache_flush(cache), 0);
            most = bytes_of("a") > most ? bytes_of("a") : most;
        }
    }
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_in_range(most, QUOTA / 10 * 8, QUOTA / 10 * 12);
    assert_in_range(quota_of(cache).bytes, QUOTA / 10 * 8, QUOTA);
    assert_in_range(quota_of(cache).evicted, 290, 320);
    assert_int_equal(stats_of(cache).evicted, quota_of(cache).evicted);
    eco_cache_close(cache);
    assert_int_equal(bytes_of("b"), 100 * SIZE);
    assert_counts_are_right();
    /* The newest stayed. */
    assert_int_equal(sql_number("SELECT min(id) FROM images WHERE owner ="
                                " (SELECT id FROM owners WHERE name = 'a')") > 350,
                     1);
}

static void a_lower_quota_is_kept_without_a_new_tile(void **state)
{
    struct eco_cache *cache = open_cache();
    uint64_t until = eco_clock_monotonic_ns() + 20000000000u;

    (void)state;
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(put_for(cache, &origin_a, i, 1), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    set_quota(cache, "a", QUOTA);
    while ((quota_of(cache).bytes == 0 || quota_of(cache).bytes > QUOTA) &&
           eco_clock_monotonic_ns() < until)
        usleep(1000);
    assert_in_range(quota_of(cache).bytes, QUOTA / 10 * 8, QUOTA);
    eco_cache_close(cache);
    assert_counts_are_right();
}

/* It counts to who stored it first, and goes with his quota. */
static void an_image_that_two_worlds_share_counts_once(void **state)
{
    struct eco_cache *cache = open_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    struct eco_hash128 hash;
    struct eco_cache_key key;
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(put_for(cache, &origin_a, 0, 1), 0);
    assert_int_equal(put_for(cache, &origin_b, 0, 2), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(bytes_of("a"), SIZE);
    assert_int_equal(bytes_of("b"), 0);
    set_quota(cache, "a", QUOTA);
    for (uint32_t i = 1; i < 300; i++)
        assert_int_equal(put_for(cache, &origin_a, i, 1), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    key = make_key(0);
    key.world = 2;
    assert_int_equal(eco_cache_get(reader, &key, &out, &hash), ECO_ENOTFOUND);
    /* Made again, it is the other world's. */
    assert_int_equal(put_for(cache, &origin_b, 0, 2), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    assert_int_equal(bytes_of("b"), SIZE);
    assert_int_equal(eco_cache_get(reader, &key, &out, &hash), 0);
    eco_buffer_release(&out);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_counts_are_right();
}

static void a_wrong_count_puts_itself_right(void **state)
{
    struct eco_cache *cache = open_cache();

    (void)state;
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(put_for(cache, &origin_a, i, 1), 0);
    assert_int_equal(put_for(cache, &origin_b, 20, 2), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    sql_once("UPDATE owners SET bytes = 9000000000000000000 WHERE name = 'a'");
    set_quota(cache, "a", QUOTA);
    assert_int_equal(put_for(cache, &origin_b, 21, 2), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    eco_cache_close(cache);
    assert_int_equal(bytes_of("a"), 0);
    assert_counts_are_right();
}

/* A million seeds must not fill the file with their names. */
static void worlds_without_tiles_are_forgotten(void **state)
{
    struct eco_cache *cache = open_cache();

    (void)state;
    set_quota(cache, "a", QUOTA);
    for (uint32_t i = 0; i < 1000; i++) {
        struct eco_cache_origin origin = {"a", i, 0};

        assert_int_equal(put_for(cache, &origin, i, i + 1), 0);
        if (i % 100 == 99)
            assert_int_equal(eco_cache_flush(cache), 0);
    }
    eco_cache_close(cache);
    assert_in_range(sql_number("SELECT count(*) FROM map"), 80, 100);
    assert_in_range(sql_number("SELECT count(*) FROM worlds"), 80, 400);
    assert_int_equal(sql_number("SELECT seed FROM worlds WHERE hash = x'00000000000003e8'"), 999);
    assert_int_equal(sql_number("SELECT count(*) FROM map WHERE substr(key, 1, 8) NOT IN"
                                " (SELECT hash FROM worlds)"),
                     0);
}

static void a_name_that_is_too_long_is_refused(void **state)
{
    struct eco_cache *cache = open_cache();
    char name[ECO_NAME_MAX + 2] = {0};
    struct eco_cache_origin origin = {name, 0, 0};

    (void)state;
    memset(name, 'a', ECO_NAME_MAX);
    assert_int_equal(put_for(cache, &origin, 0, 1), 0);
    name[ECO_NAME_MAX] = 'a';
    assert_int_equal(put_for(cache, &origin, 1, 1), ECO_EINVAL);
    eco_cache_close(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_world_stays_under_its_quota_and_others_lose_nothing),
        TEST(a_lower_quota_is_kept_without_a_new_tile),
        TEST(an_image_that_two_worlds_share_counts_once),
        TEST(a_wrong_count_puts_itself_right),
        TEST(worlds_without_tiles_are_forgotten),
        TEST(a_name_that_is_too_long_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
