/* The sections of an overworld: biomes that other generators have, and a diagram from a picture. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/limits.h"
#include "codec/png.h"
#include "codec/png_read.h"
#include "world/config.h"

#define SIDE 256
#define DIAGRAM(value)                                                                             \
    "worlds:\n- name: a\n  generator: overworld\n  overworld:\n    diagram: " value "\n"

static void check_error(const char *text, const char *expected)
{
    struct eco_config *config = NULL;
    struct eco_error error = {0};
    int code =
        eco_config_parse_with(text, strlen(text), "c.yaml", &eco_png_images, &config, &error);

    if (code == 0)
        eco_config_free(config);
    assert_int_equal(code, ECO_ECONFIG);
    assert_string_equal(error.text, expected);
}

static void biomes_of_others_have_names_and_colours_alone(void **state)
{
    static const char *const generators[] = {"overworld", "relief"};
    static const char *const keys[] = {"catalogue: 4", "bias: 0", "height: {base: 70}"};

    (void)state;
    for (unsigned g = 0; g < 2; g++) {
        for (unsigned k = 0; k < 3; k++) {
            char text[400], expected[400];

            snprintf(text, sizeof(text),
                     "worlds:\n- name: a\n  generator: %s\n  biomes:\n"
                     "  - {id: 1, name: A, colour: \"#112233\"}\n"
                     "  - id: 2\n    name: B\n    colour: \"#112244\"\n    %s\n",
                     generators[g], keys[k]);
            snprintf(expected, sizeof(expected),
                     "c.yaml:9: worlds[0].biomes[1].%.*s: the generator %s has its own; id, name "
                     "and colour can be given here",
                     (int)strcspn(keys[k], ":"), keys[k], generators[g]);
            check_error(text, expected);
        }
    }
}

static void borders_wander_no_farther_than_cells_allow(void **state)
{
    struct eco_config *config;
    const char *text = "worlds:\n- name: a\n  generator: overworld\n  overworld:\n    cells:\n"
                       "      pitch: 8\n      roughness: 14\n";

    (void)state;
    assert_int_equal(eco_config_parse(text, strlen(text), "c.yaml", &config, NULL), 0);
    eco_config_free(config);
    check_error(
        "worlds:\n- name: a\n  generator: overworld\n  overworld:\n    cells:\n"
        "      pitch: 8\n      roughness: 14.5\n",
        "c.yaml:7: worlds[0].overworld.cells.roughness: 14.5 is out of range; blocks of the "
        "article, 0 to 1.75 times pitch, which is 8");
}

/* --- the diagram ---------------------------------------------------------------------------- */

static char folder[] = "/tmp/ecotone-diagram-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static char *path_of(const char *name)
{
    static char path[2][96];
    static unsigned turn;

    turn ^= 1;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
    return path[turn];
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"tp.png",  "other.png", "small.png", "c.yaml",
                                        "big.png", "noise.png", "pipe.png"};

    (void)state;
    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
        unlink(path_of(names[k]));
    return rmdir(folder);
}

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "wbe");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A picture of RGB, row by row from the top. */
static void write_picture(const char *name, uint8_t *pixels, uint32_t side)
{
    const struct eco_picture picture = {
        .width = side, .height = side, .format = ECO_PIXEL_RGB8, .pixels = pixels};
    struct eco_png_encoder *encoder;
    struct eco_buffer bytes;

    assert_int_equal(eco_png_encoder_new(&encoder), 0);
    eco_buffer_init(&bytes);
    assert_int_equal(eco_png_encode(encoder, &picture, &bytes, NULL), 0);
    write_bytes(name, bytes.data, bytes.size);
    eco_buffer_release(&bytes);
    eco_png_encoder_free(encoder);
}

static void put_colour(uint8_t *pixels, unsigned x, unsigned y, uint32_t colour)
{
    uint8_t *pixel = pixels + 3 * ((size_t)y * SIDE + x);

    pixel[0] = (uint8_t)(colour >> 16);
    pixel[1] = (uint8_t)(colour >> 8);
    pixel[2] = (uint8_t)colour;
}

/* The article's diagram as a picture: cold on the left, wet on the top. */
static void draw_article(uint8_t *pixels)
{
    struct eco_diagram diagram;

    eco_diagram_init(&diagram);
    for (unsigned t = 0; t < SIDE; t++) {
        for (unsigned p = 0; p < SIDE; p++)
            put_colour(pixels, t, 255 - p, eco_land_colours[diagram.land[t][p]]);
    }
}

static uint64_t hash_of(const char *value, struct eco_diagram *lands)
{
    struct eco_error error = {0};
    struct eco_config *config;
    uint64_t hash;
    char text[300];

    snprintf(text, sizeof(text), DIAGRAM("%s"), value);
    write_bytes("c.yaml", text, strlen(text));
    if (eco_config_load_with(path_of("c.yaml"), &eco_png_images, &config, &error))
        fail_msg("%s", error.text);
    hash = config->worlds[0].hash;
    if (lands)
        memcpy(lands->land, config->worlds[0].overworld.lands, sizeof(lands->land));
    eco_config_free(config);
    return hash;
}

static void a_picture_is_the_diagram_and_its_content_decides_the_hash(void **state)
{
    static uint8_t pixels[3 * SIDE * SIDE];
    struct eco_diagram article, read;
    uint64_t hash;

    (void)state;
    draw_article(pixels);
    write_picture("tp.png", pixels, SIDE);
    write_picture("other.png", pixels, SIDE);
    eco_diagram_init(&article);
    hash = hash_of("tp.png", &read);
    assert_memory_equal(&article, &read, sizeof(article));
    assert_true(hash_of("other.png", NULL) == hash);
    assert_true(hash_of(path_of("tp.png"), NULL) == hash);
    put_colour(pixels, 200, 3, eco_land_colours[ECO_LAND_TUNDRA]);
    write_picture("tp.png", pixels, SIDE);
    assert_true(hash_of("tp.png", &read) != hash);
    assert_int_equal(read.land[200][252], ECO_LAND_TUNDRA);
}

static void a_world_follows_its_picture(void **state)
{
    static uint8_t pixels[3 * SIDE * SIDE];
    const struct eco_grid grid = {0, 0, 64, 256, 256};
    struct eco_sampler *sampler;
    struct eco_config *config;
    struct eco_planes planes;
    struct eco_world *world;

    (void)state;
    for (unsigned k = 0; k < SIDE * SIDE; k++)
        put_colour(pixels, k % SIDE, k / SIDE, eco_land_colours[ECO_LAND_DESERT]);
    write_picture("tp.png", pixels, SIDE);
    (void)hash_of("tp.png", NULL);
    assert_int_equal(eco_config_load_with(path_of("c.yaml"), &eco_png_images, &config, NULL), 0);
    assert_int_equal(eco_sampler_new(&sampler), 0);
    assert_int_equal(eco_world_open(config, "a", NULL, &world, NULL), 0);
    assert_int_equal(eco_world_sample(world, &grid, ECO_FIELD_BIOME, sampler, &planes, NULL), 0);
    for (unsigned k = 0; k < 256 * 256; k++) {
        unsigned id = eco_world_biome(world, planes.biome[k]).id;

        /* Deserts, their hills and variants, seas, shores, rivers, islands. */
        assert_true(id == 2 || id == 17 || id == 130 || id == 0 || id == 24 || id == 16 ||
                    id == 7 || id == 14 || id == 15);
    }
    eco_world_close(world);
    eco_sampler_free(sampler);
    eco_config_free(config);
}

static void what_is_no_diagram_is_refused(void **state)
{
    static uint8_t pixels[3 * SIDE * SIDE], large[ECO_PNG_READ_BYTES_MAX + 1];
    char text[200], expected[500];
    static const struct {
        const char *name, *wrong;
    } cases[] = {
        {"none.png", "No such file or directory"},
        {"small.png", "the picture is 255 x 255 pixels"},
        {"noise.png", "not a PNG that can be read: Not a PNG file"},
        {"big.png", "the file is larger than 1048576 bytes"},
        {"pipe.png", "not a regular file"},
    };

    (void)state;
    write_picture("small.png", pixels, 255);
    write_bytes("noise.png", "neither a picture nor a file of 8 bytes", 39);
    write_bytes("big.png", large, sizeof(large));
    assert_int_equal(mkfifo(path_of("pipe.png"), 0600), 0);
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        snprintf(text, sizeof(text), DIAGRAM("%s"), path_of(cases[k].name));
        snprintf(expected, sizeof(expected),
                 "c.yaml:5: worlds[0].overworld.diagram: %s: %s; a PNG of 256 x 256 pixels",
                 path_of(cases[k].name), cases[k].wrong);
        check_error(text, expected);
    }
    draw_article(pixels);
    put_colour(pixels, 3, 7, 0x123456);
    write_picture("tp.png", pixels, SIDE);
    snprintf(text, sizeof(text), DIAGRAM("%s"), path_of("tp.png"));
    snprintf(expected, sizeof(expected),
             "c.yaml:5: worlds[0].overworld.diagram: %s: pixel 3, 7 is #123456; #ffffb2 desert, "
             "#b8c862 savanna, #bca135 tropical-woodland, #befff2 tundra, #6a9026 "
             "seasonal-forest, #214d29 rainforest, #56b36a temperate-forest, #223d35 "
             "temperate-rainforest, #23725e boreal-forest",
             path_of("tp.png"));
    check_error(text, expected);
    check_error(DIAGRAM("\"\""), "c.yaml:5: worlds[0].overworld.diagram: this names no file; 1 to "
                                 "255 bytes without control characters");
    check_error(DIAGRAM("{a: 1}"),
                "c.yaml:5: worlds[0].overworld.diagram: a mapping is not a list; a list of 1 to "
                "256 rectangles, or the name of a PNG file");
}

static void without_a_reader_pictures_are_refused(void **state)
{
    const char *text = DIAGRAM("tp.png");
    struct eco_error error = {0};
    struct eco_config *config;

    (void)state;
    assert_int_equal(eco_config_parse(text, strlen(text), "c.yaml", &config, &error), ECO_ECONFIG);
    assert_string_equal(error.text, "c.yaml:5: worlds[0].overworld.diagram: tp.png: pictures "
                                    "cannot be read here; a list of rectangles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders_wander_no_farther_than_cells_allow),
        cmocka_unit_test(biomes_of_others_have_names_and_colours_alone),
        cmocka_unit_test(a_picture_is_the_diagram_and_its_content_decides_the_hash),
        cmocka_unit_test(a_world_follows_its_picture),
        cmocka_unit_test(what_is_no_diagram_is_refused),
        cmocka_unit_test(without_a_reader_pictures_are_refused),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
