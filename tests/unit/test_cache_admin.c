/* A cache file seen from outside: counted, cleared and read beside the cache that uses it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include "cache_fixture.h"
#include "store/admin.h"

#define SIZE 20000

static const struct eco_cache_origin origin_b = {"b", -7, 2};

static struct eco_cache_key key_of(uint64_t world, uint8_t layer, uint32_t number)
{
    struct eco_cache_key key = make_key(number);

    key.world = world;
    key.layer = layer;
    return key;
}

/* Tile `number` under a key; the bytes are those of `image`. */
static void put_as(struct eco_cache *cache, const struct eco_cache_origin *origin, uint64_t world,
                   uint8_t layer, uint32_t number, uint32_t image)
{
    static struct tile tile;
    int code;

    make_tile(&tile, image, SIZE);
    tile.key = key_of(world, layer, number);
    /* The queue is short; the writer will come. */
    while ((code = eco_cache_put(cache, &tile.key, origin, tile.data, SIZE, &tile.hash)) ==
           ECO_EBUSY)
        usleep(1000);
    assert_int_equal(code, 0);
}

static struct eco_cache_admin *open_admin(void)
{
    struct eco_cache_admin *admin;
    struct eco_error error = {0};

    if (eco_cache_admin_open(fixture.path, 5000, &admin, &error) != 0)
        fail_msg("%s", error.text);
    return admin;
}

/* World 1 of a has layers 3 (40 tiles, one image) and 5 (10 tiles), world 2 of b layer 3 (20 tiles,
 * half of them images of a's). */
static struct eco_cache *filled_cache(void)
{
    struct eco_cache *cache = open_cache();

    for (uint32_t i = 0; i < 40; i++)
        put_as(cache, &origin_a, 1, 3, i, 1000);
    for (uint32_t i = 0; i < 10; i++)
        put_as(cache, &origin_a, 1, 5, i, i);
    for (uint32_t i = 0; i < 20; i++)
        put_as(cache, &origin_b, 2, 3, i, i);
    assert_int_equal(eco_cache_flush(cache), 0);
    return cache;
}

static void groups_are_told_with_their_counts(void **state)
{
    struct eco_cache *cache = filled_cache();
    struct eco_cache_admin *admin = open_admin();
    struct eco_cache_extent extent;
    struct eco_cache_world world;
    struct eco_cache_group group;
    bool begun = false;

    (void)state;
    assert_int_equal(eco_cache_admin_next_group(admin, &begun, &group, NULL), 0);
    assert_true(group.world == 1 && group.layer == 3);
    assert_true(group.tiles == 40 && group.images == 1 && group.bytes == SIZE);
    assert_in_range(group.newest, time(NULL) - 60, time(NULL));
    assert_true(group.oldest <= group.newest && group.oldest > group.newest - 60);
    assert_int_equal(eco_cache_admin_next_group(admin, &begun, &group, NULL), 0);
    assert_true(group.world == 1 && group.layer == 5 && group.tiles == 10);
    assert_int_equal(eco_cache_admin_next_group(admin, &begun, &group, NULL), 0);
    assert_true(group.world == 2 && group.layer == 3 && group.tiles == 20);
    assert_true(group.images == 20 && group.bytes == 20 * SIZE);
    assert_int_equal(eco_cache_admin_next_group(admin, &begun, &group, NULL), ECO_ENOTFOUND);
    assert_int_equal(eco_cache_admin_world(admin, 2, &world, NULL), 0);
    assert_true(world.known && world.seed == -7 && world.blend == 2);
    assert_string_equal(world.name, "b");
    assert_int_equal(eco_cache_admin_world(admin, 3, &world, NULL), 0);
    assert_false(world.known);
    assert_int_equal(eco_cache_admin_extent(admin, &extent, NULL), 0);
    assert_true(extent.tiles == 70 && extent.images == 21);
    assert_true(extent.bytes >= 21 * SIZE);
    eco_cache_admin_close(admin);
    eco_cache_close(cache);
}

static bool is_even(const void *context, const struct eco_cache_key *key)
{
    return key->layer == *(const uint8_t *)context && key->x % 2 == 0;
}

static void what_is_purged_is_gone_and_nothing_else(void **state)
{
    struct eco_cache *cache = filled_cache();
    struct eco_cache_reader *reader = new_reader(cache);
    struct eco_cache_admin *admin = open_admin();
    struct eco_cache_purged purged = {0};
    struct eco_hash128 hash;
    struct eco_cache_key key;
    struct eco_buffer out;
    uint8_t layer = 3;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(eco_cache_admin_purge(admin, 2, is_even, &layer, &purged, NULL), 0);
    /* Five of the ten images are a's, too. */
    assert_true(purged.tiles == 10 && purged.images == 5 && purged.bytes == 5 * SIZE);
    for (uint32_t i = 0; i < 20; i++) {
        key = key_of(2, 3, i);
        assert_int_equal(eco_cache_get(reader, &key, &out, &hash), i % 2 ? 0 : ECO_ENOTFOUND);
        key = key_of(1, 3, i);
        assert_int_equal(eco_cache_get(reader, &key, &out, &hash), 0);
        key = key_of(1, 5, i);
        assert_int_equal(eco_cache_get(reader, &key, &out, &hash), i < 10 ? 0 : ECO_ENOTFOUND);
    }
    assert_int_equal(eco_cache_admin_purge(admin, 1, NULL, NULL, &purged, NULL), 0);
    assert_int_equal(eco_cache_admin_tidy(admin, &purged, NULL), 0);
    assert_int_equal(sql_number("SELECT count(*) FROM map"), 10);
    assert_int_equal(sql_number("SELECT count(*) FROM images"), 10);
    assert_int_equal(sql_number("SELECT count(*) FROM worlds"), 1);
    /* a owns the five images that b shows. */
    assert_int_equal(sql_number("SELECT sum(images) FROM owners"), 10);
    eco_buffer_release(&out);
    eco_cache_admin_close(admin);
    eco_cache_reader_free(reader);
    eco_cache_close(cache);
    assert_integrity();
}

/* As the daemon does; see the next test. */
struct writing {
    struct eco_cache *cache;
    atomic_bool stop;
    uint32_t put;
};

static void *go_on_writing(void *argument)
{
    struct writing *writing = argument;

    while (!atomic_load(&writing->stop)) {
        struct tile *tile = malloc(sizeof(*tile));

        make_tile(tile, 100000 + writing->put, 1000);
        tile->key.world = 9;
        if (eco_cache_put(writing->cache, &tile->key, &origin_b, tile->data, 1000, &tile->hash) ==
            0)
            writing->put++;
        free(tile);
        usleep(200);
    }
    return NULL;
}

static void a_purge_beside_a_busy_writer_loses_none_of_its_tiles(void **state)
{
    struct writing writing = {.put = 0};
    struct eco_cache_purged purged = {0};
    struct eco_cache_admin *admin;
    struct eco_error error = {0};
    pthread_t thread;
    int code;

    (void)state;
    writing.cache = open_cache();
    atomic_init(&writing.stop, false);
    for (uint32_t i = 0; i < 1000; i++)
        put_as(writing.cache, &origin_a, 1, 3, i, i);
    assert_int_equal(eco_cache_flush(writing.cache), 0);
    assert_int_equal(pthread_create(&thread, NULL, go_on_writing, &writing), 0);
    admin = open_admin();
    code = eco_cache_admin_purge(admin, 1, NULL, NULL, &purged, &error);
    if (!code)
        code = eco_cache_admin_tidy(admin, &purged, &error);
    eco_cache_admin_close(admin);
    atomic_store(&writing.stop, true);
    pthread_join(thread, NULL);
    if (code)
        fail_msg("%s", error.text);
    assert_true(purged.tiles == 1000 && purged.images == 1000);
    while (eco_cache_flush(writing.cache) != 0)
        usleep(10000);
    assert_int_equal(stats_of(writing.cache).dropped, 0);
    eco_cache_close(writing.cache);
    assert_int_equal(sql_number("SELECT count(*) FROM map"), writing.put);
    assert_int_equal(sql_number("SELECT count(*) FROM images"), writing.put);
    assert_integrity();
    /* 20 MB were there, beside what was written meanwhile. */
    assert_true(file_size(fixture.path) < 4000000 + 2000 * (long)writing.put);
}

static void images_without_tiles_are_tidied_away(void **state)
{
    struct eco_cache *cache = filled_cache();
    struct eco_cache_purged purged = {0};
    struct eco_cache_admin *admin;

    (void)state;
    eco_cache_close(cache);
    sql_once("DELETE FROM map WHERE substr(key, 1, 8) = x'0000000000000002'");
    admin = open_admin();
    assert_int_equal(eco_cache_admin_tidy(admin, &purged, NULL), 0);
    assert_true(purged.images == 10 && purged.tiles == 0);
    eco_cache_admin_close(admin);
    assert_int_equal(sql_number("SELECT count(*) FROM owners"), 1);
}

static int all(void *context, const struct eco_cache_key *key, bool *takes, struct eco_error *error)
{
    (void)context;
    (void)error;
    *takes = key->world == 1;
    return 0;
}

static void a_sample_has_each_key_as_likely(void **state)
{
    struct eco_cache *cache = filled_cache();
    struct eco_cache_admin *admin = open_admin();
    struct eco_cache_key keys[60];
    unsigned found, seen[40] = {0};

    (void)state;
    assert_int_equal(eco_cache_admin_sample(admin, 1, 60, all, NULL, keys, &found, NULL), 0);
    assert_int_equal(found, 50);
    for (uint64_t round = 0; round < 400; round++) {
        assert_int_equal(
            eco_cache_admin_sample(admin, round * 977, 10, all, NULL, keys, &found, NULL), 0);
        assert_int_equal(found, 10);
        for (unsigned i = 0; i < found; i++) {
            assert_true(i == 0 || keys[i - 1].layer < keys[i].layer || keys[i - 1].x < keys[i].x);
            if (keys[i].layer == 3)
                seen[keys[i].x]++;
        }
    }
    /* 80 on the average, with a deviation of 8. */
    for (unsigned i = 0; i < 40; i++)
        assert_in_range(seen[i], 80 - 48, 80 + 48);
    eco_cache_admin_close(admin);
    eco_cache_close(cache);
}

static void damaged_tiles_are_told(void **state)
{
    struct eco_cache *cache = filled_cache();
    struct eco_cache_admin *admin;
    struct eco_error error = {0};
    struct eco_cache_key key = key_of(1, 5, 3);
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    eco_cache_close(cache);
    sql_once("UPDATE images SET data = x'00' || data WHERE id ="
             " (SELECT image FROM map WHERE substr(key, 1, 9) = x'000000000000000105'"
             "  AND substr(key, 13, 4) = x'00000003')");
    admin = open_admin();
    assert_int_equal(eco_cache_admin_read(admin, &key, &out, &error), ECO_ECORRUPT);
    assert_string_equal(error.text, "its checksum is wrong");
    key.x = 4;
    key.y = ~4u;
    assert_int_equal(eco_cache_admin_read(admin, &key, &out, &error), 0);
    assert_int_equal(out.size, SIZE);
    key.x = 400;
    assert_int_equal(eco_cache_admin_read(admin, &key, &out, &error), ECO_ENOTFOUND);
    assert_int_equal(eco_cache_admin_check(admin, &error), 0);
    eco_buffer_release(&out);
    eco_cache_admin_close(admin);
}

static void check_refused(int code, const char *text)
{
    struct eco_cache_admin *admin;
    struct eco_error error = {0};

    assert_int_equal(eco_cache_admin_open(fixture.path, 100, &admin, &error), code);
    assert_null(admin);
    if (!strstr(error.text, text))
        fail_msg("'%s' is not in '%s'", text, error.text);
}

static void what_is_no_cache_is_refused_and_left_alone(void **state)
{
    unsigned char noise[4096];
    sqlite3 *handle;

    (void)state;
    check_refused(ECO_ENOTFOUND, "there is no such file");
    assert_int_equal(file_size(fixture.path), -1);
    write_file(fixture.path, "", 0);
    check_refused(ECO_EINVAL, "it is no tile cache");
    assert_int_equal(file_size(fixture.path), 0);
    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (unsigned char)eco_mix64(i);
    write_file(fixture.path, noise, sizeof(noise));
    check_refused(ECO_EINVAL, "it is no tile cache");
    unlink(fixture.path);
    sql_once("CREATE TABLE t(a)");
    check_refused(ECO_EINVAL, "another program");
    unlink(fixture.path);
    eco_cache_close(filled_cache());
    sql_once("PRAGMA user_version = 2");
    check_refused(ECO_ERANGE, "its schema has version 2, this program's is 3");
    sql_once("PRAGMA user_version = 3");
    handle = open_sqlite();
    sql(handle, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"
                "INSERT INTO owners(name) VALUES('x'); COMMIT");
    check_refused(ECO_EBUSY, "another process has locked it");
    sqlite3_close(handle);
    assert_int_equal(files_named("cache.db.", NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(groups_are_told_with_their_counts),
        TEST(what_is_purged_is_gone_and_nothing_else),
        TEST(a_purge_beside_a_busy_writer_loses_none_of_its_tiles),
        TEST(images_without_tiles_are_tidied_away),
        TEST(a_sample_has_each_key_as_likely),
        TEST(damaged_tiles_are_told),
        TEST(what_is_no_cache_is_refused_and_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
