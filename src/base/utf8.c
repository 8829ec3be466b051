#include "base/utf8.h"

/* What may follow a lead byte: how many bytes, and the bounds of the first of them, which exclude
 * overlong forms, surrogates and numbers above U+10FFFF. */
struct lead {
    unsigned char trailing, low, high;
};

static struct lead lead_of(unsigned char byte)
{
    if (byte >= 0xC2 && byte <= 0xDF)
        return (struct lead){1, 0x80, 0xBF};
    if (byte >= 0xE0 && byte <= 0xEF)
        return (struct lead){2, byte == 0xE0 ? 0xA0 : 0x80, byte == 0xED ? 0x9F : 0xBF};
    if (byte >= 0xF0 && byte <= 0xF4)
        return (struct lead){3, byte == 0xF0 ? 0x90 : 0x80, byte == 0xF4 ? 0x8F : 0xBF};
    return (struct lead){0, 0, 0};
}

int32_t eco_utf8_next(const char *text, size_t length, size_t *at)
{
    unsigned char first = (unsigned char)text[(*at)++];
    struct lead lead = lead_of(first);
    int32_t code;

    if (first < 0x80)
        return first;
    if (lead.trailing == 0)
        return -1;
    code = first & (0x3F >> lead.trailing);
    for (unsigned i = 0; i < lead.trailing; i++) {
        unsigned char byte;

        if (*at >= length)
            return -1;
        byte = (unsigned char)text[*at];
        if (byte < (i == 0 ? lead.low : 0x80) || byte > (i == 0 ? lead.high : 0xBF))
            return -1;
        code = code << 6 | (byte & 0x3F);
        (*at)++;
    }
    return code;
}

size_t eco_utf8_check(const char *text, size_t length)
{
    size_t at = 0;

    while (at < length) {
        size_t begin = at;

        if (eco_utf8_next(text, length, &at) < 0)
            return begin;
    }
    return length;
}
