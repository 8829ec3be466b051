#include "blend/grid_kernel.h"

#include <string.h>

#define SIDE ECO_SQUARE_SIDE
#define AREA ECO_SQUARE_AREA
/* Every function here is part of each of the kernels at the end, compiled for its level. */
#define PART __attribute__((always_inline)) static inline

/* A row of samples. Whole numbers wrap around; of several runs the sums may leave 32 bits on their
 * way to where they fit. */
typedef uint32_t wholes __attribute__((vector_size(SIDE * sizeof(uint32_t))));
typedef int32_t integers __attribute__((vector_size(SIDE * sizeof(int32_t))));
typedef float floats __attribute__((vector_size(SIDE * sizeof(float))));

/* The rows of samples that a row of points can weigh in, and their look-up tables. */
struct rows {
    int first, end;
    const int32_t *sums[SIDE];
};

PART struct rows rows_near(const struct disc *disc, int64_t dz)
{
    struct rows rows = {.first = 0, .end = SIDE};

    while (rows.first < rows.end && dz - rows.first * disc->step >= disc->reach)
        rows.first++;
    while (rows.first < rows.end && dz - (rows.end - 1) * disc->step <= -disc->reach)
        rows.end--;
    for (int row = rows.first; row < rows.end; row++) {
        int64_t away = dz - row * disc->step;

        rows.sums[row] = disc->sums + (size_t)(away < 0 ? -away : away) * disc->row_stride;
    }
    return rows;
}

PART void add(const struct rows *rows, size_t entry, int32_t *sums)
{
    for (int row = rows->first; row < rows->end; row++) {
        wholes sum, more;

        memcpy(&sum, sums + row * SIDE, sizeof(sum));
        memcpy(&more, rows->sums[row] + entry, sizeof(more));
        sum += more;
        memcpy(sums + row * SIDE, &sum, sizeof(sum));
    }
}

PART void subtract(const struct rows *rows, size_t entry, int32_t *sums)
{
    for (int row = rows->first; row < rows->end; row++) {
        wholes sum, less;

        memcpy(&sum, sums + row * SIDE, sizeof(sum));
        memcpy(&less, rows->sums[row] + entry, sizeof(less));
        sum -= less;
        memcpy(sums + row * SIDE, &sum, sizeof(sum));
    }
}

/* The sums of a slot, 0 at first. */
PART int32_t *sums_of(struct grid_sums *sums, unsigned slot)
{
    if (!sums->used[slot]) {
        sums->used[slot] = true;
        memset(sums->sums[slot], 0, sizeof(sums->sums[slot]));
    }
    return sums->sums[slot];
}

/* A row of points: each run adds what its points weigh, up to its end less up to its beginning. */
PART void accumulate_row(const struct grid_window *window, struct grid_sums *sums, uint32_t row,
                         uint32_t first, uint32_t end, size_t far)
{
    const struct disc *disc = window->disc;
    const struct map *map = window->map;
    const uint32_t *ends = map->end + (size_t)row * map->columns;
    const uint8_t *biomes = map->biome + (size_t)row * map->columns;
    uint32_t run = window->first_run[row - window->first_row];
    struct rows rows;
    unsigned slot;

    while (ends[run] <= first)
        run++;
    slot = window->slot[biomes[run]];
    if (ends[run] >= end && slot == sums->base)
        return;
    rows = rows_near(disc, (map->first_z + row) * disc->interval - sums->z);
    for (; ends[run] < end; run++) {
        /* The last point of the run. */
        size_t entry = disc_entry(disc, (map->first_x + ends[run] - 1) * disc->interval - sums->x);

        if (slot != sums->base)
            add(&rows, entry, sums_of(sums, slot));
        slot = window->slot[biomes[run + 1]];
        if (slot != sums->base)
            subtract(&rows, entry, sums_of(sums, slot));
    }
    if (slot != sums->base)
        add(&rows, far, sums_of(sums, slot));
}

PART void accumulate(const struct grid_window *window, struct grid_sums *sums)
{
    const struct disc *disc = window->disc;
    const struct map *map = window->map;
    int64_t side = (SIDE - 1) * disc->step;
    struct grid_span span = {sums->x, sums->z, sums->x + side, sums->z + side};
    struct grid_reach reach = grid_reach_of(disc, &span);
    uint32_t first = (uint32_t)(reach.first_x - map->first_x);
    uint32_t end = (uint32_t)(reach.end_x - map->first_x);
    uint32_t end_row = (uint32_t)(reach.end_z - map->first_z);
    size_t far = disc_entry(disc, disc_far(disc, sums->x));

    end = end < window->end_column ? end : window->end_column;
    end_row = end_row < window->end_row ? end_row : window->end_row;
    for (uint32_t row = (uint32_t)(reach.first_z - map->first_z); row < end_row; row++)
        accumulate_row(window, sums, row, first, end, far);
}

PART void complete(const struct grid_window *window, struct grid_sums *sums)
{
    const struct disc *disc = window->disc;
    int32_t *base = sums->sums[sums->base];

    for (int row = 0; row < SIDE; row++)
        memcpy(base + row * SIDE, disc_totals(disc, sums->x, sums->z + row * disc->step),
               SIDE * sizeof(*base));
    for (unsigned slot = 0; slot < window->count; slot++) {
        for (int row = 0; sums->used[slot] && row < SIDE; row++) {
            wholes left, less;

            memcpy(&left, base + row * SIDE, sizeof(left));
            memcpy(&less, sums->sums[slot] + row * SIDE, sizeof(less));
            left -= less;
            memcpy(base + row * SIDE, &left, sizeof(left));
        }
    }
}

PART bool weigh(const struct grid_window *window, const struct grid_sums *sums, unsigned slot,
                float weights[AREA])
{
    const struct disc *disc = window->disc;
    const int32_t *own = sums->sums[slot];
    int32_t any = 0;

    for (int row = 0; row < SIDE; row++) {
        integers sum, total;
        floats weight;

        memcpy(&sum, own + row * SIDE, sizeof(sum));
        memcpy(&total, disc_totals(disc, sums->x, sums->z + row * disc->step), sizeof(total));
        weight = __builtin_convertvector(sum, floats) / __builtin_convertvector(total, floats);
        memcpy(weights + row * SIDE, &weight, sizeof(weight));
    }
    for (int k = 0; k < AREA; k++)
        any |= own[k];
    return any != 0;
}

/* A row of values between those of a plane's row of points. */
PART void lerp_row(const float *row, const struct lerp_cells *cells, const floats *x, floats *out)
{
    const uint32_t *column = cells->column;
    floats west = {0}, east = {0};

    /* All in one cell is the common case, and needs no gathering. */
    if (column[0] == column[SIDE - 1]) {
        west = row[column[0]] - (floats){0};
        east = row[column[0] + 1] - (floats){0};
    } else {
        for (int k = 0; k < SIDE; k++) {
            west[k] = row[column[k]];
            east[k] = row[column[k] + 1];
        }
    }
    *out = west + (east - west) * *x;
}

PART bool lerp(const float *plane, size_t stride, const struct lerp_cells *cells, float out[AREA])
{
    floats x, north = {0}, south = {0}, most = {0};
    float greatest = 0.0f;

    memcpy(&x, cells->x, sizeof(x));
    for (int row = 0; row < SIDE; row++) {
        floats value;

        if (row == 0 || cells->row[row] != cells->row[row - 1]) {
            lerp_row(plane + cells->row[row] * stride, cells, &x, &north);
            lerp_row(plane + (cells->row[row] + 1) * stride, cells, &x, &south);
        }
        value = north + (south - north) * cells->z[row];
        memcpy(out + row * SIDE, &value, sizeof(value));
        most += value;
    }
    for (int k = 0; k < SIDE; k++)
        greatest += most[k];
    return greatest > 0.0f;
}

/* The four functions of a level. */
#define KERNEL(name, isa)                                                                          \
    isa static void accumulate_##name(const struct grid_window *window, struct grid_sums *sums)    \
    {                                                                                              \
        accumulate(window, sums);                                                                  \
    }                                                                                              \
    isa static void complete_##name(const struct grid_window *window, struct grid_sums *sums)      \
    {                                                                                              \
        complete(window, sums);                                                                    \
    }                                                                                              \
    isa static bool weigh_##name(const struct grid_window *window, const struct grid_sums *sums,   \
                                 unsigned slot, float weights[AREA])                               \
    {                                                                                              \
        return weigh(window, sums, slot, weights);                                                 \
    }                                                                                              \
    isa static bool lerp_##name(const float *plane, size_t stride, const struct lerp_cells *cells, \
                                float out[AREA])                                                   \
    {                                                                                              \
        return lerp(plane, stride, cells, out);                                                    \
    }                                                                                              \
    static const struct grid_kernel kernel_##name = {accumulate_##name, complete_##name,           \
                                                     weigh_##name, lerp_##name}

KERNEL(scalar, );
#ifdef __x86_64__
KERNEL(avx2, __attribute__((target("avx2"))));
#endif

const struct grid_kernel *grid_kernel_of(enum eco_simd level)
{
#ifdef __x86_64__
    if (level >= ECO_SIMD_AVX2)
        return &kernel_avx2;
#endif
    (void)level;
    return &kernel_scalar;
}
