/*
 * The relief generator: eroded terrain with classes by height and slope. A grid is cut where the
 * blocks of the erosion grid meet; each part is sampled from its block alone.
 *
 * Which level of blocks a sample step reads: the first whose cells are not smaller than the step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/blending.h"
#include "world/block_cache.h"
#include "world/generator.h"
#include "world/mix.h"
#include "world/planes.h"
#include "world/relief/block.h"

#define LEVEL_STEPS 1
/* Cells of a block's margin that samples may lie in, so that a tile and the samples around it, that
 * its shading asks for, come from one block. */
#define SLACK (2 * LEVEL_STEPS)
#define BLOCK_LOG 8
_Static_assert(RELIEF_BLOCK == 1 << BLOCK_LOG, "blocks are found by shifts");
#define KIND_RELIEF 1

enum ground {
    GROUND_WATER,
    GROUND_BEACH,
    GROUND_PLAIN,
    GROUND_HILL,
    GROUND_CLIFF,
    GROUND_PEAK,
};

struct relief {
    const struct eco_world_config *config;
    struct eco_blending blending;
    struct relief_plan plan;
    int64_t seed;
    uint64_t hash; /* of its blocks */
    unsigned cell_log;
    float low, scale; /* blocks = low + scale * h */
    float (*colours)[3];
};

/* One grid while it is sampled. */
struct sampling {
    const struct relief *world;
    const struct eco_grid *grid;
    const struct eco_planes *planes;
    struct eco_block_cache *cache;
    struct eco_executor *executor; /* of the part, where there is but one */
    unsigned level, log;           /* 2^log blocks a cell of the level */
    int64_t bx, bz;                /* the first block */
    int64_t blocks_x, blocks_z;
};

/* A part of the grid and the block it lies in. */
struct part {
    const struct sampling *sampling;
    struct eco_grid grid;
    struct eco_planes planes; /* of the part */
    struct relief_block block;
    int64_t x0, z0; /* the cell of the block's first height */
    float slope;    /* rise over run for a difference of 1 between cells */
};

static void relief_close(void *state)
{
    struct relief *world = state;

    if (!world)
        return;
    free(world->colours);
    free(world);
}

/* Cells around a block that its samples may ask about: their own squares of samples are cut off at
 * what is there, but blending must find all that weighs. */
static uint32_t asked_cells(const struct relief *world)
{
    int64_t coarsest = (int64_t)LEVEL_STEPS << world->cell_log;
    struct eco_blending full = world->blending;
    double around = eco_blending_around(&full, 1), more;

    full.blend = eco_blend_by(&full.blend, ECO_BLEND_FULL);
    for (int64_t step = 1; step <= coarsest; step *= 2) {
        more = eco_blending_around(&full, step);
        around = more > around ? more : around;
    }
    return (uint32_t)(around / world->config->relief.cell) + 1 + SLACK;
}

/* Neither colours nor classes nor the method of blending decide what a block is; how far the blends
 * reach decides its margin. */
static uint64_t hash_blocks(const struct relief *world)
{
    uint64_t hash = eco_mix64(world->config->relief.hash ^ eco_generator_relief.revision);

    return eco_mix64(eco_mix64(hash + (uint64_t)world->seed) ^ world->plan.margin);
}

uint64_t eco_relief_blocks_hash(const struct eco_world_config *config, int64_t seed)
{
    struct relief world = {.config = config, .seed = seed};

    world.cell_log = (unsigned)__builtin_ctz(config->relief.cell);
    eco_blending_init(&world.blending, config, seed, config->blend.method);
    relief_plan_init(&world.plan, &config->relief, seed, asked_cells(&world));
    return hash_blocks(&world);
}

static int relief_open(const struct eco_world_config *config, int64_t seed,
                       enum eco_blend_method blend, void **state, struct eco_error *error)
{
    const struct eco_relief_config *relief = &config->relief;
    struct relief *world = calloc(1, sizeof(*world));

    *state = NULL;
    if (world)
        world->colours = calloc(config->biomes_count, sizeof(*world->colours));
    if (!world || !world->colours) {
        relief_close(world);
        return eco_error_set(error, ECO_ENOMEM, "no memory for the world '%s'", config->name);
    }
    world->config = config;
    eco_blending_init(&world->blending, config, seed, blend);
    world->seed = seed;
    world->cell_log = (unsigned)__builtin_ctz(relief->cell);
    world->low = (float)relief->low;
    world->scale = (float)(relief->high - relief->low);
    eco_mix_palette(config, world->colours);
    relief_plan_init(&world->plan, relief, seed, asked_cells(world));
    world->hash = hash_blocks(world);
    *state = world;
    return 0;
}

/* --- ground ---------------------------------------------------------------------------------- */

static size_t clamped(int64_t cell, size_t side)
{
    int64_t last = (int64_t)side - 2;

    cell = cell > 1 ? cell : 1;
    return (size_t)(cell < last ? cell : last);
}

/* Where the cell that holds a block of the world stands in the arrays. What lies beyond them is
 * never used; squares of samples reach over the edge of a part. */
static size_t place_of(const struct part *part, int64_t x, int64_t z)
{
    size_t side = part->sampling->world->plan.side;
    unsigned log = part->sampling->log;

    return clamped((z >> log) - part->z0, side) * side + clamped((x >> log) - part->x0, side);
}

static float slope_at(const struct part *part, size_t place)
{
    size_t side = part->sampling->world->plan.side;
    const float *at = part->block.height + place;
    float west = fabsf(*at - at[-1]), east = fabsf(*at - at[1]);
    float north = fabsf(*at - at[-(ptrdiff_t)side]), south = fabsf(*at - at[side]);
    float across = west > east ? west : east, along = north > south ? north : south;

    return (across > along ? across : along) * part->slope;
}

static uint8_t ground_at(const struct part *part, int64_t x, int64_t z)
{
    const struct relief *world = part->sampling->world;
    const struct eco_relief_config *relief = &world->config->relief;
    size_t place = place_of(part, x, z);
    double height = (double)(world->low + world->scale * part->block.height[place]);
    double slope = (double)slope_at(part, place), sea = world->config->sea_level;

    if (height < sea)
        return GROUND_WATER;
    if (slope >= relief->cliff_slope)
        return GROUND_CLIFF;
    if (height < sea + relief->beach && slope < relief->hill_slope)
        return GROUND_BEACH;
    if (height >= relief->peak)
        return GROUND_PEAK;
    return slope >= relief->hill_slope ? GROUND_HILL : GROUND_PLAIN;
}

static void ask_ground(void *context, const double *x, const double *z, size_t count,
                       uint8_t *biomes)
{
    const struct part *part = context;

    for (size_t k = 0; k < count; k++)
        biomes[k] = ground_at(part, (int64_t)floor(x[k]), (int64_t)floor(z[k]));
}

static int direct_square(void *context, const struct eco_square_place *place,
                         struct eco_arena *scratch, struct eco_square *square)
{
    const struct part *part = context;
    uint8_t biomes[ECO_SQUARE_AREA];

    for (int64_t k = 0; k < ECO_SQUARE_AREA; k++)
        biomes[k] = ground_at(part, place->block_x + k % ECO_SQUARE_SIDE * part->grid.step,
                              place->block_z + k / ECO_SQUARE_SIDE * part->grid.step);
    return eco_blend_hard_square(biomes, scratch, square);
}

static void take_square(void *context, const struct eco_square_place *place,
                        const struct eco_square *square, const struct eco_square *against)
{
    const struct part *part = context;
    struct eco_planes planes = part->planes;
    uint8_t biomes[ECO_SQUARE_AREA];
    uint32_t colours[ECO_SQUARE_AREA];

    if (planes.biome)
        eco_mix_biomes(square, biomes);
    if (planes.colour)
        eco_mix_colours(square, part->sampling->world->colours, colours);
    planes.height = NULL; /* that plane is filled by rows */
    eco_mix_put(&part->grid, place, square, biomes, NULL, colours, &planes);
    eco_mix_put_blend(&part->grid, place, square, against, &planes);
}

static void take_point(void *context, uint32_t column, uint32_t row, uint8_t ground)
{
    const struct part *part = context;

    part->planes.points[(size_t)row * part->grid.width + column] = (uint16_t)(ground + 1);
}

/* --- heights --------------------------------------------------------------------------------- */

/* The weights of four neighbours at t between the second and the third: a cubic through them. */
static void cubic(float t, float weights[4])
{
    float t2 = t * t, t3 = t2 * t;

    weights[0] = 0.5f * (2.0f * t2 - t3 - t);
    weights[1] = 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f);
    weights[2] = 0.5f * (4.0f * t2 - 3.0f * t3 + t);
    weights[3] = 0.5f * (t3 - t2);
}

/* Heights stand in the middle of their cells; *cell and *t: the one before a block of the world,
 * and how far it is to the next. */
static void split(const struct part *part, int64_t block, int64_t *cell, float *t)
{
    unsigned log = part->sampling->log;
    int64_t size = (int64_t)1 << log, from_middle = block - (size >> 1);

    *cell = from_middle >> log;
    *t = (float)(from_middle & (size - 1)) / (float)size;
}

/* A row of heights of cells at t between the second and the third of four rows. */
static void mix_rows(const float *rows, size_t side, float t, float *out)
{
    float w[4];

    cubic(t, w);
    for (size_t x = 0; x < side; x++)
        out[x] = (w[0] * rows[x] + w[1] * rows[side + x]) +
                 (w[2] * rows[2 * side + x] + w[3] * rows[3 * side + x]);
}

static int fill_heights(const struct part *part, struct eco_arena *scratch)
{
    const struct relief *world = part->sampling->world;
    const struct eco_grid *grid = &part->grid;
    size_t side = world->plan.side;
    float *row = eco_arena_alloc(scratch, side, sizeof(*row));
    int32_t *first = eco_arena_alloc(scratch, grid->width, sizeof(*first));
    float(*weights)[4] = eco_arena_alloc(scratch, grid->width, sizeof(*weights));

    if (!row || !first || !weights)
        return ECO_ENOMEM;
    for (uint32_t x = 0; x < grid->width; x++) {
        int64_t cell;
        float t;

        split(part, grid->x0 + x * grid->step, &cell, &t);
        first[x] = (int32_t)(cell - 1 - part->x0);
        cubic(t, weights[x]);
    }
    for (uint32_t z = 0; z < grid->height; z++) {
        float *out = part->planes.height + (size_t)z * grid->width;
        int64_t cell;
        float t;

        split(part, grid->z0 + z * grid->step, &cell, &t);
        mix_rows(part->block.height + (size_t)(cell - 1 - part->z0) * side, side, t, row);
        for (uint32_t x = 0; x < grid->width; x++) {
            const float *at = row + first[x], *w = weights[x];

            out[x] = world->low +
                     world->scale * ((w[0] * at[0] + w[1] * at[1]) + (w[2] * at[2] + w[3] * at[3]));
        }
    }
    return 0;
}

static void fill_local(const struct part *part)
{
    const struct eco_grid *grid = &part->grid;

    for (uint32_t z = 0; z < grid->height; z++) {
        for (uint32_t x = 0; x < grid->width; x++) {
            size_t place = place_of(part, grid->x0 + x * grid->step, grid->z0 + z * grid->step);
            size_t to = (size_t)z * grid->width + x;

            if (part->planes.slope)
                part->planes.slope[to] = slope_at(part, place);
            if (part->planes.use)
                part->planes.use[to] = part->block.use[place];
        }
    }
}

/* --- parts ----------------------------------------------------------------------------------- */

static int fill_part(struct part *part, struct eco_arena *scratch)
{
    const struct relief *world = part->sampling->world;
    const struct eco_planes *planes = &part->planes;
    struct eco_blending_grid blends;
    struct eco_blend_area area = {
        .grid = &part->grid,
        .chunk = world->config->blend.chunk,
        .ask = ask_ground,
        .direct = direct_square,
        .take = take_square,
        .point = planes->points ? take_point : NULL,
        .context = part,
    };
    int code = 0;

    if (part->sampling->level <= 1)
        eco_blending_choose(&world->blending, planes->blend_error ? ECO_FIELD_BLEND_ERROR : 0,
                            (double)part->grid.step, &blends, &area);
    if (planes->height)
        code = fill_heights(part, scratch);
    if (planes->slope || planes->use)
        fill_local(part);
    if (!code && (planes->biome || planes->colour || planes->weights || planes->border ||
                  planes->points || planes->blend_error))
        code = eco_blend_area_run(&area, part->sampling->executor, scratch, NULL);
    return code;
}

/* The blocks that the samples of one axis need: *first and their number. */
static int64_t blocks_of(const struct sampling *sampling, int64_t start, uint32_t count,
                         int64_t *first)
{
    int64_t end = start + sampling->grid->step * (int64_t)(count - 1);
    int64_t slack = (int64_t)SLACK << sampling->log, middle = start + (end - start) / 2;
    int64_t from = start + slack < middle ? start + slack : middle;
    int64_t to = end - slack > middle ? end - slack : middle;

    *first = from >> (sampling->log + BLOCK_LOG);
    return (to >> (sampling->log + BLOCK_LOG)) - *first + 1;
}

/* The samples of one axis that block `b`, the `index`th of `blocks`, answers: *first and their
 * number. */
static uint32_t span(const struct sampling *sampling, int64_t start, uint32_t count, int64_t b,
                     int64_t index, int64_t blocks, uint32_t *first)
{
    int64_t step = sampling->grid->step, side = (int64_t)RELIEF_BLOCK << sampling->log;
    int64_t from = index > 0 ? (b * side - start + step - 1) / step : 0;
    int64_t to = index + 1 < blocks ? ((b + 1) * side - start + step - 1) / step : count;

    *first = (uint32_t)from;
    return (uint32_t)(to - from);
}

struct making {
    const struct sampling *sampling;
    int64_t x, z;
};

static int make_block(void *context, void *block, struct eco_arena *arena)
{
    const struct making *making = context;

    return relief_block_make(&making->sampling->world->plan, making->sampling->level, making->x,
                             making->z, block, arena);
}

/* From the cache, or made here and now; *handle is NULL then. */
static int get_block(const struct sampling *sampling, struct making *making,
                     struct eco_arena *scratch, const void **block, void **handle)
{
    const struct relief *world = sampling->world;
    struct eco_block_key key = {world->hash, making->x,           making->z,  sampling->level,
                                KIND_RELIEF, world->config->name, world->seed};
    struct eco_arena_mark mark;
    void *memory;
    int code;

    *handle = NULL;
    if (sampling->cache)
        return sampling->cache->acquire(sampling->cache, &key, world->plan.block_bytes, make_block,
                                        making, scratch, block, handle);
    memory = eco_arena_alloc(scratch, world->plan.block_bytes, 1);
    if (!memory)
        return ECO_ENOMEM;
    mark = eco_arena_mark(scratch);
    code = make_block(making, memory, scratch);
    eco_arena_rewind(scratch, mark);
    *block = memory;
    return code;
}

/* A job of the executor: the part of the grid that lies in one block. */
static int sample_block(void *context, size_t index, struct eco_arena *scratch)
{
    const struct sampling *sampling = context;
    const struct relief *world = sampling->world;
    const struct eco_grid *grid = sampling->grid;
    unsigned biomes = world->config->biomes_count;
    int64_t ix = (int64_t)index % sampling->blocks_x, iz = (int64_t)index / sampling->blocks_x;
    struct making making = {sampling, sampling->bx + ix, sampling->bz + iz};
    struct part part = {.sampling = sampling, .grid = *grid};
    const void *block;
    uint32_t x, z;
    void *handle;
    int code;

    part.grid.width = span(sampling, grid->x0, grid->width, making.x, ix, sampling->blocks_x, &x);
    part.grid.height = span(sampling, grid->z0, grid->height, making.z, iz, sampling->blocks_z, &z);
    if (part.grid.width == 0 || part.grid.height == 0)
        return 0;
    part.grid.x0 += x * grid->step;
    part.grid.z0 += z * grid->step;
    part.x0 = making.x * RELIEF_BLOCK - world->plan.margin;
    part.z0 = making.z * RELIEF_BLOCK - world->plan.margin;
    part.slope = ldexpf(world->scale, -(int)sampling->log);
    code = get_block(sampling, &making, scratch, &block, &handle);
    if (code)
        return code;
    part.block = relief_block_at(&world->plan, block);
    code = eco_planes_alloc(sampling->planes, (size_t)part.grid.width * part.grid.height, biomes,
                            scratch, &part.planes);
    if (!code)
        code = fill_part(&part, scratch);
    if (!code)
        eco_planes_copy(&part.planes, &part.grid, x, z, biomes, sampling->planes, grid);
    if (handle)
        sampling->cache->release(sampling->cache, handle);
    return code;
}

static unsigned level_of(const struct relief *world, int64_t step)
{
    unsigned level = 0;

    if (step <= (int64_t)LEVEL_STEPS << world->cell_log)
        return 0;
    while (step > (int64_t)1 << (world->cell_log + level))
        level++;
    return level;
}

static int relief_sample(const void *state, const struct eco_grid *grid, unsigned mask,
                         struct eco_sampler *sampler, struct eco_planes *planes,
                         struct eco_error *error)
{
    const struct relief *world = state;
    struct sampling sampling = {
        .world = world,
        .grid = grid,
        .planes = planes,
        .cache = sampler->blocks,
        .level = level_of(world, grid->step),
    };
    int code;

    (void)mask;
    sampling.log = world->cell_log + sampling.level;
    sampling.blocks_x = blocks_of(&sampling, grid->x0, grid->width, &sampling.bx);
    sampling.blocks_z = blocks_of(&sampling, grid->z0, grid->height, &sampling.bz);
    if (sampling.blocks_x * sampling.blocks_z == 1)
        sampling.executor = sampler->executor;
    code = eco_executor_run(sampler->executor, (size_t)(sampling.blocks_x * sampling.blocks_z),
                            sample_block, &sampling, &sampler->arena);
    return code
               ? eco_error_set(error, (enum eco_code)code,
                               "no memory for %u x %u samples of relief", grid->width, grid->height)
               : 0;
}

const struct relief_plan *relief_plan_of(const struct eco_world *world)
{
    const struct relief *state = eco_world_state(world, &eco_generator_relief);

    return state ? &state->plan : NULL;
}

const struct eco_generator eco_generator_relief = {
    .name = "relief",
    .revision = 4,
    .fields = ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_WEIGHTS |
              ECO_FIELD_BORDER | ECO_FIELD_BLEND_ERROR | ECO_FIELD_POINTS | ECO_FIELD_SLOPE |
              ECO_FIELD_USE,
    .open = relief_open,
    .close = relief_close,
    .sample = relief_sample,
};
