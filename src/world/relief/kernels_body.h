/*
 * The loops of kernels.h, included once for each instruction set with RELIEF_ISA (an attribute, or
 * nothing) and RELIEF_KERNELS (the name of the table) defined. Every operation is one IEEE
 * operation a lane, so the sets agree bit for bit.
 */
#include <math.h>

#include "world/relief/kernels.h"

/* The rows of one call do not overlap, which the compiler cannot see from pointers in a struct. */
#ifdef __clang__
#define APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define APART _Pragma("GCC ivdep")
#endif

#define ISA RELIEF_ISA
/* clang needs the attribute on what is inlined, too. */
#define ISA_INLINE RELIEF_ISA static inline __attribute__((always_inline))

/* A hash of 32 bits whose every bit depends on every bit of the place (lowbias32, C. Wellons). */
ISA_INLINE uint32_t mix(uint32_t value)
{
    value = (value ^ value >> 16) * 0x7FEB352Du;
    value = (value ^ value >> 15) * 0x846CA68Bu;
    return value ^ value >> 16;
}

ISA_INLINE float unit(uint32_t place, uint32_t key)
{
    uint32_t hash = mix(place * 0x9E3779B1u ^ key);

    return (float)(int32_t)(hash >> 8) * (1.0f / 16777216.0f);
}

ISA static void hash(float *out, const struct relief_hash_row *row, size_t count)
{
    const struct relief_hash_row at = *row;

    for (size_t i = 0; i < count; i++)
        out[i] = unit(at.x + at.stride * (uint32_t)i, at.key);
}

ISA static void displace(float *restrict out, const struct relief_mean *mean,
                         const struct relief_hash_row *row, float range, bool smoothed,
                         size_t count)
{
    const float *restrict a = mean->a, *restrict b = mean->b;
    const float *restrict c = mean->c, *restrict d = mean->d;
    const struct relief_hash_row at = *row;

    for (size_t i = 0; i < count; i++) {
        float middle = ((a[i] + b[i]) + (c[i] + d[i])) * 0.25f;
        float offset = range * (2.0f * unit(at.x + at.stride * (uint32_t)i, at.key) - 1.0f);

        out[i] = middle + (smoothed ? offset * middle : offset);
    }
}

ISA static void interleave(float *restrict out, const float *restrict even,
                           const float *restrict odd, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = even[i];
        out[2 * i + 1] = odd[i];
    }
}

ISA static void add_between(float *restrict out, const float *restrict above,
                            const float *restrict below, float t, float weight, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] += weight * (above[i] + (below[i] - above[i]) * t);
}

/* The three least distances at 8 places and the scale of the nearest point. */
struct nearest {
    float d[RELIEF_NEAREST][8], scale[8];
};

ISA_INLINE void find_nearest(struct nearest *near, const struct relief_points *points, float x,
                             float dx, float z)
{
    for (unsigned lane = 0; lane < 8; lane++) {
        near->d[0][lane] = near->d[1][lane] = near->d[2][lane] = 1e30f;
        near->scale[lane] = 0.0f;
    }
    for (unsigned k = 0; k < points->count; k++) {
        float px = points->x[k], pz = points->z[k] - z, scale = points->scale[k];

        for (unsigned lane = 0; lane < 8; lane++) {
            float away = px - (x + dx * (float)(int)lane), d = away * away + pz * pz;
            float d1 = near->d[0][lane], d2 = near->d[1][lane], d3 = near->d[2][lane];
            float second = d > d1 ? d : d1, third = second > d2 ? second : d2;

            near->scale[lane] = d < d1 ? scale : near->scale[lane];
            near->d[0][lane] = d < d1 ? d : d1;
            near->d[1][lane] = second < d2 ? second : d2;
            near->d[2][lane] = third < d3 ? third : d3;
        }
    }
}

ISA static void add_hills(float *restrict out, const struct relief_points *points,
                          const struct relief_hill *hill, float x, float dx, float z, float weight,
                          size_t count)
{
    for (size_t i = 0; i < count; i += 8) {
        struct nearest near;
        float height[8];

        find_nearest(&near, points, x + dx * (float)(int)i, dx, z);
        for (unsigned lane = 0; hill->euclid && lane < 8; lane++) {
            for (unsigned k = 0; k < RELIEF_NEAREST; k++)
                near.d[k][lane] = sqrtf(near.d[k][lane]);
        }
        for (unsigned lane = 0; lane < 8; lane++) {
            float sum = hill->c[0] * near.d[0][lane] + hill->c[1] * near.d[1][lane] +
                        hill->c[2] * near.d[2][lane];
            float value = near.scale[lane] * sum - hill->offset;

            height[lane] = hill->clip && value < 0.0f ? 0.0f : value;
        }
        for (unsigned lane = 0; lane < 8 && i + lane < count; lane++)
            out[i + lane] += weight * height[lane];
    }
}

/* Moves `amount` from the centre to the first of the neighbours that is as low as `lowest`. */
#define GIVE(lowest, amount)                                                                       \
    do {                                                                                           \
        bool is_a = va == (lowest), is_b = !is_a & (vb == (lowest));                               \
        bool is_c = !is_a & !is_b & (vc == (lowest)), is_d = !is_a & !is_b & !is_c;                \
                                                                                                   \
        a[i] = va + (is_a ? (amount) : 0.0f);                                                      \
        b[i] = vb + (is_b ? (amount) : 0.0f);                                                      \
        c[i] = vc + (is_c ? (amount) : 0.0f);                                                      \
        d[i] = vd + (is_d ? (amount) : 0.0f);                                                      \
    } while (0)

ISA_INLINE float lowest_of(float a, float b, float c, float d)
{
    float left = a < b ? a : b, right = c < d ? c : d;

    return left < right ? left : right;
}

ISA static void inverted(float *restrict centre, float *const around[4], float talus, size_t count)
{
    float *restrict a = around[0], *restrict b = around[1];
    float *restrict c = around[2], *restrict d = around[3];

    APART
    for (size_t i = 0; i < count; i++) {
        float va = a[i], vb = b[i], vc = c[i], vd = d[i];
        float lowest = lowest_of(va, vb, vc, vd), fall = centre[i] - lowest;
        float amount = ((fall > 0.0f) & (fall <= talus)) ? fall * 0.5f : 0.0f;

        centre[i] -= amount;
        GIVE(lowest, amount);
    }
}

ISA static void thermal(float *restrict centre, float *const around[4], float talus, float share,
                        size_t count)
{
    float *restrict a = around[0], *restrict b = around[1];
    float *restrict c = around[2], *restrict d = around[3];

    APART
    for (size_t i = 0; i < count; i++) {
        float va = a[i], vb = b[i], vc = c[i], vd = d[i];
        float lowest = lowest_of(va, vb, vc, vd), fall = centre[i] - lowest;
        float amount = fall > talus ? share * (fall - talus) : 0.0f;

        centre[i] -= amount;
        GIVE(lowest, amount);
    }
}

ISA_INLINE float within(float difference, float talus)
{
    return fabsf(difference) <= talus ? difference : 0.0f;
}

ISA static void settle(float *restrict out, float *const row[5], float talus, float share,
                       size_t count)
{
    const float *restrict centre = row[0], *restrict a = row[1], *restrict b = row[2];
    const float *restrict c = row[3], *restrict d = row[4];

    APART
    for (size_t i = 0; i < count; i++) {
        float at = centre[i];
        float above = within(a[i] - at, talus) + within(d[i] - at, talus);
        float beside = within(b[i] - at, talus) + within(c[i] - at, talus);

        out[i] = at + share * (above + beside);
    }
}

ISA static void flow(const struct relief_flow *at, size_t count)
{
    const float *restrict ground = at->ground[0], *restrict ga = at->ground[1];
    const float *restrict gb = at->ground[2], *restrict gc = at->ground[3];
    const float *restrict gd = at->ground[4];
    float *restrict water = at->water[0], *restrict wa = at->water[1], *restrict wb = at->water[2];
    float *restrict wc = at->water[3], *restrict wd = at->water[4];
    float *restrict load = at->load[0], *restrict la = at->load[1], *restrict lb = at->load[2];
    float *restrict lc = at->load[3], *restrict ld = at->load[4];

    APART
    for (size_t i = 0; i < count; i++) {
        float sa = ga[i] + wa[i], sb = gb[i] + wb[i], sc = gc[i] + wc[i], sd = gd[i] + wd[i];
        float lowest = lowest_of(sa, sb, sc, sd), w = water[i];
        float half = (ground[i] + w - lowest) * 0.5f;
        float flowing = half < w ? half : w;
        float amount = flowing > 0.0f ? flowing : 0.0f;
        float carried = load[i] * (amount / (w > 1e-30f ? w : 1e-30f));
        bool is_a = sa == lowest, is_b = !is_a & (sb == lowest);
        bool is_c = !is_a & !is_b & (sc == lowest), is_d = !is_a & !is_b & !is_c;

        water[i] = w - amount;
        load[i] -= carried;
        wa[i] += is_a ? amount : 0.0f;
        wb[i] += is_b ? amount : 0.0f;
        wc[i] += is_c ? amount : 0.0f;
        wd[i] += is_d ? amount : 0.0f;
        la[i] += is_a ? carried : 0.0f;
        lb[i] += is_b ? carried : 0.0f;
        lc[i] += is_c ? carried : 0.0f;
        ld[i] += is_d ? carried : 0.0f;
    }
}

ISA static void rain(const struct relief_rain *rain, float *restrict ground, float *restrict water,
                     float *restrict load, size_t count)
{
    const struct relief_rain by = *rain;

    for (size_t i = 0; i < count; i++) {
        float w = water[i] + by.amount, dissolved = by.solubility * w;

        water[i] = w;
        ground[i] -= dissolved;
        load[i] += dissolved;
    }
}

ISA static void dry(const struct relief_rain *rain, float *restrict ground, float *restrict water,
                    float *restrict load, size_t count)
{
    const struct relief_rain by = *rain;

    for (size_t i = 0; i < count; i++) {
        float w = water[i] * by.stays, most = by.capacity * w;
        float left = load[i] < most ? load[i] : most;

        water[i] = w;
        ground[i] += load[i] - left;
        load[i] = left;
    }
}

const struct relief_kernels RELIEF_KERNELS = {
    .hash = hash,
    .displace = displace,
    .interleave = interleave,
    .add_between = add_between,
    .add_hills = add_hills,
    .inverted = inverted,
    .thermal = thermal,
    .settle = settle,
    .flow = flow,
    .rain = rain,
    .dry = dry,
};
