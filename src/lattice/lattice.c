#include "ecotone/lattice.h"

#include <math.h>

#include "lattice/walk.h"

/* From lattice indices to the plane, (1/sqrt(3) - 1) / 2, and back, (sqrt(3) - 1) / 2. */
#define UNSKEW (-0.211324865405187)
#define SKEW 0.366025403784439

#define JITTER 0.7071067811865476 /* sqrt(1/2), in units of 1 / frequency */

#define HASH_I 7691
#define HASH_J 30869
#define HASH_LOW 668908897
#define HASH_HIGH 35311
#define HASH_MASK 0x3FFFFFFu
#define HASH_SPREAD 0x5555555u

#define DIRECTIONS 24

#define COVER_MAX 5e8 /* lattice units: indices then fit int32 after the skew */

/* sin((k + 1/2) * 15 degrees), written out so that no mathematics library has a say in the bits. */
static const double jitter_sine[DIRECTIONS] = {
    0.1305261922200516,  0.3826834323650898,  0.6087614290087207,  0.7933533402912352,
    0.9238795325112867,  0.9914448613738104,  0.9914448613738104,  0.9238795325112867,
    0.7933533402912352,  0.6087614290087207,  0.3826834323650898,  0.1305261922200516,
    -0.1305261922200516, -0.3826834323650898, -0.6087614290087207, -0.7933533402912352,
    -0.9238795325112867, -0.9914448613738104, -0.9914448613738104, -0.9238795325112867,
    -0.7933533402912352, -0.6087614290087207, -0.3826834323650898, -0.1305261922200516,
};

/* The cosine is the sine a quarter of a turn on. */
static double jitter_cosine(unsigned direction)
{
    return jitter_sine[(direction + DIRECTIONS / 4) % DIRECTIONS];
}

/* In wrapping 32-bit arithmetic. */
static uint32_t jitter_hash(int64_t seed, int32_t i, int32_t j)
{
    uint32_t place = ((uint32_t)i * HASH_I) ^ ((uint32_t)j * HASH_J);
    uint32_t low = (uint32_t)(uint64_t)seed ^ place;
    uint32_t high = (uint32_t)((uint64_t)seed >> 32) ^ place;

    return (low * HASH_LOW) ^ (high * HASH_HIGH);
}

struct eco_point eco_lattice_point(int64_t seed, double frequency, int32_t i, int32_t j)
{
    uint32_t spread = (jitter_hash(seed, i, j) & HASH_MASK) * HASH_SPREAD;
    unsigned slot = (spread >> 26) & 31;
    unsigned within = slot & 3;
    /* 32 slots for 24 directions: the first two of every four share one. */
    unsigned direction = 3 * (slot >> 2) + (within ? within - 1 : 0);
    double skew = UNSKEW * ((double)i + (double)j);

    return (struct eco_point){
        .x = ((double)i + skew + JITTER * jitter_sine[direction]) / frequency,
        .z = ((double)j + skew + JITTER * jitter_cosine(direction)) / frequency,
        .i = i,
        .j = j,
        .hash = spread & HASH_MASK,
    };
}

int eco_lattice_walk_init(struct eco_lattice_walk *walk, double frequency,
                          const struct eco_rect *rect, double radius, struct eco_error *error)
{
    /* Room for the jitter and for rounding. */
    double reach = radius * frequency + JITTER + 1e-6;

    if (!(frequency > 0) || !isfinite(frequency) || !(radius > 0) || !isfinite(radius))
        return eco_error_set(error, ECO_EINVAL,
                             "lattice: frequency %g and radius %g must be positive and finite",
                             frequency, radius);
    walk->x0 = rect->x0 * frequency - reach;
    walk->x1 = rect->x1 * frequency + reach;
    walk->z0 = rect->z0 * frequency - reach;
    walk->z1 = rect->z1 * frequency + reach;
    if (!(rect->x0 <= rect->x1 && rect->z0 <= rect->z1) ||
        !(walk->x0 > -COVER_MAX && walk->x1 < COVER_MAX && walk->z0 > -COVER_MAX &&
          walk->z1 < COVER_MAX))
        return eco_error_set(error, ECO_EINVAL,
                             "lattice: rectangle %g,%g to %g,%g is out of range at frequency %g",
                             rect->x0, rect->z0, rect->x1, rect->z1, frequency);
    /* j = z + SKEW (x + z) rises with both. */
    walk->j_first = (int32_t)ceil(walk->z0 + SKEW * (walk->x0 + walk->z0));
    walk->j_last = (int32_t)floor(walk->z1 + SKEW * (walk->x1 + walk->z1));
    return 0;
}

void eco_lattice_walk_row(const struct eco_lattice_walk *walk, int32_t j, int32_t *i_first,
                          int32_t *i_last)
{
    /* In row j, x rises and z falls with i; both bound it. */
    double from_x = (walk->x0 - UNSKEW * j) / (1 + UNSKEW);
    double from_z = (walk->z1 - (1 + UNSKEW) * j) / UNSKEW;
    double to_x = (walk->x1 - UNSKEW * j) / (1 + UNSKEW);
    double to_z = (walk->z0 - (1 + UNSKEW) * j) / UNSKEW;

    *i_first = (int32_t)ceil(from_x > from_z ? from_x : from_z);
    *i_last = (int32_t)floor(to_x < to_z ? to_x : to_z);
}

int eco_lattice_gather(int64_t seed, double frequency, const struct eco_rect *rect, double radius,
                       int (*visit)(void *context, const struct eco_point *point), void *context,
                       struct eco_error *error)
{
    struct eco_lattice_walk walk = {0};
    int code = eco_lattice_walk_init(&walk, frequency, rect, radius, error);

    if (code)
        return code;
    for (int32_t j = walk.j_first; !code && j <= walk.j_last; j++) {
        int32_t i_first, i_last;

        eco_lattice_walk_row(&walk, j, &i_first, &i_last);
        for (int32_t i = i_first; i <= i_last; i++) {
            struct eco_point point = eco_lattice_point(seed, frequency, i, j);

            if (eco_rect_distance2(rect, point.x, point.z) >= radius * radius)
                continue;
            code = visit(context, &point);
            if (code < 0)
                break;
            code = 0;
        }
    }
    return code;
}
