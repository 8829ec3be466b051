/*
 * Trees: points of a relaxed lattice, one lattice for each land, with the spacing of the article,
 * kept where that land grows and below the height limit. Thread rule: pure functions.
 */
#ifndef ECO_WORLD_OVERWORLD_TREES_H
#define ECO_WORLD_OVERWORLD_TREES_H

#include "base/arena.h"
#include "ecotone/world.h"
#include "world/overworld/cells.h"
#include "world/overworld/diagram.h"

/* Up to this step trees are counted one by one. */
#define ECO_TREES_STEP_MAX 4

/* The root of the mean area of a tree, blocks. */
extern const double eco_tree_spacings[ECO_LAND_COUNT];

struct eco_trees {
    struct eco_cell_lattice lattices[ECO_LAND_COUNT];
    float lowest, highest; /* heights between which trees stand, blocks */
    uint8_t land_of[256];  /* enum eco_land of a biome index; ECO_LAND_COUNT: none */
};

void eco_trees_init(struct eco_trees *trees, int64_t seed, uint64_t stream);

/*
 * planes->trees of a grid whose biomes and heights are known: at fine steps the number of trees on
 * the ground of each sample, step x step blocks around it; at coarser ones what is to be expected.
 * ECO_ENOMEM.
 */
int eco_trees_count(const struct eco_trees *trees, const struct eco_grid *grid,
                    struct eco_arena *arena, const struct eco_planes *planes);

#endif
