#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/catalogue.h"
#include "world/config_fault.h"
#include "world/config_schema.h"
#include "world/config_value.h"
#include "world/overworld/realm.h"

#define MEMBER(member) ECO_CONFIG_MEMBER(struct eco_overworld_config, member)
#define SECTION ECO_CONFIG_SECTION

static const struct eco_config_key cells_keys[] = {
    {.name = "pitch",
     .kind = ECO_KEY_NUMBER,
     MEMBER(pitch),
     .fallback = "45",
     .unit = "blocks of the article",
     .low = 8,
     .high = 512},
    {.name = "relax",
     .kind = ECO_KEY_WHOLE,
     MEMBER(rounds),
     .fallback = "2",
     .unit = "rounds",
     .high = 8},
    {.name = "roughness",
     .kind = ECO_KEY_NUMBER,
     MEMBER(roughness),
     .fallback = "8",
     .unit = "blocks of the article",
     .high = 64},
    {.name = "wavelength",
     .kind = ECO_KEY_NUMBER,
     MEMBER(roughness_wavelength),
     .fallback = "32",
     .unit = "blocks of the article",
     .low = 4,
     .high = 1024},
    {.name = "octaves",
     .kind = ECO_KEY_WHOLE,
     MEMBER(roughness_octaves),
     .fallback = "5",
     .unit = "octaves",
     .low = 1,
     .high = 5},
};

/* Borders that wander past several cells leave no cells to be seen. */
static int cells_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    const struct eco_overworld_config *config = object;

    if (config->roughness > ECO_ROUGHNESS_MAX * config->pitch)
        return eco_config_fault(reader, mapping, "roughness",
                                "%g is out of range; blocks of the article, 0 to %g times pitch, "
                                "which is %g",
                                config->roughness, ECO_ROUGHNESS_MAX, config->pitch);
    return 0;
}

static const struct eco_config_section cells_section = SECTION(cells_keys, 0, NULL, cells_finish);

static const struct eco_config_key climate_keys[] = {
    {.name = "wavelength",
     .kind = ECO_KEY_NUMBER,
     MEMBER(climate_wavelength),
     .fallback = "512",
     .unit = "blocks of the article",
     .low = 32,
     .high = 65536},
    {.name = "equalise",
     .kind = ECO_KEY_NUMBER,
     MEMBER(equalise),
     .fallback = "0.33",
     .unit = "from 0, as it is, to 1, all values equally common",
     .high = 1},
};

static const struct eco_config_section climate_section = SECTION(climate_keys, 0, NULL, NULL);

static const struct eco_config_key land_keys[] = {
    {.name = "wavelength",
     .kind = ECO_KEY_NUMBER,
     MEMBER(land_wavelength),
     .fallback = "256",
     .unit = "blocks of the article",
     .low = 16,
     .high = 65536},
    {.name = "octaves",
     .kind = ECO_KEY_WHOLE,
     MEMBER(land_octaves),
     .fallback = "8",
     .unit = "octaves",
     .low = 1,
     .high = 8},
    {.name = "continent_wavelength",
     .kind = ECO_KEY_NUMBER,
     MEMBER(continent_wavelength),
     .fallback = "3000",
     .unit = "blocks of the article",
     .low = 16,
     .high = 65536},
    {.name = "continent_weight",
     .kind = ECO_KEY_NUMBER,
     MEMBER(continent_weight),
     .fallback = "0.8",
     .unit = "times the land noise",
     .high = 8},
    {.name = "height",
     .kind = ECO_KEY_NUMBER,
     MEMBER(land_height),
     .fallback = "150",
     .unit = "blocks",
     .low = 1,
     .high = 4096},
    {.name = "depth",
     .kind = ECO_KEY_NUMBER,
     MEMBER(sea_depth),
     .fallback = "60",
     .unit = "blocks",
     .low = 1,
     .high = 4096},
};

static const struct eco_config_section land_section = SECTION(land_keys, 0, NULL, NULL);

static const struct eco_config_key rivers_keys[] = {
    {.name = "wide",
     .kind = ECO_KEY_NUMBER,
     MEMBER(wide_width),
     .fallback = "24",
     .unit = "blocks",
     .high = 512},
    {.name = "narrow",
     .kind = ECO_KEY_NUMBER,
     MEMBER(narrow_width),
     .fallback = "9",
     .unit = "blocks",
     .high = 512},
    {.name = "depth",
     .kind = ECO_KEY_NUMBER,
     MEMBER(river_depth),
     .fallback = "4",
     .unit = "blocks",
     .low = 0.5,
     .high = 64},
    {.name = "wide_limit",
     .kind = ECO_KEY_NUMBER,
     MEMBER(wide_limit),
     .fallback = "24",
     .unit = "blocks above the sea",
     .high = 4096},
    {.name = "narrow_limit",
     .kind = ECO_KEY_NUMBER,
     MEMBER(narrow_limit),
     .fallback = "10",
     .unit = "blocks above the sea",
     .high = 4096},
};

static const struct eco_config_section rivers_section = SECTION(rivers_keys, 0, NULL, NULL);

#define PATCH(member) ECO_CONFIG_MEMBER(struct eco_diagram_patch, member)
#define LEVEL(name_, member)                                                                       \
    {                                                                                              \
        .name = name_, .kind = ECO_KEY_WHOLE, PATCH(member), .unit = "a level", .high = 255        \
    }

static const struct eco_config_key patch_keys[] = {
    {.name = "land", .kind = ECO_KEY_CHOICE, PATCH(land), .choices = eco_land_names},
    LEVEL("coldest", t0),
    LEVEL("hottest", t1),
    LEVEL("driest", p0),
    LEVEL("wettest", p1),
};

static int patch_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    const struct eco_diagram_patch *patch = object;

    if (patch->t0 > patch->t1)
        return eco_config_fault(reader, mapping, "hottest",
                                "%u is out of range; a level, coldest, which is %u, to 255",
                                patch->t1, patch->t0);
    if (patch->p0 > patch->p1)
        return eco_config_fault(reader, mapping, "wettest",
                                "%u is out of range; a level, driest, which is %u, to 255",
                                patch->p1, patch->p0);
    return 0;
}

static const struct eco_config_section patch_section =
    ECO_CONFIG_SECTION(patch_keys, sizeof(struct eco_diagram_patch), "rectangles", patch_finish);

#define DIAGRAM_SIDE 256
#define FILE_NAME_MAX 255 /* bytes */

/* The picture's file: as it is named if absolute, else beside the configuration. */
static char *path_of(struct eco_config_reader *reader, const char *file)
{
    const char *slash = strrchr(reader->file, '/');
    size_t folder = slash && file[0] != '/' ? (size_t)(slash - reader->file) + 1 : 0;
    size_t size = strlen(file) + 1;
    char *path = eco_arena_alloc(reader->arena, folder + size, 1);

    if (path) {
        memcpy(path, reader->file, folder);
        memcpy(path + folder, file, size);
    }
    return path;
}

static int fault_colour(struct eco_config_reader *reader, const yaml_node_t *node, size_t pixel,
                        uint32_t colour)
{
    char known[ECO_LAND_COUNT * 32];
    size_t used = 0;

    for (unsigned land = 0; land < ECO_LAND_COUNT; land++)
        used += (size_t)snprintf(known + used, sizeof(known) - used, "%s#%06x %s", land ? ", " : "",
                                 (unsigned)eco_land_colours[land], eco_land_names[land]);
    return eco_config_fault_at(
        reader, node->start_mark.line + 1, "%.64s: pixel %u, %u is #%06x; %s",
        (const char *)node->data.scalar.value, (unsigned)(pixel % DIAGRAM_SIDE),
        (unsigned)(pixel / DIAGRAM_SIDE), (unsigned)colour, known);
}

/* From a picture with cold on the left and wet on the top to lands by temperature. */
static int take_colours(struct eco_config_reader *reader, const yaml_node_t *node,
                        const uint32_t *colours, uint8_t *lands)
{
    for (size_t k = 0; k < (size_t)DIAGRAM_SIDE * DIAGRAM_SIDE; k++) {
        size_t temperature = k % DIAGRAM_SIDE, precipitation = DIAGRAM_SIDE - 1 - k / DIAGRAM_SIDE;
        uint8_t land = 0;

        while (land < ECO_LAND_COUNT && eco_land_colours[land] != colours[k])
            land++;
        if (land == ECO_LAND_COUNT)
            return fault_colour(reader, node, k, colours[k]);
        lands[temperature * DIAGRAM_SIDE + precipitation] = land;
    }
    return 0;
}

static int read_diagram(struct eco_config_reader *reader, const yaml_node_t *node, void *object)
{
    struct eco_overworld_config *config = object;
    const char *file = (const char *)node->data.scalar.value;
    size_t count = (size_t)DIAGRAM_SIDE * DIAGRAM_SIDE, length = node->data.scalar.length;
    struct eco_error wrong = {0};
    uint32_t *colours;
    uint8_t *lands;
    const char *path;
    int code;

    if (length == 0 || length > FILE_NAME_MAX || !eco_value_plain(file, length))
        return eco_config_fault_at(reader, node->start_mark.line + 1,
                                   "this names no file; 1 to %d bytes without control characters",
                                   FILE_NAME_MAX);
    if (!reader->images)
        return eco_config_fault_at(reader, node->start_mark.line + 1,
                                   "%.64s: pictures cannot be read here; a list of rectangles",
                                   file);
    path = path_of(reader, file);
    lands = eco_arena_alloc(reader->arena, count, sizeof(*lands));
    colours = malloc(count * sizeof(*colours));
    if (!path || !lands || !colours) {
        free(colours);
        return eco_config_fault_memory(reader);
    }
    code = reader->images->read(path, DIAGRAM_SIDE, colours, &wrong);
    if (code)
        code = eco_config_fault_at(reader, node->start_mark.line + 1,
                                   "%.64s: %.200s; a PNG of %d x %d pixels", file, wrong.text,
                                   DIAGRAM_SIDE, DIAGRAM_SIDE);
    else
        code = take_colours(reader, node, colours, lands);
    free(colours);
    config->lands = code ? NULL : lands;
    return code;
}

static const struct eco_config_key overworld_keys[] = {
    {.name = "scale",
     .kind = ECO_KEY_NUMBER,
     MEMBER(scale),
     .fallback = "8",
     .unit = "blocks for one of the article",
     .low = 0.5,
     .high = 64},
    {.name = "cells", .kind = ECO_KEY_SECTION, .section = &cells_section},
    {.name = "climate", .kind = ECO_KEY_SECTION, .section = &climate_section},
    {.name = "land", .kind = ECO_KEY_SECTION, .section = &land_section},
    {.name = "rivers", .kind = ECO_KEY_SECTION, .section = &rivers_section},
    {.name = "diagram",
     .kind = ECO_KEY_LIST,
     MEMBER(patches),
     .optional = true,
     .low = 1,
     .high = 256,
     .unit = "the name of a PNG file",
     .section = &patch_section,
     .count_offset = offsetof(struct eco_overworld_config, patches_count),
     .text = read_diagram,
     .bytes_offset = offsetof(struct eco_overworld_config, lands),
     .bytes_size = (size_t)DIAGRAM_SIDE * DIAGRAM_SIDE},
    {.name = "tree_limit",
     .kind = ECO_KEY_NUMBER,
     MEMBER(tree_limit),
     .fallback = "75",
     .unit = "blocks above the sea",
     .high = 4096},
};

const struct eco_config_section eco_config_section_overworld =
    SECTION(overworld_keys, 0, NULL, NULL);

/* Those that no overworld has: other dimensions. */
static bool is_elsewhere(const struct eco_catalogue_entry *entry)
{
    return entry->id == 8 || entry->id == 9;
}

/* Puts what the configuration says of a biome over what the catalogue says. */
static int override(struct eco_config_reader *reader, yaml_node_t *mapping,
                    struct eco_biome_config *biomes, unsigned count,
                    const struct eco_biome_config *own)
{
    for (unsigned b = 0; b < count; b++) {
        if (biomes[b].biome.id == own->biome.id) {
            eco_config_rename(&biomes[b].biome, &own->biome);
            return 0;
        }
    }
    return eco_config_fault(reader, mapping, "biomes",
                            "there is no biome %u in an overworld; the ids of the catalogue but 8 "
                            "and 9",
                            own->biome.id);
}

int eco_config_fill_overworld(struct eco_config_reader *reader, yaml_node_t *mapping,
                              struct eco_world_config *world)
{
    const struct eco_biome_config *own = world->biomes;
    unsigned own_count = world->biomes_count, count = 0;
    struct eco_biome_config *biomes =
        eco_arena_alloc(reader->arena, eco_catalogue_count, sizeof(*biomes));
    int code = 0;

    if (!biomes)
        return eco_config_fault_memory(reader);
    memset(biomes, 0, eco_catalogue_count * sizeof(*biomes));
    for (unsigned k = 0; k < eco_catalogue_count; k++) {
        const struct eco_catalogue_entry *entry = &eco_catalogue[k];

        if (is_elsewhere(entry))
            continue;
        biomes[count++] = (struct eco_biome_config){
            .biome = {.id = entry->id,
                      .name = entry->name,
                      .colour = entry->colour,
                      .name_de = entry->name_de,
                      .name_ru = entry->name_ru,
                      .climate = eco_climate_name(entry->climate)},
            .catalogue = entry->id,
        };
    }
    for (unsigned k = 0; !code && k < own_count; k++)
        code = override(reader, mapping, biomes, count, &own[k]);
    world->biomes = biomes;
    world->biomes_count = count;
    return code;
}
