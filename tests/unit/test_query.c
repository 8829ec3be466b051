/*
 * Questions about ground: the nearest of a biome is what a search of all samples finds, areas add
 * up, work is bounded and can be stopped; and the border of a world over time.
 * `test_query 50` compares 50 seeds instead of 3.
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

#define WITHIN 4096
#define BIOMES 20

static int64_t seeds = 3;
static struct eco_config *config;
static struct eco_sampler *sampler;

static int load_config(void **state)
{
    (void)state;
    if (eco_config_load("config/ecotone.yaml", &config, NULL))
        return -1;
    return eco_sampler_new(&sampler);
}

static int free_config(void **state)
{
    (void)state;
    eco_sampler_free(sampler);
    eco_config_free(config);
    return 0;
}

static struct eco_world *open_seed(int64_t seed)
{
    const struct eco_world_options options = {.seed = &seed};
    struct eco_world *world;

    assert_int_equal(eco_world_open(config, "overworld", &options, &world, NULL), 0);
    return world;
}

struct nearest {
    bool found;
    int64_t x, z, far2;
};

/* Every sample within WITHIN of (x, z), row by row from the north-west. */
static void search_all(const struct eco_world *world, int64_t x, int64_t z,
                       struct nearest nearest[ECO_BIOMES_MAX])
{
    int64_t first_x = (x - WITHIN) / 512 * 512 - 512 + 2,
            first_z = (z - WITHIN) / 512 * 512 - 512 + 2;
    int64_t step = ECO_LOCATE_STEP;

    memset(nearest, 0, ECO_BIOMES_MAX * sizeof(*nearest));
    for (int64_t top = first_z; top <= z + WITHIN; top += 64 * step) {
        struct eco_grid grid = {first_x, top, step, (2 * WITHIN + 2048) / 4, 64};
        struct eco_planes planes;

        eco_sampler_reset(sampler);
        assert_int_equal(eco_world_sample(world, &grid, ECO_FIELD_BIOME, sampler, &planes, NULL),
                         0);
        for (size_t k = 0; k < (size_t)grid.width * grid.height; k++) {
            int64_t at_x = grid.x0 + (int64_t)(k % grid.width) * step;
            int64_t at_z = grid.z0 + (int64_t)(k / grid.width) * step;
            int64_t far2 = (at_x - x) * (at_x - x) + (at_z - z) * (at_z - z);
            struct nearest *best = &nearest[planes.biome[k]];

            if (far2 > (int64_t)WITHIN * WITHIN || (best->found && far2 >= best->far2))
                continue;
            *best = (struct nearest){true, at_x, at_z, far2};
        }
    }
}

static void the_nearest_is_what_a_search_of_all_finds(void **state)
{
    unsigned compared = 0, found = 0;
    uint64_t most = 0;

    (void)state;
    for (int64_t seed = 0; seed < seeds; seed++) {
        struct eco_world *world = open_seed(seed);
        struct nearest nearest[ECO_BIOMES_MAX];
        int64_t x = (int64_t)(eco_mix64((uint64_t)seed) % 2000001) - 1000000;
        int64_t z = (int64_t)(eco_mix64((uint64_t)seed + 99) % 2000001) - 1000000;

        search_all(world, x, z, nearest);
        for (unsigned k = 0; k < BIOMES; k++) {
            unsigned biome = (k * 3 + (unsigned)seed) % eco_world_biome_count(world);
            struct eco_locate locate = {biome, x, z, WITHIN};
            struct eco_locate_answer answer;

            assert_int_equal(eco_query_locate(world, &locate, sampler, NULL, &answer, NULL), 0);
            assert_int_equal(answer.found, nearest[biome].found);
            if (answer.found) {
                assert_int_equal(answer.x, nearest[biome].x);
                assert_int_equal(answer.z, nearest[biome].z);
                assert_true(fabs(answer.distance - sqrt((double)nearest[biome].far2)) < 1e-6);
            }
            most = answer.samples > most ? answer.samples : most;
            found += answer.found;
            compared++;
        }
        eco_world_close(world);
    }
    print_message("%u answers equal those of a search of all samples, %u of them found; at most "
                  "%llu samples a question\n",
                  compared, found, (unsigned long long)most);
    assert_true(found * 3 > compared);
    /* The circle's box, a square more on each side. */
    assert_true(most <= (uint64_t)((2 * WITHIN / 512 + 2) * (2 * WITHIN / 512 + 2)) * 128 * 128);
}

static bool after_five(void *context)
{
    return ++*(int *)context > 5;
}

static void work_is_bounded_and_can_be_stopped(void **state)
{
    struct eco_world *world = open_seed(1);
    struct eco_locate locate = {(unsigned)eco_query_biome(eco_world_config_of(world), 14), 0, 0,
                                ECO_LOCATE_WITHIN_MAX + 1};
    struct eco_locate_answer answer;
    struct eco_area area = {-ECO_WORLD_HALF, -ECO_WORLD_HALF, ECO_WORLD_HALF, ECO_WORLD_HALF};
    struct eco_area_answer ground;
    struct eco_error error;
    int asked = 0;
    struct eco_query_stop stop = {after_five, &asked};

    (void)state;
    assert_int_equal(eco_query_locate(world, &locate, sampler, NULL, &answer, &error), ECO_EINVAL);
    assert_string_equal(error.text, "within is out of range; blocks, 0 to 8192");
    locate.within = 4096;
    locate.x = ECO_WORLD_HALF;
    assert_int_equal(eco_query_locate(world, &locate, sampler, NULL, &answer, &error), ECO_EINVAL);
    locate.x = ECO_WORLD_HALF - 1;
    assert_int_equal(eco_query_locate(world, &locate, sampler, &stop, &answer, &error),
                     ECO_ECANCELED);
    assert_int_equal(asked, 6);
    assert_true(answer.samples <= 5 * 128 * 128);
    assert_int_equal(eco_query_biome(eco_world_config_of(world), 8), -1);

    assert_int_equal(eco_query_area(world, &area, sampler, NULL, &ground, NULL), 0);
    assert_true(ground.columns * ground.rows <= ECO_AREA_SAMPLES_MAX);
    asked = 4;
    assert_int_equal(eco_query_area(world, &area, sampler, &stop, &ground, &error), ECO_ECANCELED);
    area.x1 = area.x0;
    assert_int_equal(eco_query_area(world, &area, sampler, NULL, &ground, &error), ECO_EINVAL);
    area.x1 = ECO_WORLD_HALF + 1;
    assert_int_equal(eco_query_area(world, &area, sampler, NULL, &ground, &error), ECO_EINVAL);
    eco_world_close(world);
}

static void an_area_adds_up(void **state)
{
    struct eco_world *world = open_seed(5);
    struct eco_area area = {-3001, 200, 1999, 1200};
    struct eco_area_answer answer;
    struct eco_planes planes;
    struct eco_grid grid;
    uint64_t all = 0, land = 0, counts[ECO_BIOMES_MAX] = {0};

    (void)state;
    assert_int_equal(eco_query_area(world, &area, sampler, NULL, &answer, NULL), 0);
    /* 5000 x 1000 blocks: steps of 4 would be too many samples. */
    assert_int_equal(answer.step, 8);
    assert_int_equal(answer.columns, 625);
    assert_int_equal(answer.rows, 125);
    grid = (struct eco_grid){area.x0 + 4, area.z0 + 4, 8, 625, 125};
    eco_sampler_reset(sampler);
    assert_int_equal(
        eco_world_sample(world, &grid, ECO_FIELD_BIOME | ECO_FIELD_HEIGHT, sampler, &planes, NULL),
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
        cmocka_unit_test(work_is_bounded_and_can_be_stopped),
        cmocka_unit_test(an_area_adds_up),
        cmocka_unit_test(a_border_moves_to_its_target_and_stands),
    };

    if (argc > 1)
        seeds = strtoll(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, load_config, free_config);
}
