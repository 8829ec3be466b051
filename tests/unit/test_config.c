/* What a right configuration says: its defaults, its values, the hashes of its worlds. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/buffer.h"
#include "config_fixture.h"
#include "ecotone/lattice.h"

#define SHIPPED "config/ecotone.yaml"

static void every_key_that_may_be_missing_has_its_default(void **state)
{
    struct eco_config *config = parse(WORLD(""));
    const struct eco_world_config *world = &config->worlds[0];
    const struct eco_biome_config *biome = &world->biomes[0];

    (void)state;
    assert_string_equal(config->server.listen, "127.0.0.1:8080");
    assert_int_equal(config->server.threads, 0);
    assert_int_equal(config->server.queue, ECO_QUEUE_DEFAULT);
    assert_int_equal(config->server.grace, 0);
    assert_int_equal(config->server.connections_per_address, 1024);
    assert_int_equal(config->server.render_rate, 0);
    assert_int_equal(config->server.render_burst, 100);
    assert_int_equal(config->server.log_level, ECO_LOG_INFO);
    assert_int_equal(config->server.access_log, ECO_ACCESS_LOG_NONE);
    assert_int_equal(config->server.sandbox, ECO_SANDBOX_AUTO);
    assert_null(config->cache.path);
    assert_int_equal(config->cache.memory_bytes, 64 * 1024 * 1024);
    assert_true(config->cache.limit_bytes == (uint64_t)4 << 30);
    assert_int_equal(config->worlds_count, 1);
    assert_string_equal(world->name, "a");
    assert_string_equal(world->title, "a");
    assert_string_equal(world->generator, "patchwork");
    assert_true(world->seed == 0);
    assert_string_equal(world->seed_text, "0");
    assert_true(world->sea_level == 63);
    assert_true(world->height_low == 0 && world->height_high == 192);
    assert_int_equal(world->minzoom, 8);
    assert_true(world->home_x == 0 && world->home_z == 0);
    assert_int_equal(world->home_zoom, 16);
    assert_int_equal(world->noise.generation, ECO_NOISE_OPENSIMPLEX2S);
    assert_true(world->noise.frequency == 0.002);
    assert_int_equal(world->noise.octaves, 3);
    assert_false(world->noise.sequential_seeds);
    assert_true(world->blend.frequency == ECO_LATTICE_SPACING_FREQUENCY / 8);
    assert_true(world->blend.padding == 12);
    assert_int_equal(world->blend.chunk, 16);
    assert_true(world->blend.jitter_offset == 0);
    assert_int_equal(world->biomes_count, 1);
    assert_int_equal(biome->biome.id, 1);
    assert_string_equal(biome->biome.name, "A");
    assert_int_equal(biome->biome.colour, 0x112233);
    assert_true(biome->bias == 0);
    assert_int_equal(biome->height.shape, ECO_SHAPE_PLAIN);
    assert_true(biome->height.base == 64 && biome->height.amplitude == 8);
    assert_true(biome->height.wavelength == 256);
    assert_int_equal(biome->height.octaves, 4);
    assert_int_equal(biome->height.steps, 5);
    eco_config_free(config);
}

static void every_key_is_read(void **state)
{
    struct eco_config *config = parse(
        "server: {listen: \"localhost:0\", threads: 3, queue: 7, grace: 300, "
        "connections_per_address: 0, "
        "render_rate: 20, render_burst: 1, log_level: warn, access_log: json, sandbox: off}\n"
        "cache: {path: /data/t.sqlite, memory: 3 GB, limit: 12MiB}\n"
        "worlds:\n"
        "- name: w-1_z\n"
        "  title: Ünïque\n"
        "  generator: patchwork\n"
        "  seed: -9223372036854775808\n"
        "  sea_level: -1.5\n"
        "  height_range: {low: -10, high: 1e3}\n"
        "  minzoom: 17\n"
        "  home: {x: -33554432, z: 33554431, zoom: 18}\n"
        "  noise: {generation: opensimplex2s-legacy, wavelength: 400, octaves: 12, seeds: "
        "sequential}\n"
        "  blend: {frequency: 0.125, radius: 24, chunk: 64, jitter_offset: -9223372036854775808}\n"
        "  biomes:\n"
        "  - {id: 65535, name: B, colour: \"#AbCdEf\", bias: -0.5, height: {shape: terraced, base: "
        "-4, amplitude: 2.5, wavelength: 2, octaves: 1, steps: 64}}\n"
        "- {name: seen, generator: patchwork, seed: hello, minzoom: 18, biomes: [{id: 0, name: C, "
        "colour: '#000000'}]}\n");
    const struct eco_world_config *world = &config->worlds[0];
    const struct eco_biome_config *biome = &world->biomes[0];

    (void)state;
    assert_string_equal(config->server.listen, "localhost:0");
    assert_int_equal(config->server.threads, 3);
    assert_int_equal(config->server.queue, 7);
    assert_int_equal(config->server.grace, 300);
    assert_int_equal(config->server.connections_per_address, 0);
    assert_int_equal(config->server.render_rate, 20);
    assert_int_equal(config->server.render_burst, 1);
    assert_int_equal(config->server.log_level, ECO_LOG_WARN);
    assert_int_equal(config->server.access_log, ECO_ACCESS_LOG_JSON);
    assert_int_equal(config->server.sandbox, ECO_SANDBOX_OFF);
    assert_string_equal(config->cache.path, "/data/t.sqlite");
    assert_true(config->cache.memory_bytes == 3000000000u);
    assert_int_equal(config->cache.limit_bytes, 12 << 20);
    assert_string_equal(world->title, "Ünïque");
    assert_true(world->seed == INT64_MIN);
    assert_string_equal(world->seed_text, "-9223372036854775808");
    assert_true(world->sea_level == -1.5);
    assert_true(world->height_low == -10 && world->height_high == 1000);
    assert_int_equal(world->minzoom, 17);
    assert_true(world->home_x == -ECO_WORLD_HALF && world->home_z == ECO_WORLD_HALF - 1);
    assert_int_equal(world->home_zoom, 18);
    assert_int_equal(world->noise.generation, ECO_NOISE_OPENSIMPLEX2S_LEGACY);
    assert_true(world->noise.frequency == 0.0025);
    assert_int_equal(world->noise.octaves, 12);
    assert_true(world->noise.sequential_seeds);
    assert_true(world->blend.frequency == 0.125);
    assert_true(world->blend.padding == 24 - ECO_LATTICE_GAP * 8);
    assert_int_equal(world->blend.chunk, 64);
    assert_true(world->blend.jitter_offset == INT64_MIN);
    assert_int_equal(biome->biome.id, 65535);
    assert_int_equal(biome->biome.colour, 0xABCDEF);
    assert_true(biome->bias == -0.5);
    assert_int_equal(biome->height.shape, ECO_SHAPE_TERRACED);
    assert_true(biome->height.base == -4 && biome->height.amplitude == 2.5);
    assert_true(biome->height.wavelength == 2);
    assert_int_equal(biome->height.octaves, 1);
    assert_int_equal(biome->height.steps, 64);
    assert_true(config->worlds[1].seed == 99162322);
    assert_int_equal(config->worlds[1].home_zoom, 18);
    assert_ptr_equal(eco_config_world(config, "seen"), &config->worlds[1]);
    assert_null(eco_config_world(config, "Seen"));
    eco_config_free(config);
}

static void sections_and_the_cache_path_may_be_empty(void **state)
{
    struct eco_config *config = parse("server:\ncache:\n  path:\n" WORLD("  blend: ~\n  home:\n"));

    (void)state;
    assert_string_equal(config->server.listen, "127.0.0.1:8080");
    assert_null(config->cache.path);
    assert_true(config->worlds[0].blend.padding == 12);
    eco_config_free(config);
}

static void sizes_have_units(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"0", 0},
        {"1", 1},
        {"10B", 10},
        {"10 kB", 10000},
        {"10KiB", 10240},
        {"2MB", 2000000},
        {"2  MiB", 2097152},
        {"1GiB", 1073741824},
        {"1024GiB", 1099511627776},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[512];
        struct eco_config *config;

        snprintf(text, sizeof(text), "cache: {memory: %s}\n%s", cases[i].text, WORLD(""));
        config = parse(text);
        assert_true(config->cache.memory_bytes == cases[i].bytes);
        eco_config_free(config);
    }
}

static void seeds_keep_all_their_bits(void **state)
{
    static const char *const seeds[] = {"9007199254740993", "9223372036854775807",
                                        "-9223372036854775807"};

    (void)state;
    for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
        char text[512];
        struct eco_config *config;

        snprintf(text, sizeof(text), WORLD("  seed: %s\n"), seeds[i]);
        config = parse(text);
        assert_true(config->worlds[0].seed == strtoll(seeds[i], NULL, 10));
        assert_string_equal(config->worlds[0].seed_text, seeds[i]);
        eco_config_free(config);
    }
}

static void a_byte_order_mark_and_windows_line_ends_are_allowed(void **state)
{
    struct eco_config *config =
        parse("\xEF\xBB\xBFworlds:\r\n- name: a\r\n  generator: patchwork\r\n"
              "  biomes: [{id: 1, name: A, colour: \"#112233\"}]\r\n");

    (void)state;
    assert_string_equal(config->worlds[0].name, "a");
    eco_config_free(config);
}

/* --- the world hash ------------------------------------------------------------------------- */

static uint64_t hash_of(const char *text)
{
    struct eco_config *config = parse(text);
    uint64_t hash = config->worlds[0].hash;

    eco_config_free(config);
    return hash;
}

static void the_hash_changes_with_all_that_decides_the_bytes(void **state)
{
    static const char *const texts[] = {
        WORLD(""),
        WORLD("  sea_level: 64\n"),
        WORLD("  height_range: {low: 1}\n"),
        WORLD("  height_range: {high: 191}\n"),
        WORLD("  noise: {generation: opensimplex2s-legacy}\n"),
        WORLD("  noise: {frequency: 0.0020000000000000005}\n"),
        WORLD("  noise: {octaves: 4}\n"),
        WORLD("  noise: {seeds: sequential}\n"),
        WORLD("  blend: {spacing: 9}\n"),
        WORLD("  blend: {padding: 12.000000000000002}\n"),
        WORLD("  blend: {jitter_offset: 1}\n"),
        WORLD("  blend: {interval: 4}\n"),
        WORLD("  blend: {method: full}\n"),
        WORLD("  blend: {method: grid_convolve}\n"),
        WORLD("  blend: {method: grid_lerp}\n"),
        WORLD("  blend: {method: grid_lerp, interval: 4}\n"),
        WORLD("  blend: {method: none}\n"),
        BIOME("    bias: 1\n"),
        BIOME("    height: {shape: ridged}\n"),
        BIOME("    height: {base: 65}\n"),
        BIOME("    height: {amplitude: 9}\n"),
        BIOME("    height: {wavelength: 257}\n"),
        BIOME("    height: {octaves: 5}\n"),
        BIOME("    height: {steps: 6}\n"),
        WORLD_BIOMES("  - {id: 2, name: A, colour: \"#112233\"}\n"),
        WORLD_BIOMES("  - {id: 1, name: A, colour: \"#112234\"}\n"),
        WORLD_BIOMES("  - {id: 1, name: A, colour: \"#112233\"}\n"
                     "  - {id: 2, name: A, colour: \"#112233\"}\n"),
        WORLD_BIOMES("  - {id: 2, name: A, colour: \"#112233\"}\n"
                     "  - {id: 1, name: A, colour: \"#112233\"}\n"),
    };
    uint64_t hashes[sizeof(texts) / sizeof(texts[0])];

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        hashes[i] = hash_of(texts[i]);
        for (size_t j = 0; j < i; j++) {
            if (hashes[i] == hashes[j])
                fail_msg("equal hashes of\n%s\n%s", texts[i], texts[j]);
        }
    }
}

static void the_hash_does_not_change_with_anything_else(void **state)
{
    static const char *const texts[] = {
        "server: {threads: 2}\ncache: {memory: 0}\n" WORLD(""),
        "worlds:\n- generator: patchwork\n" BIOMES "  name: other\n",
        WORLD("  title: T\n"),
        WORLD("  seed: 5\n"),
        WORLD("  minzoom: 3\n"),
        WORLD("  home: {x: 1, z: 2, zoom: 17}\n"),
        WORLD("  blend: {chunk: 32}\n"),
        WORLD("  blend: {override: false}\n"),
        WORLD("  blend: {method: scattered, interval: 08}\n"),
        WORLD("  noise: {wavelength: 500}\n"),
        WORLD("  blend: {padding: 1.2e1, jitter_offset: -0}\n"),
        WORLD("  height_range: {low: -0.0}\n"),
        WORLD_BIOMES("  - {id: 01, name: B, colour: \"#112233\", bias: -0}\n"),
    };
    uint64_t hash = hash_of(WORLD(""));

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (hash_of(texts[i]) != hash)
            fail_msg("another hash of\n%s", texts[i]);
    }
}

static void a_radius_is_the_padding_and_the_gap_of_the_method(void **state)
{
    struct eco_config *config =
        parse(WORLD("  blend: {radius: 24, method: grid_lerp, interval: 10}\n"));
    const struct eco_blend_config *blend = &config->worlds[0].blend;

    (void)state;
    assert_int_equal(blend->method, ECO_BLEND_GRID_LERP);
    assert_true(blend->override);
    assert_true(fabs(blend->padding - (24 - 10 * 0.7071067811865476)) < 1e-12);
    eco_config_free(config);
}

/* --- the shipped file ----------------------------------------------------------------------- */

static void the_shipped_demo_has_the_parameters_of_the_article(void **state)
{
    struct eco_config *config = NULL;
    struct eco_error error = {0};
    const struct eco_world_config *world;

    (void)state;
    if (eco_config_load(SHIPPED, &config, &error) != 0)
        fail_msg("%s", error.text);
    world = eco_config_world(config, "demo");
    assert_non_null(world);
    assert_true(world->seed == 99999);
    assert_int_equal(world->noise.generation, ECO_NOISE_OPENSIMPLEX2S_LEGACY);
    assert_true(world->noise.frequency == 0.002);
    assert_int_equal(world->noise.octaves, 3);
    assert_true(world->noise.sequential_seeds);
    assert_true(world->blend.frequency == 0.7598356856515925 / 8);
    assert_true(world->blend.padding + ECO_LATTICE_GAP / world->blend.frequency == 24);
    assert_true(world->seed + world->blend.jitter_offset == 1546881382);
    assert_int_equal(world->biomes_count, 4);
    for (unsigned b = 0; b < 4; b++) {
        assert_int_equal(world->biomes[b].biome.id, b);
        assert_true(world->biomes[b].bias == 0);
    }
    assert_int_equal(world->minzoom, 10);
    world = eco_config_world(config, "patchwork");
    assert_non_null(world);
    assert_int_equal(world->minzoom, 10);
    assert_true(world->biomes_count >= 10);
    eco_config_free(config);
}

static void read_shipped(struct eco_buffer *text)
{
    FILE *file = fopen(SHIPPED, "rb");
    int byte;

    eco_buffer_init(text);
    if (!file)
        fail_msg("no %s: run the tests from the root of the project", SHIPPED);
    while ((byte = fgetc(file)) != EOF) {
        unsigned char next = (unsigned char)byte;

        eco_buffer_append(text, &next, 1);
    }
    fclose(file);
    assert_false(text->failed);
}

static void every_prefix_of_the_shipped_file_is_right_or_an_error_with_a_line(void **state)
{
    struct eco_buffer text;
    size_t right = 0;

    (void)state;
    read_shipped(&text);
    for (size_t length = 0; length <= text.size; length++) {
        struct eco_config *config = NULL;
        struct eco_error error = {0};
        /* A copy of just this length, so that a read behind its end is seen. */
        char *prefix = malloc(length + 1);
        int code;

        assert_non_null(prefix);
        prefix = realloc(prefix, length ? length : 1);
        memcpy(prefix, text.data, length);
        code = eco_config_parse(prefix, length, "c.yaml", &config, &error);
        if (code == 0)
            right++;
        else if (code != ECO_ECONFIG || strncmp(error.text, "c.yaml:", 7) != 0 || config)
            fail_msg("the first %zu bytes give (%d) %s", length, code, error.text);
        eco_config_free(config);
        free(prefix);
    }
    assert_true(right > 0 && right < text.size);
    eco_buffer_release(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_that_may_be_missing_has_its_default),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(sections_and_the_cache_path_may_be_empty),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(seeds_keep_all_their_bits),
        cmocka_unit_test(a_byte_order_mark_and_windows_line_ends_are_allowed),
        cmocka_unit_test(the_hash_changes_with_all_that_decides_the_bytes),
        cmocka_unit_test(the_hash_does_not_change_with_anything_else),
        cmocka_unit_test(a_radius_is_the_padding_and_the_gap_of_the_method),
        cmocka_unit_test(the_shipped_demo_has_the_parameters_of_the_article),
        cmocka_unit_test(every_prefix_of_the_shipped_file_is_right_or_an_error_with_a_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
