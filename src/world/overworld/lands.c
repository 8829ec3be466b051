#include <math.h>
#include <string.h>

#include "world/overworld/overworld.h"

void eco_overworld_ask(void *context, const double *x, const double *z, size_t count,
                       uint8_t *lands)
{
    const struct eco_overworld_sampling *sampling = context;
    size_t cells[ECO_REALM_BATCH];

    for (size_t first = 0; first < count; first += ECO_REALM_BATCH) {
        size_t batch = count - first < ECO_REALM_BATCH ? count - first : ECO_REALM_BATCH;

        eco_realm_points(sampling->realm, x + first, z + first, batch, cells);
        for (size_t k = 0; k < batch; k++)
            lands[first + k] = sampling->realm->cells[cells[k]].land;
    }
}

float eco_overworld_strip(const struct eco_overworld *world, int64_t step)
{
    return fmaxf(world->strip, 0.75f * (float)step);
}

/* The lands that are seen become the square's; slot[land] is the place of each there. Weights of 0,
 * or NULL where there is one land alone. */
static int take_lands(const bool seen[ECO_BIOMES_MAX], struct eco_arena *scratch,
                      struct eco_square *square, uint8_t slot[ECO_BIOMES_MAX])
{
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
    return 0;
}

/* Weights of lands where samples are too coarse for scattered blending: a land gives way to another
 * over a strip along the border of its cell that is at least as wide as a sample. */
static int border_lands(const struct eco_overworld_sampling *sampling,
                        const struct eco_square_place *place, struct eco_arena *scratch,
                        struct eco_square *square)
{
    const struct eco_realm *realm = sampling->realm;
    int64_t step = sampling->grid->step;
    float strip = eco_overworld_strip(sampling->world, step);
    float border[ECO_SQUARE_AREA], sum[ECO_SQUARE_AREA] = {0};
    uint8_t slot[ECO_BIOMES_MAX];
    bool seen[ECO_BIOMES_MAX] = {false};
    struct eco_surroundings *around = eco_arena_alloc(scratch, 1, sizeof(*around));
    struct eco_near *near;
    int code;

    square->extra = around;
    if (!around)
        return ECO_ENOMEM;
    near = &around->near;
    eco_realm_square(realm, place->block_x, place->block_z, step,
                     fmaxf(strip, eco_rivers_reach(&sampling->world->rivers, step)), near,
                     &around->nearest);
    for (unsigned n = 0; n < near->count; n++)
        seen[realm->cells[near->cell[n]].land] = true;
    code = take_lands(seen, scratch, square, slot);
    if (code || square->count == 1)
        return code;
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

void eco_overworld_coarse(const struct eco_overworld *world, int64_t x, int64_t z, int64_t step,
                          unsigned side, struct eco_climate_levels *levels)
{
    double sites_x[ECO_OVERWORLD_COARSE_MAX * ECO_OVERWORLD_COARSE_MAX];
    double sites_z[ECO_OVERWORLD_COARSE_MAX * ECO_OVERWORLD_COARSE_MAX];
    float scratch[2 * ECO_OVERWORLD_COARSE_MAX * ECO_OVERWORLD_COARSE_MAX];
    const struct eco_realm_plan *plan = &world->plan;
    unsigned count = side * side;

    for (unsigned k = 0; k < count; k++) {
        int64_t i, j;

        eco_cells_locate(&plan->lattice, (double)(x + k % side * step),
                         (double)(z + k / side * step), &i, &j);
        eco_cells_start(&plan->lattice, i, j, &sites_x[k], &sites_z[k]);
    }
    eco_climate_points(&plan->climate, sites_x, sites_z, count, scratch, levels);
}

/* A square and the samples around it. */
#define WIDE (ECO_SQUARE_SIDE + 2)

/* Weights of lands where cells are too small to be seen: a sample is half its own, and its eight
 * neighbours share the rest, so that nothing breaks off from one sample to the next. */
static int coarse_lands(const struct eco_overworld_sampling *sampling,
                        const struct eco_square_place *place, struct eco_arena *scratch,
                        struct eco_square *square)
{
    const struct eco_realm_plan *plan = &sampling->world->plan;
    static const float shares[3] = {0.15f, 0.7f, 0.15f};
    struct eco_climate_levels levels[WIDE * WIDE];
    uint8_t lands[WIDE * WIDE], slot[ECO_BIOMES_MAX];
    bool seen[ECO_BIOMES_MAX] = {false};
    int64_t step = sampling->grid->step;
    int code;

    eco_overworld_coarse(sampling->world, place->block_x - step, place->block_z - step, step, WIDE,
                         levels);
    for (unsigned k = 0; k < WIDE * WIDE; k++) {
        lands[k] = (uint8_t)eco_land_index(eco_rules_base(&plan->diagram, levels[k]));
        seen[lands[k]] = true;
    }
    code = take_lands(seen, scratch, square, slot);
    if (code || square->count == 1)
        return code;
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        unsigned at = k / ECO_SQUARE_SIDE * WIDE + k % ECO_SQUARE_SIDE;

        for (unsigned n = 0; n < 9; n++)
            square->weights[slot[lands[at + n / 3 * WIDE + n % 3]]][k] +=
                shares[n / 3] * shares[n % 3];
    }
    return 0;
}

int eco_overworld_direct(void *context, const struct eco_square_place *place,
                         struct eco_arena *scratch, struct eco_square *square)
{
    const struct eco_overworld_sampling *sampling = context;

    return sampling->realm ? border_lands(sampling, place, scratch, square)
                           : coarse_lands(sampling, place, scratch, square);
}
