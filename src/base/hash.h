/* Mixing of 64-bit numbers, and hashes of bytes for keys and ETags. Pure functions. */
#ifndef ECO_BASE_HASH_H
#define ECO_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct eco_hash128 {
    uint64_t low, high;
};

/* A bijection in which every input bit reaches every output bit (Stafford's variant 13). */
static inline uint64_t eco_mix64(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

/* An independent seed for stream `stream` of `seed`: the SplitMix64 sequence, started at a mixed
 * seed. */
static inline int64_t eco_seed_derive(int64_t seed, uint64_t stream)
{
    return (int64_t)eco_mix64(eco_mix64((uint64_t)seed + 0x9E3779B97F4A7C15u) +
                              (stream + 1) * 0x9E3779B97F4A7C15u);
}

/* XXH3 of the bytes. */
uint64_t eco_hash64(const void *data, size_t size);
struct eco_hash128 eco_hash128(const void *data, size_t size);

#endif
