/*
 * The parameters of the generator `relief`, as they stand in the configuration. Heights h of the
 * terrain run from about 0 to 1; slopes and taluses are in units of 1 / period, as in J. Olsen,
 * "Realtime Procedural Terrain Generation" (2004), whose names are used.
 */
#ifndef ECO_WORLD_RELIEF_CONFIG_H
#define ECO_WORLD_RELIEF_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define RELIEF_SOURCES_MAX 8
/* 2^log features a period are written as a number that is not negative. */
#define RELIEF_FEATURES(log) ((log) + 3)
#define RELIEF_STEPS_MAX 8
#define RELIEF_ITERATIONS_MAX 1000
/* Cells that all steps may reach far: blocks must stay of a size that can be made. */
#define RELIEF_REACH_MAX 1024

enum eco_relief_source_kind {
    ECO_RELIEF_SPECTRAL_LINEAR,   /* lattice values, linear between them, octaves */
    ECO_RELIEF_SPECTRAL_SMOOTH,   /* the same with 3 t^2 - 2 t^3 between them */
    ECO_RELIEF_MIDPOINT,          /* midpoint displacement, uniform offsets */
    ECO_RELIEF_MIDPOINT_GAUSS,    /* the same, most offsets small */
    ECO_RELIEF_MIDPOINT_SMOOTHED, /* offsets times the local mean: low land is smoother */
    ECO_RELIEF_VORONOI,           /* c1 d1 + c2 d2 + c3 d3 of the nearest feature points */
    ECO_RELIEF_SOURCE_KINDS,
};

enum eco_relief_metric {
    ECO_RELIEF_SQUARED, /* dx^2 + dz^2 */
    ECO_RELIEF_EUCLID,
};

struct eco_relief_source {
    enum eco_relief_source_kind kind;
    double weight;
    unsigned features; /* RELIEF_FEATURES of a side of a period: places of the coarsest lattice, or
                          regions, each with `points` feature points */
    /* Of spectral sources: */
    double persistence; /* amplitude of an octave over that of the one before */
    /* Of Voronoi sources: */
    unsigned points;
    double jitter;                 /* how much of its region a point may lie in, about the middle */
    enum eco_relief_metric metric; /* distances are in sides of a region */
    double c1, c2, c3;
    double coverage;  /* the share of feature points that have a hill */
    double variation; /* hills are scaled by 1 - variation .. 1 */
    double offset;    /* subtracted, and what is below 0 then cut off: wider valleys */
};

enum eco_relief_step_kind {
    ECO_RELIEF_THERMAL,   /* steeper than the talus: material slides to the lowest diagonal */
    ECO_RELIEF_HYDRAULIC, /* rain dissolves, flows to the lowest neighbour, dries, leaves sediment
                           */
    ECO_RELIEF_INVERTED,  /* flatter than the talus: material moves to the lowest neighbour */
    ECO_RELIEF_SETTLE,    /* flatter than the talus: differences even out; steep ground stays */
    ECO_RELIEF_STEP_KINDS,
};

enum eco_relief_form {
    ECO_RELIEF_FAST,      /* in place, to the lowest of four neighbours */
    ECO_RELIEF_REFERENCE, /* all cells at once, to all lower ones of eight neighbours */
};

struct eco_relief_step {
    enum eco_relief_step_kind kind;
    enum eco_relief_form form; /* of thermal and hydraulic */
    unsigned iterations;
    double talus; /* T of thermal, inverted and settle, in 1 / period */
    double
        c; /* share that thermal moves of the difference, reference: of what is above the talus */
    double rain, solubility, capacity; /* Kr, Ks, Kc of hydraulic; fast: without Ks, as its water
                                          always holds all that it can */
    double evaporation;                /* Ke */
};

/* What a unit can walk on and a building can stand on; slopes are rise over run. */
struct eco_relief_play {
    double unit_slope, building_slope; /* below them */
    unsigned unit_size, building_size; /* cells a side of a square */
};

/* What places are displaced by. */
enum eco_relief_field {
    ECO_RELIEF_BY_SPECTRAL, /* spectral-smooth of 2 features a period */
    ECO_RELIEF_BY_MIDPOINT, /* midpoint displacement of 4: rougher */
};

struct eco_relief_config {
    unsigned cell;   /* blocks a side of a cell of the erosion grid; a power of two */
    unsigned period; /* N: the cells of which slopes, features and `perturb` are fractions or
                        multiples; a power of two */
    double low;      /* blocks, of h = 0 */
    double high;     /* blocks, of h = 1 */
    struct eco_relief_source *sources; /* none: 2/3 smoothed midpoint and 1/3 Voronoi */
    unsigned sources_count;
    double perturb; /* displacement: at most half of it either way, in periods */
    enum eco_relief_field perturb_by;
    struct eco_relief_step *erosion;
    unsigned erosion_count;
    double beach;                   /* blocks above the sea that are beach */
    double hill_slope, cliff_slope; /* rise over run, from which ground is hill, cliff */
    double peak;                    /* blocks, from which ground is peak */
    struct eco_relief_play play;
    uint64_t hash; /* of all of these but the classes: what decides eroded blocks */
};

#endif
