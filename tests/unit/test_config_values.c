/* Values that are not allowed, key by key, and the sentences that say so. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config_fixture.h"

#define RELIEF(text) "worlds:\n- name: r\n  generator: relief\n" text

static void a_relief_is_checked(void **state)
{
    static const struct broken cases[] = {
        {RELIEF("  relief: {cell: 3}\n"),
         "c.yaml:4: worlds[0].relief.cell: 3 is not allowed; blocks, 1, 2, 4, 8, 16 or 32"},
        {RELIEF("  relief:\n    low: 50\n    high: 50\n"),
         "c.yaml:6: worlds[0].relief.high: 50 is out of range; blocks, above low, which is 50"},
        {RELIEF("  relief:\n    erosion:\n    - {kind: thermal, iterations: 103}\n"),
         "c.yaml:6: worlds[0].relief.erosion: its iterations reach 1030 cells far, which is out of "
         "range; 1024 at most: thermal 10 an iteration, hydraulic and inverted 7, reference forms "
         "2, settle 1"},
        {RELIEF("  relief:\n    erosion:\n    - {kind: settle, form: reference}\n"),
         "c.yaml:6: worlds[0].relief.erosion[0].form: settle has no reference form; thermal and "
         "hydraulic have one"},
        {RELIEF("  relief:\n    erosion:\n    - {kind: thermal, form: slow}\n"),
         "c.yaml:6: worlds[0].relief.erosion[0].form: \"slow\" is not allowed; fast or "
         "reference"},
        {RELIEF("  relief: {sources: [{kind: voronoi, jitter: 1.5}]}\n"),
         "c.yaml:4: worlds[0].relief.sources[0].jitter: 1.5 is out of range; of a region, 0 to 1"},
        {RELIEF("  relief: {perturb_by: voronoi}\n"),
         "c.yaml:4: worlds[0].relief.perturb_by: \"voronoi\" is not allowed; spectral-smooth or "
         "midpoint"},
        {RELIEF("  relief: {sources: [{weight: 1}]}\n"),
         "c.yaml:4: worlds[0].relief.sources[0].kind: missing; spectral-linear, spectral-smooth, "
         "midpoint, midpoint-gauss, midpoint-smoothed or voronoi"},
        {RELIEF("  biomes:\n  - {id: 6, name: Sky, colour: \"#000000\"}\n"),
         "c.yaml:5: worlds[0].biomes: there is no biome 6 in relief; 0 water, 1 beach, 2 plain, 3 "
         "hill, 4 cliff, 5 peak"},
    };

    (void)state;
    CHECK(cases);
}

static void numbers_are_checked_for_type_and_range(void **state)
{
    static const struct broken cases[] = {
        {WORLD("  blend:\n    padding: -3\n"),
         "c.yaml:5: worlds[0].blend.padding: -3 is out of range; blocks, 0 to 512"},
        {WORLD("  blend:\n    padding: 512.001\n"),
         "c.yaml:5: worlds[0].blend.padding: 512.001 is out of range; blocks, 0 to 512"},
        {WORLD("  blend: {padding: wide}\n"),
         "c.yaml:4: worlds[0].blend.padding: \"wide\" is not a number; blocks, 0 to 512"},
        {WORLD("  blend: {padding: nan}\n"),
         "c.yaml:4: worlds[0].blend.padding: \"nan\" is not a number; blocks, 0 to 512"},
        {WORLD("  blend: {padding: .inf}\n"),
         "c.yaml:4: worlds[0].blend.padding: \".inf\" is not a number; blocks, 0 to 512"},
        {WORLD("  blend: {padding: 0x10}\n"),
         "c.yaml:4: worlds[0].blend.padding: \"0x10\" is not a number; blocks, 0 to 512"},
        {WORLD("  blend: {padding: 1,5}\n"),
         "c.yaml:4: worlds[0].blend: 5 is an unknown key; known are method, interval, "
         "spacing, frequency, padding, radius, chunk, jitter_offset, override"},
        {WORLD("  blend: {padding: \" 5\"}\n"),
         "c.yaml:4: worlds[0].blend.padding: \" 5\" is not a number; blocks, 0 to 512"},
        {WORLD("  blend: {padding: 1e5e}\n"),
         "c.yaml:4: worlds[0].blend.padding: 1e5e is not a number; blocks, 0 to 512"},
        {WORLD("  blend: {padding: 1e999}\n"),
         "c.yaml:4: worlds[0].blend.padding: 1e999 is out of range; blocks, 0 to 512"},
        {WORLD("  blend: {padding: 1e-999}\n"),
         "c.yaml:4: worlds[0].blend.padding: 1e-999 is out of range; blocks, 0 to 512"},
        {WORLD("  blend: {padding: }\n"),
         "c.yaml:4: worlds[0].blend.padding: no value is given; blocks, 0 to 512"},
        {WORLD("  blend: {padding: [3]}\n"),
         "c.yaml:4: worlds[0].blend.padding: a list is not a number; blocks, 0 to 512"},
        {WORLD("  blend: {padding: {a: 3}}\n"),
         "c.yaml:4: worlds[0].blend.padding: a mapping is not a number; blocks, 0 to 512"},
        {WORLD("  noise: {octaves: 2.5}\n"),
         "c.yaml:4: worlds[0].noise.octaves: 2.5 is not a whole number; octaves, 1 to 12"},
        {WORLD("  noise: {octaves: 13}\n"),
         "c.yaml:4: worlds[0].noise.octaves: 13 is out of range; octaves, 1 to 12"},
        {WORLD("  noise: {octaves: 99999999999999999999}\n"),
         "c.yaml:4: worlds[0].noise.octaves: 99999999999999999999 is out of range; octaves, "
         "1 to 12"},
        {WORLD("  minzoom: 19\n"),
         "c.yaml:4: worlds[0].minzoom: 19 is out of range; a zoom level, 0 to 18"},
        {WORLD("  blend: {chunk: 17}\n"),
         "c.yaml:4: worlds[0].blend.chunk: 17 is not allowed; samples, 8, 16, 32 or 64"},
        {WORLD("  blend: {method: lerp}\n"), "c.yaml:4: worlds[0].blend.method: \"lerp\" is not "
                                             "allowed; scattered, full, grid_convolve, "
                                             "grid_lerp or none"},
        {WORLD("  blend: {interval: 0}\n"),
         "c.yaml:4: worlds[0].blend.interval: 0 is out of range; blocks, 1 to 256"},
        {WORLD("  blend: {override: yes}\n"),
         "c.yaml:4: worlds[0].blend.override: \"yes\" is not allowed; false or true"},
        {WORLD("  blend: {jitter_offset: 9223372036854775808}\n"),
         "c.yaml:4: worlds[0].blend.jitter_offset: 9223372036854775808 is out of range; a whole "
         "number of 64 bits"},
        {WORLD("  home: {x: 33554432}\n"),
         "c.yaml:4: worlds[0].home.x: 33554432 is out of range; blocks, -33554432 to 33554431"},
        {"server: {threads: 65}\n" WORLD(""),
         "c.yaml:1: server.threads: 65 is out of range; threads, 0 to 64"},
        {"server: {grace: 301}\n" WORLD(""),
         "c.yaml:1: server.grace: 301 is out of range; seconds, 0 to 300"},
        {"server: {render_burst: 0}\n" WORLD(""),
         "c.yaml:1: server.render_burst: 0 is out of range; tiles, 1 to 1000000"},
        {"server: {access_log: apache}\n" WORLD(""),
         "c.yaml:1: server.access_log: \"apache\" is not allowed; none, common, combined or json"},
        {"server: {queue: 0}\n" WORLD(""),
         "c.yaml:1: server.queue: 0 is out of range; tiles, 1 to 1048576"},
        {BIOME("    bias: 4.5\n"),
         "c.yaml:8: worlds[0].biomes[0].bias: 4.5 is out of range; -4 to 4"},
        {WORLD_BIOMES("  - {id: 65536, name: A, colour: \"#112233\"}\n"),
         "c.yaml:5: worlds[0].biomes[0].id: 65536 is out of range; a whole number, 0 to 65535"},
    };

    (void)state;
    CHECK(cases);
}

static void sizes_are_checked(void **state)
{
    static const struct broken cases[] = {
        {"cache: {memory: lots}\n" WORLD(""),
         "c.yaml:1: cache.memory: \"lots\" is not a size; bytes, or text such as 64MiB, up to "
         "1024 GiB"},
        {"cache: {memory: 64M}\n" WORLD(""),
         "c.yaml:1: cache.memory: \"64M\" is not a size; bytes, or text such as 64MiB, up to "
         "1024 GiB"},
        {"cache: {memory: -1}\n" WORLD(""),
         "c.yaml:1: cache.memory: -1 is not a size; bytes, or text such as 64MiB, up to 1024 GiB"},
        {"cache: {memory: 1025GiB}\n" WORLD(""),
         "c.yaml:1: cache.memory: \"1025GiB\" is out of range; bytes, or text such as 64MiB, up "
         "to 1024 GiB"},
        {"cache: {memory: 9223372036854775807GiB}\n" WORLD(""),
         "c.yaml:1: cache.memory: \"9223372036854775807GiB\" is out of range; bytes, or text such "
         "as 64MiB, up to 1024 GiB"},
        {"cache: {memory: 99999999999999999999}\n" WORLD(""),
         "c.yaml:1: cache.memory: 99999999999999999999 is out of range; bytes, or text such as "
         "64MiB, up to 1024 GiB"},
    };

    (void)state;
    CHECK(cases);
}

static void texts_choices_and_colours_are_checked(void **state)
{
    static const struct broken cases[] = {
        {"worlds:\n- name: My World\n  generator: patchwork\n" BIOMES,
         "c.yaml:2: worlds[0].name: \"My World\" is not allowed; 1 to 64 of a-z, 0-9, _ and -"},
        {"worlds:\n- name: \"\"\n  generator: patchwork\n" BIOMES,
         "c.yaml:2: worlds[0].name: \"\" is not allowed; 1 to 64 of a-z, 0-9, _ and -"},
        {"worlds:\n- name: \"a\\0b\"\n  generator: patchwork\n" BIOMES,
         "c.yaml:2: worlds[0].name: \"a?b\" is not allowed; 1 to 64 of a-z, 0-9, _ and -"},
        {"worlds:\n- name: 0123456789012345678901234567890123456789012345678901234567890123a\n"
         "  generator: patchwork\n" BIOMES,
         "c.yaml:2: worlds[0].name: "
         "\"012345678901234567890123456789012345678901234567890123456789...\" is not allowed; 1 to "
         "64 of a-z, 0-9, _ and -"},
        {WORLD("  title: \"a\\nb\"\n"),
         "c.yaml:4: worlds[0].title: \"a?b\" is out of range; text, 1 to 128 bytes, no control "
         "characters"},
        {WORLD("  title: \"\"\n"),
         "c.yaml:4: worlds[0].title: \"\" is out of range; text, 1 to 128 bytes, no control "
         "characters"},
        {WORLD("  seed:\n"), "c.yaml:4: worlds[0].seed: no value is given; a whole number of 64 "
                             "bits or text, 0 to 128 bytes, no control characters"},
        {"worlds:\n- name: a\n  generator: planet\n" BIOMES,
         "c.yaml:3: worlds[0].generator: \"planet\" is not allowed; patchwork, overworld or "
         "relief"},
        {WORLD("  noise: {generation: perlin}\n"),
         "c.yaml:4: worlds[0].noise.generation: \"perlin\" is not allowed; opensimplex2s or "
         "opensimplex2s-legacy"},
        {WORLD("  noise: {seeds: 1}\n"),
         "c.yaml:4: worlds[0].noise.seeds: 1 is not allowed; hashed or sequential"},
        {BIOME("    height: {shape: Ridged}\n"),
         "c.yaml:8: worlds[0].biomes[0].height.shape: \"Ridged\" is not allowed; plain, ridged, "
         "billow, terraced or dunes"},
        {WORLD_BIOMES("  - {id: 1, name: A, colour: red}\n"),
         "c.yaml:5: worlds[0].biomes[0].colour: \"red\" is not a colour; \"#rrggbb\" in quotes"},
        {WORLD_BIOMES("  - {id: 1, name: A, colour: \"#12345g\"}\n"),
         "c.yaml:5: worlds[0].biomes[0].colour: \"#12345g\" is not a colour; \"#rrggbb\" in "
         "quotes"},
        {WORLD_BIOMES("  - {id: 1, name: A, colour: \"#1234567\"}\n"),
         "c.yaml:5: worlds[0].biomes[0].colour: \"#1234567\" is not a colour; \"#rrggbb\" in "
         "quotes"},
        {WORLD_BIOMES("  - id: 1\n    name: A\n    colour: #112233\n"),
         "c.yaml:7: worlds[0].biomes[0].colour: no value is given; \"#rrggbb\" in quotes"},
        {"server: {listen: localhost}\n" WORLD(""),
         "c.yaml:1: server.listen: \"localhost\" is not allowed; address:port, such as "
         "127.0.0.1:8080 or [::1]:8080"},
        {"server: {listen: \"127.0.0.1:65536\"}\n" WORLD(""),
         "c.yaml:1: server.listen: \"127.0.0.1:65536\" is not allowed; address:port, such as "
         "127.0.0.1:8080 or [::1]:8080"},
        {"server: {listen: \"127.0.0.1:-1\"}\n" WORLD(""),
         "c.yaml:1: server.listen: \"127.0.0.1:-1\" is not allowed; address:port, such as "
         "127.0.0.1:8080 or [::1]:8080"},
        {"server: {listen: \"::1:80\"}\n" WORLD(""),
         "c.yaml:1: server.listen: \"::1:80\" is not allowed; address:port, such as "
         "127.0.0.1:8080 or [::1]:8080"},
        {"server: {listen: \"[127.0.0.1]:80\"}\n" WORLD(""),
         "c.yaml:1: server.listen: \"[127.0.0.1]:80\" is not allowed; address:port, such as "
         "127.0.0.1:8080 or [::1]:8080"},
    };

    (void)state;
    CHECK(cases);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_relief_is_checked),
        cmocka_unit_test(numbers_are_checked_for_type_and_range),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(texts_choices_and_colours_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
