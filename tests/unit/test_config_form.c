/* What is around the values: keys, lists, YAML itself, and the file that it comes from. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "config_fixture.h"

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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_checked),
        cmocka_unit_test(keys_that_exclude_each_other_are_not_given_both),
        cmocka_unit_test(keys_that_depend_on_each_other_are_checked),
        cmocka_unit_test(lists_and_mappings_are_checked),
        cmocka_unit_test(what_is_not_yaml_is_told_with_its_line),
        cmocka_unit_test(aliases_share_values_and_cannot_run_away),
        cmocka_unit_test(a_megabyte_of_anything_ends_soon),
        cmocka_unit_test(errors_of_a_file_begin_with_its_path),
        cmocka_unit_test(the_error_may_be_null_and_the_name_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
