/* The jittered lattice against tests/golden/points_*.csv, and what must hold for any rectangle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "ecotone/lattice.h"
#include "golden.h"

#define POINTS_MAX 16384

struct points {
    struct eco_point list[POINTS_MAX];
    size_t count;
};

static int collect(void *context, const struct eco_point *point)
{
    struct points *points = context;

    if (points->count == POINTS_MAX)
        return ECO_ENOMEM;
    points->list[points->count++] = *point;
    return 0;
}

/* The golden combos cull against the closed square [base, base + chunk]. */
static void gather_combo(const struct golden *summary, struct points *points)
{
    double chunk = golden_double(summary, 4);
    double x = golden_double(summary, 5), z = golden_double(summary, 6);
    struct eco_rect rect = {x, z, x + chunk, z + chunk};

    points->count = 0;
    assert_int_equal(eco_lattice_gather(golden_int(summary, 1), golden_double(summary, 2), &rect,
                                        golden_double(summary, 3), collect, points, NULL),
                     0);
}

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", got, tolerance, expected);
}

static void every_golden_combo_has_the_same_count_and_sums(void **state)
{
    static struct points points;
    struct golden summary;

    (void)state;
    golden_open(&summary, "points_summary.csv");
    while (golden_next(&summary)) {
        double base_x = golden_double(&summary, 5), base_z = golden_double(&summary, 6);
        double sum_x = 0, sum_z = 0, sum_distance = 0;

        gather_combo(&summary, &points);
        assert_int_equal(points.count, golden_int(&summary, 7));
        for (size_t k = 0; k < points.count; k++) {
            sum_x += points.list[k].x - base_x;
            sum_z += points.list[k].z - base_z;
            sum_distance += hypot(points.list[k].x - base_x, points.list[k].z - base_z);
        }
        assert_near(sum_x, golden_double(&summary, 8), 1e-9 * (double)points.count);
        assert_near(sum_z, golden_double(&summary, 9), 1e-9 * (double)points.count);
        assert_near(sum_distance, golden_double(&summary, 10), 1e-9 * (double)points.count);
    }
    golden_close(&summary, 61);
}

static void assert_has_point(const struct points *points, double x, double z, uint32_t hash)
{
    for (size_t k = 0; k < points->count; k++) {
        if (fabs(points->list[k].x - x) <= 1e-9 && fabs(points->list[k].z - z) <= 1e-9) {
            assert_int_equal(points->list[k].hash, hash);
            return;
        }
    }
    fail_msg("no point at %.17g, %.17g", x, z);
}

static void every_golden_point_is_found_with_its_hash(void **state)
{
    static struct points points;
    struct golden summary, full;
    int64_t combo = -1;

    (void)state;
    golden_open(&summary, "points_summary.csv");
    golden_open(&full, "points_full.csv");
    while (golden_next(&full)) {
        while (combo != golden_int(&full, 0)) {
            assert_true(golden_next(&summary));
            combo = golden_int(&summary, 0);
            gather_combo(&summary, &points);
        }
        assert_has_point(&points, golden_double(&full, 2), golden_double(&full, 3),
                         (uint32_t)golden_int(&full, 4));
    }
    golden_close(&full, 1483);
    golden_close(&summary, summary.row);
}

static uint64_t random_state = 42;

static double random_between(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* Brute force over a wide square of indices around the rectangle. */
static void gathering_finds_exactly_the_points_within_the_radius(void **state)
{
    static struct points points;

    (void)state;
    for (int round = 0; round < 200; round++) {
        double frequency = random_between(0.02, 0.3), radius = random_between(1, 60);
        double x = random_between(-300, 300), z = random_between(-300, 300);
        struct eco_rect rect = {x, z, x + random_between(0, 80), z + random_between(0, 80)};
        int64_t seed = (int64_t)(random_state ^ (random_state << 31));
        int32_t reach = (int32_t)(1200 * frequency) + 4;
        size_t expected = 0;

        points.count = 0;
        assert_int_equal(eco_lattice_gather(seed, frequency, &rect, radius, collect, &points, NULL),
                         0);
        for (int32_t j = -reach; j <= reach; j++) {
            for (int32_t i = -reach; i <= reach; i++) {
                struct eco_point point = eco_lattice_point(seed, frequency, i, j);
                double dx = fmax(fmax(rect.x0 - point.x, point.x - rect.x1), 0);
                double dz = fmax(fmax(rect.z0 - point.z, point.z - rect.z1), 0);

                if (dx * dx + dz * dz >= radius * radius)
                    continue;
                assert_true(expected < points.count);
                assert_int_equal(points.list[expected].i, i);
                assert_int_equal(points.list[expected].j, j);
                expected++;
            }
        }
        assert_int_equal(points.count, expected);
    }
}

static void a_point_always_lies_within_the_gap(void **state)
{
    static struct points points;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        double x = random_between(-3e7, 3e7), z = random_between(-3e7, 3e7);
        struct eco_rect rect = {x, z, x, z};

        points.count = 0;
        assert_int_equal(
            eco_lattice_gather(7, 0.1, &rect, ECO_LATTICE_GAP / 0.1 + 1e-6, collect, &points, NULL),
            0);
        assert_true(points.count > 0);
    }
}

static void bad_arguments_are_refused_with_a_sentence(void **state)
{
    static struct points points;
    struct eco_rect rect = {0, 0, 16, 16}, backwards = {16, 0, 0, 16}, far = {1e12, 0, 1e12, 0};
    struct eco_error error;

    (void)state;
    assert_int_equal(eco_lattice_gather(0, 0, &rect, 1, collect, &points, &error), ECO_EINVAL);
    assert_non_null(strstr(error.text, "frequency 0"));
    assert_int_equal(eco_lattice_gather(0, 0.1, &rect, NAN, collect, &points, &error), ECO_EINVAL);
    assert_int_equal(eco_lattice_gather(0, 0.1, &backwards, 1, collect, &points, &error),
                     ECO_EINVAL);
    assert_int_equal(eco_lattice_gather(0, 0.1, &far, 1, collect, &points, &error), ECO_EINVAL);
    assert_non_null(strstr(error.text, "out of range"));
}

static void a_visitor_ends_the_walk(void **state)
{
    static struct points points;
    struct eco_rect rect = {0, 0, 2000, 2000};

    (void)state;
    points.count = 0;
    assert_int_equal(eco_lattice_gather(0, 0.2, &rect, 20, collect, &points, NULL), ECO_ENOMEM);
    assert_int_equal(points.count, POINTS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_combo_has_the_same_count_and_sums),
        cmocka_unit_test(every_golden_point_is_found_with_its_hash),
        cmocka_unit_test(gathering_finds_exactly_the_points_within_the_radius),
        cmocka_unit_test(a_point_always_lies_within_the_gap),
        cmocka_unit_test(bad_arguments_are_refused_with_a_sentence),
        cmocka_unit_test(a_visitor_ends_the_walk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
