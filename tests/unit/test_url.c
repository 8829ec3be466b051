#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/url.h"

static struct eco_url url;
static struct eco_error error;

/* Parses a copy that ends where the text ends, so that a sanitizer sees any read beyond. */
static int parse(const char *text)
{
    size_t length = strlen(text);
    static char *copy;
    int result;

    free(copy);
    copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    error = (struct eco_error){0};
    result = eco_url_parse(copy, length, &url, &error);
    if (result && (error.code != (enum eco_code)result || error.text[0] == '\0'))
        fail_msg("%s: no sentence", text);
    return result;
}

static void check_all(const char *const *texts, size_t count, int expected)
{
    for (size_t i = 0; i < count; i++) {
        int result = parse(texts[i]);
        if (result != expected)
            fail_msg("%s gives %s, %s", texts[i], eco_code_name(result), error.text);
    }
}
#define CHECK_ALL(texts, expected) check_all(texts, sizeof(texts) / sizeof((texts)[0]), expected)

static bool same(struct eco_slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.data, text, slice.length) == 0;
}

static void tile_is_read(void **state)
{
    (void)state;
    assert_int_equal(parse("/tiles/demo/blend/18/131072/262143.png"), 0);
    assert_int_equal(url.route, ECO_ROUTE_TILE);
    assert_true(same(url.world, "demo"));
    assert_true(same(url.layer, "blend"));
    assert_int_equal(url.tile.zoom, 18);
    assert_int_equal(url.tile.x, 131072);
    assert_int_equal(url.tile.y, 262143);
    assert_int_equal(url.tile.scale, 1);
    assert_false(url.has_seed);
    assert_int_equal(url.version.length, 0);

    assert_int_equal(parse("/tiles/a-b_9/x/0/0/0@2x.png?v=00ff00ff00ff00ff&seed=-5"), 0);
    assert_int_equal(url.tile.scale, 2);
    assert_true(same(url.version, "00ff00ff00ff00ff"));
    assert_int_equal(url.seed_length, 2);
    assert_memory_equal(url.seed, "-5", 2);
}

static void other_routes_are_read(void **state)
{
    (void)state;
    assert_int_equal(parse("/tiles/demo/terrarium.json?seed=7"), 0);
    assert_int_equal(url.route, ECO_ROUTE_TILEJSON);
    assert_true(same(url.layer, "terrarium"));
    assert_true(url.has_seed);
    assert_int_equal(parse("/api/worlds"), 0);
    assert_int_equal(url.route, ECO_ROUTE_WORLDS);
    assert_int_equal(parse("/healthz"), 0);
    assert_int_equal(url.route, ECO_ROUTE_HEALTH);
    assert_int_equal(parse("/"), 0);
    assert_int_equal(url.route, ECO_ROUTE_ASSET);
    assert_true(same(url.asset, "index.html"));
    assert_int_equal(parse("/?fbclid=x&&y"), 0);
    assert_true(same(url.asset, "index.html"));
    assert_int_equal(parse("/leaflet/leaflet.js"), 0);
    assert_true(same(url.asset, "leaflet/leaflet.js"));
}

static void a_format_is_the_ending(void **state)
{
    (void)state;
    assert_int_equal(parse("/tiles/demo/blend/18/1/2@2x.webp"), 0);
    assert_int_equal(url.format, ECO_FORMAT_WEBP);
    assert_true(url.tile.scale == 2 && url.tile.x == 1 && url.tile.y == 2);
    assert_int_equal(parse("/tiles/demo/blend/18/1/2.png"), 0);
    assert_int_equal(url.format, ECO_FORMAT_PNG);
    assert_int_equal(parse("/static/demo/blend/0,0,18/10x10.webp"), 0);
    assert_int_equal(url.format, ECO_FORMAT_WEBP);
    assert_int_equal(parse("/tiles/demo/blend.json?format=webp&blend=none&seed=1"), 0);
    assert_true(url.format == ECO_FORMAT_WEBP && url.blend == 1 + ECO_BLEND_NONE && url.has_seed);
    assert_int_equal(parse("/wmts?REQUEST=GetTile&LAYER=a.b&TILEMATRIX=1&TILEROW=0&TILECOL=0&"
                           "FORMAT=image%2Fwebp"),
                     0);
    assert_int_equal(url.format, ECO_FORMAT_WEBP);
}

static void legends_are_documents_or_pictures(void **state)
{
    (void)state;
    assert_int_equal(parse("/legend/demo.json"), 0);
    assert_true(url.route == ECO_ROUTE_LEGEND && !url.picture && same(url.world, "demo"));
    assert_int_equal(parse("/legend/demo.png"), 0);
    assert_true(url.picture && url.tile.scale == 1 && same(url.world, "demo"));
    assert_int_equal(url.layer.length, 0);
    assert_int_equal(parse("/legend/demo/blend-error@2x.png"), 0);
    assert_true(url.picture && url.tile.scale == 2 && same(url.layer, "blend-error"));
}

static void assert_view(const char *text, unsigned zoom, int64_t x0, int64_t z0)
{
    assert_int_equal(parse(text), 0);
    assert_int_equal(url.route, ECO_ROUTE_STATIC);
    assert_int_equal(url.view.zoom, zoom);
    assert_int_equal(url.tile.zoom, zoom);
    assert_int_equal(url.view.x0, x0);
    assert_int_equal(url.view.z0, z0);
}

static void a_rectangle_is_shown_whole_at_the_closest_zoom(void **state)
{
    (void)state;
    assert_view("/static/demo/blend/0,0,100,50/100x50.png", 18, 0, 0);
    assert_view("/static/demo/blend/-7,3,93,53/100x50.png", 18, -7, 3);
    /* More ground where the picture is wider or higher than the rectangle. */
    assert_view("/static/demo/blend/0,0,100,50/120x50.png", 18, -10, 0);
    assert_view("/static/demo/blend/0,0,10,10/100x50.png", 18, -45, -20);
    /* A block too many halves the scale. */
    assert_view("/static/demo/blend/0,0,101,50/100x50.png", 17, -48, -24);
    assert_view("/static/demo/blend/0,0,200,100/100x50.png", 17, 0, 0);
    assert_view("/static/demo/blend/0,0,200,100/100x50@2x.png", 17, 0, 0);
    assert_int_equal(url.view.scale, 2);
    /* An odd corner takes a pixel more at half the scale. */
    assert_view("/static/demo/blend/1,0,201,100/100x50.png", 16, -96, -48);
    /* At the edge of the world there is no more ground. */
    assert_view("/static/demo/blend/33554331,-33554432,33554431,-33554332/200x200.png", 18,
                33554232, -33554432);
    assert_view("/static/demo/blend/-33554432,-33554432,33554431,33554431/256x256.png", 0,
                -33554432, -33554432);
}

static void score_has_a_window_and_rules(void **state)
{
    (void)state;
    assert_int_equal(parse("/api/worlds/demo/score?x0=-33554432&z0=-5&x1=+7&z1=33554431"), 0);
    assert_int_equal(url.route, ECO_ROUTE_SCORE);
    assert_int_equal(url.rect[0], -33554432);
    assert_int_equal(url.rect[1], -5);
    assert_int_equal(url.rect[2], 7);
    assert_int_equal(url.rect[3], 33554431);
    assert_int_equal(url.step, 0);
    assert_true(url.unit_slope == 0.0 && url.building_slope == 0.0);
    assert_int_equal(parse("/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&step=4&unit_slope=0.5&"
                           "unit_size=2&building_slope=1&building_size=64&seed=a"),
                     0);
    assert_int_equal(url.step, 4);
    assert_true(url.unit_slope == 0.5 && url.building_slope == 1.0);
    assert_int_equal(url.unit_size, 2);
    assert_int_equal(url.building_size, 64);
    assert_true(url.has_seed);
}

static void point_has_signs_and_defaults(void **state)
{
    (void)state;
    assert_int_equal(parse("/api/worlds/demo/point?x=-33554432&z=+33554431"), 0);
    assert_int_equal(url.route, ECO_ROUTE_POINT);
    assert_int_equal(url.x, -33554432);
    assert_int_equal(url.z, 33554431);
    assert_int_equal(url.zoom, 18);
    assert_int_equal(url.scale, 1);
    assert_int_equal(parse("/api/worlds/demo/point?zoom=3&z=-0&scale=2&x=0&seed=a"), 0);
    assert_int_equal(url.x, 0);
    assert_int_equal(url.z, 0);
    assert_int_equal(url.zoom, 3);
    assert_int_equal(url.scale, 2);
    assert_int_equal(url.layers.length, 0);
    assert_int_equal(parse("/api/worlds/demo/point?x=0&z=0&layers=relief,blend-error"), 0);
    assert_int_equal(url.layers.length, strlen("relief,blend-error"));
    assert_memory_equal(url.layers.data, "relief,blend-error", url.layers.length);
}

static void seed_is_decoded_as_forms_are_sent(void **state)
{
    static const struct {
        const char *text, *seed;
    } cases[] = {
        {"9007199254740993", "9007199254740993"},
        {"hello+world", "hello world"},
        {"hello%20world", "hello world"},
        {"%2B5", "+5"},
        {"+5", "+5"},
        {"+9007199254740993", "+9007199254740993"},
        {"+a", " a"},
        {"+", " "},
        {"5+", "5 "},
        {"+5+5", " 5 5"},
        {"a=b", "a=b"},
        {"%C3%a4", "\xc3\xa4"},
        {"%26%25%23", "&%#"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[200];
        snprintf(text, sizeof(text), "/tiles/demo/biome/0/0/0.png?seed=%s", cases[i].text);
        assert_int_equal(parse(text), 0);
        assert_int_equal(url.seed_length, strlen(cases[i].seed));
        assert_memory_equal(url.seed, cases[i].seed, url.seed_length);
    }
}

static void malformed_is_malformed(void **state)
{
    static const char *const texts[] = {
        "",
        "tiles/demo/biome/0/0/0.png",
        "http://localhost/healthz",
        "//",
        "//healthz",
        "/healthz/",
        "/./healthz",
        "/tiles/../healthz",
        "/js/..",
        "/a%2fb",
        "/%2e%2e/etc/passwd",
        "/healthz%00",
        "/a b",
        "/a\\b",
        "/caf\xc3\xa9",
        "/index.html;x",
        "/tiles/demo/biome/-1/0/0.png",
        "/tiles/demo/biome/+1/0/0.png",
        "/tiles/demo/biome/1.5/0/0.png",
        "/tiles/demo/biome/01/0/0.png",
        "/tiles/demo/biome/1/00/0.png",
        "/tiles/demo/biome/1/0/0x0.png",
        "/tiles/demo/biome/1/0/.png",
        "/tiles/demo/biome/1/0/1e0.png",
        "/tiles/demo/biome/99/0/-1.png",
        "/tiles/demo/biome/0/0/0.PNG",
        "/tiles/demo/biome/0/0/0.jpg",
        "/tiles/demo/biome/0/0/0@3x.png",
        "/tiles/demo/biome/0/0/0.WEBP",
        "/tiles/demo/biome/0/0/0.webp.png",
        "/tiles/demo/biome/0/0/0.jpg",
        "/tiles/demo/biome.json?format=jpeg",
        "/tiles/demo/biome.json?format=",
        "/tiles/demo/biome.json?format=png&format=png",
        "/tiles/demo/biome.json?v=00",
        "/tiles/demo/biome/0/0/0.png?format=png",
        "/static/demo/biome/0,0,0,0/10x10.png",
        "/static/demo/biome/1,0,0,1/10x10.png",
        "/static/demo/biome/0,1,1,0/10x10.png",
        "/static/demo/biome/0,0,1,1,1/10x10.png",
        "/static/demo/biome/0,0,1,/10x10.png",
        "/static/demo/biome/0,0,1,1/0x10.png",
        "/static/demo/biome/0,0,1,1/10x1025.png",
        "/static/demo/biome/0,0,1,1/1024x1024@2x.png",
        "/static/demo/biome/0,0,1,1.5/10x10.png",
        "/static/demo/biome/-33554432,0,33554431,1/255x10.png",
        "/static/demo/biome/0,0,1,1/10x10@2x",
        "/legend/demo.png?v=00",
        "/tiles/demo/biome/0/0/0@1x.png",
        "/tiles/demo/biome/0/0/0@2x@2x.png",
        "/tiles/demo/biome/0/0/0",
        "/tiles/demo/biome/0/0/0.png?",
        "/tiles/demo/biome/0/0/0.png?sed=1",
        "/tiles/demo/biome/0/0/0.png?seed",
        "/tiles/demo/biome/0/0/0.png?seed=",
        "/tiles/demo/biome/0/0/0.png?seed=1&seed=1",
        "/tiles/demo/biome/0/0/0.png?seed=1&",
        "/tiles/demo/biome/0/0/0.png?&seed=1",
        "/tiles/demo/biome/0/0/0.png?seed=%",
        "/tiles/demo/biome/0/0/0.png?seed=%4",
        "/tiles/demo/biome/0/0/0.png?seed=%zz",
        "/tiles/demo/biome/0/0/0.png?seed=%00",
        "/tiles/demo/biome/0/0/0.png?seed=%0a",
        "/tiles/demo/biome/0/0/0.png?seed=\xc3\xa4",
        "/tiles/demo/biome/0/0/0.png?v=",
        "/tiles/demo/biome/0/0/0.png?v=xyz",
        "/tiles/demo/biome/0/0/0.png?v=000000000000000000000000000000000",
        "/tiles/demo/biome/99/0/0.png?x=1",
        "/tiles/demo/biome.json?v=1",
        "/api/worlds?x=1",
        "/healthz?x",
        "/js/main.js?v=1",
        "/api/worlds/demo/point",
        "/api/worlds/demo/score",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&x1=9",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=0",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=-1",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=.5",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=1.",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=1.2.3",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=1e5",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=nan",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_slope=0.00000000000000001",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_size=1.5",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&zoom=3",
        "/api/worlds/demo/point?x=1",
        "/api/worlds/demo/point?x=1&z=",
        "/api/worlds/demo/point?x=1&z=-",
        "/api/worlds/demo/point?x=1&z=1.5",
        "/api/worlds/demo/point?x=1&z=%2D1",
        "/api/worlds/demo/point?x=1&z=--1",
        "/api/worlds/demo/point?x=1&z=-01",
        "/api/worlds/demo/point?x=1&z=1&x=1",
        "/api/worlds/demo/point?x=1&z=1&zoom=-1",
        "/api/worlds/demo/point?x=1&z=1&v=1",
        "/api/worlds/demo/point?x=1&z=1&layers=",
        "/api/worlds/demo/point?x=1&z=1&layers=relief&layers=blend",
        "/api/worlds/demo/area?x0=0&z0=0&x1=9&z1=9&layers=relief",
    };

    (void)state;
    CHECK_ALL(texts, ECO_EINVAL);
}

static void outside_is_not_found(void **state)
{
    static const char *const texts[] = {
        "/tiles",
        "/tiles/demo",
        "/tiles/demo/biome",
        "/tiles/demo/biome.xml",
        "/tiles/demo/biome/0/0",
        "/tiles/demo/biome/0/0/0.png/0",
        "/tiles/demo/biome/0/0/0/0/0/0/0/0.png",
        "/api",
        "/api/world",
        "/api/worlds/demo",
        "/api/worlds/demo/points",
        "/api/worlds/demo/scores",
        "/tiles/demo/biome/19/0/0.png",
        "/static/demo/biome/0,0,33554432,1/10x10.png",
        "/static/demo/biome/-33554433,0,0,1/10x10.png",
        "/static/demo/biome/-33554432,0,33554431,1/257x10.png",
        "/legend/demo.webp",
        "/legend/demo/biome.json",
        "/legend/demo/biome/x.png",
        "/legend/demo",
        "/tiles/demo/biome/31/0/0.png",
        "/tiles/demo/biome/64/0/0.png",
        "/tiles/demo/biome/4294967296/0/0.png",
        "/tiles/demo/biome/18446744073709551616/0/0.png",
        "/tiles/demo/biome/0/1/0.png",
        "/tiles/demo/biome/0/0/1.png",
        "/tiles/demo/biome/18/262144/0.png",
        "/tiles/demo/biome/18/4294967296/0.png",
        "/tiles/demo/biome/18/0/99999999999999999999999999999999999999.png",
        "/api/worlds/demo/point?x=33554432&z=0",
        "/api/worlds/demo/score?x0=0&z0=0&x1=33554432&z1=9",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&unit_size=65",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&building_size=0",
        "/api/worlds/demo/score?x0=0&z0=0&x1=9&z1=9&step=262145",
        "/api/worlds/demo/point?x=-33554433&z=0",
        "/api/worlds/demo/point?x=0&z=18446744073709551616",
        "/api/worlds/demo/point?x=0&z=0&zoom=19",
        "/api/worlds/demo/point?x=0&z=0&scale=0",
        "/api/worlds/demo/point?x=0&z=0&scale=3",
    };

    (void)state;
    CHECK_ALL(texts, ECO_ENOTFOUND);
}

static void long_seeds_and_long_urls_are_refused(void **state)
{
    static const char start[] = "/tiles/demo/biome/0/0/0.png?seed=";
    char text[ECO_URL_MAX + 2];

    (void)state;
    memset(text, 'a', sizeof(text));
    memcpy(text, start, strlen(start));
    text[strlen(start) + ECO_SEED_TEXT_MAX] = '\0';
    assert_int_equal(parse(text), 0);
    assert_int_equal(url.seed_length, ECO_SEED_TEXT_MAX);
    text[strlen(start) + ECO_SEED_TEXT_MAX] = 'a';
    text[strlen(start) + ECO_SEED_TEXT_MAX + 1] = '\0';
    assert_int_equal(parse(text), ECO_EINVAL);

    memset(text, 'a', sizeof(text));
    text[0] = '/';
    text[ECO_URL_MAX] = '\0';
    assert_int_equal(parse(text), 0);
    text[ECO_URL_MAX] = 'a';
    text[ECO_URL_MAX + 1] = '\0';
    assert_int_equal(parse(text), ECO_ERANGE);
}

static void absolute_urls_are_those_of_their_paths(void **state)
{
    static const char *const cases[][2] = {
        {"http://localhost/healthz", "/healthz"},
        {"HTTPS://a.b:80/tiles/x?seed=1", "/tiles/x?seed=1"},
        {"http://[::1]:80/", "/"},
        {"http://localhost", "/"},
        {"http://localhost?a", "?a"},
        {"/healthz", "/healthz"},
        {"", ""},
        {"*", "*"},
        {"http:///healthz", "http:///healthz"},
        {"http://", "http://"},
        {"ftp://localhost/", "ftp://localhost/"},
        {"/http://localhost/a", "/http://localhost/a"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(eco_url_origin_form(cases[i][0]), cases[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absolute_urls_are_those_of_their_paths),
        cmocka_unit_test(tile_is_read),
        cmocka_unit_test(other_routes_are_read),
        cmocka_unit_test(point_has_signs_and_defaults),
        cmocka_unit_test(a_format_is_the_ending),
        cmocka_unit_test(legends_are_documents_or_pictures),
        cmocka_unit_test(a_rectangle_is_shown_whole_at_the_closest_zoom),
        cmocka_unit_test(score_has_a_window_and_rules),
        cmocka_unit_test(seed_is_decoded_as_forms_are_sent),
        cmocka_unit_test(malformed_is_malformed),
        cmocka_unit_test(outside_is_not_found),
        cmocka_unit_test(long_seeds_and_long_urls_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
