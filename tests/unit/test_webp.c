/* WebP bytes, read back by libwebp. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>
#include <webp/decode.h>

#include "base/hash.h"
#include "base/limits.h"
#include "codec/format.h"
#include "codec/webp.h"

static uint32_t colour_at(const struct eco_picture *picture, size_t k)
{
    const uint8_t *pixel = picture->pixels + k * eco_pixel_bytes(picture->format);

    if (picture->format == ECO_PIXEL_PALETTE8)
        return picture->palette[*pixel];
    if (picture->format == ECO_PIXEL_GREY8)
        return *pixel * 0x010101u;
    return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

/* Slopes with noise; of a palette, stripes. */
static struct eco_picture make_picture(enum eco_pixel_format format, uint32_t width,
                                       uint32_t height)
{
    struct eco_picture picture = {
        .width = width, .height = height, .format = format, .palette_size = 200};
    size_t bytes = eco_pixel_bytes(format), count = (size_t)width * height * bytes;

    for (unsigned i = 0; i < picture.palette_size; i++)
        picture.palette[i] = (uint32_t)eco_mix64(i) & 0xFFFFFF;
    picture.pixels = malloc(count);
    for (size_t i = 0; i < count; i++)
        picture.pixels[i] = (uint8_t)((i / bytes % width / 3 + i / bytes / width / 2 +
                                       i % bytes * 40 + (eco_mix64(i) % 5 == 0)) %
                                      picture.palette_size);
    return picture;
}

static void lossless_keeps_every_pixel_of_every_format_and_size(void **state)
{
    static const enum eco_pixel_format formats[] = {ECO_PIXEL_PALETTE8, ECO_PIXEL_GREY8,
                                                    ECO_PIXEL_RGB8};
    static const uint32_t sizes[][2] = {{1, 1}, {256, 256}, {512, 512}, {7, 300}, {1000, 3}};
    struct eco_buffer out, again;

    (void)state;
    eco_buffer_init(&out);
    eco_buffer_init(&again);
    for (size_t f = 0; f < 3; f++) {
        for (size_t s = 0; s < 5; s++) {
            struct eco_picture picture = make_picture(formats[f], sizes[s][0], sizes[s][1]);
            WebPBitstreamFeatures features;
            int width, height;
            uint8_t *rgb;

            assert_int_equal(eco_webp_encode(&picture, true, &out, NULL), 0);
            assert_int_equal(WebPGetFeatures(out.data, out.size, &features), VP8_STATUS_OK);
            assert_int_equal(features.format, 2);
            rgb = WebPDecodeRGB(out.data, out.size, &width, &height);
            assert_non_null(rgb);
            assert_int_equal(width, sizes[s][0]);
            assert_int_equal(height, sizes[s][1]);
            for (size_t k = 0; k < (size_t)width * (size_t)height; k++)
                assert_int_equal((uint32_t)rgb[3 * k] << 16 | (uint32_t)rgb[3 * k + 1] << 8 |
                                     rgb[3 * k + 2],
                                 colour_at(&picture, k));
            assert_int_equal(eco_webp_encode(&picture, true, &again, NULL), 0);
            assert_int_equal(again.size, out.size);
            assert_memory_equal(again.data, out.data, out.size);
            WebPFree(rgb);
            free(picture.pixels);
        }
    }
    eco_buffer_release(&out);
    eco_buffer_release(&again);
}

static void with_loss_pixels_are_near_and_bytes_the_same_each_time(void **state)
{
    struct eco_picture picture = make_picture(ECO_PIXEL_RGB8, 256, 256);
    struct eco_buffer out, again, lossless;
    int width, height;
    double difference = 0.0;
    uint8_t *rgb;

    (void)state;
    eco_buffer_init(&out);
    eco_buffer_init(&again);
    eco_buffer_init(&lossless);
    /* A gentle slope; noise is what loss takes away. */
    for (size_t i = 0; i < 3u * 256 * 256; i++)
        picture.pixels[i] = (uint8_t)(i / 3 % 256 / 2 + i / 768 / 3 + (eco_mix64(i) % 4));
    assert_int_equal(eco_webp_encode(&picture, false, &out, NULL), 0);
    assert_int_equal(eco_webp_encode(&picture, false, &again, NULL), 0);
    assert_int_equal(eco_webp_encode(&picture, true, &lossless, NULL), 0);
    assert_true(out.size * 2 < lossless.size);
    assert_int_equal(again.size, out.size);
    assert_memory_equal(again.data, out.data, out.size);
    rgb = WebPDecodeRGB(out.data, out.size, &width, &height);
    assert_non_null(rgb);
    assert_true(width == 256 && height == 256);
    for (size_t i = 0; i < 3u * 256 * 256; i++)
        difference += abs(rgb[i] - picture.pixels[i]);
    assert_true(difference / (3 * 256 * 256) < 3.0);
    WebPFree(rgb);
    free(picture.pixels);
    eco_buffer_release(&out);
    eco_buffer_release(&again);
    eco_buffer_release(&lossless);
}

static void what_webp_cannot_hold_is_refused_with_a_sentence(void **state)
{
    struct eco_picture picture = make_picture(ECO_PIXEL_GREY16, 16, 16);
    struct eco_error error = {0};
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(eco_webp_encode(&picture, true, &out, &error), ECO_EINVAL);
    assert_non_null(strstr(error.text, "16 bits"));
    picture.format = ECO_PIXEL_GREY8;
    picture.width = 16384;
    picture.height = 1;
    assert_int_equal(eco_webp_encode(&picture, true, &out, &error), ECO_EINVAL);
    assert_non_null(strstr(error.text, "16383"));
    picture.width = 0;
    assert_int_equal(eco_webp_encode(&picture, true, &out, &error), ECO_EINVAL);
    picture.width = 16;
    picture.format = ECO_PIXEL_PALETTE8;
    picture.palette_size = 1;
    picture.pixels[3] = 1;
    assert_int_equal(eco_webp_encode(&picture, true, &out, &error), ECO_EINVAL);
    assert_int_equal(out.size, 0);
    free(picture.pixels);
    eco_buffer_release(&out);
}

static void formats_have_names_and_know_what_they_hold(void **state)
{
    (void)state;
    for (int format = 0; format < ECO_FORMAT_COUNT; format++) {
        const char *name = eco_format_name((enum eco_format)format);

        assert_int_equal(eco_format_find(name, strlen(name)), format);
        assert_int_equal(eco_format_find(name, strlen(name) - 1), ECO_ENOTFOUND);
        assert_string_equal(eco_format_type((enum eco_format)format) + strlen("image/"), name);
    }
    for (int layer = 0; layer < ECO_LAYER_COUNT; layer++) {
        assert_true(eco_format_holds(ECO_FORMAT_PNG, (enum eco_layer)layer));
        assert_int_equal(eco_format_holds(ECO_FORMAT_WEBP, (enum eco_layer)layer),
                         layer != ECO_LAYER_HEIGHT16);
        assert_false(eco_layer_is_data((enum eco_layer)layer) &&
                     eco_layer_is_shaded((enum eco_layer)layer));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lossless_keeps_every_pixel_of_every_format_and_size),
        cmocka_unit_test(with_loss_pixels_are_near_and_bytes_the_same_each_time),
        cmocka_unit_test(what_webp_cannot_hold_is_refused_with_a_sentence),
        cmocka_unit_test(formats_have_names_and_know_what_they_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
