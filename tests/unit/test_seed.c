#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "ecotone/world.h"

struct seed_case {
    const char *text;
    int64_t seed;
    bool is_text;
};

static void check_cases(const struct seed_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool is_text = !cases[i].is_text;
        int64_t seed = eco_seed_parse(cases[i].text, strlen(cases[i].text), &is_text);

        if (seed != cases[i].seed || is_text != cases[i].is_text)
            fail_msg("\"%s\" gives %lld, %s", cases[i].text, (long long)seed,
                     is_text ? "text" : "number");
    }
}

static void digits_within_int64_are_that_number(void **state)
{
    static const struct seed_case cases[] = {
        {"0", 0, false},
        {"-0", 0, false},
        {"+0", 0, false},
        {"007", 7, false},
        {"+42", 42, false},
        {"-42", -42, false},
        {"2147483648", 2147483648, false},
        {"9007199254740993", 9007199254740993, false},
        {"-9007199254740993", -9007199254740993, false},
        {"9223372036854775807", INT64_MAX, false},
        {"+9223372036854775807", INT64_MAX, false},
        {"-9223372036854775808", INT64_MIN, false},
        {"-9223372036854775807", -INT64_MAX, false},
        {"0000000000000000000000000000000000000000009", 9, false},
    };

    (void)state;
    check_cases(cases, sizeof(cases) / sizeof(cases[0]));
}

static void seed_9007199254740993_differs_from_its_neighbours(void **state)
{
    (void)state;
    for (int64_t seed = 9007199254740991; seed <= 9007199254740995; seed++) {
        char text[32];

        snprintf(text, sizeof(text), "%lld", (long long)seed);
        assert_true(eco_seed_parse(text, strlen(text), NULL) == seed);
    }
}

/* The values are those of java.lang.String.hashCode. */
static void anything_else_is_text_hashed_as_java_does(void **state)
{
    static const struct seed_case cases[] = {
        {"", 0, true},
        {"a", 97, true},
        {"hello", 99162322, true},
        {"Aa", 2112, true},
        {"BB", 2112, true},
        {"-", 45, true},
        {"+", 43, true},
        {"--1", 44689, true},
        {"+-1", 42767, true},
        {" 1", 1041, true},
        {"1 ", 1551, true},
        {"1.5", 48568, true},
        {"1e5", 50273, true},
        {"0x10", 1546855, true},
        {"polygenelubricants", INT32_MIN, true},
        {"é", 233, true},
        {"Привет", 1177014952, true},
        {"日本語", 25921943, true},
        {"\xD9\xA1", 1633, true}, /* the Arabic digit one is no digit of a seed */
    };

    (void)state;
    check_cases(cases, sizeof(cases) / sizeof(cases[0]));
}

static void digits_outside_int64_are_text(void **state)
{
    static const struct seed_case cases[] = {
        {"9223372036854775808", -1773151197, true},
        {"-9223372036854775809", 1304595159, true},
        {"99999999999999999999999", -1845299751, true},
    };

    (void)state;
    check_cases(cases, sizeof(cases) / sizeof(cases[0]));
}

static void code_points_above_ffff_count_as_surrogate_pairs(void **state)
{
    static const struct seed_case cases[] = {
        {"🌍", 1773137, true},
        {"a🌍b", 57857072, true},
        {"\xF4\x8F\xBF\xBF", 1803232, true},
    };

    (void)state;
    check_cases(cases, sizeof(cases) / sizeof(cases[0]));
}

static void a_broken_sequence_counts_as_one_replacement_character(void **state)
{
    static const struct seed_case cases[] = {
        {"\xFF", 65533, true},
        {"\xEF\xBF\xBD", 65533, true},
        {"a\x80"
         "b",
         2124838, true},
        {"\xC3", 65533, true},
        {"\xE2\x82", 65533, true},
        {"\xE2\x82"
         "A",
         2031588, true},
        {"\xF0\x9F\x8C", 65533, true},
        {"\xF0\x9F"
         "A",
         2031588, true},
        {"\xC0\xAF", 2097056, true},                 /* overlong: two */
        {"\xE0\x80\x80", 65074269, true},            /* overlong: three */
        {"\xED\xA0\x80", 65074269, true},            /* a surrogate: three */
        {"\xF4\x90\x80\x80", 2017367872, true},      /* above U+10FFFF: four */
        {"\xF8\x88\x80\x80\x80", -1886039875, true}, /* no UTF-8 lead: five */
    };

    (void)state;
    check_cases(cases, sizeof(cases) / sizeof(cases[0]));
}

static void the_length_decides_not_a_terminator(void **state)
{
    bool is_text;

    (void)state;
    assert_true(eco_seed_parse("123456", 3, &is_text) == 123);
    assert_false(is_text);
    assert_true(eco_seed_parse("a\0b", 3, &is_text) == 93315);
    assert_true(is_text);
    assert_true(eco_seed_parse("1\0", 2, &is_text) == 49 * 31);
    assert_true(is_text);
}

static void check_finds_the_first_broken_byte(void **state)
{
    (void)state;
    assert_int_equal(eco_utf8_check("", 0), 0);
    assert_int_equal(eco_utf8_check("añ🌍", 7), 7);
    assert_int_equal(eco_utf8_check("añ🌍", 6), 3);
    assert_int_equal(eco_utf8_check("ab\xFF", 3), 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_within_int64_are_that_number),
        cmocka_unit_test(seed_9007199254740993_differs_from_its_neighbours),
        cmocka_unit_test(anything_else_is_text_hashed_as_java_does),
        cmocka_unit_test(digits_outside_int64_are_text),
        cmocka_unit_test(code_points_above_ffff_count_as_surrogate_pairs),
        cmocka_unit_test(a_broken_sequence_counts_as_one_replacement_character),
        cmocka_unit_test(the_length_decides_not_a_terminator),
        cmocka_unit_test(check_finds_the_first_broken_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
