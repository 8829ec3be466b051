#include <stdint.h>

#include "base/utf8.h"
#include "ecotone/world.h"

/* Reads [+-]digits that lie within int64. */
static bool parse_number(const char *text, size_t length, int64_t *out)
{
    size_t at = 0;
    bool negative = false;
    int64_t value = 0;

    if (length > 0 && (text[0] == '+' || text[0] == '-')) {
        negative = text[0] == '-';
        at = 1;
    }
    if (at == length)
        return false;
    for (; at < length; at++) {
        int digit = text[at] - '0';

        if (digit < 0 || digit > 9)
            return false;
        /* Built on the negative side, which holds one number more. */
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, digit, &value))
            return false;
    }
    if (!negative && __builtin_sub_overflow((int64_t)0, value, &value))
        return false;
    *out = value;
    return true;
}

static uint32_t hash_unit(uint32_t hash, uint32_t unit)
{
    return hash * 31 + unit;
}

static int32_t hash_text(const char *text, size_t length)
{
    uint32_t hash = 0;
    size_t at = 0;

    while (at < length) {
        int32_t next = eco_utf8_next(text, length, &at);
        uint32_t code = next < 0 ? ECO_UTF8_REPLACEMENT : (uint32_t)next;

        if (code >= 0x10000) {
            hash = hash_unit(hash, 0xD800 + ((code - 0x10000) >> 10));
            code = 0xDC00 + ((code - 0x10000) & 0x3FF);
        }
        hash = hash_unit(hash, code);
    }
    return (int32_t)hash;
}

int64_t eco_seed_parse(const char *text, size_t length, bool *is_text)
{
    int64_t seed;
    bool number = parse_number(text, length, &seed);

    if (is_text)
        *is_text = !number;
    return number ? seed : hash_text(text, length);
}
