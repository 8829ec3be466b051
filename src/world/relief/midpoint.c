/*
 * Midpoint displacement (diamond-square) without an end: a lattice of the period's spacing has
 * hashed heights; each level halves the spacing and the range of the offsets, which are hashed by
 * level and place. A part of the finest lattice needs a part, slightly larger, of each coarser one.
 */
#include <string.h>

#include "base/hash.h"
#include "ecotone/error.h"
#include "world/relief/source.h"

/* Of plain offsets; those that are multiplied by the mean, of about 1/2, have twice the range. */
#define FIRST_RANGE 0.5f

/* Lattice places x0 .. x1, z0 .. z1 of one spacing, row by row. */
struct lattice {
    int64_t x0, z0, x1, z1;
    float *heights;
};

/* One halving of the spacing. */
struct halving {
    const struct relief_kernels *kernels;
    const struct lattice *old;
    struct lattice *out;
    int64_t seed;
    float range;
    enum relief_offsets offsets;
    float *diamonds[2]; /* of the rows of squares above and below */
    float *edges, *joined;
};

static size_t width_of(const struct lattice *lattice)
{
    return (size_t)(lattice->x1 - lattice->x0 + 1);
}

static size_t area_of(const struct lattice *lattice)
{
    return width_of(lattice) * (size_t)(lattice->z1 - lattice->z0 + 1);
}

static const float *row_of(const struct lattice *lattice, int64_t z)
{
    return lattice->heights + (size_t)(z - lattice->z0) * width_of(lattice);
}

static void displace(const struct halving *halving, float *out, const struct relief_mean *mean,
                     int64_t x, int64_t z, size_t count)
{
    struct relief_hash_row row = {(uint32_t)x, 2, relief_row_key(halving->seed, z)};

    halving->kernels->displace(out, mean, &row, halving->range, halving->offsets, count);
}

/* Centres of the squares between the old rows z and z + 1. */
static void diamond_row(const struct halving *halving, int64_t z, float *out)
{
    const struct lattice *old = halving->old;
    const float *above = row_of(old, z), *below = row_of(old, z + 1);
    struct relief_mean mean = {above, above + 1, below, below + 1};

    displace(halving, out, &mean, 2 * old->x0 + 1, 2 * z + 1, width_of(old) - 1);
}

/* The new row through old places of row z: they and the middles of the edges between them. */
static void even_row(const struct halving *halving, int64_t z)
{
    const struct lattice *old = halving->old;
    const float *corners = row_of(old, z);
    struct relief_mean mean = {corners, corners + 1, halving->diamonds[0], halving->diamonds[1]};
    size_t count = width_of(old) - 1;

    displace(halving, halving->edges, &mean, 2 * old->x0 + 1, 2 * z, count);
    halving->kernels->interleave(halving->joined, corners, halving->edges, count);
}

/* The new row between old rows z and z + 1: middles of edges, and the centres in diamonds[1]. */
static void odd_row(const struct halving *halving, int64_t z)
{
    const struct lattice *old = halving->old;
    const float *centres = halving->diamonds[1];
    struct relief_mean mean = {row_of(old, z) + 1, row_of(old, z + 1) + 1, centres, centres + 1};
    size_t count = width_of(old) - 2;

    displace(halving, halving->edges + 1, &mean, 2 * (old->x0 + 1), 2 * z + 1, count);
    halving->edges[0] = 0.0f; /* outside of what is asked for */
    halving->kernels->interleave(halving->joined, halving->edges, centres, count + 1);
}

/* Fills out->heights; the old lattice reaches one place further than half of the new one. */
static void halve(struct halving *halving)
{
    const struct lattice *old = halving->old;
    struct lattice *out = halving->out;
    size_t width = width_of(out), skip = (size_t)(out->x0 - 2 * old->x0);

    diamond_row(halving, old->z0, halving->diamonds[1]);
    for (int64_t z = out->z0; z <= out->z1; z++) {
        int64_t half = z >> 1;

        if (z & 1) {
            odd_row(halving, half);
        } else {
            float *above = halving->diamonds[0];

            halving->diamonds[0] = halving->diamonds[1];
            halving->diamonds[1] = above;
            diamond_row(halving, half, halving->diamonds[1]);
            even_row(halving, half);
        }
        memcpy(out->heights + (size_t)(z - out->z0) * width, halving->joined + skip,
               width * sizeof(float));
    }
}

static int alloc_rows(struct halving *halving, struct eco_arena *arena)
{
    size_t width = width_of(halving->old);

    halving->diamonds[0] = eco_arena_alloc(arena, width, sizeof(float));
    halving->diamonds[1] = eco_arena_alloc(arena, width, sizeof(float));
    halving->edges = eco_arena_alloc(arena, width, sizeof(float));
    halving->joined = eco_arena_alloc(arena, 2 * width, sizeof(float));
    halving->out->heights = eco_arena_alloc(arena, area_of(halving->out), sizeof(float));
    return halving->diamonds[0] && halving->diamonds[1] && halving->edges && halving->joined &&
                   halving->out->heights
               ? 0
               : ECO_ENOMEM;
}

/* What is needed of each lattice, from the finest, `count - 1`, to the coarsest, 0. An odd first
 * row needs the diamonds of its own squares only, an even one those of the squares above, too. */
static void plan(struct lattice *lattices, unsigned count, const struct relief_area *area)
{
    lattices[count - 1] = (struct lattice){area->x0, area->z0, area->x0 + area->width - 1,
                                           area->z0 + area->height - 1, NULL};
    for (unsigned k = count - 1; k > 0; k--) {
        const struct lattice *fine = &lattices[k];

        lattices[k - 1] = (struct lattice){(fine->x0 - 1) >> 1, (fine->z0 - 1) >> 1,
                                           (fine->x1 + 2) >> 1, (fine->z1 + 2) >> 1, NULL};
    }
}

static void fill_coarsest(const struct relief_terrain *terrain, struct lattice *lattice,
                          int64_t seed)
{
    size_t width = width_of(lattice);

    for (int64_t z = lattice->z0; z <= lattice->z1; z++) {
        struct relief_hash_row row = {(uint32_t)lattice->x0, 1, relief_row_key(seed, z)};

        terrain->kernels->hash(lattice->heights + (size_t)(z - lattice->z0) * width, &row, width);
    }
}

int relief_add_midpoint(const struct relief_terrain *terrain,
                        const struct eco_relief_source *source, const struct relief_area *area,
                        uint64_t stream, float weight, struct eco_arena *arena, float *out)
{
    struct lattice lattices[RELIEF_TOP_LOG_MAX + 1];
    bool smoothed = source->kind == ECO_RELIEF_MIDPOINT_SMOOTHED;
    enum relief_offsets offsets = smoothed ? RELIEF_OFFSETS_SMOOTHED
                                  : source->kind == ECO_RELIEF_MIDPOINT_GAUSS
                                      ? RELIEF_OFFSETS_GAUSS
                                      : RELIEF_OFFSETS_UNIFORM;
    size_t size = (size_t)area->width * area->height;
    unsigned top = relief_top_log(terrain, source), count;

    if (area->level > top) { /* the mean of what a cell holds */
        for (size_t k = 0; k < size; k++)
            out[k] += 0.5f * weight;
        return 0;
    }
    count = top - area->level + 1;
    plan(lattices, count, area);
    lattices[0].heights = eco_arena_alloc(arena, area_of(&lattices[0]), sizeof(float));
    if (!lattices[0].heights)
        return ECO_ENOMEM;
    fill_coarsest(terrain, &lattices[0], eco_seed_derive(terrain->seed, stream << 8));
    for (unsigned k = 1; k < count; k++) {
        struct halving halving = {
            .kernels = terrain->kernels,
            .old = &lattices[k - 1],
            .out = &lattices[k],
            .seed = eco_seed_derive(terrain->seed, stream << 8 | k),
            .range = (smoothed ? 2.0f * FIRST_RANGE : FIRST_RANGE) / (float)(1u << k),
            .offsets = offsets,
        };

        if (alloc_rows(&halving, arena))
            return ECO_ENOMEM;
        halve(&halving);
    }
    for (size_t k = 0; k < size; k++)
        out[k] += weight * lattices[count - 1].heights[k];
    return 0;
}
