#include "world/overworld/rivers.h"

#include <math.h>

#include "base/hash.h"

/* Half width of a bed with its banks, of a bed. */
#define BANKS 1.6f

/* Half width of what is as deep as a river is, of a bed. */
#define BED 0.6f

/* Blocks that a valley becomes wider, on each side, with each block that the land is high. */
#define VALLEY 3.0f

/* One border between cells of one land in so many has a river. */
#define NARROW_IN 3u

/*
 * A river is where the gate noise is more than INLAND * (land value - COAST), and whole GATE_WIDTH
 * above that: near the coast nearly everywhere, far inland hardly anywhere, so that nine tenths of
 * the water of rivers are joined to the sea; by the noise alone it was two thirds.
 */
#define INLAND 3.0f
#define COAST 0.15f
#define GATE_WIDTH 0.12f

/* From this step on rivers are not drawn: cells are too small to tell them apart. */
#define STEP_MAX 64

/* Least half width on the map, in samples, so that a river does not break up where it is coarse. */
#define HALF_SAMPLES 0.55f

/* Where the river of a border meets two borders without one, it runs out over so many half widths.
 */
#define RUN_OUT 6.0f

/* From the step after this on it just stops: it is about a sample wide. */
#define RUN_OUT_STEP_MAX 16

/* And where more sites than these are near it: cells are as small as a river is wide. */
#define RUN_OUT_SITES_MAX 48u

static float smooth(float t)
{
    t = t > 0.0f ? t : 0.0f;
    t = t < 1.0f ? t : 1.0f;
    return t * t * (3.0f - 2.0f * t);
}

/* Of the river along the border between two cells. */
struct bank {
    float half, limit;
};

static struct bank bank_of(const struct eco_rivers *rivers, const struct eco_realm *realm, size_t a,
                           size_t b, int64_t step)
{
    const struct eco_land_info *one = &eco_land_infos[realm->cells[a].land];
    const struct eco_land_info *other = &eco_land_infos[realm->cells[b].land];
    bool wide = one->family != other->family;
    float half = wide ? rivers->wide : rivers->narrow, least = HALF_SAMPLES * (float)step;

    if (!(half > 0.0f) ||
        (!wide && eco_mix64(realm->cells[a].id ^ realm->cells[b].id) % NARROW_IN != 0))
        return (struct bank){0.0f, -INFINITY};
    return (struct bank){half > least ? half : least,
                         wide ? rivers->wide_limit : rivers->narrow_limit};
}

/* Heights above which no river is; the greatest of the square decides whether to look. */
static bool may_flow(const struct eco_rivers *rivers, const float height[64])
{
    float limit =
        rivers->wide_limit > rivers->narrow_limit ? rivers->wide_limit : rivers->narrow_limit;
    bool low = false;

    for (unsigned k = 0; k < 64; k++)
        low |= height[k] < limit && height[k] > ECO_RIVERS_SEA;
    return low;
}

/* A square's sites, and how far its samples are from the borders to them. */
struct shores {
    const struct eco_rivers *rivers;
    const struct eco_realm *realm;
    int64_t step;
    const struct eco_near *near;
    const struct eco_nearest *nearest;
    float border[ECO_NEAR_MAX][64];
};

static struct bank bank_between(const struct shores *shores, unsigned a, unsigned b)
{
    return bank_of(shores->rivers, shores->realm, shores->near->cell[a], shores->near->cell[b],
                   shores->step);
}

/*
 * Lessens the flow along the border of the sites `own` and `other` at the samples of `own`: where a
 * third cell is near whose borders to both have no river, it runs out; where one is nearer that
 * goes on with it, it does not.
 */
static void run_out(const struct shores *shores, unsigned own, unsigned other, float half,
                    float flow[64])
{
    float length = fminf(RUN_OUT * half, shores->rivers->farthest), ends[64], goes_on[64] = {0};

    for (unsigned k = 0; k < 64; k++)
        ends[k] = 1.0f;
    for (unsigned third = 0; third < shores->near->count; third++) {
        const float *border = shores->border[third];
        bool on;

        if (third == own || third == other)
            continue;
        on = bank_between(shores, own, third).half > 0.0f ||
             bank_between(shores, other, third).half > 0.0f;
        for (unsigned k = 0; k < 64; k++) {
            float far = border[k] / length;

            if (on)
                goes_on[k] = fmaxf(goes_on[k], 1.0f - far);
            else
                ends[k] = fminf(ends[k], far);
        }
    }
    for (unsigned k = 0; k < 64; k++) {
        if (shores->nearest->site[k] == own)
            flow[k] *= smooth(fmaxf(ends[k], goes_on[k]));
    }
}

/* Raises `out` to what the borders between the nearest cells and that of `other` bring. */
static void add_borders(const struct shores *shores, unsigned other, const float height[64],
                        float out[64])
{
    const struct eco_nearest *nearest = shores->nearest;
    const float *border = shores->border[other];
    struct bank banks[ECO_NEAR_MAX]; /* of the nearest sites only */
    bool ends[ECO_NEAR_MAX] = {false};
    float flow[64] = {0};

    for (unsigned p = 0; p < nearest->count; p++)
        banks[nearest->sites[p]] = bank_between(shores, nearest->sites[p], other);
    for (unsigned k = 0; k < 64; k++) {
        struct bank bank = banks[nearest->site[k]];
        float high = height[k] > 0.0f ? height[k] : 0.0f, bed;
        float valley = BANKS * bank.half + VALLEY * shores->rivers->land_height * high;

        valley = fminf(valley, shores->rivers->farthest);
        if (nearest->site[k] == other || border[k] >= valley || height[k] >= bank.limit)
            continue;
        bed = 1.0f - smooth((border[k] - BED * bank.half) / (valley - BED * bank.half));
        flow[k] = bed * (1.0f - smooth(2.0f * height[k] / bank.limit - 1.0f));
        ends[nearest->site[k]] = shores->step <= RUN_OUT_STEP_MAX;
    }
    for (unsigned p = 0; p < nearest->count && shores->near->count <= RUN_OUT_SITES_MAX; p++) {
        unsigned own = nearest->sites[p];

        if (ends[own])
            run_out(shores, own, other, banks[own].half, flow);
    }
    for (unsigned k = 0; k < 64; k++)
        out[k] = flow[k] > out[k] ? flow[k] : out[k];
}

float eco_rivers_reach(const struct eco_rivers *rivers, int64_t step)
{
    float half;

    if (step > STEP_MAX)
        return 0.0f;
    half = fmaxf(fmaxf(rivers->wide, rivers->narrow), HALF_SAMPLES * (float)step);
    half = fmaxf(step > RUN_OUT_STEP_MAX ? 0.0f : RUN_OUT * half,
                 BANKS * half + VALLEY * rivers->land_height *
                                    fmaxf(rivers->wide_limit, rivers->narrow_limit));
    return fminf(half, rivers->farthest);
}

void eco_rivers_square(const struct eco_rivers *rivers, const struct eco_realm *realm, int64_t x,
                       int64_t z, int64_t step, const float height[64], const float land[64],
                       const struct eco_surroundings *known, float out[64])
{
    struct eco_surroundings own;
    struct shores shores; /* not set to 0: it is large */
    float gate[64];

    for (unsigned k = 0; k < 64; k++)
        out[k] = 0.0f;
    if (step > STEP_MAX || !may_flow(rivers, height))
        return;
    if (!known) {
        eco_realm_square(realm, x, z, step, eco_rivers_reach(rivers, step), &own.near,
                         &own.nearest);
        known = &own;
    }
    if (known->near.count < 2)
        return;
    shores.rivers = rivers;
    shores.realm = realm;
    shores.step = step;
    shores.near = &known->near;
    shores.nearest = &known->nearest;
    for (unsigned n = 0; n < known->near.count; n++)
        eco_near_border(&known->near, &known->nearest, n, shores.border[n]);
    for (unsigned n = 0; n < known->near.count; n++)
        add_borders(&shores, n, height, out);
    eco_fractal_square(&rivers->gate, x, z, step, 1, gate);
    for (unsigned k = 0; k < 64; k++)
        out[k] *= smooth((gate[k] - INLAND * (land[k] - COAST)) / GATE_WIDTH);
}
