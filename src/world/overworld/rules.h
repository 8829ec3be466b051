/*
 * From climate to the ids of the catalogue: which land a cell is, and what a few rules make of it -
 * hills inside a biome, edges between unlike neighbours, rare variants by a hash of the cell - and
 * which sea, shore and river belong to each land. Pure functions, constant data.
 */
#ifndef ECO_WORLD_OVERWORLD_RULES_H
#define ECO_WORLD_OVERWORLD_RULES_H

#include "world/overworld/climate.h"
#include "world/overworld/diagram.h"

/* What a land of the overworld is, by its catalogue id. */
struct eco_land_info {
    uint8_t id;
    uint8_t land;   /* enum eco_land: whose height curve and trees it has */
    uint8_t family; /* the id of the common kind; borders of families carry wide rivers */
    uint8_t sea, shore, river; /* ids */
    float gain, lift;          /* its height is lift + gain * that of the curve */
    float terrace;             /* steps of height, 0: none */
};

/* All lands; others of the catalogue are seas, shores and rivers. */
extern const struct eco_land_info eco_land_infos[];
extern const unsigned eco_land_info_count;

/* The index in eco_land_infos of an id; it must be a land. */
unsigned eco_land_index(unsigned id);

#define ECO_ID_OCEAN 0
#define ECO_ID_DEEP_OCEAN 24
#define ECO_ID_MUSHROOM_ISLAND 14

/* The common land of a climate, as an id. */
uint8_t eco_rules_base(const struct eco_diagram *diagram, struct eco_climate_levels climate);

/* What becomes of a cell of common land `base` whose six lattice neighbours are `around`. `cell` is
 * its number; every bit of it matters. `deep` is true where the cell lies in the deep sea. */
uint8_t eco_rules_cell(uint8_t base, const uint8_t around[6], uint64_t cell, int deep);

#endif
