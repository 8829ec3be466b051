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
#define FEW 4 /* of erosion, whose bounds are far below its means */

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

static enum eco_relief_field displaced_by;

/* Heights of an area, of one source, or of the standard mix where that is NULL. */
static float *base_of(const struct relief_area *area, struct eco_relief_source *source,
                      double perturb, int64_t seed, enum eco_simd simd)
{
    struct eco_relief_config config = {.period = PERIOD,
                                       .sources = source,
                                       .sources_count = source ? 1 : 0,
                                       .perturb = perturb,
                                       .perturb_by = displaced_by};
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
    const int64_t seeds = count > 0 ? FEW : SEEDS;
    struct relief_erosion erosion = erosion_of(steps, count, eco_simd_level());
    uint32_t margin = eco_score_margin(&paper), around = margin + relief_reach(&erosion);
    uint32_t side = PERIOD + 2 * around, wide = PERIOD + 2 * margin;
    struct relief_area area = {-(int64_t)around, -(int64_t)around, side, side, 0};
    float *window = malloc((size_t)wide * wide * sizeof(*window));
    struct eco_score mean = {0};

    assert_non_null(window);
    for (int64_t seed = 1; seed <= seeds; seed++) {
        float *heights = base_of(&area, source, perturb, seed, eco_simd_level());
        struct eco_score score;

        assert_int_equal(relief_erode(&erosion, &area, &arena, heights), 0);
        for (size_t z = 0; z < wide; z++)
            memcpy(window + z * wide, heights + (z + around - margin) * side + around - margin,
                   wide * sizeof(*window));
        assert_int_equal(eco_score_window(window, PERIOD, PERIOD, &paper, &arena, &score), 0);
        mean.eps += score.eps / (double)seeds;
        mean.upsilon += score.upsilon / (double)seeds;
        mean.beta += score.beta / (double)seeds;
        mean.omega += score.omega / (double)seeds;
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
    for (int64_t seed = 1; seed <= FEW; seed++) {
        float *heights = base_of(&area, NULL, 0.25, seed, eco_simd_level());
        const struct eco_score_rules rules = {8.0 / PERIOD, 2.0 / PERIOD, 1, 1};
        struct eco_score score;

        assert_int_equal(relief_erode_reading_order(&erosion, &area, &arena, heights), 0);
        assert_int_equal(eco_score_window(heights, PERIOD, PERIOD, &rules, &arena, &score), 0);
        eps += score.eps / FEW;
        free(heights);
    }
    assert_true(eps >= 2.1);
}

/* --- reach ----------------------------------------------------------------------------------- */

#define HYDRAULIC(form_, iterations_)                                                              \
    {                                                                                              \
        .kind = ECO_RELIEF_HYDRAULIC, .form = form_, .iterations = iterations_, .rain = 0.01,      \
        .solubility = 0.02, .capacity = 0.5, .evaporation = 0.4                                    \
    }

static const struct eco_relief_step all_kinds[] = {
    {.kind = ECO_RELIEF_THERMAL, .iterations = 3, .talus = 4, .c = 0.5},
    {.kind = ECO_RELIEF_THERMAL,
     .form = ECO_RELIEF_REFERENCE,
     .iterations = 6,
     .talus = 4,
     .c = 0.5},
    HYDRAULIC(ECO_RELIEF_FAST, 4),
    HYDRAULIC(ECO_RELIEF_REFERENCE, 5),
    {.kind = ECO_RELIEF_INVERTED, .iterations = 8, .talus = 16},
    {.kind = ECO_RELIEF_SETTLE, .iterations = 5, .talus = 8},
};
#define KINDS (sizeof(all_kinds) / sizeof(all_kinds[0]))

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

#define CORE 48

/* Lines of a core of CORE x CORE cells that differ: made with `less` cells around it, and with what
 * reaches it and more. */
static unsigned differing_lines(const struct relief_erosion *erosion, int64_t seed, uint32_t less,
                                uint32_t more)
{
    uint32_t reach = relief_reach(erosion), far = reach + more;
    int64_t x0 = seed * 997 - 9000, z0 = 5000 - seed * 613;
    struct relief_area near = {x0 - less, z0 - less, CORE + 2 * less, CORE + 2 * less, 0};
    struct relief_area wide = {x0 - far, z0 - far - 1, CORE + 2 * far, CORE + 2 * far + 1, 0};
    float *a = base_of(&near, NULL, 0.25, seed, eco_simd_level());
    float *b = base_of(&wide, NULL, 0.25, seed, eco_simd_level());
    unsigned different = 0;

    if (less == reach)
        assert_int_equal(relief_erode(erosion, &near, &arena, a), 0);
    else
        assert_int_equal(relief_erode_alone(erosion, &near, &arena, a), 0);
    assert_int_equal(relief_erode_alone(erosion, &wide, &arena, b), 0);
    for (uint32_t z = 0; z < CORE; z++)
        different +=
            memcmp(a + (size_t)(z + less) * near.width + less,
                   b + (size_t)(z + far + 1) * wide.width + far, CORE * sizeof(float)) != 0;
    free(a);
    free(b);
    return different;
}

/* A core made with the reach around it equals the same core with much more around it, bit for bit,
 * wherever the area begins, for each kind and for all one after the other. With a cell around it
 * for each iteration, or less, it does not: the test can fail. */
static void the_reach_is_enough_for_twenty_seeds(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind <= KINDS; kind++) {
        struct relief_erosion erosion =
            erosion_of(all_kinds + kind % KINDS, kind < KINDS ? 1 : KINDS, eco_simd_level());
        unsigned different = 0;

        for (int64_t seed = 0; seed < 20; seed++) {
            uint32_t more = 3 + (uint32_t)seed * 4 % 61;

            assert_int_equal(differing_lines(&erosion, seed, relief_reach(&erosion), more), 0);
            different += seed < FEW ? differing_lines(&erosion, seed, 2, more) : 0;
        }
        assert_true(different > 0);
    }
}

/* The formulas of the paper, cell after cell, which give to a second field. */
static void plain_thermal(const struct eco_relief_step *step, size_t side, const float *h,
                          float *out)
{
    float talus = (float)(step->talus / PERIOD);

    memcpy(out, h, side * side * sizeof(*out));
    for (size_t cell = side; cell < side * (side - 1); cell++) {
        float most = 0.0f, total = 0.0f;

        if (cell % side == 0 || cell % side == side - 1)
            continue;
        for (int k = 0; k < 9; k++) {
            float fall = h[cell] - h[(ptrdiff_t)cell + (k / 3 - 1) * (ptrdiff_t)side + k % 3 - 1];

            total += fall > talus ? fall : 0.0f;
            most = fall > most ? fall : most;
        }
        for (int k = 0; most > talus && k < 9; k++) {
            ptrdiff_t to = (ptrdiff_t)cell + (k / 3 - 1) * (ptrdiff_t)side + k % 3 - 1;
            float fall = h[cell] - h[to];

            out[to] += fall > talus ? (float)step->c * (most - talus) * fall / total : 0.0f;
        }
        out[cell] -= most > talus ? (float)step->c * (most - talus) : 0.0f;
    }
}

static void plain_transport(size_t side, const float *h, float *w, float *m)
{
    size_t bytes = side * side * sizeof(*w);
    float *water = malloc(bytes), *load = malloc(bytes);

    assert_true(water && load);
    memcpy(water, w, bytes);
    memcpy(load, m, bytes);
    for (size_t cell = side; cell < side * (side - 1); cell++) {
        float a = h[cell] + water[cell], total = 0.0f, sum = a, cells = 1.0f, amount;

        if (cell % side == 0 || cell % side == side - 1)
            continue;
        for (int k = 0; k < 9; k++) {
            ptrdiff_t at = (ptrdiff_t)cell + (k / 3 - 1) * (ptrdiff_t)side + k % 3 - 1;

            if (h[at] + water[at] < a) {
                total += a - h[at] - water[at];
                sum += h[at] + water[at];
                cells += 1.0f;
            }
        }
        amount = a - sum / cells < water[cell] ? a - sum / cells : water[cell];
        for (int k = 0; total > 0.0f && k < 9; k++) {
            ptrdiff_t to = (ptrdiff_t)cell + (k / 3 - 1) * (ptrdiff_t)side + k % 3 - 1;
            float fall = a - h[to] - water[to];

            if (fall > 0.0f) {
                w[to] += amount * fall / total;
                w[cell] -= amount * fall / total;
                m[to] += load[cell] * amount / water[cell] * fall / total;
                m[cell] -= load[cell] * amount / water[cell] * fall / total;
            }
        }
    }
    free(water);
    free(load);
}

static void plain_hydraulic(const struct eco_relief_step *step, size_t side, float *h)
{
    float *w = calloc(side * side, sizeof(*w)), *m = calloc(side * side, sizeof(*m));

    assert_true(w && m);
    for (unsigned n = 0; n < step->iterations; n++) {
        for (size_t k = 0; k < side * side; k++) {
            w[k] += (float)step->rain;
            m[k] += (float)step->solubility * w[k];
            h[k] -= (float)step->solubility * w[k];
        }
        plain_transport(side, h, w, m);
        for (size_t k = 0; k < side * side; k++) {
            float most;

            w[k] *= 1.0f - (float)step->evaporation;
            most = (float)step->capacity * w[k];
            h[k] += m[k] > most ? m[k] - most : 0.0f;
            m[k] = m[k] > most ? most : m[k];
        }
    }
    free(w);
    free(m);
}

static void reference_forms_are_the_formulas_of_the_paper(void **state)
{
    struct relief_area area = {31, -17, 96, 96, 0};

    (void)state;
    for (unsigned kind = 1; kind <= 3; kind += 2) {
        const struct eco_relief_step *step = &all_kinds[kind];
        struct relief_erosion erosion = erosion_of(step, 1, eco_simd_level());
        float *heights = base_of(&area, NULL, 0.25, 9, eco_simd_level());
        float *plain = base_of(&area, NULL, 0.25, 9, eco_simd_level());
        float *other = malloc(96 * 96 * sizeof(*other));
        size_t border = step->iterations * 2, changed = 0, wrong = 0;
        float worst = 0.0f;

        assert_non_null(other);
        memcpy(other, plain, 96 * 96 * sizeof(*other));
        assert_int_equal(relief_erode_alone(&erosion, &area, &arena, heights), 0);
        for (unsigned n = 0; kind == 1 && n < step->iterations; n++) {
            plain_thermal(step, 96, plain, other);
            memcpy(plain, other, 96 * 96 * sizeof(*other));
        }
        if (kind == 3)
            plain_hydraulic(step, 96, plain);
        free(other);
        other = base_of(&area, NULL, 0.25, 9, eco_simd_level());
        for (size_t z = border; z < 96 - border; z++) {
            for (size_t x = border; x < 96 - border; x++) {
                float off = fabsf(heights[z * 96 + x] - plain[z * 96 + x]);

                wrong += off > 2e-6f;
                worst = off > worst ? off : worst;
                changed += fabsf(other[z * 96 + x] - plain[z * 96 + x]) > 1e-4f;
            }
        }
        /* A fall that rounding moves over the talus slides or does not. */
        assert_true(wrong <= (kind == 1 ? changed / 100 : 0) && worst < 0.002f);
        assert_true(changed > 1000);
        free(other);
        free(plain);
        free(heights);
    }
}

static void every_simd_level_gives_the_same_bits(void **state)
{
    struct relief_area area = {-301, 77, 333, 150, 0};
    size_t size = (size_t)area.width * area.height * sizeof(float);
    float *reference = NULL;

    (void)state;
    for (int level = 0; level <= (int)eco_simd_supported(); level++) {
        struct relief_erosion erosion = erosion_of(all_kinds, KINDS, (enum eco_simd)level);
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
    struct relief_area area = {0, 0, 200, 200, 0};

    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        struct eco_relief_step step = all_kinds[k];
        struct relief_erosion erosion = erosion_of(&step, 1, eco_simd_level());
        float *heights = base_of(&area, NULL, 0.25, 5, eco_simd_level());
        double before = 0.0, after = 0.0;
        bool border_gives = step.kind == ECO_RELIEF_SETTLE || step.form == ECO_RELIEF_REFERENCE;

        if (step.kind == ECO_RELIEF_HYDRAULIC)
            step.evaporation = 1.0; /* nothing is left in the water */
        step.iterations = 20;
        for (size_t n = 0; n < 40000; n++)
            before += (double)heights[n];
        assert_int_equal(relief_erode_alone(&erosion, &area, &arena, heights), 0);
        for (size_t n = 0; n < 40000; n++)
            after += (double)heights[n];
        /* Where the border keeps its heights, what it takes and gives is not counted there. */
        assert_true(fabs(after - before) < (border_gives ? 40.0 : 0.05));
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
                                               .jitter = 0.9,
                                               .c1 = -1.0,
                                               .c2 = 0.5,
                                               .c3 = 0.5,
                                               .coverage = 0.8,
                                               .variation = 0.5,
                                               .offset = 0.05};
            struct relief_area whole = {-70, -45, 140, 90, level};
            struct relief_area part = {-13, -20, 50, 31, level};

            displaced_by = level % 2 ? ECO_RELIEF_BY_MIDPOINT : ECO_RELIEF_BY_SPECTRAL;
            float *a = base_of(&whole, &source, 0.25, kind, eco_simd_level());
            float *b = base_of(&part, &source, 0.25, kind, eco_simd_level());

            displaced_by = ECO_RELIEF_BY_SPECTRAL;
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
        cmocka_unit_test(reference_forms_are_the_formulas_of_the_paper),
        cmocka_unit_test(every_simd_level_gives_the_same_bits),
        cmocka_unit_test(ground_is_neither_made_nor_lost),
        cmocka_unit_test(any_part_of_any_source_is_the_same),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
