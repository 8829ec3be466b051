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
#include "ecotone/lattice.h"
#include "world/config.h"

#define SHIPPED "config/ecotone.yaml"

#define BIOMES "  biomes: [{id: 1, name: A, colour: \"#112233\"}]\n"
/* A right configuration with `lines` in its only world, from line 4 on. */
#define WORLD(lines) "worlds:\n- name: a\n  generator: patchwork\n" lines BIOMES
/* The same with another list of biomes. */
#define WORLD_BIOMES(biomes) "worlds:\n- name: a\n  generator: patchwork\n  biomes:\n" biomes
#define BIOME(lines) WORLD_BIOMES("  - id: 1\n    name: A\n    colour: \"#112233\"\n" lines)

static struct eco_config *parse(const char *text)
{
    struct eco_config *config = NULL;
    struct eco_error error = {0};

    if (eco_config_parse(text, strlen(text), "c.yaml", &config, &error) != 0)
        fail_msg("%s\n%s", error.text, text);
    return config;
}

/* --- what is wrong -------------------------------------------------------------------------- */

struct broken {
    const char *text;
    const char *error;
};

static void check_broken(const struct broken *cases, size_t count)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < count; i++) {
        struct eco_config *config = (struct eco_config *)&config;
        struct eco_error error = {0};
        int code =
            eco_config_parse(cases[i].text, strlen(cases[i].text), "c.yaml", &config, &error);

        if (code == ECO_ECONFIG && error.code == code && !config &&
            strcmp(error.text, cases[i].error) == 0)
            continue;
        wrong++;
        print_error("%s--- gives (%d)\n%s\n--- instead of\n%s\n\n", cases[i].text, code, error.text,
                    cases[i].error);
        if (code == 0)
            eco_config_free(config);
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(cases) check_broken(cases, sizeof(cases) / sizeof(cases[0]))

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

static void keys_are_checked(void **state)
{
    static const struct broken cases[] = {
        {WORLD("  blend:\n    paddding: 3\n"),
         "c.yaml:5: worlds[0].blend: \"paddding\" is an unknown key; did you mean padding? known "
         "are method, interval, spacing, frequency, padding, radius, chunk, jitter_offset, "
         "override"},
        {BIOME("    color: \"#112233\"\n"),
         "c.yaml:8: worlds[0].biomes[0]: \"color\" is an unknown key; did you mean colour? known "
         "are id, name, name_de, name_ru, colour, bias, height, catalogue"},
        {WORLD("  home: {X: 3}\n"), "c.yaml:4: worlds[0].home: \"X\" is an unknown key; did you "
                                    "mean x? known are x, z, zoom"},
        {WORLD("  home: {y: 3}\n"),
         "c.yaml:4: worlds[0].home: \"y\" is an unknown key; known are x, z, zoom"},
        {"wolrds: []\n",
         "c.yaml:1: \"wolrds\" is an unknown key; did you mean worlds? known are server, cache, "
         "worlds"},
        {"? [a]\n: 3\n", "c.yaml:1: a key must be a text"},
        {WORLD("  \"\\x07\\n\": 3\n"),
         "c.yaml:4: worlds[0]: \"??\" is an unknown key; known are name, title, generator, seed, "
         "seeds, "
         "quota, sea_level, height_range, minzoom, home, noise, blend, biomes, overworld, relief, "
         "border"},
        {WORLD("  \"name\\0\": b\n"),
         "c.yaml:4: worlds[0]: \"name?\" is an unknown key; did you mean name? known are name, "
         "title, generator, seed, seeds, quota, sea_level, height_range, minzoom, home, noise, "
         "blend, "
         "biomes, "
         "overworld, relief, border"},
        {WORLD("  name: b\n"), "c.yaml:4: worlds[0].name: given twice; the first is on line 2"},
        {WORLD("  home: {z: 1, x: 2, z: 1}\n"),
         "c.yaml:4: worlds[0].home.z: given twice; the first is on line 4"},
        {"worlds:\n\n- generator: patchwork\n" BIOMES,
         "c.yaml:3: worlds[0].name: missing; 1 to 64 of a-z, 0-9, _ and -"},
        {"worlds:\n- name: a\n" BIOMES,
         "c.yaml:2: worlds[0].generator: missing; patchwork, overworld or relief"},
        {"worlds:\n- name: a\n  generator: patchwork\n",
         "c.yaml:2: worlds[0].biomes: missing; a list of 1 to 256 biomes"},
        {"server:\n  threads: 1\n", "c.yaml:1: worlds: missing; a list of 1 to 256 worlds"},
        {WORLD_BIOMES("  - id: 1\n    colour: \"#112233\"\n"),
         "c.yaml:5: worlds[0].biomes[0].name: missing; text, 1 to 64 bytes, no control characters"},
        {WORLD_BIOMES("  - name: A\n    colour: \"#112233\"\n"),
         "c.yaml:5: worlds[0].biomes[0].id: missing; a whole number, 0 to 65535"},
        {WORLD_BIOMES("  - id: 1\n    name: A\n"),
         "c.yaml:5: worlds[0].biomes[0].colour: missing; \"#rrggbb\" in quotes"},
    };

    (void)state;
    CHECK(cases);
}

static void keys_that_exclude_each_other_are_not_given_both(void **state)
{
    static const struct broken cases[] = {
        {WORLD("  noise:\n    wavelength: 500\n    frequency: 0.002\n"),
         "c.yaml:6: worlds[0].noise.frequency: given beside wavelength on line 5; one of the two "
         "is enough"},
        {WORLD("  blend:\n    frequency: 0.1\n    spacing: 8\n"),
         "c.yaml:6: worlds[0].blend.spacing: given beside frequency on line 5; one of the two is "
         "enough"},
        {WORLD("  blend:\n    padding: 1\n    radius: 24\n"),
         "c.yaml:5: worlds[0].blend.padding: given beside radius on line 6; one of the two is "
         "enough"},
    };

    (void)state;
    CHECK(cases);
}

static void keys_that_depend_on_each_other_are_checked(void **state)
{
    static const struct broken cases[] = {
        {WORLD("  blend: {spacing: 8, radius: 12}\n"),
         "c.yaml:4: worlds[0].blend.radius: 12 is out of range; blocks, 12.40806479 to "
         "524.4080648"},
        {WORLD("  height_range:\n    high: 10\n    low: 10\n"),
         "c.yaml:5: worlds[0].height_range.high: 10 is out of range; blocks, above low, which is "
         "10"},
        {WORLD("  height_range:\n    low: 200\n"),
         "c.yaml:5: worlds[0].height_range.high: 192 is out of range; blocks, above low, which is "
         "200"},
        {WORLD("  minzoom: 10\n  home:\n    zoom: 9\n"),
         "c.yaml:6: worlds[0].home.zoom: 9 is out of range; a zoom level, 10 (minzoom) to 18"},
        {BIOME("    height: {base: 16000, amplitude: 400}\n"),
         "c.yaml:8: worlds[0].biomes[0].height.amplitude: 400 is out of range; base - amplitude to "
         "base + amplitude (base is 16000) must lie in blocks, -4096 to 16384"},
        {BIOME("    height: {base: -4096}\n"),
         "c.yaml:8: worlds[0].biomes[0].height.amplitude: 8 is out of range; base - amplitude to "
         "base + amplitude (base is -4096) must lie in blocks, -4096 to 16384"},
    };

    (void)state;
    CHECK(cases);
}

static void lists_and_mappings_are_checked(void **state)
{
    static const struct broken cases[] = {
        {"worlds: []\n", "c.yaml:1: worlds: a list of 0 is out of range; a list of 1 to 256 "
                         "worlds"},
        {"worlds:\n", "c.yaml:1: worlds: no value is given; a list of 1 to 256 worlds"},
        {"worlds: demo\n", "c.yaml:1: worlds: \"demo\" is not a list; a list of 1 to 256 worlds"},
        {"worlds: {a: 1}\n",
         "c.yaml:1: worlds: a mapping is not a list; a list of 1 to 256 worlds"},
        {"worlds:\n- demo\n",
         "c.yaml:2: worlds[0]: \"demo\" is not a mapping; a mapping with name, title, generator, "
         "seed, seeds, quota, sea_level, height_range, minzoom, home, noise, blend, biomes, "
         "overworld, "
         "relief, "
         "border"},
        {WORLD_BIOMES("    []\n"), "c.yaml:5: worlds[0].biomes: a list of 0 is out of range; a "
                                   "list of 1 to 256 biomes"},
        {WORLD_BIOMES("  -\n"), "c.yaml:5: worlds[0].biomes[0]: no value is given; a mapping with "
                                "id, name, name_de, name_ru, colour, bias, height, catalogue"},
        {WORLD("  home: 3\n"),
         "c.yaml:4: worlds[0].home: 3 is not a mapping; a mapping with x, z, zoom"},
        {WORLD("  home: [3]\n"),
         "c.yaml:4: worlds[0].home: a list is not a mapping; a mapping with x, z, zoom"},
        {"- a\n", "c.yaml:1: a list is not a mapping; a mapping with server, cache, worlds"},
        {"demo\n", "c.yaml:1: \"demo\" is not a mapping; a mapping with server, cache, worlds"},
        {WORLD("") "- name: a\n  generator: patchwork\n" BIOMES,
         "c.yaml:5: worlds[1].name: a is taken by worlds[0] on line 2; each needs its own"},
        {WORLD_BIOMES("  - {id: 1, name: A, colour: \"#112233\"}\n"
                      "  - {id: 2, name: A, colour: \"#112233\"}\n"
                      "  - {id: +1, name: B, colour: \"#112233\"}\n"),
         "c.yaml:7: worlds[0].biomes[2].id: +1 is taken by biomes[0] on line 5; each needs its "
         "own"},
    };

    (void)state;
    CHECK(cases);
}

static void what_is_not_yaml_is_told_with_its_line(void **state)
{
    static const struct broken cases[] = {
        {"", "c.yaml:1: the file is empty; a mapping with worlds is needed"},
        {"# nothing\n", "c.yaml:1: the file is empty; a mapping with worlds is needed"},
        {"worlds:\n- [a\n- b\n", "c.yaml:4: not YAML: did not find expected ',' or ']' while "
                                 "parsing a flow sequence (from line 2)"},
        {"worlds:\n  - a\n - b\n", "c.yaml:3: not YAML: did not find expected key while parsing a "
                                   "block mapping (from line 1)"},
        {"a: \"b\nc", "c.yaml:2: not YAML: found unexpected end of stream while scanning a quoted "
                      "scalar (from line 1)"},
        {"a:\n\tb: 1\n", "c.yaml:2: not YAML: found character that cannot start any token while "
                         "scanning for the next token (from line 2)"},
        {"a: b\n\nc: \x01\n", "c.yaml:3: not YAML: control characters are not allowed (0x01)"},
        {"a: 1\n\nb: \"\xC3\"\n", "c.yaml:3: byte 0xc3 is not UTF-8; UTF-8 is needed"},
        {"\xFE\xFF", "c.yaml:1: byte 0xfe is not UTF-8; UTF-8 is needed"},
        {WORLD("") "---\na: 1\n", "c.yaml:5: a second document begins; one is allowed"},
        {WORLD("  seed: !!str 5\n"), "c.yaml:4: a tag is given; values have no tags here"},
        {"worlds: *w\n", "c.yaml:1: not YAML: found undefined alias"},
        {"server: &a {}\ncache: &a {}\n",
         "c.yaml:2: not YAML: found duplicate anchor; first occurrence on line 1"},
    };

    (void)state;
    CHECK(cases);
}

static void aliases_share_values_and_cannot_run_away(void **state)
{
    static const struct broken cases[] = {
        {"worlds: &w [*w]\n",
         "c.yaml:1: worlds[0]: a list is not a mapping; a mapping with name, title, generator, "
         "seed, seeds, quota, sea_level, height_range, minzoom, home, noise, blend, biomes, "
         "overworld, "
         "relief, "
         "border"},
        {"&r\nserver: *r\n", "c.yaml:2: server: \"server\" is an unknown key; known are listen, "
                             "threads, queue, base_path, public_url, trusted_proxies, grace, "
                             "connections_per_address, render_rate, render_burst, log_level, "
                             "access_log, sandbox"},
        {WORLD("  home: &h {x: 1}\n  <<: *h\n"),
         "c.yaml:5: worlds[0]: \"<<\" is an unknown key; known are name, title, generator, seed, "
         "seeds, "
         "quota, sea_level, height_range, minzoom, home, noise, blend, biomes, overworld, relief, "
         "border"},
        {"[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]\n", "c.yaml:1: nested too deep; at most 16 levels"},
    };
    struct eco_config *config = parse("worlds:\n- name: a\n  generator: patchwork\n  biomes: &b\n"
                                      "  - {id: 1, name: A, colour: \"#112233\"}\n"
                                      "- name: b\n  generator: patchwork\n  biomes: *b\n");

    (void)state;
    assert_int_equal(config->worlds[1].biomes_count, 1);
    assert_string_equal(config->worlds[1].biomes[0].biome.name, "A");
    assert_true(config->worlds[0].hash == config->worlds[1].hash);
    eco_config_free(config);
    CHECK(cases);
}

/* Parses `count` times `pattern` and expects the error. */
static void check_repeated(const char *pattern, size_t count, const char *expected)
{
    struct eco_config *config = NULL;
    struct eco_error error = {0};
    struct eco_buffer text;

    eco_buffer_init(&text);
    for (size_t i = 0; i < count; i++)
        eco_buffer_append(&text, pattern, strlen(pattern));
    assert_false(text.failed);
    assert_int_equal(
        eco_config_parse((const char *)text.data, text.size, "c.yaml", &config, &error),
        ECO_ECONFIG);
    assert_null(config);
    assert_string_equal(error.text, expected);
    eco_buffer_release(&text);
}

/* Each took libyaml seconds to minutes, or hundreds of megabytes, without the limits. */
static void a_megabyte_of_anything_ends_soon(void **state)
{
    const size_t all = ECO_CONFIG_BYTES_MAX;

    (void)state;
    check_repeated("a", all + 1, "c.yaml: the file is too large; at most 1048576 bytes");
    check_repeated("[", all, "c.yaml:1: nested too deep; at most 16 levels");
    check_repeated("{", all, "c.yaml:1: nested too deep; at most 16 levels");
    check_repeated("- ", all / 2, "c.yaml:1: nested too deep; at most 16 levels");
    check_repeated("? ", all / 2, "c.yaml:1: nested too deep; at most 16 levels");
    check_repeated("-\n", all / 2, "c.yaml:262144: too many values; at most 262144");
    check_repeated("a: b\n", 100000,
                   "c.yaml:1: \"a\" is an unknown key; known are server, "
                   "cache, worlds");
    check_repeated("- &a b\n", all / 7, "c.yaml:257: too many anchors; at most 256");
    check_repeated("#", all, "c.yaml:1: the file is empty; a mapping with worlds is needed");
}

static void errors_of_a_file_begin_with_its_path(void **state)
{
    struct eco_config *config = NULL;
    struct eco_error error;
    char path[64], expected[ECO_ERROR_TEXT_MAX];
    FILE *file = tmpfile();

    (void)state;
    assert_int_equal(eco_config_load("/nowhere/c.yaml", &config, &error), ECO_ENOTFOUND);
    assert_string_equal(
        error.text, "/nowhere/c.yaml: No such file or directory; a readable YAML file is needed");
    assert_int_equal(eco_config_load("/", &config, &error), ECO_EIO);
    assert_string_equal(error.text, "/: Is a directory; a readable YAML file is needed");
    assert_int_equal(eco_config_load("/dev/zero", &config, &error), ECO_ECONFIG);
    assert_string_equal(error.text, "/dev/zero: the file is too large; at most 1048576 bytes");

    assert_non_null(file);
    assert_true(fputs("worlds: 3\n", file) >= 0 && fflush(file) == 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
    assert_int_equal(eco_config_load(path, &config, &error), ECO_ECONFIG);
    snprintf(expected, sizeof(expected), "%s:1: worlds: 3 is not a list; a list of 1 to 256 worlds",
             path);
    assert_string_equal(error.text, expected);
    fclose(file);
    assert_null(config);
}

static void the_error_may_be_null_and_the_name_long(void **state)
{
    struct eco_config *config = NULL;
    struct eco_error error;
    char name[1001];

    (void)state;
    assert_int_equal(eco_config_parse("a: 1", 4, "c.yaml", &config, NULL), ECO_ECONFIG);
    memset(name, 'n', sizeof(name) - 1);
    memcpy(name + sizeof(name) - 7, "c.yaml", 7);
    assert_int_equal(eco_config_parse("server: 3", 9, name, &config, &error), ECO_ECONFIG);
    assert_non_null(strstr(error.text, "nnc.yaml:1: server: 3 is not a mapping; a mapping with "
                                       "listen, threads, queue"));
}

/* --- what is right -------------------------------------------------------------------------- */

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
        cmocka_unit_test(a_relief_is_checked),
        cmocka_unit_test(numbers_are_checked_for_type_and_range),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(texts_choices_and_colours_are_checked),
        cmocka_unit_test(keys_are_checked),
        cmocka_unit_test(keys_that_exclude_each_other_are_not_given_both),
        cmocka_unit_test(keys_that_depend_on_each_other_are_checked),
        cmocka_unit_test(lists_and_mappings_are_checked),
        cmocka_unit_test(what_is_not_yaml_is_told_with_its_line),
        cmocka_unit_test(aliases_share_values_and_cannot_run_away),
        cmocka_unit_test(a_megabyte_of_anything_ends_soon),
        cmocka_unit_test(errors_of_a_file_begin_with_its_path),
        cmocka_unit_test(the_error_may_be_null_and_the_name_long),
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
