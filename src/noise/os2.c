#include "ecotone/noise.h"

#include "noise/common.h"

#define RADIUS2 0.5f
#define RADIUS3 0.6f
#define UNSKEW ((float)NOISE_UNSKEW_2D)
/* The corner (1, 1) of a cell, as in the smooth variant. */
#define FAR ((float)(1 + 2 * NOISE_UNSKEW_2D))
#define FAR_SLOPE ((float)(2 * (1 + 2 * NOISE_UNSKEW_2D) * (1 / NOISE_UNSKEW_2D + 2)))
#define FAR_OFFSET ((float)(-2 * (1 + 2 * NOISE_UNSKEW_2D) * (1 + 2 * NOISE_UNSKEW_2D)))
/* The corner (0, 1): its places along and across the axis it lies on. */
#define SIDE_ALONG ((float)(NOISE_UNSKEW_2D + 1))
#define SIDE_ACROSS UNSKEW

static float contribution2(uint64_t key, float falloff, float x, float y)
{
    return noise_fourth_power(falloff) * noise_gradient2(eco_os2_gradients2, key, x, y);
}

static void add2(uint64_t key, float falloff, float x, float y, float *value)
{
    if (falloff > 0.0f) {
        *value += contribution2(key, falloff, x, y);
    }
}

static float noise2(uint64_t seed, struct noise_point2 skewed)
{
    int64_t cell_x = noise_floor(skewed.x), cell_y = noise_floor(skewed.y);
    float in_x = (float)(skewed.x - (double)cell_x), in_y = (float)(skewed.y - (double)cell_y);
    uint64_t key_x = (uint64_t)cell_x * NOISE_PRIME_X, key_y = (uint64_t)cell_y * NOISE_PRIME_Y;

    float unskew = (in_x + in_y) * UNSKEW;
    float x = in_x + unskew, y = in_y + unskew;
    float falloff = RADIUS2 - x * x - y * y;
    int above = y > x;
    float side_x = x - (above ? SIDE_ACROSS : SIDE_ALONG);
    float side_y = y - (above ? SIDE_ALONG : SIDE_ACROSS);
    uint64_t side_key = above ? key_x ^ (key_y + NOISE_PRIME_Y) : (key_x + NOISE_PRIME_X) ^ key_y;
    /* Not added to 0, which would lose the sign of a first term of -0. */
    float value = falloff > 0.0f ? contribution2(seed ^ key_x ^ key_y, falloff, x, y) : 0.0f;

    add2(seed ^ (key_x + NOISE_PRIME_X) ^ (key_y + NOISE_PRIME_Y),
         FAR_SLOPE * unskew + (FAR_OFFSET + falloff), x - FAR, y - FAR, &value);
    add2(seed ^ side_key, RADIUS2 - side_x * side_x - side_y * side_y, side_x, side_y, &value);
    return value;
}

float eco_os2_noise2(int64_t seed, double x, double y)
{
    return noise2((uint64_t)seed, noise_skew(x, y));
}

float eco_os2_noise2_improve_x(int64_t seed, double x, double y)
{
    return noise2((uint64_t)seed, noise_skew_improve_x(x, y));
}

/* The nearest vertex of one cubic half of the body-centred lattice. */
struct nearest {
    uint64_t keys[3];
    float offset[3];
    float away[3];     /* 1 where the point lies below the vertex, else -1 */
    float distance[3]; /* along each axis, never negative */
    float falloff;
};

static const uint64_t primes[3] = {NOISE_PRIME_X, NOISE_PRIME_Y, NOISE_PRIME_Z};

static int64_t round_half_away(double value)
{
    return value < 0 ? (int64_t)(value - 0.5) : (int64_t)(value + 0.5);
}

static struct nearest nearest_find(const struct noise_point3 *point)
{
    struct nearest near;
    const float *offset = near.offset;

    for (int axis = 0; axis < 3; axis++) {
        int64_t cell = round_half_away(point->axis[axis]);

        near.keys[axis] = (uint64_t)cell * primes[axis];
        near.offset[axis] = (float)(point->axis[axis] - (double)cell);
        near.away[axis] = (int)(-1.0f - near.offset[axis]) < 0 ? -1.0f : 1.0f;
        near.distance[axis] = near.away[axis] * -near.offset[axis];
    }
    near.falloff =
        RADIUS3 - offset[0] * offset[0] - (offset[1] * offset[1] + offset[2] * offset[2]);
    return near;
}

/* From the nearest vertex of the first half to that of the second, half a cell away on each axis.
 */
static void nearest_shift(struct nearest *near)
{
    float *distance = near->distance;

    for (int axis = 0; axis < 3; axis++) {
        distance[axis] = 0.5f - distance[axis];
        near->offset[axis] = near->away[axis] * distance[axis];
        if (near->away[axis] < 0.0f) {
            near->keys[axis] += primes[axis];
        }
        near->away[axis] = -near->away[axis];
    }
    near->falloff += 0.75f - distance[0] - (distance[1] + distance[2]);
}

static float contribution3(uint64_t seed, const struct nearest *near, float falloff)
{
    uint64_t key = seed ^ near->keys[0] ^ near->keys[1] ^ near->keys[2];

    return noise_fourth_power(falloff) * noise_gradient3(eco_os2_gradients3, key, near->offset);
}

static int longest_axis(const float distance[3])
{
    if (distance[0] >= distance[1] && distance[0] >= distance[2]) {
        return 0;
    }
    return distance[1] > distance[0] && distance[1] >= distance[2] ? 1 : 2;
}

static float noise3(uint64_t seed, struct noise_point3 point)
{
    struct nearest near = nearest_find(&point);
    float value = 0.0f;

    for (int half = 0; half < 2; half++) {
        int axis = longest_axis(near.distance);
        float beyond = near.falloff + near.distance[axis] + near.distance[axis];

        if (near.falloff > 0.0f) {
            value += contribution3(seed, &near, near.falloff);
        }
        if (beyond > 1.0f) {
            struct nearest second = near;

            second.offset[axis] += near.away[axis];
            second.keys[axis] += near.away[axis] < 0.0f ? primes[axis] : -primes[axis];
            value += contribution3(seed, &second, beyond - 1.0f);
        }
        nearest_shift(&near);
        seed ^= NOISE_SEED_FLIP_3D;
    }
    return value;
}

float eco_os2_noise3_improve_xy(int64_t seed, double x, double y, double z)
{
    return noise3((uint64_t)seed, noise_turn_xy(x, y, z, NOISE_UNSKEW_2D));
}

float eco_os2_noise3_improve_xz(int64_t seed, double x, double y, double z)
{
    return noise3((uint64_t)seed, noise_turn_xz(x, y, z, NOISE_UNSKEW_2D));
}

float eco_os2_noise3_fallback(int64_t seed, double x, double y, double z)
{
    return noise3((uint64_t)seed, noise_turn_fallback(x, y, z));
}
