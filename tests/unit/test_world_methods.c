/* Worlds blended by another method than their own, and the fields that show the blending. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ecotone/ecotone.h"
#include "raster/raster.h"
#include "serve/pool.h"
#include "world_fixture.h"

#define FIELDS                                                                                     \
    (ECO_FIELD_BIOME | ECO_FIELD_COLOUR | ECO_FIELD_WEIGHTS | ECO_FIELD_BORDER |                   \
     ECO_FIELD_BLEND_ERROR | ECO_FIELD_POINTS)

static struct eco_world *open_by(const char *name, enum eco_blend_method method)
{
    const struct eco_world_options options = {.blend = &method};
    struct eco_world *world;
    struct eco_error error;

    if (eco_world_open(config, name, &options, &world, &error))
        fail_msg("%s", error.text);
    assert_int_equal(eco_world_blend(world), method);
    return world;
}

static void assert_rows_equal(const void *whole, size_t whole_width, size_t x, size_t z,
                              const void *part, const struct eco_grid *grid, size_t bytes)
{
    for (size_t row = 0; row < grid->height; row++)
        assert_memory_equal((const char *)whole + ((z + row) * whole_width + x) * bytes,
                            (const char *)part + row * grid->width * bytes, grid->width * bytes);
}

/* The parts of a grid of 128 x 128 samples, each for itself. */
static void assert_parts_equal(const struct eco_world *world, const struct eco_grid *grid)
{
    const uint32_t cuts[] = {0, 5, 64, 77, 128};
    struct eco_sampler *whole_sampler, *sampler;
    struct eco_planes whole;

    assert_int_equal(eco_sampler_new(&whole_sampler), 0);
    assert_int_equal(eco_sampler_new(&sampler), 0);
    whole = sample(world, grid, FIELDS, whole_sampler);
    for (unsigned part = 16; part-- > 0;) {
        uint32_t x = cuts[part % 4], z = cuts[part / 4];
        struct eco_grid own = {grid->x0 + x * grid->step, grid->z0 + z * grid->step, grid->step,
                               cuts[part % 4 + 1] - x, cuts[part / 4 + 1] - z};
        struct eco_planes planes;

        eco_sampler_reset(sampler);
        planes = sample(world, &own, FIELDS, sampler);
        assert_rows_equal(whole.biome, 128, x, z, planes.biome, &own, 1);
        assert_rows_equal(whole.colour, 128, x, z, planes.colour, &own, sizeof(uint32_t));
        assert_rows_equal(whole.border, 128, x, z, planes.border, &own, sizeof(float));
        assert_rows_equal(whole.blend_error, 128, x, z, planes.blend_error, &own, sizeof(float));
        assert_rows_equal(whole.points, 128, x, z, planes.points, &own, sizeof(uint16_t));
    }
    eco_sampler_free(whole_sampler);
    eco_sampler_free(sampler);
}

static void every_method_gives_the_same_bytes_in_parts(void **state)
{
    const int64_t steps[] = {1, 3, 4, 8, 11, 64};

    (void)state;
    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++) {
        struct eco_world *world = open_by("patchwork", (enum eco_blend_method)method);

        for (unsigned k = 0; k < sizeof(steps) / sizeof(steps[0]); k++) {
            const struct eco_grid grid = {-7 - 60 * steps[k], 11 - 60 * steps[k], steps[k], 128,
                                          128};

            assert_parts_equal(world, &grid);
        }
        eco_world_close(world);
    }
}

/* A layer rendered inside a pool whose other workers help. */
struct pooled_tile {
    struct eco_pool_job job;
    const struct eco_world *world;
    enum eco_layer layer;
    uint8_t *pixels;
    int code;
};

#define PIXELS ((size_t)256 * 256)

static void run_pooled_tile(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct pooled_tile *pooled = (struct pooled_tile *)job;
    const struct eco_tile tile = {17, 65536, 65535, 1};
    struct eco_picture picture;

    pooled->code =
        eco_raster_tile(pooled->world, pooled->layer, &tile, &worker->sampler, &picture, NULL);
    pooled->pixels = pooled->code ? NULL : malloc(PIXELS * 3);
    if (pooled->pixels)
        memcpy(pooled->pixels, picture.pixels, PIXELS * 3);
}

static void one_and_four_threads_give_the_same_pixels_by_every_method(void **state)
{
    const enum eco_layer layers[] = {ECO_LAYER_BLEND, ECO_LAYER_BLEND_ERROR, ECO_LAYER_POINTS};

    (void)state;
    for (unsigned k = 0; k < ECO_BLEND_METHODS * 3; k++) {
        struct eco_world *world = open_by("demo", (enum eco_blend_method)(k / 3));
        struct pooled_tile tiles[2] = {0};

        for (unsigned run = 0; run < 2; run++) {
            struct eco_pool *pool;

            assert_int_equal(eco_pool_new(run ? 4 : 1, 16, &pool, NULL), 0);
            tiles[run].job.run = run_pooled_tile;
            tiles[run].world = world;
            tiles[run].layer = layers[k % 3];
            assert_int_equal(eco_pool_push(pool, &tiles[run].job), 0);
            eco_pool_free(pool);
            assert_int_equal(tiles[run].code, 0);
            assert_non_null(tiles[run].pixels);
        }
        assert_memory_equal(tiles[0].pixels, tiles[1].pixels, PIXELS * 3);
        free(tiles[0].pixels);
        free(tiles[1].pixels);
        eco_world_close(world);
    }
}

static void error_and_border_follow_from_the_weights(void **state)
{
    const struct eco_grid grids[] = {{300, 300, 1, 96, 96}, {-900, 0, 8, 96, 96}};
    struct eco_world *full = open_by("demo", ECO_BLEND_FULL);
    const size_t area = (size_t)96 * 96;
    struct eco_sampler *sampler;
    double errors[ECO_BLEND_METHODS] = {0};

    (void)state;
    assert_int_equal(eco_sampler_new(&sampler), 0);
    for (unsigned k = 0; k < ECO_BLEND_METHODS * 2; k++) {
        struct eco_world *world = open_by("demo", (enum eco_blend_method)(k / 2));
        struct eco_planes own, truth;

        eco_sampler_reset(sampler);
        own = sample(world, &grids[k % 2], FIELDS, sampler);
        truth = sample(full, &grids[k % 2], FIELDS, sampler);
        for (size_t at = 0; at < area; at++) {
            double error = 0;

            for (size_t b = 0; b < 4; b++)
                error +=
                    0.5 * fabs((double)own.weights[b * area + at] - truth.weights[b * area + at]);
            assert_true(fabs(error - (double)own.blend_error[at]) <= 1e-6);
            assert_true(own.border[at] == 1.0f - own.weights[own.biome[at] * area + at]);
            errors[k / 2] += error;
        }
        eco_world_close(world);
    }
    assert_true(errors[ECO_BLEND_FULL] == 0);
    assert_true(errors[ECO_BLEND_SCATTERED] > 0);
    assert_true(errors[ECO_BLEND_GRID_CONVOLVE] > 0);
    assert_true(errors[ECO_BLEND_NONE] > errors[ECO_BLEND_GRID_LERP]);
    eco_sampler_free(sampler);
    eco_world_close(full);
}

static void coarse_samples_are_the_source_by_every_method(void **state)
{
    const struct eco_grid grid = {-3000, -3000, 32, 64, 64};
    struct eco_sampler *sampler;
    uint32_t first[64 * 64];

    (void)state;
    assert_int_equal(eco_sampler_new(&sampler), 0);
    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++) {
        struct eco_world *world = open_by("demo", (enum eco_blend_method)method);
        struct eco_planes planes;

        eco_sampler_reset(sampler);
        planes = sample(world, &grid, FIELDS, sampler);
        if (method == 0)
            memcpy(first, planes.colour, sizeof(first));
        assert_memory_equal(first, planes.colour, sizeof(first));
        for (size_t k = 0; k < 64 * 64; k++)
            assert_true(planes.border[k] == 0 && planes.blend_error[k] == 0 &&
                        planes.points[k] == 0);
        eco_world_close(world);
    }
    eco_sampler_free(sampler);
}

static void the_world_hash_tells_the_methods_apart(void **state)
{
    uint64_t hashes[ECO_BLEND_METHODS];
    struct eco_world *plain;

    (void)state;
    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++) {
        struct eco_world *world = open_by("demo", (enum eco_blend_method)method);

        hashes[method] = eco_world_hash(world);
        for (unsigned other = 0; other < method; other++)
            assert_true(hashes[method] != hashes[other]);
        eco_world_close(world);
    }
    assert_int_equal(eco_world_open(config, "demo", NULL, &plain, NULL), 0);
    assert_true(eco_world_hash(plain) == hashes[ECO_BLEND_SCATTERED]);
    eco_world_close(plain);
}

static void a_world_may_forbid_other_methods(void **state)
{
    struct eco_world_config strict = *eco_config_world(config, "demo");
    struct eco_config other = {.worlds = &strict, .worlds_count = 1};
    enum eco_blend_method own = strict.blend.method, full = ECO_BLEND_FULL;
    const struct eco_world_options same = {.blend = &own}, different = {.blend = &full};
    struct eco_world *world;
    struct eco_error error;

    (void)state;
    strict.blend.override = false;
    assert_int_equal(eco_world_open(&other, "demo", &different, &world, &error), ECO_EINVAL);
    assert_null(world);
    assert_non_null(strstr(error.text, "blended by scattered alone"));
    assert_int_equal(eco_world_open(&other, "demo", &same, &world, &error), 0);
    eco_world_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_same_bytes_in_parts),
        cmocka_unit_test(one_and_four_threads_give_the_same_pixels_by_every_method),
        cmocka_unit_test(error_and_border_follow_from_the_weights),
        cmocka_unit_test(coarse_samples_are_the_source_by_every_method),
        cmocka_unit_test(the_world_hash_tells_the_methods_apart),
        cmocka_unit_test(a_world_may_forbid_other_methods),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
