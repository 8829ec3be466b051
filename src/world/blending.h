/*
 * How a world is blended, as its configuration and who opened it say; shared by the generators that
 * blend. Pure functions.
 *
 * The radius is that of the configured method whatever method is used. Where a sample spans more
 * than the distance of the sample points (the interval of the grid methods, the spacing of the
 * lattice for the others) a blend could show nothing, so samples are not blended there. `full` asks
 * about every block where samples are up to 4 blocks apart; where they are farther apart, one block
 * of every step / 4 each way stands for its neighbours, so that a tile's cost is bounded.
 */
#ifndef ECO_WORLD_BLENDING_H
#define ECO_WORLD_BLENDING_H

#include "blend/area.h"
#include "world/config.h"

struct eco_blending {
    struct eco_blend blend;
    double coarsest; /* the span of a sample up to which it is blended, blocks */
};

void eco_blending_init(struct eco_blending *blending, const struct eco_world_config *config,
                       int64_t seed, enum eco_blend_method method);

/* The ground around a sample that decides its weights, blocks. */
double eco_blending_around(const struct eco_blending *blending, int64_t step);

/* The ground around a grid of this step that may be asked about, blocks. */
double eco_blending_reach(const struct eco_blending *blending, int64_t step);

/* The blends of one grid; an area points into them. */
struct eco_blending_grid {
    struct eco_blend own, full;
};

/* Chooses `blend` and `against` of an area for the fields of `mask`; a sample spans `span` blocks.
 */
void eco_blending_choose(const struct eco_blending *blending, unsigned mask, double span,
                         struct eco_blending_grid *grid, struct eco_blend_area *area);

#endif
