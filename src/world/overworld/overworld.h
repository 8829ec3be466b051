/*
 * What the files of the overworld share: an opened one, and a grid of it while it is sampled.
 * Thread rule: constant once opened; one sampling a call, whose squares write to disjoint samples.
 */
#ifndef ECO_WORLD_OVERWORLD_OVERWORLD_H
#define ECO_WORLD_OVERWORLD_OVERWORLD_H

#include "blend/area.h"
#include "world/blending.h"
#include "world/config.h"
#include "world/generator.h"
#include "world/overworld/realm.h"
#include "world/overworld/rivers.h"
#include "world/overworld/trees.h"

struct eco_overworld {
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

/* One grid while it is sampled. */
struct eco_overworld_sampling {
    const struct eco_overworld *world;
    const struct eco_grid *grid;
    const struct eco_planes *planes;
    const struct eco_realm *realm; /* NULL: too coarse for cells */
    bool blended;
};

/* The lands at scattered places and of squares without scattered blending: the callbacks of an
 * area, whose context is a sampling. Lands are indices in eco_land_infos. */
void eco_overworld_ask(void *context, const double *x, const double *z, size_t count,
                       uint8_t *lands);
int eco_overworld_direct(void *context, const struct eco_square_place *place,
                         struct eco_arena *scratch, struct eco_square *square);

/* Sample points closer together than so many samples are not worth gathering. */
#define ECO_OVERWORLD_POINTS_APART 1.4

/* The ground that all squares of a grid may ask about, blocks. */
struct eco_rect eco_overworld_reach(const struct eco_overworld *world, const struct eco_grid *grid);

/* The generator's survey. */
int eco_overworld_survey(const void *state, int64_t x, int64_t z, unsigned biome,
                         struct eco_arena *arena, uint64_t *plots);

/* The climates of side x side samples, at most 10 x 10, from block (x, z) on, where samples are too
 * coarse for cells: those of the lattice steps that they lie in, so that borders are as ragged as
 * they are where cells can be seen. */
#define ECO_OVERWORLD_COARSE_MAX 10
void eco_overworld_coarse(const struct eco_overworld *world, int64_t x, int64_t z, int64_t step,
                          unsigned side, struct eco_climate_levels *levels);

/* Over which lands give way to each other where they are not blended by points, blocks. */
float eco_overworld_strip(const struct eco_overworld *world, int64_t step);

/* What a square of the ground is made of. Heights are 0 at the coast. */
struct eco_ground {
    float land[ECO_SQUARE_AREA];   /* land value: below 0 is sea */
    float height[ECO_SQUARE_AREA]; /* with rivers carved in */
    float river[ECO_SQUARE_AREA];
};

enum eco_cover {
    ECO_COVER_LAND,
    ECO_COVER_SHORE,
    ECO_COVER_RIVER,
    ECO_COVER_SEA,
    ECO_COVER_DEEP,
    ECO_COVER_KINDS
};

/* What covers, as bits, ground of land values from `low` to `high` may have. */
unsigned eco_ground_may_cover(float low, float high);

/* A square of biomes with room for its weights. */
struct eco_covered_square {
    struct eco_square square;
    float weights[ECO_BIOMES_MAX][ECO_SQUARE_AREA];
};

/* The ground of a square of lands. */
void eco_ground_make(const struct eco_overworld_sampling *sampling,
                     const struct eco_square_place *place, const struct eco_square *lands,
                     struct eco_ground *ground);

/* The index of the biome that a land is under a cover. */
uint8_t eco_ground_biome(const struct eco_overworld *world, const struct eco_land_info *info,
                         enum eco_cover cover);

/* From weights of lands to weights of biomes: seas, shores and rivers take their share. */
void eco_ground_cover(const struct eco_overworld *world, const struct eco_square *lands,
                      const struct eco_ground *ground, struct eco_covered_square *out);

#endif
