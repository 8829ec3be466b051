/*
 * A rectangle of a relief eroded as one window, cell after cell in reading order, as the paper does
 * it: ground moves far along the order. What it looks like depends on the rectangle, so it is for
 * exports, never for tiles.
 *
 * The window stands in for a sampler's blocks: samples of the rectangle at steps that read the
 * erosion grid itself show the window, coarser ones the overview as ever.
 * Thread rule: constant once made; any thread may sample through it.
 */
#ifndef ECO_WORLD_RELIEF_WINDOW_H
#define ECO_WORLD_RELIEF_WINDOW_H

#include "world/generator.h"

#define ECO_RELIEF_WINDOW_MAX 8192 /* cells a side, with those around the rectangle */

struct eco_relief_window;

/* The blocks of the world from (x0, z0) up to (x1, z1); the world must outlive the window. Errors:
 * ECO_EINVAL for a world that is no relief and a rectangle that is too large, ECO_ENOMEM. */
int eco_relief_window_new(const struct eco_world *world, const int64_t rect[4],
                          struct eco_relief_window **out, struct eco_error *error);
/* NULL is allowed. */
void eco_relief_window_free(struct eco_relief_window *window);

/* What a sampler is given. */
struct eco_block_cache *eco_relief_window_cache(struct eco_relief_window *window);

#endif
