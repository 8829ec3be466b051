/* Keys of tiles compared and hashed, for all who keep tiles by them. Pure functions.
 */
#ifndef ECO_STORE_KEY_H
#define ECO_STORE_KEY_H

#include <stdbool.h>

#include "base/hash.h"
#include "store/cache.h"

static inline bool eco_key_equal(const struct eco_cache_key *a, const struct eco_cache_key *b)
{
    return a->world == b->world && a->x == b->x && a->y == b->y && a->layer == b->layer &&
           a->zoom == b->zoom && a->scale == b->scale && a->format == b->format;
}

static inline uint64_t eco_key_hash(const struct eco_cache_key *key)
{
    uint64_t place = (uint64_t)key->x << 32 | key->y;
    uint64_t kind = (uint64_t)key->layer << 24 | (uint64_t)key->zoom << 16 |
                    (uint64_t)key->scale << 8 | key->format;

    return eco_mix64(eco_mix64(key->world ^ kind) + place);
}

#endif
