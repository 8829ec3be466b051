/* Keys of tiles and pictures, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/limits.h"
#include "ecotone/ecotone.h"
#include "serve/tiles.h"
#include "store/key.h"
#include "world_fixture.h"

static bool same_view(const struct eco_view *a, const struct eco_view *b)
{
    return a->x0 == b->x0 && a->z0 == b->z0 && a->width == b->width && a->height == b->height &&
           a->zoom == b->zoom && a->scale == b->scale;
}

static void assert_comes_back(const struct eco_tile_request *request)
{
    struct eco_cache_key key = eco_tiles_key(request), again;
    struct eco_tile_request read;

    assert_true(eco_tiles_request(&key, request->world, request->seed, request->world->blend.method,
                                  &read));
    assert_int_equal(eco_tiles_is_view(&key), request->view.width > 0);
    assert_int_equal(read.layer, request->layer);
    assert_int_equal(read.format, request->format);
    if (request->view.width)
        assert_true(same_view(&read.view, &request->view));
    else
        assert_memory_equal(&read.tile, &request->tile, sizeof(read.tile));
    again = eco_tiles_key(&read);
    assert_true(eco_key_equal(&key, &again));
}

static uint64_t random_below(uint64_t *state, uint64_t bound)
{
    *state = eco_mix64(*state + 1);
    return *state % bound;
}

static void a_key_gives_back_its_tile_or_picture(void **state)
{
    const struct eco_world_config *world = &config->worlds[0];
    uint64_t random = 7;
    unsigned views = 0;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        unsigned zoom = (unsigned)random_below(&random, ECO_ZOOM_MAX + 1);
        unsigned scale = 1 + (unsigned)random_below(&random, 2);
        struct eco_tile_request request = {
            .world = world,
            .seed = (int64_t)random,
            .layer = ECO_LAYER_RELIEF,
            .format = (enum eco_format)random_below(&random, ECO_FORMAT_COUNT),
            .tile = {zoom, (uint32_t)random_below(&random, 1u << zoom),
                     (uint32_t)random_below(&random, 1u << zoom), scale},
        };

        if (i % 2) {
            int64_t x = (int64_t)random_below(&random, 1u << 26) - ECO_WORLD_HALF;
            int64_t z = (int64_t)random_below(&random, 1u << 26) - ECO_WORLD_HALF;

            if (eco_view_around(x, z, zoom, scale,
                                1 + (uint32_t)random_below(&random, ECO_VIEW_SIDE_MAX),
                                1 + (uint32_t)random_below(&random, ECO_VIEW_SIDE_MAX),
                                &request.view, NULL) != 0)
                continue;
            request.tile = (struct eco_tile){.zoom = zoom, .scale = scale};
            views++;
        }
        assert_comes_back(&request);
    }
    assert_true(views > 3000);
}

static void each_part_of_a_picture_decides_its_key(void **state)
{
    const struct eco_tile_request request = {
        .world = &config->worlds[0],
        .layer = ECO_LAYER_RELIEF,
        .view = {.x0 = -64, .z0 = 128, .width = 100, .height = 200, .zoom = 17, .scale = 1}};
    const struct eco_cache_key key = eco_tiles_key(&request);
    struct eco_tile_request others[10];

    (void)state;
    for (unsigned i = 0; i < 10; i++)
        others[i] = request;
    others[0].view.x0 += 2;
    others[1].view.z0 += 2;
    others[2].view.width += 64;
    others[3].view.height += 64;
    others[4].view.zoom++;
    others[5].view.scale = 2;
    others[6].format = ECO_FORMAT_WEBP;
    others[7].layer = ECO_LAYER_BLEND;
    others[8].seed = 1;
    others[9].view.width = 0; /* the tile of that request */
    for (unsigned i = 0; i < 10; i++) {
        struct eco_cache_key other = eco_tiles_key(&others[i]);

        assert_false(eco_key_equal(&key, &other));
    }
}

static void keys_that_name_nothing_are_refused(void **state)
{
    const struct eco_world_config *world = &config->worlds[0];
    const struct eco_tile_request picture = {
        .world = world,
        .layer = ECO_LAYER_RELIEF,
        .view = {.x0 = -64, .z0 = 128, .width = 100, .height = 200, .zoom = 17, .scale = 1}};
    struct eco_cache_key keys[8];
    struct eco_tile_request read;

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        keys[i] = eco_tiles_key(&picture);
    keys[0].x++;                 /* between two pixels */
    keys[1].x &= (1u << 26) - 1; /* less wide */
    keys[1].scale &= 3;          /* than one pixel */
    keys[2].zoom = 40;
    keys[3].scale = 3;
    keys[4].format |= 3 << 5;
    keys[5].layer = ECO_LAYER_COUNT;
    keys[6].zoom = 2; /* out of the world */
    keys[7].layer = ECO_LAYER_HEIGHT16;
    keys[7].format |= ECO_FORMAT_WEBP << 5;
    for (unsigned i = 0; i < 8; i++)
        assert_false(eco_tiles_request(&keys[i], world, 0, world->blend.method, &read));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_gives_back_its_tile_or_picture),
        cmocka_unit_test(each_part_of_a_picture_decides_its_key),
        cmocka_unit_test(keys_that_name_nothing_are_refused),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
