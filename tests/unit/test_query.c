/*
 * Questions about ground: the nearest of a biome is what a search of all blocks finds, areas add
 * up, work is bounded and can be stopped; and the border of a world over time.
 * `test_query 50 4096` compares 50 seeds within 4096 blocks instead of 3 seeds within 500.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "world/border.h"
#include "world/query.h"
#include "world_fixture.h"

#define BIOMES 20

static int64_t seeds = 3, within = 500;

struct nearest {
    bool found;
    int64_t x, z, far2;
};

/* Every block at most `within` from (x, z), row by row from the north-west. */
static void search_all(const struct eco_world *world, int64_t x, int64_t z,
                       struct nearest nearest[ECO_BIOMES_MAX])
{
    memset(nearest, 0, ECO_BIOMES_MAX * sizeof(*nearest));
    for (int64_t top = z - within; top <= z + within; top += 256) {
        struct eco_grid grid = {x - within, top, 1, (uint32_t)(2 * within + 1), 256};
        struct eco_planes planes;

        eco_sampler_reset(scratch);
        assert_int_equal(eco_world_sample(world, &grid, ECO_FIELD_BIOME, scratch, &planes, NULL),
                         0);
        for (size_t k = 0; k < (size_t)grid.width * grid.height; k++) {
            int64_t at_x = grid.x0 + (int64_t)(k % grid.width);
            int64_t at_z = grid.z0 + (int64_t)(k / grid.width);
            int64_t far2 = (at_x - x) * (at_x - x) + (at_z - z) * (at_z - z);
            struct nearest *best = &nearest[planes.biome[k]];

            if (far2 > within * within || (best->found && far2 >= best->far2))
                continue;
            *best = (struct nearest){true, at_x, at_z, far2};
        }
    }
}

struct comparison {
    unsigned compared, found;
    uint64_t samples, most;
};

/* Compares `count` biomes of a world, the first and every `every`-th from there. */
static void compare(const struct eco_world *world, int64_t x, int64_t z, unsigned count,
                    unsigned first, unsigned every, struct comparison *sum)
{
    struct nearest nearest[ECO_BIOMES_MAX];

    search_all(world, x, z, nearest);
    for (unsigned k = 0; k < count; k++) {
        unsigned biome = (k * every + first) % eco_world_biome_count(world);
        struct eco_locate locate = {biome, x, z, within};
        struct eco_locate_answer answer;

        assert_int_equal(eco_query_locate(world, &locate, scratch, NULL, &answer, NULL), 0);
        assert_int_equal(answer.found, nearest[biome].found);
        if (answer.found) {
            assert_int_equal(answer.x, nearest[biome].x);
            assert_int_equal(answer.z, nearest[biome].z);
            assert_true(fabs(answer.distance - sqrt((double)nearest[biome].far2)) < 1e-6);
        }
        sum->most = answer.samples > sum->most ? answer.samples : sum->most;
        sum->samples += answer.samples;
        sum->found += answer.found;
        sum->compared++;
    }
}

static void the_nearest_is_what_a_search_of_all_finds(void **state)
{
    struct comparison sum = {0};
    int64_t around = within / 128 + 2;

    (void)state;
    for (int64_t seed = 0; seed < seeds; seed++) {
        struct eco_world *world = open_overworld(config, seed);
        int64_t x = (int64_t)(eco_mix64((uint64_t)seed) % 2000001) - 1000000;
        int64_t z = (int64_t)(eco_mix64((uint64_t)seed + 99) % 2000001) - 1000000;

        compare(world, x, z, BIOMES, (unsigned)seed, 3, &sum);
        eco_world_close(world);
    }
    print_message("%u answers equal those of a search of all blocks, %u of them found; %llu "
                  "samples, at most %llu a question\n",
                  sum.compared, sum.found, (unsigned long long)sum.samples,
                  (unsigned long long)sum.most);
    assert_true(sum.found > 4);
    assert_true(sum.most <= (uint64_t)(4 * around * around) * 128 * 128);
}

/* Places where an island, a coast, a river, a hard border are near; other ways of blending; a world
 * without a survey. */
static void every_way_of_looking_finds_the_same(void **state)
{
    const struct {
        const char *world;
        enum eco_blend_method blend;
        int64_t seed, x, z;
    } cases[] = {
        {"overworld", ECO_BLEND_NONE, 4, -150000, 77000},
        {"overworld", ECO_BLEND_GRID_LERP, 5, 33500000, -33500000},
        {"overworld", ECO_BLEND_SCATTERED, 1, 127, -129},
        {"demo", ECO_BLEND_SCATTERED, 7, -3, 9},
        {"relief", ECO_BLEND_SCATTERED, 7, 1000, -3000},
    };
    struct comparison sum = {0};
    int64_t before = within;

    (void)state;
    within = within < 250 ? within : 250;
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        const struct eco_world_options options = {.seed = &cases[k].seed, .blend = &cases[k].blend};
        struct eco_world *world;
        unsigned count;

        assert_int_equal(eco_world_open(config, cases[k].world, &options, &world, NULL), 0);
        count = eco_world_biome_count(world) < 10 ? 4 : eco_world_biome_count(world);
        compare(world, cases[k].x, cases[k].z, count, 0, 1, &sum);
        eco_world_close(world);
    }
    within = before;
    assert_true(sum.found >= 12);
}

/* Small cells whose borders wander farther than a plot is wide, and land between seas. */
static const char wild[] = "worlds: [{name: overworld, generator: overworld, overworld: {scale: 4, "
                           "cells: {roughness: 64, wavelength: 64}, climate: {wavelength: 128}, "
                           "land: {continent_weight: 0}}, blend: {spacing: 8, padding: 4}}]";

/* On every plot of a few regions, as configured and wild, blended and with hard borders. */
static void a_survey_leaves_out_no_plot_that_has_the_biome(void **state)
{
    const int side = ECO_SURVEY_SIDE * ECO_SURVEY_PLOT;
    unsigned plots = 0, left_out = 0, most = 0;
    struct eco_config *other;

    (void)state;
    assert_int_equal(eco_config_parse(wild, strlen(wild), "wild", &other, NULL), 0);
    for (int64_t run = 0; run < 6; run++) {
        const enum eco_blend_method blend = run & 1 ? ECO_BLEND_NONE : ECO_BLEND_SCATTERED;
        const struct eco_world_options options = {.seed = &run, .blend = &blend};
        struct eco_grid grid = {run * 4096 - 20480, 1024 - run * 8192, 1, side, side};
        static bool has[64][ECO_BIOMES_MAX];
        struct eco_planes planes;
        struct eco_world *world;

        assert_int_equal(
            eco_world_open(run < 2 ? config : other, "overworld", &options, &world, NULL), 0);
        eco_sampler_reset(scratch);
        assert_int_equal(eco_world_sample(world, &grid, ECO_FIELD_BIOME, scratch, &planes, NULL),
                         0);
        memset(has, 0, sizeof(has));
        for (int k = 0; k < side * side; k++)
            has[k / side / ECO_SURVEY_PLOT * 8 + k % side / ECO_SURVEY_PLOT][planes.biome[k]] =
                true;
        for (unsigned biome = 0; biome < eco_world_biome_count(world); biome++) {
            uint64_t where;

            eco_sampler_reset(scratch);
            assert_int_equal(eco_world_survey(world, grid.x0, grid.z0, biome, scratch, &where), 0);
            for (unsigned k = 0; k < 64; k++) {
                assert_true(!has[k][biome] || (where >> k & 1));
                plots += has[k][biome];
                left_out += !has[k][biome] && !(where >> k & 1);
                most += !has[k][biome];
            }
        }
        eco_world_close(world);
    }
    print_message("%u plots with a biome; of %u without it, %u need no look\n", plots, most,
                  left_out);
    assert_true(left_out > most / 2);
    eco_config_free(other);
}

static bool after_five(void *context)
{
    return ++*(int *)context > 5;
}

static void work_is_bounded_and_can_be_stopped(void **state)
{
    struct eco_world *world = open_overworld(config, 1);
    struct eco_locate locate = {(unsigned)eco_query_biome(eco_world_config_of(world), 14), 0, 0,
                                ECO_LOCATE_WITHIN_MAX + 1};
    struct eco_locate_answer answer;
    struct eco_area area = {-ECO_WORLD_HALF, -ECO_WORLD_HALF, ECO_WORLD_HALF, ECO_WORLD_HALF};
    struct eco_area_answer ground;
    struct eco_error error;
    int asked = 0;
    struct eco_query_stop stop = {after_five, &asked};

    (void)state;
    assert_int_equal(eco_query_locate(world, &locate, scratch, NULL, &answer, &error), ECO_EINVAL);
    assert_string_equal(error.text, "within is out of range; blocks, 0 to 8192");
    locate.within = 4096;
    locate.x = ECO_WORLD_HALF;
    assert_int_equal(eco_query_locate(world, &locate, scratch, NULL, &answer, &error), ECO_EINVAL);
    locate.x = ECO_WORLD_HALF - 1;
    assert_int_equal(eco_query_locate(world, &locate, scratch, &stop, &answer, &error),
                     ECO_ECANCELED);
    assert_int_equal(asked, 6);
    assert_true(answer.samples <= 5 * 128 * 128);
    assert_int_equal(eco_query_biome(eco_world_config_of(world), 8), -1);

    assert_int_equal(eco_query_area(world, &area, scratch, NULL, &ground, NULL), 0);
    assert_true(ground.columns * ground.rows <= ECO_AREA_SAMPLES_MAX);
    asked = 4;
    assert_int_equal(eco_query_area(world, &area, scratch, &stop, &ground, &error), ECO_ECANCELED);
    area.x1 = area.x0;
    assert_int_equal(eco_query_area(world, &area, scratch, NULL, &ground, &error), ECO_EINVAL);
    area.x1 = ECO_WORLD_HALF + 1;
    assert_int_equal(eco_query_area(world, &area, scratch, NULL, &ground, &error), ECO_EINVAL);
    eco_world_close(world);
}

static void an_area_adds_up(void **state)
{
    struct eco_world *world = open_overworld(config, 5);
    struct eco_area area = {-3001, 200, 1999, 1200};
    struct eco_area_answer answer;
    struct eco_planes planes;
    struct eco_grid grid;
    uint64_t all = 0, land = 0, counts[ECO_BIOMES_MAX] = {0};

    (void)state;
    assert_int_equal(eco_query_area(world, &area, scratch, NULL, &answer, NULL), 0);
    /* 5000 x 1000 blocks: steps of 4 would be too many samples. */
    assert_int_equal(answer.step, 8);
    assert_int_equal(answer.columns, 625);
    assert_int_equal(answer.rows, 125);
    grid = (struct eco_grid){area.x0 + 4, area.z0 + 4, 8, 625, 125};
    eco_sampler_reset(scratch);
    assert_int_equal(
        eco_world_sample(world, &grid, ECO_FIELD_BIOME | ECO_FIELD_HEIGHT, scratch, &planes, NULL),
        0);
    for (size_t k = 0; k < 625 * 125; k++) {
        counts[planes.biome[k]]++;
        land += planes.height[k] >= 63.0f;
    }
    for (unsigned b = 0; b < ECO_BIOMES_MAX; b++) {
        assert_true(counts[b] == answer.counts[b]);
        all += answer.counts[b];
    }
    assert_int_equal(all, 625 * 125);
    assert_int_equal(land, answer.land);
    for (unsigned q = 1; q < ECO_AREA_QUANTILES; q++)
        assert_true(answer.heights[q - 1] <= answer.heights[q]);
    eco_world_close(world);
}

static void a_border_moves_to_its_target_and_stands(void **state)
{
    const struct eco_border moving = {0, 0, 1000.0, 400.0, 60.0, 5.0};
    const struct eco_border growing = {0, 0, 400.0, 1000.0, 60.0, 5.0};
    const struct eco_border standing = {0, 0, 60000000.0, 60000000.0, 0.0, 5.0};

    (void)state;
    assert_true(eco_border_diameter(&moving, 0.0) == 1000.0);
    assert_true(eco_border_diameter(&moving, 30.0) == 700.0);
    assert_true(eco_border_diameter(&moving, 60.0) == 400.0);
    assert_true(eco_border_diameter(&moving, 1e9) == 400.0);
    assert_int_equal(eco_border_state(&moving, 10.0), ECO_BORDER_SHRINKS);
    assert_int_equal(eco_border_state(&moving, 60.0), ECO_BORDER_STANDS);
    assert_int_equal(eco_border_state(&growing, 59.9), ECO_BORDER_GROWS);
    assert_true(eco_border_diameter(&standing, 0.0) == 60000000.0);
    assert_int_equal(eco_border_state(&standing, 0.0), ECO_BORDER_STANDS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_is_what_a_search_of_all_finds),
        cmocka_unit_test(every_way_of_looking_finds_the_same),
        cmocka_unit_test(a_survey_leaves_out_no_plot_that_has_the_biome),
        cmocka_unit_test(work_is_bounded_and_can_be_stopped),
        cmocka_unit_test(an_area_adds_up),
        cmocka_unit_test(a_border_moves_to_its_target_and_stands),
    };

    if (argc > 1)
        seeds = strtoll(argv[1], NULL, 10);
    if (argc > 2)
        within = strtoll(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, load_config, free_config);
}
