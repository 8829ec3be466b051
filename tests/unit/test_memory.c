#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "serve/memory.h"

#define MEGABYTE ((size_t)1024 * 1024)

static struct eco_cache_key key_of(uint32_t x)
{
    return (struct eco_cache_key){.world = 7, .x = x, .y = 3, .layer = 1, .zoom = 18, .scale = 1};
}

static struct eco_blob *new_blob(size_t size, unsigned char fill)
{
    unsigned char *data = malloc(size + 1);
    struct eco_blob *blob;

    assert_non_null(data);
    memset(data, fill, size);
    blob = eco_blob_new(data, size, eco_hash128(data, size));
    free(data);
    assert_non_null(blob);
    return blob;
}

static void put(struct eco_memory *memory, uint32_t x, size_t size)
{
    struct eco_cache_key key = key_of(x);
    struct eco_blob *blob = new_blob(size, (unsigned char)x);

    eco_memory_put(memory, &key, blob);
    eco_blob_decref(blob);
}

static bool has(struct eco_memory *memory, uint32_t x)
{
    struct eco_cache_key key = key_of(x);
    struct eco_blob *blob = eco_memory_get(memory, &key);
    bool right = blob && (blob->size == 0 || blob->data[0] == (unsigned char)x);

    eco_blob_decref(blob);
    return right;
}

static void blob_is_found_by_its_whole_key(void **state)
{
    struct eco_memory *memory = eco_memory_new(MEGABYTE);
    struct eco_cache_key key = key_of(5), other;
    struct eco_blob *found;

    (void)state;
    put(memory, 5, 1000);
    found = eco_memory_get(memory, &key);
    assert_non_null(found);
    assert_int_equal(found->size, 1000);
    eco_blob_decref(found);
    for (unsigned part = 0; part < 7; part++) {
        other = key;
        other.world += part == 0;
        other.x += part == 1;
        other.y += part == 2;
        other.layer += part == 3;
        other.zoom -= part == 4;
        other.scale += part == 5;
        other.format += part == 6;
        assert_null(eco_memory_get(memory, &other));
    }
    eco_memory_free(memory);
}

static void bytes_never_exceed_the_limit(void **state)
{
    const size_t limits[] = {0, 1000, 100 * 1024, MEGABYTE, 40 * MEGABYTE};

    (void)state;
    for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct eco_memory *memory = eco_memory_new(limits[i]);
        for (uint32_t x = 0; x < 4000; x++) {
            put(memory, x, x * 37 % 40000);
            if (x % 100 == 0)
                assert_true(eco_memory_bytes(memory) <= limits[i]);
        }
        assert_true(eco_memory_bytes(memory) <= limits[i]);
        if (limits[i] >= 100 * 1024)
            assert_true(eco_memory_bytes(memory) > limits[i] / 4);
        eco_memory_free(memory);
    }
}

static void least_recently_used_goes_first(void **state)
{
    /* Ten blobs of about 100 KB in one shard of 1 MB. */
    struct eco_memory *memory = eco_memory_new(MEGABYTE);
    const size_t size = 100 * 1024;

    (void)state;
    for (uint32_t x = 0; x < 10; x++)
        put(memory, x, size);
    for (uint32_t x = 0; x < 10; x++)
        assert_true(has(memory, x));
    assert_true(has(memory, 0));
    put(memory, 10, size);
    assert_true(has(memory, 0));
    assert_false(has(memory, 1));
    assert_true(has(memory, 2));
    assert_true(has(memory, 10));
    eco_memory_free(memory);
}

static void evicted_blob_lives_while_it_is_referenced(void **state)
{
    struct eco_memory *memory = eco_memory_new(MEGABYTE);
    struct eco_cache_key key = key_of(0);
    struct eco_blob *blob;

    (void)state;
    put(memory, 0, 1000);
    blob = eco_memory_get(memory, &key);
    for (uint32_t x = 1; x < 100; x++)
        put(memory, x, 100 * 1024);
    assert_false(has(memory, 0));
    assert_int_equal(atomic_load(&blob->references), 1);
    assert_int_equal(blob->data[999], 0);
    eco_blob_decref(blob);
    eco_memory_free(memory);
}

static void second_blob_of_a_key_leaves_the_first(void **state)
{
    struct eco_memory *memory = eco_memory_new(MEGABYTE);
    struct eco_cache_key key = key_of(1);
    struct eco_blob *first = new_blob(10, 1), *second = new_blob(20, 2), *found;
    size_t bytes;

    (void)state;
    eco_memory_put(memory, &key, first);
    bytes = eco_memory_bytes(memory);
    eco_memory_put(memory, &key, second);
    assert_int_equal(eco_memory_bytes(memory), bytes);
    found = eco_memory_get(memory, &key);
    assert_ptr_equal(found, first);
    eco_blob_decref(found);
    eco_blob_decref(first);
    eco_blob_decref(second);
    eco_memory_free(memory);
}

static unsigned attachments_freed;

static void free_attachment(void *attachment)
{
    attachments_freed++;
    free(attachment);
}

static void attachment_is_freed_with_the_last_reference(void **state)
{
    struct eco_memory *memory = eco_memory_new(MEGABYTE);
    struct eco_cache_key key = key_of(1);
    struct eco_blob *blob = new_blob(10, 1);
    void *first = malloc(8), *second = malloc(8);

    (void)state;
    attachments_freed = 0;
    assert_true(eco_blob_attach(blob, first, free_attachment));
    assert_false(eco_blob_attach(blob, second, free_attachment));
    assert_ptr_equal(atomic_load(&blob->attachment), first);
    free(second);
    eco_memory_put(memory, &key, blob);
    eco_blob_decref(blob);
    assert_int_equal(attachments_freed, 0);
    eco_memory_free(memory);
    assert_int_equal(attachments_freed, 1);
}

struct hammer {
    struct eco_memory *memory;
    uint32_t start;
    unsigned wrong;
};

static void *hammer(void *argument)
{
    struct hammer *self = argument;

    for (uint32_t i = 0; i < 4000; i++) {
        uint32_t x = (self->start + i * 7919) % 97;
        struct eco_cache_key key = key_of(x);
        struct eco_blob *blob = eco_memory_get(self->memory, &key);

        if (!blob) {
            unsigned char byte = (unsigned char)x;
            blob = eco_blob_new(&byte, 1, eco_hash128(&byte, 1));
            eco_memory_put(self->memory, &key, blob);
        }
        if (blob->data[0] != (unsigned char)x)
            self->wrong++;
        eco_blob_decref(blob);
    }
    return NULL;
}

static void threads_share_a_small_cache(void **state)
{
    /* Room for about half of the 97 blobs, so that all the time some are evicted. */
    struct eco_memory *memory = eco_memory_new(100 * 1024);
    struct hammer hammers[4];
    pthread_t threads[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        hammers[i] = (struct hammer){.memory = memory, .start = i * 13};
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, &hammers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(hammers[i].wrong, 0);
    }
    assert_true(eco_memory_bytes(memory) <= 100 * 1024);
    eco_memory_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blob_is_found_by_its_whole_key),
        cmocka_unit_test(bytes_never_exceed_the_limit),
        cmocka_unit_test(least_recently_used_goes_first),
        cmocka_unit_test(evicted_blob_lives_while_it_is_referenced),
        cmocka_unit_test(second_blob_of_a_key_leaves_the_first),
        cmocka_unit_test(attachment_is_freed_with_the_last_reference),
        cmocka_unit_test(threads_share_a_small_cache),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
