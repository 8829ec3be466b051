/*
 * Worlds: every answer is a pure function of configuration, seed and block, so any partition,
 * order and chunk gives the same bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ecotone/ecotone.h"
#include "golden.h"
#include "raster/raster.h"
#include "world_fixture.h"

#define SIDE 512

/* All the planes of a grid, copied. */
struct fields {
    size_t area;
    uint8_t *biome;
    float *height;
    uint32_t *colour;
};

static void *copy_of(const void *data, size_t bytes)
{
    void *copy = malloc(bytes);

    assert_non_null(copy);
    return memcpy(copy, data, bytes);
}

static struct fields sample_fields(const struct eco_world *world, const struct eco_grid *grid,
                                   struct eco_sampler *sampler)
{
    struct fields fields = {.area = (size_t)grid->width * grid->height};
    struct eco_planes planes;
    struct eco_error error;

    eco_sampler_reset(sampler);
    if (eco_world_sample(world, grid, ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR,
                         sampler, &planes, &error))
        fail_msg("%s", error.text);
    fields.biome = copy_of(planes.biome, fields.area);
    fields.height = copy_of(planes.height, fields.area * sizeof(float));
    fields.colour = copy_of(planes.colour, fields.area * sizeof(uint32_t));
    return fields;
}

static void free_fields(struct fields *fields)
{
    free(fields->biome);
    free(fields->height);
    free(fields->colour);
}

/* The part of `whole` that `grid` covers must equal `part` to the bit. */
static void assert_part_equals(const struct fields *whole, const struct eco_grid *whole_grid,
                               const struct fields *part, const struct eco_grid *grid)
{
    size_t dx = (size_t)((grid->x0 - whole_grid->x0) / grid->step);
    size_t dz = (size_t)((grid->z0 - whole_grid->z0) / grid->step);

    for (uint32_t z = 0; z < grid->height; z++) {
        size_t from = (dz + z) * whole_grid->width + dx, to = (size_t)z * grid->width;

        assert_memory_equal(whole->biome + from, part->biome + to, grid->width);
        assert_memory_equal(whole->height + from, part->height + to, grid->width * sizeof(float));
        assert_memory_equal(whole->colour + from, part->colour + to,
                            grid->width * sizeof(uint32_t));
    }
}

static void assert_parts_equal(const struct eco_world *world, const struct eco_grid *whole_grid,
                               const uint32_t *cuts_x, unsigned columns, const uint32_t *cuts_z,
                               unsigned rows, struct eco_sampler *sampler)
{
    struct fields whole = sample_fields(world, whole_grid, sampler);

    /* From the last part to the first: the order must not matter. */
    for (unsigned row = rows; row-- > 0;) {
        for (unsigned column = columns; column-- > 0;) {
            struct eco_grid grid = {whole_grid->x0 + cuts_x[column] * whole_grid->step,
                                    whole_grid->z0 + cuts_z[row] * whole_grid->step,
                                    whole_grid->step, cuts_x[column + 1] - cuts_x[column],
                                    cuts_z[row + 1] - cuts_z[row]};
            struct fields part = sample_fields(world, &grid, sampler);

            assert_part_equals(&whole, whole_grid, &part, &grid);
            free_fields(&part);
        }
    }
    free_fields(&whole);
}

static void any_partition_gives_the_same_bytes(void **state)
{
    const uint32_t halves[] = {0, 256, 512}, odd[] = {0, 1, 100, 257, 263, 511, 512};
    const uint32_t odd_rows[] = {0, 3, 255, 391, 512};
    const char *const names[] = {"demo", "patchwork"};
    struct eco_sampler *sampler = new_sampler();

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct eco_world *world = open_world(names[n]);
        const struct eco_grid near = {-256, -256, 1, SIDE, SIDE};
        const struct eco_grid askew = {-1003, 777, 1, SIDE, SIDE};

        assert_parts_equal(world, &near, halves, 2, halves, 2, sampler);
        assert_parts_equal(world, &askew, odd, 6, odd_rows, 4, sampler);
        eco_world_close(world);
    }
    eco_sampler_free(sampler);
}

static void any_step_and_phase_gives_the_same_bytes_in_parts(void **state)
{
    const uint32_t cuts[] = {0, 5, 64, 77, 128};
    const int64_t steps[] = {2, 3, 8, 13, 16, 64, 1000, 262144};
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("patchwork");

    (void)state;
    for (unsigned k = 0; k < sizeof(steps) / sizeof(steps[0]); k++) {
        const struct eco_grid grid = {-7 - 60 * steps[k], 11 - 60 * steps[k], steps[k], 128, 128};

        assert_parts_equal(world, &grid, cuts, 4, cuts, 4, sampler);
    }
    eco_world_close(world);
    eco_sampler_free(sampler);
}

static void tiles_far_out_are_seamless_too(void **state)
{
    const uint32_t cuts[] = {0, 64, 131, 192};
    const int64_t edges[] = {-30000000, 30000000, -ECO_WORLD_HALF, ECO_WORLD_HALF - 192};
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("demo");

    (void)state;
    for (unsigned k = 0; k < 16; k++) {
        const struct eco_grid grid = {edges[k % 4], edges[k / 4], 1, 192, 192};

        assert_parts_equal(world, &grid, cuts, 3, cuts, 3, sampler);
    }
    eco_world_close(world);
    eco_sampler_free(sampler);
}

/* A second configuration that differs in the chunk alone. */
static void any_chunk_size_gives_the_same_bytes(void **state)
{
    const unsigned chunks[] = {8, 16, 32, 64};
    const struct eco_grid grid = {-300, 123, 1, 300, 200};
    struct eco_sampler *sampler = new_sampler();
    struct eco_world_config copy = *eco_config_world(config, "demo");
    struct eco_config other = {.worlds = &copy, .worlds_count = 1};
    struct fields first = {0};

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        struct eco_world *world;
        struct fields fields;

        copy.blend.chunk = chunks[k];
        assert_int_equal(eco_world_open(&other, "demo", NULL, &world, NULL), 0);
        fields = sample_fields(world, &grid, sampler);
        if (k == 0)
            first = fields;
        else {
            assert_part_equals(&first, &grid, &fields, &grid);
            free_fields(&fields);
        }
        eco_world_close(world);
    }
    free_fields(&first);
    eco_sampler_free(sampler);
}

static void weights_sum_to_one_and_the_true_biome_weighs_most(void **state)
{
    const struct eco_grid grid = {300, 300, 1, 200, 200};
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("demo");
    struct eco_planes planes;
    size_t mixed = 0, area = 200 * 200;

    (void)state;
    assert_int_equal(
        eco_world_sample(world, &grid, ECO_FIELD_BIOME | ECO_FIELD_WEIGHTS, sampler, &planes, NULL),
        0);
    for (size_t k = 0; k < area; k++) {
        double sum = 0, greatest = 0;

        for (unsigned b = 0; b < 4; b++) {
            sum += planes.weights[b * area + k];
            greatest = fmax(greatest, planes.weights[b * area + k]);
        }
        assert_true(fabs(sum - 1) <= 1e-6);
        assert_true(planes.weights[planes.biome[k] * area + k] == (float)greatest);
        mixed += greatest < 0.999;
    }
    assert_true(mixed > 1000);
    eco_world_close(world);
    eco_sampler_free(sampler);
}

static void the_four_quadrants_are_alike_but_not_copies(void **state)
{
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("patchwork");
    size_t land[4] = {0};
    uint64_t sums[4] = {0};

    (void)state;
    for (unsigned q = 0; q < 4; q++) {
        struct eco_grid grid = {q % 2 ? 0 : -512 * 64, q / 2 ? 0 : -512 * 64, 64, 512, 512};
        struct eco_planes planes;

        eco_sampler_reset(sampler);
        assert_int_equal(eco_world_sample(world, &grid, ECO_FIELD_HEIGHT, sampler, &planes, NULL),
                         0);
        for (size_t k = 0; k < 512 * 512; k++) {
            land[q] += planes.height[k] > 63;
            sums[q] = sums[q] * 31 + (uint64_t)(int64_t)(planes.height[k] * 16);
        }
    }
    for (unsigned q = 0; q < 4; q++) {
        /* Patches are about a thousand blocks wide, so a quadrant has about a thousand of them. */
        assert_true(land[q] > 512 * 512 / 4 && land[q] < 512 * 512 * 3 / 4);
        assert_true(labs((long)land[q] - (long)land[0]) < 512 * 512 / 12);
        for (unsigned other = 0; other < q; other++)
            assert_true(sums[q] != sums[other]);
    }
    eco_world_close(world);
    eco_sampler_free(sampler);
}

/* Samples of 16 blocks are too coarse to blend: the demo world shows the article's biomes as they
 * are. */
static void the_demo_world_is_the_golden_biome_map(void **state)
{
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("demo");
    struct golden map;

    (void)state;
    golden_open(&map, "demo_biome_map.csv");
    while (golden_next(&map)) {
        const char *digits = golden_text(&map, 1);
        const struct eco_grid row = {-512, golden_int(&map, 0), 16, 97, 1};
        struct eco_planes planes;

        assert_int_equal(strlen(digits), 97);
        eco_sampler_reset(sampler);
        assert_int_equal(eco_world_sample(world, &row, ECO_FIELD_BIOME, sampler, &planes, NULL), 0);
        for (size_t k = 0; k < 97; k++)
            assert_int_equal(planes.biome[k], digits[k] - '0');
    }
    golden_close(&map, 49);
    eco_world_close(world);
    eco_sampler_free(sampler);
}

static uint64_t hash_of_seed(int64_t seed)
{
    const struct eco_world_options options = {.seed = &seed};
    const struct eco_grid grid = {-64, -64, 16, 64, 64};
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world;
    struct fields fields;
    uint64_t hash;

    assert_int_equal(eco_world_open(config, "patchwork", &options, &world, NULL), 0);
    assert_true(eco_world_seed(world) == seed);
    fields = sample_fields(world, &grid, sampler);
    hash = eco_hash64(fields.height, fields.area * sizeof(float));
    free_fields(&fields);
    eco_world_close(world);
    eco_sampler_free(sampler);
    return hash;
}

static void all_64_bits_of_a_seed_matter(void **state)
{
    uint64_t base = hash_of_seed(9007199254740993), hashes[64];

    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        hashes[bit] = hash_of_seed((int64_t)(UINT64_C(9007199254740993) ^ UINT64_C(1) << bit));
        assert_true(hashes[bit] != base);
        for (unsigned other = 0; other < bit; other++)
            assert_true(hashes[bit] != hashes[other]);
    }
    assert_true(hash_of_seed(9007199254740993) == base);
}

static void grids_outside_the_limits_are_refused_with_a_sentence(void **state)
{
    const struct eco_grid bad[] = {
        {0, 0, 0, 1, 1},        {0, 0, -1, 1, 1},        {0, 0, 262145, 1, 1},
        {0, 0, 1, 0, 1},        {0, 0, 1, 1, 0},         {0, 0, 1, 1048577, 1},
        {0, 0, 1, 4096, 4096},  {INT64_MAX, 0, 1, 1, 1}, {0, INT64_MIN, 1, 1, 1},
        {67108863, 0, 1, 2, 1}, {0, 0, 262144, 1024, 1},
    };
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("demo"), *missing;
    struct eco_planes planes;
    struct eco_picture picture;
    struct eco_error error;

    (void)state;
    for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
        error.text[0] = 0;
        assert_int_equal(
            eco_world_sample(world, &bad[k], ECO_FIELD_BIOME, sampler, &planes, &error),
            ECO_EINVAL);
        assert_true(strlen(error.text) > 20);
    }
    assert_int_equal(eco_raster_grid(world, ECO_LAYER_RELIEF,
                                     &(struct eco_grid){0, 0, 1, UINT32_MAX, 1}, sampler, &picture,
                                     &error),
                     ECO_EINVAL);
    assert_int_equal(eco_world_open(config, "nowhere", NULL, &missing, &error), ECO_ENOTFOUND);
    assert_non_null(strstr(error.text, "nowhere"));
    assert_null(missing);
    eco_world_close(world);
    eco_sampler_free(sampler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_partition_gives_the_same_bytes),
        cmocka_unit_test(any_step_and_phase_gives_the_same_bytes_in_parts),
        cmocka_unit_test(tiles_far_out_are_seamless_too),
        cmocka_unit_test(any_chunk_size_gives_the_same_bytes),
        cmocka_unit_test(weights_sum_to_one_and_the_true_biome_weighs_most),
        cmocka_unit_test(the_four_quadrants_are_alike_but_not_copies),
        cmocka_unit_test(the_demo_world_is_the_golden_biome_map),
        cmocka_unit_test(all_64_bits_of_a_seed_matter),
        cmocka_unit_test(grids_outside_the_limits_are_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
