/* Tiles of the overworld are the same with one worker and with four. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "ecotone/ecotone.h"
#include "raster/raster.h"
#include "serve/pool.h"

struct pooled_tile {
    struct eco_pool_job job;
    const struct eco_world *world;
    struct eco_tile tile;
    int code;
    uint8_t pixels[3 * 256 * 256];
};

static void run_pooled_tile(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct pooled_tile *tile = (struct pooled_tile *)job;
    struct eco_picture picture;

    eco_sampler_reset(&worker->sampler);
    tile->code = eco_raster_tile(tile->world, ECO_LAYER_TREES, &tile->tile, &worker->sampler,
                                 &picture, NULL);
    if (!tile->code)
        memcpy(tile->pixels, picture.pixels, sizeof(tile->pixels));
}

static void one_and_four_threads_draw_the_same_tiles(void **state)
{
    struct pooled_tile *tiles = calloc(24, sizeof(*tiles));
    struct eco_config *config;
    struct eco_world *world;

    (void)state;
    assert_non_null(tiles);
    assert_int_equal(eco_config_load("config/ecotone.yaml", &config, NULL), 0);
    assert_int_equal(eco_world_open(config, "overworld", NULL, &world, NULL), 0);
    for (unsigned run = 0; run < 2; run++) {
        struct eco_pool *pool;

        assert_int_equal(eco_pool_new(run ? 4 : 1, 16, &pool, NULL), 0);
        for (unsigned k = 0; k < 12; k++) {
            struct pooled_tile *tile = &tiles[run * 12 + k];
            unsigned zoom = 18 - k / 2, middle = 1u << (zoom - 1);

            tile->job.run = run_pooled_tile;
            tile->world = world;
            tile->tile = (struct eco_tile){zoom, middle - k % 2, middle, 1};
            assert_int_equal(eco_pool_push(pool, &tile->job), 0);
        }
        eco_pool_free(pool);
    }
    for (unsigned k = 0; k < 12; k++) {
        assert_int_equal(tiles[k].code, 0);
        assert_int_equal(tiles[12 + k].code, 0);
        assert_memory_equal(tiles[k].pixels, tiles[12 + k].pixels, sizeof(tiles[k].pixels));
    }
    eco_world_close(world);
    eco_config_free(config);
    free(tiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_and_four_threads_draw_the_same_tiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
