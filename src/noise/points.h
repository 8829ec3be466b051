/*
 * How many points of a list one table of lattice vertices can serve. Private to the noise folder.
 */
#ifndef ECO_NOISE_POINTS_H
#define ECO_NOISE_POINTS_H

#include <stddef.h>
#include <stdint.h>

struct noise_points {
    const double *x, *y; /* to be multiplied by the frequency */
    size_t count;
    double frequency;
};

/* A box of vertices of the skewed lattice, row by row. */
struct noise_vertices {
    int64_t x, y;
    int64_t width, height; /* 0 if no table is worth its while */
};

/*
 * Returns how many points from `first` on are to be answered together, at least 1 if there are any,
 * and the vertices around their cells: at most `room`, and no more than the points could need. If
 * there is no such box, its width is 0, and the points are to be answered one by one. `wish` is
 * where the search begins, from the greatest; it becomes what suits the next run.
 */
size_t eco_noise_points_run(const struct noise_points *points, size_t first, size_t *wish,
                            int64_t room, struct noise_vertices *vertices);

#endif
