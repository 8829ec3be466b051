#include "http/negotiate.h"

#include <string.h>
#include <strings.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

bool eco_etag_matches(const char *value, const char *etag)
{
    size_t length = strlen(etag);

    for (;;) {
        const char *end;

        while (is_space(*value) || *value == ',')
            value++;
        if (*value == '*')
            return true;
        if (value[0] == 'W' && value[1] == '/')
            value += 2;
        end = *value == '"' ? strchr(value + 1, '"') : NULL;
        if (!end)
            return false;
        if ((size_t)(end + 1 - value) == length && memcmp(value, etag, length) == 0)
            return true;
        value = end + 1;
    }
}

/* "0", "1", "0.5", "1.000" in thousandths; -1 for anything else. */
static int read_quality(const char *text, size_t length)
{
    int quality, digit = 100;

    if (length < 1 || length > 5 || (text[0] != '0' && text[0] != '1') ||
        (length > 1 && text[1] != '.'))
        return -1;
    quality = (text[0] - '0') * 1000;
    for (size_t i = 2; i < length; i++, digit /= 10) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        quality += (text[i] - '0') * digit;
    }
    return quality <= 1000 ? quality : -1;
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && is_space(**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && is_space((*text)[*length - 1]))
        (*length)--;
}

/* One element of the list: a name and, perhaps, parameters of which q alone means something. */
static void read_element(struct eco_encodings *encodings, const char *text, size_t length)
{
    const char *semicolon = memchr(text, ';', length);
    size_t name_length = semicolon ? (size_t)(semicolon - text) : length;
    int quality = 1000;

    if (semicolon) {
        const char *parameter = semicolon + 1;
        size_t parameter_length = length - name_length - 1;
        trim(&parameter, &parameter_length);
        if (parameter_length < 2 || strncasecmp(parameter, "q=", 2) != 0)
            return;
        quality = read_quality(parameter + 2, parameter_length - 2);
        if (quality < 0)
            return;
    }
    trim(&text, &name_length);
    if ((name_length == 4 && strncasecmp(text, "gzip", 4) == 0) ||
        (name_length == 6 && strncasecmp(text, "x-gzip", 6) == 0))
        encodings->gzip = quality;
    else if (name_length == 8 && strncasecmp(text, "identity", 8) == 0)
        encodings->identity = quality;
    else if (name_length == 1 && *text == '*')
        encodings->any = quality;
}

void eco_encodings_read(struct eco_encodings *encodings, const char *value)
{
    while (*value) {
        size_t length = strcspn(value, ",");
        read_element(encodings, value, length);
        value += length;
        if (*value == ',')
            value++;
    }
}

bool eco_encodings_gzip(const struct eco_encodings *encodings)
{
    int gzip = encodings->gzip >= 0 ? encodings->gzip : encodings->any;

    return gzip > 0 && gzip >= encodings->identity;
}
