#include "http/url_internal.h"

#include <string.h>

#define NUMBER_LARGE ((uint64_t)1 << 53)

bool eco_url_is(struct eco_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.data, text, slice.length) == 0;
}

bool eco_url_cut(struct eco_slice *slice, const char *ending)
{
    size_t length = strlen(ending);

    if (slice->length < length || memcmp(slice->data + slice->length - length, ending, length) != 0)
        return false;
    slice->length -= length;
    return true;
}

bool eco_url_part(struct eco_slice *rest, char separator, struct eco_slice *part)
{
    const char *end;

    if (!rest->data)
        return false;
    end = memchr(rest->data, separator, rest->length);
    part->data = rest->data;
    part->length = end ? (size_t)(end - rest->data) : rest->length;
    rest->data = end ? end + 1 : NULL;
    rest->length -= end ? part->length + 1 : part->length;
    return true;
}

int eco_url_digits(struct eco_slice text, const char *name, uint64_t *out, struct eco_error *error)
{
    uint64_t value = 0;

    for (size_t i = 0; i < text.length; i++) {
        if (!eco_url_is_digit(text.data[i]))
            return eco_error_set(error, ECO_EINVAL,
                                 "%s is not a number; digits only, without a sign", name);
        value = value * 10 + (uint64_t)(text.data[i] - '0');
        if (value > NUMBER_LARGE)
            value = NUMBER_LARGE;
    }
    if (text.length == 0)
        return eco_error_set(error, ECO_EINVAL, "%s is empty; a number is needed", name);
    if (text.length > 1 && text.data[0] == '0')
        return eco_error_set(error, ECO_EINVAL, "%s has leading zeros; write it without them",
                             name);
    *out = value;
    return 0;
}

int eco_url_range(uint64_t value, const char *name, uint64_t low, uint64_t high,
                  struct eco_error *error)
{
    if (value >= low && value <= high)
        return 0;
    return eco_error_set(error, ECO_ENOTFOUND, "%s is out of range; %llu to %llu", name,
                         (unsigned long long)low, (unsigned long long)high);
}

int eco_url_ending(struct eco_slice *slice, const char *what, struct eco_url *url,
                   struct eco_error *error)
{
    if (eco_url_cut(slice, ".png"))
        url->format = ECO_FORMAT_PNG;
    else if (eco_url_cut(slice, ".webp"))
        url->format = ECO_FORMAT_WEBP;
    else
        return eco_error_set(error, ECO_EINVAL, "%s ends in .png or .webp, perhaps after @2x",
                             what);
    url->tile.scale = eco_url_cut(slice, "@2x") ? 2 : 1;
    return 0;
}

int eco_url_coordinate(struct eco_slice text, const char *name, int64_t *out,
                       struct eco_error *error)
{
    bool negative = text.length > 0 && text.data[0] == '-';
    uint64_t value = 0;

    if (text.length > 0 && (negative || text.data[0] == '+')) {
        text.data++;
        text.length--;
    }
    if (eco_url_digits(text, name, &value, NULL))
        return eco_error_set(error, ECO_EINVAL,
                             "%s is not a whole number of blocks without leading zeros; %d to %d",
                             name, -ECO_WORLD_HALF, ECO_WORLD_HALF - 1);
    if (value > ECO_WORLD_HALF || (value == ECO_WORLD_HALF && !negative))
        return eco_error_set(error, ECO_ENOTFOUND, "%s lies outside the world; blocks, %d to %d",
                             name, -ECO_WORLD_HALF, ECO_WORLD_HALF - 1);
    *out = negative ? -(int64_t)value : (int64_t)value;
    return 0;
}
