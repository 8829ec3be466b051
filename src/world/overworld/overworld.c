/*
 * The overworld generator: climate makes lands of Voronoi cells, land noise makes coasts, each land
 * filters the height in its own way, borders are blended by scattered sample points, and rivers
 * follow the borders down to the sea.
 *
 * Where a sample spans more than half the spacing of the sample points, each sample takes the land
 * of its cell, and where cells are smaller than a few samples, that of its climate.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "blend/area.h"
#include "world/blending.h"
#include "world/generator.h"
#include "world/mix.h"
#include "world/overworld/realm.h"
#include "world/overworld/rivers.h"
#include "world/overworld/trees.h"

enum stream {
    STREAM_CELLS = 16,
    STREAM_ROUGH_X,
    STREAM_ROUGH_Z,
    STREAM_CLIMATE,
    STREAM_LAND,
    STREAM_CONTINENTS,
    STREAM_GATE,
    STREAM_TREES,
};

#define CONTINENT_OCTAVES 4

/* Sample points closer together than so many samples are not worth gathering. */
#define BLEND_SAMPLES_MIN 1.4

/* Cells smaller than so many samples are left out. */
#define CELL_SAMPLES_MIN 3.0

struct overworld {
    const struct eco_world_config *config;
    struct eco_blending blending;
    float strip; /* over which lands give way to each other, blocks from the border */
    struct eco_realm_plan plan;
    struct eco_rivers rivers;
    struct eco_trees trees;
    float sea_level, land_height, sea_depth, bed; /* bed: of a river, as a land value */
    float (*colours)[3];
    uint8_t index_of[256]; /* of a catalogue id in the world's biome list */
};

/* One grid while it is sampled; its squares write to disjoint samples. */
struct sampling {
    const struct overworld *world;
    const struct eco_grid *grid;
    const struct eco_planes *planes;
    const struct eco_realm *realm; /* NULL: too coarse for cells */
    bool blended;
};

static void set_fractal(struct eco_fractal *fractal, int64_t seed, enum stream stream,
                        double wavelength, unsigned octaves)
{
    fractal->fold = ECO_FOLD_NONE;
    fractal->octaves = octaves;
    fractal->frequency_x = fractal->frequency_z = 1.0 / wavelength;
    for (unsigned octave = 0; octave < octaves; octave++)
        fractal->seeds[octave] = eco_seed_derive(seed, (uint64_t)stream << 8 | octave);
}

static void set_plan(struct eco_realm_plan *plan, const struct eco_overworld_config *config,
                     int64_t seed)
{
    double scale = config->scale;

    plan->lattice = (struct eco_cell_lattice){eco_seed_derive(seed, (uint64_t)STREAM_CELLS << 8),
                                              config->pitch * scale, config->rounds};
    set_fractal(&plan->roughness.x, seed, STREAM_ROUGH_X, config->roughness_wavelength * scale,
                config->roughness_octaves);
    set_fractal(&plan->roughness.z, seed, STREAM_ROUGH_Z, config->roughness_wavelength * scale,
                config->roughness_octaves);
    plan->roughness.amplitude = config->roughness * scale;
    plan->climate.frequency = 1.0 / (config->climate_wavelength * scale);
    plan->climate.equalise = config->equalise;
    for (unsigned k = 0; k < 2; k++)
        plan->climate.seeds[k] = eco_seed_derive(seed, (uint64_t)STREAM_CLIMATE << 8 | k);
    eco_diagram_init(&plan->diagram);
    for (unsigned k = 0; k < config->patches_count; k++) {
        const struct eco_diagram_patch *patch = &config->patches[k];

        eco_diagram_paint(&plan->diagram, patch->land, patch->t0, patch->t1, patch->p0, patch->p1);
    }
    set_fractal(&plan->terrain.land, seed, STREAM_LAND, config->land_wavelength * scale,
                config->land_octaves);
    set_fractal(&plan->terrain.continents, seed, STREAM_CONTINENTS,
                config->continent_wavelength * scale, CONTINENT_OCTAVES);
    plan->terrain.continent_weight = (float)config->continent_weight;
    plan->terrain.gain = 0.85f;
    plan->terrain.sea_bias = 0.06f;
    for (unsigned k = 0; k < ECO_LAND_COUNT; k++)
        eco_filter_init(&plan->terrain.filters[k], &eco_filter_curves[k]);
}

static void set_trees(struct overworld *world, int64_t seed)
{
    eco_trees_init(&world->trees, seed, STREAM_TREES);
    world->trees.lowest = world->sea_level + 0.5f;
    world->trees.highest = world->sea_level + (float)world->config->overworld.tree_limit;
    memset(world->trees.land_of, ECO_LAND_COUNT, sizeof(world->trees.land_of));
    for (unsigned k = 0; k < eco_land_info_count; k++)
        world->trees.land_of[world->index_of[eco_land_infos[k].id]] = eco_land_infos[k].land;
}

static void overworld_close(void *state)
{
    struct overworld *world = state;

    if (!world)
        return;
    free(world->colours);
    free(world);
}

static int overworld_open(const struct eco_world_config *config, int64_t seed,
                          enum eco_blend_method blend, void **state, struct eco_error *error)
{
    const struct eco_overworld_config *own = &config->overworld;
    struct overworld *world = calloc(1, sizeof(*world));

    *state = NULL;
    if (!world)
        goto no_memory;
    world->config = config;
    eco_blending_init(&world->blending, config, seed, blend);
    world->strip = (float)eco_blend_radius(&world->blending.blend);
    set_plan(&world->plan, own, seed);
    set_fractal(&world->rivers.gate, seed, STREAM_GATE, own->land_wavelength * own->scale, 1);
    world->rivers.wide = (float)own->wide_width * 0.5f;
    world->rivers.narrow = (float)own->narrow_width * 0.5f;
    world->rivers.wide_limit = (float)(own->wide_limit / own->land_height);
    world->rivers.narrow_limit = (float)(own->narrow_limit / own->land_height);
    world->rivers.land_height = (float)own->land_height;
    world->sea_level = (float)config->sea_level;
    world->land_height = (float)own->land_height;
    world->sea_depth = (float)own->sea_depth;
    world->bed = (float)(own->river_depth / own->sea_depth);
    world->colours = calloc(config->biomes_count, sizeof(*world->colours));
    if (!world->colours)
        goto no_memory;
    eco_mix_palette(config, world->colours);
    for (unsigned b = 0; b < config->biomes_count; b++)
        world->index_of[config->biomes[b].biome.id & 255] = (uint8_t)b;
    set_trees(world, seed);
    *state = world;
    return 0;
no_memory:
    overworld_close(world);
    return eco_error_set(error, ECO_ENOMEM, "no memory for the world '%s'", config->name);
}

/* --- lands ---------------------------------------------------------------------------------- */

static void ask_lands(void *context, const double *x, const double *z, size_t count, uint8_t *lands)
{
    const struct sampling *sampling = context;
    size_t cells[ECO_REALM_BATCH];

    for (size_t first = 0; first < count; first += ECO_REALM_BATCH) {
        size_t batch = count - first < ECO_REALM_BATCH ? count - first : ECO_REALM_BATCH;

        eco_realm_points(sampling->realm, x + first, z + first, batch, cells);
        for (size_t k = 0; k < batch; k++)
            lands[first + k] = sampling->realm->cells[cells[k]].land;
    }
}

/* Weights of lands where samples are too coarse for scattered blending: a land gives way to another
 * over a strip along the border of its cell that is at least as wide as a sample. */
static int border_lands(const struct sampling *sampling, const struct eco_square_place *place,
                        struct eco_arena *scratch, struct eco_square *square)
{
    const struct eco_realm *realm = sampling->realm;
    int64_t step = sampling->grid->step;
    float strip = fmaxf(sampling->world->strip, 0.75f * (float)step);
    float border[ECO_SQUARE_AREA], sum[ECO_SQUARE_AREA] = {0};
    uint8_t slot[ECO_BIOMES_MAX];
    bool seen[ECO_BIOMES_MAX] = {false};
    struct eco_surroundings *around = eco_arena_alloc(scratch, 1, sizeof(*around));
    struct eco_near *near;

    square->extra = around;
    if (!around)
        return ECO_ENOMEM;
    near = &around->near;
    eco_realm_square(realm, place->block_x, place->block_z, step,
                     fmaxf(strip, eco_rivers_reach(&sampling->world->rivers, step)), near,
                     &around->nearest);
    for (unsigned n = 0; n < near->count; n++)
        seen[realm->cells[near->cell[n]].land] = true;
    square->count = 0;
    for (unsigned b = 0; b < eco_land_info_count; b++) {
        slot[b] = (uint8_t)square->count;
        if (seen[b])
            square->biomes[square->count++] = (uint8_t)b;
    }
    square->weights = NULL;
    if (square->count == 1)
        return 0;
    square->weights = eco_arena_alloc(scratch, square->count, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    memset(square->weights, 0, square->count * sizeof(*square->weights));
    for (unsigned n = 0; n < near->count; n++) {
        float *weights = square->weights[slot[realm->cells[near->cell[n]].land]];

        eco_near_border(near, &around->nearest, n, border);
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            float weight = 1.0f - border[k] / strip;

            weight = weight > 0.0f ? weight * weight : 0.0f;
            weights[k] += weight;
            sum[k] += weight;
        }
    }
    for (unsigned b = 0; b < square->count; b++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            square->weights[b][k] /= sum[k];
    }
    return 0;
}

static int direct_lands(void *context, const struct eco_square_place *place,
                        struct eco_arena *scratch, struct eco_square *square)
{
    const struct sampling *sampling = context;
    const struct eco_realm_plan *plan = &sampling->world->plan;
    struct eco_climate_levels levels[ECO_SQUARE_AREA];
    uint8_t lands[ECO_SQUARE_AREA];

    if (sampling->realm)
        return border_lands(sampling, place, scratch, square);
    eco_climate_square(&plan->climate, place->block_x, place->block_z, sampling->grid->step,
                       levels);
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        lands[k] = (uint8_t)eco_land_index(eco_rules_base(&plan->diagram, levels[k]));
    return eco_blend_hard_square(lands, scratch, square);
}

/* --- ground --------------------------------------------------------------------------------- */

/* What a square of the ground is made of. Heights are 0 at the coast. */
struct ground {
    float land[ECO_SQUARE_AREA];   /* land value: below 0 is sea */
    float height[ECO_SQUARE_AREA]; /* with rivers carved in */
    float river[ECO_SQUARE_AREA];
};

/* A mushroom island rises from the sea wherever its cell is. */
static void raise_islands(const struct eco_square *square, float sharp[ECO_SQUARE_AREA],
                          float smooth[ECO_SQUARE_AREA])
{
    for (unsigned b = 0; b < square->count; b++) {
        if (eco_land_infos[square->biomes[b]].id != ECO_ID_MUSHROOM_ISLAND)
            continue;
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            float weight = square->weights ? square->weights[b][k] : 1.0f;
            float wild = sharp[k] - smooth[k];

            sharp[k] += weight * (0.1f + 1.5f * wild - sharp[k]);
            smooth[k] += weight * (0.2f - smooth[k]);
        }
    }
}

/* A river bed ends where the land value of the sea is below minus this. */
#define MOUTH 0.04f

static void make_ground(const struct sampling *sampling, const struct eco_square_place *place,
                        const struct eco_square *square, struct ground *ground)
{
    const struct overworld *world = sampling->world;
    const struct eco_terrain *terrain = &world->plan.terrain;
    int64_t step = sampling->grid->step;
    float smooth[ECO_SQUARE_AREA];

    eco_terrain_square(terrain, place->block_x, place->block_z, step, ground->land, smooth);
    raise_islands(square, ground->land, smooth);
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        ground->height[k] = ground->land[k] < 0.0f ? ground->land[k] : 0.0f;
    for (unsigned b = 0; b < square->count; b++) {
        const struct eco_land_info *info = &eco_land_infos[square->biomes[b]];

        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            float weight = square->weights ? square->weights[b][k] : 1.0f;

            if (ground->land[k] > 0.0f && weight > 0.0f)
                ground->height[k] +=
                    weight * eco_terrain_land(terrain, info, ground->land[k], smooth[k]);
        }
    }
    if (!sampling->realm) {
        memset(ground->river, 0, sizeof(ground->river));
        return;
    }
    eco_rivers_square(&world->rivers, sampling->realm, place->block_x, place->block_z, step,
                      ground->height, sampling->blended ? NULL : square->extra, ground->river);
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        float over = ground->height[k] + world->bed;
        float out = 1.0f + ground->land[k] / MOUTH; /* at sea: 1 at the coast */

        ground->river[k] *= out < 1.0f ? (out > 0.0f ? out : 0.0f) : 1.0f;

        if (over > 0.0f)
            ground->height[k] -= ground->river[k] * over;
    }
}

/* --- biomes ---------------------------------------------------------------------------------- */

/* Land value down from which the sea is deep. */
#define DEEP_FROM (-0.42f)

/* Land values over which the shore gives way to the land. */
#define SHORE_FROM 0.02f
#define SHORE_TO 0.05f

enum cover { COVER_LAND, COVER_SHORE, COVER_RIVER, COVER_SEA, COVER_DEEP, COVER_KINDS };

/* How much of each sample is what kind of cover, and whether there is any in the square. */
struct covers {
    bool any[COVER_KINDS];
    float share[COVER_KINDS][ECO_SQUARE_AREA];
};

static void find_covers(const struct ground *ground, struct covers *covers)
{
    memset(covers, 0, sizeof(*covers));
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        float land = ground->land[k], shore = (SHORE_TO - land) / (SHORE_TO - SHORE_FROM);
        enum cover water = land < DEEP_FROM ? COVER_DEEP : land < 0.0f ? COVER_SEA : COVER_RIVER;

        if (ground->height[k] < 0.0f) {
            covers->share[water][k] = 1.0f;
            covers->any[water] = true;
            continue;
        }
        shore = shore > 0.0f ? (shore < 1.0f ? shore : 1.0f) : 0.0f;
        covers->share[COVER_SHORE][k] = shore;
        covers->share[COVER_LAND][k] = 1.0f - shore;
        covers->any[COVER_SHORE] |= shore > 0.0f;
        covers->any[COVER_LAND] |= shore < 1.0f;
    }
}

static uint8_t covered(const struct overworld *world, const struct eco_land_info *info,
                       enum cover cover)
{
    const uint8_t ids[COVER_KINDS] = {info->id, info->shore, info->river, info->sea,
                                      info->sea == ECO_ID_OCEAN ? ECO_ID_DEEP_OCEAN : info->sea};

    return world->index_of[ids[cover]];
}

/* A square of biomes with room for its weights. */
struct covered_square {
    struct eco_square square;
    float weights[ECO_BIOMES_MAX][ECO_SQUARE_AREA];
};

/* From weights of lands to weights of biomes: seas, shores and rivers take their share. */
static void cover_lands(const struct overworld *world, const struct eco_square *lands,
                        const struct ground *ground, struct covered_square *out)
{
    bool seen[ECO_BIOMES_MAX] = {false};
    uint8_t slot[ECO_BIOMES_MAX];
    struct covers covers;

    find_covers(ground, &covers);
    for (unsigned b = 0; b < lands->count; b++) {
        for (unsigned c = 0; c < COVER_KINDS; c++) {
            if (covers.any[c])
                seen[covered(world, &eco_land_infos[lands->biomes[b]], c)] = true;
        }
    }
    out->square.count = 0;
    out->square.weights = out->weights;
    for (unsigned b = 0; b < world->config->biomes_count; b++) {
        if (!seen[b])
            continue;
        slot[b] = (uint8_t)out->square.count;
        memset(out->weights[out->square.count], 0, sizeof(out->weights[0]));
        out->square.biomes[out->square.count++] = (uint8_t)b;
    }
    for (unsigned b = 0; b < lands->count; b++) {
        for (unsigned c = 0; c < COVER_KINDS; c++) {
            float *to = out->weights[slot[covered(world, &eco_land_infos[lands->biomes[b]], c)]];

            for (unsigned k = 0; covers.any[c] && k < ECO_SQUARE_AREA; k++)
                to[k] += covers.share[c][k] * (lands->weights ? lands->weights[b][k] : 1.0f);
        }
    }
    if (out->square.count == 1)
        out->square.weights = NULL;
}

/* --- planes ---------------------------------------------------------------------------------- */

/* Where a square's sample (row, column) stands in the planes, for those in the grid. */
#define FOR_SAMPLES(place, grid, from, to)                                                         \
    for (int row = (place)->first_row; row < (place)->end_row; row++)                              \
        for (int column = (place)->first_column, from = row * ECO_SQUARE_SIDE + column, once = 1;  \
             once; once = 0)                                                                       \
            for (size_t to =                                                                       \
                     (size_t)((place)->z + row) * (grid)->width + (size_t)((place)->x + column);   \
                 column < (place)->end_column; column++, from++, to++)

static void put_climate(const struct sampling *sampling, const struct eco_square_place *place)
{
    const struct eco_planes *planes = sampling->planes;
    const struct eco_grid *grid = sampling->grid;
    struct eco_climate_levels levels[ECO_SQUARE_AREA];
    uint64_t cells[ECO_SQUARE_AREA] = {0};

    if (sampling->realm) {
        struct eco_nearest nearest;
        struct eco_near near;

        eco_realm_square(sampling->realm, place->block_x, place->block_z, grid->step, 0.0f, &near,
                         &nearest);
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            const struct eco_realm_cell *cell = &sampling->realm->cells[near.cell[nearest.site[k]]];

            levels[k] = cell->climate;
            cells[k] = cell->id;
        }
    } else {
        eco_climate_square(&sampling->world->plan.climate, place->block_x, place->block_z,
                           grid->step, levels);
    }
    FOR_SAMPLES(place, grid, from, to)
    {
        if (planes->temperature)
            planes->temperature[to] = eco_climate_celsius(levels[from].temperature);
        if (planes->precipitation)
            planes->precipitation[to] = eco_climate_millimetres(levels[from].precipitation);
        if (planes->cell)
            planes->cell[to] = cells[from];
    }
}

static void take_square(void *context, const struct eco_square_place *place,
                        const struct eco_square *lands, const struct eco_square *full)
{
    const struct sampling *sampling = context;
    const struct overworld *world = sampling->world;
    const struct eco_planes *planes = sampling->planes;
    struct covered_square covered_square;
    const struct eco_square *square = &covered_square.square;
    uint8_t biomes[ECO_SQUARE_AREA];
    uint32_t colours[ECO_SQUARE_AREA];
    struct ground ground;

    if (planes->temperature || planes->precipitation || planes->cell)
        put_climate(sampling, place);
    make_ground(sampling, place, lands, &ground);
    cover_lands(world, lands, &ground, &covered_square);
    if (planes->biome)
        eco_mix_biomes(square, biomes);
    if (planes->colour)
        eco_mix_colours(square, world->colours, colours);
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        ground.height[k] =
            world->sea_level +
            ground.height[k] * (ground.height[k] > 0.0f ? world->land_height : world->sea_depth);
    eco_mix_put(sampling->grid, place, square, biomes, ground.height, colours, planes);
    eco_mix_put_blend(sampling->grid, place, lands, full, planes);
    if (planes->river) {
        FOR_SAMPLES(place, sampling->grid, from, to)
        planes->river[to] = ground.river[from];
    }
}

/* A point's land, as the biome of its dry ground. */
static void take_point(void *context, uint32_t column, uint32_t row, uint8_t land)
{
    const struct sampling *sampling = context;
    uint8_t biome = covered(sampling->world, &eco_land_infos[land], COVER_LAND);

    sampling->planes->points[(size_t)row * sampling->grid->width + column] = (uint16_t)(biome + 1);
}

/* The ground that all squares of a grid may ask about, blocks. */
static struct eco_rect reach_of(const struct overworld *world, const struct eco_grid *grid)
{
    double more = eco_blending_reach(&world->blending, grid->step);

    return (struct eco_rect){(double)grid->x0 - more, (double)grid->z0 - more,
                             (double)(grid->x0 + grid->step * grid->width) + more,
                             (double)(grid->z0 + grid->step * grid->height) + more};
}

/* Adds the planes that trees grow on, where they were not asked for. */
static int need_ground(const struct eco_grid *grid, struct eco_arena *arena,
                       struct eco_planes *planes)
{
    size_t area = (size_t)grid->width * grid->height;

    if (!planes->biome)
        planes->biome = eco_arena_alloc(arena, area, sizeof(*planes->biome));
    if (!planes->height)
        planes->height = eco_arena_alloc(arena, area, sizeof(*planes->height));
    return planes->biome && planes->height ? 0 : ECO_ENOMEM;
}

static int overworld_sample(const void *state, const struct eco_grid *grid, unsigned mask,
                            struct eco_sampler *sampler, struct eco_planes *planes,
                            struct eco_error *error)
{
    const struct overworld *world = state;
    struct eco_planes full = *planes;
    struct sampling sampling = {.world = world, .grid = grid, .planes = &full};
    double step = (double)grid->step;
    struct eco_blending_grid blends;
    struct eco_realm realm;
    struct eco_blend_area area = {
        .grid = grid,
        .chunk = world->config->blend.chunk,
        .ask = ask_lands,
        .direct = direct_lands,
        .take = take_square,
        .point = mask & ECO_FIELD_POINTS ? take_point : NULL,
        .context = &sampling,
    };
    int code;

    if (planes->trees && need_ground(grid, &sampler->arena, &full))
        return eco_error_set(error, ECO_ENOMEM, "no memory for the trees of %u x %u samples",
                             grid->width, grid->height);
    eco_blending_choose(&world->blending, mask, BLEND_SAMPLES_MIN * step, &blends, &area);
    sampling.blended = area.blend != NULL;
    if (CELL_SAMPLES_MIN * step <= world->plan.lattice.pitch) {
        struct eco_rect rect = reach_of(world, grid);

        if (eco_realm_make(&world->plan, &rect, &sampler->arena, &realm))
            return eco_error_set(error, ECO_ENOMEM, "no memory for the cells of %u x %u samples",
                                 grid->width, grid->height);
        sampling.realm = &realm;
    }
    code = eco_blend_area_run(&area, sampler->executor, &sampler->arena, error);
    if (!code && planes->trees && eco_trees_count(&world->trees, grid, &sampler->arena, &full))
        code = eco_error_set(error, ECO_ENOMEM, "no memory for the trees of %u x %u samples",
                             grid->width, grid->height);
    return code;
}

const struct eco_generator eco_generator_overworld = {
    .name = "overworld",
    .revision = 1,
    .fields = ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_WEIGHTS |
              ECO_FIELD_TEMPERATURE | ECO_FIELD_PRECIPITATION | ECO_FIELD_RIVER | ECO_FIELD_TREES |
              ECO_FIELD_CELL | ECO_FIELD_BORDER | ECO_FIELD_BLEND_ERROR | ECO_FIELD_POINTS,
    .open = overworld_open,
    .close = overworld_close,
    .sample = overworld_sample,
};
