/*
 * Voronoi cells of a relaxed lattice, without a window: site (i, j) starts at a jittered place of a
 * hexagonal lattice and moves to the centroid of its cell in each of `rounds` Lloyd rounds. Only
 * the lattice neighbours of a fixed neighbourhood, in a fixed order, shape a cell, so a site
 * depends on those within 2 * rounds lattice steps and on nothing else: every window gives the same
 * bits. Thread rule: pure functions; a window is constant once made.
 */
#ifndef ECO_WORLD_OVERWORLD_CELLS_H
#define ECO_WORLD_OVERWORLD_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ecotone/lattice.h"

#define ECO_CELLS_ROUNDS_MAX 8

/* Lattice steps around the one that a place lies in, among which the nearest site is. */
#define ECO_CELLS_REACH 2

struct eco_cell_lattice {
    int64_t seed;
    double pitch; /* blocks: the root of the mean area of a cell */
    unsigned rounds;
};

/* The sites of columns i .. i + columns - 1 and rows j .. j + rows - 1, row by row. */
struct eco_cell_window {
    const struct eco_cell_lattice *lattice;
    int64_t i, j;
    uint32_t columns, rows;
    double *x, *z; /* blocks */
};

/* The number of a cell: a hash of the lattice's seed and the cell's indices. */
uint64_t eco_cell_id(const struct eco_cell_lattice *lattice, int64_t i, int64_t j);

/* Sets i, j, columns and rows so that the nearest site of each place of `rect` is in the window,
 * with `margin` lattice steps more on each side. */
void eco_cells_cover(const struct eco_cell_lattice *lattice, const struct eco_rect *rect,
                     unsigned margin, struct eco_cell_window *window);

/* Fills x and z of a window whose indices are set, in `arena`. ECO_ENOMEM. */
int eco_cells_relax(struct eco_cell_window *window, struct eco_arena *arena);

/* The index in the window of the site nearest to (x, z), which the window must cover; the first of
 * those that are equally near. */
size_t eco_cells_nearest(const struct eco_cell_window *window, double x, double z);

/* The lattice step that a place lies in. */
void eco_cells_locate(const struct eco_cell_lattice *lattice, double x, double z, int64_t *i,
                      int64_t *j);

/* Where the site of that lattice step starts before any round: near where it ends. */
void eco_cells_start(const struct eco_cell_lattice *lattice, int64_t i, int64_t j, double *x,
                     double *z);

#endif
