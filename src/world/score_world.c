#include "world/score_world.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

#define SLOPE_MAX 64.0

/* Cells a side of the parts that a window is sampled in. */
#define PART 512

static int no_memory(const struct eco_grid *grid, struct eco_error *error)
{
    return eco_error_set(error, ECO_ENOMEM, "no memory for the score of %u x %u cells", grid->width,
                         grid->height);
}

void eco_score_defaults(const struct eco_world_config *config, struct eco_score_query *query)
{
    const struct eco_relief_play *play = &config->relief.play;
    bool relief = strcmp(config->generator, "relief") == 0;

    query->step = relief ? config->relief.cell : 1;
    query->rules = (struct eco_score_rules){play->unit_slope, play->building_slope, play->unit_size,
                                            play->building_size};
}

/* Cells along one axis that have their middle in the window. */
static int64_t cells_of(int64_t from, int64_t to, int64_t step, int64_t *first)
{
    int64_t cell = eco_floor_div(from + step - 1 - step / 2, step);

    *first = cell * step + step / 2;
    return to > *first ? (to - *first + step - 1) / step : 0;
}

static int check_rules(const struct eco_score_rules *rules, struct eco_error *error)
{
    if (!(rules->unit_slope > 0.0 && rules->unit_slope <= SLOPE_MAX) ||
        !(rules->building_slope > 0.0 && rules->building_slope <= SLOPE_MAX))
        return eco_error_set(error, ECO_EINVAL,
                             "a slope bound is out of range; rise over run, above 0 to %g",
                             SLOPE_MAX);
    if (rules->unit_size < 1 || rules->building_size < 1 || rules->unit_size > ECO_SCORE_SIZE_MAX ||
        rules->building_size > ECO_SCORE_SIZE_MAX)
        return eco_error_set(error, ECO_EINVAL, "a size is out of range; cells, 1 to %d",
                             ECO_SCORE_SIZE_MAX);
    return 0;
}

/* The grid of the window's cells and those around it. */
static int grid_of(const struct eco_score_query *query, uint64_t most, struct eco_grid *grid,
                   struct eco_error *error)
{
    int64_t margin = eco_score_margin(&query->rules), width, height;

    if (query->step < 1 || query->step > ECO_WORLD_STEP_MAX)
        return eco_error_set(error, ECO_EINVAL, "step is out of range; blocks a cell, 1 to %d",
                             ECO_WORLD_STEP_MAX);
    if (query->x0 < -ECO_WORLD_HALF || query->z0 < -ECO_WORLD_HALF || query->x1 > ECO_WORLD_HALF ||
        query->z1 > ECO_WORLD_HALF)
        return eco_error_set(error, ECO_EINVAL, "the window leaves the world; blocks, %d to %d",
                             -ECO_WORLD_HALF, ECO_WORLD_HALF);
    width = cells_of(query->x0, query->x1, query->step, &grid->x0);
    height = cells_of(query->z0, query->z1, query->step, &grid->z0);
    if (width < 1 || height < 1)
        return eco_error_set(error, ECO_EINVAL,
                             "the window has no cells; x1 and z1 must be greater than x0 and z0 by "
                             "at least a cell of %lld blocks",
                             (long long)query->step);
    width += 2 * margin;
    height += 2 * margin;
    if ((uint64_t)width * (uint64_t)height > most)
        return eco_error_set(error, ECO_EINVAL,
                             "%lld x %lld cells with those around the window are too many, %llu at "
                             "most; a larger step makes fewer",
                             (long long)width, (long long)height, (unsigned long long)most);
    grid->step = query->step;
    grid->x0 -= margin * query->step;
    grid->z0 -= margin * query->step;
    grid->width = (uint32_t)width;
    grid->height = (uint32_t)height;
    return 0;
}

int eco_score_check(const struct eco_score_query *query, uint64_t most, struct eco_error *error)
{
    struct eco_grid grid;
    int code = check_rules(&query->rules, error);

    return code ? code : grid_of(query, most, &grid, error);
}

/* Heights of the grid in parts, which the sampler is reset for. */
static int sample_heights(const struct eco_world *world, const struct eco_grid *grid,
                          struct eco_sampler *sampler, const struct eco_query_stop *stop,
                          float *heights, struct eco_error *error)
{
    for (uint32_t z = 0; z < grid->height; z += PART) {
        for (uint32_t x = 0; x < grid->width; x += PART) {
            struct eco_grid part = {grid->x0 + x * grid->step, grid->z0 + z * grid->step,
                                    grid->step, grid->width - x < PART ? grid->width - x : PART,
                                    grid->height - z < PART ? grid->height - z : PART};
            struct eco_planes planes;
            int code;

            if (stop && stop->asked(stop->context))
                return eco_error_set(error, ECO_ECANCELED, "nobody waits for the score any more");
            eco_arena_reset(&sampler->arena);
            code = eco_world_sample(world, &part, ECO_FIELD_HEIGHT, sampler, &planes, error);
            if (code)
                return code;
            for (uint32_t row = 0; row < part.height; row++)
                memcpy(heights + (size_t)(z + row) * grid->width + x,
                       planes.height + (size_t)row * part.width, part.width * sizeof(*heights));
        }
    }
    return 0;
}

int eco_score_world(const struct eco_world *world, const struct eco_score_query *query,
                    struct eco_sampler *sampler, const struct eco_query_stop *stop,
                    struct eco_score *score, struct eco_error *error)
{
    struct eco_score_rules rules = query->rules;
    uint32_t margin = eco_score_margin(&rules);
    struct eco_grid grid = {0};
    size_t count;
    float *heights;
    int code = check_rules(&rules, error);

    if (!code)
        code = grid_of(query, ECO_WORLD_AREA_MAX, &grid, error);
    if (code)
        return code;
    count = (size_t)grid.width * grid.height;
    heights = count > 0 ? malloc(count * sizeof(*heights)) : NULL;
    if (!heights)
        return no_memory(&grid, error);
    code = sample_heights(world, &grid, sampler, stop, heights, error);
    if (code)
        goto out;
    rules.unit_slope *= (double)query->step;
    rules.building_slope *= (double)query->step;
    eco_arena_reset(&sampler->arena);
    if (eco_score_window(heights, grid.width - 2 * margin, grid.height - 2 * margin, &rules,
                         &sampler->arena, score)) {
        code = no_memory(&grid, error);
        goto out;
    }
    score->mean /= (double)query->step;
    score->deviation /= (double)query->step;
out:
    free(heights);
    return code;
}
