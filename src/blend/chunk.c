/*
 * The double path: the published algorithms as they stand, for authors who blend a chunk with a
 * biome source of their own, and the truth that the tile engine is tested against.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "ecotone/blend.h"
#include "ecotone/lattice.h"
#include "lattice/walk.h"

#define CHUNK_SIZE_MAX 4096

struct sourced_point {
    double x, z;
    uint16_t biome;
};

struct gathering {
    eco_biome_source source;
    void *context;
    struct sourced_point *points;
    size_t count, capacity;
};

/* Places at which weights are wanted: `columns` x `rows`, `stride` blocks apart. */
struct places {
    int64_t x0, z0, stride;
    uint32_t columns, rows;
};

static size_t count_of(const struct places *places)
{
    return (size_t)places->columns * places->rows;
}

static struct eco_rect rect_of(const struct places *places)
{
    double x0 = (double)places->x0, z0 = (double)places->z0;

    return (struct eco_rect){x0, z0, x0 + (double)((places->columns - 1) * places->stride),
                             z0 + (double)((places->rows - 1) * places->stride)};
}

static int gather_place(struct gathering *all, double x, double z)
{
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? all->capacity * 2 : 256;
        struct sourced_point *points = realloc(all->points, capacity * sizeof(*points));

        if (!points)
            return ECO_ENOMEM;
        all->points = points;
        all->capacity = capacity;
    }
    all->points[all->count++] = (struct sourced_point){x, z, all->source(all->context, x, z)};
    return 0;
}

static int gather_point(void *context, const struct eco_point *point)
{
    return gather_place(context, point->x, point->z);
}

/* Points of a square grid within `radius` of the places. */
static int gather_grid(struct gathering *all, const struct places *places, int64_t interval,
                       double radius)
{
    struct eco_rect rect = rect_of(places);
    double each = (double)interval;
    int64_t first_x = (int64_t)ceil((rect.x0 - radius) / each);
    int64_t first_z = (int64_t)ceil((rect.z0 - radius) / each);
    int code = 0;

    for (int64_t z = first_z; !code && (double)z * each < rect.z1 + radius; z++) {
        for (int64_t x = first_x; !code && (double)x * each < rect.x1 + radius; x++) {
            double point_x = (double)(x * interval), point_z = (double)(z * interval);

            if (eco_rect_distance2(&rect, point_x, point_z) < radius * radius)
                code = gather_place(all, point_x, point_z);
        }
    }
    return code;
}

/* Hard borders: the places themselves are the points. */
static int gather_places(struct gathering *all, const struct places *places)
{
    int code = 0;

    for (size_t k = 0; !code && k < count_of(places); k++)
        code = gather_place(all, (double)(places->x0 + (int64_t)(k % places->columns)),
                            (double)(places->z0 + (int64_t)(k / places->columns)));
    return code;
}

static int gather(struct gathering *all, const struct eco_blend *blend, const struct places *places,
                  struct eco_error *error)
{
    struct eco_rect rect = rect_of(places);
    double radius = eco_blend_radius(blend);

    switch (blend->method) {
    case ECO_BLEND_FULL:
        return gather_grid(all, places, 1, radius);
    case ECO_BLEND_GRID_CONVOLVE:
    case ECO_BLEND_GRID_LERP:
        return gather_grid(all, places, blend->interval, radius);
    case ECO_BLEND_NONE:
        return gather_places(all, places);
    default:
        return eco_lattice_gather(blend->seed, blend->frequency, &rect, radius, gather_point, all,
                                  error);
    }
}

static int compare_ids(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* The biomes of the points in rising id, each once. */
static int list_biomes(const struct gathering *all, struct eco_blend_chunk *chunk)
{
    uint16_t *biomes = malloc((all->count ? all->count : 1) * sizeof(*biomes));
    uint32_t count = 0;

    if (!biomes)
        return ECO_ENOMEM;
    for (size_t k = 0; k < all->count; k++)
        biomes[k] = all->points[k].biome;
    qsort(biomes, all->count, sizeof(*biomes), compare_ids);
    for (size_t k = 0; k < all->count; k++) {
        if (count == 0 || biomes[count - 1] != biomes[k])
            biomes[count++] = biomes[k];
    }
    chunk->biomes = biomes;
    chunk->count = count;
    return 0;
}

static size_t index_of(const struct eco_blend_chunk *chunk, uint16_t biome)
{
    const uint16_t *place =
        bsearch(&biome, chunk->biomes, chunk->count, sizeof(*chunk->biomes), compare_ids);

    return (size_t)(place - chunk->biomes);
}

/* Adds the kernel of one point in every place to its biome's `sums` and to `totals`. */
static void add_point(const struct sourced_point *point, double radius2,
                      const struct places *places, double *sums, double *totals)
{
    for (uint32_t row = 0; row < places->rows; row++) {
        double dz = (double)(places->z0 + row * places->stride) - point->z;

        for (uint32_t column = 0; column < places->columns; column++) {
            double dx = (double)(places->x0 + column * places->stride) - point->x;
            double rest = radius2 - (dx * dx + dz * dz);

            if (rest > 0) {
                sums[(size_t)row * places->columns + column] += rest * rest;
                totals[(size_t)row * places->columns + column] += rest * rest;
            }
        }
    }
}

/* A plane a biome of the chunk. */
static int compute_weights(const struct gathering *all, double radius, const struct places *places,
                           const struct eco_blend_chunk *chunk, double **out)
{
    size_t area = count_of(places);
    double *totals = calloc(area, sizeof(*totals));
    double *weights = calloc(area * chunk->count, sizeof(*weights));

    if (!totals || !weights) {
        free(totals);
        free(weights);
        return ECO_ENOMEM;
    }
    for (size_t k = 0; k < all->count; k++)
        add_point(&all->points[k], radius * radius, places,
                  weights + index_of(chunk, all->points[k].biome) * area, totals);
    for (uint32_t b = 0; b < chunk->count; b++) {
        for (size_t k = 0; k < area; k++)
            weights[b * area + k] *= 1.0 / totals[k];
    }
    free(totals);
    *out = weights;
    return 0;
}

static int hard_weights(const struct gathering *all, struct eco_blend_chunk *chunk)
{
    size_t area = (size_t)chunk->size * chunk->size;

    chunk->weights = calloc(area * chunk->count, sizeof(*chunk->weights));
    if (!chunk->weights)
        return ECO_ENOMEM;
    for (size_t k = 0; k < area; k++)
        chunk->weights[index_of(chunk, all->points[k].biome) * area + k] = 1.0;
    return 0;
}

/* The grid's points around a chunk, at which the weights are worked out. */
static struct places vertices_of(const struct eco_blend *blend, const struct places *blocks)
{
    int64_t interval = blend->interval;
    int64_t x = eco_floor_div(blocks->x0, interval), z = eco_floor_div(blocks->z0, interval);
    int64_t last_x = eco_floor_div(blocks->x0 + blocks->columns - 1, interval);
    int64_t last_z = eco_floor_div(blocks->z0 + blocks->rows - 1, interval);

    return (struct places){x * interval, z * interval, interval, (uint32_t)(last_x - x + 2),
                           (uint32_t)(last_z - z + 2)};
}

static double between(double from, double to, double t)
{
    return from + (to - from) * t;
}

/* Weights of blocks between those of vertices. */
static int lerp_weights(const struct places *blocks, const struct places *vertices,
                        const double *at_vertices, struct eco_blend_chunk *chunk)
{
    size_t area = count_of(blocks), stride = vertices->columns;

    chunk->weights = malloc(area * chunk->count * sizeof(*chunk->weights));
    if (!chunk->weights)
        return ECO_ENOMEM;
    for (size_t k = 0; k < area * chunk->count; k++) {
        int64_t x = blocks->x0 + (int64_t)(k % blocks->columns) - vertices->x0;
        int64_t z = blocks->z0 + (int64_t)(k % area / blocks->columns) - vertices->z0;
        double in_x = (double)(x % vertices->stride) / (double)vertices->stride;
        double in_z = (double)(z % vertices->stride) / (double)vertices->stride;
        const double *cell = at_vertices + k / area * count_of(vertices) +
                             (size_t)(z / vertices->stride) * stride +
                             (size_t)(x / vertices->stride);

        chunk->weights[k] = between(between(cell[0], cell[1], in_x),
                                    between(cell[stride], cell[stride + 1], in_x), in_z);
    }
    return 0;
}

static int check(const struct eco_blend *blend, uint32_t size, int64_t x0, int64_t z0,
                 struct eco_error *error)
{
    bool grid = blend->method == ECO_BLEND_GRID_CONVOLVE || blend->method == ECO_BLEND_GRID_LERP;
    const int64_t far = (int64_t)1 << 52; /* whole numbers in double */

    if (size < 1 || size > CHUNK_SIZE_MAX)
        return eco_error_set(error, ECO_EINVAL, "blend: chunk size %u is out of range; 1 to %d",
                             size, CHUNK_SIZE_MAX);
    if (!(blend->padding >= 0))
        return eco_error_set(error, ECO_EINVAL, "blend: padding %g is out of range; 0 and more",
                             blend->padding);
    if ((unsigned)blend->method >= ECO_BLEND_METHODS)
        return eco_error_set(error, ECO_EINVAL, "blend: there is no method %d; 0 to %d",
                             (int)blend->method, ECO_BLEND_METHODS - 1);
    if (grid && (blend->interval < 1 || blend->interval > ECO_BLEND_INTERVAL_MAX))
        return eco_error_set(error, ECO_EINVAL, "blend: interval %u is out of range; 1 to %d",
                             blend->interval, ECO_BLEND_INTERVAL_MAX);
    if (blend->method != ECO_BLEND_SCATTERED &&
        (x0 < -far || x0 > far || z0 < -far || z0 > far || !(blend->padding < 1e6)))
        return eco_error_set(error, ECO_EINVAL,
                             "blend: the chunk at %lld, %lld with padding %g is out of range; at "
                             "most 2^52 from 0, padding below 10^6",
                             (long long)x0, (long long)z0, blend->padding);
    return 0;
}

static int compute(const struct eco_blend *blend, const struct places *blocks,
                   struct gathering *all, struct eco_blend_chunk *chunk, struct eco_error *error)
{
    bool lerp = blend->method == ECO_BLEND_GRID_LERP;
    struct places places = lerp ? vertices_of(blend, blocks) : *blocks;
    double *weights = NULL;
    int code = gather(all, blend, &places, error);

    if (!code)
        code = list_biomes(all, chunk);
    chunk->points = (uint32_t)all->count;
    if (code || chunk->count <= 1)
        return code;
    if (blend->method == ECO_BLEND_NONE)
        return hard_weights(all, chunk);
    code = compute_weights(all, eco_blend_radius(blend), &places, chunk, &weights);
    if (!code && lerp) {
        code = lerp_weights(blocks, &places, weights, chunk);
        free(weights);
    } else {
        chunk->weights = weights;
    }
    return code;
}

int eco_blend_chunk_compute(const struct eco_blend *blend, int64_t x0, int64_t z0, uint32_t size,
                            eco_biome_source source, void *context, struct eco_blend_chunk *chunk,
                            struct eco_error *error)
{
    struct gathering all = {.source = source, .context = context};
    struct places blocks = {x0, z0, 1, size, size};
    struct eco_blend_chunk result = {.size = size};
    int code = check(blend, size, x0, z0, error);

    *chunk = (struct eco_blend_chunk){0};
    if (code)
        return code;
    code = compute(blend, &blocks, &all, &result, error);
    if (code == ECO_ENOMEM)
        eco_error_set(error, ECO_ENOMEM, "blend: no memory for a chunk of %u blocks a side", size);
    free(all.points);
    if (code)
        eco_blend_chunk_release(&result);
    else
        *chunk = result;
    return code;
}

void eco_blend_chunk_release(struct eco_blend_chunk *chunk)
{
    free(chunk->biomes);
    free(chunk->weights);
    *chunk = (struct eco_blend_chunk){0};
}
