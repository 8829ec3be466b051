/* The methods of blending, each against a plain implementation in double; and their contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "blend_picture.h"

#define HALF_DIAGONAL 0.7071067811865476

/* --- the truth ------------------------------------------------------------------------------ */

/* Adds the kernel of every grid point around a place to its biome's sum, and divides. */
static void weigh_plainly(eco_biome_source source, int64_t interval, double radius, double x,
                          double z, double weights[BIOMES])
{
    double total = 0, each = (double)interval;
    int64_t first_x = (int64_t)ceil((x - radius) / each),
            first_z = (int64_t)ceil((z - radius) / each);

    memset(weights, 0, BIOMES * sizeof(*weights));
    for (int64_t j = first_z; (double)j * each <= z + radius; j++) {
        for (int64_t i = first_x; (double)i * each <= x + radius; i++) {
            double px = (double)i * each, pz = (double)j * each;
            double rest = radius * radius - (px - x) * (px - x) - (pz - z) * (pz - z);

            if (rest <= 0)
                continue;
            weights[source(NULL, px, pz)] += rest * rest;
            total += rest * rest;
        }
    }
    for (int b = 0; b < BIOMES; b++)
        weights[b] /= total;
}

static void lerp_plainly(eco_biome_source source, int64_t interval, double radius, double x,
                         double z, double weights[BIOMES])
{
    double west = floor(x / (double)interval) * (double)interval;
    double north = floor(z / (double)interval) * (double)interval;
    double across = (x - west) / (double)interval, down = (z - north) / (double)interval;

    memset(weights, 0, BIOMES * sizeof(*weights));
    for (int corner = 0; corner < 4; corner++) {
        double at_corner[BIOMES];
        double share = (corner % 2 ? across : 1 - across) * (corner / 2 ? down : 1 - down);

        weigh_plainly(source, interval, radius, west + corner % 2 * (double)interval,
                      north + corner / 2 * (double)interval, at_corner);
        for (int b = 0; b < BIOMES; b++)
            weights[b] += share * at_corner[b];
    }
}

static void truth_of(const struct eco_blend *blend, eco_biome_source source, double x, double z,
                     double weights[BIOMES])
{
    double radius = eco_blend_radius(blend);

    switch (blend->method) {
    case ECO_BLEND_FULL:
        weigh_plainly(source, 1, radius, x, z, weights);
        break;
    case ECO_BLEND_GRID_CONVOLVE:
        weigh_plainly(source, blend->interval, radius, x, z, weights);
        break;
    case ECO_BLEND_GRID_LERP:
        lerp_plainly(source, blend->interval, radius, x, z, weights);
        break;
    default:
        memset(weights, 0, BIOMES * sizeof(*weights));
        weights[source(NULL, x, z)] = 1;
    }
}

static void assert_true_weights(const struct eco_blend *blend, const struct picture *picture,
                                double tolerance)
{
    const struct eco_grid *grid = &picture->grid;
    size_t area = (size_t)grid->width * grid->height;

    for (size_t k = 0; k < area; k++) {
        double x = (double)(grid->x0 + (int64_t)(k % grid->width) * grid->step);
        double z = (double)(grid->z0 + (int64_t)(k / grid->width) * grid->step);
        double truth[BIOMES], sum = 0;

        truth_of(blend, picture->source, x, z, truth);
        for (size_t b = 0; b < BIOMES; b++) {
            sum += (double)picture->weights[b * area + k];
            if (fabs((double)picture->weights[b * area + k] - truth[b]) > tolerance)
                fail_msg("%s, interval %u, radius %g, step %lld at %g, %g: %.9g is not %.9g",
                         eco_blend_method_name(blend->method), blend->interval,
                         eco_blend_radius(blend), (long long)grid->step, x, z,
                         (double)picture->weights[b * area + k], truth[b]);
        }
        assert_true(fabs(sum - 1) <= 1e-6);
    }
}

static struct eco_grid random_grid(int64_t step, uint32_t side)
{
    const int64_t edges[] = {0, -ECO_WORLD_HALF, 2 * ECO_WORLD_HALF - 100000, -100};
    int64_t near = edges[random_whole(0, 3)];

    return (struct eco_grid){near + random_whole(-999, 999), near + random_whole(-999, 999), step,
                             (uint32_t)random_whole(1, side), (uint32_t)random_whole(1, side)};
}

static void compare_at_random(enum eco_blend_method method, int rounds, double narrowest,
                              double tolerance)
{
    for (int round = 0; round < rounds; round++) {
        uint32_t interval = (uint32_t)random_whole(1, 13);
        double gap = method == ECO_BLEND_FULL ? HALF_DIAGONAL : HALF_DIAGONAL * interval;
        struct eco_blend blend = {
            .frequency = 0.1,
            .padding = gap * random_between(narrowest, round % 4 ? 3 : 20),
            .method = method,
            .interval = interval,
        };
        int64_t step = round % 3 ? 1 : random_whole(1, 13);
        struct eco_grid grid = random_grid(step, 40);
        struct picture picture =
            blend_grid(&blend, NULL, round % 2 ? small_patches : analytic_biome, &grid, 16, false);

        assert_true_weights(&blend, &picture, tolerance);
        free_picture(&picture);
    }
}

static void full_equals_a_sum_over_every_block_to_1e_6(void **state)
{
    struct eco_blend wide = {.padding = 24 - HALF_DIAGONAL, .method = ECO_BLEND_FULL};
    struct eco_grid grid = {-33, -70, 1, 70, 70};
    struct picture picture;

    (void)state;
    compare_at_random(ECO_BLEND_FULL, 60, 0.02, 1e-6);
    picture = blend_grid(&wide, NULL, small_patches, &grid, 16, false);
    assert_true_weights(&wide, &picture, 1e-6);
    free_picture(&picture);
}

static void grid_convolve_equals_a_sum_over_the_grid_to_1e_6(void **state)
{
    (void)state;
    compare_at_random(ECO_BLEND_GRID_CONVOLVE, 120, 0.02, 1e-6);
}

static void grid_lerp_lies_between_the_sums_at_the_grid_to_1e_6(void **state)
{
    (void)state;
    compare_at_random(ECO_BLEND_GRID_LERP, 120, 0.02, 1e-6);
}

static void no_blending_is_the_source_itself(void **state)
{
    (void)state;
    compare_at_random(ECO_BLEND_NONE, 40, 0, 0);
}

static void weights_are_defined_without_padding(void **state)
{
    (void)state;
    compare_at_random(ECO_BLEND_FULL, 20, 0, 2e-5);
    compare_at_random(ECO_BLEND_GRID_CONVOLVE, 40, 0, 2e-5);
    compare_at_random(ECO_BLEND_GRID_LERP, 40, 0, 2e-5);
}

static void the_double_path_equals_the_truth_by_every_method(void **state)
{
    const enum eco_blend_method methods[] = {ECO_BLEND_FULL, ECO_BLEND_GRID_CONVOLVE,
                                             ECO_BLEND_GRID_LERP, ECO_BLEND_NONE};

    (void)state;
    for (int round = 0; round < 80; round++) {
        struct eco_blend blend = {.frequency = 0.1,
                                  .padding = random_between(0, 9),
                                  .method = methods[round % 4],
                                  .interval = (uint32_t)random_whole(1, 12)};
        int64_t x = random_whole(-40000000, 40000000), z = random_whole(-500, 500);
        uint32_t size = (uint32_t)random_whole(1, 24);
        struct eco_blend_chunk chunk;

        assert_int_equal(
            eco_blend_chunk_compute(&blend, x, z, size, small_patches, NULL, &chunk, NULL), 0);
        for (uint32_t k = 0; k < size * size; k++) {
            double truth[BIOMES], got[BIOMES] = {0};

            truth_of(&blend, small_patches, (double)(x + k % size), (double)(z + k / size), truth);
            for (uint32_t b = 0; b < chunk.count; b++)
                got[chunk.biomes[b]] = chunk.weights ? chunk.weights[b * size * size + k] : 1;
            for (int b = 0; b < BIOMES; b++)
                assert_true(fabs(got[b] - truth[b]) <= 1e-9);
        }
        eco_blend_chunk_release(&chunk);
    }
}

/* --- the rest of the contract --------------------------------------------------------------- */

static void another_method_has_the_same_radius(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ECO_BLEND_METHODS * ECO_BLEND_METHODS; k++) {
        struct eco_blend from = blend_by((enum eco_blend_method)(k / ECO_BLEND_METHODS));
        struct eco_blend to = eco_blend_by(&from, (enum eco_blend_method)(k % ECO_BLEND_METHODS));

        assert_true(fabs(eco_blend_radius(&from) - eco_blend_radius(&to)) < 1e-12);
        assert_true(to.padding > 0);
    }
}

static void methods_are_found_by_their_names_alone(void **state)
{
    (void)state;
    for (int method = 0; method < ECO_BLEND_METHODS; method++) {
        const char *name = eco_blend_method_name((enum eco_blend_method)method);

        assert_int_equal(eco_blend_method_find(name, strlen(name)), method);
        assert_int_equal(eco_blend_method_find(name, strlen(name) - 1), ECO_ENOTFOUND);
    }
    assert_int_equal(eco_blend_method_find("fulll", 5), ECO_ENOTFOUND);
}

static void points_of_a_grid_are_its_multiples(void **state)
{
    struct eco_blend blend = blend_by(ECO_BLEND_GRID_LERP);
    struct eco_grid grid = {-100, -50, 1, 120, 90};
    struct picture picture = blend_grid(&blend, NULL, small_patches, &grid, 16, false);

    (void)state;
    for (size_t k = 0; k < 120 * 90; k++) {
        int64_t x = grid.x0 + (int64_t)k % 120, z = grid.z0 + (int64_t)k / 120;
        bool point = eco_floor_mod(x, 6) == 0 && eco_floor_mod(z, 6) == 0;

        assert_int_equal(picture.points[k],
                         point ? small_patches(NULL, (double)x, (double)z) + 1 : 0);
    }
    free_picture(&picture);
}

static void scattered_points_appear_where_they_lie(void **state)
{
    struct eco_blend blend = blend_by(ECO_BLEND_SCATTERED);
    struct eco_grid grid = {-300, 200, 1, 240, 240};
    struct picture picture = blend_grid(&blend, NULL, small_patches, &grid, 16, false);
    size_t count = 0;

    (void)state;
    for (size_t k = 0; k < 240 * 240; k++)
        count += picture.points[k] != 0;
    /* One for 36 blocks; two may share a block. */
    assert_true(count > 1550 && count <= 1650);
    for (int32_t i = -60; i <= 60; i++) {
        struct eco_point point = eco_lattice_point(blend.seed, blend.frequency, i, 50);
        int64_t x = (int64_t)floor(point.x + 0.5) - grid.x0;
        int64_t z = (int64_t)floor(point.z + 0.5) - grid.z0;

        if (x >= 0 && z >= 0 && x < 240 && z < 240)
            assert_int_not_equal(picture.points[z * 240 + x], 0);
    }
    free_picture(&picture);
}

static void more_points_than_memory_could_hold_are_refused(void **state)
{
    struct eco_blend blend = blend_by(ECO_BLEND_FULL);
    struct eco_grid grid = {0, 0, 4096, 8, 8};
    struct picture picture = {.grid = grid, .source = analytic_biome};
    struct eco_blend_area work = {
        .grid = &grid, .chunk = 16, .blend = &blend, .ask = ask, .take = take, .context = &picture};
    struct eco_arena arena;
    struct eco_error error;

    (void)state;
    eco_arena_init(&arena);
    assert_int_equal(eco_blend_area_run(&work, NULL, &arena, &error), ECO_EINVAL);
    assert_non_null(strstr(error.text, "4096 blocks apart"));
    assert_int_equal(picture.asked, 0);
    eco_arena_release(&arena);
}

static void bad_methods_and_intervals_are_refused_with_a_sentence(void **state)
{
    struct eco_blend blend = {.frequency = 0.1, .method = ECO_BLEND_GRID_LERP};
    struct eco_blend_chunk chunk;
    struct eco_error error;

    (void)state;
    assert_int_equal(
        eco_blend_chunk_compute(&blend, 0, 0, 16, analytic_biome, NULL, &chunk, &error),
        ECO_EINVAL);
    assert_non_null(strstr(error.text, "interval 0"));
    blend.method = ECO_BLEND_METHODS;
    assert_int_equal(
        eco_blend_chunk_compute(&blend, 0, 0, 16, analytic_biome, NULL, &chunk, &error),
        ECO_EINVAL);
    assert_non_null(strstr(error.text, "no method 5"));
    blend.method = ECO_BLEND_FULL;
    assert_int_equal(
        eco_blend_chunk_compute(&blend, INT64_MIN, 0, 16, analytic_biome, NULL, &chunk, &error),
        ECO_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_equals_a_sum_over_every_block_to_1e_6),
        cmocka_unit_test(grid_convolve_equals_a_sum_over_the_grid_to_1e_6),
        cmocka_unit_test(grid_lerp_lies_between_the_sums_at_the_grid_to_1e_6),
        cmocka_unit_test(no_blending_is_the_source_itself),
        cmocka_unit_test(weights_are_defined_without_padding),
        cmocka_unit_test(the_double_path_equals_the_truth_by_every_method),
        cmocka_unit_test(another_method_has_the_same_radius),
        cmocka_unit_test(methods_are_found_by_their_names_alone),
        cmocka_unit_test(points_of_a_grid_are_its_multiples),
        cmocka_unit_test(scattered_points_appear_where_they_lie),
        cmocka_unit_test(more_points_than_memory_could_hold_are_refused),
        cmocka_unit_test(bad_methods_and_intervals_are_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
