#include "world/config_value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "ecotone/error.h"

int eco_value_number(const char *text, size_t length, double *out)
{
    double value;
    char *end;

    /* strtod alone would also take spaces, hexadecimal, infinities and NaN. */
    if (length == 0 || strspn(text, "0123456789+-.eE") != length)
        return ECO_EINVAL;
    errno = 0;
    value = strtod(text, &end);
    if (end != text + length)
        return ECO_EINVAL;
    if (errno == ERANGE || !isfinite(value))
        return ECO_ERANGE;
    *out = value + 0.0; /* one zero only */
    return 0;
}

int eco_value_whole(const char *text, size_t length, int64_t *out)
{
    size_t sign = length > 0 && (text[0] == '+' || text[0] == '-');
    long long value;
    char *end;

    if (length == sign || strspn(text + sign, "0123456789") != length - sign)
        return ECO_EINVAL;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (end != text + length)
        return ECO_EINVAL;
    if (errno == ERANGE)
        return ECO_ERANGE;
    *out = value;
    return 0;
}

int eco_value_bytes(const char *text, size_t length, int64_t *out)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } units[] = {
        {"", 1},       {"B", 1},         {"kB", 1000},       {"MB", 1000000},
        {"KiB", 1024}, {"MiB", 1048576}, {"GB", 1000000000}, {"GiB", 1073741824},
    };
    size_t digits = strspn(text, "0123456789");
    size_t spaces = strspn(text + digits, " ");
    const char *unit = text + digits + spaces;
    int64_t value;

    if (digits == 0 || strlen(text) != length)
        return ECO_EINVAL;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        errno = 0;
        value = strtoll(text, NULL, 10);
        if (errno == ERANGE || __builtin_mul_overflow(value, units[i].bytes, &value))
            return ECO_ERANGE;
        *out = value;
        return 0;
    }
    return ECO_EINVAL;
}

int eco_value_colour(const char *text, size_t length, uint32_t *out)
{
    if (length != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return ECO_EINVAL;
    *out = (uint32_t)strtoul(text + 1, NULL, 16);
    return 0;
}

bool eco_value_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];

        if (byte < 0x20 || byte == 0x7F)
            return false;
    }
    return eco_utf8_check(text, length) == length;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;

    return least < c ? least : c;
}

/* Letters to insert, remove, replace or swap with their neighbour, in two names of the same case
 * (optimal string alignment). */
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][32] = {0};

    for (unsigned j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            row[j] = min3(row[j - 1] + 1, above[j] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = min3(row[j], before[j - 2] + 1, row[j]);
        }
    }
    return rows[a_length % 3][b_length];
}

bool eco_value_close(const char *text, const char *known)
{
    size_t text_length = strlen(text), known_length = strlen(known);
    unsigned distance;

    if (text_length > 31 || known_length > 31)
        return false;
    if (strcasecmp(text, known) == 0)
        return true;
    distance = edit_distance(text, text_length, known, known_length);
    return distance <= 2 && distance * 2 <= known_length;
}

void eco_value_show(const char *text, size_t length, size_t limit, char *out, size_t size)
{
    bool quoted = length == 0 || strspn(text, "0123456789+-.eE") != length;
    bool cut = length > limit;
    size_t shown = 0, at = 0;
    char clean[128];

    if (limit > sizeof(clean) - 1)
        limit = sizeof(clean) - 1;
    while (at < length && at < limit) {
        size_t begin = at;
        int32_t code = eco_utf8_next(text, length, &at);

        if (at > limit)
            break;
        if (code < 0x20 || code == 0x7F) {
            clean[shown++] = '?';
        } else {
            memcpy(clean + shown, text + begin, at - begin);
            shown += at - begin;
        }
    }
    clean[shown] = '\0';
    snprintf(out, size, "%s%s%s%s", quoted ? "\"" : "", clean, cut ? "..." : "",
             quoted ? "\"" : "");
}
