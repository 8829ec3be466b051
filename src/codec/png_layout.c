#include "codec/png_internal.h"

#include "base/limits.h"

/* The fewest bits that hold every index of the palette. */
static unsigned palette_depth(unsigned palette_size)
{
    if (palette_size <= 2)
        return 1;
    if (palette_size <= 4)
        return 2;
    return palette_size <= 16 ? 4 : 8;
}

int eco_png_layout_init(struct eco_png_layout *layout, const struct eco_picture *picture,
                        uint32_t height, struct eco_error *error)
{
    struct eco_png_layout made = {.depth = 8, .channels = 1};

    if (picture->width < 1 || picture->width > ECO_PICTURE_SIDE_MAX || height < 1 ||
        height > ECO_PICTURE_SIDE_MAX)
        return eco_error_set(error, ECO_EINVAL,
                             "picture of %u x %u pixels: each side must be 1 to %d", picture->width,
                             height, ECO_PICTURE_SIDE_MAX);
    switch (picture->format) {
    case ECO_PIXEL_PALETTE8:
        if (picture->palette_size < 1 || picture->palette_size > 256)
            return eco_error_set(error, ECO_EINVAL,
                                 "picture with a palette of %u colours: must be 1 to 256",
                                 picture->palette_size);
        made.color_type = PNG_COLOR_TYPE_PALETTE;
        made.depth = palette_depth(picture->palette_size);
        break;
    case ECO_PIXEL_GREY8:
        made.color_type = PNG_COLOR_TYPE_GRAY;
        break;
    case ECO_PIXEL_RGB8:
        made.color_type = PNG_COLOR_TYPE_RGB;
        made.channels = 3;
        break;
    case ECO_PIXEL_GREY16:
        made.color_type = PNG_COLOR_TYPE_GRAY;
        made.depth = 16;
        break;
    default:
        return eco_error_set(error, ECO_EINVAL, "picture of unknown pixel format %d",
                             (int)picture->format);
    }
    /* The cap on sides keeps these products far below SIZE_MAX. */
    made.picture_stride = picture->width * eco_pixel_bytes(picture->format);
    made.row_bytes = ((size_t)picture->width * made.channels * made.depth + 7) / 8;
    *layout = made;
    return 0;
}

int eco_png_check_pixels(const struct eco_picture *picture, struct eco_error *error)
{
    size_t count = (size_t)picture->width * picture->height;
    uint8_t greatest = 0;

    if (!picture->pixels)
        return eco_error_set(error, ECO_EINVAL, "picture without pixels");
    if (picture->format != ECO_PIXEL_PALETTE8)
        return 0;
    for (size_t i = 0; i < count; i++)
        greatest = picture->pixels[i] > greatest ? picture->pixels[i] : greatest;
    if (greatest >= picture->palette_size)
        return eco_error_set(error, ECO_EINVAL,
                             "picture with colour index %u: its palette has %u colours", greatest,
                             picture->palette_size);
    return 0;
}

void eco_png_fill_palette(const struct eco_picture *picture, png_color palette[256])
{
    for (unsigned i = 0; i < picture->palette_size; i++) {
        uint32_t color = picture->palette[i];

        palette[i].red = (png_byte)(color >> 16);
        palette[i].green = (png_byte)(color >> 8);
        palette[i].blue = (png_byte)color;
    }
}

/* One loop a depth, with constant shifts, so that the compiler vectorises them. */
static void pack_4(const uint8_t *restrict pixels, size_t whole, uint8_t *restrict row)
{
    for (size_t i = 0; i < whole; i++)
        row[i] = (uint8_t)(pixels[2 * i] << 4 | pixels[2 * i + 1]);
}

static void pack_2(const uint8_t *restrict pixels, size_t whole, uint8_t *restrict row)
{
    for (size_t i = 0; i < whole; i++) {
        const uint8_t *p = pixels + 4 * i;

        row[i] = (uint8_t)(p[0] << 6 | p[1] << 4 | p[2] << 2 | p[3]);
    }
}

static void pack_1(const uint8_t *restrict pixels, size_t whole, uint8_t *restrict row)
{
    for (size_t i = 0; i < whole; i++) {
        const uint8_t *p = pixels + 8 * i;

        row[i] = (uint8_t)(p[0] << 7 | p[1] << 6 | p[2] << 5 | p[3] << 4 | p[4] << 3 | p[5] << 2 |
                           p[6] << 1 | p[7]);
    }
}

void eco_png_pack_row(const uint8_t *restrict pixels, size_t width, unsigned depth,
                      uint8_t *restrict row)
{
    size_t per_byte = 8 / depth;
    size_t whole = width / per_byte;
    unsigned last = 0;

    if (depth == 4)
        pack_4(pixels, whole, row);
    else if (depth == 2)
        pack_2(pixels, whole, row);
    else
        pack_1(pixels, whole, row);
    if (whole * per_byte == width)
        return;
    for (size_t i = whole * per_byte; i < width; i++)
        last |= (unsigned)pixels[i] << (8 - depth * (i % per_byte + 1));
    row[whole] = (uint8_t)last;
}
