/*
 * The patchwork generator: biomes by the greatest of their noises, borders blended by scattered
 * sample points, each biome with its own height formula, heights and colours mixed by the blend
 * weights.
 *
 * Where a sample spans more than the distance of the sample points, the biome source is asked at
 * each sample instead: blending could not be seen there, and its cost would grow without bound.
 */
#include <stdlib.h>

#include "blend/area.h"
#include "world/biome_source.h"
#include "world/blending.h"
#include "world/generator.h"
#include "world/height.h"
#include "world/mix.h"

#define STREAM_HEIGHT 2u

struct patchwork {
    const struct eco_world_config *config;
    struct eco_blending blending;
    struct eco_biome_source_state source;
    struct eco_height *heights; /* one a biome */
    float (*colours)[3];        /* red, green, blue of each biome, 0 .. 255 */
};

/* One grid while it is sampled; its squares write to disjoint samples. */
struct sampling {
    const struct patchwork *world;
    const struct eco_grid *grid;
    const struct eco_planes *planes;
};

static void patchwork_close(void *state)
{
    struct patchwork *world = state;

    if (!world)
        return;
    eco_biome_source_release(&world->source);
    free(world->heights);
    free(world->colours);
    free(world);
}

static int patchwork_open(const struct eco_world_config *config, int64_t seed,
                          enum eco_blend_method blend, void **state, struct eco_error *error)
{
    struct patchwork *world = calloc(1, sizeof(*world));
    unsigned count = config->biomes_count;

    *state = NULL;
    if (!world)
        goto no_memory;
    world->config = config;
    eco_blending_init(&world->blending, config, seed, blend);
    world->heights = calloc(count, sizeof(*world->heights));
    world->colours = calloc(count, sizeof(*world->colours));
    if (!world->heights || !world->colours || eco_biome_source_init(&world->source, config, seed))
        goto no_memory;
    for (unsigned b = 0; b < count; b++) {
        const struct eco_biome_config *biome = &config->biomes[b];

        eco_height_init(&world->heights[b], &biome->height, seed,
                        (uint64_t)STREAM_HEIGHT << 24 | biome->biome.id);
    }
    eco_mix_palette(config, world->colours);
    *state = world;
    return 0;
no_memory:
    patchwork_close(world);
    return eco_error_set(error, ECO_ENOMEM, "no memory for the world '%s'", config->name);
}

static void ask_biomes(void *context, const double *x, const double *z, size_t count,
                       uint8_t *biomes)
{
    const struct sampling *sampling = context;

    eco_biome_source_points(&sampling->world->source, x, z, count, biomes);
}

/* Where samples are too coarse to blend: 1 for the biome at the sample. */
static int direct_square(void *context, const struct eco_square_place *place,
                         struct eco_arena *scratch, struct eco_square *square)
{
    const struct sampling *sampling = context;
    uint8_t biomes[ECO_SQUARE_AREA];

    eco_biome_source_square(&sampling->world->source, place->block_x, place->block_z,
                            sampling->grid->step, biomes);
    return eco_blend_hard_square(biomes, scratch, square);
}

static void mix_heights(const struct patchwork *world, const struct eco_square *square, int64_t x,
                        int64_t z, int64_t step, float out[ECO_SQUARE_AREA])
{
    float height[ECO_SQUARE_AREA];

    if (!square->weights) {
        eco_height_square(&world->heights[square->biomes[0]], x, z, step, out);
        return;
    }
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        out[k] = 0.0f;
    for (unsigned b = 0; b < square->count; b++) {
        eco_height_square(&world->heights[square->biomes[b]], x, z, step, height);
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            out[k] += square->weights[b][k] * height[k];
    }
}

/* Writes a square's samples into the planes. */
static void take_square(void *context, const struct eco_square_place *place,
                        const struct eco_square *square, const struct eco_square *against)
{
    const struct sampling *sampling = context;
    const struct eco_planes *planes = sampling->planes;
    uint8_t biomes[ECO_SQUARE_AREA];
    float heights[ECO_SQUARE_AREA];
    uint32_t colours[ECO_SQUARE_AREA];

    if (planes->biome)
        eco_mix_biomes(square, biomes);
    if (planes->height)
        mix_heights(sampling->world, square, place->block_x, place->block_z, sampling->grid->step,
                    heights);
    if (planes->colour)
        eco_mix_colours(square, sampling->world->colours, colours);
    eco_mix_put(sampling->grid, place, square, biomes, heights, colours, planes);
    eco_mix_put_blend(sampling->grid, place, square, against, planes);
}

static void take_point(void *context, uint32_t column, uint32_t row, uint8_t biome)
{
    const struct sampling *sampling = context;

    sampling->planes->points[(size_t)row * sampling->grid->width + column] = (uint16_t)(biome + 1);
}

static int patchwork_sample(const void *state, const struct eco_grid *grid, unsigned mask,
                            struct eco_sampler *sampler, struct eco_planes *planes,
                            struct eco_error *error)
{
    const struct patchwork *world = state;
    struct sampling sampling = {world, grid, planes};
    struct eco_blending_grid blends;
    struct eco_blend_area area = {
        .grid = grid,
        .chunk = world->config->blend.chunk,
        .ask = ask_biomes,
        .direct = direct_square,
        .take = take_square,
        .point = mask & ECO_FIELD_POINTS ? take_point : NULL,
        .context = &sampling,
    };

    eco_blending_choose(&world->blending, mask, (double)grid->step, &blends, &area);
    return eco_blend_area_run(&area, sampler->executor, &sampler->arena, error);
}

const struct eco_generator eco_generator_patchwork = {
    .name = "patchwork",
    .revision = 1,
    .fields = ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_WEIGHTS |
              ECO_FIELD_BORDER | ECO_FIELD_BLEND_ERROR | ECO_FIELD_POINTS,
    .open = patchwork_open,
    .close = patchwork_close,
    .sample = patchwork_sample,
};
