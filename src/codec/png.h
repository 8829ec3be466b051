/*
 * PNG bytes of pictures. The same picture always gives the same bytes.
 * Thread rule: one eco_png_encoder a thread; it keeps its memory between pictures.
 */
#ifndef ECO_CODEC_PNG_H
#define ECO_CODEC_PNG_H

#include <stdio.h>

#include "base/buffer.h"
#include "raster/raster.h"

struct eco_png_encoder;

int eco_png_encoder_new(struct eco_png_encoder **out);
void eco_png_encoder_free(struct eco_png_encoder *encoder);

/* Replaces the content of `out` by the PNG of `picture`. Errors: ECO_ENOMEM, ECO_EINVAL. */
int eco_png_encode(struct eco_png_encoder *encoder, const struct eco_picture *picture,
                   struct eco_buffer *out, struct eco_error *error);

/*
 * A PNG file of any size, written band by band in bounded memory. The header takes width, format
 * and palette of `like` and `height`; each eco_png_file_rows call adds picture->height rows of that
 * width. eco_png_file_close finishes the file (ECO_EIO when fewer rows came than were announced, or
 * the disk is full) and always frees `file`; the stream stays the caller's.
 */
struct eco_png_file;
int eco_png_file_open(FILE *stream, const struct eco_picture *like, uint32_t height,
                      struct eco_png_file **out, struct eco_error *error);
int eco_png_file_rows(struct eco_png_file *file, const struct eco_picture *picture,
                      struct eco_error *error);
int eco_png_file_close(struct eco_png_file *file, struct eco_error *error);

#endif
