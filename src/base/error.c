#include "ecotone/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int eco_error_set(struct eco_error *error, enum eco_code code, const char *format, ...)
{
    va_list args;

    if (!error)
        return code;
    error->code = code;
    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    for (char *c = error->text; *c; c++) {
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    }
    return code;
}

const char *eco_code_name(int code)
{
    switch (code) {
    case ECO_OK:
        return "ok";
    case ECO_ENOMEM:
        return "out of memory";
    case ECO_EINVAL:
        return "invalid argument";
    case ECO_ECONFIG:
        return "bad configuration";
    case ECO_ENOTFOUND:
        return "not found";
    case ECO_EIO:
        return "input or output error";
    case ECO_EBUSY:
        return "busy";
    case ECO_ECORRUPT:
        return "corrupt data";
    case ECO_ECANCELED:
        return "canceled";
    case ECO_ERANGE:
        return "out of range";
    default:
        return "unknown error";
    }
}
