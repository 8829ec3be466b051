#include <string.h>

#include "noise/grid.h"
#include "noise/legacy.h"
#include "noise/points.h"

/* Instances side by side in a register, and in a table. */
#define GROUP 4
#define INSTANCES_MAX 16
/* Gradients in a table: 32 KiB. */
#define TABLE_SIZE 2048

struct gradients {
    legacy_four x, y;
};

/* The gradients of the vertices; at each vertex the groups of instances. */
struct table {
    struct gradients gradients[TABLE_SIZE / GROUP];
    struct noise_vertices vertices;
    int64_t groups;
    int64_t steps[LEGACY_REGIONS][4]; /* to a region's vertices from the corner (0, 0) */
};

struct instances {
    const struct eco_legacy_noise *const *noises;
    unsigned count; /* up to INSTANCES_MAX */
    unsigned apart; /* values of one point from those of the next */
};

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

static void table_fill(struct table *table, const struct instances *instances)
{
    const struct noise_vertices *vertices = &table->vertices;
    struct gradients *gradients = table->gradients;

    for (int region = 0; region < LEGACY_REGIONS; region++) {
        const int *i = eco_legacy_regions[region].i, *j = eco_legacy_regions[region].j;

        for (int k = 0; k < 4; k++)
            table->steps[region][k] = (i[k] + j[k] * vertices->width) * table->groups;
    }
    for (int64_t j = 0; j < vertices->height; j++) {
        for (int64_t i = 0; i < vertices->width; i++, gradients += table->groups) {
            for (unsigned n = 0; n < table->groups * GROUP; n++) {
                unsigned instance = n < instances->count ? n : instances->count - 1;
                const double *gradient =
                    legacy_gradient2(instances->noises[instance], vertices->x + i, vertices->y + j);

                gradients[n / GROUP].x[n % GROUP] = gradient[0];
                gradients[n / GROUP].y[n % GROUP] = gradient[1];
            }
        }
    }
}

/* Terms of 0 are added where a vertex is out of reach, as in the function for one point. */
static inline __attribute__((always_inline)) void point_from_table(const struct table *table,
                                                                   unsigned count, double x,
                                                                   double y, double *out)
{
    const struct noise_vertices *box = &table->vertices;
    struct legacy_cell cell;

    legacy_cell_find(&cell, noise_skew(x, y));
    const int64_t *steps = table->steps[cell.region];
    const struct gradients *corner =
        &table->gradients[((cell.y - box->y) * box->width + cell.x - box->x) * table->groups];

    for (unsigned done = 0; done < count; done += GROUP, corner++) {
        unsigned rest = count - done;
        legacy_four value = {0};

        for (int k = 0; k < 4; k++)
            value += cell.power[k] *
                     (corner[steps[k]].x * cell.to_x[k] + corner[steps[k]].y * cell.to_y[k]);
        memcpy(out + done, &value, (rest < GROUP ? rest : GROUP) * sizeof(double));
    }
}

static inline __attribute__((always_inline)) void run_from_table(const struct table *table,
                                                                 const struct instances *instances,
                                                                 const struct noise_points *points,
                                                                 size_t first, size_t run,
                                                                 double *out)
{
    for (size_t n = first; n < first + run; n++)
        point_from_table(table, instances->count, points->x[n] * points->frequency,
                         points->y[n] * points->frequency, out + n * instances->apart);
}

typedef void run_fn(const struct table *table, const struct instances *instances,
                    const struct noise_points *points, size_t first, size_t run, double *out);

static void run_plain(const struct table *table, const struct instances *instances,
                      const struct noise_points *points, size_t first, size_t run, double *out)
{
    run_from_table(table, instances, points, first, run, out);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void run_avx2(const struct table *table,
                                                     const struct instances *instances,
                                                     const struct noise_points *points,
                                                     size_t first, size_t run, double *out)
{
    run_from_table(table, instances, points, first, run, out);
}
#else
#define run_avx2 run_plain
#endif

static void run_by_points(const struct instances *instances, const struct noise_points *points,
                          size_t first, size_t run, double *out)
{
    for (size_t n = first; n < first + run; n++)
        eco_legacy_noise2_many(instances->noises, instances->count,
                               points->x[n] * points->frequency, points->y[n] * points->frequency,
                               out + n * instances->apart);
}

static run_fn *const kernels[ECO_SIMD_LEVELS] = {run_plain, run_avx2, run_avx2};

static void ask(const struct instances *instances, const struct noise_points *points, double *out,
                run_fn *kernel)
{
    struct table table;
    size_t wish = points->count, run;

    table.groups = (instances->count + GROUP - 1) / GROUP;
    for (size_t first = 0; first < points->count; first += run) {
        run = eco_noise_points_run(points, first, &wish, TABLE_SIZE / GROUP / table.groups,
                                   &table.vertices);
        if (table.vertices.width) {
            table_fill(&table, instances);
            kernel(&table, instances, points, first, run, out);
        } else {
            run_by_points(instances, points, first, run, out);
        }
    }
}

void eco_legacy_noise2_points_on(enum eco_simd level, const struct eco_legacy_noise *const *noises,
                                 unsigned count, const double *x, const double *y, size_t points,
                                 double frequency, double *out)
{
    struct noise_points list = {x, y, points, frequency};

    for (unsigned i = 0; i < count; i += INSTANCES_MAX) {
        unsigned rest = count - i;
        struct instances instances = {noises + i, rest < INSTANCES_MAX ? rest : INSTANCES_MAX,
                                      count};

        ask(&instances, &list, out + i, kernels[level]);
    }
}

void eco_legacy_noise2_points(const struct eco_legacy_noise *const *noises, unsigned count,
                              const double *x, const double *y, size_t points, double frequency,
                              double *out)
{
    eco_legacy_noise2_points_on(eco_simd_level(), noises, count, x, y, points, frequency, out);
}
