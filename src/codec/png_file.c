#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/limits.h"
#include "codec/png.h"
#include "codec/png_internal.h"

struct eco_png_file {
    png_structp png;
    png_infop info;
    FILE *stream;
    struct eco_picture like; /* without pixels */
    struct eco_png_layout layout;
    uint32_t height, written; /* rows */
    int failure;              /* the first failure; nothing is written after it */
    char message[160];
};

/* libpng expects that an error handler does not return. */
static void on_error(png_structp png, png_const_charp message)
{
    struct eco_png_file *file = png_get_error_ptr(png);

    if (!file->message[0])
        snprintf(file->message, sizeof(file->message), "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void note_errno(struct eco_png_file *file, int number)
{
    char text[128];

    snprintf(file->message, sizeof(file->message), "%s", strerror_r(number, text, sizeof(text)));
}

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
    struct eco_png_file *file = png_get_io_ptr(png);

    errno = 0;
    if (fwrite(data, 1, size, file->stream) != size) {
        note_errno(file, errno ? errno : EIO);
        png_error(png, "write failed");
    }
}

/* The stream is flushed once, when the file is closed. */
static void flush_nothing(png_structp png)
{
    (void)png;
}

static int fail(struct eco_png_file *file, struct eco_error *error)
{
    file->failure = ECO_EIO;
    return eco_error_set(error, ECO_EIO, "writing PNG of %u x %u pixels, row %u: %s",
                         file->like.width, file->height, file->written,
                         file->message[0] ? file->message : "the file failed before");
}

static void write_header(struct eco_png_file *file)
{
    png_color palette[256];

    /* libpng's own cap of a million is below ours. */
    png_set_user_limits(file->png, ECO_PICTURE_SIDE_MAX, ECO_PICTURE_SIDE_MAX);
    png_set_IHDR(file->png, file->info, file->like.width, file->height, (int)file->layout.depth,
                 file->layout.color_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    /* By measurement on maps: near the size of level 6 in a third of its time. */
    if (file->like.format == ECO_PIXEL_PALETTE8) {
        eco_png_fill_palette(&file->like, palette);
        png_set_PLTE(file->png, file->info, palette, (int)file->like.palette_size);
        png_set_filter(file->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
        png_set_compression_level(file->png, 6);
    } else {
        bool rgb = file->like.format == ECO_PIXEL_RGB8;

        png_set_filter(file->png, PNG_FILTER_TYPE_BASE, rgb ? PNG_ALL_FILTERS : PNG_FILTER_UP);
        png_set_compression_level(file->png, 1);
        png_set_compression_strategy(file->png, Z_RLE);
    }
    png_write_info(file->png, file->info);
    png_set_packing(file->png);
}

/* The frames with a setjmp change no local after it, so a jump finds all as it was. */
static bool try_header(struct eco_png_file *file)
{
    if (setjmp(png_jmpbuf(file->png)))
        return false;
    write_header(file);
    return true;
}

static bool try_rows(struct eco_png_file *file, const struct eco_picture *picture)
{
    if (setjmp(png_jmpbuf(file->png)))
        return false;
    for (uint32_t y = 0; y < picture->height; y++) {
        png_write_row(file->png, picture->pixels + y * file->layout.picture_stride);
        file->written++;
    }
    return true;
}

static bool try_end(struct eco_png_file *file)
{
    if (setjmp(png_jmpbuf(file->png)))
        return false;
    png_write_end(file->png, file->info);
    return true;
}

static void file_free(struct eco_png_file *file)
{
    png_destroy_write_struct(&file->png, &file->info);
    free(file);
}

int eco_png_file_open(FILE *stream, const struct eco_picture *like, uint32_t height,
                      struct eco_png_file **out, struct eco_error *error)
{
    struct eco_png_file *file = NULL;
    struct eco_png_layout layout;
    int code;

    *out = NULL;
    code = eco_png_layout_init(&layout, like, height, error);
    if (code)
        return code;
    file = calloc(1, sizeof(*file));
    if (!file)
        return eco_error_set(error, ECO_ENOMEM, "no memory for a PNG writer");
    file->stream = stream;
    file->like = *like;
    file->like.pixels = NULL;
    file->layout = layout;
    file->height = height;
    file->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, file, on_error, on_warning);
    if (file->png)
        file->info = png_create_info_struct(file->png);
    if (!file->info) {
        file_free(file);
        return eco_error_set(error, ECO_ENOMEM, "no memory for a PNG writer");
    }
    png_set_write_fn(file->png, file, write_bytes, flush_nothing);
    if (!try_header(file)) {
        code = fail(file, error);
        file_free(file);
        return code;
    }
    *out = file;
    return 0;
}

static bool same_palette(const struct eco_picture *a, const struct eco_picture *b)
{
    if (a->format != ECO_PIXEL_PALETTE8)
        return true;
    return a->palette_size == b->palette_size &&
           memcmp(a->palette, b->palette, a->palette_size * sizeof(a->palette[0])) == 0;
}

int eco_png_file_rows(struct eco_png_file *file, const struct eco_picture *picture,
                      struct eco_error *error)
{
    struct eco_png_layout layout;
    int code;

    if (file->failure)
        return fail(file, error);
    code = eco_png_layout_init(&layout, picture, picture->height, error);
    if (!code)
        code = eco_png_check_pixels(picture, error);
    if (code)
        return code;
    if (picture->width != file->like.width || picture->format != file->like.format)
        return eco_error_set(
            error, ECO_EINVAL, "band of %u pixels in format %d: the file has %u in format %d",
            picture->width, (int)picture->format, file->like.width, (int)file->like.format);
    if (!same_palette(picture, &file->like))
        return eco_error_set(error, ECO_EINVAL, "band with another palette than the file's");
    if (picture->height > file->height - file->written)
        return eco_error_set(error, ECO_EINVAL, "band of %u rows: the file takes %u more",
                             picture->height, file->height - file->written);
    return try_rows(file, picture) ? 0 : fail(file, error);
}

int eco_png_file_close(struct eco_png_file *file, struct eco_error *error)
{
    int code = 0;

    if (!file)
        return 0;
    if (file->failure) {
        code = fail(file, error);
    } else if (file->written < file->height) {
        code = eco_error_set(error, ECO_EIO, "PNG file ended after %u rows: %u were announced",
                             file->written, file->height);
    } else if (!try_end(file)) {
        code = fail(file, error);
    } else if (fflush(file->stream) != 0) {
        note_errno(file, errno);
        code = fail(file, error);
    }
    file_free(file);
    return code;
}
