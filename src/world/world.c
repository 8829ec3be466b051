#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/hash.h"
#include "world/generator.h"

struct eco_world {
    const struct eco_world_config *config;
    const struct eco_generator *generator;
    void *state;
    int64_t seed;
    enum eco_blend_method blend;
};

static int open_generator(struct eco_world *world, struct eco_error *error)
{
    const struct eco_world_config *config = world->config;

    world->generator = eco_generator_find(config->generator);
    if (!world->generator)
        return eco_error_set(error, ECO_ENOTFOUND, "world '%s': there is no generator '%.64s'",
                             config->name, config->generator);
    return world->generator->open(config, world->seed, world->blend, &world->state, error);
}

int eco_world_open(const struct eco_config *config, const char *name,
                   const struct eco_world_options *options, struct eco_world **out,
                   struct eco_error *error)
{
    static const struct eco_world_options as_configured;
    const struct eco_world_config *found = eco_config_world(config, name);
    enum eco_blend_method blend;
    struct eco_world *world;
    int code;

    *out = NULL;
    options = options ? options : &as_configured;
    if (!found)
        return eco_error_set(error, ECO_ENOTFOUND, "there is no world named '%.64s'", name);
    blend = options->blend ? *options->blend : found->blend.method;
    if (blend != found->blend.method && !found->blend.override)
        return eco_error_set(error, ECO_EINVAL,
                             "world '%s' is blended by %s alone; its blend.override is false",
                             found->name, eco_blend_method_name(found->blend.method));
    world = calloc(1, sizeof(*world));
    if (!world)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the world '%s'", name);
    world->config = found;
    world->seed = options->seed ? *options->seed : found->seed;
    world->blend = blend;
    code = open_generator(world, error);
    if (code)
        free(world);
    else
        *out = world;
    return code;
}

void eco_world_close(struct eco_world *world)
{
    if (!world)
        return;
    world->generator->close(world->state);
    free(world);
}

int64_t eco_world_seed(const struct eco_world *world)
{
    return world->seed;
}

enum eco_blend_method eco_world_blend(const struct eco_world *world)
{
    return world->blend;
}

unsigned eco_world_biome_count(const struct eco_world *world)
{
    return world->config->biomes_count;
}

struct eco_biome eco_world_biome(const struct eco_world *world, unsigned index)
{
    return world->config->biomes[index].biome;
}

unsigned eco_world_fields(const struct eco_world_config *config)
{
    const struct eco_generator *generator = eco_generator_find(config->generator);

    return generator ? generator->fields : 0;
}

const struct eco_world_config *eco_world_config_of(const struct eco_world *world)
{
    return world->config;
}

uint64_t eco_world_config_hash(const struct eco_world_config *config, int64_t seed,
                               enum eco_blend_method blend)
{
    const struct eco_generator *generator = eco_generator_find(config->generator);
    uint64_t hash = config->hash;

    hash = eco_mix64(hash ^ eco_hash64(config->generator, strlen(config->generator)));
    hash = eco_mix64(hash + (generator ? generator->revision : 0));
    if (blend != config->blend.method) {
        const char *name = eco_blend_method_name(blend);

        hash = eco_mix64(hash ^ eco_hash64(name, strlen(name)));
    }
    return eco_mix64(hash ^ (uint64_t)seed);
}

const void *eco_world_state(const struct eco_world *world, const struct eco_generator *generator)
{
    return world->generator == generator ? world->state : NULL;
}

uint64_t eco_world_hash(const struct eco_world *world)
{
    return eco_world_config_hash(world->config, world->seed, world->blend);
}

bool eco_world_surveys(const struct eco_world *world)
{
    return world->generator->survey != NULL;
}

int eco_world_survey(const struct eco_world *world, int64_t x, int64_t z, unsigned biome,
                     struct eco_sampler *sampler, uint64_t *plots)
{
    return world->generator->survey(world->state, x, z, biome, &sampler->arena, plots);
}

int eco_sampler_new(struct eco_sampler **out)
{
    struct eco_sampler *sampler = calloc(1, sizeof(*sampler));

    *out = sampler;
    if (!sampler)
        return ECO_ENOMEM;
    eco_arena_init(&sampler->arena);
    return 0;
}

void eco_sampler_reset(struct eco_sampler *sampler)
{
    eco_arena_reset(&sampler->arena);
}

void eco_sampler_free(struct eco_sampler *sampler)
{
    if (!sampler)
        return;
    eco_arena_release(&sampler->arena);
    free(sampler);
}

int eco_grid_check(const struct eco_grid *grid, struct eco_error *error)
{
    const int64_t far = 2 * (int64_t)ECO_WORLD_HALF;

    if (grid->step < 1 || grid->step > ECO_WORLD_STEP_MAX)
        return eco_error_set(error, ECO_EINVAL, "step %lld is out of range; blocks, 1 to %d",
                             (long long)grid->step, ECO_WORLD_STEP_MAX);
    if (grid->width < 1 || grid->height < 1 || grid->width > ECO_WORLD_GRID_MAX ||
        grid->height > ECO_WORLD_GRID_MAX ||
        (uint64_t)grid->width * grid->height > ECO_WORLD_AREA_MAX)
        return eco_error_set(error, ECO_EINVAL,
                             "a grid of %u x %u samples is out of range; 1 to %d a side and at "
                             "most %d in all",
                             grid->width, grid->height, ECO_WORLD_GRID_MAX, ECO_WORLD_AREA_MAX);
    if (grid->x0 < -far || grid->z0 < -far || grid->x0 > far || grid->z0 > far ||
        grid->x0 + grid->step * grid->width > far || grid->z0 + grid->step * grid->height > far)
        return eco_error_set(error, ECO_EINVAL,
                             "the grid from block %lld, %lld leaves the world; at most %lld from 0",
                             (long long)grid->x0, (long long)grid->z0, (long long)far);
    return 0;
}

/* Allocates the planes of `mask`; false when memory runs out. */
static bool allocate_planes(unsigned mask, size_t area, size_t biomes, struct eco_arena *arena,
                            struct eco_planes *planes)
{
    const struct {
        unsigned field;
        size_t bytes;
        void *plane;
    } all[] = {
        {ECO_FIELD_BIOME, sizeof(*planes->biome), &planes->biome},
        {ECO_FIELD_HEIGHT, sizeof(*planes->height), &planes->height},
        {ECO_FIELD_COLOUR, sizeof(*planes->colour), &planes->colour},
        {ECO_FIELD_WEIGHTS, sizeof(*planes->weights) * biomes, &planes->weights},
        {ECO_FIELD_TEMPERATURE, sizeof(*planes->temperature), &planes->temperature},
        {ECO_FIELD_PRECIPITATION, sizeof(*planes->precipitation), &planes->precipitation},
        {ECO_FIELD_RIVER, sizeof(*planes->river), &planes->river},
        {ECO_FIELD_TREES, sizeof(*planes->trees), &planes->trees},
        {ECO_FIELD_CELL, sizeof(*planes->cell), &planes->cell},
        {ECO_FIELD_SLOPE, sizeof(*planes->slope), &planes->slope},
        {ECO_FIELD_USE, sizeof(*planes->use), &planes->use},
        {ECO_FIELD_BORDER, sizeof(*planes->border), &planes->border},
        {ECO_FIELD_BLEND_ERROR, sizeof(*planes->blend_error), &planes->blend_error},
        {ECO_FIELD_POINTS, sizeof(*planes->points), &planes->points},
    };

    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        void *plane;

        if (!(mask & all[k].field))
            continue;
        plane = eco_arena_alloc(arena, area, all[k].bytes);
        if (!plane)
            return false;
        memcpy(all[k].plane, &plane, sizeof(plane));
    }
    if (planes->weights)
        memset(planes->weights, 0, area * biomes * sizeof(*planes->weights));
    if (planes->points)
        memset(planes->points, 0, area * sizeof(*planes->points));
    return true;
}

int eco_world_sample(const struct eco_world *world, const struct eco_grid *grid, unsigned mask,
                     struct eco_sampler *sampler, struct eco_planes *planes,
                     struct eco_error *error)
{
    struct eco_arena *arena = &sampler->arena;
    size_t area;
    int code = eco_grid_check(grid, error);

    *planes = (struct eco_planes){0};
    if (code)
        return code;
    if (mask & ~world->generator->fields)
        return eco_error_set(error, ECO_EINVAL,
                             "the generator '%s' does not know all of these fields",
                             world->generator->name);
    area = (size_t)grid->width * grid->height;
    if (!allocate_planes(mask, area, world->config->biomes_count, arena, planes))
        return eco_error_set(error, ECO_ENOMEM, "no memory for %zu samples", area);
    return world->generator->sample(world->state, grid, mask, sampler, planes, error);
}
