#include "blend/engine.h"

#include <string.h>

#include "lattice/walk.h"

/* One row of a square; the compiler maps it to what the processor has, lane by lane the same. */
typedef float row_of_floats __attribute__((vector_size(ECO_SQUARE_SIDE * sizeof(float))));
typedef int32_t row_of_masks __attribute__((vector_size(ECO_SQUARE_SIDE * sizeof(int32_t))));

static size_t count_points(const struct eco_lattice_walk *walk)
{
    size_t count = 0;

    for (int32_t j = walk->j_first; j <= walk->j_last; j++) {
        int32_t first, last;

        eco_lattice_walk_row(walk, j, &first, &last);
        if (last >= first)
            count += (size_t)(last - first) + 1;
    }
    return count;
}

int eco_blend_points_gather(const struct eco_blend *blend, const struct eco_rect *rect,
                            struct eco_arena *arena, struct eco_blend_points *points,
                            struct eco_error *error)
{
    double radius = eco_blend_radius(blend);
    struct eco_lattice_walk walk;
    size_t most, count = 0;
    int code = eco_lattice_walk_init(&walk, blend->frequency, rect, radius, error);

    if (code)
        return code;
    most = count_points(&walk);
    points->frequency = blend->frequency;
    points->radius = radius;
    points->j_first = walk.j_first;
    points->rows = (uint32_t)(walk.j_last - walk.j_first + 1);
    points->x = eco_arena_alloc(arena, most, sizeof(*points->x));
    points->z = eco_arena_alloc(arena, most, sizeof(*points->z));
    points->i = eco_arena_alloc(arena, most, sizeof(*points->i));
    points->biome = eco_arena_alloc(arena, most, sizeof(*points->biome));
    points->row_start =
        eco_arena_alloc(arena, (size_t)points->rows + 1, sizeof(*points->row_start));
    if (!points->x || !points->z || !points->i || !points->biome || !points->row_start)
        return eco_error_set(error, ECO_ENOMEM, "blend: no memory for %zu sample points", most);
    for (uint32_t row = 0; row < points->rows; row++) {
        int32_t j = walk.j_first + (int32_t)row, first, last;

        points->row_start[row] = count;
        eco_lattice_walk_row(&walk, j, &first, &last);
        for (int32_t i = first; i <= last; i++) {
            struct eco_point point = eco_lattice_point(blend->seed, blend->frequency, i, j);

            if (eco_rect_distance2(rect, point.x, point.z) >= radius * radius)
                continue;
            points->x[count] = point.x;
            points->z[count] = point.z;
            points->i[count++] = i;
        }
    }
    points->row_start[points->rows] = count;
    points->count = count;
    return 0;
}

/* The first point of [from, to) whose i is not below `i`. */
static size_t lower_bound(const struct eco_blend_points *points, size_t from, size_t to, int32_t i)
{
    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (points->i[middle] < i)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

int eco_blend_candidates_find(const struct eco_blend_points *points, const struct eco_rect *rect,
                              struct eco_arena *arena, struct eco_blend_candidates *out)
{
    double radius2 = points->radius * points->radius;
    struct eco_lattice_walk walk;
    int code = eco_lattice_walk_init(&walk, points->frequency, rect, points->radius, NULL);

    if (code)
        return code;
    out->count = 0;
    out->sole_biome = -1;
    out->index = eco_arena_alloc(arena, count_points(&walk), sizeof(*out->index));
    if (!out->index)
        return ECO_ENOMEM;
    for (int32_t j = walk.j_first; j <= walk.j_last; j++) {
        int64_t row = (int64_t)j - points->j_first;
        int32_t first, last;
        size_t end;

        eco_lattice_walk_row(&walk, j, &first, &last);
        if (row < 0 || row >= points->rows)
            continue;
        end = points->row_start[row + 1];
        for (size_t k = lower_bound(points, points->row_start[row], end, first);
             k < end && points->i[k] <= last; k++) {
            if (eco_rect_distance2(rect, points->x[k], points->z[k]) >= radius2)
                continue;
            if (out->count == 0)
                out->sole_biome = points->biome[k];
            else if (out->sole_biome != points->biome[k])
                out->sole_biome = -1;
            out->index[out->count++] = (uint32_t)k;
        }
    }
    return 0;
}

/* The points of one square, floats relative to its centre, biome after biome. */
struct local_points {
    float *x, *z;
    unsigned start[257]; /* by place in square->biomes */
};

static int sort_into_biomes(const struct eco_blend_points *points,
                            const struct eco_blend_candidates *candidates,
                            const struct eco_rect *rect, struct eco_arena *arena,
                            struct eco_square *square, struct local_points *local)
{
    double radius2 = points->radius * points->radius;
    double centre_x = (rect->x0 + rect->x1) / 2, centre_z = (rect->z0 + rect->z1) / 2;
    uint32_t *near = eco_arena_alloc(arena, candidates->count, sizeof(*near));
    unsigned counts[256] = {0}, places[256];
    unsigned total = 0, sum = 0;

    local->x = eco_arena_alloc(arena, candidates->count, sizeof(*local->x));
    local->z = eco_arena_alloc(arena, candidates->count, sizeof(*local->z));
    if (!near || !local->x || !local->z)
        return ECO_ENOMEM;
    for (size_t k = 0; k < candidates->count; k++) {
        uint32_t index = candidates->index[k];

        if (eco_rect_distance2(rect, points->x[index], points->z[index]) < radius2) {
            near[total++] = index;
            counts[points->biome[index]]++;
        }
    }
    square->count = 0;
    for (unsigned biome = 0; biome < 256; biome++) {
        if (counts[biome] == 0)
            continue;
        places[biome] = sum;
        local->start[square->count] = sum;
        square->biomes[square->count++] = (uint8_t)biome;
        sum += counts[biome];
    }
    local->start[square->count] = sum;
    if (square->count < 2)
        return 0;
    for (unsigned k = 0; k < total; k++) {
        unsigned place = places[points->biome[near[k]]]++;

        local->x[place] = (float)(points->x[near[k]] - centre_x);
        local->z[place] = (float)(points->z[near[k]] - centre_z);
    }
    return 0;
}

/* Adds max(0, r^2 - dz^2 - dx^2)^2 of `count` points to the rows of `sums`. */
static void add_kernels(const float *x, const float *z, unsigned count, float radius2, float step,
                        row_of_floats *sums)
{
    row_of_floats columns = {-3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f};
    row_of_floats rows[ECO_SQUARE_SIDE];

    columns *= step;
    memcpy(rows, sums, sizeof(rows));
    for (unsigned k = 0; k < count; k++) {
        row_of_floats dx = columns - x[k];
        row_of_floats dx2 = dx * dx;

        for (int row = 0; row < ECO_SQUARE_SIDE; row++) {
            float dz = ((float)row - 3.5f) * step - z[k];
            row_of_floats rest = (radius2 - dz * dz) - dx2;

            rest = (row_of_floats)((row_of_masks)rest & (rest > 0));
            rows[row] += rest * rest;
        }
    }
    memcpy(sums, rows, sizeof(rows));
}

int eco_blend_square(const struct eco_blend_points *points,
                     const struct eco_blend_candidates *candidates, int64_t x, int64_t z,
                     int64_t step, struct eco_arena *arena, struct eco_square *square)
{
    double reach = (double)((ECO_SQUARE_SIDE - 1) * step);
    struct eco_rect rect = {(double)x, (double)z, (double)x + reach, (double)z + reach};
    float radius2 = (float)(points->radius * points->radius);
    row_of_floats totals[ECO_SQUARE_SIDE] = {{0}};
    struct local_points local;

    square->weights = NULL;
    if (candidates->sole_biome >= 0) {
        square->count = 1;
        square->biomes[0] = (uint8_t)candidates->sole_biome;
        return 0;
    }
    if (sort_into_biomes(points, candidates, &rect, arena, square, &local))
        return ECO_ENOMEM;
    if (square->count < 2)
        return 0;
    square->weights = eco_arena_alloc(arena, square->count, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    for (unsigned b = 0; b < square->count; b++) {
        row_of_floats *sums = (row_of_floats *)(void *)square->weights[b];

        memset(sums, 0, sizeof(*square->weights));
        add_kernels(local.x + local.start[b], local.z + local.start[b],
                    local.start[b + 1] - local.start[b], radius2, (float)step, sums);
        for (int row = 0; row < ECO_SQUARE_SIDE; row++)
            totals[row] += sums[row];
    }
    for (unsigned b = 0; b < square->count; b++) {
        row_of_floats *sums = (row_of_floats *)(void *)square->weights[b];

        for (int row = 0; row < ECO_SQUARE_SIDE; row++)
            sums[row] /= totals[row];
    }
    return 0;
}
