#include "noise/grid.h"
#include "noise/os2s.h"

#define POINTS_CELL os2s_cell
#define POINTS_CELL_FIND os2s_cell_find
#define POINTS_REGIONS eco_os2s_regions

typedef int64_t instance; /* a seed */
typedef float number;
typedef float group __attribute__((vector_size(32)));
typedef int32_t group_mask __attribute__((vector_size(32)));

struct gradients {
    group x, y;
};

static inline const float *gradient_of(int64_t seed, int64_t x, int64_t y)
{
    uint64_t key = (uint64_t)x * NOISE_PRIME_X ^ (uint64_t)y * NOISE_PRIME_Y;

    return os2s_gradient2((uint64_t)seed ^ key);
}

static inline __attribute__((always_inline)) void add_up(group *sum, const struct os2s_cell *cell,
                                                         const struct gradients *corner,
                                                         const int64_t steps[4])
{
    group terms[4];

    for (int k = 0; k < 4; k++) {
        terms[k] = cell->power[k] *
                   (corner[steps[k]].x * cell->to_x[k] + corner[steps[k]].y * cell->to_y[k]);
        terms[k] = (group)((group_mask)terms[k] | cell->fill[k]);
    }
    *sum = terms[0] + terms[1] + terms[2] + terms[3];
}

static void one_point(const int64_t *seeds, unsigned count, double x, double y, float *out)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = eco_os2s_noise2(seeds[i], x, y);
}

#include "noise/points_body.h"

void eco_os2s_noise2_points_on(enum eco_simd level, const int64_t *seeds, unsigned count,
                               const double *x, const double *y, size_t points, double frequency,
                               float *out)
{
    struct noise_points list = {x, y, points, frequency};

    ask_all(level, seeds, count, &list, out);
}

void eco_os2s_noise2_points(const int64_t *seeds, unsigned count, const double *x, const double *y,
                            size_t points, double frequency, float *out)
{
    eco_os2s_noise2_points_on(eco_simd_level(), seeds, count, x, y, points, frequency, out);
}
