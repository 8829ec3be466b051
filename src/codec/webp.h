/*
 * WebP bytes of pictures. The same picture always gives the same bytes.
 * Thread rule: any thread.
 */
#ifndef ECO_CODEC_WEBP_H
#define ECO_CODEC_WEBP_H

#include "base/buffer.h"
#include "raster/raster.h"

/* Of shaded pictures that are encoded with loss: a fifth of the bytes of their PNG. */
#define ECO_WEBP_QUALITY 90

/*
 * Replaces the content of `out` by the WebP of `picture`; with `lossless` every pixel is kept as it
 * is. Errors: ECO_EINVAL: a side above 16383 pixels, 16 bits, or what eco_png_encode refuses;
 * ECO_ENOMEM.
 */
int eco_webp_encode(const struct eco_picture *picture, bool lossless, struct eco_buffer *out,
                    struct eco_error *error);

#endif
