/*
 * The temperature-precipitation diagram: which of the nine land biomes grows in which climate, 256
 * x 256 cells, temperature from cold to hot, precipitation from dry to wet. Pure functions.
 * Source: the diagram of "Replicating Minecraft World Generation in Python", read pixel by pixel.
 */
#ifndef ECO_WORLD_OVERWORLD_DIAGRAM_H
#define ECO_WORLD_OVERWORLD_DIAGRAM_H

#include <stdint.h>

enum eco_land {
    ECO_LAND_DESERT,
    ECO_LAND_SAVANNA,
    ECO_LAND_TROPICAL_WOODLAND,
    ECO_LAND_TUNDRA,
    ECO_LAND_SEASONAL_FOREST,
    ECO_LAND_RAINFOREST,
    ECO_LAND_TEMPERATE_FOREST,
    ECO_LAND_TEMPERATE_RAINFOREST,
    ECO_LAND_BOREAL_FOREST,
    ECO_LAND_COUNT
};

/* Names as they stand in a configuration, NULL at the end. */
extern const char *const eco_land_names[ECO_LAND_COUNT + 1];

/* Their colours in a picture of the diagram, those of the article, 0xRRGGBB. */
extern const uint32_t eco_land_colours[ECO_LAND_COUNT];

struct eco_diagram {
    uint8_t land[256][256]; /* [temperature][precipitation], enum eco_land */
};

/* The article's diagram. */
void eco_diagram_init(struct eco_diagram *diagram);

/* Paints a rectangle of the diagram, bounds included. */
void eco_diagram_paint(struct eco_diagram *diagram, enum eco_land land, unsigned t0, unsigned t1,
                       unsigned p0, unsigned p1);

#endif
