#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "noise/grid.h"

#define SIDE_MAX 64
#define STRIDE_MAX (SIDE_MAX + 4)
#define SEEDS_MAX 3
#define UNTOUCHED 99.0f

static uint64_t state;

static uint64_t draw(void)
{
    return eco_mix64(state += 0x9E3779B97F4A7C15u);
}

static unsigned draw_below(unsigned limit)
{
    return (unsigned)(draw() % limit);
}

static double draw_between(double low, double high)
{
    return low + (high - low) * (double)(draw() >> 11) * 0x1p-53;
}

static int one_in(unsigned n)
{
    return draw_below(n) == 0;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

struct question {
    double x0, dx, y0, dy;
    unsigned width, height, count;
    size_t stride;
    int64_t seeds[SEEDS_MAX];
};

/* Wavelengths from 1 to 8192 samples, places up to the world's edge, and the awkward ones: steps
 * backwards and of nothing, places on the lattice, zeros of either sign. */
static struct question draw_question(unsigned side_max)
{
    double step = exp2(draw_between(-13, 0)), reach = one_in(2) ? 3e7 * step : 4;
    struct question question = {
        .x0 = draw_between(-reach, reach),
        .dx = one_in(2) ? step : -step,
        .y0 = draw_between(-reach, reach),
        .dy = one_in(4)   ? step * draw_between(-2, 2)
              : one_in(2) ? step
                          : -step,
        .width = 1 + draw_below(side_max),
        .height = 1 + draw_below(side_max),
        .count = 1 + draw_below(SEEDS_MAX),
        .seeds = {(int64_t)draw(), (int64_t)draw(), -1},
    };

    question.stride = question.width + draw_below(5);
    question.x0 = one_in(8) ? -0.0 : question.x0;
    question.y0 = one_in(8) ? (one_in(2) ? 0.0 : -0.0) : question.y0;
    question.dx = one_in(50) ? 0.0 : question.dx;
    if (one_in(16))
        question.dx = question.dy = 0.5;
    return question;
}

static void check_question(const struct question *q, enum eco_simd level)
{
    static float out[SEEDS_MAX * SIDE_MAX * STRIDE_MAX];
    size_t plane = q->height * q->stride;

    for (size_t k = 0; k < q->count * plane; k++)
        out[k] = UNTOUCHED;
    eco_os2s_noise2_grid_on(level, q->seeds, q->count, q->x0, q->dx, q->y0, q->dy, q->width,
                            q->height, out, q->stride);
    for (size_t k = 0; k < q->count * plane; k++) {
        unsigned row = (unsigned)(k % plane / q->stride), column = (unsigned)(k % q->stride);
        float expected = UNTOUCHED;

        if (column < q->width)
            expected =
                eco_os2s_noise2(q->seeds[k / plane], q->x0 + column * q->dx, q->y0 + row * q->dy);
        if (bits_of(expected) != bits_of(out[k]))
            fail_msg(
                "%s, %ux%u from (%a, %a) by (%a, %a), seed %lld, column %u, row %u: %a, not %a",
                eco_simd_name(level), q->width, q->height, q->x0, q->y0, q->dx, q->dy,
                (long long)q->seeds[k / plane], column, row, (double)out[k], (double)expected);
    }
}

static void every_level_gives_the_bits_of_the_one_point_function(void **unused)
{
    (void)unused;
    state = 1;
    for (int n = 0; n < 12000; n++) {
        struct question question = draw_question(n % 32 ? 9 : SIDE_MAX);

        for (int level = 0; level <= (int)eco_simd_supported(); level++)
            check_question(&question, (enum eco_simd)level);
    }
}

static void every_width_and_height_up_to_nine_is_written_exactly(void **unused)
{
    (void)unused;
    state = 2;
    for (unsigned shape = 0; shape < 81; shape++) {
        struct question question = draw_question(1);

        question.width = 1 + shape % 9;
        question.height = 1 + shape / 9;
        question.stride = question.width + 3;
        for (int level = 0; level <= (int)eco_simd_supported(); level++)
            check_question(&question, (enum eco_simd)level);
    }
}

static void grids_without_a_level_equal_those_of_the_level_in_use(void **unused)
{
    static const int64_t seeds[2] = {INT64_MIN, 12345};
    float one[2 * 8 * 8], many[2 * 8 * 8], on[2 * 8 * 8];

    (void)unused;
    eco_os2s_noise2_grid(seeds[0], -3.25, 0.01, 7.5, 0.01, 8, 8, one, 8);
    eco_os2s_noise2_grid(seeds[1], -3.25, 0.01, 7.5, 0.01, 8, 8, one + 64, 8);
    eco_os2s_noise2_grid_many(seeds, 2, -3.25, 0.01, 7.5, 0.01, 8, 8, many, 8);
    eco_os2s_noise2_grid_on(eco_simd_level(), seeds, 2, -3.25, 0.01, 7.5, 0.01, 8, 8, on, 8);
    assert_memory_equal(one, many, sizeof one);
    assert_memory_equal(one, on, sizeof one);
}

#define NOISES_MAX 40
#define POINTS_MAX 200

struct places {
    double x[POINTS_MAX], y[POINTS_MAX], frequency;
    size_t count;
};

/* Close together or far apart, around the origin or out to the world's edge, with a few strays. */
static void draw_places(struct places *places)
{
    double spread = exp2(draw_between(0, 12)), reach = one_in(2) ? 3e7 : 0;
    double x = draw_between(-reach, reach), y = draw_between(-reach, reach);
    unsigned strays = one_in(2) ? 32 : 10000;

    places->count = draw_below(POINTS_MAX + 1);
    places->frequency = exp2(draw_between(-12, 0));
    for (size_t k = 0; k < places->count; k++) {
        places->x[k] = one_in(strays) ? -0.0 : x + draw_between(-spread, spread);
        places->y[k] =
            one_in(strays) ? (one_in(2) ? -1e-25 : 0.0) : y + draw_between(-spread, spread);
    }
}

static unsigned draw_count(void)
{
    return 1 + draw_below(one_in(16) ? NOISES_MAX : 12);
}

static void current_noise_at_points_has_the_bits_of_the_one_point_function(void **unused)
{
    static struct places places;
    static float out[POINTS_MAX * NOISES_MAX];
    int64_t seeds[NOISES_MAX];

    (void)unused;
    state = 3;
    for (int n = 0; n < 1000 * ((int)eco_simd_supported() + 1); n++) {
        enum eco_simd level = (enum eco_simd)(n % ((int)eco_simd_supported() + 1));
        unsigned count = draw_count();

        draw_places(&places);
        for (unsigned i = 0; i < count; i++)
            seeds[i] = (int64_t)draw();
        memset(out, 0xFF, sizeof out);
        eco_os2s_noise2_points_on(level, seeds, count, places.x, places.y, places.count,
                                  places.frequency, out);
        for (size_t k = 0; k < places.count * count; k++) {
            float expected =
                eco_os2s_noise2(seeds[k % count], places.x[k / count] * places.frequency,
                                places.y[k / count] * places.frequency);

            assert_int_equal(bits_of(expected), bits_of(out[k]));
        }
    }
}

static void check_legacy(enum eco_simd level, const struct eco_legacy_noise *const *noises,
                         unsigned count, const struct places *places)
{
    static double out[POINTS_MAX * NOISES_MAX], many[NOISES_MAX];

    memset(out, 0xFF, sizeof out);
    eco_legacy_noise2_points_on(level, noises, count, places->x, places->y, places->count,
                                places->frequency, out);
    for (size_t k = 0; k < places->count; k++) {
        double x = places->x[k] * places->frequency, y = places->y[k] * places->frequency;

        eco_legacy_noise2_many(noises, count, x, y, many);
        for (unsigned i = 0; i < count; i++) {
            double expected = eco_legacy_noise2(noises[i], x, y);

            assert_memory_equal(&expected, &out[k * count + i], sizeof expected);
            assert_memory_equal(&expected, &many[i], sizeof expected);
        }
    }
}

static void legacy_noise_at_points_has_the_bits_of_the_one_point_function(void **unused)
{
    static struct eco_legacy_noise noises[NOISES_MAX];
    static struct places places;
    const struct eco_legacy_noise *chosen[NOISES_MAX];

    (void)unused;
    state = 4;
    for (int i = 0; i < NOISES_MAX; i++)
        eco_legacy_noise_init(&noises[i], (int64_t)draw());
    for (int n = 0; n < 1000 * ((int)eco_simd_supported() + 1); n++) {
        unsigned count = draw_count();

        draw_places(&places);
        for (unsigned i = 0; i < count; i++)
            chosen[i] = &noises[draw_below(NOISES_MAX)];
        check_legacy((enum eco_simd)(n % ((int)eco_simd_supported() + 1)), chosen, count, &places);
    }
}

static void points_without_a_level_equal_those_of_the_level_in_use(void **unused)
{
    static struct eco_legacy_noise noise;
    const struct eco_legacy_noise *noises[1] = {&noise};
    const int64_t seed = -77;
    struct places places = {.count = 20, .frequency = 0.01};
    float current[20], current_on[20];
    double legacy[20], legacy_on[20];

    (void)unused;
    eco_legacy_noise_init(&noise, seed);
    for (size_t k = 0; k < places.count; k++)
        places.x[k] = places.y[k] = 3.0 * (double)k;
    eco_os2s_noise2_points(&seed, 1, places.x, places.y, 20, 0.01, current);
    eco_os2s_noise2_points_on(eco_simd_level(), &seed, 1, places.x, places.y, 20, 0.01, current_on);
    eco_legacy_noise2_points(noises, 1, places.x, places.y, 20, 0.01, legacy);
    eco_legacy_noise2_points_on(eco_simd_level(), noises, 1, places.x, places.y, 20, 0.01,
                                legacy_on);
    assert_memory_equal(current, current_on, sizeof current);
    assert_memory_equal(legacy, legacy_on, sizeof legacy);
}

/* Runs this program again, with the environment of one variable, to print its level. */
static void level_with(const char *variable, char *level, size_t size)
{
    char program[] = "/proc/self/exe", argument[] = "--level", copy[64];
    char *arguments[] = {program, argument, NULL}, *environment[] = {copy, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2], status;
    ssize_t length;
    pid_t child;

    snprintf(copy, sizeof copy, "%s", variable);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO), 0);
    assert_int_equal(posix_spawn(&child, program, &actions, NULL, arguments, environment), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    length = read(ends[0], level, size - 1);
    assert_true(length > 0);
    level[length] = '\0';
    close(ends[0]);
}

static void environment_lowers_the_level_but_never_raises_it(void **unused)
{
    const char *widest = eco_simd_name(eco_simd_supported());
    char found[32];

    (void)unused;
    level_with("OTHER=scalar", found, sizeof found);
    assert_string_equal(found, widest);
    level_with("ECOTONE_SIMD=scalar", found, sizeof found);
    assert_string_equal(found, "scalar");
    level_with("ECOTONE_SIMD=avx2", found, sizeof found);
    assert_string_equal(found, eco_simd_supported() > ECO_SIMD_AVX2 ? "avx2" : widest);
    level_with("ECOTONE_SIMD=avx512", found, sizeof found);
    assert_string_equal(found, widest);
    level_with("ECOTONE_SIMD=no such level", found, sizeof found);
    assert_string_equal(found, widest);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_gives_the_bits_of_the_one_point_function),
        cmocka_unit_test(every_width_and_height_up_to_nine_is_written_exactly),
        cmocka_unit_test(grids_without_a_level_equal_those_of_the_level_in_use),
        cmocka_unit_test(current_noise_at_points_has_the_bits_of_the_one_point_function),
        cmocka_unit_test(legacy_noise_at_points_has_the_bits_of_the_one_point_function),
        cmocka_unit_test(points_without_a_level_equal_those_of_the_level_in_use),
        cmocka_unit_test(environment_lowers_the_level_but_never_raises_it),
    };

    if (count == 2 && strcmp(arguments[1], "--level") == 0) {
        fputs(eco_simd_name(eco_simd_level()), stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
