/* What a configuration lets people ask for. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config_fixture.h"

static void check_error(const char *text, const char *expected)
{
    struct eco_config *config = NULL;
    struct eco_error error = {0};
    int code = eco_config_parse(text, strlen(text), "c.yaml", &config, &error);

    if (code == 0)
        eco_config_free(config);
    assert_int_equal(code, ECO_ECONFIG);
    assert_string_equal(error.text, expected);
}

static bool allows(const char *text, int64_t seed)
{
    struct eco_config *config = parse(text);
    bool allowed = eco_config_seed_allowed(&config->worlds[0], seed);

    eco_config_free(config);
    return allowed;
}

static void any_seed_is_allowed_by_default(void **state)
{
    (void)state;
    assert_true(allows(WORLD(""), INT64_MIN));
    assert_true(allows(WORLD("  seeds: any\n"), 7));
}

static void fixed_allows_the_own_seed_alone(void **state)
{
    (void)state;
    assert_true(allows(WORLD("  seed: 5\n  seeds: fixed\n"), 5));
    assert_false(allows(WORLD("  seed: 5\n  seeds: fixed\n"), 0));
}

static void a_list_allows_its_seeds_and_the_own_one(void **state)
{
#define LIST WORLD("  seed: 5\n  seeds: [1, -9223372036854775808, \"hello world\", +1, 5, any]\n")
    (void)state;
    assert_true(allows(LIST, 5));
    assert_true(allows(LIST, 1));
    assert_true(allows(LIST, INT64_MIN));
    assert_true(allows(LIST, 1794106052));
    assert_true(allows(LIST, eco_seed_parse("any", 3, NULL)));
    assert_false(allows(LIST, 2));
}

static void a_list_is_kept_as_written(void **state)
{
    struct eco_config *config = parse(LIST);
    const struct eco_seeds_config *seeds = &config->worlds[0].seeds;

    (void)state;
    assert_null(seeds->rule);
    assert_int_equal(seeds->count, 4);
    assert_string_equal(seeds->texts[1], "-9223372036854775808");
    assert_string_equal(seeds->texts[2], "hello world");
    eco_config_free(config);
}

static void what_is_no_rule_for_seeds_is_said(void **state)
{
    (void)state;
    check_error(WORLD("  seeds: some\n"), "c.yaml:4: worlds[0].seeds: \"some\" is not allowed; any "
                                          "or fixed, or a list of 1 to 256 seeds");
    check_error(WORLD("  seeds: []\n"), "c.yaml:4: worlds[0].seeds: a list of 0 is out of range; "
                                        "any or fixed, or a list of 1 to 256 seeds");
    check_error(WORLD("  seeds: {a: 1}\n"), "c.yaml:4: worlds[0].seeds: a mapping is not a "
                                            "choice; any or fixed, or a list of 1 to 256 seeds");
    check_error(WORLD("  seeds:\n"), "c.yaml:4: worlds[0].seeds: no value is given; any or fixed, "
                                     "or a list of 1 to 256 seeds");
    check_error(WORLD("  seeds: [1, \"\"]\n"),
                "c.yaml:4: worlds[0].seeds[1]: \"\" is out of range; a whole number of 64 bits or "
                "text, 1 to 128 bytes, no control characters");
    check_error(WORLD("  seeds:\n  - 1\n  - [2]\n"),
                "c.yaml:6: worlds[0].seeds[1]: a list is not a text; a whole number of 64 bits or "
                "text, 1 to 128 bytes, no control characters");
}

static void seeds_do_not_change_the_hash(void **state)
{
    struct eco_config *any = parse(WORLD("")), *list = parse(LIST);

    (void)state;
    assert_true(any->worlds[0].hash == list->worlds[0].hash);
    eco_config_free(any);
    eco_config_free(list);
}

static void a_quota_is_in_bytes_and_none_by_default(void **state)
{
    struct eco_config *none = parse(WORLD("")), *some = parse(WORLD("  quota: 512MiB\n"));
    struct eco_config *null = parse(WORLD("  quota:\n"));

    (void)state;
    assert_true(none->worlds[0].quota == 0 && null->worlds[0].quota == 0);
    assert_true(some->worlds[0].quota == 536870912);
    assert_true(none->worlds[0].hash == some->worlds[0].hash);
    eco_config_free(none);
    eco_config_free(null);
    eco_config_free(some);
    check_error(WORLD("  quota: 1000\n"), "c.yaml:4: worlds[0].quota: 1000 is out of range; bytes, "
                                          "or text such as 64MiB, up to 1024 GiB");
}

#define RELIEF(lines) "worlds:\n- name: r\n  generator: relief\n" lines

static uint64_t relief_hash(const char *text)
{
    struct eco_config *config = parse(text);
    uint64_t hash = config->worlds[0].relief.hash;

    eco_config_free(config);
    return hash;
}

/* Eroded blocks are dear: what only colours them must not throw them away. */
static void blocks_of_a_relief_change_with_its_steps_alone(void **state)
{
    uint64_t hash = relief_hash(RELIEF(""));

    (void)state;
    assert_true(relief_hash(RELIEF("  relief: {classes: {beach: 5, hill: 0.2}}\n")) == hash);
    assert_true(relief_hash(RELIEF("  sea_level: 70\n  blend: {method: full}\n")) == hash);
    assert_false(relief_hash(RELIEF("  relief: {period: 256}\n")) == hash);
    assert_false(relief_hash(RELIEF("  relief: {perturb: 0.1}\n")) == hash);
    assert_false(relief_hash(RELIEF("  relief: {play: {unit_slope: 0.4}}\n")) == hash);
    assert_false(relief_hash(RELIEF("  relief: {erosion: [{kind: thermal}]}\n")) == hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_seed_is_allowed_by_default),
        cmocka_unit_test(fixed_allows_the_own_seed_alone),
        cmocka_unit_test(a_list_allows_its_seeds_and_the_own_one),
        cmocka_unit_test(a_list_is_kept_as_written),
        cmocka_unit_test(what_is_no_rule_for_seeds_is_said),
        cmocka_unit_test(blocks_of_a_relief_change_with_its_steps_alone),
        cmocka_unit_test(a_quota_is_in_bytes_and_none_by_default),
        cmocka_unit_test(seeds_do_not_change_the_hash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
