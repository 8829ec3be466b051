#include <string.h>

#include "ecotone/blend.h"
#include "ecotone/lattice.h"

#define HALF_DIAGONAL                                                                              \
    0.7071067811865476 /* sqrt(1/2): from a corner of a unit square to its centre */

/* A padding of 0 would leave a place at the worst-case gap with no weight at all. */
#define PADDING_FLOOR 1e-3

static const char *const names[ECO_BLEND_METHODS] = {
    [ECO_BLEND_SCATTERED] = "scattered",
    [ECO_BLEND_FULL] = "full",
    [ECO_BLEND_GRID_CONVOLVE] = "grid_convolve",
    [ECO_BLEND_GRID_LERP] = "grid_lerp",
    [ECO_BLEND_NONE] = "none",
};

const char *eco_blend_method_name(enum eco_blend_method method)
{
    return names[method];
}

int eco_blend_method_find(const char *name, size_t length)
{
    for (int method = 0; method < ECO_BLEND_METHODS; method++) {
        if (strlen(names[method]) == length && memcmp(names[method], name, length) == 0)
            return method;
    }
    return ECO_ENOTFOUND;
}

double eco_blend_gap(const struct eco_blend *blend)
{
    switch (blend->method) {
    case ECO_BLEND_FULL:
        return HALF_DIAGONAL;
    case ECO_BLEND_GRID_CONVOLVE:
    case ECO_BLEND_GRID_LERP:
        return HALF_DIAGONAL * blend->interval;
    default:
        return ECO_LATTICE_GAP / blend->frequency;
    }
}

static double padding_floor(const struct eco_blend *blend)
{
    switch (blend->method) {
    case ECO_BLEND_FULL:
        return PADDING_FLOOR;
    case ECO_BLEND_GRID_CONVOLVE:
    case ECO_BLEND_GRID_LERP:
        return PADDING_FLOOR * blend->interval;
    default:
        return PADDING_FLOOR / blend->frequency;
    }
}

double eco_blend_radius(const struct eco_blend *blend)
{
    double least = padding_floor(blend);

    return (blend->padding > least ? blend->padding : least) + eco_blend_gap(blend);
}

struct eco_blend eco_blend_by(const struct eco_blend *blend, enum eco_blend_method method)
{
    struct eco_blend other = *blend;

    if (method == blend->method)
        return other;
    other.method = method;
    other.padding = eco_blend_radius(blend) - eco_blend_gap(&other);
    /* A narrow kernel may not reach over the other method's gap. */
    other.padding = other.padding > 0 ? other.padding : 0;
    return other;
}
