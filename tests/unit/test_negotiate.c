#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "http/negotiate.h"

static void if_none_match_is_a_list_of_tags(void **state)
{
    static const char *const matching[] = {
        "\"abc\"",
        "W/\"abc\"",
        "*",
        " * ",
        "\"x\", \"abc\"",
        "\"x\",W/\"y\",\t\"abc\"",
        ", ,\"abc\"",
        "\"abc\", broken",
        "\"\", \"abc\"",
        "\"x,y\", \"abc\"",
    };
    static const char *const other[] = {
        "",
        "abc",
        "\"ab\"",
        "\"abcd\"",
        "\"ABC\"",
        "\"abc",
        "w/\"abc\"",
        "W/ \"abc\"",
        "broken, \"abc\"",
        "W/W/\"abc\"",
        "\"x\" y \"abc\"",
        "\"",
        "W/",
        "\"x, \"abc\"\"",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(matching) / sizeof(matching[0]); i++) {
        if (!eco_etag_matches(matching[i], "\"abc\""))
            fail_msg("%s does not match", matching[i]);
    }
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        if (eco_etag_matches(other[i], "\"abc\""))
            fail_msg("%s matches", other[i]);
    }
}

static bool wants_gzip(const char *first, const char *second)
{
    struct eco_encodings encodings = ECO_ENCODINGS_START;

    if (first)
        eco_encodings_read(&encodings, first);
    if (second)
        eco_encodings_read(&encodings, second);
    return eco_encodings_gzip(&encodings);
}

static void gzip_is_chosen_by_quality(void **state)
{
    static const char *const yes[] = {
        "gzip",
        "x-gzip",
        "GZip",
        "br, gzip",
        "gzip;q=0.001",
        "gzip ; q=1",
        "gzip;q=1.000",
        "*",
        "*;q=0.5",
        "gzip;q=0.5, identity;q=0.5",
        "identity;q=0, gzip;q=0.1",
        " , gzip",
        "gzip;Q=1.",
    };
    static const char *const no[] = {
        "",
        "identity",
        "br",
        "gzip;q=0",
        "gzip;q=0.000",
        "*;q=0",
        "gzip;q=0, *",
        "gzip;q=0.2, identity;q=0.3",
        "gzip;q=2",
        "gzip;q=1.001",
        "gzip;q=-1",
        "gzip;q=",
        "gzip;q=0.1234",
        "gzip;level=1",
        "gzipp",
        "gzi",
        "identity, *;q=0.5",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (!wants_gzip(yes[i], NULL))
            fail_msg("%s is refused", yes[i]);
    }
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
        if (wants_gzip(no[i], NULL))
            fail_msg("%s is taken", no[i]);
    }
    assert_false(wants_gzip(NULL, NULL));
}

static void several_headers_are_one_list(void **state)
{
    (void)state;
    assert_true(wants_gzip("br", "gzip"));
    assert_false(wants_gzip("gzip;q=0.5", "identity"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(if_none_match_is_a_list_of_tags),
        cmocka_unit_test(gzip_is_chosen_by_quality),
        cmocka_unit_test(several_headers_are_one_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
