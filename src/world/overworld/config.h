/*
 * The parameters of an overworld, as the section `overworld` of a world gives them. Lengths marked
 * "of the article" are multiplied by the scale.
 */
#ifndef ECO_WORLD_OVERWORLD_CONFIG_H
#define ECO_WORLD_OVERWORLD_CONFIG_H

#include "world/overworld/diagram.h"

/* A rectangle of the diagram, bounds included. */
struct eco_diagram_patch {
    enum eco_land land;
    unsigned t0, t1, p0, p1;
};

struct eco_overworld_config {
    double scale;                /* blocks for one of the article */
    double pitch;                /* of the cells, of the article */
    unsigned rounds;             /* of Lloyd's relaxation */
    double roughness;            /* largest move of a border, of the article */
    double roughness_wavelength; /* of the article */
    unsigned roughness_octaves;  /* each of half the length and half the move */
    double climate_wavelength;   /* of the article */
    double equalise;             /* 0 .. 1 */
    double land_wavelength;      /* of the article */
    unsigned land_octaves;
    double continent_wavelength;       /* of the article */
    double continent_weight;           /* against the land noise, which has 1 */
    double land_height, sea_depth;     /* blocks, where the land value is 1 and -1 */
    double wide_width, narrow_width;   /* of rivers, blocks */
    double river_depth;                /* blocks */
    double wide_limit, narrow_limit;   /* blocks above the sea */
    double tree_limit;                 /* blocks above the sea */
    struct eco_diagram_patch *patches; /* painted over the article's diagram, in order */
    unsigned patches_count;
    const uint8_t *lands; /* or NULL: a whole diagram, 256 x 256 enum eco_land, of each temperature
                             all precipitations; there are no patches then */
};

#endif
