#include "blend/disc.h"

#include <math.h>
#include <string.h>

/* Below 2^31 by more than rounding can add. */
#define TOTAL_MOST 2147000000.0

/* Sums in double, row by row, for every whole offset from `first` on. */
struct lines {
    double *values;
    int64_t first;
    size_t width;
};

static void fill_line(double radius, const struct disc *disc, int64_t dz, const struct lines *lines)
{
    double *line = lines->values + (size_t)dz * lines->width;
    double left = radius * radius - (double)dz * (double)dz;

    for (size_t k = 0; k < lines->width; k++) {
        double u = (double)(lines->first + (int64_t)k), rest = left - u * u;
        double before = k >= (size_t)disc->interval ? line[k - (size_t)disc->interval] : 0.0;

        line[k] = before + (rest > 0.0 ? rest * rest : 0.0);
    }
}

/* The greatest of what all points weigh in a sample, over all places of the sample. */
static double greatest_total(const struct disc *disc, const struct lines *lines)
{
    size_t end = lines->width - (size_t)disc->interval; /* out of reach of every point */
    double greatest = 0.0;

    for (int64_t z = 0; z < disc->interval; z++) {
        for (int64_t x = 0; x < disc->interval; x++) {
            double total = 0.0;

            for (int64_t dz = z - (disc->reach + z) / disc->interval * disc->interval;
                 dz < disc->reach; dz += disc->interval) {
                int64_t row = dz < 0 ? -dz : dz;

                if (row < disc->reach)
                    total += lines->values[(size_t)row * lines->width + end + (size_t)x];
            }
            greatest = total > greatest ? total : greatest;
        }
    }
    return greatest;
}

static void fill_sums(struct disc *disc, const struct lines *lines, double scale)
{
    for (int64_t row = 0; row < disc->reach; row++) {
        const double *line = lines->values + (size_t)row * lines->width;
        int32_t *sums = disc->sums + (size_t)row * disc->row_stride;

        for (size_t k = 0; k < lines->width; k++)
            sums[disc_entry(disc, lines->first + (int64_t)k)] = (int32_t)(line[k] * scale + 0.5);
    }
}

static void fill_totals(struct disc *disc)
{
    size_t lists = (size_t)disc->step;

    memset(disc->totals, 0,
           (size_t)disc->interval * lists * disc->total_stride * sizeof(*disc->totals));
    for (int64_t dz = 1 - disc->reach; dz < disc->reach; dz++) {
        size_t row = (size_t)(dz < 0 ? -dz : dz), z = (size_t)eco_floor_mod(dz, disc->interval);

        for (size_t phase = 0; phase < lists; phase++) {
            const int32_t *from = disc->sums + row * disc->row_stride + phase * disc->list_stride;
            int32_t *to = disc->totals + (z * lists + phase) * disc->total_stride;

            /* Entries of offsets within reach are sums of a part of a row and are never looked
             * up. */
            for (size_t k = 0; k < disc->total_stride; k++)
                to[k] = (int32_t)((uint32_t)to[k] + (uint32_t)from[k]);
        }
    }
}

int disc_make(double radius, int64_t interval, int64_t step, struct eco_arena *arena,
              struct disc *disc)
{
    const int64_t beside = (DISC_SAMPLES - 1) * step;
    struct eco_arena_mark mark;
    struct lines lines;
    int64_t least;

    disc->interval = interval;
    disc->step = step;
    disc->reach = (int64_t)ceil(radius);
    disc->greatest = eco_floor_div(disc->reach + beside + interval - 1, step);
    least = eco_floor_div(-disc->reach - beside, step);
    disc->list_stride = (size_t)(disc->greatest - least + 1);
    disc->row_stride = disc->list_stride * (size_t)step;
    disc->total_stride = (size_t)(interval / step + 2 + DISC_SAMPLES);
    if (disc->total_stride > disc->list_stride)
        disc->total_stride = disc->list_stride;
    disc->sums =
        eco_arena_alloc(arena, (size_t)disc->reach * disc->row_stride, sizeof(*disc->sums));
    disc->totals = eco_arena_alloc(arena, (size_t)(interval * step) * disc->total_stride,
                                   sizeof(*disc->totals));
    mark = eco_arena_mark(arena);
    lines.first = least * step;
    lines.width = disc->row_stride;
    lines.values = eco_arena_alloc(arena, (size_t)disc->reach * lines.width, sizeof(*lines.values));
    if (!disc->sums || !disc->totals || !lines.values)
        return ECO_ENOMEM;
    for (int64_t dz = 0; dz < disc->reach; dz++)
        fill_line(radius, disc, dz, &lines);
    fill_sums(disc, &lines, TOTAL_MOST / greatest_total(disc, &lines));
    fill_totals(disc);
    eco_arena_rewind(arena, mark);
    return 0;
}
