#include "world/overworld/trees.h"

#include <math.h>
#include <stdbool.h>

#include "base/checked.h"
#include "base/hash.h"

/* Samples a side of a part of a grid whose trees are held at once. */
#define PART 256

#define ROUNDS 1

const double eco_tree_spacings[ECO_LAND_COUNT] = {
    [ECO_LAND_DESERT] = 16.2,
    [ECO_LAND_SAVANNA] = 26.4,
    [ECO_LAND_TROPICAL_WOODLAND] = 11.4,
    [ECO_LAND_TUNDRA] = 32.4,
    [ECO_LAND_SEASONAL_FOREST] = 10.2,
    [ECO_LAND_RAINFOREST] = 6.5,
    [ECO_LAND_TEMPERATE_FOREST] = 10.2,
    [ECO_LAND_TEMPERATE_RAINFOREST] = 7.2,
    [ECO_LAND_BOREAL_FOREST] = 14.5,
};

void eco_trees_init(struct eco_trees *trees, int64_t seed, uint64_t stream)
{
    for (unsigned land = 0; land < ECO_LAND_COUNT; land++)
        trees->lattices[land] = (struct eco_cell_lattice){eco_seed_derive(seed, stream << 8 | land),
                                                          eco_tree_spacings[land], ROUNDS};
}

struct part {
    const struct eco_grid *grid;
    const struct eco_planes *planes;
    uint32_t x, z, width, height; /* samples */
};

static bool may_grow(const struct eco_trees *trees, const struct eco_planes *planes, size_t at)
{
    return planes->height[at] > trees->lowest && planes->height[at] < trees->highest;
}

static void expect_trees(const struct eco_trees *trees, const struct part *part)
{
    float ground = (float)part->grid->step * (float)part->grid->step;
    float density[ECO_LAND_COUNT + 1] = {0};

    for (unsigned land = 0; land < ECO_LAND_COUNT; land++) {
        float spacing = (float)trees->lattices[land].pitch;

        density[land] = ground / (spacing * spacing);
    }
    for (uint32_t z = part->z; z < part->z + part->height; z++) {
        for (uint32_t x = part->x; x < part->x + part->width; x++) {
            size_t at = (size_t)z * part->grid->width + x;

            part->planes->trees[at] = may_grow(trees, part->planes, at)
                                          ? density[trees->land_of[part->planes->biome[at]]]
                                          : 0.0f;
        }
    }
}

/* Plants the trees of one land; those of another at the same sample stay. */
static int plant(const struct eco_trees *trees, const struct part *part, unsigned land,
                 struct eco_arena *arena)
{
    const struct eco_grid *grid = part->grid;
    const struct eco_planes *planes = part->planes;
    /* The first block of the ground of the part's first sample. */
    int64_t west = grid->x0 + (int64_t)part->x * grid->step - grid->step / 2;
    int64_t north = grid->z0 + (int64_t)part->z * grid->step - grid->step / 2;
    struct eco_rect rect = {(double)west, (double)north,
                            (double)(west + (int64_t)part->width * grid->step),
                            (double)(north + (int64_t)part->height * grid->step)};
    struct eco_cell_window window;

    eco_cells_cover(&trees->lattices[land], &rect, 0, &window);
    if (eco_cells_relax(&window, arena))
        return ECO_ENOMEM;
    for (size_t k = 0; k < (size_t)window.columns * window.rows; k++) {
        int64_t x = eco_floor_div((int64_t)floor(window.x[k]) - west, grid->step);
        int64_t z = eco_floor_div((int64_t)floor(window.z[k]) - north, grid->step);
        size_t at;

        if (x < 0 || z < 0 || x >= part->width || z >= part->height)
            continue;
        at = (size_t)(part->z + z) * grid->width + (size_t)(part->x + x);
        if (trees->land_of[planes->biome[at]] == land && may_grow(trees, planes, at))
            planes->trees[at] += 1.0f;
    }
    return 0;
}

static int plant_part(const struct eco_trees *trees, const struct part *part,
                      struct eco_arena *arena)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    bool present[ECO_LAND_COUNT + 1] = {false};
    int code = 0;

    for (uint32_t z = part->z; z < part->z + part->height; z++) {
        for (uint32_t x = part->x; x < part->x + part->width; x++) {
            size_t at = (size_t)z * part->grid->width + x;

            part->planes->trees[at] = 0.0f;
            present[trees->land_of[part->planes->biome[at]]] |= may_grow(trees, part->planes, at);
        }
    }
    for (unsigned land = 0; !code && land < ECO_LAND_COUNT; land++) {
        if (present[land])
            code = plant(trees, part, land, arena);
        eco_arena_rewind(arena, mark);
    }
    return code;
}

int eco_trees_count(const struct eco_trees *trees, const struct eco_grid *grid,
                    struct eco_arena *arena, const struct eco_planes *planes)
{
    int code = 0;

    for (uint32_t z = 0; !code && z < grid->height; z += PART) {
        for (uint32_t x = 0; !code && x < grid->width; x += PART) {
            struct part part = {grid,
                                planes,
                                x,
                                z,
                                grid->width - x < PART ? grid->width - x : PART,
                                grid->height - z < PART ? grid->height - z : PART};

            if (grid->step > ECO_TREES_STEP_MAX)
                expect_trees(trees, &part);
            else
                code = plant_part(trees, &part, arena);
        }
    }
    return code;
}
