/* Small PNG files that people give, into colours. Thread rule: any thread; nothing is kept. */
#ifndef ECO_CODEC_PNG_READ_H
#define ECO_CODEC_PNG_READ_H

#include <stddef.h>
#include <stdint.h>

#include "ecotone/error.h"
#include "world/config.h"

/* Fills side * side colours 0xRRGGBB, row by row from the top, from a PNG of exactly side x side
 * pixels of any kind; transparency is ignored. Bounded in time and memory whatever the bytes are.
 * Errors: ECO_EINVAL for another size, ECO_ECORRUPT, ECO_ENOMEM. */
int eco_png_read(const uint8_t *bytes, size_t size, unsigned side, uint32_t *colours,
                 struct eco_error *error);

/* Reads the pictures of configurations: regular files of at most ECO_PNG_READ_BYTES_MAX. */
extern const struct eco_config_images eco_png_images;

#endif
