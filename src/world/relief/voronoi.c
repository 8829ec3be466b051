/* Hills around hashed feature points: linear combinations of the distances to the nearest three. */
#include <string.h>

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

/* The feature points of a rectangle of regions, `points` a region; places within their own. */
struct field {
    int64_t x0, z0;
    size_t width;
    struct point {
        float x, z, scale;
    } * points;
};

static void make_points(const struct eco_relief_source *source, int64_t seed, int64_t rx,
                        int64_t rz, struct point *out)
{
    uint64_t row = eco_mix64((uint64_t)seed + (uint64_t)rz * 0x9E3779B97F4A7C15u);

    for (unsigned k = 0; k < source->points; k++) {
        uint64_t hash = eco_mix64(row + (uint64_t)rx * 0xC2B2AE3D27D4EB4Fu + k);
        uint64_t more = eco_mix64(hash);

        out[k] = (struct point){
            .x = jittered(source, hash),
            .z = jittered(source, hash >> 24),
            .scale = fraction(more) < (float)source->coverage
                         ? 1.0f - (float)source->variation * fraction(more >> 24)
                         : 0.0f,
        };
    }
}

/* All that regions x0 .. x1, z0 .. z1 look at. */
static int make_field(const struct eco_relief_source *source, int64_t seed,
                      const int64_t corners[4], struct eco_arena *arena, struct field *field)
{
    size_t height = (size_t)(corners[3] - corners[1]) + SIDE;

    field->x0 = corners[0] - AROUND;
    field->z0 = corners[1] - AROUND;
    field->width = (size_t)(corners[2] - corners[0]) + SIDE;
    field->points =
        eco_arena_alloc(arena, field->width * height * source->points, sizeof(*field->points));
    if (!field->points)
        return ECO_ENOMEM;
    for (size_t z = 0; z < height; z++) {
        for (size_t x = 0; x < field->width; x++)
            make_points(source, seed, field->x0 + (int64_t)x, field->z0 + (int64_t)z,
                        field->points + (z * field->width + x) * source->points);
    }
    return 0;
}

/* Keeps the three smallest. */
static void keep_least(float least[RELIEF_NEAREST], float value)
{
    for (unsigned n = 0; n < RELIEF_NEAREST; n++) {
        if (value < least[n]) {
            float next = least[n];

            least[n] = value;
            value = next;
        }
    }
}

/* All points of the regions around; *limit: no point farther from the region is among the nearest
 * three of any place in it. */
static void gather(const struct field *field, unsigned many, int64_t rx, int64_t rz,
                   struct relief_points *points, float *limit)
{
    float farthest[RELIEF_NEAREST] = {1e30f, 1e30f, 1e30f};
    unsigned count = 0;

    for (int dz = -AROUND; dz <= AROUND; dz++) {
        const struct point *row = field->points + ((size_t)(rz + dz - field->z0) * field->width +
                                                   (size_t)(rx - AROUND - field->x0)) *
                                                      many;

        for (int dx = -AROUND; dx <= AROUND; dx++) {
            for (unsigned k = 0; k < many; k++, row++, count++) {
                float x = row->x + (float)dx, z = row->z + (float)dz;

                points->x[count] = x;
                points->z[count] = z;
                points->scale[count] = row->scale;
                keep_least(farthest, inside(x) * inside(x) + inside(z) * inside(z));
            }
        }
    }
    points->count = count;
    *limit = farthest[RELIEF_NEAREST - 1];
}

static void find_points(const struct field *field, unsigned many, int64_t rx, int64_t rz,
                        struct relief_points *points)
{
    unsigned kept = 0;
    float limit;

    gather(field, many, rx, rz, points, &limit);
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

/* Cells of one region (log2 of its side in cells of the level). */
struct regions {
    const struct relief_terrain *terrain;
    const struct eco_relief_source *source;
    const struct relief_area *area;
    struct relief_hill hill;
    struct field field;
    unsigned side_log;
    float weight;
    float *out;
};

static void fill_region(const struct regions *regions, int64_t rx, int64_t rz)
{
    const struct relief_area *area = regions->area;
    int64_t side = (int64_t)1 << regions->side_log, x_first = rx * side, z_first = rz * side;
    int64_t x0 = x_first > area->x0 ? x_first : area->x0;
    int64_t z0 = z_first > area->z0 ? z_first : area->z0;
    int64_t x1 = x_first + side, z1 = z_first + side;
    float cell = 1.0f / (float)side;
    struct relief_points points;

    x1 = x1 < area->x0 + area->width ? x1 : area->x0 + area->width;
    z1 = z1 < area->z0 + area->height ? z1 : area->z0 + area->height;
    find_points(&regions->field, regions->source->points, rx, rz, &points);
    for (int64_t z = z0; z < z1; z++)
        regions->terrain->kernels->add_hills(
            regions->out + (z - area->z0) * area->width + (x0 - area->x0), &points, &regions->hill,
            (float)(x0 - x_first) * cell, cell, (float)(z - z_first) * cell, regions->weight,
            (size_t)(x1 - x0));
}

static struct relief_hill hill_of(const struct eco_relief_source *source)
{
    return (struct relief_hill){{(float)source->c1, (float)source->c2, (float)source->c3},
                                (float)source->offset,
                                source->offset > 0.0,
                                source->metric == ECO_RELIEF_EUCLID};
}

int relief_add_voronoi(const struct relief_terrain *terrain, const struct eco_relief_source *source,
                       const struct relief_area *area, uint64_t stream, float weight,
                       struct eco_arena *arena, float *out)
{
    unsigned top = relief_top_log(terrain, source), log = top > area->level ? top - area->level : 0;
    struct regions regions = {
        .terrain = terrain,
        .source = source,
        .area = area,
        .hill = hill_of(source),
        .side_log = log,
        .weight = weight,
        .out = out,
    };
    int64_t corners[4] = {area->x0 >> log, area->z0 >> log, (area->x0 + area->width - 1) >> log,
                          (area->z0 + area->height - 1) >> log};
    int code;

    if (area->level >= top) { /* cells of whole regions: their mean */
        for (size_t k = 0; k < (size_t)area->width * area->height; k++)
            out[k] += weight * terrain->means[source - terrain->sources];
        return 0;
    }
    code = make_field(source, eco_seed_derive(terrain->seed, stream << 8), corners, arena,
                      &regions.field);
    for (int64_t rz = corners[1]; !code && rz <= corners[3]; rz++) {
        for (int64_t rx = corners[0]; rx <= corners[2]; rx++)
            fill_region(&regions, rx, rz);
    }
    return code;
}

/* Over so many regions each way, the same for every seed, and so many places a side of each. */
#define MEAN_REGIONS 16
#define MEAN_PLACES 8

float relief_voronoi_mean(const struct eco_relief_source *source,
                          const struct relief_kernels *kernels)
{
    struct point points[(MEAN_REGIONS + SIDE - 1) * (MEAN_REGIONS + SIDE - 1) * 4];
    struct field field = {-AROUND, -AROUND, MEAN_REGIONS + SIDE - 1, points};
    struct relief_hill hill = hill_of(source);
    float row[MEAN_PLACES];
    double sum = 0.0;

    for (size_t k = 0; k < field.width * field.width; k++)
        make_points(source, 0, (int64_t)(k % field.width), (int64_t)(k / field.width),
                    points + k * source->points);
    for (int64_t k = 0; k < MEAN_REGIONS * MEAN_REGIONS; k++) {
        struct relief_points near;

        find_points(&field, source->points, k % MEAN_REGIONS, k / MEAN_REGIONS, &near);
        for (int z = 0; z < MEAN_PLACES; z++) {
            memset(row, 0, sizeof(row));
            kernels->add_hills(row, &near, &hill, 0.5f / MEAN_PLACES, 1.0f / MEAN_PLACES,
                               ((float)z + 0.5f) / MEAN_PLACES, 1.0f, MEAN_PLACES);
            for (int x = 0; x < MEAN_PLACES; x++)
                sum += (double)row[x];
        }
    }
    return (float)(sum / (MEAN_REGIONS * MEAN_REGIONS * MEAN_PLACES * MEAN_PLACES));
}
