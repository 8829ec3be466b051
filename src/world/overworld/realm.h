/*
 * The cells of a part of the overworld, and what each of them is. A realm covers a rectangle; what
 * it says of a place depends on the place alone. Thread rule: constant once made.
 */
#ifndef ECO_WORLD_OVERWORLD_REALM_H
#define ECO_WORLD_OVERWORLD_REALM_H

#include <stdbool.h>

#include "noise/fractal.h"
#include "world/overworld/cells.h"
#include "world/overworld/climate.h"
#include "world/overworld/rules.h"
#include "world/overworld/terrain.h"

/* How the borders of cells are roughened: a place belongs to the cell that is nearest to it once it
 * has been moved by two fractals. */
struct eco_roughness {
    struct eco_fractal x, z;
    double amplitude; /* blocks */
};

struct eco_realm_plan {
    struct eco_cell_lattice lattice;
    struct eco_roughness roughness;
    struct eco_climate_noise climate;
    struct eco_diagram diagram;
    struct eco_terrain terrain;
};

struct eco_realm_cell {
    uint64_t id;
    struct eco_climate_levels climate;
    uint8_t land; /* index in eco_land_infos */
    uint8_t base; /* id of the common land */
};

struct eco_realm {
    const struct eco_realm_plan *plan;
    struct eco_cell_window window;
    struct eco_realm_cell *cells; /* as the window's sites */
};

/* Makes the cells of all places of `rect`, moved or not, in `arena`. ECO_ENOMEM. */
int eco_realm_make(const struct eco_realm_plan *plan, const struct eco_rect *rect,
                   struct eco_arena *arena, struct eco_realm *realm);

/* False where no place of `places` belongs to the cell, nor lies, moved, less than `strip` blocks
 * from the border of what does. The realm covers the places and the strip; cells at the edge of its
 * window are never asked about. */
bool eco_realm_may_lie(const struct eco_realm *realm, const struct eco_rect *places, double strip,
                       size_t cell);

#define ECO_REALM_BATCH 256

/* The cells, as indices, in which at most ECO_REALM_BATCH places lie. */
void eco_realm_points(const struct eco_realm *realm, const double *x, const double *z, size_t count,
                      size_t *cells);

/* Sites around a square of the coarsest step that has cells, whose samples are moved by as much as
 * a configuration may ask for. */
#define ECO_NEAR_MAX 192

/* Largest amplitude of the roughness, in pitches: what ECO_NEAR_MAX has room for. */
#define ECO_ROUGHNESS_MAX 1.75

/* Sites that may be nearest to a place of a square, or have a border near one. */
struct eco_near {
    unsigned count;
    size_t cell[ECO_NEAR_MAX];
    float x[ECO_NEAR_MAX], z[ECO_NEAR_MAX]; /* relative to the square's first sample, blocks */
    float least2[ECO_NEAR_MAX];             /* distance squared to the moved square, or less */
};

/* The moved samples of a square, relative to the first one unmoved, and the site nearest to each.
 */
struct eco_nearest {
    float x[64], z[64];
    uint8_t site[64]; /* index in the eco_near */
    float distance2[64];
    unsigned count; /* of different nearest sites, which are: */
    uint8_t sites[64];
};

/* Both together. */
struct eco_surroundings {
    struct eco_near near;
    struct eco_nearest nearest;
};

/* The sites of the square of 8x8 samples from block (x, z), and of all cells whose border is less
 * than `reach` blocks from a sample. */
void eco_realm_square(const struct eco_realm *realm, int64_t x, int64_t z, int64_t step,
                      float reach, struct eco_near *near, struct eco_nearest *nearest);

/* Distance of each sample to the border between its cell and that of site `other`, in moved space;
 * 0 where `other` is the nearest itself. */
void eco_near_border(const struct eco_near *near, const struct eco_nearest *nearest, unsigned other,
                     float border[64]);

#endif
