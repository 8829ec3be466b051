#include "noise/grid.h"
#include "noise/legacy.h"

#define POINTS_CELL legacy_cell
#define POINTS_CELL_FIND legacy_cell_find
#define POINTS_REGIONS eco_legacy_regions

typedef const struct eco_legacy_noise *instance;
typedef double number;
typedef legacy_four group;

struct gradients {
    group x, y;
};

static inline const double *gradient_of(const struct eco_legacy_noise *noise, int64_t x, int64_t y)
{
    return legacy_gradient2(noise, x, y);
}

/* Terms of 0 are added where a vertex is out of reach, as in the function for one point. */
static inline __attribute__((always_inline)) void add_up(group *sum, const struct legacy_cell *cell,
                                                         const struct gradients *corner,
                                                         const int64_t steps[4])
{
    *sum = (group){0};
    for (int k = 0; k < 4; k++)
        *sum += cell->power[k] *
                (corner[steps[k]].x * cell->to_x[k] + corner[steps[k]].y * cell->to_y[k]);
}

static void one_point(const struct eco_legacy_noise *const *noises, unsigned count, double x,
                      double y, double *out)
{
    eco_legacy_noise2_many(noises, count, x, y, out);
}

#include "noise/points_body.h"

void eco_legacy_noise2_many(const struct eco_legacy_noise *const *noises, unsigned count, double x,
                            double y, double *out)
{
    struct legacy_cell cell;

    legacy_cell_find(&cell, noise_skew(x, y));
    const struct legacy_region *region = &eco_legacy_regions[cell.region];

    for (unsigned i = 0; i < count; i++)
        out[i] = 0;
    for (int k = 0; k < 4; k++) {
        int64_t vertex_x = cell.x + region->i[k], vertex_y = cell.y + region->j[k];

        for (unsigned i = 0; i < count; i++) {
            const double *gradient = legacy_gradient2(noises[i], vertex_x, vertex_y);

            out[i] += cell.power[k] * (gradient[0] * cell.to_x[k] + gradient[1] * cell.to_y[k]);
        }
    }
}

void eco_legacy_noise2_points_on(enum eco_simd level, const struct eco_legacy_noise *const *noises,
                                 unsigned count, const double *x, const double *y, size_t points,
                                 double frequency, double *out)
{
    struct noise_points list = {x, y, points, frequency};

    ask_all(level, noises, count, &list, out);
}

void eco_legacy_noise2_points(const struct eco_legacy_noise *const *noises, unsigned count,
                              const double *x, const double *y, size_t points, double frequency,
                              double *out)
{
    eco_legacy_noise2_points_on(eco_simd_level(), noises, count, x, y, points, frequency, out);
}
