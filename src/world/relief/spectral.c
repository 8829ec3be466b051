#include "base/checked.h"
#include "base/hash.h"
#include "ecotone/error.h"
#include "world/relief/source.h"

/* One octave while rows run down: the lattice row above and the one below, interpolated along x. */
struct octave {
    int64_t seed, row; /* of `above` */
    unsigned spacing_log;
    float weight;
    float *above, *below;
};

struct rows {
    const struct relief_terrain *terrain;
    const struct relief_area *area;
    bool smooth;
    float *left; /* scratch: lattice values */
};

static float ease(float t, bool smooth)
{
    return smooth ? t * t * (3.0f - 2.0f * t) : t;
}

/* Values of lattice row `z` between its places, along the area's columns. */
static void lattice_row(const struct rows *rows, const struct octave *octave, int64_t z, float *out)
{
    const struct relief_kernels *kernels = rows->terrain->kernels;
    uint32_t width = rows->area->width, spacing = 1u << octave->spacing_log;
    int64_t first = rows->area->x0 >> octave->spacing_log;
    uint32_t count = (uint32_t)(((rows->area->x0 + width - 1) >> octave->spacing_log) - first) + 2;
    struct relief_hash_row row = {(uint32_t)first, 1, relief_row_key(octave->seed, z)};
    uint32_t at = (uint32_t)(rows->area->x0 & (spacing - 1));

    kernels->hash(rows->left, &row, count);
    for (uint32_t x = 0, k = 0; x < width; k++, at = 0) {
        float value = rows->left[k], rise = rows->left[k + 1] - value;

        for (; at < spacing && x < width; at++, x++)
            out[x] = value + rise * ease((float)at / (float)spacing, rows->smooth);
    }
}

static void move_to(const struct rows *rows, struct octave *octave, int64_t z)
{
    if (octave->row == z)
        return;
    if (octave->row == z - 1) {
        float *above = octave->above;

        octave->above = octave->below;
        octave->below = above;
    } else {
        lattice_row(rows, octave, z, octave->above);
    }
    lattice_row(rows, octave, z + 1, octave->below);
    octave->row = z;
}

static int prepare(struct octave *octaves, unsigned count, const struct rows *rows,
                   const struct eco_relief_source *source, uint64_t stream, float weight,
                   struct eco_arena *arena)
{
    const struct relief_terrain *terrain = rows->terrain;
    unsigned level = rows->area->level;
    float amplitude = 1.0f, sum = 0.0f;

    /* All octaves of the finest level count, so that a coarse level has the same mean and range. */
    for (unsigned k = 0; k <= relief_top_log(terrain, source); k++) {
        sum += amplitude;
        amplitude *= (float)source->persistence;
    }
    amplitude = weight / sum;
    for (unsigned k = 0; k < count; k++) {
        octaves[k] = (struct octave){
            .seed = eco_seed_derive(terrain->seed, stream << 8 | k),
            .row = INT64_MIN,
            .spacing_log = relief_top_log(terrain, source) - k - level,
            .weight = amplitude,
            .above = eco_arena_alloc(arena, rows->area->width, sizeof(float)),
            .below = eco_arena_alloc(arena, rows->area->width, sizeof(float)),
        };
        if (!octaves[k].above || !octaves[k].below)
            return ECO_ENOMEM;
        amplitude *= (float)source->persistence;
    }
    return 0;
}

/* What the octaves that a level cannot show add on the average. */
static float hidden_mean(const struct relief_terrain *terrain,
                         const struct eco_relief_source *source, unsigned shown, float weight)
{
    float amplitude = 1.0f, sum = 0.0f, hidden = 0.0f;

    for (unsigned k = 0; k <= relief_top_log(terrain, source); k++) {
        sum += amplitude;
        hidden += k >= shown ? amplitude : 0.0f;
        amplitude *= (float)source->persistence;
    }
    return weight * 0.5f * hidden / sum;
}

int relief_add_spectral(const struct relief_terrain *terrain,
                        const struct eco_relief_source *source, const struct relief_area *area,
                        uint64_t stream, float weight, struct eco_arena *arena, float *out)
{
    struct octave octaves[RELIEF_TOP_LOG_MAX + 1];
    unsigned top = relief_top_log(terrain, source);
    unsigned shown = area->level <= top ? top - area->level + 1 : 0;
    struct rows rows = {
        .terrain = terrain,
        .area = area,
        .smooth = source->kind == ECO_RELIEF_SPECTRAL_SMOOTH,
        .left = eco_arena_alloc(arena, (size_t)area->width + 2, sizeof(float)),
    };
    float hidden = hidden_mean(terrain, source, shown, weight);

    if (!rows.left || prepare(octaves, shown, &rows, source, stream, weight, arena))
        return ECO_ENOMEM;
    for (uint32_t z = 0; z < area->height; z++) {
        float *row = out + (size_t)z * area->width;

        for (uint32_t x = 0; x < area->width; x++)
            row[x] += hidden;
        for (unsigned k = 0; k < shown; k++) {
            int64_t at = area->z0 + z, spacing = (int64_t)1 << octaves[k].spacing_log;

            move_to(&rows, &octaves[k], at >> octaves[k].spacing_log);
            terrain->kernels->add_between(
                row, octaves[k].above, octaves[k].below,
                ease((float)(at & (spacing - 1)) / (float)spacing, rows.smooth), octaves[k].weight,
                area->width);
        }
    }
    return 0;
}
