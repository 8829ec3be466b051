/* What the one-piece encoder and the file writer share. Pure functions. */
#ifndef ECO_CODEC_PNG_INTERNAL_H
#define ECO_CODEC_PNG_INTERNAL_H

#include <png.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raster/raster.h"

/* How a picture's pixels lie in the file. */
struct eco_png_layout {
    unsigned depth;        /* bits a channel: 1, 2 or 4 only with a palette, 16 only of grey */
    unsigned channels;     /* 1 or 3 */
    int color_type;        /* PNG_COLOR_TYPE_... */
    size_t picture_stride; /* bytes of a row in eco_picture */
    size_t row_bytes;      /* bytes of a row in the file, packed, without the filter byte */
};

/*
 * Checks the header of `picture` for a file of `height` rows and fills `layout`. ECO_EINVAL: a side
 * of 0 or above ECO_PICTURE_SIDE_MAX, an unknown format, a palette size outside 1..256.
 */
int eco_png_layout_init(struct eco_png_layout *layout, const struct eco_picture *picture,
                        uint32_t height, struct eco_error *error);

/* Checks that pixels are there and that each index is below the palette size; else ECO_EINVAL. */
int eco_png_check_pixels(const struct eco_picture *picture, struct eco_error *error);

void eco_png_fill_palette(const struct eco_picture *picture, png_color palette[256]);

/* Packs `width` bytes, each below 2^depth, the first pixel in the high bits; spare bits are 0. */
void eco_png_pack_row(const uint8_t *restrict pixels, size_t width, unsigned depth,
                      uint8_t *restrict row);

#endif
