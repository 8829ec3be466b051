/* `ecotone cache verify` on tiles that are whole, and wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cache_fixture.h"
#include "cli/cli.h"
#include "serve/blocks.h"
#include "serve/tiles.h"
#include "world/generator.h"

#define WORLDS                                                                                     \
    "worlds:\n- name: small\n  generator: patchwork\n"                                             \
    "  biomes: [{id: 1, name: A, colour: \"#112233\"}]\n"                                          \
    "- name: hills\n  generator: relief\n"

static struct eco_config *config_of(void)
{
    struct eco_config *config = NULL;

    assert_int_equal(eco_config_parse(WORLDS, strlen(WORLDS), "c", &config, NULL), 0);
    write_file(path_in("c.yaml"), WORLDS, strlen(WORLDS));
    return config;
}

/* The status of `ecotone cache verify --all`; what it prints goes to `out`. */
static int verify(char *out, size_t size)
{
    static char words[][10] = {"cache", "verify", "--all", "--file", "--config"};
    char config[256];
    char *arguments[] = {words[0], words[1], words[2], words[3], fixture.path, words[4], config};
    int before = dup(STDOUT_FILENO), file, status;
    ssize_t count;

    snprintf(config, sizeof(config), "%s", path_in("c.yaml"));
    fflush(stdout);
    file = open(path_in("out"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    dup2(file, STDOUT_FILENO);
    status = eco_cli_cache(7, arguments);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    count = pread(file, out, size - 1, 0);
    out[count > 0 ? count : 0] = '\0';
    close(file);
    return status;
}

static void put_bytes(struct eco_cache *cache, const struct eco_cache_key *key, const char *world,
                      const void *data, size_t size)
{
    const struct eco_cache_origin origin = {world, 0, 0};
    const struct eco_hash128 hash = eco_hash128(data, size);

    assert_int_equal(eco_cache_put(cache, key, &origin, data, size, &hash), 0);
}

static struct eco_cache_key tile_key(struct eco_config *config, uint32_t x)
{
    const struct eco_tile_request request = {.world = &config->worlds[0],
                                             .layer = ECO_LAYER_BIOME,
                                             .tile = {.zoom = 18, .x = x, .y = 9, .scale = 1}};

    return eco_tiles_key(&request);
}

/* The bytes of a tile as they should be. */
static void make_right(struct eco_config *config, uint32_t x, struct eco_buffer *bytes)
{
    struct eco_tile_request request;
    struct eco_png_encoder *encoder;
    struct eco_cache_key key = tile_key(config, x);
    struct eco_sampler *sampler;
    struct eco_world *world;

    assert_true(eco_tiles_request(&key, &config->worlds[0], 0, ECO_BLEND_SCATTERED, &request));
    assert_int_equal(eco_world_open(config, "small", NULL, &world, NULL), 0);
    assert_int_equal(eco_sampler_new(&sampler), 0);
    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    assert_int_equal(eco_tiles_make(&request, world, sampler, encoder, bytes, NULL), 0);
    eco_png_encoder_free(encoder);
    eco_sampler_free(sampler);
    eco_world_close(world);
}

static void a_tile_that_is_whole_and_wrong_is_named(void **state)
{
    struct eco_config *config = config_of();
    struct eco_cache *cache = open_cache();
    struct eco_cache_key keys[3];
    struct eco_buffer right;
    char out[2048];

    (void)state;
    eco_buffer_init(&right);
    make_right(config, 5, &right);
    for (uint32_t i = 0; i < 3; i++)
        keys[i] = tile_key(config, 5 + i);
    put_bytes(cache, &keys[0], "small", right.data, right.size);
    put_bytes(cache, &keys[1], "small", "another", 7);
    keys[2].layer = ECO_LAYER_TEMPERATURE; /* which a patchwork does not have */
    put_bytes(cache, &keys[2], "small", "a third", 7);
    eco_cache_close(cache);
    assert_int_equal(verify(out, sizeof(out)), 3);
    assert_non_null(strstr(out, "small/biome/18/6/9.png of seed 0: it differs: 7 bytes stored, "));
    assert_non_null(strstr(out, "small/temperature/18/7/9.png of seed 0: it stands for nothing"));
    assert_non_null(strstr(out, ": 1 right, 2 wrong, 0 damaged, 0 not compared"));
    eco_buffer_release(&right);
    eco_config_free(config);
}

static void a_block_that_is_no_block_is_named(void **state)
{
    struct eco_config *config = config_of();
    struct eco_cache *cache = open_cache();
    uint64_t hash = eco_relief_blocks_hash(&config->worlds[1], 0);
    const struct eco_block_key near = {hash, 1, -2, 0, 1, "hills", 0};
    const struct eco_block_key far = {hash, INT32_MAX, -2, 18, 1, "hills", 0};
    struct eco_cache_key key;
    char out[2048];

    (void)state;
    assert_true(eco_blocks_file_key(&near, &key));
    put_bytes(cache, &key, "hills", "noise", 5);
    assert_true(eco_blocks_file_key(&far, &key));
    put_bytes(cache, &key, "hills", "noise too", 9);
    eco_cache_close(cache);
    assert_int_equal(verify(out, sizeof(out)), 3);
    assert_non_null(strstr(out, "hills/blocks/0/1/-2 of seed 0: it differs"));
    assert_non_null(strstr(out, "hills/blocks/18/2147483647/-2 of seed 0: it stands for nothing"));
    eco_config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tile_that_is_whole_and_wrong_is_named),
        TEST(a_block_that_is_no_block_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
