/*
 * Rivers of the overworld: none above its limit, as wide at every zoom, and without a pit or a wall
 * on the way down to the water. What is measured is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ecotone/ecotone.h"
#include "world/config.h"
#include "world_fixture.h"

#define SIDE 1024
#define SEEDS 12

static bool is_river(const struct eco_world *world, uint8_t biome)
{
    unsigned id = eco_world_biome(world, biome).id;

    return id == 7 || id == 11;
}

/* The same world without rivers: as high as the ground was before they were carved. */
static struct eco_config *config_without_rivers(void)
{
    struct eco_config *dry;

    assert_int_equal(eco_config_load("config/ecotone.yaml", &dry, NULL), 0);
    for (unsigned i = 0; i < dry->worlds_count; i++)
        dry->worlds[i].overworld.wide_limit = dry->worlds[i].overworld.narrow_limit = 0.0;
    return dry;
}

static void no_river_is_above_its_height_limit(void **state)
{
    struct eco_config *dry_config = config_without_rivers();
    const struct eco_overworld_config *own = &eco_config_world(config, "overworld")->overworld;
    float sea = (float)eco_config_world(config, "overworld")->sea_level, highest = 0.0f;
    size_t carved = 0, water = 0;

    (void)state;
    for (int64_t seed = 0; seed < SEEDS; seed++) {
        struct eco_world *world = open_overworld(config, seed),
                         *dry = open_overworld(dry_config, seed);
        struct eco_grid grid = {seed * 5000 - 20000, 3000, 4, SIDE, SIDE};
        struct eco_planes with, without;

        eco_sampler_reset(scratch);
        with = sample(world, &grid, ECO_FIELD_HEIGHT | ECO_FIELD_RIVER | ECO_FIELD_BIOME, scratch);
        without = sample(dry, &grid, ECO_FIELD_HEIGHT | ECO_FIELD_RIVER, scratch);
        for (size_t k = 0; k < (size_t)SIDE * SIDE; k++) {
            float before = without.height[k] - sea;

            if (before < 0.0f)
                continue;
            assert_true(with.height[k] <= without.height[k]);
            if (!(with.river[k] > 0.0f)) {
                assert_true(with.height[k] == without.height[k]);
                assert_false(is_river(world, with.biome[k]));
                continue;
            }
            carved++;
            water += is_river(world, with.biome[k]);
            highest = before > highest ? before : highest;
            if (is_river(world, with.biome[k]))
                assert_true(with.height[k] <= sea);
        }
        eco_world_close(world);
        eco_world_close(dry);
    }
    print_message("%zu samples of rivers and valleys, %zu of water; carved into land up to %.2f "
                  "blocks above the sea, limit %.0f\n",
                  carved, water, (double)highest, own->wide_limit);
    assert_true(water > 10000);
    assert_true((double)highest < own->wide_limit);
    eco_config_free(dry_config);
}

/* Blocks of river water in the same ground at steps 1, 2 and 4, and the length of its banks. */
static void rivers_are_as_wide_at_zooms_16_to_18(void **state)
{
    double area[3] = {0}, same = 0.0, all = 0.0;

    (void)state;
    for (int64_t seed = 0; seed < SEEDS; seed++) {
        struct eco_world *world = open_overworld(config, seed);
        struct eco_planes planes[3];

        eco_sampler_reset(scratch);
        for (int zoom = 0; zoom < 3; zoom++) {
            int64_t step = 1 << zoom;
            struct eco_grid grid = {-6000, 9000, step, (uint32_t)(1024 / step),
                                    (uint32_t)(1024 / step)};

            planes[zoom] = sample(world, &grid, ECO_FIELD_BIOME, scratch);
            for (size_t k = 0; k < (size_t)grid.width * grid.height; k++)
                area[zoom] += is_river(world, planes[zoom].biome[k]) ? (double)(step * step) : 0.0;
        }
        /* Sample for sample: zoom 16 against the blocks of zoom 18 that it stands for. */
        for (size_t z = 0; z < 256; z++) {
            for (size_t x = 0; x < 256; x++) {
                bool coarse = is_river(world, planes[2].biome[z * 256 + x]);
                bool fine = is_river(world, planes[0].biome[z * 4 * 1024 + x * 4]);

                same += coarse && fine;
                all += coarse || fine;
            }
        }
        eco_world_close(world);
    }
    print_message("river water at zooms 18, 17, 16: %.0f, %.0f, %.0f blocks; of the samples of "
                  "either, %.2f %% are both at 16 and 18\n",
                  area[0], area[1], area[2], 100.0 * same / all);
    assert_true(area[0] > 10000.0);
    assert_true(fabs(area[1] / area[0] - 1.0) < 0.02);
    assert_true(fabs(area[2] / area[0] - 1.0) < 0.03);
    assert_true(same / all > 0.97);
}

/* Walks to the lowest of the eight neighbours until there is water; false at a pit or the edge. */
static bool walk_to_water(const float *height, float sea, size_t at, bool *edge)
{
    *edge = false;
    for (unsigned step = 0; step < 4 * SIDE; step++) {
        size_t x = at % SIDE, z = at / SIDE, next = at;

        if (height[at] < sea)
            return true;
        if (x == 0 || z == 0 || x == SIDE - 1 || z == SIDE - 1) {
            *edge = true;
            return false;
        }
        for (int k = 0; k < 9; k++) {
            size_t to = at + (size_t)((ptrdiff_t)(k / 3 - 1) * SIDE + k % 3 - 1);

            next = height[to] < height[next] ? to : next;
        }
        if (next == at)
            return false;
        at = next;
    }
    return false;
}

/* Whether river water lies at most eight blocks away in one of eight directions. */
static bool is_bank(const struct eco_world *world, const uint8_t *biomes, size_t at)
{
    size_t x = at % SIDE, z = at / SIDE;

    if (x < 8 || z < 8 || x >= SIDE - 8 || z >= SIDE - 8)
        return false;
    for (int far = 1; far <= 8; far++) {
        for (int k = 0; k < 9; k++) {
            ptrdiff_t to = ((ptrdiff_t)(k / 3 - 1) * SIDE + k % 3 - 1) * far;

            if (is_river(world, biomes[(size_t)((ptrdiff_t)at + to)]))
                return true;
        }
    }
    return false;
}

/* From the banks of a river, always to the lowest neighbour, down to the water. */
static void from_a_river_one_walks_downhill_to_water(void **state)
{
    float sea = (float)eco_config_world(config, "overworld")->sea_level;
    size_t walks = 0, arrived = 0, edges = 0;

    (void)state;
    for (int64_t seed = 0; seed < SEEDS; seed++) {
        struct eco_world *world = open_overworld(config, seed);
        struct eco_grid grid = {-6000, 9000, 1, SIDE, SIDE};
        struct eco_planes planes;

        eco_sampler_reset(scratch);
        planes =
            sample(world, &grid, ECO_FIELD_HEIGHT | ECO_FIELD_RIVER | ECO_FIELD_BIOME, scratch);
        for (size_t k = 0; k < (size_t)SIDE * SIDE; k++) {
            bool edge, wet;

            if (!(planes.river[k] > 0.0f) || planes.height[k] < sea ||
                !is_bank(world, planes.biome, k))
                continue;
            wet = walk_to_water(planes.height, sea, k, &edge);
            edges += edge;
            walks += !edge;
            arrived += wet;
        }
        eco_world_close(world);
    }
    print_message("%zu walks from river banks, %zu arrive at water (%.3f %%), %zu leave the map\n",
                  walks, arrived, 100.0 * (double)arrived / (double)walks, edges);
    assert_true(walks > 10000);
    assert_true((double)arrived > 0.99 * (double)walks);
}

/* How steep the ground is where a river is carved, against the ground around it. */
static void valleys_have_no_walls(void **state)
{
    double steepest = 0.0, over[3] = {0}, all = 0.0;

    (void)state;
    for (int64_t seed = 0; seed < SEEDS; seed++) {
        struct eco_world *world = open_overworld(config, seed);
        struct eco_grid grid = {-6000, 9000, 1, SIDE, SIDE};
        struct eco_planes planes;

        eco_sampler_reset(scratch);
        planes = sample(world, &grid, ECO_FIELD_HEIGHT | ECO_FIELD_RIVER, scratch);
        for (size_t k = 0; k + SIDE < (size_t)SIDE * SIDE; k++) {
            double rise;

            if (!(planes.river[k] > 0.0f) || k % SIDE == SIDE - 1)
                continue;
            rise = fmax(fabs((double)(planes.height[k + 1] - planes.height[k])),
                        fabs((double)(planes.height[k + SIDE] - planes.height[k])));
            steepest = fmax(steepest, rise);
            all += 1.0;
            over[0] += rise > 1.0;
            over[1] += rise > 2.0;
            over[2] += rise > 4.0;
        }
        eco_world_close(world);
    }
    print_message("rise from block to block in valleys: at most %.2f; over 1 block in %.3f %%, "
                  "over 2 in %.3f %%, over 4 in %.4f %%\n",
                  steepest, 100.0 * over[0] / all, 100.0 * over[1] / all, 100.0 * over[2] / all);
    assert_true(over[1] / all < 0.02);
}

/* Where a border with a river meets borders without one, the river runs out before it: no cell cuts
 * it off. */
static void no_river_is_cut_off(void **state)
{
    size_t cuts[3] = {0}, all = 0;

    (void)state;
    for (int64_t seed = 0; seed < SEEDS; seed++) {
        struct eco_world *world = open_overworld(config, seed);
        struct eco_grid grid = {-6000, 9000, 1, SIDE, SIDE};
        struct eco_planes planes;

        eco_sampler_reset(scratch);
        planes = sample(world, &grid, ECO_FIELD_RIVER, scratch);
        for (size_t k = 0; k + SIDE < (size_t)SIDE * SIDE; k++) {
            float here = planes.river[k];
            double change = fmax(fabs((double)(planes.river[k + 1] - here)),
                                 fabs((double)(planes.river[k + SIDE] - here)));

            if (k % SIDE == SIDE - 1)
                continue;
            all += here > 0.0f;
            cuts[0] += change > 0.5;
            cuts[1] += change > 0.7;
            cuts[2] += change > 0.9;
        }
        eco_world_close(world);
    }
    print_message("%zu samples of rivers; from a block to the next more than half a river comes "
                  "or goes at %zu, 0.7 at %zu, 0.9 at %zu\n",
                  all, cuts[0], cuts[1], cuts[2]);
    assert_true(cuts[2] == 0);
}

/* Spreads over water from `at`, marks it, and tells whether it meets the sea or the map's edge. */
static bool reaches_sea(const struct eco_world *world, const uint8_t *biomes, const float *height,
                        float sea, size_t at, bool *seen, size_t *stack, size_t *blocks)
{
    size_t depth = 0;
    bool found = false;

    *blocks = 0;
    stack[depth++] = at;
    seen[at] = true;
    while (depth > 0) {
        size_t here = stack[--depth], x = here % SIDE, z = here / SIDE;

        if (x == 0 || z == 0 || x == SIDE - 1 || z == SIDE - 1) {
            found = true;
            continue;
        }
        if (!is_river(world, biomes[here])) {
            found = true;
            continue;
        }
        ++*blocks;
        for (int k = 0; k < 9; k++) {
            size_t to = here + (size_t)((ptrdiff_t)(k / 3 - 1) * SIDE + k % 3 - 1);

            if (!seen[to] && height[to] < sea) {
                seen[to] = is_river(world, biomes[to]);
                stack[depth++] = to;
            }
        }
    }
    return found;
}

static void most_river_water_is_joined_to_the_sea(void **state)
{
    float sea = (float)eco_config_world(config, "overworld")->sea_level;
    size_t *stack = calloc((size_t)SIDE * SIDE * 9, sizeof(*stack)), joined = 0, lakes = 0;
    bool *seen = calloc((size_t)SIDE * SIDE, sizeof(*seen));

    (void)state;
    assert_non_null(stack);
    assert_non_null(seen);
    for (int64_t seed = 0; seed < 2 * SEEDS; seed++) {
        struct eco_world *world = open_overworld(config, seed);
        struct eco_grid grid = {-16000, 9000, 4, SIDE, SIDE};
        struct eco_planes planes;

        eco_sampler_reset(scratch);
        planes = sample(world, &grid, ECO_FIELD_HEIGHT | ECO_FIELD_BIOME, scratch);
        memset(seen, 0, (size_t)SIDE * SIDE);
        for (size_t k = 0; k < (size_t)SIDE * SIDE; k++) {
            size_t blocks;

            if (seen[k] || !is_river(world, planes.biome[k]))
                continue;
            if (reaches_sea(world, planes.biome, planes.height, sea, k, seen, stack, &blocks))
                joined += blocks;
            else
                lakes += blocks;
        }
        eco_world_close(world);
    }
    print_message("%.1f %% of the river water is joined to the sea or leaves the map, the rest "
                  "are lakes\n",
                  100.0 * (double)joined / (double)(joined + lakes));
    assert_true(joined > 5 * lakes);
    free(stack);
    free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_river_is_above_its_height_limit),
        cmocka_unit_test(rivers_are_as_wide_at_zooms_16_to_18),
        cmocka_unit_test(from_a_river_one_walks_downhill_to_water),
        cmocka_unit_test(no_river_is_cut_off),
        cmocka_unit_test(most_river_water_is_joined_to_the_sea),
        cmocka_unit_test(valleys_have_no_walls),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
