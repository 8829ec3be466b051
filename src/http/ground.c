#include "http/ground.h"

#include <math.h>

#include "http/json.h"

static json_t *shares_of(const struct eco_world *world, const struct eco_area_answer *answer)
{
    double all = (double)answer->columns * answer->rows;
    json_t *list = json_array();

    for (unsigned b = 0; list && b < eco_world_biome_count(world); b++) {
        struct eco_biome biome = eco_world_biome(world, b);
        json_t *item;

        if (answer->counts[b] == 0)
            continue;
        item = eco_json_biome(&biome);
        if (!item || json_object_set_new(item, "share", json_real(answer->counts[b] / all)) != 0 ||
            json_array_append_new(list, item) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

char *eco_document_area(const struct eco_world *world, const struct eco_area *area,
                        const struct eco_area_answer *answer)
{
    const float *heights = answer->heights;
    double all = (double)answer->columns * answer->rows;

    return eco_json_dump(
        json_pack("{s:s,s:o,s:I,s:I,s:I,s:I,s:{s:I,s:i,s:i},s:o,s:f,"
                  "s:{s:f,s:f,s:f,s:f,s:f,s:f,s:f}}",
                  "world", eco_world_config_of(world)->name, "seed",
                  eco_json_int64(eco_world_seed(world)), "x0", (json_int_t)area->x0, "z0",
                  (json_int_t)area->z0, "x1", (json_int_t)area->x1, "z1", (json_int_t)area->z1,
                  "grid", "step", (json_int_t)answer->step, "columns", (int)answer->columns, "rows",
                  (int)answer->rows, "biomes", shares_of(world, answer), "land",
                  (double)answer->land / all, "height", "least", (double)heights[0], "q05",
                  (double)heights[1], "q25", (double)heights[2], "median", (double)heights[3],
                  "q75", (double)heights[4], "q95", (double)heights[5], "greatest",
                  (double)heights[6]),
        ECO_JSON_FLOAT_FLAGS);
}

char *eco_document_locate(const struct eco_world *world, const struct eco_locate *locate,
                          const struct eco_locate_answer *answer)
{
    struct eco_biome biome = eco_world_biome(world, locate->biome);
    json_t *object = json_pack(
        "{s:s,s:o,s:o,s:I,s:I,s:I,s:I,s:b}", "world", eco_world_config_of(world)->name, "seed",
        eco_json_int64(eco_world_seed(world)), "biome", eco_json_biome(&biome), "x",
        (json_int_t)locate->x, "z", (json_int_t)locate->z, "within", (json_int_t)locate->within,
        "samples", (json_int_t)answer->samples, "found", answer->found);

    if (object && answer->found)
        json_object_set_new(object, "nearest",
                            json_pack("{s:I,s:I,s:f}", "x", (json_int_t)answer->x, "z",
                                      (json_int_t)answer->z, "distance", answer->distance));
    return eco_json_dump(object, ECO_JSON_FLOAT_FLAGS);
}

/* --- the border ----------------------------------------------------------------------------- */

static json_t *ring_of(const struct eco_border *border, double half)
{
    double west = (double)border->x - half, east = (double)border->x + half;
    double north = (double)border->z - half, south = (double)border->z + half;

    return json_pack("[[f,f],[f,f],[f,f],[f,f],[f,f]]", west, north, east, north, east, south, west,
                     south, west, north);
}

static json_t *feature_of(const char *role, const char *colour, json_t *geometry)
{
    return json_pack("{s:s,s:{s:s,s:s},s:o}", "type", "Feature", "properties", "role", role,
                     "colour", colour, "geometry", geometry);
}

char *eco_document_border(const struct eco_world_config *world, const struct eco_border *border,
                          double elapsed)
{
    /* The colours that players know: blue stands, green grows, red shrinks. */
    static const char *const colours[] = {"#3f76e4", "#40ff80", "#ff3030"};
    static const char *const states[] = {"stands", "grows", "shrinks"};
    enum eco_border_state state = eco_border_state(border, elapsed);
    double diameter = eco_border_diameter(border, elapsed), half = diameter * 0.5;
    double inner = fmax(half - border->warning_distance, 0.0);
    json_t *line =
        json_pack("{s:s,s:o}", "type", "LineString", "coordinates", ring_of(border, half));
    json_t *strip = json_pack("{s:s,s:[o,o]}", "type", "Polygon", "coordinates",
                              ring_of(border, half), ring_of(border, inner));

    return eco_json_dump(json_pack("{s:s,s:{s:s,s:s,s:f,s:f,s:f,s:f,s:{s:I,s:I},s:s},s:[o,o]}",
                                   "type", "FeatureCollection", "properties", "world", world->name,
                                   "state", states[state], "diameter", diameter, "target",
                                   border->target, "seconds_left",
                                   fmax(border->seconds - elapsed, 0.0), "warning_distance",
                                   border->warning_distance, "center", "x", (json_int_t)border->x,
                                   "z", (json_int_t)border->z, "units", "blocks", "features",
                                   feature_of("border", colours[state], line),
                                   feature_of("warning", colours[state], strip)),
                         ECO_JSON_FLAGS);
}
