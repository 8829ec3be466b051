/*
 * The patchwork generator: biomes by the greatest of their noises, borders blended by scattered
 * sample points, each biome with its own height formula, heights and colours mixed by the blend
 * weights.
 *
 * Where a sample spans more than the spacing of the sample points, the biome source is asked at
 * each sample instead: blending could not be seen there, and its cost would grow without bound.
 */
#include <stdlib.h>

#include "base/checked.h"
#include "blend/engine.h"
#include "world/biome_source.h"
#include "world/generator.h"
#include "world/height.h"

#define STREAM_HEIGHT 2u

/* Largest part of a grid whose sample points are held at once, samples a side. */
#define PANEL_SIDE 640

/* Sample points a job asks the biome source about. */
#define POINTS_A_JOB 256

struct patchwork {
    const struct eco_world_config *config;
    struct eco_blend blend;
    double spacing; /* of the sample points, blocks */
    struct eco_biome_source_state source;
    struct eco_height *heights; /* one a biome */
    float (*colours)[3];        /* red, green, blue of each biome, 0 .. 255 */
};

/* One panel of a grid while it is sampled; shared by its jobs, which write to disjoint samples. */
struct panel {
    const struct patchwork *world;
    const struct eco_grid *grid;
    const struct eco_planes *planes;
    bool blended;
    struct eco_blend_points points;
    int64_t phase_x, phase_z; /* block of the absolute sample 0 */
    int64_t first_x, first_z; /* absolute sample indices of the panel */
    int64_t end_x, end_z;
    int64_t origin_x, origin_z;         /* of the grid's first sample */
    int64_t chunk_x, chunk_z, chunks_x; /* first chunk and chunks a row */
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

static int patchwork_open(const struct eco_world_config *config, int64_t seed, void **state,
                          struct eco_error *error)
{
    struct patchwork *world = calloc(1, sizeof(*world));
    unsigned count = config->biomes_count;

    *state = NULL;
    if (!world)
        goto no_memory;
    world->config = config;
    world->blend.frequency = config->blend.frequency;
    world->blend.padding = config->blend.padding;
    world->blend.seed = (int64_t)((uint64_t)seed + (uint64_t)config->blend.jitter_offset);
    world->spacing = ECO_LATTICE_SPACING_FREQUENCY / config->blend.frequency;
    world->heights = calloc(count, sizeof(*world->heights));
    world->colours = calloc(count, sizeof(*world->colours));
    if (!world->heights || !world->colours || eco_biome_source_init(&world->source, config, seed))
        goto no_memory;
    for (unsigned b = 0; b < count; b++) {
        const struct eco_biome_config *biome = &config->biomes[b];

        eco_height_init(&world->heights[b], &biome->height, seed,
                        (uint64_t)STREAM_HEIGHT << 24 | biome->biome.id);
        for (unsigned k = 0; k < 3; k++)
            world->colours[b][k] = (float)(biome->biome.colour >> (16 - 8 * k) & 255);
    }
    *state = world;
    return 0;
no_memory:
    patchwork_close(world);
    return eco_error_set(error, ECO_ENOMEM, "no memory for the world '%s'", config->name);
}

static int ask_points_job(void *context, size_t index, struct eco_arena *scratch)
{
    struct panel *panel = context;
    struct eco_blend_points *points = &panel->points;
    size_t first = index * POINTS_A_JOB;
    size_t count = points->count - first < POINTS_A_JOB ? points->count - first : POINTS_A_JOB;

    (void)scratch;
    eco_biome_source_points(&panel->world->source, points->x + first, points->z + first, count,
                            points->biome + first);
    return 0;
}

/* Biomes and weights of a square where samples are too coarse to blend: 1 for the biome at the
 * sample. */
static int direct_square(const struct patchwork *world, int64_t x, int64_t z, int64_t step,
                         struct eco_arena *scratch, struct eco_square *square)
{
    uint8_t biomes[ECO_SQUARE_AREA];
    unsigned place[ECO_BIOMES_MAX];
    bool seen[ECO_BIOMES_MAX] = {false};

    eco_biome_source_square(&world->source, x, z, step, biomes);
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        seen[biomes[k]] = true;
    square->count = 0;
    square->weights = NULL;
    for (unsigned b = 0; b < world->config->biomes_count; b++) {
        if (!seen[b])
            continue;
        place[b] = square->count;
        square->biomes[square->count++] = (uint8_t)b;
    }
    if (square->count == 1)
        return 0;
    square->weights = eco_arena_alloc(scratch, square->count, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    for (unsigned b = 0; b < square->count; b++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            square->weights[b][k] = 0.0f;
    }
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        square->weights[place[biomes[k]]][k] = 1.0f;
    return 0;
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

static void mix_colours(const struct patchwork *world, const struct eco_square *square,
                        uint32_t out[ECO_SQUARE_AREA])
{
    float mixed[3][ECO_SQUARE_AREA];

    if (!square->weights) {
        uint32_t colour = world->config->biomes[square->biomes[0]].biome.colour;

        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            out[k] = colour;
        return;
    }
    for (unsigned channel = 0; channel < 3; channel++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            mixed[channel][k] = 0.5f;
        for (unsigned b = 0; b < square->count; b++) {
            float colour = world->colours[square->biomes[b]][channel];

            for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
                mixed[channel][k] += square->weights[b][k] * colour;
        }
    }
    /* Weights sum to 1 within 1e-6, so the sums stay below 256. */
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        out[k] = (uint32_t)(int32_t)mixed[0][k] << 16 | (uint32_t)(int32_t)mixed[1][k] << 8 |
                 (uint32_t)(int32_t)mixed[2][k];
}

static void true_biomes(const struct eco_square *square, uint8_t out[ECO_SQUARE_AREA])
{
    float greatest[ECO_SQUARE_AREA];

    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        greatest[k] = square->weights ? square->weights[0][k] : 1.0f;
        out[k] = square->biomes[0];
    }
    for (unsigned b = 1; b < square->count; b++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            bool greater = square->weights[b][k] > greatest[k];

            greatest[k] = greater ? square->weights[b][k] : greatest[k];
            out[k] = greater ? square->biomes[b] : out[k];
        }
    }
}

/* Writes the part of a square that lies in the panel into the planes. */
static void write_square(const struct panel *panel, const struct eco_square *square,
                         int64_t sample_x, int64_t sample_z)
{
    const struct eco_planes *planes = panel->planes;
    const struct eco_grid *grid = panel->grid;
    size_t area = (size_t)grid->width * grid->height;
    int64_t block_x = sample_x * grid->step + panel->phase_x;
    int64_t block_z = sample_z * grid->step + panel->phase_z;
    uint8_t biomes[ECO_SQUARE_AREA];
    float heights[ECO_SQUARE_AREA];
    uint32_t colours[ECO_SQUARE_AREA];

    if (planes->biome)
        true_biomes(square, biomes);
    if (planes->height)
        mix_heights(panel->world, square, block_x, block_z, grid->step, heights);
    if (planes->colour)
        mix_colours(panel->world, square, colours);
    for (int row = 0; row < ECO_SQUARE_SIDE; row++) {
        for (int column = 0; column < ECO_SQUARE_SIDE; column++) {
            int64_t x = sample_x + column, z = sample_z + row;
            int from = row * ECO_SQUARE_SIDE + column;
            size_t to;

            if (x < panel->first_x || x >= panel->end_x || z < panel->first_z || z >= panel->end_z)
                continue;
            to = (size_t)(z - panel->origin_z) * grid->width + (size_t)(x - panel->origin_x);
            if (planes->biome)
                planes->biome[to] = biomes[from];
            if (planes->height)
                planes->height[to] = heights[from];
            if (planes->colour)
                planes->colour[to] = colours[from];
            for (unsigned b = 0; planes->weights && b < square->count; b++)
                planes->weights[square->biomes[b] * area + to] =
                    square->weights ? square->weights[b][from] : 1.0f;
        }
    }
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int chunk_job(void *context, size_t index, struct eco_arena *scratch)
{
    const struct panel *panel = context;
    const struct patchwork *world = panel->world;
    int64_t chunk = world->config->blend.chunk, step = panel->grid->step;
    int64_t chunk_x = panel->chunk_x + (int64_t)index % panel->chunks_x;
    int64_t chunk_z = panel->chunk_z + (int64_t)index / panel->chunks_x;
    int64_t first_x = greater(chunk_x * chunk, panel->first_x) & ~(int64_t)7;
    int64_t first_z = greater(chunk_z * chunk, panel->first_z) & ~(int64_t)7;
    int64_t end_x = lesser((chunk_x + 1) * chunk, panel->end_x);
    int64_t end_z = lesser((chunk_z + 1) * chunk, panel->end_z);
    struct eco_blend_candidates candidates = {0};
    int code = 0;

    if (panel->blended) {
        struct eco_rect rect = {
            (double)(first_x * step + panel->phase_x), (double)(first_z * step + panel->phase_z),
            (double)(((end_x + 7) & ~(int64_t)7) * step - step + panel->phase_x),
            (double)(((end_z + 7) & ~(int64_t)7) * step - step + panel->phase_z)};

        code = eco_blend_candidates_find(&panel->points, &rect, scratch, &candidates);
    }
    for (int64_t z = first_z; !code && z < end_z; z += ECO_SQUARE_SIDE) {
        for (int64_t x = first_x; !code && x < end_x; x += ECO_SQUARE_SIDE) {
            struct eco_arena_mark mark = eco_arena_mark(scratch);
            int64_t block_x = x * step + panel->phase_x, block_z = z * step + panel->phase_z;
            struct eco_square square;

            code = panel->blended ? eco_blend_square(&panel->points, &candidates, block_x, block_z,
                                                     step, scratch, &square)
                                  : direct_square(world, block_x, block_z, step, scratch, &square);
            if (!code)
                write_square(panel, &square, x, z);
            eco_arena_rewind(scratch, mark);
        }
    }
    return code;
}

static int sample_panel(struct panel *panel, struct eco_sampler *sampler, struct eco_error *error)
{
    const struct patchwork *world = panel->world;
    int64_t chunk = world->config->blend.chunk, step = panel->grid->step;
    int64_t chunks_z;
    int code = 0;

    if (panel->blended) {
        /* Whole squares, since a square's bits must not depend on how much of it is asked for. */
        int64_t x0 = panel->first_x & ~(int64_t)7, x1 = ((panel->end_x + 7) & ~(int64_t)7) - 1;
        int64_t z0 = panel->first_z & ~(int64_t)7, z1 = ((panel->end_z + 7) & ~(int64_t)7) - 1;
        struct eco_rect rect = {
            (double)(x0 * step + panel->phase_x), (double)(z0 * step + panel->phase_z),
            (double)(x1 * step + panel->phase_x), (double)(z1 * step + panel->phase_z)};

        code =
            eco_blend_points_gather(&world->blend, &rect, &sampler->arena, &panel->points, error);
        if (!code)
            code = eco_executor_run(sampler->executor,
                                    (panel->points.count + POINTS_A_JOB - 1) / POINTS_A_JOB,
                                    ask_points_job, panel, &sampler->arena);
    }
    if (code)
        return code;
    panel->chunk_x = eco_floor_div(panel->first_x, chunk);
    panel->chunk_z = eco_floor_div(panel->first_z, chunk);
    panel->chunks_x = eco_floor_div(panel->end_x - 1, chunk) - panel->chunk_x + 1;
    chunks_z = eco_floor_div(panel->end_z - 1, chunk) - panel->chunk_z + 1;
    return eco_executor_run(sampler->executor, (size_t)(panel->chunks_x * chunks_z), chunk_job,
                            panel, &sampler->arena);
}

static int patchwork_sample(const void *state, const struct eco_grid *grid, unsigned mask,
                            struct eco_sampler *sampler, struct eco_planes *planes,
                            struct eco_error *error)
{
    const struct patchwork *world = state;
    struct panel panel = {
        .world = world,
        .grid = grid,
        .planes = planes,
        .blended = (double)grid->step <= world->spacing,
        .phase_x = eco_floor_mod(grid->x0, grid->step),
        .phase_z = eco_floor_mod(grid->z0, grid->step),
        .origin_x = eco_floor_div(grid->x0, grid->step),
        .origin_z = eco_floor_div(grid->z0, grid->step),
    };
    int64_t end_x = panel.origin_x + grid->width, end_z = panel.origin_z + grid->height;
    struct eco_arena_mark mark = eco_arena_mark(&sampler->arena);
    int code = 0;

    (void)mask;
    for (int64_t z = panel.origin_z; !code && z < end_z; z += PANEL_SIDE) {
        for (int64_t x = panel.origin_x; !code && x < end_x; x += PANEL_SIDE) {
            panel.first_x = x;
            panel.first_z = z;
            panel.end_x = lesser(x + PANEL_SIDE, end_x);
            panel.end_z = lesser(z + PANEL_SIDE, end_z);
            code = sample_panel(&panel, sampler, error);
            eco_arena_rewind(&sampler->arena, mark);
        }
    }
    if (code == ECO_ENOMEM)
        eco_error_set(error, ECO_ENOMEM, "no memory to sample %u x %u of the world '%s'",
                      grid->width, grid->height, world->config->name);
    return code;
}

const struct eco_generator eco_generator_patchwork = {
    .name = "patchwork",
    .revision = 1,
    .open = patchwork_open,
    .close = patchwork_close,
    .sample = patchwork_sample,
};
