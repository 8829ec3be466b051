#include "world/overworld/realm.h"

#include <math.h>

#include "noise/grid.h"

/* Noise stays below this by far. */
#define NOISE_MAX 1.25f

/* A cell whose site lies this deep is of the deep sea. */
#define DEEP (-0.55f)

/* No place is farther from its nearest site, in pitches. */
#define CELL_REACH 1.4f

#define BATCH 64

#define FINE_STEP 4

static void find_climate(const struct eco_realm *realm, size_t count)
{
    const struct eco_realm_plan *plan = realm->plan;
    struct eco_climate_levels levels[BATCH];
    float scratch[2 * BATCH];

    for (size_t first = 0; first < count; first += BATCH) {
        size_t batch = count - first < BATCH ? count - first : BATCH;

        eco_climate_points(&plan->climate, realm->window.x + first, realm->window.z + first, batch,
                           scratch, levels);
        for (size_t k = 0; k < batch; k++) {
            struct eco_realm_cell *cell = &realm->cells[first + k];

            cell->climate = levels[k];
            cell->base = eco_rules_base(&plan->diagram, levels[k]);
        }
    }
}

/* Applies the rules to all cells but those at the edge of the window. */
static void apply_rules(const struct eco_realm *realm)
{
    const struct eco_cell_window *window = &realm->window;
    size_t stride = window->columns;

    for (size_t row = 1; row + 1 < window->rows; row++) {
        int64_t j = window->j + (int64_t)row;
        size_t shift = j & 1 ? 1 : 0; /* of the neighbours in the rows above and below */

        for (size_t column = 1; column + 1 < window->columns; column++) {
            size_t at = row * stride + column;
            struct eco_realm_cell *cell = &realm->cells[at];
            const struct eco_realm_cell *up = cell - stride + shift, *down = cell + stride + shift;
            const uint8_t around[6] = {cell[-1].base, cell[1].base,  up[-1].base,
                                       up[0].base,    down[-1].base, down[0].base};
            int deep = eco_terrain_smooth_point(&realm->plan->terrain, window->x[at],
                                                window->z[at]) < DEEP;

            cell->land =
                (uint8_t)eco_land_index(eco_rules_cell(cell->base, around, cell->id, deep));
        }
    }
}

int eco_realm_make(const struct eco_realm_plan *plan, const struct eco_rect *rect,
                   struct eco_arena *arena, struct eco_realm *realm)
{
    double reach = plan->roughness.amplitude * NOISE_MAX;
    struct eco_rect wide = {rect->x0 - reach, rect->z0 - reach, rect->x1 + reach, rect->z1 + reach};
    struct eco_cell_window *window = &realm->window;
    size_t count;

    realm->plan = plan;
    eco_cells_cover(&plan->lattice, &wide, 1, window);
    /* Rows are shifted against each other: a square looks one column farther. */
    window->i--;
    window->columns += 2;
    count = (size_t)window->columns * window->rows;
    realm->cells = eco_arena_alloc(arena, count, sizeof(*realm->cells));
    if (!realm->cells || eco_cells_relax(window, arena))
        return ECO_ENOMEM;
    for (size_t row = 0; row < window->rows; row++) {
        for (size_t column = 0; column < window->columns; column++)
            realm->cells[row * window->columns + column].id =
                eco_cell_id(&plan->lattice, window->i + (int64_t)column, window->j + (int64_t)row);
    }
    find_climate(realm, count);
    apply_rules(realm);
    return 0;
}

static float bounded(float noise)
{
    noise = noise > -NOISE_MAX ? noise : -NOISE_MAX;
    return noise < NOISE_MAX ? noise : NOISE_MAX;
}

static void move_square(const struct eco_roughness *roughness, int64_t x, int64_t z, int64_t step,
                        float out_x[64], float out_z[64])
{
    float amplitude = (float)roughness->amplitude;
    /* Fine steps all see the same bends. */
    unsigned least = step <= FINE_STEP ? roughness->x.octaves : 1;

    eco_fractal_square(&roughness->x, x, z, step, least, out_x);
    eco_fractal_square(&roughness->z, x, z, step, least, out_z);
    for (int k = 0; k < 64; k++) {
        out_x[k] = (float)(k % 8 * step) + amplitude * bounded(out_x[k]);
        out_z[k] = (float)(k / 8 * step) + amplitude * bounded(out_z[k]);
    }
}

/* Moves places as move_square does. */
static void move_points(const struct eco_roughness *roughness, const double *x, const double *z,
                        size_t count, double *moved_x, double *moved_z)
{
    float noise[2 * ECO_REALM_BATCH], amplitude = 0.0f, factor = 1.0f;
    float sum_x[ECO_REALM_BATCH] = {0}, sum_z[ECO_REALM_BATCH] = {0};
    double frequency = roughness->x.frequency_x;

    for (unsigned octave = 0; octave < roughness->x.octaves; octave++) {
        const int64_t seeds[2] = {roughness->x.seeds[octave], roughness->z.seeds[octave]};

        eco_os2s_noise2_points(seeds, 2, x, z, count, frequency, noise);
        for (size_t k = 0; k < count; k++) {
            sum_x[k] += factor * noise[2 * k];
            sum_z[k] += factor * noise[2 * k + 1];
        }
        amplitude += factor;
        factor *= 0.5f;
        frequency *= 2.0;
    }
    amplitude = (float)roughness->amplitude / amplitude;
    for (size_t k = 0; k < count; k++) {
        moved_x[k] = x[k] + (double)(amplitude * sum_x[k]);
        moved_z[k] = z[k] + (double)(amplitude * sum_z[k]);
    }
}

void eco_realm_points(const struct eco_realm *realm, const double *x, const double *z, size_t count,
                      size_t *cells)
{
    double moved_x[ECO_REALM_BATCH], moved_z[ECO_REALM_BATCH];

    move_points(&realm->plan->roughness, x, z, count, moved_x, moved_z);
    for (size_t k = 0; k < count; k++)
        cells[k] = eco_cells_nearest(&realm->window, moved_x[k], moved_z[k]);
}

struct bounds {
    float low, high;
};

static struct bounds bounds_of(const float values[64])
{
    struct bounds bounds = {values[0], values[0]};

    for (unsigned k = 1; k < 64; k++) {
        bounds.low = values[k] < bounds.low ? values[k] : bounds.low;
        bounds.high = values[k] > bounds.high ? values[k] : bounds.high;
    }
    return bounds;
}

/* The sites of a part of the window, relative to a square, with the least and greatest distance
 * squared to the square's moved samples. */
struct candidates {
    unsigned count;
    size_t cell[ECO_NEAR_MAX];
    float x[ECO_NEAR_MAX], z[ECO_NEAR_MAX];
    float least2[ECO_NEAR_MAX], most2[ECO_NEAR_MAX];
};

static void list_candidates(const struct eco_realm *realm, int64_t x, int64_t z,
                            struct bounds box_x, struct bounds box_z, struct candidates *candidates)
{
    const struct eco_cell_window *window = &realm->window;
    double west = (double)x, north = (double)z;
    int64_t i0, j0, i1, j1;
    unsigned count = 0;

    eco_cells_locate(window->lattice, west + (double)box_x.low, north + (double)box_z.low, &i0,
                     &j0);
    eco_cells_locate(window->lattice, west + (double)box_x.high, north + (double)box_z.high, &i1,
                     &j1);
    for (int64_t j = j0 - ECO_CELLS_REACH; j <= j1 + ECO_CELLS_REACH; j++) {
        size_t at = (size_t)(j - window->j) * window->columns +
                    (size_t)(i0 - ECO_CELLS_REACH - 1 - window->i);

        for (int64_t i = i0 - ECO_CELLS_REACH - 1;
             i <= i1 + ECO_CELLS_REACH + 1 && count < ECO_NEAR_MAX; i++, at++, count++) {
            candidates->cell[count] = at;
            candidates->x[count] = (float)(window->x[at] - west);
            candidates->z[count] = (float)(window->z[at] - north);
        }
    }
    candidates->count = count;
    for (unsigned n = 0; n < count; n++) {
        float left = box_x.low - candidates->x[n], right = candidates->x[n] - box_x.high;
        float up = box_z.low - candidates->z[n], down = candidates->z[n] - box_z.high;
        float dx = fmaxf(fmaxf(left, right), 0.0f), dz = fmaxf(fmaxf(up, down), 0.0f);
        float far_x = fmaxf(-left, -right), far_z = fmaxf(-up, -down);

        candidates->least2[n] = dx * dx + dz * dz;
        candidates->most2[n] = far_x * far_x + far_z * far_z;
    }
}

static void find_near(const struct eco_realm *realm, int64_t x, int64_t z, const float moved_x[64],
                      const float moved_z[64], float reach, struct eco_near *near)
{
    float best = CELL_REACH * (float)realm->window.lattice->pitch, best2 = best * best, limit;
    float least2 = INFINITY;
    struct candidates candidates;

    list_candidates(realm, x, z, bounds_of(moved_x), bounds_of(moved_z), &candidates);
    for (unsigned n = 0; n < candidates.count; n++)
        best2 = candidates.most2[n] < best2 ? candidates.most2[n] : best2;
    for (unsigned n = 0; n < candidates.count; n++)
        least2 = candidates.least2[n] < least2 ? candidates.least2[n] : least2;
    best2 = best2 > least2 ? best2 : least2;
    /* A border is as far as half the difference of the distances to its sites, or farther. */
    limit = sqrtf(best2) + 2.0f * reach;
    limit *= limit * 1.0001f;
    near->count = 0;
    for (unsigned n = 0; n < candidates.count; n++) {
        if (candidates.least2[n] > limit)
            continue;
        near->cell[near->count] = candidates.cell[n];
        near->least2[near->count] = candidates.least2[n];
        near->x[near->count] = candidates.x[n];
        near->z[near->count++] = candidates.z[n];
    }
}

static void find_nearest(const struct eco_near *near, struct eco_nearest *nearest)
{
    bool seen[ECO_NEAR_MAX] = {false};
    int32_t found[64] = {0};

    for (unsigned k = 0; k < 64; k++)
        nearest->distance2[k] = INFINITY;
    for (unsigned n = 0; n < near->count; n++) {
        for (unsigned k = 0; k < 64; k++) {
            float dx = nearest->x[k] - near->x[n], dz = nearest->z[k] - near->z[n];
            float far2 = dx * dx + dz * dz;

            found[k] = far2 < nearest->distance2[k] ? (int32_t)n : found[k];
            nearest->distance2[k] = far2 < nearest->distance2[k] ? far2 : nearest->distance2[k];
        }
    }
    nearest->count = 0;
    for (unsigned k = 0; k < 64; k++) {
        nearest->site[k] = (uint8_t)found[k];
        if (!seen[found[k]])
            nearest->sites[nearest->count++] = (uint8_t)found[k];
        seen[found[k]] = true;
    }
}

/* Drops the sites whose border is too far from all samples, now that it is known how far these are
 * from their own sites. */
static void drop_far(struct eco_near *near, struct eco_nearest *nearest, float reach)
{
    float farthest2 = 0.0f, limit;
    uint8_t now[ECO_NEAR_MAX] = {0};
    unsigned kept = 0;

    for (unsigned k = 0; k < 64; k++)
        farthest2 = nearest->distance2[k] > farthest2 ? nearest->distance2[k] : farthest2;
    limit = sqrtf(farthest2) + 2.0f * reach;
    limit *= limit * 1.0001f;
    for (unsigned n = 0; n < near->count; n++) {
        now[n] = (uint8_t)kept;
        if (near->least2[n] > limit)
            continue;
        near->cell[kept] = near->cell[n];
        near->x[kept] = near->x[n];
        near->z[kept] = near->z[n];
        near->least2[kept++] = near->least2[n];
    }
    near->count = kept;
    for (unsigned k = 0; k < 64; k++)
        nearest->site[k] = now[nearest->site[k]];
    for (unsigned p = 0; p < nearest->count; p++)
        nearest->sites[p] = now[nearest->sites[p]];
}

void eco_realm_square(const struct eco_realm *realm, int64_t x, int64_t z, int64_t step,
                      float reach, struct eco_near *near, struct eco_nearest *nearest)
{
    move_square(&realm->plan->roughness, x, z, step, nearest->x, nearest->z);
    find_near(realm, x, z, nearest->x, nearest->z, reach, near);
    find_nearest(near, nearest);
    drop_far(near, nearest, reach);
}

void eco_near_border(const struct eco_near *near, const struct eco_nearest *nearest, unsigned other,
                     float border[64])
{
    float scale[ECO_NEAR_MAX] = {0}, scales[64];

    for (unsigned p = 0; p < nearest->count; p++) {
        unsigned n = nearest->sites[p];
        float dx = near->x[n] - near->x[other], dz = near->z[n] - near->z[other];

        scale[n] = n == other ? 0.0f : 0.5f / sqrtf(dx * dx + dz * dz);
    }
    for (unsigned k = 0; k < 64; k++)
        scales[k] = scale[nearest->site[k]];
    for (unsigned k = 0; k < 64; k++) {
        float dx = nearest->x[k] - near->x[other], dz = nearest->z[k] - near->z[other];

        border[k] = (dx * dx + dz * dz - nearest->distance2[k]) * scales[k];
    }
}

/* Coordinates within a square are floats: two sites that are nearly as far are equally far. */
#define ROUNDING 0.5

bool eco_realm_may_lie(const struct eco_realm *realm, const struct eco_rect *places, double strip,
                       size_t cell)
{
    const struct eco_cell_window *window = &realm->window;
    double reach = realm->plan->roughness.amplitude * (double)NOISE_MAX;
    const double x[2] = {places->x0 - reach, places->x1 + reach};
    const double z[2] = {places->z0 - reach, places->z1 + reach};
    size_t count = (size_t)window->columns * window->rows;
    double limits[4]; /* of the distance of another site to each corner */

    for (unsigned k = 0; k < 4; k++)
        limits[k] =
            hypot(x[k & 1] - window->x[cell], z[k >> 1] - window->z[cell]) - 2.0 * strip - ROUNDING;
    /* Where one site is so much nearer is a convex part of the plane, the inside of a hyperbola's
     * branch: the corners decide for all places. */
    for (size_t other = 0; other < count; other++) {
        unsigned beaten = 0;

        for (unsigned k = 0; k < 4 && beaten == k; k++) {
            double dx = x[k & 1] - window->x[other], dz = z[k >> 1] - window->z[other];

            beaten += limits[k] > 0.0 && dx * dx + dz * dz < limits[k] * limits[k];
        }
        if (beaten == 4)
            return false;
    }
    return true;
}
