#include "http/json.h"

#include <inttypes.h>
#include <stdio.h>

json_t *eco_json_int64(int64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRId64, value);
    return json_string(text);
}

json_t *eco_json_colour(uint32_t colour)
{
    char text[8];

    snprintf(text, sizeof(text), "#%06" PRIx32, colour & 0xFFFFFF);
    return json_string(text);
}

json_t *eco_json_biome(const struct eco_biome *biome)
{
    json_t *object = json_pack("{s:i,s:s,s:o}", "id", biome->id, "name", biome->name, "colour",
                               eco_json_colour(biome->colour));

    if (object && biome->name_de)
        json_object_set_new(object, "name_de", json_string(biome->name_de));
    if (object && biome->name_ru)
        json_object_set_new(object, "name_ru", json_string(biome->name_ru));
    if (object && biome->climate)
        json_object_set_new(object, "climate", json_string(biome->climate));
    return object;
}

char *eco_json_dump(json_t *object, size_t flags)
{
    char *text = object ? json_dumps(object, flags) : NULL;

    json_decref(object);
    return text;
}
