/* Scores of windows: connected parts against a brute-force flood, squares against every square. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "world/score.h"
#include "world/score_world.h"

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

/* Spreads from one cell to all that hang together with it, one sweep after another until nothing
 * changes. */
static size_t flood(const uint8_t *open, size_t width, size_t height, size_t from, uint8_t *part)
{
    size_t cells = 1;
    int changed = 1;

    memset(part, 0, width * height);
    part[from] = 1;
    while (changed) {
        changed = 0;
        for (size_t k = 0; k < width * height; k++) {
            size_t x = k % width, z = k / width;

            if (!open[k] || part[k])
                continue;
            if ((x > 0 && part[k - 1]) || (x + 1 < width && part[k + 1]) ||
                (z > 0 && part[k - width]) || (z + 1 < height && part[k + width])) {
                part[k] = 1;
                cells++;
                changed = 1;
            }
        }
    }
    return cells;
}

static size_t brute_largest(const uint8_t *open, size_t width, size_t height, uint8_t *best,
                            size_t *parts)
{
    uint8_t *part = calloc(width, height), *seen = calloc(width, height);
    size_t largest = 0;

    assert_true(part && seen);
    *parts = 0;
    memset(best, 0, width * height);
    for (size_t k = 0; k < width * height; k++) {
        size_t cells;

        if (!open[k] || seen[k])
            continue;
        cells = flood(open, width, height, k, part);
        for (size_t n = 0; n < width * height; n++)
            seen[n] |= part[n];
        (*parts)++;
        if (cells > largest) {
            largest = cells;
            memcpy(best, part, width * height);
        }
    }
    free(part);
    free(seen);
    return largest;
}

static void largest_part_equals_a_flood_on_100_random_maps(void **state)
{
    enum { MOST = 61 };
    static uint8_t open[MOST * MOST], part[MOST * MOST], best[MOST * MOST];

    (void)state;
    for (uint64_t map = 0; map < 100; map++) {
        size_t width = 1 + eco_mix64(map) % MOST, height = 1 + eco_mix64(map + 1000) % MOST;
        uint64_t share = 30 + map % 50; /* percent of the cells that are set */
        size_t largest, parts, expected_parts, expected;

        for (size_t k = 0; k < width * height; k++)
            open[k] = eco_mix64(map << 32 | k) % 100 < share;
        expected = brute_largest(open, width, height, best, &expected_parts);
        assert_int_equal(eco_score_connect(open, width, height, &arena, part, &largest, &parts), 0);
        assert_int_equal(largest, expected);
        assert_int_equal(parts, expected_parts);
        assert_memory_equal(part, best, width * height);
    }
}

static void parts_of_spirals_combs_and_nothing(void **state)
{
    static const char *const maps[] = {
        "........",         "########",         "#.#.#.#.",         "#.#.#.#####.#.#.",
        "##.#.##.####...#", "#..##..##..##..#", ".#.##.#..#.##.#.",
    };

    (void)state;
    for (size_t m = 0; m < sizeof(maps) / sizeof(maps[0]); m++) {
        size_t area = strlen(maps[m]), width = 4, height = area / width;
        uint8_t open[16], part[16], best[16];
        size_t largest, parts, expected_parts, expected;

        for (size_t k = 0; k < area; k++)
            open[k] = maps[m][k] == '#';
        expected = brute_largest(open, width, height, best, &expected_parts);
        assert_int_equal(eco_score_connect(open, width, height, &arena, part, &largest, &parts), 0);
        assert_int_equal(largest, expected);
        assert_int_equal(parts, expected_parts);
        assert_memory_equal(part, best, area);
    }
}

static void open_cells_are_those_of_whole_squares(void **state)
{
    enum { WIDTH = 37, HEIGHT = 29 };
    static float slopes[WIDTH * HEIGHT];
    static uint8_t open[WIDTH * HEIGHT], expected[WIDTH * HEIGHT];

    (void)state;
    for (unsigned size = 1; size <= 40; size += size < 10 ? 1 : 15) {
        for (size_t k = 0; k < WIDTH * HEIGHT; k++)
            slopes[k] = eco_mix64(k + size) % 100 < 3 ? 1.0f : 0.1f;
        memset(expected, 0, sizeof(expected));
        for (size_t z = 0; z + size <= HEIGHT; z++) {
            for (size_t x = 0; x + size <= WIDTH; x++) {
                unsigned flat = 0;

                for (size_t k = 0; k < (size_t)size * size; k++)
                    flat += slopes[(z + k / size) * WIDTH + x + k % size] < 0.5f;
                for (size_t k = 0; flat == size * size && k < (size_t)size * size; k++)
                    expected[(z + k / size) * WIDTH + x + k % size] = 1;
            }
        }
        assert_int_equal(eco_score_open(slopes, WIDTH, HEIGHT, 0.5f, size, &arena, open), 0);
        assert_memory_equal(open, expected, sizeof(open));
    }
}

/* A plane has one slope: no deviation, all or nothing of it accessible. */
static void a_plane_has_no_deviation_and_is_one_part(void **state)
{
    enum { SIDE = 40, MARGIN = 9, WIDE = SIDE + 2 * MARGIN };
    const struct eco_score_rules rules = {0.5, 0.125, 1, 9};
    static float heights[WIDE * WIDE];
    struct eco_score score;

    (void)state;
    for (size_t k = 0; k < WIDE * WIDE; k++)
        heights[k] = 0.25f * (float)(k % WIDE);
    assert_int_equal(eco_score_window(heights, SIDE, SIDE, &rules, &arena, &score), 0);
    assert_true(fabs(score.mean - 0.25) < 1e-9 && score.eps < 1e-6);
    assert_int_equal(score.largest, SIDE * SIDE);
    assert_true(score.upsilon == 1.0 && score.beta == 0.0);
    for (size_t k = 0; k < WIDE * WIDE; k++)
        heights[k] *= 0.25f;
    assert_int_equal(eco_score_window(heights, SIDE, SIDE, &rules, &arena, &score), 0);
    assert_true(score.upsilon == 1.0 && score.beta == 1.0);
}

static void a_wall_cuts_a_window_in_two(void **state)
{
    enum { SIDE = 40, MARGIN = 9, WIDE = SIDE + 2 * MARGIN };
    const struct eco_score_rules rules = {0.5, 0.125, 1, 9};
    static float heights[WIDE * WIDE];
    struct eco_score score;

    (void)state;
    for (size_t k = 0; k < WIDE * WIDE; k++)
        heights[k] = k % WIDE >= MARGIN + 15 ? 10.0f : 0.0f;
    assert_int_equal(eco_score_window(heights, SIDE, SIDE, &rules, &arena, &score), 0);
    /* The columns on both sides of the step are steep: 14 and 24 are left. */
    assert_int_equal(score.parts, 2);
    assert_int_equal(score.largest, 24 * SIDE);
    assert_true(fabs(score.beta - 24.0 / 40.0) < 1e-9);
    assert_true(fabs(score.build - 38.0 / 40.0) < 1e-9);
}

static void windows_that_cannot_be_scored_are_refused(void **state)
{
    static const struct eco_score_query wrong[] = {
        {0, 0, 0, 10, 1, {0.5, 0.1, 1, 9}},
        {0, 0, 10, -1, 1, {0.5, 0.1, 1, 9}},
        {0, 0, 10, 10, 0, {0.5, 0.1, 1, 9}},
        {0, 0, 10, 10, 1, {0.0, 0.1, 1, 9}},
        {0, 0, 10, 10, 1, {0.5, 1e9, 1, 9}},
        {0, 0, 10, 10, 1, {0.5, 0.1, 0, 9}},
        {0, 0, 10, 10, 1, {0.5, 0.1, 1, 65}},
        {-ECO_WORLD_HALF - 1, 0, 10, 10, 1, {0.5, 0.1, 1, 9}},
        {0, 0, 4000, 4000, 1, {0.5, 0.1, 1, 9}},
    };
    const struct eco_score_query right = {-5, -5, 10, 10, 1, {0.5, 0.1, 1, 9}};

    (void)state;
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        struct eco_error error = {0};

        assert_int_equal(eco_score_check(&wrong[k], ECO_WORLD_AREA_MAX, &error), ECO_EINVAL);
        assert_true(strlen(error.text) > 10);
    }
    assert_int_equal(eco_score_check(&right, ECO_WORLD_AREA_MAX, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_part_equals_a_flood_on_100_random_maps),
        cmocka_unit_test(parts_of_spirals_combs_and_nothing),
        cmocka_unit_test(open_cells_are_those_of_whole_squares),
        cmocka_unit_test(a_plane_has_no_deviation_and_is_one_part),
        cmocka_unit_test(a_wall_cuts_a_window_in_two),
        cmocka_unit_test(windows_that_cannot_be_scored_are_refused),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
