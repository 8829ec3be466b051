/* The block cache: made once by many threads, bounded in bytes, failures are not kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache_fixture.h"
#include "ecotone/error.h"
#include "serve/blocks.h"

#define BLOCK_BYTES 1001
#define THREADS 8

struct making {
    atomic_int calls;
    int code;
    int64_t value;
    long wait_ms;
};

static int make(void *context, void *block, struct eco_arena *arena)
{
    struct making *making = context;
    const struct timespec pause = {0, making->wait_ms * 1000000};

    atomic_fetch_add(&making->calls, 1);
    if (!eco_arena_alloc(arena, 100, 1))
        return ECO_ENOMEM;
    nanosleep(&pause, NULL);
    if (!making->code)
        memset(block, (int)making->value, BLOCK_BYTES);
    return making->code;
}

static int take(struct eco_blocks *blocks, int64_t x, struct making *making,
                struct eco_arena *arena, const void **block, void **handle)
{
    struct eco_block_cache *cache = eco_blocks_cache(blocks);
    const struct eco_block_key key = {1, x, -x, 0, 1, "a", 5};

    return cache->acquire(cache, &key, BLOCK_BYTES, make, making, arena, block, handle);
}

static void give(struct eco_blocks *blocks, void *handle)
{
    struct eco_block_cache *cache = eco_blocks_cache(blocks);

    cache->release(cache, handle);
}

struct caller {
    pthread_t thread;
    struct eco_blocks *blocks;
    struct making *making;
    int code;
    uint8_t byte;
};

static void *call(void *context)
{
    struct caller *caller = context;
    struct eco_arena arena;
    const void *block;
    void *handle;

    eco_arena_init(&arena);
    caller->code = take(caller->blocks, 5, caller->making, &arena, &block, &handle);
    if (!caller->code) {
        caller->byte = ((const uint8_t *)block)[BLOCK_BYTES - 1];
        give(caller->blocks, handle);
    }
    eco_arena_release(&arena);
    return NULL;
}

static void ask_from_all_threads(struct eco_blocks *blocks, struct making *making,
                                 struct caller callers[THREADS])
{
    for (unsigned k = 0; k < THREADS; k++) {
        callers[k] = (struct caller){.blocks = blocks, .making = making};
        assert_int_equal(pthread_create(&callers[k].thread, NULL, call, &callers[k]), 0);
    }
    for (unsigned k = 0; k < THREADS; k++)
        pthread_join(callers[k].thread, NULL);
}

static void many_threads_make_a_block_once(void **state)
{
    struct eco_blocks *blocks = eco_blocks_new(1 << 20);
    struct making making = {.value = 42, .wait_ms = 30};
    struct caller callers[THREADS];
    struct eco_blocks_stats stats;

    (void)state;
    ask_from_all_threads(blocks, &making, callers);
    assert_int_equal(atomic_load(&making.calls), 1);
    for (unsigned k = 0; k < THREADS; k++) {
        assert_int_equal(callers[k].code, 0);
        assert_int_equal(callers[k].byte, 42);
    }
    eco_blocks_stats(blocks, &stats);
    assert_int_equal(stats.made, 1);
    assert_int_equal(stats.found, THREADS - 1);
    assert_int_equal(stats.bytes, BLOCK_BYTES);
    eco_blocks_free(blocks);
}

static void a_failure_is_everybody_s_and_is_not_kept(void **state)
{
    struct eco_blocks *blocks = eco_blocks_new(1 << 20);
    struct making making = {.code = ECO_ENOMEM, .wait_ms = 30};
    struct caller callers[THREADS];
    struct eco_blocks_stats stats;

    (void)state;
    ask_from_all_threads(blocks, &making, callers);
    for (unsigned k = 0; k < THREADS; k++)
        assert_int_equal(callers[k].code, ECO_ENOMEM);
    eco_blocks_stats(blocks, &stats);
    assert_int_equal(stats.made, 0);
    assert_int_equal(stats.bytes, 0);
    making.code = 0;
    making.value = 7;
    ask_from_all_threads(blocks, &making, callers);
    assert_int_equal(callers[0].byte, 7);
    eco_blocks_free(blocks);
}

static void the_least_recently_used_go_and_what_is_held_stays(void **state)
{
    struct eco_blocks *blocks = eco_blocks_new(3 * BLOCK_BYTES);
    struct making making = {.value = 1};
    struct eco_blocks_stats stats;
    struct eco_arena arena;
    const void *held, *block;
    void *handle, *other;

    (void)state;
    eco_arena_init(&arena);
    assert_int_equal(take(blocks, 0, &making, &arena, &held, &handle), 0);
    for (int64_t x = 1; x <= 10; x++) {
        making.value = x + 1;
        assert_int_equal(take(blocks, x, &making, &arena, &block, &other), 0);
        give(blocks, other);
        eco_blocks_stats(blocks, &stats);
        assert_true(stats.bytes <= 3 * BLOCK_BYTES);
    }
    assert_int_equal(atomic_load(&making.calls), 11);
    assert_int_equal(((const uint8_t *)held)[0], 1);
    /* 9 and 10 are there, 8 is not. */
    for (int64_t x = 10; x >= 8; x--) {
        assert_int_equal(take(blocks, x, &making, &arena, &block, &other), 0);
        give(blocks, other);
        assert_int_equal(atomic_load(&making.calls), x == 8 ? 12 : 11);
    }
    give(blocks, handle);
    eco_arena_release(&arena);
    eco_blocks_free(blocks);
}

static void a_cache_of_no_bytes_keeps_nothing(void **state)
{
    struct eco_blocks *blocks = eco_blocks_new(0);
    struct making making = {.value = 3};
    struct eco_blocks_stats stats;
    struct eco_arena arena;
    const void *block;
    void *handle;

    (void)state;
    eco_arena_init(&arena);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(take(blocks, 9, &making, &arena, &block, &handle), 0);
        assert_int_equal(((const uint8_t *)block)[0], 3);
        give(blocks, handle);
        eco_blocks_stats(blocks, &stats);
        assert_int_equal(stats.bytes, 0);
    }
    assert_int_equal(atomic_load(&making.calls), 2);
    eco_arena_release(&arena);
    eco_blocks_free(blocks);
}

/* --- in the file ------------------------------------------------------------------------------ */

/* Blocks over the cache file of the test; end() ends both. */
static struct eco_blocks *begin(struct eco_cache **cache)
{
    struct eco_blocks *blocks = eco_blocks_new(1 << 20);

    *cache = open_cache();
    assert_int_equal(eco_blocks_keep_in(blocks, *cache, NULL), 0);
    return blocks;
}

static struct eco_blocks_stats end(struct eco_blocks *blocks, struct eco_cache *cache)
{
    struct eco_blocks_stats stats;

    eco_blocks_stats(blocks, &stats);
    eco_blocks_free(blocks);
    assert_int_equal(eco_cache_flush(cache), 0);
    eco_cache_close(cache);
    return stats;
}

static void take_and_check(struct eco_blocks *blocks, int64_t x, struct making *making)
{
    struct eco_arena arena;
    const void *block;
    void *handle;

    eco_arena_init(&arena);
    making->value = x & 0xFF;
    assert_int_equal(take(blocks, x, making, &arena, &block, &handle), 0);
    for (int k = 0; k < BLOCK_BYTES; k++)
        assert_int_equal(((const uint8_t *)block)[k], x & 0xFF);
    give(blocks, handle);
    eco_arena_release(&arena);
}

static void blocks_outlive_the_program(void **state)
{
    struct eco_cache *cache;
    struct eco_blocks *blocks = begin(&cache);
    struct making making = {0};
    struct eco_blocks_stats stats;

    (void)state;
    for (int64_t x = -20; x < 20; x++)
        take_and_check(blocks, x, &making);
    stats = end(blocks, cache);
    assert_int_equal(stats.made, 40);
    blocks = begin(&cache);
    for (int64_t x = -20; x < 20; x++)
        take_and_check(blocks, x, &making);
    stats = end(blocks, cache);
    assert_int_equal(atomic_load(&making.calls), 40);
    assert_int_equal(stats.made, 0);
    assert_int_equal(stats.read, 40);
    assert_int_equal(sql_number("SELECT seed FROM worlds WHERE owner ="
                                " (SELECT id FROM owners WHERE name = 'a')"),
                     5);
}

/* A row that is whole but holds something else, as of another program's version. */
static void what_is_no_block_is_made_again_and_replaced(void **state)
{
    const struct eco_block_key key = {1, 7, -7, 0, 1, "a", 5};
    struct eco_hash128 hash = eco_hash128("noise", 5);
    struct making making = {0};
    struct eco_blocks_stats stats;
    struct eco_cache_key file_key;
    struct eco_blocks *blocks;
    struct eco_cache *cache;

    (void)state;
    blocks = begin(&cache);
    assert_true(eco_blocks_file_key(&key, &file_key));
    assert_int_equal(eco_cache_put(cache, &file_key, &origin_a, "noise", 5, &hash), 0);
    assert_int_equal(eco_cache_flush(cache), 0);
    take_and_check(blocks, 7, &making);
    stats = end(blocks, cache);
    assert_int_equal(stats.made, 1);
    blocks = begin(&cache);
    take_and_check(blocks, 7, &making);
    stats = end(blocks, cache);
    assert_int_equal(stats.read, 1);
}

static void a_damaged_row_is_made_again(void **state)
{
    struct making making = {0};
    struct eco_blocks_stats stats;
    struct eco_blocks *blocks;
    struct eco_cache *cache;

    (void)state;
    blocks = begin(&cache);
    take_and_check(blocks, 7, &making);
    end(blocks, cache);
    sql_once("UPDATE images SET data = x'00' || substr(data, 2)");
    blocks = begin(&cache);
    take_and_check(blocks, 7, &making);
    stats = end(blocks, cache);
    assert_int_equal(stats.made, 1);
    assert_int_equal(atomic_load(&making.calls), 2);
}

static void keys_in_the_file_differ_where_keys_do(void **state)
{
    const struct eco_block_key keys[] = {{1, 0, 0, 0, 1, "a", 0},         {2, 0, 0, 0, 1, "a", 0},
                                         {1, 1, 0, 0, 1, "a", 0},         {1, 0, 1, 0, 1, "a", 0},
                                         {1, 0, 0, 1, 1, "a", 0},         {1, 0, 0, 0, 2, "a", 0},
                                         {1, INT32_MIN, 0, 0, 1, "a", 0}, {1, -1, 0, 0, 1, "a", 0}};
    const struct eco_block_key far = {1, (int64_t)INT32_MAX + 1, 0, 0, 1, "a", 0};
    struct eco_cache_key a = {0}, b = {0};

    (void)state;
    assert_false(eco_blocks_file_key(&far, &a));
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(eco_blocks_file_key(&keys[i], &a) && eco_blocks_file_key(&keys[j], &b));
            assert_false(a.world == b.world && a.x == b.x && a.y == b.y && a.zoom == b.zoom &&
                         a.format == b.format);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_make_a_block_once),
        cmocka_unit_test(a_failure_is_everybody_s_and_is_not_kept),
        cmocka_unit_test(the_least_recently_used_go_and_what_is_held_stays),
        cmocka_unit_test(a_cache_of_no_bytes_keeps_nothing),
        TEST(blocks_outlive_the_program),
        TEST(what_is_no_block_is_made_again_and_replaced),
        TEST(a_damaged_row_is_made_again),
        cmocka_unit_test(keys_in_the_file_differ_where_keys_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
