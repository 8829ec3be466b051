/*
 * The border of a world: a square around a centre, whose side may move to another one over a time.
 * It limits no generator; it is drawn over the map. Pure functions: time is an argument.
 */
#ifndef ECO_WORLD_BORDER_H
#define ECO_WORLD_BORDER_H

#include <stdbool.h>
#include <stdint.h>

struct eco_border {
    int64_t x, z;            /* the centre, blocks */
    double diameter;         /* at first, blocks */
    double target;           /* at last; the same where nothing moves */
    double seconds;          /* from the one to the other */
    double warning_distance; /* of the strip inside, blocks */
};

enum eco_border_state {
    ECO_BORDER_STANDS,
    ECO_BORDER_GROWS,
    ECO_BORDER_SHRINKS,
};

/* The side `elapsed` seconds after it began to move: on a straight line from the one
 * to the other, then the target. */
double eco_border_diameter(const struct eco_border *border, double elapsed);
enum eco_border_state eco_border_state(const struct eco_border *border, double elapsed);

/* True where both are told to move alike; centre and warning distance may differ. */
bool eco_border_moves_alike(const struct eco_border *one, const struct eco_border *other);

#endif
