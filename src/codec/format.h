/* The picture formats that tiles have. Thread rule: pure functions. */
#ifndef ECO_CODEC_FORMAT_H
#define ECO_CODEC_FORMAT_H

#include "raster/raster.h"

/* The numbers stand in cache keys. */
enum eco_format {
    ECO_FORMAT_PNG,
    ECO_FORMAT_WEBP,
    ECO_FORMAT_COUNT,
};

/* "png", as URLs end in it; eco_format_find returns ECO_ENOTFOUND for an unknown one. */
const char *eco_format_name(enum eco_format format);
int eco_format_find(const char *name, size_t length);
/* "image/png" */
const char *eco_format_type(enum eco_format format);
/* False where the format cannot hold the layer: WebP has no 16 bits. */
bool eco_format_holds(enum eco_format format, enum eco_layer layer);

#endif
