#include "noise/points.h"

#include "noise/common.h"

/* Fewer points are not worth a table. */
#define RUN_MIN 8

struct range {
    double low, high;
};

static struct range range_of(const double *values, size_t count)
{
    struct range range = {values[0], values[0]};

    for (size_t i = 1; i < count; i++) {
        range.low = values[i] < range.low ? values[i] : range.low;
        range.high = values[i] > range.high ? values[i] : range.high;
    }
    return range;
}

static int enclose(const struct noise_points *points, size_t first, size_t count, int64_t room,
                   struct noise_vertices *vertices)
{
    struct range x = range_of(points->x + first, count), y = range_of(points->y + first, count);
    /* Rounding keeps the order of numbers: no point is skewed beyond these two. */
    struct noise_point2 low = noise_skew(x.low * points->frequency, y.low * points->frequency);
    struct noise_point2 high = noise_skew(x.high * points->frequency, y.high * points->frequency);
    int64_t worth = 3 * (int64_t)count < room ? 3 * (int64_t)count : room;

    vertices->x = noise_floor(low.x) - 1;
    vertices->y = noise_floor(low.y) - 1;
    vertices->width = noise_floor(high.x) - vertices->x + 3;
    vertices->height = noise_floor(high.y) - vertices->y + 3;
    return vertices->width <= worth && vertices->height <= worth &&
           vertices->width * vertices->height <= worth;
}

size_t eco_noise_points_run(const struct noise_points *points, size_t first, size_t *wish,
                            int64_t room, struct noise_vertices *vertices)
{
    size_t left = points->count - first, run = *wish < left ? *wish : left;

    while (run >= RUN_MIN && !enclose(points, first, run, room, vertices))
        run /= 2;
    if (run < RUN_MIN) {
        run = left < RUN_MIN ? left : RUN_MIN;
        vertices->width = 0;
    }
    *wish = 2 * run;
    return run;
}
