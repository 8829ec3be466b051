/*
 * Noise at a list of points, from tables of the gradients around them: what the generations of
 * noise share. The including file defines before:
 *   number, group        a value of the noise, and those of several instances in 32 bytes
 *   instance             what tells the noises of one generation apart
 *   struct gradients     those of a group at one vertex: group x, y
 *   POINTS_CELL          the struct of a point's cell, which POINTS_CELL_FIND fills
 *   POINTS_REGIONS       the vertices of the cell's regions: an array
 *   gradient_of          of an instance at a vertex
 *   add_up               the sum of what the vertices of a cell contribute, for a group
 *   one_point            the values of some instances at one point, without a table
 */
#include <string.h>

#include "base/simd.h"
#include "noise/points.h"

/* Instances side by side in a register, and in a table. */
#define GROUP ((unsigned)(sizeof(group) / sizeof(number)))
#define INSTANCES_MAX (4 * GROUP)
/* Groups of gradients in a table: 32 KiB. */
#define TABLE_GROUPS 512
#define REGIONS (sizeof(POINTS_REGIONS) / sizeof(POINTS_REGIONS[0]))

#define INLINE static inline __attribute__((always_inline))

/* The gradients of the vertices; at each vertex the groups of instances. */
struct table {
    struct gradients gradients[TABLE_GROUPS];
    struct noise_vertices vertices;
    int64_t groups;
    int64_t steps[REGIONS][4]; /* to a region's vertices from the corner (0, 0) */
};

struct instances {
    const instance *list;
    unsigned count; /* up to INSTANCES_MAX */
    unsigned apart; /* values of one point from those of the next */
};

static void table_fill(struct table *table, const struct instances *instances)
{
    const struct noise_vertices *vertices = &table->vertices;
    struct gradients *gradients = table->gradients;

    for (size_t region = 0; region < REGIONS; region++) {
        const int32_t *i = POINTS_REGIONS[region].i, *j = POINTS_REGIONS[region].j;

        for (int k = 0; k < 4; k++)
            table->steps[region][k] = (i[k] + j[k] * vertices->width) * table->groups;
    }
    for (int64_t j = 0; j < vertices->height; j++) {
        for (int64_t i = 0; i < vertices->width; i++, gradients += table->groups) {
            for (unsigned n = 0; n < table->groups * GROUP; n++) {
                unsigned one = n < instances->count ? n : instances->count - 1;
                const number *gradient =
                    gradient_of(instances->list[one], vertices->x + i, vertices->y + j);

                gradients[n / GROUP].x[n % GROUP] = gradient[0];
                gradients[n / GROUP].y[n % GROUP] = gradient[1];
            }
        }
    }
}

INLINE void point_from_table(const struct table *table, unsigned count, double x, double y,
                             number *out)
{
    const struct noise_vertices *box = &table->vertices;
    struct POINTS_CELL cell;

    POINTS_CELL_FIND(&cell, noise_skew(x, y));
    const int64_t *steps = table->steps[cell.region];
    const struct gradients *corner =
        &table->gradients[((cell.y - box->y) * box->width + cell.x - box->x) * table->groups];

    for (unsigned done = 0; done < count; done += GROUP, corner++) {
        unsigned rest = count - done;
        group sum;

        add_up(&sum, &cell, corner, steps);
        memcpy(out + done, &sum, (rest < GROUP ? rest : GROUP) * sizeof(number));
    }
}

INLINE void run_from_table(const struct table *table, const struct instances *instances,
                           const struct noise_points *points, size_t first, size_t run, number *out)
{
    for (size_t n = first; n < first + run; n++)
        point_from_table(table, instances->count, points->x[n] * points->frequency,
                         points->y[n] * points->frequency, out + n * instances->apart);
}

typedef void run_fn(const struct table *table, const struct instances *instances,
                    const struct noise_points *points, size_t first, size_t run, number *out);

static void run_plain(const struct table *table, const struct instances *instances,
                      const struct noise_points *points, size_t first, size_t run, number *out)
{
    run_from_table(table, instances, points, first, run, out);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void run_avx2(const struct table *table,
                                                     const struct instances *instances,
                                                     const struct noise_points *points,
                                                     size_t first, size_t run, number *out)
{
    run_from_table(table, instances, points, first, run, out);
}
#else
#define run_avx2 run_plain
#endif

static run_fn *const kernels[ECO_SIMD_LEVELS] = {run_plain, run_avx2, run_avx2};

static void run_by_points(const struct instances *instances, const struct noise_points *points,
                          size_t first, size_t run, number *out)
{
    for (size_t n = first; n < first + run; n++)
        one_point(instances->list, instances->count, points->x[n] * points->frequency,
                  points->y[n] * points->frequency, out + n * instances->apart);
}

static void ask(const struct instances *instances, const struct noise_points *points, number *out,
                run_fn *kernel)
{
    struct table table;
    size_t wish = points->count, run;

    table.groups = (instances->count + GROUP - 1) / GROUP;
    for (size_t first = 0; first < points->count; first += run) {
        run = eco_noise_points_run(points, first, &wish, TABLE_GROUPS / table.groups,
                                   &table.vertices);
        if (table.vertices.width) {
            table_fill(&table, instances);
            kernel(&table, instances, points, first, run, out);
        } else {
            run_by_points(instances, points, first, run, out);
        }
    }
}

/* out[k * count + i] becomes the value of list[i] at point k. */
static void ask_all(enum eco_simd level, const instance *list, unsigned count,
                    const struct noise_points *points, number *out)
{
    for (unsigned i = 0; i < count; i += INSTANCES_MAX) {
        unsigned rest = count - i;
        struct instances part = {list + i, rest < INSTANCES_MAX ? rest : INSTANCES_MAX, count};

        ask(&part, points, out + i, kernels[level]);
    }
}
