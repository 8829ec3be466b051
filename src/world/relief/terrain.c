/* The mix of the sources and its perturbation. */
#include <math.h>
#include <string.h>

#include "ecotone/error.h"
#include "world/relief/source.h"

#define STREAM_SOURCE 0x100u
#define STREAM_PERTURB 0x200u

/* What displaces seldom nears 0 or 1; stretched about its mean it uses all of the displacement. */
static const struct {
    struct eco_relief_source source;
    float stretch;
} fields[] = {
    [ECO_RELIEF_BY_SPECTRAL] = {{.kind = ECO_RELIEF_SPECTRAL_SMOOTH,
                                 .features = RELIEF_FEATURES(1),
                                 .persistence = 0.5},
                                2.17f},
    [ECO_RELIEF_BY_MIDPOINT] = {{.kind = ECO_RELIEF_MIDPOINT, .features = RELIEF_FEATURES(2)},
                                1.41f},
};

/*
 * What the mean window of one period spans, so that h runs from about 0 to 1 in it: means of the
 * least and greatest values of 64 windows of 512x512 cells.
 */
static const struct {
    float low, high;
} spans[ECO_RELIEF_SOURCE_KINDS] = {
    [ECO_RELIEF_SPECTRAL_LINEAR] = {0.27f, 0.70f},   [ECO_RELIEF_SPECTRAL_SMOOTH] = {0.26f, 0.72f},
    [ECO_RELIEF_MIDPOINT] = {0.14f, 0.85f},          [ECO_RELIEF_MIDPOINT_GAUSS] = {0.2f, 0.8f},
    [ECO_RELIEF_MIDPOINT_SMOOTHED] = {0.15f, 0.86f}, [ECO_RELIEF_VORONOI] = {0.0f, 1.27f},
};

static const struct eco_relief_source standard[] = {
    {.kind = ECO_RELIEF_MIDPOINT_SMOOTHED, .weight = 2.0 / 3.0, .features = RELIEF_FEATURES(1)},
    {.kind = ECO_RELIEF_VORONOI,
     .weight = 1.0 / 3.0,
     .features = RELIEF_FEATURES(3),
     .points = 1,
     .jitter = 1.0,
     .metric = ECO_RELIEF_SQUARED,
     .c1 = -1.0,
     .c2 = 1.0,
     .coverage = 1.0},
};

void relief_terrain_init(struct relief_terrain *terrain, const struct eco_relief_config *config,
                         int64_t seed, enum eco_simd simd)
{
    const struct eco_relief_source *sources = config->sources_count ? config->sources : standard;
    unsigned count = config->sources_count ? config->sources_count : 2;
    double sum = 0.0;

    *terrain = (struct relief_terrain){
        .sources_count = count,
        .period_log = (unsigned)__builtin_ctz(config->period),
        .perturb = config->perturb,
        .perturb_by = config->perturb_by,
        .seed = seed,
        .kernels = relief_kernels_of(simd),
    };
    memcpy(terrain->sources, sources, count * sizeof(*sources));
    for (unsigned k = 0; k < count; k++)
        sum += sources[k].weight;
    for (unsigned k = 0; k < count; k++) {
        double low = (double)spans[sources[k].kind].low, high = (double)spans[sources[k].kind].high;

        terrain->sources[k].weight = sources[k].weight / sum / (high - low);
        terrain->low += (float)(terrain->sources[k].weight * low);
        if (sources[k].kind == ECO_RELIEF_VORONOI)
            terrain->means[k] = relief_voronoi_mean(&sources[k], terrain->kernels);
    }
}

static int add_source(const struct relief_terrain *terrain, unsigned index,
                      const struct relief_area *area, struct eco_arena *arena, float *out)
{
    const struct eco_relief_source *source = &terrain->sources[index];
    float weight = (float)source->weight;

    switch (source->kind) {
    case ECO_RELIEF_SPECTRAL_LINEAR:
    case ECO_RELIEF_SPECTRAL_SMOOTH:
        return relief_add_spectral(terrain, source, area, STREAM_SOURCE + index, weight, arena,
                                   out);
    case ECO_RELIEF_MIDPOINT:
    case ECO_RELIEF_MIDPOINT_GAUSS:
    case ECO_RELIEF_MIDPOINT_SMOOTHED:
        return relief_add_midpoint(terrain, source, area, STREAM_SOURCE + index, weight, arena,
                                   out);
    default:
        return relief_add_voronoi(terrain, source, area, STREAM_SOURCE + index, weight, arena, out);
    }
}

static int mix(const struct relief_terrain *terrain, const struct relief_area *area,
               struct eco_arena *arena, float *out)
{
    size_t size = (size_t)area->width * area->height;
    int code = 0;

    memset(out, 0, size * sizeof(*out));
    for (unsigned k = 0; !code && k < terrain->sources_count; k++) {
        struct eco_arena_mark mark = eco_arena_mark(arena);

        code = add_source(terrain, k, area, arena, out);
        eco_arena_rewind(arena, mark);
    }
    for (size_t k = 0; k < size; k++)
        out[k] -= terrain->low;
    return code;
}

/* Displacements of one axis, cells of the level: within +-range. */
static int displacements(const struct relief_terrain *terrain, const struct relief_area *area,
                         uint64_t stream, float range, struct eco_arena *arena, float **out)
{
    const struct eco_relief_source *noise = &fields[terrain->perturb_by].source;
    float stretch = 2.0f * fields[terrain->perturb_by].stretch;
    size_t size = (size_t)area->width * area->height;
    int code;

    *out = eco_arena_alloc(arena, size, sizeof(**out));
    if (!*out)
        return ECO_ENOMEM;
    memset(*out, 0, size * sizeof(**out));
    code = noise->kind == ECO_RELIEF_MIDPOINT
               ? relief_add_midpoint(terrain, noise, area, stream, 1.0f, arena, *out)
               : relief_add_spectral(terrain, noise, area, stream, 1.0f, arena, *out);
    for (size_t k = 0; k < size; k++) {
        float swing = ((*out)[k] - 0.5f) * stretch;

        swing = swing > -1.0f ? swing : -1.0f;
        (*out)[k] = (swing < 1.0f ? swing : 1.0f) * range;
    }
    return code;
}

/* Fetches each cell's height from where it was displaced to; `wide` reaches `reach` cells
 * further than the area on every side. */
static void fetch(const struct relief_area *area, uint32_t reach, const float *wide,
                  const float *move_x, const float *move_z, float *out)
{
    size_t stride = (size_t)area->width + 2 * (size_t)reach;

    for (uint32_t z = 0; z < area->height; z++) {
        const float *dx = move_x + (size_t)z * area->width, *dz = move_z + (size_t)z * area->width;
        const float *from = wide + (size_t)(z + reach) * stride + reach;

        for (uint32_t x = 0; x < area->width; x++) {
            float fx = floorf(dx[x]), fz = floorf(dz[x]);
            float tx = dx[x] - fx, tz = dz[x] - fz;
            const float *at = from + (ptrdiff_t)x + (ptrdiff_t)(int32_t)fx +
                              (ptrdiff_t)(int32_t)fz * (ptrdiff_t)stride;
            float above = at[0] + (at[1] - at[0]) * tx;
            float below = at[stride] + (at[stride + 1] - at[stride]) * tx;

            out[(size_t)z * area->width + x] = above + (below - above) * tz;
        }
    }
}

int relief_base(const struct relief_terrain *terrain, const struct relief_area *area,
                struct eco_arena *arena, float *out)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    float range = (float)ldexp(terrain->perturb * 0.5, (int)terrain->period_log - (int)area->level);
    uint32_t reach = (uint32_t)ceilf(range) + 1;
    struct relief_area wide = {area->x0 - reach, area->z0 - reach, area->width + 2 * reach,
                               area->height + 2 * reach, area->level};
    float *heights = NULL, *move_x = NULL, *move_z = NULL;
    int code;

    /* A displacement of less than a cell cannot be seen. */
    if (range < 1.0f)
        return mix(terrain, area, arena, out);
    heights = eco_arena_alloc(arena, (size_t)wide.width * wide.height, sizeof(*heights));
    code = heights ? mix(terrain, &wide, arena, heights) : ECO_ENOMEM;
    if (!code)
        code = displacements(terrain, area, STREAM_PERTURB, range, arena, &move_x);
    if (!code)
        code = displacements(terrain, area, STREAM_PERTURB + 1, range, arena, &move_z);
    if (!code)
        fetch(area, reach, heights, move_x, move_z, out);
    eco_arena_rewind(arena, mark);
    return code;
}
