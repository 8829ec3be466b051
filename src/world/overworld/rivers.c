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

    if (!wide && eco_mix64(realm->cells[a].id ^ realm->cells[b].id) % NARROW_IN != 0)
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

/* Raises `out` to what the borders between the nearest cells and that of `other` bring. */
static void add_borders(const struct eco_rivers *rivers, const struct eco_realm *realm,
                        int64_t step, const struct eco_near *near,
                        const struct eco_nearest *nearest, unsigned other, const float height[64],
                        float out[64])
{
    struct bank banks[ECO_NEAR_MAX] = {{0}};
    float border[64];

    for (unsigned p = 0; p < nearest->count; p++) {
        unsigned n = nearest->sites[p];

        banks[n] = bank_of(rivers, realm, near->cell[n], near->cell[other], step);
    }
    eco_near_border(near, nearest, other, border);
    for (unsigned k = 0; k < 64; k++) {
        struct bank bank = banks[nearest->site[k]];
        float high = height[k] > 0.0f ? height[k] : 0.0f, bed, flow;
        float valley = BANKS * bank.half + VALLEY * rivers->land_height * high;

        if (nearest->site[k] == other || border[k] >= valley || height[k] >= bank.limit)
            continue;
        bed = 1.0f - smooth((border[k] - BED * bank.half) / (valley - BED * bank.half));
        flow = bed * (1.0f - smooth(2.0f * height[k] / bank.limit - 1.0f));
        out[k] = flow > out[k] ? flow : out[k];
    }
}

float eco_rivers_reach(const struct eco_rivers *rivers, int64_t step)
{
    if (step > STEP_MAX)
        return 0.0f;
    return BANKS * fmaxf(fmaxf(rivers->wide, rivers->narrow), HALF_SAMPLES * (float)step) +
           VALLEY * rivers->land_height * fmaxf(rivers->wide_limit, rivers->narrow_limit);
}

void eco_rivers_square(const struct eco_rivers *rivers, const struct eco_realm *realm, int64_t x,
                       int64_t z, int64_t step, const float height[64], const float land[64],
                       const struct eco_surroundings *known, float out[64])
{
    struct eco_surroundings own;
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
    for (unsigned n = 0; n < known->near.count; n++)
        add_borders(rivers, realm, step, &known->near, &known->nearest, n, height, out);
    eco_fractal_square(&rivers->gate, x, z, step, 1, gate);
    for (unsigned k = 0; k < 64; k++)
        out[k] *= smooth((gate[k] - INLAND * (land[k] - COAST)) / GATE_WIDTH);
}
