#include <string.h>

#include "world/config.h"
#include "world/config_fault.h"
#include "world/config_read.h"

int eco_config_fill_seeds(struct eco_config_reader *reader, struct eco_world_config *world)
{
    struct eco_seeds_config *seeds = &world->seeds;
    unsigned listed = seeds->count;
    const char **texts;
    int64_t *values;

    if (listed == 0)
        return 0;
    texts = eco_arena_alloc(reader->arena, listed, sizeof(*texts));
    values = eco_arena_alloc(reader->arena, listed, sizeof(*values));
    if (!texts || !values)
        return eco_config_fault_memory(reader);
    for (unsigned i = 0, used = 0; i < listed; i++) {
        seeds->count = used;
        seeds->values = values;
        values[used] = eco_seed_parse(seeds->texts[i], strlen(seeds->texts[i]), NULL);
        texts[used] = seeds->texts[i];
        used += !eco_config_seed_allowed(world, values[used]);
        seeds->count = used;
    }
    seeds->texts = texts;
    return 0;
}

bool eco_config_seed_allowed(const struct eco_world_config *world, int64_t seed)
{
    const struct eco_seeds_config *seeds = &world->seeds;

    if (seed == world->seed)
        return true;
    if (seeds->rule)
        return strcmp(seeds->rule, "any") == 0;
    for (unsigned i = 0; i < seeds->count; i++) {
        if (seeds->values[i] == seed)
            return true;
    }
    return false;
}
