/* The capabilities of WMTS 1.0.0. Thread rule: pure function. */
#ifndef ECO_HTTP_WMTS_H
#define ECO_HTTP_WMTS_H

#include "base/buffer.h"
#include "world/config.h"

/* Appends the document: every layer of every world as "{world}.{layer}" in the tile matrix set
 * GoogleMapsCompatible, by REST and by key-value pairs. `root` as of eco_root_write. */
void eco_wmts_write(const struct eco_config *config, const char *root, struct eco_buffer *out);

#endif
