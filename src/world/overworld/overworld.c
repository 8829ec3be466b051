/*
 * The overworld generator: climate makes lands of Voronoi cells, land noise makes coasts, each land
 * filters the height in its own way, borders are blended by scattered sample points, and rivers
 * follow the borders down to the sea.
 *
 * Where a sample spans more than half the spacing of the sample points, lands give way to each
 * other along the borders of cells. Where cells are smaller than a few samples, a sample takes the
 * common land of the lattice step that it lies in, and rivers, hills, edges and islands of
 * mushrooms are left out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "world/generator.h"
#include "world/mix.h"
#include "world/overworld/overworld.h"

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

/* Cells smaller than so many samples are left out. */
#define CELL_SAMPLES_MIN 3.0

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
    if (config->lands)
        memcpy(plan->diagram.land, config->lands, sizeof(plan->diagram.land));
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

static void set_trees(struct eco_overworld *world, int64_t seed)
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
    struct eco_overworld *world = state;

    if (!world)
        return;
    free(world->colours);
    free(world);
}

static int overworld_open(const struct eco_world_config *config, int64_t seed,
                          enum eco_blend_method blend, void **state, struct eco_error *error)
{
    const struct eco_overworld_config *own = &config->overworld;
    struct eco_overworld *world = calloc(1, sizeof(*world));

    *state = NULL;
    if (!world)
        goto no_memory;
    world->config = config;
    eco_blending_init(&world->blending, config, seed, blend);
    world->strip = (float)eco_blend_radius(&world->blending.blend);
    set_plan(&world->plan, own, seed);
    set_fractal(&world->rivers.gate, seed, STREAM_GATE, own->land_wavelength * own->scale, 1);
    /* No river is wider than a cell. */
    world->rivers.farthest = (float)world->plan.lattice.pitch;
    world->rivers.wide = fminf((float)own->wide_width, world->rivers.farthest) * 0.5f;
    world->rivers.narrow = fminf((float)own->narrow_width, world->rivers.farthest) * 0.5f;
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

/* --- planes ---------------------------------------------------------------------------------- */

/* Writes those of a square's floats that lie in the grid into a plane; NULL: it was not asked for.
 */
static void put_floats(const struct eco_grid *grid, const struct eco_square_place *place,
                       const float values[ECO_SQUARE_AREA], float *plane)
{
    size_t count = (size_t)(place->end_column - place->first_column);

    for (int row = place->first_row; plane && row < place->end_row; row++) {
        size_t to =
            (size_t)(place->z + row) * grid->width + (size_t)(place->x + place->first_column);

        memcpy(plane + to, values + row * ECO_SQUARE_SIDE + place->first_column,
               count * sizeof(*values));
    }
}

static void put_cells(const struct eco_grid *grid, const struct eco_square_place *place,
                      const uint64_t cells[ECO_SQUARE_AREA], uint64_t *plane)
{
    size_t count = (size_t)(place->end_column - place->first_column);

    for (int row = place->first_row; plane && row < place->end_row; row++) {
        size_t to =
            (size_t)(place->z + row) * grid->width + (size_t)(place->x + place->first_column);

        memcpy(plane + to, cells + row * ECO_SQUARE_SIDE + place->first_column,
               count * sizeof(*cells));
    }
}

static void put_climate(const struct eco_overworld_sampling *sampling,
                        const struct eco_square_place *place)
{
    const struct eco_planes *planes = sampling->planes;
    const struct eco_grid *grid = sampling->grid;
    struct eco_climate_levels levels[ECO_SQUARE_AREA];
    float celsius[ECO_SQUARE_AREA], millimetres[ECO_SQUARE_AREA];
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
        eco_overworld_coarse(sampling->world, place->block_x, place->block_z, grid->step,
                             ECO_SQUARE_SIDE, levels);
    }
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        celsius[k] = eco_climate_celsius(levels[k].temperature);
        millimetres[k] = eco_climate_millimetres(levels[k].precipitation);
    }
    put_floats(grid, place, celsius, planes->temperature);
    put_floats(grid, place, millimetres, planes->precipitation);
    put_cells(grid, place, cells, planes->cell);
}

static void take_square(void *context, const struct eco_square_place *place,
                        const struct eco_square *lands, const struct eco_square *full)
{
    const struct eco_overworld_sampling *sampling = context;
    const struct eco_overworld *world = sampling->world;
    const struct eco_planes *planes = sampling->planes;
    struct eco_covered_square covered_square;
    const struct eco_square *square = &covered_square.square;
    uint8_t biomes[ECO_SQUARE_AREA];
    uint32_t colours[ECO_SQUARE_AREA];
    struct eco_ground ground;

    if (planes->temperature || planes->precipitation || planes->cell)
        put_climate(sampling, place);
    eco_ground_make(sampling, place, lands, &ground);
    eco_ground_cover(world, lands, &ground, &covered_square);
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
    put_floats(sampling->grid, place, ground.river, planes->river);
}

/* A point's land, as the biome of its dry ground. */
static void take_point(void *context, uint32_t column, uint32_t row, uint8_t land)
{
    const struct eco_overworld_sampling *sampling = context;
    uint8_t biome = eco_ground_biome(sampling->world, &eco_land_infos[land], ECO_COVER_LAND);

    sampling->planes->points[(size_t)row * sampling->grid->width + column] = (uint16_t)(biome + 1);
}

struct eco_rect eco_overworld_reach(const struct eco_overworld *world, const struct eco_grid *grid)
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
    const struct eco_overworld *world = state;
    struct eco_planes full = *planes;
    struct eco_overworld_sampling sampling = {.world = world, .grid = grid, .planes = &full};
    double step = (double)grid->step;
    bool cells = CELL_SAMPLES_MIN * step <= world->plan.lattice.pitch;
    struct eco_blending_grid blends;
    struct eco_realm realm;
    struct eco_blend_area area = {
        .grid = grid,
        .chunk = world->config->blend.chunk,
        .ask = eco_overworld_ask,
        .direct = eco_overworld_direct,
        .take = take_square,
        .point = mask & ECO_FIELD_POINTS ? take_point : NULL,
        .context = &sampling,
    };
    int code;

    if (planes->trees && need_ground(grid, &sampler->arena, &full))
        return eco_error_set(error, ECO_ENOMEM, "no memory for the trees of %u x %u samples",
                             grid->width, grid->height);
    /* Without cells there is nothing to ask about at points. */
    eco_blending_choose(&world->blending, mask,
                        cells ? ECO_OVERWORLD_POINTS_APART * step : (double)INFINITY, &blends,
                        &area);
    sampling.blended = area.blend != NULL;
    if (cells) {
        struct eco_rect rect = eco_overworld_reach(world, grid);

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
    .revision = 4,
    .fields = ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_WEIGHTS |
              ECO_FIELD_TEMPERATURE | ECO_FIELD_PRECIPITATION | ECO_FIELD_RIVER | ECO_FIELD_TREES |
              ECO_FIELD_CELL | ECO_FIELD_BORDER | ECO_FIELD_BLEND_ERROR | ECO_FIELD_POINTS,
    .open = overworld_open,
    .close = overworld_close,
    .sample = overworld_sample,
    .survey = eco_overworld_survey,
};
