#include "ecotone/noise.h"

#include "noise/directions.h"
#include "noise/legacy.h"

#define SCALE2 0.05481866495625118
#define SCALE3 0.2781926117527186
#define GRADIENT2(x, y)                                                                            \
    {                                                                                              \
        (x) / SCALE2, (y) / SCALE2                                                                 \
    }
#define GRADIENT3(x, y, z)                                                                         \
    {                                                                                              \
        (x) / SCALE3, (y) / SCALE3, (z) / SCALE3                                                   \
    }

/* The ring in the order of its angles. */
const double eco_legacy_gradients2[24][2] = {
    GRADIENT2(0.130526192220052, 0.99144486137381),
    GRADIENT2(0.38268343236509, 0.923879532511287),
    GRADIENT2(0.608761429008721, 0.793353340291235),
    GRADIENT2(0.793353340291235, 0.608761429008721),
    GRADIENT2(0.923879532511287, 0.38268343236509),
    GRADIENT2(0.99144486137381, 0.130526192220051),
    GRADIENT2(0.99144486137381, -0.130526192220051),
    GRADIENT2(0.923879532511287, -0.38268343236509),
    GRADIENT2(0.793353340291235, -0.60876142900872),
    GRADIENT2(0.608761429008721, -0.793353340291235),
    GRADIENT2(0.38268343236509, -0.923879532511287),
    GRADIENT2(0.130526192220052, -0.99144486137381),
    GRADIENT2(-0.130526192220052, -0.99144486137381),
    GRADIENT2(-0.38268343236509, -0.923879532511287),
    GRADIENT2(-0.608761429008721, -0.793353340291235),
    GRADIENT2(-0.793353340291235, -0.608761429008721),
    GRADIENT2(-0.923879532511287, -0.38268343236509),
    GRADIENT2(-0.99144486137381, -0.130526192220052),
    GRADIENT2(-0.99144486137381, 0.130526192220051),
    GRADIENT2(-0.923879532511287, 0.38268343236509),
    GRADIENT2(-0.793353340291235, 0.608761429008721),
    GRADIENT2(-0.608761429008721, 0.793353340291235),
    GRADIENT2(-0.38268343236509, 0.923879532511287),
    GRADIENT2(-0.130526192220052, 0.99144486137381),
};

static const double gradients3[48][3] = {
    NOISE_DIRECTIONS3_D(GRADIENT3), NOISE_DIRECTIONS3_B(GRADIENT3), NOISE_DIRECTIONS3_C(GRADIENT3),
    NOISE_DIRECTIONS3_E(GRADIENT3), NOISE_DIRECTIONS3_A(GRADIENT3),
};

void eco_legacy_noise_init(struct eco_legacy_noise *noise, int64_t seed)
{
    int16_t source[ECO_LEGACY_NOISE_SIZE];
    uint64_t state = (uint64_t)seed;

    for (int i = 0; i < ECO_LEGACY_NOISE_SIZE; i++) {
        source[i] = (int16_t)i;
    }
    for (int last = ECO_LEGACY_NOISE_SIZE - 1; last >= 0; last--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t drawn = (int64_t)(state + 31) % (last + 1);

        drawn += drawn < 0 ? last + 1 : 0;
        noise->permutation[last] = source[drawn];
        source[drawn] = source[last];
    }
}

#define TO(a, b) (-(a) - ((a) + (b)) * LEGACY_UNSKEW)
/* The corners (0, 0) and (1, 1) of the cell, and two more vertices. */
#define REGION(a, b, c, d)                                                                         \
    {                                                                                              \
        .x = {TO(0, 0), TO(1, 1), TO(a, b), TO(c, d)},                                             \
        .y = {TO(0, 0), TO(1, 1), TO(b, a), TO(d, c)}, .i = {0, 1, a, c}, .j = {                   \
            0,                                                                                     \
            1,                                                                                     \
            b,                                                                                     \
            d                                                                                      \
        }                                                                                          \
    }

const struct legacy_region eco_legacy_regions[LEGACY_REGIONS] = {
    REGION(-1, 0, 0, -1), REGION(0, 1, 1, 0), REGION(1, 0, 0, -1), REGION(2, 1, 1, 0),
    REGION(-1, 0, 0, 1),  REGION(0, 1, 1, 2), REGION(1, 0, 0, 1),  REGION(2, 1, 1, 2),
};

/* Terms of 0 are added where a vertex is out of reach: a sum that began with 0 cannot be -0, so
 * they change no bit. */
static double noise2(const struct eco_legacy_noise *noise, struct noise_point2 skewed)
{
    struct legacy_cell cell;
    legacy_four gradients_x = {0}, gradients_y = {0};
    double value = 0;

    legacy_cell_find(&cell, skewed);
    const struct legacy_region *region = &eco_legacy_regions[cell.region];

    for (int k = 0; k < 4; k++) {
        const double *gradient =
            legacy_gradient2(noise, cell.x + region->i[k], cell.y + region->j[k]);

        gradients_x[k] = gradient[0];
        gradients_y[k] = gradient[1];
    }
    legacy_four terms = cell.power * (gradients_x * cell.to_x + gradients_y * cell.to_y);

    for (int k = 0; k < 4; k++)
        value += terms[k];
    return value;
}

double eco_legacy_noise2(const struct eco_legacy_noise *noise, double x, double y)
{
    return noise2(noise, noise_skew(x, y));
}

double eco_legacy_noise2_x_before_y(const struct eco_legacy_noise *noise, double x, double y)
{
    double across = x * NOISE_ROOT_HALF, along = y * 1.224744871380249;

    noise_check(x);
    noise_check(y);
    return noise2(noise, (struct noise_point2){along + across, along - across});
}

/*
 * The walk over the vertices of both cubic halves of the body-centred lattice. A vertex is the one
 * of its half nearest to the point, flipped along some axes to the far side of it. Where it is
 * near, the walk leaves out those that it excludes.
 */
struct step {
    uint8_t half, flips, next_near, next_far;
};

#define WALK_END 14

static const struct step walk[WALK_END] = {
    {0, 0, 1, 1},   {1, 0, 2, 2},   {0, 1, 5, 3},   {0, 6, 4, 4},   {1, 1, 6, 5},
    {1, 6, 6, 6},   {0, 2, 9, 7},   {0, 5, 8, 8},   {1, 2, 10, 9},  {1, 5, 10, 10},
    {0, 4, 13, 11}, {0, 3, 12, 12}, {1, 4, 14, 13}, {1, 3, 14, 14},
};

/* Where a point sees the vertices along one axis: by half, and flipped or not. */
struct axis {
    double offsets[2][2];
    unsigned keys[2][2];
};

static struct axis axis_make(double coordinate)
{
    int64_t cell = noise_floor(coordinate);
    double inside = coordinate - (double)cell;
    int near = (int)(inside + 0.5);
    const int places[2][2] = {{near, 1 - near}, {1, 2 * near}};
    struct axis axis;

    for (int half = 0; half < 2; half++) {
        for (int flip = 0; flip < 2; flip++) {
            int place = places[half][flip];

            axis.offsets[half][flip] = inside + (half * 0.5 - place);
            axis.keys[half][flip] = (unsigned)(cell + place + half * 1024) & LEGACY_MASK;
        }
    }
    return axis;
}

static double noise3(const struct eco_legacy_noise *noise, struct noise_point3 point)
{
    const int16_t *permutation = noise->permutation;
    const struct axis axes[3] = {axis_make(point.axis[0]), axis_make(point.axis[1]),
                                 axis_make(point.axis[2])};
    double value = 0;

    for (unsigned i = 0; i < WALK_END;) {
        const struct step *step = &walk[i];
        unsigned half = step->half, flip_x = step->flips & 1, flip_y = step->flips >> 1 & 1;
        unsigned flip_z = step->flips >> 2;
        double x = axes[0].offsets[half][flip_x], y = axes[1].offsets[half][flip_y];
        double z = axes[2].offsets[half][flip_z];
        double falloff = 0.75 - x * x - y * y - z * z;

        if (falloff < 0) {
            i = step->next_far;
            continue;
        }
        unsigned key = (unsigned)permutation[axes[0].keys[half][flip_x]];
        key = (unsigned)permutation[key ^ axes[1].keys[half][flip_y]];
        key = (unsigned)permutation[key ^ axes[2].keys[half][flip_z]];
        const double *gradient = gradients3[key % 48];

        falloff *= falloff;
        value += falloff * falloff * (gradient[0] * x + gradient[1] * y + gradient[2] * z);
        i = step->next_near;
    }
    return value;
}

double eco_legacy_noise3_classic(const struct eco_legacy_noise *noise, double x, double y, double z)
{
    return noise3(noise, noise_turn_fallback(x, y, z));
}

/* The main diagonal runs down here, not up as in the current generation. */
static struct noise_point3 turn(double a, double b, double down)
{
    double sum = a + b, shift = sum * LEGACY_UNSKEW, drop = down * NOISE_ROOT_THIRD;

    noise_check(a);
    noise_check(b);
    noise_check(down);
    return (struct noise_point3){
        {a + shift - drop, b + shift - drop, sum * NOISE_ROOT_THIRD + drop}};
}

double eco_legacy_noise3_xy_before_z(const struct eco_legacy_noise *noise, double x, double y,
                                     double z)
{
    return noise3(noise, turn(x, y, z));
}

double eco_legacy_noise3_xz_before_y(const struct eco_legacy_noise *noise, double x, double y,
                                     double z)
{
    struct noise_point3 turned = turn(x, z, y);

    return noise3(noise, (struct noise_point3){{turned.axis[0], turned.axis[2], turned.axis[1]}});
}
