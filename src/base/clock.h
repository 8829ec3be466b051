/* Clocks for measuring, for any thread; never an input to a tile. */
#ifndef ECO_BASE_CLOCK_H
#define ECO_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t eco_clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t eco_clock_monotonic_ns(void)
{
    return eco_clock_ns(CLOCK_MONOTONIC);
}

#endif
