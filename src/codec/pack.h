/*
 * Compression of arrays of numbers that change little from one to the next, such as heights: 32-bit
 * words become differences, these are parted into planes of first, second, third and fourth bytes,
 * and all is deflated. Heights of eroded ground take about half of their bytes.
 * Thread rule: pure functions.
 */
#ifndef ECO_CODEC_PACK_H
#define ECO_CODEC_PACK_H

#include <stddef.h>

#include "base/buffer.h"

/* Replaces the content of `out` by `size` bytes packed. ECO_ENOMEM. */
int eco_pack(const void *data, size_t size, struct eco_buffer *out);

/* Fills `size` bytes at `data`. ECO_ECORRUPT: that is not what was packed (anything may be in
 * `packed`); `data` has any bytes then. ECO_ENOMEM. */
int eco_unpack(const void *packed, size_t packed_size, void *data, size_t size);

#endif
