#include <string.h>

#include "base/hash.h"
#include "world/generator.h"

uint64_t eco_world_config_hash(const struct eco_world_config *config, int64_t seed)
{
    const struct eco_generator *generator = eco_generator_find(config->generator);
    uint64_t hash = config->hash;

    hash = eco_mix64(hash ^ eco_hash64(config->generator, strlen(config->generator)));
    hash = eco_mix64(hash + (generator ? generator->revision : 0));
    return eco_mix64(hash ^ (uint64_t)seed);
}
