/*
 * Memory that the render path asks the system for. This program's own malloc and its kin count the
 * calls; they stand before those of the C library for every library that is loaded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "codec/png.h"
#include "ecotone/ecotone.h"
#include "raster/raster.h"

#define CONFIG_PATH "config/ecotone.yaml"

/* Sanitizers bring a malloc of their own, and it must stay. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS false
#endif
#endif
#ifndef COUNTS
#define COUNTS true
#endif

static bool counting;
static unsigned long calls;

#if COUNTS
static void count_call(void)
{
    calls += counting;
}

/* The names under which the C library keeps its own. */
void *__libc_malloc(size_t size);                     // NOLINT
void *__libc_calloc(size_t count, size_t size);       // NOLINT
void *__libc_realloc(void *old, size_t size);         // NOLINT
void *__libc_memalign(size_t alignment, size_t size); // NOLINT

void *malloc(size_t size)
{
    count_call();
    return __libc_malloc(size);
}

void *calloc(size_t nmemb, size_t size)
{
    count_call();
    return __libc_calloc(nmemb, size);
}

void *realloc(void *ptr, size_t size)
{
    count_call();
    return __libc_realloc(ptr, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count_call();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size)
{
    count_call();
    *memptr = __libc_memalign(alignment, size);
    return *memptr ? 0 : ENOMEM;
}
#endif

/* What a worker keeps from tile to tile. */
struct kit {
    struct eco_sampler *sampler;
    struct eco_png_encoder *encoder;
    struct eco_buffer png;
};

static void draw(struct kit *kit, const struct eco_world *world, enum eco_layer layer,
                 const struct eco_tile *tile)
{
    struct eco_picture picture;
    struct eco_error error;

    eco_sampler_reset(kit->sampler);
    if (eco_raster_tile(world, layer, tile, kit->sampler, &picture, &error) ||
        eco_png_encode(kit->encoder, &picture, &kit->png, &error))
        fail_msg("%s", error.text);
}

static unsigned long calls_of(struct kit *kit, const struct eco_world *world, enum eco_layer layer,
                              const struct eco_tile *tile)
{
    calls = 0;
    counting = true;
    draw(kit, world, layer, tile);
    counting = false;
    return calls;
}

static void every_layer_of_a_world(struct kit *kit, const struct eco_world *world)
{
    const struct eco_tile tiles[] = {{18, 131071, 131072, 1}, {15, 16384, 16383, 2}};
    const struct eco_world_config *config = eco_world_config_of(world);

    for (unsigned k = 0; k < ECO_LAYER_COUNT * 2; k++) {
        enum eco_layer layer = (enum eco_layer)(k / 2);

        if (!eco_layer_available(layer, config))
            continue;
        draw(kit, world, layer, &tiles[k % 2]);
        if (calls_of(kit, world, layer, &tiles[k % 2]) != 0)
            fail_msg("%s, %s at zoom %u: %lu calls", config->name, eco_layer_name(layer),
                     tiles[k % 2].zoom, calls);
    }
}

static void new_kit(struct kit *kit)
{
    assert_int_equal(eco_sampler_new(&kit->sampler), 0);
    assert_int_equal(eco_png_encoder_new(&kit->encoder), 0);
    eco_buffer_init(&kit->png);
}

static void free_kit(struct kit *kit)
{
    eco_buffer_release(&kit->png);
    eco_png_encoder_free(kit->encoder);
    eco_sampler_free(kit->sampler);
}

static void a_warm_tile_of_any_layer_asks_for_no_memory(void **state)
{
    struct eco_config *config;

    (void)state;
    if (!COUNTS)
        skip();
    assert_int_equal(eco_config_load(CONFIG_PATH, &config, NULL), 0);
    for (unsigned k = 0; k < config->worlds_count; k++) {
        struct eco_world *world;
        struct kit kit;

        assert_int_equal(eco_world_open(config, config->worlds[k].name, NULL, &world, NULL), 0);
        new_kit(&kit);
        every_layer_of_a_world(&kit, world);
        free_kit(&kit);
        eco_world_close(world);
    }
    eco_config_free(config);
}

static void every_method_of_blending_asks_for_no_memory(void **state)
{
    const struct eco_tile tile = {18, 131072, 131071, 1};
    struct eco_config *config;

    (void)state;
    if (!COUNTS)
        skip();
    assert_int_equal(eco_config_load(CONFIG_PATH, &config, NULL), 0);
    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++) {
        enum eco_blend_method blend = (enum eco_blend_method)method;
        const struct eco_world_options options = {.blend = &blend};
        struct eco_world *world;
        struct kit kit;

        assert_int_equal(eco_world_open(config, "demo", &options, &world, NULL), 0);
        new_kit(&kit);
        draw(&kit, world, ECO_LAYER_BLEND, &tile);
        assert_int_equal(calls_of(&kit, world, ECO_LAYER_BLEND, &tile), 0);
        free_kit(&kit);
        eco_world_close(world);
    }
    eco_config_free(config);
}

/* A count that never rises would prove nothing. */
static void a_cold_tile_asks_for_memory(void **state)
{
    const struct eco_tile tile = {18, 131071, 131072, 1};
    struct eco_config *config;
    struct eco_world *world;
    struct kit kit;

    (void)state;
    if (!COUNTS)
        skip();
    assert_int_equal(eco_config_load(CONFIG_PATH, &config, NULL), 0);
    assert_int_equal(eco_world_open(config, "demo", NULL, &world, NULL), 0);
    new_kit(&kit);
    assert_true(calls_of(&kit, world, ECO_LAYER_RELIEF, &tile) > 0);
    free_kit(&kit);
    eco_world_close(world);
    eco_config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cold_tile_asks_for_memory),
        cmocka_unit_test(a_warm_tile_of_any_layer_asks_for_no_memory),
        cmocka_unit_test(every_method_of_blending_asks_for_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
