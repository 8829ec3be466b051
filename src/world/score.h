/*
 * How well ground can be played on, after J. Olsen, "Realtime Procedural Terrain Generation"
 * (2004): the slope of a cell is the greatest difference to its four neighbours; units walk where
 * it is below one bound, buildings stand where it is below a stricter one, each as a square of so
 * many cells.
 *
 *   eps      deviation of the slope over its mean: flat parts and steep ones, few between
 *   upsilon  share of the cells in the largest connected part that units can walk on
 *   beta     share of the cells that buildings can stand on and units of that part can reach
 *   omega    eps * upsilon * beta
 *
 * Thread rule: pure functions.
 */
#ifndef ECO_WORLD_SCORE_H
#define ECO_WORLD_SCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct eco_score_rules {
    double unit_slope, building_slope; /* in heights a cell */
    unsigned unit_size, building_size; /* cells a side, at least 1 */
};

struct eco_score {
    double mean, deviation; /* of the slope, in heights a cell */
    double eps, upsilon, beta, omega;
    double access;  /* share of the cells that units can walk on, connected or not */
    double build;   /* share of the cells that buildings can stand on, reachable or not */
    size_t largest; /* cells of the largest connected part */
    size_t parts;
};

/* slope[z * width + x] of width * height cells; `heights` reaches one cell further on every side:
 * (width + 2) * (height + 2). */
void eco_score_slopes(const float *heights, size_t width, size_t height, float *slopes);

/* open[k] = 1 where cell k lies in some square of size x size cells whose slopes are all below the
 * bound and that lies in the field, 0 elsewhere. ECO_ENOMEM. */
int eco_score_open(const float *slopes, size_t width, size_t height, float bound, unsigned size,
                   struct eco_arena *arena, uint8_t *open);

/*
 * Finds the largest part of the cells with open[k] != 0 that hang together by their sides (the
 * first in reading order of those equally large) and writes 1 into its cells of `part`, 0 into all
 * others. Linear time. *parts (may be NULL): how many there are. ECO_ENOMEM.
 */
int eco_score_connect(const uint8_t *open, size_t width, size_t height, struct eco_arena *arena,
                      uint8_t *part, size_t *largest, size_t *parts);

/* Cells around a window that its score asks about. */
unsigned eco_score_margin(const struct eco_score_rules *rules);

/* The score of the inner width x height cells of `heights`, which reaches eco_score_margin cells
 * further on every side. Whether a unit or a building finds room may depend on cells beyond the
 * window; what hangs together is asked within it. ECO_ENOMEM. */
int eco_score_window(const float *heights, size_t width, size_t height,
                     const struct eco_score_rules *rules, struct eco_arena *arena,
                     struct eco_score *score);

#endif
