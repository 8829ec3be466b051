/*
 * Erosion on the erosion grid, in a form whose result at a cell depends on the terrain around it
 * and on nothing else.
 *
 * In the fast forms the update of a cell changes it and its lowest neighbour at once, so the order
 * of updates matters. Cells are updated by colour: all of (x + 2 z) mod 5 = 0 first, and so on.
 * Cells of one colour have disjoint neighbourhoods, the four beside as well as the four diagonal
 * ones, so their order is of no consequence and whole rows of a colour are updated at once. In the
 * reference forms and in settling all cells change at once, from what was there before. What a cell
 * becomes depends on cells at most relief_reach away: a part of the world that was made with that
 * many cells around it is bit for bit the same part of any other.
 *
 * Thread rule: pure functions. Sources: J. Olsen 2004 (the rules of each kind); the
 * colouring is ours.
 */
#ifndef ECO_WORLD_RELIEF_ERODE_H
#define ECO_WORLD_RELIEF_ERODE_H

#include <stdint.h>

#include "base/arena.h"
#include "world/relief/config.h"
#include "world/relief/kernels.h"
#include "world/relief/source.h"

struct relief_erosion {
    const struct eco_relief_step *steps;
    unsigned count;
    unsigned period; /* cells of the level: taluses are in 1 / period */
    unsigned shift;  /* iterations are divided by 4^shift and rounded */
    const struct relief_kernels *kernels;
};

/* Cells around an area that can change it. */
uint32_t relief_reach(const struct relief_erosion *erosion);

/*
 * Erodes `heights`, the cells of `area`, row by row, in place. What lies at least relief_reach from
 * the area's border is right; the rest is not to be used. ECO_ENOMEM.
 */
int relief_erode(const struct relief_erosion *erosion, const struct relief_area *area,
                 struct eco_arena *arena, float *heights);

/* The same for an area that is a world of its own: nothing beyond its border moves, and all of it
 * is to be used. */
int relief_erode_alone(const struct relief_erosion *erosion, const struct relief_area *area,
                       struct eco_arena *arena, float *heights);

/* As relief_erode_alone, the steps of the kind inverted cell after cell in reading order, as the
 * paper does it: what moves along the order moves far, so the result depends on where the area
 * begins. */
int relief_erode_reading_order(const struct relief_erosion *erosion, const struct relief_area *area,
                               struct eco_arena *arena, float *heights);

#endif
