#include "world/blending.h"

/* Blocks a sample up to which `full` asks about every block. */
#define FULL_STEP 4

static bool on_grid(const struct eco_blend *blend)
{
    return blend->method == ECO_BLEND_GRID_CONVOLVE || blend->method == ECO_BLEND_GRID_LERP;
}

void eco_blending_init(struct eco_blending *blending, const struct eco_world_config *config,
                       int64_t seed, enum eco_blend_method method)
{
    const struct eco_blend configured = {
        .frequency = config->blend.frequency,
        .padding = config->blend.padding,
        .seed = (int64_t)((uint64_t)seed + (uint64_t)config->blend.jitter_offset),
        .method = config->blend.method,
        .interval = config->blend.interval,
    };

    blending->blend = eco_blend_by(&configured, method);
    blending->coarsest = on_grid(&blending->blend)
                             ? (double)blending->blend.interval
                             : ECO_LATTICE_SPACING_FREQUENCY / blending->blend.frequency;
}

/* The blend by which samples of a step are blended. */
static struct eco_blend blend_at(const struct eco_blend *blend, int64_t step)
{
    struct eco_blend grid = *blend;

    if (blend->method != ECO_BLEND_FULL || step <= FULL_STEP)
        return grid;
    grid.interval = step / FULL_STEP < ECO_BLEND_INTERVAL_MAX ? (uint32_t)(step / FULL_STEP)
                                                              : ECO_BLEND_INTERVAL_MAX;
    return eco_blend_by(&grid, ECO_BLEND_GRID_CONVOLVE);
}

double eco_blending_around(const struct eco_blending *blending, int64_t step)
{
    struct eco_blend blend = blend_at(&blending->blend, step);

    /* A grid is asked up to the next of its points. */
    return 1.01 * eco_blend_radius(&blend) + (on_grid(&blend) ? 2.0 * blend.interval : 0.0);
}

double eco_blending_reach(const struct eco_blending *blending, int64_t step)
{
    /* A square of samples is asked about whole. */
    return (double)(ECO_SQUARE_SIDE * step) + eco_blending_around(blending, step) + 1.0;
}

void eco_blending_choose(const struct eco_blending *blending, unsigned mask, double span,
                         struct eco_blending_grid *grid, struct eco_blend_area *area)
{
    struct eco_blend full = eco_blend_by(&blending->blend, ECO_BLEND_FULL);
    int64_t step = area->grid->step;

    grid->own = blend_at(&blending->blend, step);
    grid->full = blend_at(&full, step);
    area->blend = area->against = NULL;
    if (span > blending->coarsest)
        return;
    area->blend = &grid->own;
    if (mask & ECO_FIELD_BLEND_ERROR)
        area->against = &grid->full;
}
