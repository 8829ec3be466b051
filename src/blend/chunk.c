/*
 * The double path: the published algorithm as it stands, for authors who blend a chunk with a biome
 * source of their own, and the truth that the tile engine is tested against.
 */
#include <stdlib.h>

#include "ecotone/blend.h"
#include "ecotone/lattice.h"

#define CHUNK_SIZE_MAX 4096

/* A padding of 0 would leave a place at the worst-case gap with no weight at all. */
#define PADDING_FLOOR 1e-3 /* in units of 1 / frequency */

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

double eco_blend_radius(const struct eco_blend *blend)
{
    double least = PADDING_FLOOR / blend->frequency;

    return (blend->padding > least ? blend->padding : least) + ECO_LATTICE_GAP / blend->frequency;
}

static int gather_point(void *context, const struct eco_point *point)
{
    struct gathering *all = context;

    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? all->capacity * 2 : 256;
        struct sourced_point *points = realloc(all->points, capacity * sizeof(*points));

        if (!points)
            return ECO_ENOMEM;
        all->points = points;
        all->capacity = capacity;
    }
    all->points[all->count++] =
        (struct sourced_point){point->x, point->z, all->source(all->context, point->x, point->z)};
    return 0;
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

/* Adds the kernel of one point in every block to its biome's `sums` and to `totals`. */
static void add_point(const struct sourced_point *point, double radius2, int64_t x0, int64_t z0,
                      uint32_t size, double *sums, double *totals)
{
    for (uint32_t z = 0; z < size; z++) {
        double dz = (double)(z0 + z) - point->z;

        for (uint32_t x = 0; x < size; x++) {
            double dx = (double)(x0 + x) - point->x;
            double rest = radius2 - (dx * dx + dz * dz);

            if (rest > 0) {
                sums[(size_t)z * size + x] += rest * rest;
                totals[(size_t)z * size + x] += rest * rest;
            }
        }
    }
}

static int compute_weights(const struct gathering *all, double radius, int64_t x0, int64_t z0,
                           struct eco_blend_chunk *chunk)
{
    size_t area = (size_t)chunk->size * chunk->size;
    double *totals = calloc(area, sizeof(*totals));
    double *weights = calloc(area * chunk->count, sizeof(*weights));

    if (!totals || !weights) {
        free(totals);
        free(weights);
        return ECO_ENOMEM;
    }
    for (size_t k = 0; k < all->count; k++) {
        const uint16_t *place = bsearch(&all->points[k].biome, chunk->biomes, chunk->count,
                                        sizeof(*chunk->biomes), compare_ids);

        add_point(&all->points[k], radius * radius, x0, z0, chunk->size,
                  weights + (size_t)(place - chunk->biomes) * area, totals);
    }
    for (uint32_t b = 0; b < chunk->count; b++) {
        for (size_t k = 0; k < area; k++)
            weights[b * area + k] *= 1.0 / totals[k];
    }
    free(totals);
    chunk->weights = weights;
    return 0;
}

int eco_blend_chunk_compute(const struct eco_blend *blend, int64_t x0, int64_t z0, uint32_t size,
                            eco_biome_source source, void *context, struct eco_blend_chunk *chunk,
                            struct eco_error *error)
{
    struct gathering all = {.source = source, .context = context};
    struct eco_rect rect = {(double)x0, (double)z0, (double)x0 + size - 1, (double)z0 + size - 1};
    struct eco_blend_chunk result = {.size = size};
    int code;

    *chunk = (struct eco_blend_chunk){0};
    if (size < 1 || size > CHUNK_SIZE_MAX)
        return eco_error_set(error, ECO_EINVAL, "blend: chunk size %u is out of range; 1 to %d",
                             size, CHUNK_SIZE_MAX);
    if (!(blend->padding >= 0))
        return eco_error_set(error, ECO_EINVAL, "blend: padding %g is out of range; 0 and more",
                             blend->padding);
    code = eco_lattice_gather(blend->seed, blend->frequency, &rect, eco_blend_radius(blend),
                              gather_point, &all, error);
    if (!code)
        code = list_biomes(&all, &result);
    result.points = (uint32_t)all.count;
    if (!code && result.count > 1)
        code = compute_weights(&all, eco_blend_radius(blend), x0, z0, &result);
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
