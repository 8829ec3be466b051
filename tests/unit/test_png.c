/* PNG encoder and file writer, read back by libpng. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "base/hash.h"
#include "base/limits.h"
#include "codec/png.h"

struct decoded {
    uint32_t width, height;
    int depth, color_type, colors;
    uint32_t palette[256];
    uint8_t *pixels; /* one byte an index or grey, three a RGB pixel */
};

struct cursor {
    const unsigned char *data;
    size_t left;
};

static void read_cursor(png_structp png, png_bytep out, size_t size)
{
    struct cursor *cursor = png_get_io_ptr(png);

    if (size > cursor->left)
        png_error(png, "read past the end");
    memcpy(out, cursor->data, size);
    cursor->data += size;
    cursor->left -= size;
}

/* libpng warns of what it forgives; a writer of ours must give it no reason. */
static void refuse(png_structp png, png_const_charp message)
{
    print_error("libpng: %s\n", message);
    png_longjmp(png, 1);
}

static void read_all(png_structp png, png_infop info, struct decoded *out)
{
    png_colorp colors = NULL;
    size_t stride;

    png_read_info(png, info);
    out->width = png_get_image_width(png, info);
    out->height = png_get_image_height(png, info);
    out->depth = png_get_bit_depth(png, info);
    out->color_type = png_get_color_type(png, info);
    if (png_get_PLTE(png, info, &colors, &out->colors)) {
        for (int i = 0; i < out->colors; i++)
            out->palette[i] = (uint32_t)colors[i].red << 16 | (uint32_t)colors[i].green << 8 |
                              (uint32_t)colors[i].blue;
    }
    png_set_packing(png);
    stride = (size_t)out->width * (out->color_type == PNG_COLOR_TYPE_RGB ? 3 : 1) *
             (out->depth == 16 ? 2 : 1);
    out->pixels = malloc(stride * out->height);
    for (uint32_t y = 0; y < out->height; y++)
        png_read_row(png, out->pixels + y * stride, NULL);
    png_read_end(png, info);
}

static int try_decode(const void *data, size_t size, struct decoded *out)
{
    struct cursor cursor = {data, size};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, refuse, refuse);
    png_infop info = png_create_info_struct(png);

    memset(out, 0, sizeof(*out));
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        return -1;
    }
    png_set_user_limits(png, ECO_PICTURE_SIDE_MAX, ECO_PICTURE_SIDE_MAX);
    png_set_read_fn(png, &cursor, read_cursor);
    read_all(png, info, out);
    png_destroy_read_struct(&png, &info, NULL);
    return cursor.left ? -1 : 0;
}

static size_t picture_bytes(const struct eco_picture *picture)
{
    return (size_t)picture->width * picture->height * eco_pixel_bytes(picture->format);
}

/* Slopes with some noise, so that neighbouring rows differ in more than a constant. */
static struct eco_picture make_picture(enum eco_pixel_format format, uint32_t width,
                                       uint32_t height, unsigned palette_size)
{
    struct eco_picture picture = {.width = width, .height = height, .format = format};
    size_t channels = eco_pixel_bytes(format);
    unsigned values = format == ECO_PIXEL_PALETTE8 ? palette_size : 256;

    picture.palette_size = palette_size;
    for (unsigned i = 0; i < palette_size && i < 256; i++)
        picture.palette[i] = (uint32_t)eco_mix64(i) & 0xFFFFFF;
    picture.pixels = malloc(picture_bytes(&picture) ? picture_bytes(&picture) : 1);
    for (size_t i = 0; i < picture_bytes(&picture); i++) {
        size_t x = i / channels % width, y = i / channels / width;
        uint64_t noise = eco_mix64(i) % 5 == 0 ? eco_mix64(i + 1) % 7 : 0;

        picture.pixels[i] = (uint8_t)((x / 3 + y / 2 + i % channels * 40 + noise) % values);
    }
    return picture;
}

static void assert_decodes_to(const void *data, size_t size, const struct eco_picture *picture)
{
    struct decoded decoded;

    assert_int_equal(try_decode(data, size, &decoded), 0);
    assert_int_equal(decoded.width, picture->width);
    assert_int_equal(decoded.height, picture->height);
    assert_memory_equal(decoded.pixels, picture->pixels, picture_bytes(picture));
    if (picture->format == ECO_PIXEL_PALETTE8) {
        assert_int_equal(decoded.color_type, PNG_COLOR_TYPE_PALETTE);
        assert_int_equal(decoded.colors, picture->palette_size);
        assert_memory_equal(decoded.palette, picture->palette,
                            picture->palette_size * sizeof(picture->palette[0]));
    } else {
        assert_int_equal(decoded.color_type, picture->format == ECO_PIXEL_RGB8
                                                 ? PNG_COLOR_TYPE_RGB
                                                 : PNG_COLOR_TYPE_GRAY);
        assert_int_equal(decoded.depth, picture->format == ECO_PIXEL_GREY16 ? 16 : 8);
    }
    free(decoded.pixels);
}

static const uint32_t sizes[][2] = {{1, 1}, {255, 3}, {512, 512}, {256, 256}, {9, 1}, {1, 9},
                                    {7, 7}, {17, 5},  {1000, 40}, {3, 1000},  {65, 2}};
#define SIZE_COUNT (sizeof(sizes) / sizeof(sizes[0]))

static void each_format_and_size_reads_back_as_it_was(void **state)
{
    static const enum eco_pixel_format formats[] = {ECO_PIXEL_PALETTE8, ECO_PIXEL_GREY8,
                                                    ECO_PIXEL_RGB8, ECO_PIXEL_GREY16};
    struct eco_png_encoder *encoder;
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        for (size_t s = 0; s < SIZE_COUNT; s++) {
            struct eco_picture picture = make_picture(formats[f], sizes[s][0], sizes[s][1], 11);

            assert_int_equal(eco_png_encode(encoder, &picture, &out, NULL), 0);
            assert_decodes_to(out.data, out.size, &picture);
            free(picture.pixels);
        }
    }
    eco_png_encoder_free(encoder);
    eco_buffer_release(&out);
}

static void a_palette_takes_the_fewest_bits_that_hold_it(void **state)
{
    static const struct {
        unsigned colors;
        int depth;
    } cases[] = {{1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 4}, {16, 4}, {17, 8}, {255, 8}, {256, 8}};
    struct eco_png_encoder *encoder;
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t s = 0; s < SIZE_COUNT; s++) {
            struct eco_picture picture =
                make_picture(ECO_PIXEL_PALETTE8, sizes[s][0], sizes[s][1], cases[i].colors);
            struct decoded decoded;

            assert_int_equal(eco_png_encode(encoder, &picture, &out, NULL), 0);
            assert_decodes_to(out.data, out.size, &picture);
            assert_int_equal(try_decode(out.data, out.size, &decoded), 0);
            assert_int_equal(decoded.depth, cases[i].depth);
            free(decoded.pixels);
            free(picture.pixels);
        }
    }
    eco_png_encoder_free(encoder);
    eco_buffer_release(&out);
}

static void a_used_encoder_gives_the_bytes_of_a_new_one(void **state)
{
    struct eco_picture pictures[] = {
        make_picture(ECO_PIXEL_RGB8, 512, 512, 0),  make_picture(ECO_PIXEL_PALETTE8, 255, 3, 3),
        make_picture(ECO_PIXEL_GREY8, 256, 256, 0), make_picture(ECO_PIXEL_RGB8, 1, 1, 0),
        make_picture(ECO_PIXEL_GREY16, 31, 256, 0), make_picture(ECO_PIXEL_PALETTE8, 256, 256, 256),
    };
    size_t count = sizeof(pictures) / sizeof(pictures[0]);
    struct eco_png_encoder *used;
    struct eco_buffer from_used, from_new;

    (void)state;
    eco_buffer_init(&from_used);
    eco_buffer_init(&from_new);
    assert_int_equal(eco_png_encoder_new(&used), 0);
    for (size_t i = 0; i < 2 * count; i++) {
        struct eco_png_encoder *fresh;

        assert_int_equal(eco_png_encoder_new(&fresh), 0);
        assert_int_equal(eco_png_encode(fresh, &pictures[i % count], &from_new, NULL), 0);
        assert_int_equal(eco_png_encode(used, &pictures[i % count], &from_used, NULL), 0);
        assert_int_equal(from_used.size, from_new.size);
        assert_memory_equal(from_used.data, from_new.data, from_new.size);
        eco_png_encoder_free(fresh);
    }
    for (size_t i = 0; i < count; i++)
        free(pictures[i].pixels);
    eco_png_encoder_free(used);
    eco_buffer_release(&from_used);
    eco_buffer_release(&from_new);
}

static void a_widest_picture_reads_back(void **state)
{
    struct eco_picture picture = make_picture(ECO_PIXEL_GREY8, ECO_PICTURE_SIDE_MAX, 1, 0);
    struct eco_png_encoder *encoder;
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    assert_int_equal(eco_png_encode(encoder, &picture, &out, NULL), 0);
    assert_decodes_to(out.data, out.size, &picture);
    free(picture.pixels);
    eco_png_encoder_free(encoder);
    eco_buffer_release(&out);
}

static void assert_refused(struct eco_picture picture, uint32_t height)
{
    struct eco_png_encoder *encoder;
    struct eco_png_file *file = (struct eco_png_file *)&encoder;
    struct eco_error error = {0};
    struct eco_buffer out;

    eco_buffer_init(&out);
    eco_buffer_append(&out, "old", 3);
    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    picture.height = height;
    assert_int_equal(eco_png_encode(encoder, &picture, &out, &error), ECO_EINVAL);
    assert_int_equal(error.code, ECO_EINVAL);
    assert_string_not_equal(error.text, "");
    assert_int_equal(out.size, 0);
    assert_int_equal(eco_png_file_open(stdout, &picture, height, &file, &error), ECO_EINVAL);
    assert_null(file);
    eco_png_encoder_free(encoder);
    eco_buffer_release(&out);
}

static void sides_palettes_and_formats_out_of_range_are_refused(void **state)
{
    uint8_t pixels[16] = {0};
    struct eco_picture good = {
        .width = 4, .height = 4, .format = ECO_PIXEL_PALETTE8, .pixels = pixels, .palette_size = 2};
    struct eco_picture bad = good;

    (void)state;
    bad.width = 0;
    assert_refused(bad, 4);
    assert_refused(good, 0);
    bad.width = ECO_PICTURE_SIDE_MAX + 1;
    assert_refused(bad, 4);
    assert_refused(good, ECO_PICTURE_SIDE_MAX + 1);
    bad = good;
    bad.palette_size = 0;
    assert_refused(bad, 4);
    bad.palette_size = 257;
    assert_refused(bad, 4);
    bad = good;
    bad.format = (enum eco_pixel_format)77;
    assert_refused(bad, 4);
}

static void an_index_outside_the_palette_is_refused(void **state)
{
    uint8_t pixels[16] = {[15] = 3};
    struct eco_picture picture = {
        .width = 4, .height = 4, .format = ECO_PIXEL_PALETTE8, .pixels = pixels, .palette_size = 3};
    struct eco_png_encoder *encoder;
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    assert_int_equal(eco_png_encode(encoder, &picture, &out, NULL), ECO_EINVAL);
    pixels[15] = 2;
    assert_int_equal(eco_png_encode(encoder, &picture, &out, NULL), 0);
    picture.pixels = NULL;
    assert_int_equal(eco_png_encode(encoder, &picture, &out, NULL), ECO_EINVAL);
    eco_png_encoder_free(encoder);
    eco_buffer_release(&out);
}

static void a_picture_too_large_for_one_piece_is_refused_before_memory_is_asked(void **state)
{
    uint8_t pixel = 0;
    struct eco_picture picture = {.width = ECO_PICTURE_SIDE_MAX,
                                  .height = ECO_PICTURE_SIDE_MAX,
                                  .format = ECO_PIXEL_RGB8,
                                  .pixels = &pixel};
    struct eco_png_encoder *encoder;
    struct eco_error error;
    struct eco_buffer out;

    (void)state;
    eco_buffer_init(&out);
    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    assert_int_equal(eco_png_encode(encoder, &picture, &out, &error), ECO_EINVAL);
    assert_non_null(strstr(error.text, "too large"));
    eco_png_encoder_free(encoder);
    eco_buffer_release(&out);
}

/* The bytes of a file of `picture`, written in `bands` bands. */
static void write_in_bands(const struct eco_picture *picture, uint32_t bands, char **data,
                           size_t *size)
{
    size_t stride = picture_bytes(picture) / picture->height;
    FILE *stream = open_memstream(data, size);
    struct eco_png_file *file;
    uint32_t done = 0;

    assert_int_equal(eco_png_file_open(stream, picture, picture->height, &file, NULL), 0);
    for (uint32_t band = 0; band < bands; band++) {
        struct eco_picture part = *picture;
        uint32_t end = (uint32_t)((uint64_t)picture->height * (band + 1) / bands);

        part.height = end - done;
        part.pixels = picture->pixels + done * stride;
        assert_int_equal(eco_png_file_rows(file, &part, NULL), 0);
        done = end;
    }
    assert_int_equal(eco_png_file_close(file, NULL), 0);
    fclose(stream);
}

static void a_file_of_three_bands_equals_the_picture(void **state)
{
    static const enum eco_pixel_format formats[] = {ECO_PIXEL_PALETTE8, ECO_PIXEL_GREY8,
                                                    ECO_PIXEL_RGB8, ECO_PIXEL_GREY16};

    (void)state;
    for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        for (unsigned colors = 1; colors <= 256; colors = colors * 3 + 1) {
            struct eco_picture picture = make_picture(formats[f], 301, 100, colors);
            char *three, *one;
            size_t three_size, one_size;

            write_in_bands(&picture, 3, &three, &three_size);
            write_in_bands(&picture, 1, &one, &one_size);
            assert_decodes_to(three, three_size, &picture);
            assert_int_equal(three_size, one_size);
            assert_memory_equal(three, one, one_size);
            free(three);
            free(one);
            free(picture.pixels);
        }
    }
}

static void a_file_with_too_few_rows_is_an_error(void **state)
{
    struct eco_picture picture = make_picture(ECO_PIXEL_RGB8, 20, 10, 0);
    struct eco_png_file *file;
    struct eco_error error;
    char *data;
    size_t size;
    FILE *stream = open_memstream(&data, &size);

    (void)state;
    assert_int_equal(eco_png_file_open(stream, &picture, 11, &file, NULL), 0);
    assert_int_equal(eco_png_file_rows(file, &picture, NULL), 0);
    assert_int_equal(eco_png_file_close(file, &error), ECO_EIO);
    assert_non_null(strstr(error.text, "10 rows"));
    fclose(stream);
    free(data);
    free(picture.pixels);
}

static void bands_that_do_not_fit_are_refused_and_the_file_goes_on(void **state)
{
    struct eco_picture picture = make_picture(ECO_PIXEL_PALETTE8, 20, 10, 5);
    struct eco_picture bad = picture;
    struct eco_png_file *file;
    char *data;
    size_t size;
    FILE *stream = open_memstream(&data, &size);

    (void)state;
    assert_int_equal(eco_png_file_open(stream, &picture, 10, &file, NULL), 0);
    bad.width = 19;
    assert_int_equal(eco_png_file_rows(file, &bad, NULL), ECO_EINVAL);
    bad = picture;
    bad.format = ECO_PIXEL_GREY8;
    assert_int_equal(eco_png_file_rows(file, &bad, NULL), ECO_EINVAL);
    bad = picture;
    bad.palette[4] ^= 1;
    assert_int_equal(eco_png_file_rows(file, &bad, NULL), ECO_EINVAL);
    bad = picture;
    bad.pixels = NULL;
    assert_int_equal(eco_png_file_rows(file, &bad, NULL), ECO_EINVAL);
    assert_int_equal(eco_png_file_rows(file, &picture, NULL), 0);
    assert_int_equal(eco_png_file_rows(file, &picture, NULL), ECO_EINVAL);
    assert_int_equal(eco_png_file_close(file, NULL), 0);
    fclose(stream);
    assert_decodes_to(data, size, &picture);
    free(data);
    free(picture.pixels);
}

static void a_full_disk_is_said_at_the_latest_when_the_file_is_closed(void **state)
{
    static const uint32_t heights[] = {1, 600};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct eco_picture picture = make_picture(ECO_PIXEL_RGB8, 600, heights[i], 0);
        FILE *stream = fopen("/dev/full", "w");
        struct eco_error error = {0};
        struct eco_png_file *file;
        int rows, close;

        assert_non_null(stream);
        assert_int_equal(eco_png_file_open(stream, &picture, heights[i], &file, &error), 0);
        rows = eco_png_file_rows(file, &picture, &error);
        /* The short file fits in the stream's buffer, the long one does not. */
        assert_int_equal(rows, heights[i] == 1 ? 0 : ECO_EIO);
        close = eco_png_file_close(file, &error);
        assert_int_equal(close, ECO_EIO);
        assert_non_null(strstr(error.text, "No space left on device"));
        fclose(stream);
        free(picture.pixels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_and_size_reads_back_as_it_was),
        cmocka_unit_test(a_palette_takes_the_fewest_bits_that_hold_it),
        cmocka_unit_test(a_used_encoder_gives_the_bytes_of_a_new_one),
        cmocka_unit_test(a_widest_picture_reads_back),
        cmocka_unit_test(sides_palettes_and_formats_out_of_range_are_refused),
        cmocka_unit_test(an_index_outside_the_palette_is_refused),
        cmocka_unit_test(a_picture_too_large_for_one_piece_is_refused_before_memory_is_asked),
        cmocka_unit_test(a_file_of_three_bands_equals_the_picture),
        cmocka_unit_test(a_file_with_too_few_rows_is_an_error),
        cmocka_unit_test(bands_that_do_not_fit_are_refused_and_the_file_goes_on),
        cmocka_unit_test(a_full_disk_is_said_at_the_latest_when_the_file_is_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
