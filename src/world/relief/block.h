/*
 * Blocks of the erosion grid: squares of RELIEF_BLOCK cells of a level, eroded, with a margin of
 * the cells around them. A margin's cells are bit for bit those of the neighbour block.
 *
 * Level 0 is the erosion grid. A coarser level is an overview: its cells are means of four cells of
 * the grid of the level below, without the forms that those cannot show, eroded there with a
 * quarter of the iterations for each level, and not at all where that is none or a period has fewer
 * than RELIEF_ERODED_MIN cells.
 *
 * Thread rule: pure functions; a plan is constant once set up.
 */
#ifndef ECO_WORLD_RELIEF_BLOCK_H
#define ECO_WORLD_RELIEF_BLOCK_H

#include "ecotone/world.h"
#include "world/relief/erode.h"
#include "world/relief/source.h"

#define RELIEF_BLOCK 256
#define RELIEF_ERODED_MIN 32

struct relief_plan {
    struct relief_terrain terrain;
    const struct eco_relief_config *config;
    uint32_t margin;
    size_t side;        /* RELIEF_BLOCK + 2 * margin */
    size_t block_bytes; /* of a struct relief_block with its arrays */
};

/* In memory of one piece; arrays of side * side from cell (x * RELIEF_BLOCK - margin, ...) on. */
struct relief_block {
    const float *height; /* 0 .. 1 */
    const uint8_t *use;  /* enum eco_use bits; not of the outermost cells */
};

/* `reach`: cells around a block that its samples may ask for. */
void relief_plan_init(struct relief_plan *plan, const struct eco_relief_config *config,
                      int64_t seed, uint32_t reach);

/* Makes block (x, z) of a level into `memory` of plan->block_bytes. ECO_ENOMEM. */
int relief_block_make(const struct relief_plan *plan, unsigned level, int64_t x, int64_t z,
                      void *memory, struct eco_arena *arena);

/* The erosion of a level. */
struct relief_erosion relief_plan_erosion(const struct relief_plan *plan, unsigned level);

/* Makes the rest of a block whose heights are in `memory`. ECO_ENOMEM. */
int relief_block_finish(const struct relief_plan *plan, unsigned level, void *memory,
                        struct eco_arena *arena);

/* The plan of a world, NULL where it is no relief. */
const struct relief_plan *relief_plan_of(const struct eco_world *world);

/* The arrays of a block that was made. */
struct relief_block relief_block_at(const struct relief_plan *plan, const void *memory);

#endif
