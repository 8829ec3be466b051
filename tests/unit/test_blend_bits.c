/* Every method gives the same bits for any partition, order, chunk and vector level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "blend/lerp.h"
#include "blend_picture.h"

static void assert_part(const struct picture *whole, const struct picture *part)
{
    const struct eco_grid *grid = &part->grid;
    size_t whole_area = (size_t)whole->grid.width * whole->grid.height;
    size_t area = (size_t)grid->width * grid->height;
    size_t dx = (size_t)((grid->x0 - whole->grid.x0) / grid->step);
    size_t dz = (size_t)((grid->z0 - whole->grid.z0) / grid->step);

    for (size_t z = 0; z < grid->height; z++) {
        size_t from = (dz + z) * whole->grid.width + dx, to = z * grid->width;

        for (size_t b = 0; b < BIOMES; b++)
            assert_memory_equal(whole->weights + b * whole_area + from,
                                part->weights + b * area + to, grid->width * sizeof(float));
        assert_memory_equal(whole->points + from, part->points + to, grid->width);
    }
}

static void every_partition_order_and_chunk_gives_the_same_bits(void **state)
{
    const uint32_t cuts[] = {0, 5, 64, 77, 143, 150};
    const unsigned chunks[] = {8, 16, 32, 64};
    const int64_t steps[] = {1, 3, 4};

    (void)state;
    for (unsigned k = 0; k < ECO_BLEND_METHODS * 3; k++) {
        struct eco_blend blend = blend_by((enum eco_blend_method)(k / 3));
        struct eco_grid grid = {-71, -333, steps[k % 3], 150, 150};
        struct picture whole = blend_grid(&blend, NULL, small_patches, &grid, 16, false);

        for (unsigned part = 0; part < 25; part++) {
            unsigned column = part % 5, row = part / 5;
            struct eco_grid own = {grid.x0 + cuts[column] * grid.step,
                                   grid.z0 + cuts[row] * grid.step, grid.step,
                                   cuts[column + 1] - cuts[column], cuts[row + 1] - cuts[row]};
            struct picture picture =
                blend_grid(&blend, NULL, small_patches, &own, chunks[part % 4], part % 2);

            assert_part(&whole, &picture);
            free_picture(&picture);
        }
        free_picture(&whole);
    }
}

/* A grid wider than what is held at once, so that it is cut inside. */
static void a_wide_grid_has_no_seams(void **state)
{
    (void)state;
    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++) {
        struct eco_blend blend = blend_by((enum eco_blend_method)method);
        struct eco_grid wide = {-700, 3, 1, 1400, 24}, part = {-100, 3, 1, 200, 24};
        struct picture whole = blend_grid(&blend, NULL, analytic_biome, &wide, 16, false);
        struct picture picture = blend_grid(&blend, NULL, analytic_biome, &part, 16, false);

        assert_part(&whole, &picture);
        free_picture(&picture);
        free_picture(&whole);
    }
}

static void two_ways_at_once_give_what_each_gives_alone(void **state)
{
    struct eco_grid grid = {1000, -999, 2, 90, 70};
    size_t bytes = (size_t)90 * 70 * BIOMES * sizeof(float);

    (void)state;
    for (unsigned k = 0; k < ECO_BLEND_METHODS * ECO_BLEND_METHODS; k++) {
        struct eco_blend first = blend_by((enum eco_blend_method)(k / ECO_BLEND_METHODS));
        struct eco_blend second = blend_by((enum eco_blend_method)(k % ECO_BLEND_METHODS));
        struct picture both = blend_grid(&first, &second, small_patches, &grid, 16, false);
        struct picture one = blend_grid(&first, NULL, small_patches, &grid, 16, false);
        struct picture other = blend_grid(&second, NULL, small_patches, &grid, 16, false);

        assert_memory_equal(both.weights, one.weights, bytes);
        assert_memory_equal(both.against, other.weights, bytes);
        assert_memory_equal(both.points, one.points, (size_t)90 * 70);
        free_picture(&both);
        free_picture(&one);
        free_picture(&other);
    }
}

/* The map and window of some samples, as the area makes them. */
static void open_window(const struct disc *disc, int64_t spacing, const struct grid_span *span,
                        struct eco_arena *arena, struct map *map, struct grid_window *window)
{
    struct grid_reach reach = grid_reach_of(disc, span);
    uint32_t columns = (uint32_t)(reach.end_x - reach.first_x);
    uint32_t rows = (uint32_t)(reach.end_z - reach.first_z);
    uint8_t *biomes = eco_arena_alloc(arena, columns, 1);

    assert_int_equal(map_init(map, reach.first_x, reach.first_z, columns, rows, arena), 0);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++)
            biomes[column] =
                (uint8_t)small_patches(NULL, (double)((reach.first_x + column) * spacing),
                                       (double)((reach.first_z + row) * spacing));
        map_fill(map, row, biomes);
    }
    assert_int_equal(grid_window_find(disc, map, span, arena, window), 0);
}

static void assert_same_square(const struct eco_square *a, const struct eco_square *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->biomes, b->biomes, a->count);
    assert_true((a->weights == NULL) == (b->weights == NULL));
    if (a->weights)
        assert_memory_equal(a->weights, b->weights, a->count * sizeof(*a->weights));
}

static void every_vector_level_gives_the_same_bits(void **state)
{
    struct eco_arena arena;
    unsigned blended = 0;

    (void)state;
    eco_arena_init(&arena);
    for (int round = 0; round < 1000; round++) {
        int64_t interval = random_whole(1, 12), step = round % 3 ? 1 : random_whole(1, 9);
        int64_t x = random_whole(-40000000, 40000000), z = random_whole(-40000000, 40000000);
        double radius = random_between(0.71, 4) * (double)interval;
        struct grid_span span = {x, z, x + 7 * step, z + 7 * step};
        struct grid_span points = lerp_span(interval, &span);
        struct grid_window window[2];
        struct eco_square truth[2], square[2];
        struct lerp_planes planes;
        struct disc disc[2];
        struct map map[2];

        eco_arena_reset(&arena);
        assert_int_equal(disc_make(radius, interval, step, &arena, &disc[0]), 0);
        assert_int_equal(disc_make(radius / (double)interval, 1, 1, &arena, &disc[1]), 0);
        open_window(&disc[0], interval, &span, &arena, &map[0], &window[0]);
        open_window(&disc[1], interval, &points, &arena, &map[1], &window[1]);
        for (unsigned level = 0; level <= eco_simd_supported(); level++) {
            struct eco_square *out = level ? square : truth;

            assert_int_equal(grid_square((enum eco_simd)level, &window[0], x, z, &arena, &out[0]),
                             0);
            assert_int_equal(lerp_planes_make((enum eco_simd)level, &window[1], interval, &points,
                                              &arena, &planes),
                             0);
            assert_int_equal(
                lerp_square((enum eco_simd)level, &planes, x, z, step, &arena, &out[1]), 0);
            if (level == 0)
                blended += (truth[0].count > 1) + (truth[1].count > 1);
            for (unsigned k = 0; level && k < 2; k++)
                assert_same_square(&truth[k], &square[k]);
        }
    }
    assert_true(blended > 1000);
    eco_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_partition_order_and_chunk_gives_the_same_bits),
        cmocka_unit_test(a_wide_grid_has_no_seams),
        cmocka_unit_test(two_ways_at_once_give_what_each_gives_alone),
        cmocka_unit_test(every_vector_level_gives_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
