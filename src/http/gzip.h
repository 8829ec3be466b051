/* Gzip of texts that are sent often. Thread rule: any thread. */
#ifndef ECO_HTTP_GZIP_H
#define ECO_HTTP_GZIP_H

#include "base/buffer.h"
#include "ecotone/error.h"

/* Appends the gzipped bytes to `out`. Errors: ECO_ENOMEM, also when that saves nothing. */
int eco_gzip(const void *data, size_t size, struct eco_buffer *out);

#endif
