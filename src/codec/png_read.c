#include "codec/png_read.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"

/* What the frames around a jump share. */
struct reading {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t size, used;
    unsigned side;
    uint8_t *pixels; /* RGB */
    char message[128];
};

static void on_error(png_structp png, png_const_charp message)
{
    struct reading *reading = png_get_error_ptr(png);

    snprintf(reading->message, sizeof(reading->message), "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void read_bytes(png_structp png, png_bytep data, size_t size)
{
    struct reading *reading = png_get_io_ptr(png);

    if (size > reading->size - reading->used)
        png_error(png, "the file ends too early");
    memcpy(data, reading->bytes + reading->used, size);
    reading->used += size;
}

/* The frames with a setjmp change no local after it, so a jump finds all as it was. */
static bool try_header(struct reading *reading)
{
    if (setjmp(png_jmpbuf(reading->png)))
        return false;
    png_set_read_fn(reading->png, reading, read_bytes);
    /* Of a chunk that is kept libpng allocates as much as it says it is long: all but those of the
     * pixels are passed over. */
    png_set_keep_unknown_chunks(reading->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_chunk_malloc_max(reading->png, ECO_PNG_READ_BYTES_MAX);
    png_read_info(reading->png, reading->info);
    return true;
}

static bool try_pixels(struct reading *reading)
{
    png_bytep rows[256];

    if (setjmp(png_jmpbuf(reading->png)))
        return false;
    png_set_expand(reading->png);
    png_set_scale_16(reading->png);
    png_set_gray_to_rgb(reading->png);
    png_set_strip_alpha(reading->png);
    png_set_interlace_handling(reading->png);
    png_read_update_info(reading->png, reading->info);
    if (png_get_rowbytes(reading->png, reading->info) != (size_t)3 * reading->side)
        png_error(reading->png, "its pixels are of an unknown kind");
    for (unsigned row = 0; row < reading->side; row++)
        rows[row] = reading->pixels + (size_t)row * 3 * reading->side;
    png_read_image(reading->png, rows);
    png_read_end(reading->png, NULL);
    return true;
}

static int read_all(struct reading *reading, uint32_t *colours, struct eco_error *error)
{
    unsigned width, height;

    if (!try_header(reading))
        return eco_error_set(error, ECO_ECORRUPT, "not a PNG that can be read: %s",
                             reading->message);
    width = png_get_image_width(reading->png, reading->info);
    height = png_get_image_height(reading->png, reading->info);
    if (width != reading->side || height != reading->side)
        return eco_error_set(error, ECO_EINVAL, "the picture is %u x %u pixels", width, height);
    reading->pixels = malloc((size_t)3 * reading->side * reading->side);
    if (!reading->pixels)
        return eco_error_set(error, ECO_ENOMEM, "no memory for its pixels");
    if (!try_pixels(reading))
        return eco_error_set(error, ECO_ECORRUPT, "not a PNG that can be read: %s",
                             reading->message);
    for (size_t k = 0; k < (size_t)reading->side * reading->side; k++) {
        const uint8_t *pixel = reading->pixels + 3 * k;

        colours[k] = (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
    }
    return 0;
}

int eco_png_read(const uint8_t *bytes, size_t size, unsigned side, uint32_t *colours,
                 struct eco_error *error)
{
    struct reading reading = {.bytes = bytes, .size = size, .side = side};
    int code;

    if (side < 1 || side > 256)
        return eco_error_set(error, ECO_EINVAL, "%u pixels a side; 1 to 256 are possible", side);
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning);
    reading.info = reading.png ? png_create_info_struct(reading.png) : NULL;
    code = reading.info ? read_all(&reading, colours, error)
                        : eco_error_set(error, ECO_ENOMEM, "no memory to read a PNG");
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    free(reading.pixels);
    return code;
}

/* All of a regular file, in memory of the caller's. */
static int read_file(int fd, uint8_t *bytes, size_t *size, struct eco_error *error)
{
    struct stat status;
    ssize_t count = 1;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return eco_error_set(error, ECO_EIO, "not a regular file");
    *size = 0;
    while (count > 0 && *size <= ECO_PNG_READ_BYTES_MAX) {
        count = read(fd, bytes + *size, ECO_PNG_READ_BYTES_MAX + 1 - *size);
        if (count < 0 && errno == EINTR)
            count = 1;
        else if (count > 0)
            *size += (size_t)count;
    }
    if (count < 0)
        return eco_error_set(error, ECO_EIO, "it cannot be read");
    if (*size > ECO_PNG_READ_BYTES_MAX)
        return eco_error_set(error, ECO_EINVAL, "the file is larger than %d bytes",
                             ECO_PNG_READ_BYTES_MAX);
    return 0;
}

static int read_picture(const char *path, unsigned side, uint32_t *colours, struct eco_error *error)
{
    /* A pipe without a writer must not hold the daemon. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), code;
    uint8_t *bytes = NULL;
    char reason[128];
    size_t size = 0;

    if (fd < 0)
        return eco_error_set(error, ECO_EIO, "%s", strerror_r(errno, reason, sizeof(reason)));
    bytes = malloc(ECO_PNG_READ_BYTES_MAX + 1);
    code = bytes ? read_file(fd, bytes, &size, error)
                 : eco_error_set(error, ECO_ENOMEM, "no memory to read it");
    if (!code)
        code = eco_png_read(bytes, size, side, colours, error);
    free(bytes);
    close(fd);
    return code;
}

const struct eco_config_images eco_png_images = {read_picture};
