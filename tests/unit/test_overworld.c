/*
 * The overworld: the same bytes for any window and order; cells, filters, rivers
 * and trees are what they are said to be. Shares and spacings are printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "ecotone/ecotone.h"
#include "world/catalogue.h"
#include "world/config.h"
#include "world/generator.h"
#include "world/overworld/cells.h"
#include "world/overworld/rules.h"
#include "world/overworld/terrain.h"
#include "world/overworld/trees.h"
#include "world_fixture.h"

#define ALL_FIELDS                                                                                 \
    (ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_TEMPERATURE |               \
     ECO_FIELD_PRECIPITATION | ECO_FIELD_RIVER | ECO_FIELD_TREES | ECO_FIELD_CELL)

/* --- the same bytes ------------------------------------------------------------------------- */

static void assert_rows_equal(const struct eco_planes *whole, size_t from,
                              const struct eco_planes *part, size_t to, size_t count)
{
    assert_memory_equal(whole->biome + from, part->biome + to, count);
    assert_memory_equal(whole->height + from, part->height + to, count * sizeof(float));
    assert_memory_equal(whole->colour + from, part->colour + to, count * sizeof(uint32_t));
    assert_memory_equal(whole->temperature + from, part->temperature + to, count * sizeof(float));
    assert_memory_equal(whole->precipitation + from, part->precipitation + to,
                        count * sizeof(float));
    assert_memory_equal(whole->river + from, part->river + to, count * sizeof(float));
    assert_memory_equal(whole->trees + from, part->trees + to, count * sizeof(float));
    assert_memory_equal(whole->cell + from, part->cell + to, count * sizeof(uint64_t));
}

/* Parts in reverse order, with odd edges, in a scratch of their own. */
static void any_window_gives_the_same_bytes(void **state)
{
    const uint32_t cuts[] = {0, 1, 60, 131, 200, 256};
    const int64_t places[][2] = {{-131, -97}, {1000003, -777777}, {-33554432, 33554432 - 20000}};
    struct eco_sampler *own;

    (void)state;
    assert_int_equal(eco_sampler_new(&own), 0);
    for (unsigned run = 0; run < 18; run++) {
        const int64_t steps[] = {1, 2, 4, 64, 128, 1024};
        int64_t step = steps[run % 6];
        struct eco_world *world = open_overworld(config, -5 - (int64_t)run);
        struct eco_grid grid = {places[run / 6][0], places[run / 6][1], step, 256, 256};
        struct eco_planes whole;

        if (step == 1024 && run >= 12)
            grid.z0 -= 256 * step;
        eco_sampler_reset(scratch);
        whole = sample(world, &grid, ALL_FIELDS, scratch);
        for (unsigned k = 25; k-- > 0;) {
            uint32_t x0 = cuts[k % 5], x1 = cuts[k % 5 + 1], z0 = cuts[k / 5], z1 = cuts[k / 5 + 1];
            struct eco_grid part_grid = {grid.x0 + x0 * step, grid.z0 + z0 * step, step, x1 - x0,
                                         z1 - z0};
            struct eco_planes part;

            eco_sampler_reset(own);
            part = sample(world, &part_grid, ALL_FIELDS, own);
            for (uint32_t z = z0; z < z1; z++)
                assert_rows_equal(&whole, z * 256 + x0, &part, (size_t)(z - z0) * (x1 - x0),
                                  x1 - x0);
        }
        eco_world_close(world);
    }
    eco_sampler_free(own);
}

/* As far as a configuration may go: cells of four blocks with ragged borders and rivers wider than
 * them, and cells that no sample is too coarse for. */
static void the_smallest_and_the_largest_cells_have_no_seams(void **state)
{
    static const char *const worlds[] = {
        "{scale: 0.5, cells: {pitch: 8, relax: 8, roughness: 14, wavelength: 4}, "
        "rivers: {wide: 512, narrow: 512, wide_limit: 4096}}",
        "{scale: 0.5, cells: {pitch: 8, relax: 0, roughness: 0}, rivers: {wide: 0, narrow: 0}}",
        "{scale: 64, cells: {pitch: 512, relax: 8, roughness: 64}, rivers: {wide: 512}}",
    };
    const unsigned side = 72, cut = 41;

    (void)state;
    for (unsigned run = 0; run < 12; run++) {
        int64_t step = 1 << run / 3 * 2;
        struct eco_grid grid = {run & 1 ? 29999950 : -30000020, -33554432, step, side, side};
        struct eco_config *extreme;
        struct eco_planes whole;
        struct eco_world *world;
        char text[400];

        snprintf(text, sizeof(text),
                 "worlds: [{name: overworld, generator: overworld, overworld: %s}]",
                 worlds[run % 3]);
        assert_int_equal(eco_config_parse(text, strlen(text), "extreme", &extreme, NULL), 0);
        world = open_overworld(extreme, run & 1 ? INT64_MIN : INT64_MAX);
        eco_sampler_reset(scratch);
        whole = sample(world, &grid, ALL_FIELDS, scratch);
        for (unsigned k = 0; k < 4; k++) {
            uint32_t x = k & 1 ? cut : 0, z = k & 2 ? cut : 0;
            struct eco_grid part_grid = {grid.x0 + x * step, grid.z0 + z * step, step,
                                         k & 1 ? side - cut : cut, k & 2 ? side - cut : cut};
            struct eco_planes part = sample(world, &part_grid, ALL_FIELDS, scratch);

            for (uint32_t row = 0; row < part_grid.height; row++)
                assert_rows_equal(&whole, (size_t)(z + row) * side + x, &part,
                                  (size_t)row * part_grid.width, part_grid.width);
        }
        for (unsigned k = 0; k < side * side; k++)
            assert_true(isfinite(whole.height[k]) && isfinite(whole.river[k]));
        eco_world_close(world);
        eco_config_free(extreme);
    }
}

/* --- cells ---------------------------------------------------------------------------------- */

static void relaxed_sites_do_not_depend_on_the_window(void **state)
{
    (void)state;
    for (unsigned rounds = 0; rounds <= 4; rounds++) {
        struct eco_cell_lattice lattice = {(int64_t)eco_mix64(rounds + 1), 45.0, rounds};
        struct eco_cell_window whole = {&lattice, -20, -17, 41, 37, NULL, NULL};

        eco_sampler_reset(scratch);
        assert_int_equal(eco_cells_relax(&whole, &scratch->arena), 0);
        for (uint32_t k = 0; k < 60; k++) {
            uint32_t i = (k * 7) % 38, j = (k * 11) % 34;
            struct eco_cell_window part = {&lattice,      whole.i + i, whole.j + j, 1 + k % 3,
                                           1 + k / 3 % 3, NULL,        NULL};

            assert_int_equal(eco_cells_relax(&part, &scratch->arena), 0);
            for (uint32_t n = 0; n < part.columns * part.rows; n++) {
                size_t at = (j + n / part.columns) * whole.columns + i + n % part.columns;

                assert_memory_equal(&part.x[n], &whole.x[at], sizeof(double));
                assert_memory_equal(&part.z[n], &whole.z[at], sizeof(double));
            }
        }
    }
}

/* Lloyd's rounds do what they are for: the nearest neighbour moves away, and its distance varies
 * less. */
static void rounds_make_cells_more_alike(void **state)
{
    double before = 1e9;

    (void)state;
    for (unsigned rounds = 0; rounds <= 4; rounds++) {
        struct eco_cell_lattice lattice = {12345, 1.0, rounds};
        struct eco_cell_window window = {&lattice, 0, 0, 60, 60, NULL, NULL};
        double sum = 0.0, sum2 = 0.0, mean, spread;
        unsigned count = 0;

        eco_sampler_reset(scratch);
        assert_int_equal(eco_cells_relax(&window, &scratch->arena), 0);
        for (size_t a = 60 * 5; a < 60 * 55; a++) {
            double best2 = 1e9;

            if (a % 60 < 5 || a % 60 > 54)
                continue;
            for (size_t b = 0; b < 3600; b++) {
                double dx = window.x[a] - window.x[b], dz = window.z[a] - window.z[b];

                if (a != b && dx * dx + dz * dz < best2)
                    best2 = dx * dx + dz * dz;
            }
            sum += sqrt(best2);
            sum2 += best2;
            count++;
        }
        mean = sum / count;
        spread = sqrt(sum2 / count - mean * mean) / mean;
        print_message("%u rounds: nearest neighbour %.3f pitches, spread %.3f\n", rounds, mean,
                      spread);
        assert_true(spread < before);
        before = spread;
    }
}

static void the_nearest_site_is_the_nearest_of_all(void **state)
{
    struct eco_cell_lattice lattice = {99, 45.0, 2};
    struct eco_cell_window window = {&lattice, -40, -40, 80, 80, NULL, NULL};

    (void)state;
    for (unsigned rounds = 0; rounds <= 2; rounds += 2) {
        lattice.rounds = rounds;
        eco_sampler_reset(scratch);
        assert_int_equal(eco_cells_relax(&window, &scratch->arena), 0);
        for (uint64_t k = 0; k < 20000; k++) {
            uint64_t hash = eco_mix64(k);
            double x = ((double)(uint32_t)hash / 4294967296.0 - 0.5) * 2400.0;
            double z = ((double)(hash >> 32) / 4294967296.0 - 0.5) * 2400.0;
            double best2 = 1e9;
            size_t best = 0;

            for (size_t n = 0; n < 6400; n++) {
                double dx = window.x[n] - x, dz = window.z[n] - z;

                if (dx * dx + dz * dz < best2) {
                    best2 = dx * dx + dz * dz;
                    best = n;
                }
            }
            assert_int_equal(eco_cells_nearest(&window, x, z), best);
        }
    }
}

/* Each bit of the seed changes the numbers of cells; far cells have numbers of their own. */
static void all_bits_of_a_cell_matter(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        struct eco_cell_lattice one = {0, 45.0, 2}, other = {(int64_t)(1ull << bit), 45.0, 2};

        assert_true(eco_cell_id(&one, 5, -7) != eco_cell_id(&other, 5, -7));
        if (bit < 40) {
            assert_true(eco_cell_id(&one, 5, -7) != eco_cell_id(&one, 5 ^ ((int64_t)1 << bit), -7));
            assert_true(eco_cell_id(&one, 5, -7) != eco_cell_id(&one, 5, -7 ^ ((int64_t)1 << bit)));
        }
    }
}

/* --- filters -------------------------------------------------------------------------------- */

static void filters_have_the_check_values(void **state)
{
    static const float at[6] = {0.1f, 0.25f, 0.5f, 0.75f, 0.9f, 1.0f};
    static const float expected[ECO_LAND_COUNT][6] = {
        [ECO_LAND_DESERT] = {.026f, .064f, .123f, .173f, .194f, .2f},
        [ECO_LAND_SAVANNA] = {.019f, .043f, .073f, .093f, .099f, .1f},
        [ECO_LAND_TROPICAL_WOODLAND] = {.079f, .145f, .178f, .155f, .123f, .1f},
        [ECO_LAND_TUNDRA] = {.207f, .55f, .955f, .998f, 1.0f, 1.0f},
        [ECO_LAND_SEASONAL_FOREST] = {.067f, .172f, .35f, .368f, .343f, .33f},
        [ECO_LAND_TEMPERATE_FOREST] = {.067f, .172f, .35f, .368f, .343f, .33f},
        [ECO_LAND_TEMPERATE_RAINFOREST] = {.067f, .172f, .35f, .368f, .343f, .33f},
        [ECO_LAND_RAINFOREST] = {.059f, .186f, .504f, .856f, .977f, 1.0f},
        [ECO_LAND_BOREAL_FOREST] = {.012f, .029f, .052f, .062f, .057f, .05f},
    };
    double worst = 0.0;

    (void)state;
    for (unsigned land = 0; land < ECO_LAND_COUNT; land++) {
        struct eco_filter filter;

        eco_filter_init(&filter, &eco_filter_curves[land]);
        for (unsigned k = 0; k < 6; k++) {
            double error = fabs((double)(eco_filter_at(&filter, at[k]) - expected[land][k]));

            worst = error > worst ? error : worst;
            if (error > 0.005)
                fail_msg("%s at %.2f: %.4f, not %.4f", eco_land_names[land], (double)at[k],
                         (double)eco_filter_at(&filter, at[k]), (double)expected[land][k]);
        }
    }
    print_message("54 check values, the worst differs by %.4f\n", worst);
}

/* --- the catalogue -------------------------------------------------------------------------- */

static void the_catalogue_is_whole(void **state)
{
    unsigned before = 0;

    (void)state;
    assert_int_equal(eco_catalogue_count, 61);
    for (unsigned k = 0; k < eco_catalogue_count; k++) {
        const struct eco_catalogue_entry *entry = &eco_catalogue[k];

        assert_true(k == 0 || entry->id > before);
        before = entry->id;
        assert_true(entry->name[0] != '\0');
        /* Cyrillic letters begin with these bytes in UTF-8. */
        assert_true(strlen(entry->name_de) > 0);
        assert_true((unsigned char)entry->name_ru[0] == 0xD0 ||
                    (unsigned char)entry->name_ru[0] == 0xD1);
        assert_true(entry->colour > 0 && entry->colour <= 0xFFFFFF);
        assert_non_null(eco_climate_name(entry->climate));
        assert_ptr_equal(eco_catalogue_find(entry->id), entry);
        assert_non_null(eco_catalogue_find(entry->base));
    }
    assert_null(eco_catalogue_find(40));
    assert_null(eco_catalogue_find(168));
}

static void forty_biomes_are_somewhere_in_twenty_seeds(void **state)
{
    bool seen[256] = {false};
    unsigned count = 0;

    (void)state;
    for (int64_t seed = 0; seed < 20; seed++) {
        struct eco_world *world = open_overworld(config, seed);

        for (int part = 0; part < 4; part++) {
            struct eco_grid grid = {(int64_t)part % 2 * 16384 - 16384,
                                    (int64_t)part / 2 * 16384 - 16384, 32, 512, 512};
            struct eco_planes planes;

            eco_sampler_reset(scratch);
            planes = sample(world, &grid, ECO_FIELD_BIOME, scratch);
            for (size_t k = 0; k < 512 * 512; k++)
                seen[eco_world_biome(world, planes.biome[k]).id & 255] = true;
        }
        eco_world_close(world);
    }
    for (unsigned k = 0; k < eco_catalogue_count; k++) {
        count += seen[eco_catalogue[k].id];
        if (!seen[eco_catalogue[k].id])
            print_message("not placed: %u %s\n", eco_catalogue[k].id, eco_catalogue[k].name);
    }
    print_message("%u of %u biomes placed\n", count, eco_catalogue_count);
    assert_true(count >= 40);
}

/* --- trees ---------------------------------------------------------------------------------- */

/* The root of the ground of a land below the limit, over its trees, at full detail. */
static void trees_stand_as_far_apart_as_they_should(void **state)
{
    double ground[ECO_LAND_COUNT] = {0}, trees[ECO_LAND_COUNT] = {0};
    const struct eco_world_config *own = eco_config_world(config, "overworld");
    double low = own->sea_level + 0.5, high = own->sea_level + own->overworld.tree_limit;

    (void)state;
    for (int64_t run = 0; run < 24; run++) {
        struct eco_world *world = open_overworld(config, run);
        struct eco_grid grid = {run % 2 * 20000, run / 2 % 2 * 20000, 4, 1024, 1024};
        struct eco_planes planes;

        eco_sampler_reset(scratch);
        planes =
            sample(world, &grid, ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_TREES, scratch);
        for (size_t k = 0; k < 1024 * 1024; k++) {
            unsigned id = eco_world_biome(world, planes.biome[k]).id, n = 0;

            while (n < eco_land_info_count && eco_land_infos[n].id != id)
                n++;
            if (n == eco_land_info_count || !((double)planes.height[k] > low) ||
                !((double)planes.height[k] < high)) {
                assert_true(planes.trees[k] == 0.0f);
                continue;
            }
            ground[eco_land_infos[n].land] += 16.0;
            trees[eco_land_infos[n].land] += (double)planes.trees[k];
        }
        eco_world_close(world);
    }
    for (unsigned land = 0; land < ECO_LAND_COUNT; land++) {
        double spacing = sqrt(ground[land] / trees[land]);

        print_message("%-22s %9.0f trees, spacing %.2f blocks, should be %.1f\n",
                      eco_land_names[land], trees[land], spacing, eco_tree_spacings[land]);
        assert_true(fabs(spacing / eco_tree_spacings[land] - 1.0) < 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_window_gives_the_same_bytes),
        cmocka_unit_test(the_smallest_and_the_largest_cells_have_no_seams),
        cmocka_unit_test(relaxed_sites_do_not_depend_on_the_window),
        cmocka_unit_test(rounds_make_cells_more_alike),
        cmocka_unit_test(the_nearest_site_is_the_nearest_of_all),
        cmocka_unit_test(all_bits_of_a_cell_matter),
        cmocka_unit_test(filters_have_the_check_values),
        cmocka_unit_test(the_catalogue_is_whole),
        cmocka_unit_test(forty_biomes_are_somewhere_in_twenty_seeds),
        cmocka_unit_test(trees_stand_as_far_apart_as_they_should),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
