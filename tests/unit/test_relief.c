/*
 * The relief world: any window, order, number of threads and cache gives the same bytes, for every
 * field and layer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "raster/raster.h"
#include "serve/blocks.h"
#include "serve/pool.h"
#include "world/planes.h"

#define ALL_FIELDS                                                                                 \
    (ECO_FIELD_BIOME | ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR | ECO_FIELD_WEIGHTS |                   \
     ECO_FIELD_BORDER | ECO_FIELD_BLEND_ERROR | ECO_FIELD_POINTS | ECO_FIELD_SLOPE |               \
     ECO_FIELD_USE)

/* A small period and few iterations: many blocks are made here. */
static const char text[] = "worlds:\n"
                           "  - name: relief\n"
                           "    generator: relief\n"
                           "    seed: 11\n"
                           "    blend: {spacing: 8, padding: 6}\n"
                           "    relief:\n"
                           "      period: 256\n"
                           "      low: 40\n"
                           "      high: 104\n"
                           "      erosion:\n"
                           "        - {kind: thermal, iterations: 1, talus: 4}\n"
                           "        - {kind: hydraulic, iterations: 2}\n"
                           "        - {kind: inverted, iterations: 6, talus: 16}\n"
                           "        - {kind: settle, iterations: 8, talus: 12}\n";

static struct eco_config *config;
static struct eco_world *world;
static struct eco_blocks *blocks;

static int begin(void **state)
{
    struct eco_error error = {0};

    (void)state;
    if (eco_config_parse(text, sizeof(text) - 1, "test", &config, &error) ||
        eco_world_open(config, "relief", NULL, &world, &error)) {
        print_error("%s\n", error.text);
        return -1;
    }
    blocks = eco_blocks_new((size_t)64 << 20);
    return blocks ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    eco_blocks_free(blocks);
    eco_world_close(world);
    eco_config_free(config);
    return 0;
}

static struct eco_sampler *new_sampler(bool cached)
{
    struct eco_sampler *sampler;

    assert_int_equal(eco_sampler_new(&sampler), 0);
    sampler->blocks = cached ? eco_blocks_cache(blocks) : NULL;
    return sampler;
}

static struct eco_planes sample(const struct eco_grid *grid, struct eco_sampler *sampler)
{
    struct eco_planes planes;
    struct eco_error error = {0};

    if (eco_world_sample(world, grid, ALL_FIELDS, sampler, &planes, &error))
        print_error("%s\n", error.text);
    assert_non_null(planes.height);
    return planes;
}

static void check_part(const struct eco_planes *whole, const struct eco_grid *grid,
                       const struct eco_planes *part, const struct eco_grid *own, uint32_t x,
                       uint32_t z)
{
    for (uint32_t row = 0; row < own->height; row++) {
        size_t a = (size_t)(z + row) * grid->width + x, b = (size_t)row * own->width;

        assert_memory_equal(whole->height + a, part->height + b, own->width * sizeof(float));
        assert_memory_equal(whole->biome + a, part->biome + b, own->width);
        assert_memory_equal(whole->colour + a, part->colour + b, own->width * sizeof(uint32_t));
        assert_memory_equal(whole->slope + a, part->slope + b, own->width * sizeof(float));
        assert_memory_equal(whole->use + a, part->use + b, own->width);
        assert_memory_equal(whole->border + a, part->border + b, own->width * sizeof(float));
        assert_memory_equal(whole->blend_error + a, part->blend_error + b,
                            own->width * sizeof(float));
        assert_memory_equal(whole->points + a, part->points + b, own->width * sizeof(uint16_t));
    }
}

/* Windows of all sizes, placed anywhere in a large one, without a cache and in a random order. */
static void any_window_gives_the_same_bytes(void **state)
{
    static const int64_t steps[] = {1, 3, 4, 8, 16, 17, 32, 256};

    (void)state;
    for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
        struct eco_sampler *sampler = new_sampler(true), *own = new_sampler(false);
        struct eco_grid grid = {-150 * steps[s] + 5, -130 * steps[s] - 2, steps[s], 300, 260};
        struct eco_planes whole = sample(&grid, sampler);

        for (uint64_t k = 0; k < 8; k++) {
            uint64_t random = eco_mix64(k + 100 * s);
            struct eco_grid part = grid;
            struct eco_planes planes;
            uint32_t x, z;

            part.width = 1 + random % 120;
            part.height = 1 + (random >> 8) % 90;
            x = (random >> 16) % (grid.width - part.width);
            z = (random >> 32) % (grid.height - part.height);
            part.x0 += x * grid.step;
            part.z0 += z * grid.step;
            eco_sampler_reset(own);
            planes = sample(&part, own);
            check_part(&whole, &grid, &planes, &part, x, z);
        }
        eco_sampler_free(sampler);
        eco_sampler_free(own);
    }
}

static void every_layer_s_tiles_equal_one_big_picture(void **state)
{
    struct eco_sampler *sampler = new_sampler(true), *own = new_sampler(true);
    unsigned drawn = 0;

    (void)state;
    for (unsigned layer = 0; layer < ECO_LAYER_COUNT; layer++) {
        for (unsigned zoom = 12; zoom <= 18; zoom += 3) {
            const unsigned middle = 1u << (zoom - 1);
            struct eco_grid grid = {0, 0, eco_tile_step(zoom, 1), 512, 512};
            struct eco_picture big, small;
            size_t pixel;

            if (!eco_layer_available((enum eco_layer)layer, eco_world_config_of(world)))
                continue;
            drawn++;
            grid.x0 = grid.z0 = -256 * grid.step + grid.step / 2;
            eco_sampler_reset(sampler);
            assert_int_equal(
                eco_raster_grid(world, (enum eco_layer)layer, &grid, sampler, &big, NULL), 0);
            pixel = eco_pixel_bytes(big.format);
            for (unsigned k = 0; k < 4; k++) {
                struct eco_tile tile = {zoom, middle - 1 + k % 2, middle - 1 + k / 2, 1};

                eco_sampler_reset(own);
                assert_int_equal(
                    eco_raster_tile(world, (enum eco_layer)layer, &tile, own, &small, NULL), 0);
                for (size_t row = 0; row < 256; row++)
                    assert_memory_equal(small.pixels + row * 256 * pixel,
                                        big.pixels +
                                            ((k / 2 * 256 + row) * 512 + k % 2 * 256) * pixel,
                                        256 * pixel);
            }
        }
    }
    assert_true(drawn >= 3 * 8);
    eco_sampler_free(sampler);
    eco_sampler_free(own);
}

/* What a read-out draws of one block is the pixel of the tile, shaded or not. */
static void a_picture_of_one_sample_is_the_tile_s_pixel(void **state)
{
    struct eco_sampler *sampler = new_sampler(true), *own = new_sampler(true);
    unsigned shades = 0;

    (void)state;
    for (unsigned layer = 0; layer < ECO_LAYER_COUNT; layer++) {
        for (unsigned zoom = 18; zoom >= 10; zoom -= 4) {
            struct eco_tile tile = {zoom, 1u << (zoom - 1), (1u << (zoom - 1)) - 1, 1};
            struct eco_picture whole, one;
            uint32_t first = 0;

            if (!eco_layer_available((enum eco_layer)layer, eco_world_config_of(world)))
                continue;
            eco_sampler_reset(sampler);
            assert_int_equal(
                eco_raster_tile(world, (enum eco_layer)layer, &tile, sampler, &whole, NULL), 0);
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t x = (k * 37 + 255) % 256, y = k * 101 % 256;
                struct eco_grid grid = {0, 0, eco_tile_step(zoom, 1), 1, 1};

                grid.x0 = x * grid.step + grid.step / 2;
                grid.z0 = ((int64_t)y - 256) * grid.step + grid.step / 2;
                eco_sampler_reset(own);
                assert_int_equal(
                    eco_raster_grid(world, (enum eco_layer)layer, &grid, own, &one, NULL), 0);
                assert_int_equal(eco_picture_colour(&one, 0, 0), eco_picture_colour(&whole, x, y));
                first = k ? first : eco_picture_colour(&one, 0, 0);
                shades += layer == ECO_LAYER_RELIEF && eco_picture_colour(&one, 0, 0) != first;
            }
        }
    }
    assert_true(shades > 0);
    eco_sampler_free(sampler);
    eco_sampler_free(own);
}

struct pooled {
    struct eco_pool_job job;
    struct eco_blocks *blocks;
    struct eco_grid grid;
    float *heights;
    uint32_t *colours;
};

static void run_pooled(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct pooled *pooled = (struct pooled *)job;
    size_t area = (size_t)pooled->grid.width * pooled->grid.height;
    struct eco_planes planes;

    worker->sampler.blocks = pooled->blocks ? eco_blocks_cache(pooled->blocks) : NULL;
    if (eco_world_sample(world, &pooled->grid, ECO_FIELD_HEIGHT | ECO_FIELD_COLOUR,
                         &worker->sampler, &planes, NULL))
        return;
    pooled->heights = malloc(area * sizeof(float));
    pooled->colours = malloc(area * sizeof(uint32_t));
    if (pooled->heights && pooled->colours) {
        memcpy(pooled->heights, planes.height, area * sizeof(float));
        memcpy(pooled->colours, planes.colour, area * sizeof(uint32_t));
    }
}

/* Eight grids that share blocks, at once: each block is made once. */
static void threads_and_caches_change_no_byte(void **state)
{
    struct pooled runs[3][8] = {0};

    (void)state;
    for (unsigned run = 0; run < 3; run++) {
        struct eco_blocks *own = run ? eco_blocks_new(run == 1 ? (size_t)64 << 20 : 1) : NULL;
        struct eco_blocks_stats stats;
        struct eco_pool *pool;

        assert_int_equal(eco_pool_new(run ? 4 : 1, 16, &pool, NULL), 0);
        for (unsigned k = 0; k < 8; k++) {
            runs[run][k].job.run = run_pooled;
            runs[run][k].blocks = own;
            runs[run][k].grid = (struct eco_grid){100 * (int64_t)k - 600, -300, 8, 160, 64};
            assert_int_equal(eco_pool_push(pool, &runs[run][k].job), 0);
        }
        eco_pool_free(pool);
        if (run == 1) {
            eco_blocks_stats(own, &stats);
            assert_true(stats.made <= 6 && stats.found >= 8);
        }
        eco_blocks_free(own);
    }
    for (unsigned k = 0; k < 8; k++) {
        for (unsigned run = 0; run < 3; run++) {
            assert_true(runs[run][k].heights && runs[run][k].colours);
            assert_memory_equal(runs[0][k].heights, runs[run][k].heights, 160 * 64 * 4);
            assert_memory_equal(runs[0][k].colours, runs[run][k].colours, 160 * 64 * 4);
        }
        for (unsigned run = 3; run-- > 0;) {
            free(runs[run][k].heights);
            free(runs[run][k].colours);
        }
    }
}

static void classes_follow_height_and_slope(void **state)
{
    const struct eco_world_config *own = eco_world_config_of(world);
    struct eco_sampler *sampler = new_sampler(true);
    struct eco_grid grid = {-2016, -2016, 64, 64, 64};
    struct eco_planes planes = sample(&grid, sampler);
    unsigned seen[6] = {0};

    (void)state;
    for (size_t k = 0; k < 64 * 64; k++) {
        unsigned class = planes.biome[k];

        assert_true(class < 6);
        seen[class]++;
        if (class == 0)
            assert_true((double)planes.height[k] < own->sea_level);
        if (class == 2)
            assert_true((double)planes.slope[k] < own->relief.hill_slope &&
                        (double)planes.height[k] >= own->sea_level);
        assert_true(planes.use[k] <= (ECO_USE_ACCESS | ECO_USE_BUILD));
    }
    assert_true(seen[0] > 0 && seen[2] > 0 && seen[3] > 0);
    eco_sampler_free(sampler);
}

/* With one cell a sample, what the fields say is what the heights around say. */
static void slope_and_use_are_those_of_the_heights(void **state)
{
    struct eco_sampler *sampler = new_sampler(true);
    struct eco_grid grid = {-4 * 60 + 2, 4 * 200 + 2, 4, 120, 120};
    struct eco_planes planes = sample(&grid, sampler);
    const struct eco_relief_play *play = &eco_world_config_of(world)->relief.play;

    (void)state;
    for (uint32_t z = 1; z < 119; z++) {
        for (uint32_t x = 1; x < 119; x++) {
            const float *at = planes.height + z * 120 + x;
            float most = 0.0f;

            for (unsigned k = 0; k < 4; k++) {
                float other = at[(const int[]){-1, 1, -120, 120}[k]];
                float difference = *at > other ? *at - other : other - *at;

                most = difference > most ? difference : most;
            }
            most /= 4.0f;
            assert_true(most - planes.slope[z * 120 + x] < 1e-4f &&
                        planes.slope[z * 120 + x] - most < 1e-4f);
            if (most < (float)play->unit_slope - 1e-3f)
                assert_true(planes.use[z * 120 + x] & ECO_USE_ACCESS);
            if (most > (float)play->unit_slope + 1e-3f)
                assert_false(planes.use[z * 120 + x] & ECO_USE_ACCESS);
            if (most > (float)play->building_slope + 1e-3f)
                assert_false(planes.use[z * 120 + x] & ECO_USE_BUILD);
        }
    }
    eco_sampler_free(sampler);
}

/* What an overview shows of squares of ground is about the mean of their eroded heights: most of
 * what differs from square to square. */
static void overviews_are_about_the_means_of_the_ground(void **state)
{
    static const char standard[] =
        "worlds: [{name: r, generator: relief, seed: 4, relief: {low: 0, high: 100, erosion: "
        "[{kind: inverted, iterations: 16, talus: 10}, {kind: settle, iterations: 40, talus: "
        "8}]}}]";
    enum { SQUARES = 8, STEP = 4 };
    struct eco_sampler *sampler = new_sampler(true);
    struct eco_config *own_config;
    struct eco_world *own;

    (void)state;
    assert_int_equal(eco_config_parse(standard, sizeof(standard) - 1, "t", &own_config, NULL), 0);
    assert_int_equal(eco_world_open(own_config, "r", NULL, &own, NULL), 0);
    for (int64_t step = 2 * STEP; step <= 256; step *= 2) {
        struct eco_grid coarse = {step / 2, step / 2, step, SQUARES, SQUARES};
        uint32_t side = (uint32_t)(step / STEP);
        struct eco_grid fine = {STEP / 2, STEP / 2, STEP, SQUARES * side, SQUARES * side};
        struct eco_planes overview, ground;
        double mean = 0.0, off = 0.0, varies = 0.0;

        eco_sampler_reset(sampler);
        assert_int_equal(eco_world_sample(own, &coarse, ECO_FIELD_HEIGHT, sampler, &overview, NULL),
                         0);
        assert_int_equal(eco_world_sample(own, &fine, ECO_FIELD_HEIGHT, sampler, &ground, NULL), 0);
        for (uint32_t k = 0; k < fine.width * fine.height; k++)
            mean += (double)ground.height[k] / (fine.width * fine.height);
        for (uint32_t k = 0; k < SQUARES * SQUARES; k++) {
            double sum = 0.0, difference;

            for (uint32_t n = 0; n < side * side; n++)
                sum += (double)ground.height[(k / SQUARES * side + n / side) * fine.width +
                                             k % SQUARES * side + n % side];
            sum /= side * side;
            difference = (double)overview.height[k] - sum;
            off += difference * difference;
            varies += (sum - mean) * (sum - mean);
        }
        assert_true(off < (step == 2 * STEP ? 1e-9 : 0.15) * varies);
    }
    eco_sampler_free(sampler);
    eco_world_close(own);
    eco_config_free(own_config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_window_gives_the_same_bytes),
        cmocka_unit_test(every_layer_s_tiles_equal_one_big_picture),
        cmocka_unit_test(a_picture_of_one_sample_is_the_tile_s_pixel),
        cmocka_unit_test(threads_and_caches_change_no_byte),
        cmocka_unit_test(classes_follow_height_and_slope),
        cmocka_unit_test(overviews_are_about_the_means_of_the_ground),
        cmocka_unit_test(slope_and_use_are_those_of_the_heights),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
