#include <string.h>

#include "world/config_fault.h"
#include "world/config_schema.h"
#include "world/relief/erode.h"

#define SOURCE(member) ECO_CONFIG_MEMBER(struct eco_relief_source, member)
#define STEP(member) ECO_CONFIG_MEMBER(struct eco_relief_step, member)
#define MEMBER(member) ECO_CONFIG_MEMBER(struct eco_relief_config, member)
#define SECTION ECO_CONFIG_SECTION

#define SLOPE_UNIT "rise over run"

static const char *const kinds[] = {
    [ECO_RELIEF_SPECTRAL_LINEAR] = "spectral-linear",
    [ECO_RELIEF_SPECTRAL_SMOOTH] = "spectral-smooth",
    [ECO_RELIEF_MIDPOINT] = "midpoint",
    [ECO_RELIEF_MIDPOINT_GAUSS] = "midpoint-gauss",
    [ECO_RELIEF_MIDPOINT_SMOOTHED] = "midpoint-smoothed",
    [ECO_RELIEF_VORONOI] = "voronoi",
    [ECO_RELIEF_SOURCE_KINDS] = NULL,
};

static const char *const fields[] = {
    [ECO_RELIEF_BY_SPECTRAL] = "spectral-smooth", [ECO_RELIEF_BY_MIDPOINT] = "midpoint", NULL};
static const char *const metrics[] = {"squared", "euclid", NULL};
/* By their logarithms, RELIEF_FEATURES. */
static const char *const features[] = {"0.125", "0.25", "0.5", "1",  "2",
                                       "4",     "8",    "16",  "32", NULL};

static const struct eco_config_key source_keys[] = {
    {.name = "kind", .kind = ECO_KEY_CHOICE, SOURCE(kind), .choices = kinds},
    {.name = "weight",
     .kind = ECO_KEY_NUMBER,
     SOURCE(weight),
     .fallback = "1",
     .unit = "times the other weights",
     .low = 0.001,
     .high = 1000},
    {.name = "features",
     .kind = ECO_KEY_CHOICE,
     SOURCE(features),
     .fallback = "2",
     .choices = features},
    {.name = "persistence",
     .kind = ECO_KEY_NUMBER,
     SOURCE(persistence),
     .fallback = "0.5",
     .unit = "of the octave before",
     .low = 0.1,
     .high = 1},
    {.name = "points",
     .kind = ECO_KEY_WHOLE,
     SOURCE(points),
     .fallback = "1",
     .unit = "points a region",
     .low = 1,
     .high = 4},
    {.name = "jitter",
     .kind = ECO_KEY_NUMBER,
     SOURCE(jitter),
     .fallback = "1",
     .unit = "of a region",
     .high = 1},
    {.name = "metric",
     .kind = ECO_KEY_CHOICE,
     SOURCE(metric),
     .fallback = "squared",
     .choices = metrics},
    {.name = "c1", .kind = ECO_KEY_NUMBER, SOURCE(c1), .fallback = "-1", .low = -16, .high = 16},
    {.name = "c2", .kind = ECO_KEY_NUMBER, SOURCE(c2), .fallback = "1", .low = -16, .high = 16},
    {.name = "c3", .kind = ECO_KEY_NUMBER, SOURCE(c3), .fallback = "0", .low = -16, .high = 16},
    {.name = "coverage",
     .kind = ECO_KEY_NUMBER,
     SOURCE(coverage),
     .fallback = "1",
     .unit = "of the points have a hill",
     .high = 1},
    {.name = "variation",
     .kind = ECO_KEY_NUMBER,
     SOURCE(variation),
     .fallback = "0",
     .unit = "of a hill's height",
     .high = 1},
    {.name = "offset",
     .kind = ECO_KEY_NUMBER,
     SOURCE(offset),
     .fallback = "0",
     .unit = "below which a hill is cut off",
     .high = 1},
};

static const struct eco_config_section source_section =
    SECTION(source_keys, sizeof(struct eco_relief_source), "sources", NULL);

static const char *const steps[] = {
    [ECO_RELIEF_THERMAL] = "thermal",   [ECO_RELIEF_HYDRAULIC] = "hydraulic",
    [ECO_RELIEF_INVERTED] = "inverted", [ECO_RELIEF_SETTLE] = "settle",
    [ECO_RELIEF_STEP_KINDS] = NULL,
};

static const char *const forms[] = {
    [ECO_RELIEF_FAST] = "fast", [ECO_RELIEF_REFERENCE] = "reference", NULL};

static const struct eco_config_key step_keys[] = {
    {.name = "kind", .kind = ECO_KEY_CHOICE, STEP(kind), .choices = steps},
    {.name = "form", .kind = ECO_KEY_CHOICE, STEP(form), .fallback = "fast", .choices = forms},
    {.name = "iterations",
     .kind = ECO_KEY_WHOLE,
     STEP(iterations),
     .fallback = "15",
     .unit = "iterations",
     .low = 1,
     .high = RELIEF_ITERATIONS_MAX},
    {.name = "talus",
     .kind = ECO_KEY_NUMBER,
     STEP(talus),
     .fallback = "16",
     .unit = "of the height in a period",
     .high = 1024},
    {.name = "c",
     .kind = ECO_KEY_NUMBER,
     STEP(c),
     .fallback = "0.5",
     .unit = "of the difference",
     .high = 0.5},
    {.name = "rain",
     .kind = ECO_KEY_NUMBER,
     STEP(rain),
     .fallback = "0.01",
     .unit = "of the height an iteration",
     .high = 1},
    {.name = "solubility",
     .kind = ECO_KEY_NUMBER,
     STEP(solubility),
     .fallback = "0.01",
     .unit = "ground for water",
     .high = 1},
    {.name = "capacity",
     .kind = ECO_KEY_NUMBER,
     STEP(capacity),
     .fallback = "0.01",
     .unit = "ground for water",
     .high = 1},
    {.name = "evaporation",
     .kind = ECO_KEY_NUMBER,
     STEP(evaporation),
     .fallback = "0.5",
     .unit = "of the water an iteration",
     .high = 1},
};

static int step_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    const struct eco_relief_step *step = object;

    if (step->form == ECO_RELIEF_REFERENCE && step->kind != ECO_RELIEF_THERMAL &&
        step->kind != ECO_RELIEF_HYDRAULIC)
        return eco_config_fault(reader, mapping, "form",
                                "%s has no reference form; thermal and hydraulic have one",
                                steps[step->kind]);
    return 0;
}

static const struct eco_config_section step_section =
    SECTION(step_keys, sizeof(struct eco_relief_step), "steps", step_finish);

static const struct eco_config_key class_keys[] = {
    {.name = "beach",
     .kind = ECO_KEY_NUMBER,
     MEMBER(beach),
     .fallback = "2",
     .unit = "blocks above the sea",
     .high = 256},
    {.name = "hill",
     .kind = ECO_KEY_NUMBER,
     MEMBER(hill_slope),
     .fallback = "0.15",
     .unit = SLOPE_UNIT,
     .high = 64},
    {.name = "cliff",
     .kind = ECO_KEY_NUMBER,
     MEMBER(cliff_slope),
     .fallback = "0.8",
     .unit = SLOPE_UNIT,
     .high = 64},
    {.name = "peak",
     .kind = ECO_KEY_NUMBER,
     MEMBER(peak),
     .fallback = "128",
     .unit = "blocks",
     .low = ECO_HEIGHT_MIN,
     .high = ECO_HEIGHT_MAX},
};

static const struct eco_config_section class_section = SECTION(class_keys, 0, NULL, NULL);

static const struct eco_config_key play_keys[] = {
    {.name = "unit_slope",
     .kind = ECO_KEY_NUMBER,
     MEMBER(play.unit_slope),
     .fallback = "0.5",
     .unit = SLOPE_UNIT,
     .high = 64},
    {.name = "unit_size",
     .kind = ECO_KEY_WHOLE,
     MEMBER(play.unit_size),
     .fallback = "1",
     .unit = "cells",
     .low = 1,
     .high = ECO_SCORE_SIZE_MAX},
    {.name = "building_slope",
     .kind = ECO_KEY_NUMBER,
     MEMBER(play.building_slope),
     .fallback = "0.125",
     .unit = SLOPE_UNIT,
     .high = 64},
    {.name = "building_size",
     .kind = ECO_KEY_WHOLE,
     MEMBER(play.building_size),
     .fallback = "9",
     .unit = "cells",
     .low = 1,
     .high = ECO_SCORE_SIZE_MAX},
};

static const struct eco_config_section play_section = SECTION(play_keys, 0, NULL, NULL);

static const char *const cells[] = {"1", "2", "4", "8", "16", "32", NULL};
static const char *const periods[] = {"64", "128", "256", "512", "1024", "2048", NULL};

static const struct eco_config_key relief_keys[] = {
    {.name = "cell",
     .kind = ECO_KEY_WHOLE,
     MEMBER(cell),
     .fallback = "4",
     .unit = "blocks",
     .choices = cells},
    {.name = "period",
     .kind = ECO_KEY_WHOLE,
     MEMBER(period),
     .fallback = "512",
     .unit = "cells",
     .choices = periods},
    {.name = "low",
     .kind = ECO_KEY_NUMBER,
     MEMBER(low),
     .fallback = "30",
     .unit = "blocks",
     .low = ECO_HEIGHT_MIN,
     .high = ECO_HEIGHT_MAX},
    {.name = "high",
     .kind = ECO_KEY_NUMBER,
     MEMBER(high),
     .fallback = "158",
     .unit = "blocks",
     .low = ECO_HEIGHT_MIN,
     .high = ECO_HEIGHT_MAX},
    {.name = "sources",
     .kind = ECO_KEY_LIST,
     MEMBER(sources),
     .optional = true,
     .low = 1,
     .high = RELIEF_SOURCES_MAX,
     .section = &source_section,
     .count_offset = offsetof(struct eco_relief_config, sources_count)},
    {.name = "perturb",
     .kind = ECO_KEY_NUMBER,
     MEMBER(perturb),
     .fallback = "0.25",
     .unit = "of a period",
     .high = 0.5},
    {.name = "perturb_by",
     .kind = ECO_KEY_CHOICE,
     MEMBER(perturb_by),
     .fallback = "spectral-smooth",
     .choices = fields},
    {.name = "erosion",
     .kind = ECO_KEY_LIST,
     MEMBER(erosion),
     .optional = true,
     .high = RELIEF_STEPS_MAX,
     .section = &step_section,
     .count_offset = offsetof(struct eco_relief_config, erosion_count)},
    {.name = "classes", .kind = ECO_KEY_SECTION, .look = true, .section = &class_section},
    {.name = "play", .kind = ECO_KEY_SECTION, .section = &play_section},
};

static int relief_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    const struct eco_relief_config *relief = object;
    struct relief_erosion erosion = {.steps = relief->erosion, .count = relief->erosion_count};
    uint32_t reach = relief_reach(&erosion);

    if (!(relief->low < relief->high))
        return eco_config_fault(reader, mapping, "high",
                                "%.10g is out of range; blocks, above low, which is %.10g",
                                relief->high, relief->low);
    if (reach > RELIEF_REACH_MAX)
        return eco_config_fault(reader, mapping, "erosion",
                                "its iterations reach %u cells far, which is out of range; %d at "
                                "most: thermal 10 an iteration, hydraulic and inverted 7, "
                                "reference forms 2, settle 1",
                                reach, RELIEF_REACH_MAX);
    return 0;
}

const struct eco_config_section eco_config_section_relief =
    SECTION(relief_keys, 0, NULL, relief_finish);

/* --- biomes ---------------------------------------------------------------------------------- */

static const struct eco_biome classes[] = {
    {.id = 0, .name = "Water", .colour = 0x3E7FB8, .name_de = "Wasser", .name_ru = "Вода"},
    {.id = 1, .name = "Beach", .colour = 0xE8D9A0, .name_de = "Strand", .name_ru = "Берег"},
    {.id = 2, .name = "Plain", .colour = 0x94B76C, .name_de = "Ebene", .name_ru = "Равнина"},
    {.id = 3, .name = "Hill", .colour = 0x719555, .name_de = "Hügel", .name_ru = "Холмы"},
    {.id = 4, .name = "Cliff", .colour = 0x8B7D6B, .name_de = "Klippe", .name_ru = "Обрыв"},
    {.id = 5, .name = "Peak", .colour = 0xEDEFF2, .name_de = "Gipfel", .name_ru = "Вершина"},
};

#define CLASS_COUNT (sizeof(classes) / sizeof(classes[0]))

int eco_config_fill_relief(struct eco_config_reader *reader, yaml_node_t *mapping,
                           struct eco_world_config *world)
{
    struct eco_biome_config *biomes = eco_arena_alloc(reader->arena, CLASS_COUNT, sizeof(*biomes));

    if (!biomes)
        return eco_config_fault_memory(reader);
    memset(biomes, 0, CLASS_COUNT * sizeof(*biomes));
    for (unsigned k = 0; k < CLASS_COUNT; k++)
        biomes[k] = (struct eco_biome_config){.biome = classes[k], .catalogue = -1};
    for (unsigned k = 0; k < world->biomes_count; k++) {
        const struct eco_biome *own = &world->biomes[k].biome;

        if (own->id >= CLASS_COUNT)
            return eco_config_fault(reader, mapping, "biomes",
                                    "there is no biome %u in relief; 0 water, 1 beach, 2 plain, 3 "
                                    "hill, 4 cliff, 5 peak",
                                    own->id);
        eco_config_rename(&biomes[own->id].biome, own);
    }
    world->biomes = biomes;
    world->biomes_count = CLASS_COUNT;
    return 0;
}
