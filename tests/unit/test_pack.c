/* Packing of numbers: what comes back is what went in, and noise is no packed block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "codec/pack.h"
#include "ecotone/error.h"

static void assert_round(const void *data, size_t size)
{
    struct eco_buffer packed;
    unsigned char *back = malloc(size + 1);

    eco_buffer_init(&packed);
    assert_int_equal(eco_pack(data, size, &packed), 0);
    back[size] = 0x5A;
    assert_int_equal(eco_unpack(packed.data, packed.size, back, size), 0);
    assert_memory_equal(back, data, size);
    assert_int_equal(back[size], 0x5A);
    eco_buffer_release(&packed);
    free(back);
}

static void any_bytes_come_back(void **state)
{
    unsigned char data[70] = {0};

    (void)state;
    for (size_t size = 0; size <= sizeof(data); size++) {
        for (size_t i = 0; i < size; i++)
            data[i] = (unsigned char)eco_mix64(size * 1000 + i);
        assert_round(data, size);
    }
}

static void special_numbers_come_back(void **state)
{
    const float numbers[] = {0.0f,   -0.0f,   NAN,      -NAN, INFINITY, -INFINITY,
                             1e-45f, 3.4e38f, -3.4e38f, 1.0f, -1.0f};

    (void)state;
    assert_round(numbers, sizeof(numbers));
}

static void smooth_heights_take_half_of_their_bytes(void **state)
{
    static float heights[256 * 256];
    struct eco_buffer packed;

    (void)state;
    for (int i = 0; i < 256 * 256; i++)
        heights[i] = 0.5f + 0.3f * sinf((float)(i % 256) * 0.02f) * cosf((float)i * 1e-4f);
    assert_round(heights, sizeof(heights));
    eco_buffer_init(&packed);
    assert_int_equal(eco_pack(heights, sizeof(heights), &packed), 0);
    assert_true(packed.size < sizeof(heights) / 2);
    eco_buffer_release(&packed);
}

static void what_is_no_packed_block_of_that_size_is_refused(void **state)
{
    unsigned char data[1000] = {0}, back[1001];
    struct eco_buffer packed;

    (void)state;
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)eco_mix64(i);
    eco_buffer_init(&packed);
    assert_int_equal(eco_pack(data, sizeof(data), &packed), 0);
    assert_int_equal(eco_unpack(packed.data, packed.size, back, 999), ECO_ECORRUPT);
    assert_int_equal(eco_unpack(packed.data, packed.size, back, 1001), ECO_ECORRUPT);
    assert_int_equal(eco_unpack(packed.data, packed.size - 1, back, 1000), ECO_ECORRUPT);
    assert_int_equal(eco_unpack(data, sizeof(data), back, 1000), ECO_ECORRUPT);
    assert_int_equal(eco_unpack("", 0, back, 1000), ECO_ECORRUPT);
    eco_buffer_release(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_come_back),
        cmocka_unit_test(special_numbers_come_back),
        cmocka_unit_test(smooth_heights_take_half_of_their_bytes),
        cmocka_unit_test(what_is_no_packed_block_of_that_size_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
