/*
 * The JSON of questions about ground: what an area is made of, where a biome is nearest, and the
 * border of a world. Each function returns text for the caller to free, or NULL when memory runs
 * out. Thread rule: pure functions.
 */
#ifndef ECO_HTTP_GROUND_H
#define ECO_HTTP_GROUND_H

#include "world/query.h"

/* /api/worlds/{world}/area */
char *eco_document_area(const struct eco_world *world, const struct eco_area *area,
                        const struct eco_area_answer *answer);

/* /api/worlds/{world}/locate */
char *eco_document_locate(const struct eco_world *world, const struct eco_locate *locate,
                          const struct eco_locate_answer *answer);

/* /api/worlds/{world}/border: GeoJSON whose coordinates are blocks, x and z; `elapsed` seconds
 * after the configuration took effect. */
char *eco_document_border(const struct eco_world_config *world, const struct eco_border *border,
                          double elapsed);

#endif
