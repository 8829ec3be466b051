#include <string.h>

#include "noise/grid.h"
#include "noise/os2s.h"
#include "noise/points.h"

/* Seeds side by side in a register, and in a table. */
#define GROUP 8
#define SEEDS_MAX 32
/* Gradients in a table: 32 KiB. */
#define TABLE_SIZE 4096

typedef float group __attribute__((vector_size(GROUP * sizeof(float))));
typedef int32_t group_mask __attribute__((vector_size(GROUP * sizeof(float))));

struct gradients {
    group x, y;
};

/* The gradients of the vertices; at each vertex the groups of seeds. */
struct table {
    struct gradients gradients[TABLE_SIZE / GROUP];
    struct noise_vertices vertices;
    int64_t groups;
    int64_t steps[OS2S_REGIONS][4]; /* to a region's vertices from the corner (0, 0) */
};

struct seeds {
    const int64_t *seeds;
    unsigned count; /* up to SEEDS_MAX */
    unsigned apart; /* values of one point from those of the next */
};

static void table_fill(struct table *table, const struct seeds *seeds)
{
    const struct noise_vertices *vertices = &table->vertices;
    struct gradients *gradients = table->gradients;

    for (int region = 0; region < OS2S_REGIONS; region++) {
        const int32_t *i = eco_os2s_regions[region].i, *j = eco_os2s_regions[region].j;

        for (int k = 0; k < 4; k++)
            table->steps[region][k] = (i[k] + j[k] * vertices->width) * table->groups;
    }
    for (int64_t j = 0; j < vertices->height; j++) {
        for (int64_t i = 0; i < vertices->width; i++, gradients += table->groups) {
            uint64_t key = (uint64_t)(vertices->x + i) * NOISE_PRIME_X ^
                           (uint64_t)(vertices->y + j) * NOISE_PRIME_Y;

            for (unsigned n = 0; n < table->groups * GROUP; n++) {
                uint64_t seed = (uint64_t)seeds->seeds[n < seeds->count ? n : seeds->count - 1];
                const float *gradient = os2s_gradient2(seed ^ key);

                gradients[n / GROUP].x[n % GROUP] = gradient[0];
                gradients[n / GROUP].y[n % GROUP] = gradient[1];
            }
        }
    }
}

static inline __attribute__((always_inline)) void point_from_table(const struct table *table,
                                                                   unsigned count, double x,
                                                                   double y, float *out)
{
    const struct noise_vertices *box = &table->vertices;
    struct os2s_cell cell;

    os2s_cell_find(&cell, noise_skew(x, y));
    const int64_t *steps = table->steps[cell.region];
    const struct gradients *corner =
        &table->gradients[((cell.y - box->y) * box->width + cell.x - box->x) * table->groups];

    for (unsigned done = 0; done < count; done += GROUP, corner++) {
        unsigned rest = count - done;
        group terms[4];

        for (int k = 0; k < 4; k++) {
            terms[k] = cell.power[k] *
                       (corner[steps[k]].x * cell.to_x[k] + corner[steps[k]].y * cell.to_y[k]);
            terms[k] = (group)((group_mask)terms[k] | cell.fill[k]);
        }
        terms[0] = terms[0] + terms[1] + terms[2] + terms[3];
        memcpy(out + done, &terms[0], (rest < GROUP ? rest : GROUP) * sizeof(float));
    }
}

static inline __attribute__((always_inline)) void run_from_table(const struct table *table,
                                                                 const struct seeds *seeds,
                                                                 const struct noise_points *points,
                                                                 size_t first, size_t run,
                                                                 float *out)
{
    for (size_t n = first; n < first + run; n++)
        point_from_table(table, seeds->count, points->x[n] * points->frequency,
                         points->y[n] * points->frequency, out + n * seeds->apart);
}

typedef void run_fn(const struct table *table, const struct seeds *seeds,
                    const struct noise_points *points, size_t first, size_t run, float *out);

static void run_plain(const struct table *table, const struct seeds *seeds,
                      const struct noise_points *points, size_t first, size_t run, float *out)
{
    run_from_table(table, seeds, points, first, run, out);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void run_avx2(const struct table *table,
                                                     const struct seeds *seeds,
                                                     const struct noise_points *points,
                                                     size_t first, size_t run, float *out)
{
    run_from_table(table, seeds, points, first, run, out);
}
#else
#define run_avx2 run_plain
#endif

static run_fn *const kernels[ECO_SIMD_LEVELS] = {run_plain, run_avx2, run_avx2};

static void run_by_points(const struct seeds *seeds, const struct noise_points *points,
                          size_t first, size_t run, float *out)
{
    for (size_t n = first; n < first + run; n++) {
        for (unsigned i = 0; i < seeds->count; i++)
            out[n * seeds->apart + i] =
                eco_os2s_noise2(seeds->seeds[i], points->x[n] * points->frequency,
                                points->y[n] * points->frequency);
    }
}

static void ask(const struct seeds *seeds, const struct noise_points *points, float *out,
                run_fn *kernel)
{
    struct table table;
    size_t wish = points->count, run;

    table.groups = (seeds->count + GROUP - 1) / GROUP;
    for (size_t first = 0; first < points->count; first += run) {
        run = eco_noise_points_run(points, first, &wish, TABLE_SIZE / GROUP / table.groups,
                                   &table.vertices);
        if (table.vertices.width) {
            table_fill(&table, seeds);
            kernel(&table, seeds, points, first, run, out);
        } else {
            run_by_points(seeds, points, first, run, out);
        }
    }
}

void eco_os2s_noise2_points_on(enum eco_simd level, const int64_t *seeds, unsigned count,
                               const double *x, const double *y, size_t points, double frequency,
                               float *out)
{
    struct noise_points list = {x, y, points, frequency};

    for (unsigned i = 0; i < count; i += SEEDS_MAX) {
        unsigned rest = count - i;
        struct seeds part = {seeds + i, rest < SEEDS_MAX ? rest : SEEDS_MAX, count};

        ask(&part, &list, out + i, kernels[level]);
    }
}

void eco_os2s_noise2_points(const int64_t *seeds, unsigned count, const double *x, const double *y,
                            size_t points, double frequency, float *out)
{
    eco_os2s_noise2_points_on(eco_simd_level(), seeds, count, x, y, points, frequency, out);
}
