#include "world/config_schema.h"

#include <stdlib.h>
#include <string.h>

#include "ecotone/lattice.h"
#include "world/catalogue.h"
#include "world/config_fault.h"
#include "world/config_read.h"
#include "world/config_value.h"
#include "world/generator.h"

#define MEMBER ECO_CONFIG_MEMBER
#define SECTION ECO_CONFIG_SECTION

/* --- cache ---------------------------------------------------------------------------------- */

static const struct eco_config_key cache_keys[] = {
    {.name = "path",
     .kind = ECO_KEY_TEXT,
     MEMBER(struct eco_cache_config, path),
     .optional = true,
     .nullable = true,
     .unit = "the path of a file",
     .low = 1,
     .high = 4095},
    {.name = "memory",
     .kind = ECO_KEY_BYTES,
     MEMBER(struct eco_cache_config, memory_bytes),
     .fallback = "64MiB",
     .high = 1099511627776.0},
    {.name = "limit",
     .kind = ECO_KEY_BYTES,
     MEMBER(struct eco_cache_config, limit_bytes),
     .fallback = "4GiB",
     .low = 1048576,
     .high = 1099511627776.0},
};

static const struct eco_config_section cache_section = SECTION(cache_keys, 0, NULL, NULL);

/* --- biomes --------------------------------------------------------------------------------- */

static const char *const shapes[] = {
    [ECO_SHAPE_PLAIN] = "plain",       [ECO_SHAPE_RIDGED] = "ridged", [ECO_SHAPE_BILLOW] = "billow",
    [ECO_SHAPE_TERRACED] = "terraced", [ECO_SHAPE_DUNES] = "dunes",   [ECO_SHAPE_DUNES + 1] = NULL,
};

static const struct eco_config_key height_keys[] = {
    {.name = "shape",
     .kind = ECO_KEY_CHOICE,
     MEMBER(struct eco_height_formula, shape),
     .fallback = "plain",
     .choices = shapes},
    {.name = "base",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_height_formula, base),
     .fallback = "64",
     .unit = "blocks",
     .low = ECO_HEIGHT_MIN,
     .high = ECO_HEIGHT_MAX},
    {.name = "amplitude",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_height_formula, amplitude),
     .fallback = "8",
     .unit = "blocks",
     .low = 0,
     .high = 4096},
    {.name = "wavelength",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_height_formula, wavelength),
     .fallback = "256",
     .unit = "blocks",
     .low = ECO_WAVELENGTH_MIN,
     .high = ECO_WAVELENGTH_MAX},
    {.name = "octaves",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_height_formula, octaves),
     .fallback = "4",
     .unit = "octaves",
     .low = 1,
     .high = ECO_OCTAVES_MAX},
    {.name = "steps",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_height_formula, steps),
     .fallback = "5",
     .unit = "steps",
     .low = 2,
     .high = 64},
};

static int height_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    const struct eco_height_formula *height = object;

    if (height->base - height->amplitude >= ECO_HEIGHT_MIN &&
        height->base + height->amplitude <= ECO_HEIGHT_MAX)
        return 0;
    return eco_config_fault(reader, mapping, "amplitude",
                            "%.10g is out of range; base - amplitude to base + amplitude (base is "
                            "%.10g) must lie in blocks, %.10g to %.10g",
                            height->amplitude, height->base, ECO_HEIGHT_MIN, ECO_HEIGHT_MAX);
}

static const struct eco_config_section height_section =
    SECTION(height_keys, 0, NULL, height_finish);

#define NAME_IN(key, member)                                                                       \
    {                                                                                              \
        .name = key, .kind = ECO_KEY_TEXT, MEMBER(struct eco_biome_config, member),                \
        .optional = true, .aside = true, .unit = "text", .low = 1, .high = ECO_NAME_MAX            \
    }

static const struct eco_config_key biome_keys[] = {
    {.name = "id",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_biome_config, biome.id),
     .unique = true,
     .unit = "a whole number",
     .high = 65535},
    {.name = "name",
     .kind = ECO_KEY_TEXT,
     MEMBER(struct eco_biome_config, biome.name),
     .aside = true,
     .unit = "text",
     .low = 1,
     .high = ECO_NAME_MAX},
    NAME_IN("name_de", biome.name_de),
    NAME_IN("name_ru", biome.name_ru),
    {.name = "colour", .kind = ECO_KEY_COLOUR, MEMBER(struct eco_biome_config, biome.colour)},
    {.name = "bias",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_biome_config, bias),
     .fallback = "0",
     .low = -4,
     .high = 4},
    {.name = "height",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_biome_config, height),
     .section = &height_section},
    {.name = "catalogue",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_biome_config, catalogue),
     .fallback = "-1",
     .aside = true,
     .unit = "an id of the catalogue, or -1 for none",
     .low = -1,
     .high = 255},
};

void eco_config_rename(struct eco_biome *biome, const struct eco_biome *own)
{
    biome->name = own->name;
    biome->colour = own->colour;
    if (own->name_de)
        biome->name_de = own->name_de;
    if (own->name_ru)
        biome->name_ru = own->name_ru;
}

static int biome_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    struct eco_biome_config *biome = object;
    const struct eco_catalogue_entry *entry;

    if (biome->catalogue < 0)
        return 0;
    entry = eco_catalogue_find((unsigned)biome->catalogue);
    if (!entry)
        return eco_config_fault(reader, mapping, "catalogue",
                                "there is no %d; 0 to 39, or 129 to 167 where they have a name",
                                (int)biome->catalogue);
    if (!biome->biome.name_de)
        biome->biome.name_de = entry->name_de;
    if (!biome->biome.name_ru)
        biome->biome.name_ru = entry->name_ru;
    biome->biome.climate = eco_climate_name(entry->climate);
    return 0;
}

static const struct eco_config_section biome_section =
    SECTION(biome_keys, sizeof(struct eco_biome_config), "biomes", biome_finish);

/* --- a world's noise and blend -------------------------------------------------------------- */

static const char *const generations[] = {
    [ECO_NOISE_OPENSIMPLEX2S] = "opensimplex2s",
    [ECO_NOISE_OPENSIMPLEX2S_LEGACY] = "opensimplex2s-legacy",
    [ECO_NOISE_OPENSIMPLEX2S_LEGACY + 1] = NULL,
};

static const char *const seedings[] = {"hashed", "sequential", NULL};

static const struct eco_config_key noise_keys[] = {
    {.name = "generation",
     .kind = ECO_KEY_CHOICE,
     MEMBER(struct eco_noise_config, generation),
     .fallback = "opensimplex2s",
     .choices = generations},
    {.name = "frequency",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_noise_config, frequency),
     .fallback = "0.002",
     .unit = "cycles a block",
     .low = 1e-6,
     .high = 1 / ECO_WAVELENGTH_MIN},
    {.name = "wavelength",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_noise_config, frequency),
     .instead = "frequency",
     .over = 1,
     .unit = "blocks",
     .low = ECO_WAVELENGTH_MIN,
     .high = ECO_WAVELENGTH_MAX},
    {.name = "octaves",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_noise_config, octaves),
     .fallback = "3",
     .unit = "octaves",
     .low = 1,
     .high = ECO_OCTAVES_MAX},
    {.name = "seeds",
     .kind = ECO_KEY_CHOICE,
     MEMBER(struct eco_noise_config, sequential_seeds),
     .fallback = "hashed",
     .choices = seedings},
};

static const struct eco_config_section noise_section = SECTION(noise_keys, 0, NULL, NULL);

static double blend_gap(const void *object)
{
    const struct eco_blend_config *config = object;
    const struct eco_blend blend = {
        .frequency = config->frequency, .method = config->method, .interval = config->interval};

    return eco_blend_gap(&blend);
}

static const char *const methods[] = {
    [ECO_BLEND_SCATTERED] = "scattered",
    [ECO_BLEND_FULL] = "full",
    [ECO_BLEND_GRID_CONVOLVE] = "grid_convolve",
    [ECO_BLEND_GRID_LERP] = "grid_lerp",
    [ECO_BLEND_NONE] = "none",
    [ECO_BLEND_METHODS] = NULL,
};

static const char *const chunks[] = {"8", "16", "32", "64", NULL};
static const char *const truths[] = {"false", "true", NULL};

/* The gap takes method, interval and frequency: they stand before `radius`. */
static const struct eco_config_key blend_keys[] = {
    {.name = "method",
     .kind = ECO_KEY_CHOICE,
     MEMBER(struct eco_blend_config, method),
     .fallback = "scattered",
     .late = true,
     .choices = methods},
    {.name = "interval",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_blend_config, interval),
     .fallback = "8",
     .late = true,
     .unit = "blocks",
     .low = 1,
     .high = ECO_BLEND_INTERVAL_MAX},
    {.name = "spacing",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_blend_config, frequency),
     .fallback = "8",
     .over = ECO_LATTICE_SPACING_FREQUENCY,
     .unit = "blocks",
     .low = ECO_SPACING_MIN,
     .high = ECO_SPACING_MAX},
    {.name = "frequency",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_blend_config, frequency),
     .instead = "spacing",
     .unit = "lattice steps a block",
     .low = 0.003,
     .high = 0.379},
    {.name = "padding",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_blend_config, padding),
     .fallback = "12",
     .unit = "blocks",
     .high = ECO_PADDING_MAX},
    {.name = "radius",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_blend_config, padding),
     .instead = "padding",
     .shift = blend_gap,
     .unit = "blocks",
     .high = ECO_PADDING_MAX},
    {.name = "chunk",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_blend_config, chunk),
     .fallback = "16",
     .aside = true,
     .unit = "samples",
     .choices = chunks},
    {.name = "jitter_offset",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_blend_config, jitter_offset),
     .fallback = "0",
     .unit = "a whole number of 64 bits"},
    {.name = "override",
     .kind = ECO_KEY_CHOICE,
     MEMBER(struct eco_blend_config, override),
     .fallback = "true",
     .aside = true,
     .choices = truths},
};

static const struct eco_config_section blend_section = SECTION(blend_keys, 0, NULL, NULL);

/* --- worlds --------------------------------------------------------------------------------- */

static bool is_name(const char *text)
{
    return text[0] && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

static const struct eco_config_key height_range_keys[] = {
    {.name = "low",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_world_config, height_low),
     .fallback = "0",
     .unit = "blocks",
     .low = ECO_HEIGHT_MIN,
     .high = ECO_HEIGHT_MAX},
    {.name = "high",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_world_config, height_high),
     .fallback = "192",
     .unit = "blocks",
     .low = ECO_HEIGHT_MIN,
     .high = ECO_HEIGHT_MAX},
};

static int height_range_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    const struct eco_world_config *world = object;

    if (world->height_low < world->height_high)
        return 0;
    return eco_config_fault(reader, mapping, "high",
                            "%.10g is out of range; blocks, above low, which is %.10g",
                            world->height_high, world->height_low);
}

static const struct eco_config_section height_range_section =
    SECTION(height_range_keys, 0, NULL, height_range_finish);

static const struct eco_config_key home_keys[] = {
    {.name = "x", MEMBER(struct eco_world_config, home_x), ECO_CONFIG_BLOCK},
    {.name = "z", MEMBER(struct eco_world_config, home_z), ECO_CONFIG_BLOCK},
    {.name = "zoom",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_world_config, home_zoom),
     .fallback = "16",
     .unit = "a zoom level",
     .high = ECO_ZOOM_MAX},
};

static const struct eco_config_section home_section = SECTION(home_keys, 0, NULL, NULL);

static const char *const seed_rules[] = {"any", "fixed", NULL};

static const struct eco_config_key listed_seed = {
    .kind = ECO_KEY_TEXT,
    .unit = "a whole number of 64 bits or text",
    .low = 1,
    .high = ECO_SEED_TEXT_MAX,
};

#define KEY_BIOMES 12 /* among the keys of a world */

static const struct eco_config_key world_keys[] = {
    {.name = "name",
     .kind = ECO_KEY_TEXT,
     MEMBER(struct eco_world_config, name),
     .unique = true,
     .aside = true,
     .unit = "1 to 64 of a-z, 0-9, _ and -",
     .high = ECO_NAME_MAX,
     .check = is_name},
    {.name = "title",
     .kind = ECO_KEY_TEXT,
     MEMBER(struct eco_world_config, title),
     .optional = true,
     .aside = true,
     .unit = "text",
     .low = 1,
     .high = ECO_TITLE_MAX},
    {.name = "generator",
     .kind = ECO_KEY_WORD,
     MEMBER(struct eco_world_config, generator),
     .choices_of = eco_generator_names},
    {.name = "seed",
     .kind = ECO_KEY_TEXT,
     MEMBER(struct eco_world_config, seed_text),
     .fallback = "0",
     .aside = true,
     .unit = "a whole number of 64 bits or text",
     .high = ECO_SEED_TEXT_MAX},
    {.name = "seeds",
     .kind = ECO_KEY_WORDS,
     MEMBER(struct eco_world_config, seeds.rule),
     .fallback = "any",
     .aside = true,
     .choices = seed_rules,
     .unit = "seeds",
     .low = 1,
     .high = ECO_SEEDS_MAX,
     .item = &listed_seed,
     .texts_offset = offsetof(struct eco_world_config, seeds.texts),
     .count_offset = offsetof(struct eco_world_config, seeds.count)},
    {.name = "quota",
     .kind = ECO_KEY_BYTES,
     MEMBER(struct eco_world_config, quota),
     .optional = true,
     .nullable = true,
     .aside = true,
     .low = 1048576,
     .high = 1099511627776.0},
    {.name = "sea_level",
     .kind = ECO_KEY_NUMBER,
     MEMBER(struct eco_world_config, sea_level),
     .fallback = "63",
     .unit = "blocks",
     .low = ECO_HEIGHT_MIN,
     .high = ECO_HEIGHT_MAX},
    {.name = "height_range", .kind = ECO_KEY_SECTION, .section = &height_range_section},
    {.name = "minzoom",
     .kind = ECO_KEY_WHOLE,
     MEMBER(struct eco_world_config, minzoom),
     .fallback = "8",
     .aside = true,
     .unit = "a zoom level",
     .high = ECO_ZOOM_MAX},
    {.name = "home", .kind = ECO_KEY_SECTION, .aside = true, .section = &home_section},
    {.name = "noise",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_world_config, noise),
     .section = &noise_section},
    {.name = "blend",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_world_config, blend),
     .section = &blend_section},
    [KEY_BIOMES] = {.name = "biomes",
                    .kind = ECO_KEY_LIST,
                    MEMBER(struct eco_world_config, biomes),
                    .optional = true,
                    .low = 1,
                    .high = ECO_BIOMES_MAX,
                    .section = &biome_section,
                    .count_offset = offsetof(struct eco_world_config, biomes_count)},
    {.name = "overworld",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_world_config, overworld),
     .section = &eco_config_section_overworld},
    {.name = "relief",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_world_config, relief),
     .section = &eco_config_section_relief},
    {.name = "border",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_world_config, border),
     .aside = true,
     .section = &eco_config_section_border},
};

/* Refuses what only biomes of a patchwork have: others take theirs from the generator. */
static int check_biomes(struct eco_config_reader *reader, yaml_node_t *mapping,
                        const struct eco_world_config *world)
{
    static const char *const keys[] = {"catalogue", "bias", "height"};
    yaml_node_t *list = eco_config_find(reader, mapping, "biomes");
    size_t mark = eco_config_push_key(reader, "biomes");
    int code = 0;

    for (unsigned b = 0; !code && list && b < world->biomes_count; b++) {
        yaml_node_t *biome =
            yaml_document_get_node(reader->document, list->data.sequence.items.start[b]);
        size_t inner = eco_config_push_index(reader, b);

        for (size_t k = 0; !code && k < sizeof(keys) / sizeof(keys[0]); k++) {
            if (eco_config_find(reader, biome, keys[k]))
                code = eco_config_fault(reader, biome, keys[k],
                                        "the generator %s has its own; id, name and colour can be "
                                        "given here",
                                        world->generator);
        }
        eco_config_pop(reader, inner);
    }
    eco_config_pop(reader, mark);
    return code;
}

/* Which sections only one generator reads. */
static int generator_finish(struct eco_config_reader *reader, yaml_node_t *mapping,
                            struct eco_world_config *world)
{
    static const struct {
        const char *key, *generator;
    } owned[] = {{"noise", "patchwork"}, {"overworld", "overworld"}, {"relief", "relief"}};

    for (size_t k = 0; k < sizeof(owned) / sizeof(owned[0]); k++) {
        if (strcmp(world->generator, owned[k].generator) != 0 &&
            eco_config_find(reader, mapping, owned[k].key))
            return eco_config_fault(reader, mapping, owned[k].key,
                                    "the generator %s does not read it; only %s does",
                                    world->generator, owned[k].generator);
    }
    if (strcmp(world->generator, "patchwork") != 0) {
        int code = check_biomes(reader, mapping, world);

        if (code)
            return code;
    }
    if (strcmp(world->generator, "overworld") == 0)
        return eco_config_fill_overworld(reader, mapping, world);
    if (strcmp(world->generator, "relief") == 0)
        return eco_config_fill_relief(reader, mapping, world);
    if (world->biomes_count == 0) {
        size_t mark = eco_config_push_key(reader, "biomes");
        int code = eco_config_fault_missing(reader, &world_keys[KEY_BIOMES], world);

        eco_config_pop(reader, mark);
        return code;
    }
    return 0;
}

static int world_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    struct eco_world_config *world = object;

    if (!world->title)
        world->title = world->name;
    world->seed = eco_seed_parse(world->seed_text, strlen(world->seed_text), NULL);
    if (eco_config_fill_seeds(reader, world) != 0)
        return ECO_ENOMEM;
    if (world->home_zoom < world->minzoom) {
        yaml_node_t *home = eco_config_find(reader, mapping, "home");

        if (home && eco_config_find(reader, home, "zoom"))
            return eco_config_fault(reader, home, "home.zoom",
                                    "%u is out of range; a zoom level, %u (minzoom) to %u",
                                    world->home_zoom, world->minzoom, ECO_ZOOM_MAX);
        world->home_zoom = world->minzoom;
    }
    return generator_finish(reader, mapping, world);
}

const struct eco_config_section eco_config_section_world =
    SECTION(world_keys, sizeof(struct eco_world_config), "worlds", world_finish);

static const struct eco_config_key root_keys[] = {
    {.name = "server",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_config, server),
     .section = &eco_config_section_server},
    {.name = "cache",
     .kind = ECO_KEY_SECTION,
     MEMBER(struct eco_config, cache),
     .section = &cache_section},
    {.name = "worlds",
     .kind = ECO_KEY_LIST,
     MEMBER(struct eco_config, worlds),
     .low = 1,
     .high = ECO_WORLDS_MAX,
     .section = &eco_config_section_world,
     .count_offset = offsetof(struct eco_config, worlds_count)},
};

const struct eco_config_section eco_config_section_root = SECTION(root_keys, 0, NULL, NULL);
