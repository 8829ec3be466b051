#include "codec/format.h"

#include <string.h>

static const char *const names[ECO_FORMAT_COUNT] = {"png", "webp"};
static const char *const types[ECO_FORMAT_COUNT] = {"image/png", "image/webp"};

const char *eco_format_name(enum eco_format format)
{
    return names[format];
}

const char *eco_format_type(enum eco_format format)
{
    return types[format];
}

int eco_format_find(const char *name, size_t length)
{
    for (int format = 0; format < ECO_FORMAT_COUNT; format++) {
        if (strlen(names[format]) == length && memcmp(names[format], name, length) == 0)
            return format;
    }
    return ECO_ENOTFOUND;
}

bool eco_format_holds(enum eco_format format, enum eco_layer layer)
{
    return format == ECO_FORMAT_PNG || layer != ECO_LAYER_HEIGHT16;
}
