#include "base/hash.h"

#include <xxhash.h>

uint64_t eco_hash64(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

struct eco_hash128 eco_hash128(const void *data, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(data, size);

    return (struct eco_hash128){hash.low64, hash.high64};
}
