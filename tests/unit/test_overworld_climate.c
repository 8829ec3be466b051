/*
 * The climate of the overworld: the constant table is what the noise's distribution is, values are
 * flat after full equalisation, and the nine lands have about the shares of the article.
 * `test_overworld_climate print` prints the table as src/world/overworld/climate_table.c has it.
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
#include "ecotone/noise.h"
#include "world/overworld/climate.h"
#include "world/overworld/diagram.h"
#include "world/overworld/rules.h"

#define SEEDS 64
#define SIDE 256
#define INTERVALS (ECO_CLIMATE_TABLE_SIZE - 1)

/* Shares of the noise's values, from SEEDS * SIDE^2 of them. */
static void measure(uint64_t stream, double shares[ECO_CLIMATE_TABLE_SIZE])
{
    double values = (double)SEEDS * SIDE * SIDE;

    memset(shares, 0, ECO_CLIMATE_TABLE_SIZE * sizeof(*shares));
    for (int64_t seed = 0; seed < SEEDS; seed++) {
        int64_t own = eco_seed_derive(seed, stream);

        for (int i = 0; i < SIDE; i++) {
            for (int j = 0; j < SIDE; j++) {
                double value = (double)eco_os2s_noise2(own, i * 0.61803 + 0.11, j * 0.61803 + 0.37);
                double interval = floor((value + 1.0) * (INTERVALS / 2));

                interval = fmin(fmax(interval, 0.0), INTERVALS - 1.0);
                shares[(int)interval + 1] += 1.0;
            }
        }
    }
    for (int k = 1; k < ECO_CLIMATE_TABLE_SIZE; k++)
        shares[k] += shares[k - 1];
    for (int k = 0; k < ECO_CLIMATE_TABLE_SIZE; k++)
        shares[k] /= values;
}

static void print_table(void)
{
    double shares[ECO_CLIMATE_TABLE_SIZE];

    measure(777, shares);
    for (int k = 0; k < ECO_CLIMATE_TABLE_SIZE; k++)
        printf("%s%.6ff,%s", k % 8 ? " " : "    ", shares[k], k % 8 == 7 ? "\n" : "");
    printf("\n");
}

/* Other seeds than those of the table: what it says must hold for every world. */
static void the_table_is_the_distribution_of_the_noise(void **state)
{
    double shares[ECO_CLIMATE_TABLE_SIZE], same = 0.0, other = 0.0;

    (void)state;
    measure(777, shares);
    for (int k = 0; k < ECO_CLIMATE_TABLE_SIZE; k++)
        same = fmax(same, fabs(shares[k] - (double)eco_climate_table[k]));
    measure(778, shares);
    for (int k = 0; k < ECO_CLIMATE_TABLE_SIZE; k++)
        other = fmax(other, fabs(shares[k] - (double)eco_climate_table[k]));
    print_message("table against its own %d values: %.7f; against as many others: %.5f\n",
                  SEEDS * SIDE * SIDE, same, other);
    assert_true(same < 1e-6);
    assert_true(other < 0.002);
}

/* From the table, which other tests prove: its entries are 1/128 apart. */
static void the_noise_is_spread_like_even_values(void **state)
{
    double mean = 0.0, square = 0.0, spread;

    (void)state;
    for (int k = 0; k + 1 < ECO_CLIMATE_TABLE_SIZE; k++) {
        double share = (double)(eco_climate_table[k + 1] - eco_climate_table[k]);
        double value = (k + 0.5) / (INTERVALS / 2) - 1.0;

        mean += share * value;
        square += share * value * value;
    }
    spread = sqrt(1.0 / 3.0) / sqrt(square - mean * mean);
    print_message("the noise times %.4f is spread like even values\n", spread);
    assert_true(fabs(spread - (double)ECO_CLIMATE_SPREAD) < 0.0005);
    assert_true(eco_climate_equalised(1.0f, 0.0) == 1.0f);
    assert_true(eco_climate_equalised(-1.0f, 0.33) == -1.0f);
}

/* Places far apart, so that they are independent, 20 seeds of 52,488 each. */
static void count_levels(double equalise, unsigned *counts[2])
{
    static double x[256], z[256];
    static float scratch[512];
    struct eco_climate_levels levels[256];

    for (int64_t seed = 0; seed < 20; seed++) {
        struct eco_climate_noise climate = {1.0 / 8192.0, equalise, {0, 0}};

        climate.seeds[0] = eco_seed_derive(seed, 1);
        climate.seeds[1] = eco_seed_derive(seed, 2);
        for (uint64_t batch = 0; batch < 205; batch++) {
            for (uint64_t k = 0; k < 256; k++) {
                uint64_t hash = eco_mix64(((uint64_t)seed << 32) + batch * 256 + k);

                x[k] = (double)(int32_t)(uint32_t)hash / 64.0;
                z[k] = (double)(int32_t)(uint32_t)(hash >> 32) / 64.0;
            }
            eco_climate_points(&climate, x, z, 256, scratch, levels);
            for (unsigned k = 0; k < 256; k++) {
                counts[0][levels[k].temperature]++;
                counts[1][levels[k].precipitation]++;
            }
        }
    }
}

static void both_are_flat_after_full_equalisation(void **state)
{
    static const char *const names[2] = {"temperature", "precipitation"};
    unsigned temperature[256] = {0}, precipitation[256] = {0};
    unsigned *counts[2] = {temperature, precipitation};
    const double expected = 20.0 * 205.0 * 256.0 / 256.0;

    (void)state;
    count_levels(1.0, counts);
    for (unsigned n = 0; n < 2; n++) {
        double chi2 = 0.0;

        for (unsigned level = 0; level < 256; level++) {
            double off = counts[n][level] - expected;

            chi2 += off * off / expected;
        }
        print_message("%s: chi-square %.1f with 255 degrees of freedom, %.0f places\n", names[n],
                      chi2, expected * 256.0);
        /* 255 + 5 standard deviations of a chi-square. */
        assert_true(chi2 < 255.0 + 5.0 * sqrt(2.0 * 255.0));
    }
}

static void lands_have_the_shares_of_the_article(void **state)
{
    static const double article[ECO_LAND_COUNT] = {
        [ECO_LAND_BOREAL_FOREST] = .128,
        [ECO_LAND_TUNDRA] = .124,
        [ECO_LAND_DESERT] = .118,
        [ECO_LAND_TEMPERATE_RAINFOREST] = .114,
        [ECO_LAND_TEMPERATE_FOREST] = .109,
        [ECO_LAND_SAVANNA] = .107,
        [ECO_LAND_TROPICAL_WOODLAND] = .102,
        [ECO_LAND_SEASONAL_FOREST] = .0995,
        [ECO_LAND_RAINFOREST] = .0989,
    };
    const unsigned side = 232;
    double counts[ECO_LAND_COUNT] = {0}, all = 0.0;
    struct eco_config *config;
    struct eco_sampler *sampler;

    (void)state;
    assert_int_equal(eco_config_load("config/ecotone.yaml", &config, NULL), 0);
    assert_int_equal(eco_sampler_new(&sampler), 0);
    for (int64_t seed = 0; seed < 20; seed++) {
        const struct eco_world_options options = {.seed = &seed};
        struct eco_grid grid = {-3000000, -3000000, 25600, side, side};
        struct eco_world *world;
        struct eco_planes planes;
        static struct eco_diagram diagram;

        eco_diagram_init(&diagram);
        eco_sampler_reset(sampler);
        assert_int_equal(eco_world_open(config, "overworld", &options, &world, NULL), 0);
        assert_int_equal(eco_world_sample(world, &grid,
                                          ECO_FIELD_TEMPERATURE | ECO_FIELD_PRECIPITATION, sampler,
                                          &planes, NULL),
                         0);
        for (size_t k = 0; k < (size_t)side * side; k++) {
            unsigned t = (unsigned)((planes.temperature[k] + 25.0f) / 70.0f * 256.0f);
            unsigned p = (unsigned)(planes.precipitation[k] / 3000.0f * 256.0f);

            counts[diagram.land[t][p]] += 1.0;
            all += 1.0;
        }
        eco_world_close(world);
    }
    for (unsigned land = 0; land < ECO_LAND_COUNT; land++) {
        double share = counts[land] / all;

        print_message("%-22s %.4f, in the article %.4f: %.2f\n", eco_land_names[land], share,
                      article[land], share / article[land]);
        assert_true(fabs(share / article[land] - 1.0) < 1.0 / 3.0);
    }
    eco_sampler_free(sampler);
    eco_config_free(config);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_the_distribution_of_the_noise),
        cmocka_unit_test(the_noise_is_spread_like_even_values),
        cmocka_unit_test(both_are_flat_after_full_equalisation),
        cmocka_unit_test(lands_have_the_shares_of_the_article),
    };

    if (argc > 1 && strcmp(argv[1], "print") == 0) {
        print_table();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
