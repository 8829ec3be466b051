/*
 * The loops of kernels.h, included once for each instruction set with RELIEF_ISA (an attribute, or
 * nothing) and RELIEF_KERNELS (the name of the table) defined. Every operation is one IEEE
 * operation a lane, so the sets agree bit for bit.
 */
#include <math.h>
#include <string.h>

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

/* -1 .. 1 of 0 .. 1, most of them near 0. */
ISA_INLINE float bell(float share)
{
    float from_end = 2.0f * (share < 0.5f ? share : 1.0f - share);
    float away = 1.0f - sqrtf(sqrtf(from_end));

    return share < 0.5f ? -away : away;
}

/* Inlined for each kind of offset: a loop for all of them would take roots for each. */
ISA_INLINE void displace_by(float *restrict out, const struct relief_mean *mean,
                            const struct relief_hash_row *row, float range,
                            enum relief_offsets offsets, size_t count)
{
    const float *restrict a = mean->a, *restrict b = mean->b;
    const float *restrict c = mean->c, *restrict d = mean->d;
    const struct relief_hash_row at = *row;

    for (size_t i = 0; i < count; i++) {
        float middle = ((a[i] + b[i]) + (c[i] + d[i])) * 0.25f;
        float share = unit(at.x + at.stride * (uint32_t)i, at.key);
        float offset =
            range * (offsets == RELIEF_OFFSETS_GAUSS ? bell(share) : 2.0f * share - 1.0f);

        out[i] = middle + (offsets == RELIEF_OFFSETS_SMOOTHED ? offset * middle : offset);
    }
}

ISA static void displace(float *restrict out, const struct relief_mean *mean,
                         const struct relief_hash_row *row, float range,
                         enum relief_offsets offsets, size_t count)
{
    if (offsets == RELIEF_OFFSETS_UNIFORM)
        displace_by(out, mean, row, range, RELIEF_OFFSETS_UNIFORM, count);
    else if (offsets == RELIEF_OFFSETS_GAUSS)
        displace_by(out, mean, row, range, RELIEF_OFFSETS_GAUSS, count);
    else
        displace_by(out, mean, row, range, RELIEF_OFFSETS_SMOOTHED, count);
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
        float amount = fall > talus ? share * fall : 0.0f;

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
    float *restrict water = at->water[0], *restrict a = at->water[1], *restrict b = at->water[2];
    float *restrict c = at->water[3], *restrict d = at->water[4];

    APART
    for (size_t i = 0; i < count; i++) {
        float sa = ga[i] + a[i], sb = gb[i] + b[i], sc = gc[i] + c[i], sd = gd[i] + d[i];
        float lowest = lowest_of(sa, sb, sc, sd), w = water[i];
        float half = (ground[i] + w - lowest) * 0.5f;
        float flowing = half < w ? half : w;
        float amount = flowing > 0.0f ? flowing : 0.0f;
        bool is_a = sa == lowest, is_b = !is_a & (sb == lowest);
        bool is_c = !is_a & !is_b & (sc == lowest), is_d = !is_a & !is_b & !is_c;

        water[i] = w - amount;
        a[i] += is_a ? amount : 0.0f;
        b[i] += is_b ? amount : 0.0f;
        c[i] += is_c ? amount : 0.0f;
        d[i] += is_d ? amount : 0.0f;
    }
}

ISA static void pour(const struct relief_rain *rain, float *restrict ground, float *restrict water,
                     size_t count)
{
    const struct relief_rain by = *rain;
    float dissolved = by.capacity * by.amount;

    for (size_t i = 0; i < count; i++) {
        water[i] += by.amount;
        ground[i] -= dissolved;
    }
}

ISA static void drain(const struct relief_rain *rain, float *restrict ground, float *restrict water,
                      size_t count)
{
    const struct relief_rain by = *rain;

    for (size_t i = 0; i < count; i++) {
        float w = water[i] * by.stays;

        ground[i] += by.capacity * (water[i] - w);
        water[i] = w;
    }
}

/* What a cell sees of its neighbours, without branches. */
#define EACH_NEIGHBOUR(k) for (unsigned k = 0; k < RELIEF_AROUND; k++)

ISA static void slide(float *restrict out, float *restrict rate,
                      const float *const around[RELIEF_AROUND], float talus, float share,
                      size_t count)
{
    const float *rows[RELIEF_AROUND];

    memcpy(rows, around, sizeof(rows));
    APART
    for (size_t i = 0; i < count; i++) {
        float at = rows[4][i], most = 0.0f, total = 0.0f;

        EACH_NEIGHBOUR(k)
        {
            float fall = at - rows[k][i];

            total += fall > talus ? fall : 0.0f;
            most = fall > most ? fall : most;
        }
        most = most > talus ? share * (most - talus) : 0.0f;
        out[i] = at - most;
        rate[i] = most / (total > 1e-30f ? total : 1e-30f);
    }
}

ISA static void spread(const struct relief_spread *at, size_t count)
{
    const struct relief_spread to = *at;
    float *restrict rate = to.rate, *restrict carried = to.carried;
    float *restrict water = to.water, *restrict load = to.load;

    APART
    for (size_t i = 0; i < count; i++) {
        float top = to.surface[4][i], total = 0.0f, cells = 1.0f, w = water[i];
        float amount, part;

        EACH_NEIGHBOUR(k)
        {
            float fall = top - to.surface[k][i];

            total += fall > 0.0f ? fall : 0.0f;
            cells += fall > 0.0f ? 1.0f : 0.0f;
        }
        /* Above the mean of those that are involved: the sum of what they are lower over them. */
        amount = total / cells;
        amount = amount < w ? amount : w;
        part = amount / (w > 1e-30f ? w : 1e-30f);
        rate[i] = amount / (total > 1e-30f ? total : 1e-30f);
        carried[i] = load[i] * part / (total > 1e-30f ? total : 1e-30f);
        water[i] = w - amount;
        load[i] -= load[i] * part;
    }
}

ISA static void gather(const struct relief_gather *at, size_t count)
{
    const struct relief_gather from = *at;
    float *restrict out = from.out;

    APART
    for (size_t i = 0; i < count; i++) {
        float own = from.surface[4][i], sum = 0.0f;

        EACH_NEIGHBOUR(k)
        {
            float rise = from.surface[k][i] - own;

            sum += rise > from.least ? from.rate[k][i] * rise : 0.0f;
        }
        out[i] += sum;
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
    .pour = pour,
    .drain = drain,
    .slide = slide,
    .spread = spread,
    .gather = gather,
    .rain = rain,
    .dry = dry,
};
