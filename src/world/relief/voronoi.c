/* Hills around hashed feature points: linear combinations of the distances to the nearest three. */
#include "base/hash.h"
#include "ecotone/error.h"
#include "world/relief/source.h"

#define AROUND 2 /* regions on each side whose points may be among the nearest three */
#define SIDE (2 * AROUND + 1)

static float fraction(uint64_t bits)
{
    return (float)(int32_t)(bits & 0xFFFFFF) * (1.0f / 16777216.0f);
}

static float jittered(const struct eco_relief_source *source, uint64_t bits)
{
    return 0.5f + (float)source->jitter * (fraction(bits) - 0.5f);
}

static float outside(float place)
{
    if (place < 0.0f)
        return -place;
    return place > 1.0f ? place - 1.0f : 0.0f;
}

static float inside(float place)
{
    return place > 0.5f ? place : 1.0f - place;
}

/* All points of the regions around; *limit: no point farther from the region is among the nearest
 * three of any place in it. */
static void gather(const struct eco_relief_source *source, int64_t seed, int64_t rx, int64_t rz,
                   struct relief_points *points, float *limit)
{
    float farthest[RELIEF_NEAREST] = {1e30f, 1e30f, 1e30f};

    points->count = 0;
    for (int64_t k = 0; k < (int64_t)SIDE * SIDE * source->points; k++) {
        int64_t dx = k / source->points % SIDE - AROUND, dz = k / source->points / SIDE - AROUND;
        uint64_t place = eco_mix64((uint64_t)seed + (uint64_t)(rz + dz) * 0x9E3779B97F4A7C15u);
        uint64_t hash = eco_mix64(place + (uint64_t)(rx + dx) * 0xC2B2AE3D27D4EB4Fu +
                                  (uint64_t)(k % source->points));
        float x = jittered(source, hash) + (float)dx;
        float z = jittered(source, hash >> 24) + (float)dz;
        float far2 = inside(x) * inside(x) + inside(z) * inside(z);
        uint64_t more = eco_mix64(hash);

        points->x[points->count] = x;
        points->z[points->count] = z;
        points->scale[points->count++] =
            fraction(more) < (float)source->coverage
                ? 1.0f - (float)source->variation * fraction(more >> 24)
                : 0.0f;
        for (unsigned n = 0; n < RELIEF_NEAREST; n++) {
            if (far2 < farthest[n]) {
                float next = farthest[n];

                farthest[n] = far2;
                far2 = next;
            }
        }
    }
    *limit = farthest[RELIEF_NEAREST - 1];
}

static void find_points(const struct eco_relief_source *source, int64_t seed, int64_t rx,
                        int64_t rz, struct relief_points *points)
{
    unsigned kept = 0;
    float limit;

    gather(source, seed, rx, rz, points, &limit);
    for (unsigned k = 0; k < points->count; k++) {
        float dx = outside(points->x[k]), dz = outside(points->z[k]);

        if (dx * dx + dz * dz > limit)
            continue;
        points->x[kept] = points->x[k];
        points->z[kept] = points->z[k];
        points->scale[kept++] = points->scale[k];
    }
    points->count = kept;
}

/* Cells of one region (log2 of its side in cells of the level, which may be below 0). */
struct regions {
    const struct relief_terrain *terrain;
    const struct eco_relief_source *source;
    const struct relief_area *area;
    struct relief_hill hill;
    int64_t seed;
    int side_log;
    float weight;
    float *out;
};

static int64_t shift(int64_t value, int by)
{
    return by >= 0 ? (int64_t)((uint64_t)value << by) : value >> -by;
}

static void fill_region(const struct regions *regions, int64_t rx, int64_t rz)
{
    const struct relief_area *area = regions->area;
    int64_t side = regions->side_log > 0 ? (int64_t)1 << regions->side_log : 1;
    int64_t x_first = shift(rx, regions->side_log), z_first = shift(rz, regions->side_log);
    int64_t x0 = x_first > area->x0 ? x_first : area->x0;
    int64_t z0 = z_first > area->z0 ? z_first : area->z0;
    int64_t x1 = x_first + side, z1 = z_first + side;
    float cell = regions->side_log > 0 ? 1.0f / (float)side : 0.0f;
    struct relief_points points;

    x1 = x1 < area->x0 + area->width ? x1 : area->x0 + area->width;
    z1 = z1 < area->z0 + area->height ? z1 : area->z0 + area->height;
    find_points(regions->source, regions->seed, rx, rz, &points);
    for (int64_t z = z0; z < z1; z++)
        regions->terrain->kernels->add_hills(
            regions->out + (z - area->z0) * area->width + (x0 - area->x0), &points, &regions->hill,
            (float)(x0 - x_first) * cell, cell, (float)(z - z_first) * cell, regions->weight,
            (size_t)(x1 - x0));
}

int relief_add_voronoi(const struct relief_terrain *terrain, const struct eco_relief_source *source,
                       const struct relief_area *area, uint64_t stream, float weight,
                       struct eco_arena *arena, float *out)
{
    struct regions regions = {
        .terrain = terrain,
        .source = source,
        .area = area,
        .hill = {{(float)source->c1, (float)source->c2, (float)source->c3},
                 (float)source->offset,
                 source->offset > 0.0,
                 source->metric == ECO_RELIEF_EUCLID},
        .seed = eco_seed_derive(terrain->seed, stream << 8),
        .side_log = (int)relief_top_log(terrain, source) - (int)area->level,
        .weight = weight,
        .out = out,
    };
    int64_t x_last = shift(area->x0 + area->width - 1, -regions.side_log);
    int64_t z_last = shift(area->z0 + area->height - 1, -regions.side_log);
    int64_t skip = regions.side_log < 0 ? (int64_t)1 << -regions.side_log : 1;

    (void)arena;
    for (int64_t rz = shift(area->z0, -regions.side_log); rz <= z_last; rz += skip) {
        for (int64_t rx = shift(area->x0, -regions.side_log); rx <= x_last; rx += skip)
            fill_region(&regions, rx, rz);
    }
    return 0;
}
