#include "world/overworld/rivers.h"

#include <math.h>
#include <stdbool.h>

/* A valley is this many times wider than the bed in it. */
#define VALLEY 2.6f

/* Gate noise over which rivers begin and end. */
#define GATE_LOW (-0.35f)
#define GATE_HIGH (-0.15f)

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
        low |= height[k] < limit && height[k] > -1.0f;
    return low;
}

/* Raises `out` to what the border between the nearest cell and `other` brings. */
static void add_border(const struct eco_rivers *rivers, const struct eco_realm *realm, int64_t step,
                       const struct eco_near *near, unsigned other, const uint8_t nearest[64],
                       const float distance2[64], const float *moved[2], const float height[64],
                       float out[64])
{
    struct bank banks[ECO_NEAR_MAX];
    float scale[ECO_NEAR_MAX];

    for (unsigned n = 0; n < near->count; n++) {
        float dx = near->x[n] - near->x[other], dz = near->z[n] - near->z[other];

        banks[n] = bank_of(rivers, realm, near->cell[n], near->cell[other], step);
        scale[n] = n == other ? 0.0f : 0.5f / sqrtf(dx * dx + dz * dz);
    }
    for (unsigned k = 0; k < 64; k++) {
        float dx = moved[0][k] - near->x[other], dz = moved[1][k] - near->z[other];
        struct bank bank = banks[nearest[k]];
        float border = (dx * dx + dz * dz - distance2[k]) * scale[nearest[k]];
        float bed, flow;

        if (nearest[k] == other || border >= VALLEY * bank.half || height[k] >= bank.limit)
            continue;
        bed = 1.0f - smooth((border - 0.6f * bank.half) / ((VALLEY - 0.6f) * bank.half));
        flow = bed * (1.0f - smooth(2.0f * height[k] / bank.limit - 1.0f));
        out[k] = flow > out[k] ? flow : out[k];
    }
}

void eco_rivers_square(const struct eco_rivers *rivers, const struct eco_realm *realm, int64_t x,
                       int64_t z, int64_t step, const float height[64], float out[64])
{
    float moved_x[64], moved_z[64], distance2[64], gate[64], widest;
    const float *moved[2] = {moved_x, moved_z};
    const struct eco_roughness *roughness = &realm->plan->roughness;
    struct eco_near near;
    uint8_t nearest[64];

    for (unsigned k = 0; k < 64; k++)
        out[k] = 0.0f;
    if (step > STEP_MAX || !may_flow(rivers, height))
        return;
    widest = fmaxf(fmaxf(rivers->wide, rivers->narrow), HALF_SAMPLES * (float)step);
    /* Fine steps all see the same bends. */
    eco_roughness_square(roughness, x, z, step, step <= 4 ? roughness->x.octaves : 1, moved_x,
                         moved_z);
    eco_realm_near(realm, x, z, moved_x, moved_z, VALLEY * widest, &near);
    if (near.count < 2)
        return;
    eco_near_nearest(&near, moved_x, moved_z, nearest, distance2);
    for (unsigned n = 0; n < near.count; n++)
        add_border(rivers, realm, step, &near, n, nearest, distance2, moved, height, out);
    eco_fractal_square(&rivers->gate, x, z, step, 1, gate);
    for (unsigned k = 0; k < 64; k++)
        out[k] *= smooth((gate[k] - GATE_LOW) / (GATE_HIGH - GATE_LOW));
}
