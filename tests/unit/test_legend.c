/* Texts in pictures, and legends made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "raster/legend.h"
#include "raster/text.h"
#include "world_fixture.h"

static uint32_t pixel_at(const struct eco_picture *picture, uint32_t x, uint32_t y)
{
    const uint8_t *pixel = picture->pixels + 3 * ((size_t)y * picture->width + x);

    return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

#define SHEET_WIDTH 120
#define SHEET_HEIGHT 20
static uint8_t sheet_pixels[3 * SHEET_WIDTH * SHEET_HEIGHT * 4];

static struct eco_picture write(const char *text, unsigned scale, unsigned limit)
{
    struct eco_picture picture = {.width = SHEET_WIDTH * scale,
                                  .height = SHEET_HEIGHT * scale,
                                  .format = ECO_PIXEL_RGB8,
                                  .pixels = sheet_pixels};

    memset(sheet_pixels, 255, sizeof(sheet_pixels));
    eco_text_draw(&picture, 1, 2, scale, text, limit, 0x000000);
    return picture;
}

/* The picture as rows of marks, from the top of a capital letter to its foot. */
static void assert_looks_like(const struct eco_picture *picture, const char *const rows[9],
                              unsigned width)
{
    for (unsigned y = 0; y < 9; y++) {
        char row[32] = "";

        for (unsigned x = 0; x < width; x++)
            row[x] = (pixel_at(picture, 1 + x, 4 + y) & 0xFF) < 128 ? '#' : '.';
        assert_string_equal(row, rows[y]);
    }
}

static void letters_stand_upright_and_read_from_the_left(void **state)
{
    static const char *const l[9] = {"#....", "#....", "#....", "#....", "#....",
                                     "#....", "#....", "#....", "#####"};
    static const char *const ge[9] = {"#####", "#....", "#....", "#....", "#....",
                                      "#....", "#....", "#....", "#...."};
    struct eco_picture picture;

    (void)state;
    picture = write("L", 1, 100);
    assert_looks_like(&picture, l, 5);
    picture = write("\u0413", 1, 100);
    assert_looks_like(&picture, ge, 5);
}

static void every_letter_of_the_tables_can_be_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < eco_glyph_count; i++) {
        const char *strokes = eco_glyphs[i].strokes;

        assert_true(i == 0 || eco_glyphs[i - 1].code < eco_glyphs[i].code);
        assert_int_equal(strspn(strokes, "0123456789abcd "), strlen(strokes));
        /* Points are two characters, and none is wider than what a letter is drawn in. */
        for (; *strokes; strokes += strokes[0] == ' ' ? 1 : 2)
            assert_true(*strokes == ' ' ||
                        (*strokes >= '0' && *strokes <= '9' && strokes[1] != ' '));
    }
    for (size_t i = 0; i < eco_composed_count; i++) {
        size_t found = 0;

        for (size_t k = 0; k < eco_glyph_count; k++)
            found += eco_glyphs[k].code == eco_composed[i].base;
        assert_int_equal(found, 1);
        assert_true(eco_mark_strokes(eco_composed[i].mark)[0] != '\0');
        assert_true(i == 0 || eco_composed[i - 1].code < eco_composed[i].code);
    }
    /* All of ASCII, and the Russian alphabet. */
    for (uint32_t code = 0x21; code < 0x7F; code++)
        assert_int_equal(eco_glyphs[code - 0x21].code, code);
    for (uint32_t code = 0x410; code < 0x450; code++) {
        bool found = false;

        for (size_t k = 0; k < eco_glyph_count + eco_composed_count && !found; k++)
            found = k < eco_glyph_count ? eco_glyphs[k].code == code
                                        : eco_composed[k - eco_glyph_count].code == code;
        assert_true(found);
    }
}

static void widths_add_up_and_are_bounded(void **state)
{
    (void)state;
    assert_int_equal(eco_text_width("", 100), 0);
    assert_int_equal(eco_text_width("L", 100), 4);
    assert_int_equal(eco_text_width("LL", 100), 10);
    assert_int_equal(eco_text_width("L L", 100), 13);
    assert_int_equal(eco_text_width("LLLLLLLLLLLLLLLLLLLLLLL", 50), 50);
    /* What the font lacks, and what is no text, is a box each. */
    assert_int_equal(eco_text_width("\u65e5\xff\x01", 100), 16);
}

static void a_text_stays_within_its_limit_and_the_picture(void **state)
{
    struct eco_picture picture;

    (void)state;
    for (unsigned scale = 1; scale <= 2; scale++) {
        bool drawn = false;

        picture = write("HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH", scale, 50);
        for (unsigned y = 0; y < picture.height; y++) {
            for (unsigned x = 0; x < picture.width; x++) {
                drawn = drawn || pixel_at(&picture, x, y) != 0xFFFFFF;
                assert_true(x < 53 * scale || pixel_at(&picture, x, y) == 0xFFFFFF);
            }
        }
        assert_true(drawn);
        /* As wide as the picture and wider: nothing is written beyond it. */
        picture = write("HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH", scale, 1000);
        for (size_t i = 3u * picture.width * picture.height; i < sizeof(sheet_pixels); i++)
            assert_int_equal(sheet_pixels[i], 255);
    }
}

static void legends_of_every_world_and_layer_are_drawn(void **state)
{
    struct eco_arena arena;

    (void)state;
    eco_arena_init(&arena);
    for (unsigned w = 0; w < config->worlds_count; w++) {
        const struct eco_world_config *world = &config->worlds[w];

        for (int layer = -1; layer < ECO_LAYER_COUNT; layer++) {
            struct eco_picture one, two;

            if (layer >= 0 && !eco_layer_available((enum eco_layer)layer, world))
                continue;
            eco_arena_reset(&arena);
            assert_int_equal(eco_legend_draw(world, layer, 1, &arena, &one, NULL), 0);
            assert_int_equal(eco_legend_draw(world, layer, 2, &arena, &two, NULL), 0);
            assert_int_equal(one.format, ECO_PIXEL_RGB8);
            assert_true(one.width > 40 && one.height > 40 && one.width < 1000);
            assert_true(two.width == 2 * one.width && two.height == 2 * one.height);
        }
    }
    eco_arena_release(&arena);
}

static void swatches_have_the_colours_of_the_biomes_in_their_order(void **state)
{
    const struct eco_world_config *world = &config->worlds[0];
    struct eco_picture picture;
    struct eco_arena arena;

    (void)state;
    eco_arena_init(&arena);
    assert_int_equal(eco_legend_draw(world, -1, 1, &arena, &picture, NULL), 0);
    for (unsigned b = 0; b < 3; b++)
        assert_int_equal(pixel_at(&picture, 10 + 7, 50 + 18 * b + 7),
                         world->biomes[b].biome.colour);
    eco_arena_release(&arena);
}

static void a_ramp_has_its_greatest_value_on_top(void **state)
{
    const struct eco_legend *legend = eco_layer_legend(ECO_LAYER_TEMPERATURE);
    struct eco_picture picture;
    struct eco_arena arena;

    (void)state;
    eco_arena_init(&arena);
    assert_int_equal(
        eco_legend_draw(&config->worlds[0], ECO_LAYER_TEMPERATURE, 2, &arena, &picture, NULL), 0);
    assert_int_equal(pixel_at(&picture, 2 * 17, 2 * 50 + 6),
                     legend->stops[legend->count - 1].colour);
    assert_int_equal(pixel_at(&picture, 2 * 17, 2 * (50 + 18 * (legend->count - 1) + 10)),
                     legend->stops[0].colour);
    eco_arena_release(&arena);
}

static void two_hundred_and_fifty_six_biomes_take_bounded_room(void **state)
{
    struct eco_world_config world = config->worlds[0];
    struct eco_biome_config *biomes = calloc(ECO_BIOMES_MAX, sizeof(*biomes));
    static char name[ECO_NAME_MAX + 1];
    struct eco_picture picture;
    struct eco_arena arena;

    (void)state;
    memset(name, 'W', ECO_NAME_MAX);
    for (unsigned b = 0; b < ECO_BIOMES_MAX; b++)
        biomes[b].biome = (struct eco_biome){.id = (uint16_t)b, .name = name};
    world.biomes = biomes;
    world.biomes_count = ECO_BIOMES_MAX;
    eco_arena_init(&arena);
    assert_int_equal(eco_legend_draw(&world, ECO_LAYER_TREES, 2, &arena, &picture, NULL), 0);
    assert_true(picture.width <= 9500 && picture.height <= 800);
    eco_arena_release(&arena);
    free(biomes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_stand_upright_and_read_from_the_left),
        cmocka_unit_test(every_letter_of_the_tables_can_be_found),
        cmocka_unit_test(widths_add_up_and_are_bounded),
        cmocka_unit_test(a_text_stays_within_its_limit_and_the_picture),
        cmocka_unit_test(legends_of_every_world_and_layer_are_drawn),
        cmocka_unit_test(swatches_have_the_colours_of_the_biomes_in_their_order),
        cmocka_unit_test(a_ramp_has_its_greatest_value_on_top),
        cmocka_unit_test(two_hundred_and_fifty_six_biomes_take_bounded_room),
    };

    return cmocka_run_group_tests(tests, load_config, free_config);
}
