#include "ecotone/noise.h"

#include "noise/os2s.h"

static float noise2(uint64_t seed, struct noise_point2 skewed)
{
    struct os2s_cell cell;
    os2s_four gradients_x = {0}, gradients_y = {0};

    os2s_cell_find(&cell, skewed);
    const struct os2s_region *region = &eco_os2s_regions[cell.region];

    for (int k = 0; k < 4; k++) {
        uint64_t key_x = (uint64_t)(cell.x + region->i[k]) * NOISE_PRIME_X;
        uint64_t key_y = (uint64_t)(cell.y + region->j[k]) * NOISE_PRIME_Y;
        const float *gradient = os2s_gradient2(seed ^ key_x ^ key_y);

        gradients_x[k] = gradient[0];
        gradients_y[k] = gradient[1];
    }
    os2s_four terms = cell.power * (gradients_x * cell.to_x + gradients_y * cell.to_y);

    terms = (os2s_four)((os2s_mask)terms | cell.fill);
    return terms[0] + terms[1] + terms[2] + terms[3];
}

float eco_os2s_noise2(int64_t seed, double x, double y)
{
    return noise2((uint64_t)seed, noise_skew(x, y));
}

float eco_os2s_noise2_improve_x(int64_t seed, double x, double y)
{
    return noise2((uint64_t)seed, noise_skew_improve_x(x, y));
}

/* Calls G with the places of the third and the fourth vertex of each region. */
#define REGIONS(G)                                                                                 \
    G(1, 0, 0, 1), G(-1, 0, 0, 1), G(1, 0, 0, -1), G(-1, 0, 0, -1), G(0, 1, 1, 0), G(2, 1, 1, 0),  \
        G(0, 1, 1, 2), G(2, 1, 1, 2)

#define X(i, j) (float)((i) + ((i) + (j)) * NOISE_UNSKEW_2D)
/* The corners (0, 0) and (1, 1) of the cell, and the two of the region. */
#define REGION(a, b, c, d)                                                                         \
    {                                                                                              \
        .x = {X(0, 0), X(1, 1), X(a, b), X(c, d)}, .y = {X(0, 0), X(1, 1), X(b, a), X(d, c)},      \
        .i = {0, 1, a, c}, .j = {                                                                  \
            0,                                                                                     \
            1,                                                                                     \
            b,                                                                                     \
            d                                                                                      \
        }                                                                                          \
    }

const struct os2s_region eco_os2s_regions[OS2S_REGIONS] = {REGIONS(REGION)};

#define THIRD_X(a, b, c, d) X(a, b)
#define THIRD_Y(a, b, c, d) X(b, a)
#define THIRD_I(a, b, c, d) a
#define THIRD_J(a, b, c, d) b
#define FOURTH_X(a, b, c, d) X(c, d)
#define FOURTH_Y(a, b, c, d) X(d, c)
#define FOURTH_I(a, b, c, d) c
#define FOURTH_J(a, b, c, d) d

const struct os2s_lookup eco_os2s_lookup = {
    .x = {{REGIONS(THIRD_X)}, {REGIONS(FOURTH_X)}},
    .y = {{REGIONS(THIRD_Y)}, {REGIONS(FOURTH_Y)}},
    .i = {{REGIONS(THIRD_I)}, {REGIONS(FOURTH_I)}},
    .j = {{REGIONS(THIRD_J)}, {REGIONS(FOURTH_J)}},
};

/*
 * One of the two cubic halves of the body-centred lattice, seen from a point: the nearest vertex of
 * the half, and along each axis the one beyond the point. A vertex is named by the set of axes that
 * are flipped to the far side.
 */
struct half {
    uint64_t seed;
    uint64_t keys[2][3]; /* by flipped or not, then axis */
    float offsets[2][3];
    float falloff;    /* of the nearest vertex */
    float changes[3]; /* what a flip along the axis adds to the falloff */
};

static float contribution3(const struct half *half, unsigned flips, float falloff)
{
    const unsigned far[3] = {flips & 1, flips >> 1 & 1, flips >> 2};
    const float offset[3] = {half->offsets[far[0]][0], half->offsets[far[1]][1],
                             half->offsets[far[2]][2]};
    uint64_t key =
        half->seed ^ half->keys[far[0]][0] ^ half->keys[far[1]][1] ^ half->keys[far[2]][2];

    return noise_fourth_power(falloff) * noise_gradient3(eco_os2s_gradients3, key, offset);
}

static float sum_of_squares_from(float start, const float offset[3])
{
    return start - offset[0] * offset[0] - offset[1] * offset[1] - offset[2] * offset[2];
}

static void halves_init(struct half halves[2], uint64_t seed, const struct noise_point3 *point)
{
    static const uint64_t primes[3] = {NOISE_PRIME_X, NOISE_PRIME_Y, NOISE_PRIME_Z};
    struct half *first = &halves[0], *second = &halves[1];

    first->seed = seed;
    second->seed = seed ^ NOISE_SEED_FLIP_3D;
    for (int axis = 0; axis < 3; axis++) {
        int64_t cell = noise_floor(point->axis[axis]);
        float inside = (float)(point->axis[axis] - (double)cell);
        uint64_t key = (uint64_t)cell * primes[axis], next = key + primes[axis];
        int upper = (int)(-0.5f - inside); /* -1 in the upper half of the cell, else 0 */
        float away = upper ? -1.0f : 1.0f;
        float middle = inside - 0.5f;

        first->keys[0][axis] = upper ? next : key;
        first->keys[1][axis] = upper ? key : next;
        first->offsets[0][axis] = inside + (float)upper;
        first->offsets[1][axis] = first->offsets[0][axis] - away;
        first->changes[axis] = 2.0f * away * middle;

        second->keys[0][axis] = next;
        second->keys[1][axis] = upper ? next + primes[axis] : key;
        second->offsets[0][axis] = middle;
        second->offsets[1][axis] = away + middle;
        second->changes[axis] = -2.0f * away * middle - 1.0f;
    }
    first->falloff = sum_of_squares_from(OS2S_RADIUS3, first->offsets[0]);
    second->falloff = sum_of_squares_from(OS2S_RADIUS3, second->offsets[0]);
}

/* Adds the vertex if it lies within reach. Returns whether it does. */
static int add_if_near(const struct half *half, unsigned flips, float falloff, float *value)
{
    if (!(falloff > 0.0f)) {
        return 0;
    }
    *value += contribution3(half, flips, falloff);
    return 1;
}

/*
 * Of the vertices around the point, one flipped along an axis excludes the one flipped along the
 * other two, and the like vertex of the other half. The order of the additions decides the bits:
 * the nearest two, both halves axis by axis, then the second half's double flips.
 */
static float noise3(uint64_t seed, struct noise_point3 point)
{
    struct half halves[2];
    const struct half *first = &halves[0], *second = &halves[1];
    int second_double_excluded[3] = {0};

    halves_init(halves, seed, &point);
    float value = contribution3(first, 0, first->falloff);
    value += contribution3(second, 0, second->falloff);
    for (int axis = 0; axis < 3; axis++) {
        int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
        unsigned single = 1u << axis;

        if (add_if_near(first, single, first->changes[axis] + first->falloff, &value)) {
            continue;
        }
        add_if_near(first, 7 ^ single, first->changes[b] + first->changes[c] + first->falloff,
                    &value);
        second_double_excluded[axis] =
            add_if_near(second, single, second->changes[axis] + second->falloff, &value);
    }
    for (int axis = 0; axis < 3; axis++) {
        int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;

        if (!second_double_excluded[axis]) {
            add_if_near(second, 7 ^ 1u << axis,
                        second->changes[b] + second->changes[c] + second->falloff, &value);
        }
    }
    return value;
}

float eco_os2s_noise3_improve_xy(int64_t seed, double x, double y, double z)
{
    return noise3((uint64_t)seed, noise_turn_xy(x, y, z, NOISE_UNSKEW_2D));
}

/* The reference writes the slant with fewer digits here, which shows far from the origin. */
float eco_os2s_noise3_improve_xz(int64_t seed, double x, double y, double z)
{
    return noise3((uint64_t)seed, noise_turn_xz(x, y, z, -0.211324865405187));
}

float eco_os2s_noise3_fallback(int64_t seed, double x, double y, double z)
{
    return noise3((uint64_t)seed, noise_turn_fallback(x, y, z));
}
