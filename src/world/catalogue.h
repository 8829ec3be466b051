/*
 * The catalogue of biomes that players and tools know: ids 0 to 39 and the rare variants 129 to 167
 * of the classic list, each with its names, a colour and a climate class. A biome of any world may
 * carry one of these ids. Constant data; any thread.
 */
#ifndef ECO_WORLD_CATALOGUE_H
#define ECO_WORLD_CATALOGUE_H

#include <stdint.h>

enum eco_climate {
    ECO_CLIMATE_OCEAN,
    ECO_CLIMATE_SNOWY,
    ECO_CLIMATE_COLD,
    ECO_CLIMATE_TEMPERATE,
    ECO_CLIMATE_DRY,
    ECO_CLIMATE_OTHER, /* no weather of the overworld */
};

struct eco_catalogue_entry {
    uint8_t id;
    uint8_t base; /* the biome that this is a rare variant of; its own id otherwise */
    const char *name;
    const char *name_de, *name_ru;
    uint32_t colour; /* 0xRRGGBB */
    enum eco_climate climate;
};

/* All entries by rising id. */
extern const struct eco_catalogue_entry eco_catalogue[];
extern const unsigned eco_catalogue_count;

/* NULL when the catalogue has no such id. */
const struct eco_catalogue_entry *eco_catalogue_find(unsigned id);

/* "ocean", "snowy", "cold", "temperate", "dry" or "other". */
const char *eco_climate_name(enum eco_climate climate);

#endif
