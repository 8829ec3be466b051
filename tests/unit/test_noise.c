#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ecotone/noise.h"
#include "golden.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct sampler {
    const char *name;
    float (*at2)(int64_t, double, double);
    float (*at3)(int64_t, double, double, double);
};

/* In the order of the columns of noise_current.csv. */
static const struct sampler samplers[] = {
    {"S_noise2", eco_os2s_noise2, NULL},
    {"S_noise2_ImproveX", eco_os2s_noise2_improve_x, NULL},
    {"S_noise3_ImproveXY", NULL, eco_os2s_noise3_improve_xy},
    {"S_noise3_ImproveXZ", NULL, eco_os2s_noise3_improve_xz},
    {"S_noise3_Fallback", NULL, eco_os2s_noise3_fallback},
    {"F_noise2", eco_os2_noise2, NULL},
    {"F_noise2_ImproveX", eco_os2_noise2_improve_x, NULL},
    {"F_noise3_ImproveXY", NULL, eco_os2_noise3_improve_xy},
    {"F_noise3_ImproveXZ", NULL, eco_os2_noise3_improve_xz},
    {"F_noise3_Fallback", NULL, eco_os2_noise3_fallback},
};

static float sample(const struct sampler *sampler, int64_t seed, double x, double y, double z)
{
    return sampler->at2 ? sampler->at2(seed, x, y) : sampler->at3(seed, x, y, z);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int same_bits(float a, float b)
{
    return bits_of(a) == bits_of(b);
}

static void current_noise_equals_every_golden_value_to_the_last_bit(void **state)
{
    struct golden golden;

    (void)state;
    golden_open(&golden, "noise_current.csv");
    while (golden_next(&golden)) {
        assert_int_equal(golden.count, 4 + LENGTH(samplers));
        for (size_t i = 0; i < LENGTH(samplers); i++) {
            float expected = golden_float(&golden, 4 + i);
            float found = sample(&samplers[i], golden_int(&golden, 0), golden_double(&golden, 1),
                                 golden_double(&golden, 2), golden_double(&golden, 3));

            if (!same_bits(found, expected)) {
                fail_msg("row %zu, %s: %a, expected %a", golden.row, samplers[i].name,
                         (double)found, (double)expected);
            }
        }
    }
    golden_close(&golden, 200);
}

struct summary {
    unsigned count;
    double sum, sum_of_sizes;
    float least, greatest;
    uint64_t hash;
};

static struct summary summarise(const struct sampler *sampler, int64_t seed, double frequency)
{
    struct summary summary = {.hash = GOLDEN_FNV_OFFSET, .least = 9, .greatest = -9};

    for (int j = -128; j < 128; j++) {
        for (int i = -128; i < 128; i++) {
            float value = sample(sampler, seed, i * frequency, j * frequency,
                                 (i - 2 * j) * frequency * 0.25 + 7.5);

            summary.count++;
            summary.sum += (double)value;
            summary.sum_of_sizes += value < 0 ? -(double)value : (double)value;
            summary.least = value < summary.least ? value : summary.least;
            summary.greatest = value > summary.greatest ? value : summary.greatest;
            summary.hash = golden_fnv1a(summary.hash, &value, sizeof value);
        }
    }
    return summary;
}

static void current_noise_equals_every_golden_grid(void **state)
{
    struct golden golden;
    size_t seen[LENGTH(samplers)] = {0};

    (void)state;
    golden_open(&golden, "noise_current_grid.csv");
    while (golden_next(&golden)) {
        size_t i = 0;

        while (i < LENGTH(samplers) && strcmp(samplers[i].name, golden_text(&golden, 2)) != 0) {
            i++;
        }
        assert_true(i < LENGTH(samplers));
        seen[i]++;
        struct summary found =
            summarise(&samplers[i], golden_int(&golden, 0), golden_double(&golden, 1));

        assert_int_equal(found.count, golden_int(&golden, 3));
        assert_true(found.sum == golden_double(&golden, 4));
        assert_true(found.sum_of_sizes == golden_double(&golden, 5));
        assert_true(same_bits(found.least, golden_float(&golden, 6)));
        assert_true(same_bits(found.greatest, golden_float(&golden, 7)));
        assert_int_equal(found.hash, golden_hex(&golden, 8));
    }
    golden_close(&golden, 40);
    for (size_t i = 0; i < LENGTH(samplers); i++) {
        assert_int_equal(seen[i], 4);
    }
}

static void check_legacy(const struct golden *golden, size_t column, double found)
{
    double difference = found - golden_double(golden, column);

    if (!(difference <= 1e-14 && difference >= -1e-14)) {
        fail_msg("row %zu, column %zu: %.17g is %g away", golden->row, column, found, difference);
    }
}

static void legacy_noise_equals_every_golden_value_to_1e_14(void **state)
{
    struct golden golden;

    (void)state;
    golden_open(&golden, "noise_blender_repo.csv");
    while (golden_next(&golden)) {
        struct eco_legacy_noise noise;
        double x = golden_double(&golden, 1), y = golden_double(&golden, 2);
        double z = golden_double(&golden, 3);

        assert_int_equal(golden.count, 9);
        eco_legacy_noise_init(&noise, golden_int(&golden, 0));
        check_legacy(&golden, 4, eco_legacy_noise2(&noise, x, y));
        check_legacy(&golden, 5, eco_legacy_noise2_x_before_y(&noise, x, y));
        check_legacy(&golden, 6, eco_legacy_noise3_classic(&noise, x, y, z));
        check_legacy(&golden, 7, eco_legacy_noise3_xy_before_z(&noise, x, y, z));
        check_legacy(&golden, 8, eco_legacy_noise3_xz_before_y(&noise, x, y, z));
    }
    golden_close(&golden, 200);
}

#define BIOMES 4
#define OCTAVES 3

static int demo_biome(struct eco_legacy_noise noises[BIOMES][OCTAVES], double x, double z)
{
    int best = 0;
    double best_sum = 0;

    for (int biome = 0; biome < BIOMES; biome++) {
        double sum = 0;

        for (int octave = 0; octave < OCTAVES; octave++) {
            double frequency = 0.002 * (1 << octave);

            sum += eco_legacy_noise2(&noises[biome][octave], x * frequency, z * frequency) /
                   (1 << octave);
        }
        if (biome == 0 || sum > best_sum) {
            best = biome;
            best_sum = sum;
        }
    }
    return best;
}

static void demo_biome_map_equals_the_golden_one_in_every_cell(void **state)
{
    static struct eco_legacy_noise noises[BIOMES][OCTAVES];
    struct golden golden;

    (void)state;
    for (int biome = 0; biome < BIOMES; biome++) {
        for (int octave = 0; octave < OCTAVES; octave++) {
            eco_legacy_noise_init(&noises[biome][octave], 99999 + biome + 4 * octave);
        }
    }
    golden_open(&golden, "demo_biome_map.csv");
    while (golden_next(&golden)) {
        double z = golden_double(&golden, 0);
        const char *digits = golden_text(&golden, 1);

        assert_true(z == -512 + 32.0 * (double)(golden.row - 1));
        assert_int_equal(strlen(digits), 97);
        for (int i = 0; i < 97; i++) {
            assert_int_equal(demo_biome(noises, -512 + 16.0 * i, z), digits[i] - '0');
        }
    }
    golden_close(&golden, 49);
}

static void legacy_permutation_holds_every_number_once(void **state)
{
    static const int64_t seeds[] = {0, 1, -1, INT64_MAX, INT64_MIN, 99999};

    (void)state;
    for (size_t i = 0; i < LENGTH(seeds); i++) {
        struct eco_legacy_noise noise;
        char seen[ECO_LEGACY_NOISE_SIZE] = {0};

        eco_legacy_noise_init(&noise, seeds[i]);
        for (int k = 0; k < ECO_LEGACY_NOISE_SIZE; k++) {
            assert_in_range(noise.permutation[k], 0, ECO_LEGACY_NOISE_SIZE - 1);
            assert_int_equal(seen[noise.permutation[k]]++, 0);
        }
    }
}

/* Under the sanitizers this is the proof that no coordinate allowed is undefined behaviour. */
static void noise_stays_in_range_up_to_the_greatest_coordinates(void **state)
{
    static const double places[] = {-2147483647.9999998,
                                    -2147483647.5,
                                    -1e9,
                                    -3e7,
                                    -1.0,
                                    -1e-300,
                                    -0.0,
                                    0.0,
                                    1e-300,
                                    0.49999999999999994,
                                    0.5,
                                    1.0,
                                    3e7 + 1.0 / 3,
                                    2147483647.0,
                                    2147483647.9999998};
    static const int64_t seeds[] = {0, INT64_MAX, INT64_MIN, -1};
    struct eco_legacy_noise noise;
    unsigned zero = 0, count = 0;

    (void)state;
    for (size_t s = 0; s < LENGTH(seeds); s++) {
        eco_legacy_noise_init(&noise, seeds[s]);
        for (size_t n = 0; n < LENGTH(places) * LENGTH(places) * LENGTH(places); n++) {
            double x = places[n % 15], y = places[n / 15 % 15], z = places[n / 225];
            float legacy[] = {(float)eco_legacy_noise2(&noise, x, y),
                              (float)eco_legacy_noise2_x_before_y(&noise, x, y),
                              (float)eco_legacy_noise3_classic(&noise, x, y, z),
                              (float)eco_legacy_noise3_xy_before_z(&noise, x, y, z),
                              (float)eco_legacy_noise3_xz_before_y(&noise, x, y, z)};

            for (size_t i = 0; i < LENGTH(samplers) + LENGTH(legacy); i++) {
                float value = i < LENGTH(legacy)
                                  ? legacy[i]
                                  : sample(&samplers[i - LENGTH(legacy)], seeds[s], x, y, z);

                assert_true(value >= -1.0001f && value <= 1.0001f);
                zero += value == 0.0f;
                count++;
            }
        }
    }
    assert_true(zero < count / 2);
}

static void all_64_bits_of_a_seed_matter(void **state)
{
    struct eco_legacy_noise plain, changed;

    (void)state;
    eco_legacy_noise_init(&plain, INT64_C(9007199254740992));
    for (unsigned bit = 0; bit < 64; bit++) {
        int64_t seed = (int64_t)(UINT64_C(9007199254740992) ^ UINT64_C(1) << bit);

        eco_legacy_noise_init(&changed, seed);
        assert_memory_not_equal(&plain, &changed, sizeof plain);
        for (size_t i = 0; i < LENGTH(samplers); i++) {
            int differs = 0;

            for (int k = 0; k < 200 && !differs; k++) {
                differs =
                    sample(&samplers[i], seed, k * 0.37, k * -0.71, k * 0.13) !=
                    sample(&samplers[i], INT64_C(9007199254740992), k * 0.37, k * -0.71, k * 0.13);
            }
            assert_true(differs);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(current_noise_equals_every_golden_value_to_the_last_bit),
        cmocka_unit_test(current_noise_equals_every_golden_grid),
        cmocka_unit_test(legacy_noise_equals_every_golden_value_to_1e_14),
        cmocka_unit_test(demo_biome_map_equals_the_golden_one_in_every_cell),
        cmocka_unit_test(legacy_permutation_holds_every_number_once),
        cmocka_unit_test(noise_stays_in_range_up_to_the_greatest_coordinates),
        cmocka_unit_test(all_64_bits_of_a_seed_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
