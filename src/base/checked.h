/* Arithmetic on sizes that says when it would overflow. Pure functions. */
#ifndef ECO_BASE_CHECKED_H
#define ECO_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool eco_checked_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

/* Quotient rounded towards minus infinity; b > 0. */
static inline int64_t eco_floor_div(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
}

/* Remainder of eco_floor_div, 0 .. b - 1. */
static inline int64_t eco_floor_mod(int64_t a, int64_t b)
{
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

#endif
