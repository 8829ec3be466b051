/*
 * Erosion on the erosion grid: what a cell becomes depends on cells within relief_reach and on
 * nothing else, on every SIMD level, and the measures of the published terrain are met.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/relief/erode.h"
#include "world/score.h"

#define PERIOD 512
#define SEEDS 12

static struct eco_arena arena;

static int begin(void **state)
{
    (void)state;
    eco_arena_init(&arena);
    return 0;
}

static int end(void **state)
{
    (void)state;
    eco_arena_release(&arena);
    return 0;
}

/* Heights of an area, of one source, or of the standard mix where that is NULL. */
static float *base_of(const struct relief_area *area, struct eco_relief_source *source,
                      double perturb, int64_t seed, enum eco_simd simd)
{
    struct eco_relief_config config = {
        .period = PERIOD, .sources = source, .sources_count = source ? 1 : 0, .perturb = perturb};
    float *heights = malloc((size_t)area->width * area->height * sizeof(*heights));
    struct relief_terrain terrain;

    assert_non_null(heights);
    eco_arena_reset(&arena);
    relief_terrain_init(&terrain, &config, seed, simd);
    assert_int_equal(relief_base(&terrain, area, &arena, heights), 0);
    return heights;
}

static struct relief_erosion erosion_of(const struct eco_relief_step *steps, unsigned count,
                                        enum eco_simd simd)
{
    return (struct relief_erosion){steps, count, PERIOD, 0, relief_kernels_of(simd)};
}

/* --- scores ---------------------------------------------------------------------------------- */

static const struct eco_score_rules paper = {8.0 / PERIOD, 2.0 / PERIOD, 1, 9};

/* Means over seeds of the scores of 512 x 512 cells. */
static struct eco_score mean_score(struct eco_relief_source *source, double perturb,
                                   const struct eco_relief_step *steps, unsigned count)
{
    struct relief_erosion erosion = erosion_of(steps, count, eco_simd_level());
    uint32_t margin = eco_score_margin(&paper), around = margin + relief_reach(&erosion);
    uint32_t side = PERIOD + 2 * around, wide = PERIOD + 2 * margin;
    struct relief_area area = {-(int64_t)around, -(int64_t)around, side, side, 0};
    float *window = malloc((size_t)wide * wide * sizeof(*window));
    struct eco_score mean = {0};

    assert_non_null(window);
    for (int64_t seed = 1; seed <= SEEDS; seed++) {
        float *heights = base_of(&area, source, perturb, seed, eco_simd_level());
        struct eco_score score;

        assert_int_equal(relief_erode(&erosion, &area, &arena, heights), 0);
        for (size_t z = 0; z < wide; z++)
            memcpy(window + z * wide, heights + (z + around - margin) * side + around - margin,
                   wide * sizeof(*window));
        assert_int_equal(eco_score_window(window, PERIOD, PERIOD, &paper, &arena, &score), 0);
        mean.eps += score.eps / SEEDS;
        mean.upsilon += score.upsilon / SEEDS;
        mean.beta += score.beta / SEEDS;
        mean.omega += score.omega / SEEDS;
        free(heights);
    }
    free(window);
    return mean;
}

static void check_eps(enum eco_relief_source_kind kind, double published)
{
    struct eco_relief_source source = {
        .kind = kind, .weight = 1.0, .features = RELIEF_FEATURES(0), .persistence = 0.5};
    struct eco_score score = mean_score(&source, 0.0, NULL, 0);

    if (fabs(score.eps - published) > 0.02)
        print_error("eps %.4f, published %.3f\n", score.eps, published);
    assert_true(fabs(score.eps - published) <= 0.02);
}

static void sources_have_the_published_scores(void **state)
{
    (void)state;
    check_eps(ECO_RELIEF_SPECTRAL_LINEAR, 0.417);
    check_eps(ECO_RELIEF_MIDPOINT, 0.401);
    check_eps(ECO_RELIEF_MIDPOINT_SMOOTHED, 0.478);
}

static void fifty_inverted_iterations_score_at_least_1_7(void **state)
{
    const struct eco_relief_step step = {
        .kind = ECO_RELIEF_INVERTED, .iterations = 50, .talus = 16};

    (void)state;
    assert_true(mean_score(NULL, 0.25, &step, 1).eps >= 1.7);
}

static void settling_makes_more_ground_fit_to_build_on_than_the_paper(void **state)
{
    const struct eco_relief_step steps[] = {
        {.kind = ECO_RELIEF_INVERTED, .iterations = 50, .talus = 16},
        {.kind = ECO_RELIEF_SETTLE, .iterations = 10, .talus = 8},
    };
    struct eco_score score = mean_score(NULL, 0.25, steps, 2);

    (void)state;
    assert_true(score.eps >= 2.2);
    assert_true(score.upsilon >= 0.9);
    assert_true(score.beta >= 0.6);
}

static void reading_order_reaches_2_1(void **state)
{
    const struct eco_relief_step step = {
        .kind = ECO_RELIEF_INVERTED, .iterations = 50, .talus = 16};
    struct relief_erosion erosion = erosion_of(&step, 1, eco_simd_level());
    struct relief_area area = {0, 0, PERIOD + 2, PERIOD + 2, 0};
    double eps = 0.0;

    (void)state;
    for (int64_t seed = 1; seed <= SEEDS; seed++) {
        float *heights = base_of(&area, NULL, 0.25, seed, eco_simd_level());
        const struct eco_score_rules rules = {8.0 / PERIOD, 2.0 / PERIOD, 1, 1};
        struct eco_score score;

        assert_int_equal(relief_erode_reading_order(&erosion, &area, &arena, heights), 0);
        assert_int_equal(eco_score_window(heights, PERIOD, PERIOD, &rules, &arena, &score), 0);
        eps += score.eps / SEEDS;
        free(heights);
    }
    assert_true(eps >= 2.1);
}

/* --- reach ----------------------------------------------------------------------------------- */

static const struct eco_relief_step all_kinds[] = {
    {.kind = ECO_RELIEF_THERMAL, .iterations = 3, .talus = 4, .c = 0.5},
    {.kind = ECO_RELIEF_HYDRAULIC,
     .iterations = 4,
     .rain = 0.01,
     .solubility = 0.01,
     .capacity = 0.01,
     .evaporation = 0.5},
    {.kind = ECO_RELIEF_INVERTED, .iterations = 15, .talus = 16},
    {.kind = ECO_RELIEF_SETTLE, .iterations = 5, .talus = 8},
};

/* The cells whose value before can change a cell's after `n` iterations, followed back through the
 * colours; the farthest is relief_reach away at most. */
#define BOX 161

static int class_of(int x, int z)
{
    return ((x + 2 * z) % 5 + 5) % 5;
}

static int farthest_after(const int colours[5], int diagonal, int iterations, int px, int pz)
{
    static const int beside[5][2] = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static const int across[5][2] = {{0, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    const int(*shape)[2] = diagonal ? across : beside;
    static uint8_t now[BOX][BOX], before[BOX][BOX];
    int farthest = 0, middle = BOX / 2;

    memset(now, 0, sizeof(now));
    now[middle + pz][middle + px] = 1;
    for (int step = iterations * 5 - 1; step >= 0; step--) {
        int colour = colours[step % 5];

        memset(before, 0, sizeof(before));
        for (int z = 3; z < BOX - 3; z++) {
            for (int x = 3; x < BOX - 3; x++) {
                for (int k = 0; now[z][x] && k < 5; k++) {
                    int cx = x + shape[k][0], cz = z + shape[k][1];

                    if (class_of(cx - middle, cz - middle) != colour)
                        continue;
                    for (int n = 0; n < 5; n++)
                        before[cz + shape[n][1]][cx + shape[n][0]] = 1;
                }
            }
        }
        memcpy(now, before, sizeof(now));
    }
    for (int z = 0; z < BOX; z++) {
        for (int x = 0; x < BOX; x++) {
            int dx = abs(x - middle - px), dz = abs(z - middle - pz);

            if (now[z][x] && dx > farthest)
                farthest = dx;
            if (now[z][x] && dz > farthest)
                farthest = dz;
        }
    }
    return farthest;
}

static void the_reach_is_what_the_colours_allow(void **state)
{
    static const int beside[5] = {0, 2, 4, 3, 1}, diagonal[5] = {0, 1, 2, 3, 4};

    (void)state;
    for (int iterations = 1; iterations <= 6; iterations++) {
        for (int px = 0; px < 5; px++) {
            const struct eco_relief_step inverted = {.kind = ECO_RELIEF_INVERTED,
                                                     .iterations = (unsigned)iterations};
            const struct eco_relief_step thermal = {.kind = ECO_RELIEF_THERMAL,
                                                    .iterations = (unsigned)iterations};
            struct relief_erosion one = erosion_of(&inverted, 1, ECO_SIMD_SCALAR);
            struct relief_erosion other = erosion_of(&thermal, 1, ECO_SIMD_SCALAR);

            assert_true(farthest_after(beside, 0, iterations, px, 0) <= (int)relief_reach(&one));
            assert_true(farthest_after(diagonal, 1, iterations, px, 0) <=
                        (int)relief_reach(&other));
        }
    }
}

/* A core made with the reach around it equals the same core with much more around it, bit for bit,
 * wherever the area begins. */
static void the_reach_is_enough_for_twenty_seeds(void **state)
{
    struct relief_erosion erosion = erosion_of(all_kinds, 4, eco_simd_level());
    uint32_t reach = relief_reach(&erosion), core = 48;

    (void)state;
    for (int64_t seed = 0; seed < 20; seed++) {
        uint32_t more = 3 + (uint32_t)seed * 4 % 61;
        int64_t x0 = seed * 997 - 9000, z0 = 5000 - seed * 613;
        struct relief_area near = {x0 - reach, z0 - reach, core + 2 * reach, core + 2 * reach, 0};
        struct relief_area wide = {near.x0 - more, near.z0 - more - 1, near.width + 2 * more,
                                   near.height + 2 * more + 1, 0};
        float *a = base_of(&near, NULL, 0.25, seed, eco_simd_level());
        float *b = base_of(&wide, NULL, 0.25, seed, eco_simd_level());

        assert_int_equal(relief_erode(&erosion, &near, &arena, a), 0);
        assert_int_equal(relief_erode_alone(&erosion, &wide, &arena, b), 0);
        for (uint32_t z = 0; z < core; z++)
            assert_memory_equal(a + (size_t)(z + reach) * near.width + reach,
                                b + (size_t)(z + reach + more + 1) * wide.width + reach + more,
                                core * sizeof(float));
        free(a);
        free(b);
    }
}

/* The test above can fail: with two cells around them the cores differ. */
static void a_few_cells_are_not_enough(void **state)
{
    struct relief_erosion erosion = erosion_of(all_kinds, 4, eco_simd_level());
    uint32_t reach = relief_reach(&erosion), less = 2, core = 48;
    struct relief_area near = {-(int64_t)less, -(int64_t)less, core + 2 * less, core + 2 * less, 0};
    struct relief_area wide = {-(int64_t)reach, -(int64_t)reach, core + 2 * reach, core + 2 * reach,
                               0};
    float *a = base_of(&near, NULL, 0.25, 7, eco_simd_level());
    float *b = base_of(&wide, NULL, 0.25, 7, eco_simd_level());
    unsigned different = 0;

    (void)state;
    assert_int_equal(relief_erode_alone(&erosion, &near, &arena, a), 0);
    assert_int_equal(relief_erode_alone(&erosion, &wide, &arena, b), 0);
    for (uint32_t z = 0; z < core; z++)
        different +=
            memcmp(a + (size_t)(z + less) * near.width + less,
                   b + (size_t)(z + reach) * wide.width + reach, core * sizeof(float)) != 0;
    assert_true(different > 0);
    free(a);
    free(b);
}

static void every_simd_level_gives_the_same_bits(void **state)
{
    struct relief_area area = {-301, 77, 333, 150, 0};
    size_t size = (size_t)area.width * area.height * sizeof(float);
    float *reference = NULL;

    (void)state;
    for (int level = 0; level <= (int)eco_simd_supported(); level++) {
        struct relief_erosion erosion = erosion_of(all_kinds, 4, (enum eco_simd)level);
        float *heights = base_of(&area, NULL, 0.25, 3, (enum eco_simd)level);

        assert_int_equal(relief_erode_alone(&erosion, &area, &arena, heights), 0);
        if (reference) {
            assert_memory_equal(reference, heights, size);
            free(heights);
        } else {
            reference = heights;
        }
    }
    free(reference);
}

static void ground_is_neither_made_nor_lost(void **state)
{
    static const enum eco_relief_step_kind kinds[] = {ECO_RELIEF_THERMAL, ECO_RELIEF_INVERTED,
                                                      ECO_RELIEF_SETTLE};
    struct relief_area area = {0, 0, 200, 200, 0};

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        const struct eco_relief_step step = {
            .kind = kinds[k], .iterations = 20, .talus = k ? 16 : 4, .c = 0.5};
        struct relief_erosion erosion = erosion_of(&step, 1, eco_simd_level());
        float *heights = base_of(&area, NULL, 0.25, 5, eco_simd_level());
        double before = 0.0, after = 0.0;

        for (size_t n = 0; n < 40000; n++)
            before += (double)heights[n];
        assert_int_equal(relief_erode_alone(&erosion, &area, &arena, heights), 0);
        for (size_t n = 0; n < 40000; n++)
            after += (double)heights[n];
        /* The border of a settled area keeps its heights, so what it gives is not taken from it. */
        assert_true(fabs(after - before) < (kinds[k] == ECO_RELIEF_SETTLE ? 40.0 : 0.05));
        free(heights);
    }
}

/* --- sources --------------------------------------------------------------------------------- */

static void any_part_of_any_source_is_the_same(void **state)
{
    (void)state;
    for (int kind = 0; kind < ECO_RELIEF_SOURCE_KINDS; kind++) {
        for (unsigned level = 0; level < 6; level++) {
            struct eco_relief_source source = {.kind = (enum eco_relief_source_kind)kind,
                                               .weight = 1.0,
                                               .features = RELIEF_FEATURES(2),
                                               .persistence = 0.5,
                                               .points = 2,
                                               .c1 = -1.0,
                                               .c2 = 0.5,
                                               .c3 = 0.5,
                                               .coverage = 0.8,
                                               .variation = 0.5,
                                               .offset = 0.05};
            struct relief_area whole = {-70, -45, 140, 90, level};
            struct relief_area part = {-13, -20, 50, 31, level};
            float *a = base_of(&whole, &source, 0.25, kind, eco_simd_level());
            float *b = base_of(&part, &source, 0.25, kind, eco_simd_level());

            for (uint32_t z = 0; z < part.height; z++)
                assert_memory_equal(b + (size_t)z * part.width,
                                    a + (size_t)(z + 25) * whole.width + 57,
                                    part.width * sizeof(float));
            free(a);
            free(b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_have_the_published_scores),
        cmocka_unit_test(fifty_inverted_iterations_score_at_least_1_7),
        cmocka_unit_test(settling_makes_more_ground_fit_to_build_on_than_the_paper),
        cmocka_unit_test(reading_order_reaches_2_1),
        cmocka_unit_test(the_reach_is_what_the_colours_allow),
        cmocka_unit_test(the_reach_is_enough_for_twenty_seeds),
        cmocka_unit_test(a_few_cells_are_not_enough),
        cmocka_unit_test(every_simd_level_gives_the_same_bits),
        cmocka_unit_test(ground_is_neither_made_nor_lost),
        cmocka_unit_test(any_part_of_any_source_is_the_same),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
