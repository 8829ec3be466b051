/*
 * Pictures of worlds: tiles that fit together, the same pixels from any number of threads, and
 * heights that come back from their colours.
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
#include "serve/pool.h"
#include "world_fixture.h"

static size_t picture_bytes(const struct eco_picture *picture)
{
    return (size_t)picture->width * picture->height * eco_pixel_bytes(picture->format);
}

/* A tile rendered inside a pool whose other workers help. */
struct pooled_tile {
    struct eco_pool_job job;
    const struct eco_world *world;
    enum eco_layer layer;
    struct eco_tile tile;
    uint8_t *pixels;
    size_t bytes;
    int code;
};

static void run_pooled_tile(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct pooled_tile *pooled = (struct pooled_tile *)job;
    struct eco_picture picture;

    pooled->code = eco_raster_tile(pooled->world, pooled->layer, &pooled->tile, &worker->sampler,
                                   &picture, NULL);
    if (pooled->code)
        return;
    pooled->bytes = picture_bytes(&picture);
    pooled->pixels = malloc(pooled->bytes);
    if (pooled->pixels)
        memcpy(pooled->pixels, picture.pixels, pooled->bytes);
}

static void one_and_four_threads_give_the_same_pixels(void **state)
{
    struct eco_world *world = open_world("patchwork");
    struct pooled_tile tiles[2][4];

    (void)state;
    memset(tiles, 0, sizeof(tiles));
    for (unsigned run = 0; run < 2; run++) {
        struct eco_pool *pool;

        assert_int_equal(eco_pool_new(run ? 4 : 1, 16, &pool, NULL), 0);
        for (unsigned k = 0; k < 4; k++) {
            tiles[run][k].job.run = run_pooled_tile;
            tiles[run][k].world = world;
            tiles[run][k].layer = ECO_LAYER_RELIEF;
            tiles[run][k].tile = (struct eco_tile){18, 131072 - k % 2, 131072 - k / 2, 1};
            assert_int_equal(eco_pool_push(pool, &tiles[run][k].job), 0);
        }
        eco_pool_free(pool);
    }
    for (unsigned k = 0; k < 4; k++) {
        assert_int_equal(tiles[0][k].code, 0);
        assert_int_equal(tiles[1][k].code, 0);
        assert_int_equal(tiles[0][k].bytes, tiles[1][k].bytes);
        assert_memory_equal(tiles[0][k].pixels, tiles[1][k].pixels, tiles[0][k].bytes);
        free(tiles[0][k].pixels);
        free(tiles[1][k].pixels);
    }
    eco_world_close(world);
}

/* Four tiles around block (0, 0) equal one picture of their ground. */
static void compare_tiles(const struct eco_world *world, enum eco_layer layer, unsigned zoom,
                          struct eco_sampler *sampler, struct eco_sampler *own)
{
    const unsigned middle = 1u << (zoom - 1);
    struct eco_grid grid = {0, 0, eco_tile_step(zoom, 1), 512, 512};
    struct eco_picture big, small;
    size_t pixel;

    grid.x0 = -256 * grid.step + grid.step / 2;
    grid.z0 = grid.x0;
    eco_sampler_reset(sampler);
    assert_int_equal(eco_raster_grid(world, layer, &grid, sampler, &big, NULL), 0);
    pixel = picture_bytes(&big) / (512 * 512);
    for (unsigned k = 0; k < 4; k++) {
        struct eco_tile tile = {zoom, middle - 1 + k % 2, middle - 1 + k / 2, 1};

        eco_sampler_reset(own);
        assert_int_equal(eco_raster_tile(world, layer, &tile, own, &small, NULL), 0);
        assert_int_equal(small.width, 256);
        for (size_t row = 0; row < 256; row++)
            assert_memory_equal(small.pixels + row * 256 * pixel,
                                big.pixels + ((k / 2 * 256 + row) * 512 + k % 2 * 256) * pixel,
                                256 * pixel);
    }
}

static void tiles_of_every_world_and_layer_equal_one_big_picture(void **state)
{
    struct eco_sampler *sampler = new_sampler(), *own = new_sampler();

    (void)state;
    for (unsigned k = 0; k < config->worlds_count; k++) {
        struct eco_world *world = open_world(config->worlds[k].name);

        for (unsigned layer = 0; layer < ECO_LAYER_COUNT; layer++) {
            if (eco_layer_available(layer, eco_world_config_of(world)))
                compare_tiles(world, layer, 18 - (layer + k) % 4, sampler, own);
        }
        eco_world_close(world);
    }
    eco_sampler_free(sampler);
    eco_sampler_free(own);
}

static void a_double_scale_tile_shows_the_same_ground(void **state)
{
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("demo");
    struct eco_tile tile = {18, 131072, 131071, 1}, twice = {18, 131072, 131071, 2};
    struct eco_tile coarse = {17, 65536, 65535, 2};
    struct eco_picture one, two;

    (void)state;
    assert_int_equal(eco_raster_tile(world, ECO_LAYER_BIOME, &tile, sampler, &one, NULL), 0);
    assert_int_equal(eco_raster_tile(world, ECO_LAYER_BIOME, &twice, sampler, &two, NULL), 0);
    assert_int_equal(two.width, 512);
    assert_int_equal(two.height, 512);
    for (size_t k = 0; k < 512 * 512; k++)
        assert_int_equal(two.pixels[k], one.pixels[k / 1024 * 256 + k % 512 / 2]);
    /* At zoom 17 a pixel of @2x is one block: the tile's north-west quarter is a tile of zoom 18.
     */
    assert_int_equal(eco_raster_tile(world, ECO_LAYER_BIOME, &coarse, sampler, &two, NULL), 0);
    tile.y = 131070;
    assert_int_equal(eco_raster_tile(world, ECO_LAYER_BIOME, &tile, sampler, &one, NULL), 0);
    for (size_t row = 0; row < 256; row++)
        assert_memory_equal(one.pixels + row * 256, two.pixels + row * 512, 256);
    eco_world_close(world);
    eco_sampler_free(sampler);
}

static void the_tile_grid_is_plain_xyz_on_the_world_square(void **state)
{
    struct eco_tile middle = {18, 131072, 131072, 1}, corner = {0, 0, 0, 1};
    struct eco_tile outside[] = {
        {19, 0, 0, 1}, {18, 262144, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 3}, {255, 0, 0, 1}};
    int64_t x0, z0, side;

    (void)state;
    eco_tile_ground(&middle, &x0, &z0, &side);
    assert_true(x0 == 0 && z0 == 0 && side == 256);
    eco_tile_ground(&corner, &x0, &z0, &side);
    assert_true(x0 == -33554432 && z0 == -33554432 && side == 67108864);
    for (unsigned k = 0; k < 5; k++)
        assert_false(eco_tile_valid(&outside[k]));
    assert_true(eco_tile_valid(&corner));
}

/*
 * The pixels of one tile of the demo world, layer by layer. Whoever changes one raises the
 * generator's or the render revision, or old caches would show old pixels, and writes the new
 * hashes down.
 */
static void pixels_change_only_with_a_revision(void **state)
{
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("demo");
    struct golden pixels;
    struct eco_picture picture;

    (void)state;
    assert_int_equal(ECO_RENDER_REVISION, 1);
    assert_int_equal(eco_generator_find("patchwork")->revision, 1);
    golden_open(&pixels, "pixels.csv");
    while (golden_next(&pixels)) {
        const char *name = golden_text(&pixels, 0);
        int layer = eco_layer_find(name, strlen(name));
        struct eco_tile tile = {(unsigned)golden_int(&pixels, 1), (uint32_t)golden_int(&pixels, 2),
                                (uint32_t)golden_int(&pixels, 3), 1};
        uint64_t hash;

        assert_true(layer >= 0);
        eco_sampler_reset(sampler);
        assert_int_equal(
            eco_raster_tile(world, (enum eco_layer)layer, &tile, sampler, &picture, NULL), 0);
        hash = eco_hash64(picture.pixels, picture_bytes(&picture));
        if (hash != golden_hex(&pixels, 4))
            fail_msg("%s %u/%u/%u: the pixels hash to %016llx, not %s", name, tile.zoom, tile.x,
                     tile.y, (unsigned long long)hash, golden_text(&pixels, 4));
    }
    golden_close(&pixels, 18);
    eco_world_close(world);
    eco_sampler_free(sampler);
}

static double terrarium_height(const uint8_t *pixel)
{
    return pixel[0] * 256.0 + pixel[1] + pixel[2] / 256.0 - 32768.0;
}

static double mapbox_height(const uint8_t *pixel)
{
    return -10000.0 + (pixel[0] * 65536.0 + pixel[1] * 256.0 + pixel[2]) * 0.1;
}

static double height16_height(const uint8_t *pixel)
{
    const struct eco_world_config *world = eco_config_world(config, "patchwork");
    double low = world->height_low, high = world->height_high;
    unsigned value = (unsigned)pixel[0] << 8 | pixel[1];

    return low - (high - low) + value * 3.0 * (high - low) / 65535.0;
}

/* Every pixel of the layer holds the height of its block with at most that error. */
static void check_heights(enum eco_layer layer, enum eco_pixel_format format,
                          double (*height_of)(const uint8_t *pixel), double error)
{
    struct eco_grid grid = {-100, 50, 1, 128, 128};
    struct eco_sampler *sampler = new_sampler();
    struct eco_world *world = open_world("patchwork");
    struct eco_planes planes;
    struct eco_picture picture;

    assert_int_equal(eco_world_sample(world, &grid, ECO_FIELD_HEIGHT, sampler, &planes, NULL), 0);
    assert_int_equal(eco_raster_grid(world, layer, &grid, sampler, &picture, NULL), 0);
    assert_int_equal(picture.format, format);
    for (size_t k = 0; k < 128 * 128; k++) {
        double height = height_of(picture.pixels + k * eco_pixel_bytes(format));

        assert_true(fabs(height - (double)planes.height[k]) <= error);
    }
    eco_world_close(world);
    eco_sampler_free(sampler);
}

static void terrarium_holds_the_height_to_a_512th_of_a_block(void **state)
{
    (void)state;
    check_heights(ECO_LAYER_TERRARIUM, ECO_PIXEL_RGB8, terrarium_height, 1.0 / 512 + 1e-9);
}

static void mapbox_holds_the_height_to_a_20th_of_a_block(void **state)
{
    (void)state;
    check_heights(ECO_LAYER_MAPBOX, ECO_PIXEL_RGB8, mapbox_height, 0.05 + 1e-3);
}

static void height16_spans_the_range_and_as_much_around_it(void **state)
{
    const struct eco_world_config *world = eco_config_world(config, "patchwork");
    double range = world->height_high - world->height_low;

    (void)state;
    check_heights(ECO_LAYER_HEIGHT16, ECO_PIXEL_GREY16, height16_height,
                  3.0 * range / 65535.0 / 2.0 + 1e-9);
}

static void height16_cuts_no_trench_and_no_peak_of_the_shipped_worlds(void **state)
{
    struct eco_sampler *sampler = new_sampler();

    (void)state;
    for (unsigned w = 0; w < config->worlds_count; w++) {
        struct eco_grid grid = {-60000, -60000, 1024, 117, 117};
        struct eco_world *world = open_world(config->worlds[w].name);
        struct eco_picture picture;

        eco_sampler_reset(sampler);
        assert_int_equal(eco_raster_grid(world, ECO_LAYER_HEIGHT16, &grid, sampler, &picture, NULL),
                         0);
        for (size_t k = 0; k < 117 * 117; k++) {
            unsigned value = (unsigned)picture.pixels[2 * k] << 8 | picture.pixels[2 * k + 1];

            assert_in_range(value, 1, 65534);
        }
        eco_world_close(world);
    }
    eco_sampler_free(sampler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_and_four_threads_give_the_same_pixels),
        cmocka_unit_test(tiles_of_every_world_and_layer_equal_one_big_picture),
        cmocka_unit_test(a_double_scale_tile_shows_the_same_ground),
        cmocka_unit_test(the_tile_grid_is_plain_xyz_on_the_world_square),
        cmocka_unit_test(pixels_change_only_with_a_revision),
        cmocka_unit_test(terrarium_holds_the_height_to_a_512th_of_a_block),
        cmocka_unit_test(mapbox_holds_the_height_to_a_20th_of_a_block),
        cmocka_unit_test(height16_spans_the_range_and_as_much_around_it),
        cmocka_unit_test(height16_cuts_no_trench_and_no_peak_of_the_shipped_worlds),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
