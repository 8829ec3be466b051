/* Scattered blending against tests/golden/weights_*.csv and region_sums.csv: the double path and
 * the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "biome_sources.h"
#include "blend/engine.h"
#include "ecotone/blend.h"
#include "ecotone/lattice.h"
#include "golden.h"

#define DEMO_SEED 99999

static struct demo_source demo;

static int init_demo(void **state)
{
    (void)state;
    demo_source_init(&demo, DEMO_SEED);
    return 0;
}

/* All points near `rect`, with their biomes; returns how many. */
static size_t gather_points(const struct eco_blend *blend, const struct eco_rect *rect,
                            eco_biome_source source, struct eco_arena *arena,
                            struct eco_blend_points *points)
{
    size_t count;

    assert_int_equal(eco_blend_points_plan(blend, rect, arena, points, NULL), 0);
    count = eco_blend_points_find(points, 0, points->rows);
    for (size_t k = 0; k < count; k++)
        points->biome[k] = (uint8_t)source(&demo, points->x[k], points->z[k]);
    return count;
}

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", got, tolerance, expected);
}

/* What the reference gathers for a chunk: it culls against the closed square [base, base + chunk].
 */
struct census {
    eco_biome_source source;
    size_t points;
    bool present[16];
};

static int count_point(void *context, const struct eco_point *point)
{
    struct census *census = context;

    census->points++;
    census->present[census->source(&demo, point->x, point->z)] = true;
    return 0;
}

static unsigned take_census(const struct eco_blend *blend, double x, double z, double chunk,
                            struct census *census)
{
    struct eco_rect rect = {x, z, x + chunk, z + chunk};
    unsigned biomes = 0;

    assert_int_equal(eco_lattice_gather(blend->seed, blend->frequency, &rect,
                                        eco_blend_radius(blend), count_point, census, NULL),
                     0);
    for (unsigned b = 0; b < 16; b++)
        biomes += census->present[b];
    return biomes;
}

static struct eco_blend blend_of_set(const struct golden *index)
{
    return (struct eco_blend){.frequency = golden_double(index, 3),
                              .padding = golden_double(index, 4),
                              .seed = golden_int(index, 2)};
}

static void every_golden_set_has_the_same_points_and_biomes(void **state)
{
    struct golden index;

    (void)state;
    golden_open(&index, "weights_index.csv");
    while (golden_next(&index)) {
        struct eco_blend blend = blend_of_set(&index);
        struct census census = {.source = source_named(golden_text(&index, 1))};
        unsigned biomes = take_census(&blend, golden_double(&index, 7), golden_double(&index, 8),
                                      golden_double(&index, 6), &census);
        char ids[128];

        assert_near(eco_blend_radius(&blend), golden_double(&index, 5), 1e-12);
        assert_int_equal(census.points, golden_int(&index, 9));
        assert_int_equal(biomes, golden_int(&index, 10));
        assert_int_equal(biomes == 1, golden_int(&index, 12));
        snprintf(ids, sizeof(ids), "%s", golden_text(&index, 11));
        for (char *id = strtok(ids, " "); id; id = strtok(NULL, " "))
            assert_true(census.present[atoi(id)]);
    }
    golden_close(&index, 56);
}

/* The weight of biome `id` in block `k` of a chunk; 0 for a biome that is not listed. */
static double weight_of(const struct eco_blend_chunk *chunk, uint16_t id, size_t k)
{
    for (uint32_t b = 0; b < chunk->count; b++) {
        if (chunk->biomes[b] == id)
            return chunk->weights ? chunk->weights[b * chunk->size * chunk->size + k] : 1.0;
    }
    return 0.0;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The listed ids in rising order. */
static size_t read_ids(const char *text, int *ids)
{
    char copy[128];
    size_t count = 0;

    snprintf(copy, sizeof(copy), "%s", text);
    for (char *id = strtok(copy, " "); id; id = strtok(NULL, " "))
        ids[count++] = atoi(id);
    qsort(ids, count, sizeof(*ids), by_value);
    return count;
}

static void every_golden_weight_matches_to_1e_9(void **state)
{
    struct golden index, full;
    struct eco_blend_chunk chunk = {0};
    int64_t set = -1;
    size_t sets = 0, count = 0;
    int ids[16];

    (void)state;
    golden_open(&index, "weights_index.csv");
    golden_open(&full, "weights_full.csv");
    while (golden_next(&full)) {
        size_t k = (size_t)golden_int(&full, 1);

        while (set != golden_int(&full, 0)) {
            assert_true(golden_next(&index));
            set = golden_int(&index, 0);
            if (set != golden_int(&full, 0))
                continue;
            struct eco_blend blend = blend_of_set(&index);

            eco_blend_chunk_release(&chunk);
            assert_int_equal(
                eco_blend_chunk_compute(&blend, golden_int(&index, 7), golden_int(&index, 8), 16,
                                        source_named(golden_text(&index, 1)), &demo, &chunk, NULL),
                0);
            count = read_ids(golden_text(&index, 11), ids);
            sets++;
        }
        assert_int_equal(full.count, count + 2);
        for (size_t b = 0; b < count; b++)
            assert_near(weight_of(&chunk, (uint16_t)ids[b], k),
                        (double)golden_int(&full, b + 2) * 1e-12, 1e-9);
    }
    eco_blend_chunk_release(&chunk);
    golden_close(&full, 3328);
    golden_close(&index, index.row);
    assert_int_equal(sets, 13);
}

struct region {
    double sum[5], square[5], by_x[5], by_z[5];
    size_t single, chunks, entries, points;
};

/* Cuts [base, base + size) into chunks and adds everything up. */
static void sum_region(const struct eco_blend *blend, eco_biome_source source, int64_t base,
                       int64_t size, int64_t side, struct region *region)
{
    for (int64_t z = base; z < base + size; z += side) {
        for (int64_t x = base; x < base + size; x += side) {
            struct census census = {.source = source};
            unsigned biomes = take_census(blend, (double)x, (double)z, (double)side, &census);
            struct eco_blend_chunk chunk;

            region->chunks++;
            region->single += biomes == 1;
            region->entries += biomes;
            region->points += census.points;
            assert_int_equal(
                eco_blend_chunk_compute(blend, x, z, (uint32_t)side, source, &demo, &chunk, NULL),
                0);
            assert_true(chunk.points <= census.points);
            for (uint32_t b = 0; b < chunk.count; b++) {
                uint16_t id = chunk.biomes[b];

                for (int64_t k = 0; k < side * side; k++) {
                    double w = weight_of(&chunk, id, (size_t)k);

                    region->sum[id] += w;
                    region->square[id] += w * w;
                    region->by_x[id] += w * (double)(x + k % side);
                    region->by_z[id] += w * (double)(z + k / side);
                }
            }
            eco_blend_chunk_release(&chunk);
        }
    }
}

static void region_sums_do_not_depend_on_the_chunk_size(void **state)
{
    struct golden rows;
    struct region region = {0};
    char key[256] = "";

    (void)state;
    golden_open(&rows, "region_sums.csv");
    while (golden_next(&rows)) {
        char own[256];
        int64_t id = golden_int(&rows, 7);

        snprintf(own, sizeof(own), "%s %s %s %s", golden_text(&rows, 0), golden_text(&rows, 1),
                 golden_text(&rows, 2), golden_text(&rows, 3));
        if (strcmp(own, key) != 0) {
            struct eco_blend blend = {.frequency = golden_double(&rows, 1),
                                      .padding = golden_double(&rows, 2),
                                      .seed = 1546881382};

            memcpy(key, own, sizeof(key));
            memset(&region, 0, sizeof(region));
            sum_region(&blend, source_named(golden_text(&rows, 0)), golden_int(&rows, 4),
                       golden_int(&rows, 6), golden_int(&rows, 3), &region);
        }
        assert_near(region.sum[id], golden_double(&rows, 8), 1e-6);
        assert_near(region.square[id], golden_double(&rows, 9), 1e-6);
        assert_near(region.by_x[id], golden_double(&rows, 10), 1e-4);
        assert_near(region.by_z[id], golden_double(&rows, 11), 1e-4);
        assert_int_equal(region.single, golden_int(&rows, 12));
        assert_int_equal(region.chunks, golden_int(&rows, 13));
        assert_int_equal(region.entries, golden_int(&rows, 14));
        assert_int_equal(region.points, golden_int(&rows, 15));
    }
    golden_close(&rows, 162);
}

/* The engine's weights of a 16x16 chunk at an aligned base, against the double path. */
static void compare_engine(const struct eco_blend *blend, eco_biome_source source, int64_t base_x,
                           int64_t base_z, struct eco_arena *arena)
{
    struct eco_rect rect = {(double)base_x, (double)base_z, (double)base_x + 15,
                            (double)base_z + 15};
    struct eco_blend_points points;
    struct eco_blend_lists lists;
    struct eco_blend_chunk chunk;
    struct eco_square square;
    size_t count;

    eco_arena_reset(arena);
    count = gather_points(blend, &rect, source, arena, &points);
    assert_int_equal(eco_blend_lists_find(&points, &rect, arena, &lists), 0);
    assert_int_equal(lists.start[lists.count], count);
    assert_int_equal(
        eco_blend_chunk_compute(blend, base_x, base_z, 16, source, &demo, &chunk, NULL), 0);
    for (unsigned part = 0; part < 4; part++) {
        unsigned dx = part % 2 * 8, dz = part / 2 * 8;

        assert_int_equal(eco_blend_square(eco_simd_level(), &lists, points.radius, base_x + dx,
                                          base_z + dz, 1, arena, &square),
                         0);
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            double sum = 0;

            for (unsigned b = 0; b < square.count; b++) {
                double weight = square.weights ? square.weights[b][k] : 1.0;

                sum += weight;
                assert_near(
                    weight,
                    weight_of(&chunk, square.biomes[b], (size_t)(dz + k / 8) * 16 + dx + k % 8),
                    1e-6);
            }
            assert_near(sum, 1.0, 1e-6);
        }
    }
    eco_blend_chunk_release(&chunk);
}

static void the_engine_agrees_with_the_double_path_to_1e_6(void **state)
{
    struct golden index;
    struct eco_arena arena;

    (void)state;
    eco_arena_init(&arena);
    golden_open(&index, "weights_index.csv");
    while (golden_next(&index)) {
        struct eco_blend blend = blend_of_set(&index);

        compare_engine(&blend, source_named(golden_text(&index, 1)), golden_int(&index, 7),
                       golden_int(&index, 8), &arena);
        /* Far out, where a float of an absolute coordinate would be blind. */
        compare_engine(&blend, analytic_biome, golden_int(&index, 7) + 29999984,
                       golden_int(&index, 8) - 29999984, &arena);
    }
    golden_close(&index, 56);
    eco_arena_release(&arena);
}

static void weights_are_defined_without_padding(void **state)
{
    struct eco_blend blend = {.frequency = 0.1, .padding = 0, .seed = 3};
    struct eco_arena arena;

    (void)state;
    eco_arena_init(&arena);
    for (int64_t x = 0; x < 1600; x += 16)
        compare_engine(&blend, demo_biome, x * 10, x, &arena);
    eco_arena_release(&arena);
}

static uint64_t random_state = 7;

static double random_between(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* Any spacing, radius, step and place; and lists of every length, so that all tails are met. */
static void every_vector_level_gives_the_same_bits(void **state)
{
    struct eco_arena arena;
    unsigned blended = 0, with_moments = 0;

    (void)state;
    eco_arena_init(&arena);
    for (int round = 0; round < 3000; round++) {
        double frequency = ECO_LATTICE_SPACING_FREQUENCY / random_between(3, 20);
        struct eco_blend blend = {
            .frequency = frequency, .padding = random_between(0, 60), .seed = round};
        int64_t step = round % 5 ? 1 : (int64_t)random_between(1, 9);
        int64_t x = (int64_t)random_between(-3e7, 3e7), z = (int64_t)random_between(-3e7, 3e7);
        struct eco_rect rect = {(double)x, (double)z, (double)(x + 7 * step),
                                (double)(z + 7 * step)};
        struct eco_blend_points points;
        struct eco_blend_lists lists;
        struct eco_square truth, square;
        size_t count;

        eco_arena_reset(&arena);
        count = gather_points(&blend, &rect, analytic_biome, &arena, &points);
        assert_int_equal(eco_blend_lists_find(&points, &rect, &arena, &lists), 0);
        assert_int_equal(
            eco_blend_square(ECO_SIMD_SCALAR, &lists, points.radius, x, z, step, &arena, &truth),
            0);
        blended += truth.count > 1;
        with_moments += count > 60;
        for (unsigned level = 1; level <= eco_simd_supported(); level++) {
            assert_int_equal(eco_blend_square((enum eco_simd)level, &lists, points.radius, x, z,
                                              step, &arena, &square),
                             0);
            assert_int_equal(square.count, truth.count);
            assert_memory_equal(square.biomes, truth.biomes, truth.count);
            assert_true((square.weights == NULL) == (truth.weights == NULL));
            if (truth.weights)
                assert_memory_equal(square.weights, truth.weights,
                                    truth.count * sizeof(*truth.weights));
        }
    }
    assert_true(blended > 1000 && with_moments > 500);
    eco_arena_release(&arena);
}

static void bad_arguments_are_refused_with_a_sentence(void **state)
{
    struct eco_blend blend = {.frequency = 0.1, .padding = -1, .seed = 0};
    struct eco_blend_chunk chunk;
    struct eco_error error;

    (void)state;
    assert_int_equal(
        eco_blend_chunk_compute(&blend, 0, 0, 16, analytic_biome, NULL, &chunk, &error),
        ECO_EINVAL);
    assert_non_null(strstr(error.text, "padding -1"));
    blend.padding = 1;
    assert_int_equal(eco_blend_chunk_compute(&blend, 0, 0, 0, analytic_biome, NULL, &chunk, &error),
                     ECO_EINVAL);
    assert_int_equal(
        eco_blend_chunk_compute(&blend, INT64_MAX, 0, 16, analytic_biome, NULL, &chunk, &error),
        ECO_EINVAL);
    assert_null(chunk.biomes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_set_has_the_same_points_and_biomes),
        cmocka_unit_test(every_golden_weight_matches_to_1e_9),
        cmocka_unit_test(region_sums_do_not_depend_on_the_chunk_size),
        cmocka_unit_test(the_engine_agrees_with_the_double_path_to_1e_6),
        cmocka_unit_test(weights_are_defined_without_padding),
        cmocka_unit_test(every_vector_level_gives_the_same_bits),
        cmocka_unit_test(bad_arguments_are_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, init_demo, NULL);
}
