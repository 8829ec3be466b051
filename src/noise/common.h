/*
 * What the two current variants share: orientations of the lattice, floors, and the hash of a
 * lattice vertex. Pure functions, any thread. Constants: K. Spencer, OpenSimplex2 (CC0-1.0).
 */
#ifndef ECO_NOISE_COMMON_H
#define ECO_NOISE_COMMON_H

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "noise/gradients.h"

#define NOISE_PRIME_X UINT64_C(0x5205402B9270C86F)
#define NOISE_PRIME_Y UINT64_C(0x598CD327003817B5)
#define NOISE_PRIME_Z UINT64_C(0x5BCC226E9FA0BACB)
#define NOISE_HASH_MULTIPLIER UINT64_C(0x53A3F72DEEC546F5)
/* The second half of the body-centred lattice hashes with another seed. */
#define NOISE_SEED_FLIP_3D (~UINT64_C(0x52D547B2E96ED629) + 1)

#define NOISE_SKEW_2D 0.366025403784439
#define NOISE_UNSKEW_2D (-0.21132486540518713)
#define NOISE_ROOT_HALF 0.7071067811865476
#define NOISE_ROOT_THIRD 0.577350269189626

struct noise_point2 {
    double x, y;
};

struct noise_point3 {
    double axis[3];
};

static inline void noise_check(double coordinate)
{
    assert(fabs(coordinate) < 2147483648.0);
    (void)coordinate;
}

/* Floors; the coordinates allowed stay far inside 64 bits after any of the rotations. */
static inline int64_t noise_floor(double value)
{
    int64_t whole = (int64_t)value;

    return value < (double)whole ? whole - 1 : whole;
}

/* The 2D lattice in its standard orientation. */
static inline struct noise_point2 noise_skew(double x, double y)
{
    double skew = NOISE_SKEW_2D * (x + y);

    noise_check(x);
    noise_check(y);
    return (struct noise_point2){x + skew, y + skew};
}

/* The 2D lattice turned so that y runs down its main diagonal. */
static inline struct noise_point2 noise_skew_improve_x(double x, double y)
{
    double across = x * NOISE_ROOT_HALF;
    double along = y * (NOISE_ROOT_HALF * (1 + 2 * NOISE_SKEW_2D));

    noise_check(x);
    noise_check(y);
    return (struct noise_point2){along + across, along - across};
}

/* Turns the 3D lattice so that `up` runs along its main diagonal and the plane (a, b) is
 * triangular; `slant` is (1/sqrt(3) - 1)/2 to the digits that the reference writes. Returns a, b,
 * up.
 */
static inline struct noise_point3 noise_turn(double a, double b, double up, double slant)
{
    double sum = a + b;
    double shift = sum * slant;
    double rise = up * NOISE_ROOT_THIRD;

    noise_check(a);
    noise_check(b);
    noise_check(up);
    return (struct noise_point3){
        {a + shift + rise, b + shift + rise, sum * -NOISE_ROOT_THIRD + rise}};
}

static inline struct noise_point3 noise_turn_xy(double x, double y, double z, double slant)
{
    return noise_turn(x, y, z, slant);
}

static inline struct noise_point3 noise_turn_xz(double x, double y, double z, double slant)
{
    struct noise_point3 turned = noise_turn(x, z, y, slant);

    return (struct noise_point3){{turned.axis[0], turned.axis[2], turned.axis[1]}};
}

static inline struct noise_point3 noise_turn_fallback(double x, double y, double z)
{
    double turn = 2.0 / 3.0 * (x + y + z);

    noise_check(x);
    noise_check(y);
    noise_check(z);
    return (struct noise_point3){{turn - x, turn - y, turn - z}};
}

/* The gradient's number times its stride: `bits` bits of the hash from bit `low` upwards. The shift
 * copies the sign, as the reference's does. */
static inline unsigned noise_hash_index(uint64_t key, unsigned bits, unsigned low)
{
    uint64_t hash = key * NOISE_HASH_MULTIPLIER;

    hash ^= (uint64_t)((int64_t)hash >> (64 - bits + low));
    return (unsigned)hash & (((1u << bits) - 1) << low);
}

static inline float noise_gradient2(const float *gradients, uint64_t key, float x, float y)
{
    const float *gradient = gradients + noise_hash_index(key, NOISE_GRADIENT2_BITS, 1);

    return gradient[0] * x + gradient[1] * y;
}

static inline float noise_gradient3(const float *gradients, uint64_t key, const float offset[3])
{
    const float *gradient = gradients + noise_hash_index(key, NOISE_GRADIENT3_BITS, 2);

    return gradient[0] * offset[0] + gradient[1] * offset[1] + gradient[2] * offset[2];
}

static inline float noise_fourth_power(float value)
{
    return (value * value) * (value * value);
}

#endif
