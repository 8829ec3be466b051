/* Pieces of JSON that several documents have. Each returns a new reference, NULL without memory.
 * Thread rule: any thread; a document is made by one. */
#ifndef ECO_HTTP_JSON_H
#define ECO_HTTP_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "ecotone/world.h"

#define ECO_JSON_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(15))
/* Heights and weights are floats: more digits would only show how they are stored. */
#define ECO_JSON_FLOAT_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(7))

/* A string: JavaScript has no 64-bit numbers. */
json_t *eco_json_int64(int64_t value);
/* "#rrggbb" */
json_t *eco_json_colour(uint32_t colour);
/* id, name, colour, and Russian name and climate where it has them. */
json_t *eco_json_biome(const struct eco_biome *biome);

/* The text of the object, whose reference is taken; NULL when any part of it failed. To be freed.
 */
char *eco_json_dump(json_t *object, size_t flags);

#endif
