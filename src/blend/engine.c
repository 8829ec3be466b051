#include "blend/engine.h"

#include <stdbool.h>
#include <string.h>

#include "blend/kernel.h"
#include "lattice/walk.h"

/*
 * Lists are gathered a little wider than the kernel reaches: a square decides in float what is
 * near, and must not miss a point that a list left out in double.
 */
#define REACH 1.0001

/* Values behind the end of each list that a kernel may read. */
#define LIST_SLACK 8

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

int eco_blend_points_plan(const struct eco_blend *blend, const struct eco_rect *rect,
                          struct eco_arena *arena, struct eco_blend_points *points,
                          struct eco_error *error)
{
    double radius = eco_blend_radius(blend);
    struct eco_lattice_walk walk;
    size_t count = 0;
    int code = eco_lattice_walk_init(&walk, blend->frequency, rect, radius * REACH, error);

    if (code)
        return code;
    points->blend = *blend;
    points->rect = *rect;
    points->radius = radius;
    points->j_first = walk.j_first;
    points->rows = (uint32_t)(walk.j_last - walk.j_first + 1);
    points->row_start =
        eco_arena_alloc(arena, (size_t)points->rows + 1, sizeof(*points->row_start));
    points->row_end = eco_arena_alloc(arena, points->rows, sizeof(*points->row_end));
    if (!points->row_start || !points->row_end)
        return eco_error_set(error, ECO_ENOMEM, "blend: no memory for %u rows of sample points",
                             points->rows);
    for (uint32_t row = 0; row < points->rows; row++) {
        int32_t first, last;

        points->row_start[row] = count;
        eco_lattice_walk_row(&walk, walk.j_first + (int32_t)row, &first, &last);
        count += last >= first ? (size_t)(last - first) + 1 : 0;
    }
    points->row_start[points->rows] = count;
    points->x = eco_arena_alloc(arena, count, sizeof(*points->x));
    points->z = eco_arena_alloc(arena, count, sizeof(*points->z));
    points->i = eco_arena_alloc(arena, count, sizeof(*points->i));
    points->biome = eco_arena_alloc(arena, count, sizeof(*points->biome));
    if (!points->x || !points->z || !points->i || !points->biome)
        return eco_error_set(error, ECO_ENOMEM, "blend: no memory for %zu sample points", count);
    return 0;
}

size_t eco_blend_points_find(struct eco_blend_points *points, uint32_t first, uint32_t end)
{
    const struct eco_blend *blend = &points->blend;
    double reach = points->radius * REACH;
    size_t start = points->row_start[first], count = start;
    struct eco_lattice_walk walk;

    if (eco_lattice_walk_init(&walk, blend->frequency, &points->rect, reach, NULL))
        return 0;
    for (uint32_t row = first; row < end; row++) {
        int32_t j = points->j_first + (int32_t)row, from, last;

        points->row_start[row] = count;
        eco_lattice_walk_row(&walk, j, &from, &last);
        for (int32_t i = from; i <= last; i++) {
            struct eco_point point = eco_lattice_point(blend->seed, blend->frequency, i, j);

            if (eco_rect_distance2(&points->rect, point.x, point.z) >= reach * reach)
                continue;
            points->x[count] = point.x;
            points->z[count] = point.z;
            points->i[count++] = i;
        }
        points->row_end[row] = count;
    }
    return count - start;
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

/* Indices of the points near `rect`, and how many each biome has. */
static size_t find_indices(const struct eco_blend_points *points, const struct eco_rect *rect,
                           const struct eco_lattice_walk *walk, uint32_t *index,
                           size_t counts[ECO_BIOMES_MAX])
{
    double reach2 = points->radius * REACH * points->radius * REACH;
    size_t count = 0;

    for (int32_t j = walk->j_first; j <= walk->j_last; j++) {
        int64_t row = (int64_t)j - points->j_first;
        int32_t first, last;
        size_t end;

        if (row < 0 || row >= points->rows)
            continue;
        eco_lattice_walk_row(walk, j, &first, &last);
        end = points->row_end[row];
        for (size_t k = lower_bound(points, points->row_start[row], end, first);
             k < end && points->i[k] <= last; k++) {
            if (eco_rect_distance2(rect, points->x[k], points->z[k]) >= reach2)
                continue;
            index[count++] = (uint32_t)k;
            counts[points->biome[k]]++;
        }
    }
    return count;
}

static int alloc_lists(struct eco_arena *arena, size_t count, struct eco_blend_lists *out)
{
    out->x = eco_arena_alloc(arena, count + LIST_SLACK, sizeof(*out->x));
    out->z = eco_arena_alloc(arena, count + LIST_SLACK, sizeof(*out->z));
    if (!out->x || !out->z)
        return ECO_ENOMEM;
    memset(out->x + count, 0, LIST_SLACK * sizeof(*out->x));
    memset(out->z + count, 0, LIST_SLACK * sizeof(*out->z));
    return 0;
}

int eco_blend_lists_find(const struct eco_blend_points *points, const struct eco_rect *rect,
                         struct eco_arena *arena, struct eco_blend_lists *out)
{
    size_t counts[ECO_BIOMES_MAX] = {0}, place[ECO_BIOMES_MAX], total, sum = 0;
    struct eco_lattice_walk walk;
    uint32_t *index;

    if (eco_lattice_walk_init(&walk, points->blend.frequency, rect, points->radius * REACH, NULL))
        return ECO_EINVAL;
    index = eco_arena_alloc(arena, count_points(&walk), sizeof(*index));
    if (!index)
        return ECO_ENOMEM;
    total = find_indices(points, rect, &walk, index, counts);
    out->count = 0;
    for (unsigned biome = 0; biome < ECO_BIOMES_MAX; biome++) {
        if (counts[biome] == 0)
            continue;
        place[biome] = out->start[out->count] = sum;
        out->biomes[out->count++] = (uint8_t)biome;
        sum += counts[biome];
    }
    out->start[out->count] = sum;
    if (alloc_lists(arena, total, out))
        return ECO_ENOMEM;
    for (size_t k = 0; k < total; k++) {
        size_t to = place[points->biome[index[k]]]++;

        out->x[to] = points->x[index[k]];
        out->z[to] = points->z[index[k]];
    }
    return 0;
}

int eco_blend_lists_narrow(const struct eco_blend_lists *wide, const struct eco_rect *rect,
                           double radius, struct eco_arena *arena, struct eco_blend_lists *out)
{
    const struct kernel *kernel = eco_kernel(eco_simd_level());
    struct kernel_window window = {
        .x = (rect->x0 + rect->x1) / 2,
        .z = (rect->z0 + rect->z1) / 2,
        .half_x = (rect->x1 - rect->x0) / 2,
        .half_z = (rect->z1 - rect->z0) / 2,
        .radius2 = radius * REACH * radius * REACH,
    };
    size_t total = 0;

    out->count = 0;
    if (alloc_lists(arena, wide->start[wide->count], out))
        return ECO_ENOMEM;
    for (unsigned b = 0; b < wide->count; b++) {
        size_t from = wide->start[b];
        size_t taken = kernel->select(&window, wide->x + from, wide->z + from,
                                      wide->start[b + 1] - from, out->x + total, out->z + total);

        if (taken == 0)
            continue;
        out->start[out->count] = total;
        out->biomes[out->count++] = wide->biomes[b];
        total += taken;
    }
    out->start[out->count] = total;
    return 0;
}

/* Room for `count` points of one biome. */
static int alloc_points(struct eco_arena *arena, size_t count, struct kernel_points *out)
{
    size_t stride = (count + 2 * KERNEL_SLACK - 1) / KERNEL_SLACK * KERNEL_SLACK;
    float *floats = eco_arena_alloc(arena, 4 * stride, sizeof(*floats));

    if (!floats)
        return ECO_ENOMEM;
    *out = (struct kernel_points){
        floats, floats + stride, floats + 2 * stride, floats + 3 * stride, 0, 0};
    return 0;
}

int eco_blend_square(enum eco_simd level, const struct eco_blend_lists *lists, double radius,
                     int64_t x, int64_t z, int64_t step, struct eco_arena *arena,
                     struct eco_square *square)
{
    const struct kernel *kernel = eco_kernel(level);
    double half = (double)(ECO_SQUARE_SIDE - 1) / 2 * (double)step;
    struct kernel_square place = {(double)x + half, (double)z + half, (float)half, (float)step,
                                  (float)(radius * radius)};
    struct kernel_points *near;

    square->weights = NULL;
    square->count = lists->count;
    if (lists->count == 1) {
        square->biomes[0] = lists->biomes[0];
        return 0;
    }
    near = eco_arena_alloc(arena, lists->count, sizeof(*near));
    if (!near)
        return ECO_ENOMEM;
    square->count = 0;
    for (unsigned b = 0; b < lists->count; b++) {
        size_t from = lists->start[b], count = lists->start[b + 1] - from;
        struct kernel_points *points = &near[square->count];

        if (alloc_points(arena, count, points))
            return ECO_ENOMEM;
        kernel->classify(&place, lists->x + from, lists->z + from, count, points);
        if (points->rim + points->cover > 0)
            square->biomes[square->count++] = lists->biomes[b];
    }
    if (square->count < 2)
        return 0;
    square->weights = eco_arena_alloc(arena, square->count, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    for (unsigned b = 0; b < square->count; b++)
        kernel->sum(&place, &near[b], square->weights[b]);
    kernel->normalise(square->weights, square->count);
    return 0;
}

int eco_blend_hard_square(const uint8_t biomes[ECO_SQUARE_AREA], struct eco_arena *arena,
                          struct eco_square *square)
{
    bool seen[ECO_BIOMES_MAX] = {false};
    uint8_t slot[ECO_BIOMES_MAX];

    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        seen[biomes[k]] = true;
    square->count = 0;
    square->weights = NULL;
    for (unsigned biome = 0; biome < ECO_BIOMES_MAX; biome++) {
        if (!seen[biome])
            continue;
        slot[biome] = (uint8_t)square->count;
        square->biomes[square->count++] = (uint8_t)biome;
    }
    if (square->count == 1)
        return 0;
    square->weights = eco_arena_alloc(arena, square->count, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    memset(square->weights, 0, square->count * sizeof(*square->weights));
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        square->weights[slot[biomes[k]]][k] = 1.0f;
    return 0;
}
