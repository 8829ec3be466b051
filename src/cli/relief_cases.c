#include "cli/relief_cases.h"

#define NOISE(kind_, weight_, features_)                                                           \
    {                                                                                              \
        .kind = ECO_RELIEF_##kind_, .weight = weight_, .features = RELIEF_FEATURES(features_),     \
        .persistence = 0.5                                                                         \
    }
#define VORONOI(features_, points_, jitter_, metric_, coverage_, offset_)                          \
    {                                                                                              \
        .kind = ECO_RELIEF_VORONOI, .weight = 1, .features = RELIEF_FEATURES(features_),           \
        .points = points_, .jitter = jitter_, .metric = ECO_RELIEF_##metric_, .c1 = -1, .c2 = 1,   \
        .coverage = coverage_, .offset = offset_                                                   \
    }
#define ALONE(...) .sources = {__VA_ARGS__}, .sources_count = 1
/* 2/3 smoothed midpoint and 1/3 Voronoi, of 2^n places and regions a side. */
#define HILLS(places, regions, coverage, offset)                                                   \
    .sources = {NOISE(MIDPOINT_SMOOTHED, 2, places),                                               \
                VORONOI(regions, 1, 1, SQUARED, coverage, offset)},                                \
    .sources_count = 2
#define MIX(places, regions) HILLS(places, regions, 1, 0)
#define BY_MIDPOINT .perturb = 0.25, .perturb_by = ECO_RELIEF_BY_MIDPOINT
#define OURS MIX(1, 3), .perturb = 0.25
/* As the paper's author has it in the programs that he published. */
#define PAPERS MIX(2, 2), BY_MIDPOINT
#define PAPERS_HILLS(coverage, offset) HILLS(2, 2, coverage, offset), BY_MIDPOINT

#define THERMAL(form_, talus_)                                                                     \
    .steps = {{.kind = ECO_RELIEF_THERMAL,                                                         \
               .form = ECO_RELIEF_##form_,                                                         \
               .iterations = 50,                                                                   \
               .talus = talus_,                                                                    \
               .c = 0.5}},                                                                         \
    .steps_count = 1
#define HYDRAULIC(form_, rain_, capacity_)                                                         \
    .steps = {{.kind = ECO_RELIEF_HYDRAULIC,                                                       \
               .form = ECO_RELIEF_##form_,                                                         \
               .iterations = 100,                                                                  \
               .rain = rain_,                                                                      \
               .solubility = 0.01,                                                                 \
               .capacity = capacity_,                                                              \
               .evaporation = 0.5}},                                                               \
    .steps_count = 1
#define STEP(kind_, iterations_, talus_)                                                           \
    {                                                                                              \
        .kind = ECO_RELIEF_##kind_, .iterations = iterations_, .talus = talus_                     \
    }
#define INVERTED(talus_) .steps = {STEP(INVERTED, 50, talus_)}, .steps_count = 1
#define READING_ORDER(talus_) INVERTED(talus_), .reading_order = true
#define SETTLED(iterations_, talus_)                                                               \
    .steps = {STEP(INVERTED, 50, 16), STEP(SETTLE, iterations_, talus_)}, .steps_count = 2

const struct eco_relief_case eco_relief_cases[] = {
    {"spectral-linear", ALONE(NOISE(SPECTRAL_LINEAR, 1, 0)), .paper = {0.417}, .why = "agrees"},
    {"spectral-smooth", ALONE(NOISE(SPECTRAL_SMOOTH, 1, 0)), .paper = {0.425},
     .why = "one place a side in the coarsest lattice; see the next row"},
    {"spectral-smooth, 8 places", ALONE(NOISE(SPECTRAL_SMOOTH, 1, 3)), .paper = {0.425},
     .why = "agrees: the paper's coarsest lattice has more places"},
    {"midpoint", ALONE(NOISE(MIDPOINT, 1, 0)), .paper = {0.401},
     .why = "one place a side in the coarsest lattice; see the next row"},
    {"midpoint, 4 places", ALONE(NOISE(MIDPOINT, 1, 2)), .paper = {0.401}, .why = "agrees"},
    {"midpoint-gauss, 4 places", ALONE(NOISE(MIDPOINT_GAUSS, 1, 2)), .paper = {0.438},
     .why = "agrees"},
    {"midpoint-smoothed", ALONE(NOISE(MIDPOINT_SMOOTHED, 1, 0)), .paper = {0.478}, .why = "agrees"},
    {"voronoi squared", ALONE(VORONOI(3, 1, 1, SQUARED, 1, 0)), .paper = {0.347},
     .why = "points anywhere in their regions, whose number the paper does not tell"},
    {"voronoi squared, 2 points", ALONE(VORONOI(3, 2, 1, SQUARED, 1, 0)), .paper = {0.347},
     .why = "farther off: it is not that the paper has more points a region"},
    {"voronoi squared, 4 points", ALONE(VORONOI(3, 4, 1, SQUARED, 1, 0)), .paper = {0.347},
     .why = "farther off still"},
    {"voronoi squared, jitter 0.8", ALONE(VORONOI(3, 1, 0.8, SQUARED, 1, 0)), .paper = {0.347},
     .why = "agrees, as euclid does, if the paper's points keep to the inner 0.8 of their regions"},
    {"voronoi euclid", ALONE(VORONOI(3, 1, 1, EUCLID, 1, 0)), .paper = {0.323}, .why = "as above"},
    {"voronoi euclid, jitter 0.8", ALONE(VORONOI(3, 1, 0.8, EUCLID, 1, 0)), .paper = {0.323},
     .why = "as above"},
    {"mix", MIX(1, 3), .paper = {0.460}, .why = "2 places and 8 regions a side; see the next row"},
    {"mix, 4 4", MIX(2, 2), .paper = {0.460},
     .why = "4 and 4, as in the author's game: the paper's lies between"},
    {"mix, perturbed", OURS, .paper = {0.665, 0.713, 0.002, 0.001},
     .why = "2 places and 8 regions, displaced by smooth noise"},
    {"mix 4 4, perturbed", MIX(2, 2), .perturb = 0.25, .paper = {0.665, 0.713, 0.002, 0.001},
     .why = "4 and 4, displaced by smooth noise"},
    {"mix 4 4, by midpoint", PAPERS, .paper = {0.665, 0.713, 0.002, 0.001},
     .why =
         "displaced by midpoint displacement, which is rougher: agrees; the base of what follows"},
    {"thermal reference 50", PAPERS, THERMAL(REFERENCE, 4), .paper = {0.614, 0.980, 0.002, 0.001},
     .why = "on ground without an end; see the next row"},
    {"thermal reference, border", PAPERS, THERMAL(REFERENCE, 4), .bordered = true,
     .paper = {0.614, 0.980, 0.002, 0.001},
     .why = "nearer: the author's program skips the outermost cells, which stay steep; the rest is "
            "open"},
    {"thermal reference 50, 3/N", PAPERS, THERMAL(REFERENCE, 3),
     .paper = {0.614, 0.980, 0.002, 0.001},
     .why = "nearer, too, without a border: a lower talus than the 4/N that is printed"},
    {"thermal 50", PAPERS, THERMAL(FAST, 4), .paper = {0.626, 0.983, 0.002, 0.001},
     .why = "by colours, on ground without an end; see the next row"},
    {"thermal 50, border", PAPERS, THERMAL(FAST, 4), .bordered = true,
     .paper = {0.626, 0.983, 0.002, 0.001},
     .why = "outermost cells that take and never give: the paper's lies between"},
    {"hydraulic reference 100", PAPERS, HYDRAULIC(REFERENCE, 0.01, 0.01),
     .paper = {0.916, 0.834, 0.050, 0.039}, .why = "Kc as printed; see the next row"},
    {"hydraulic reference, Kc 1", PAPERS, HYDRAULIC(REFERENCE, 0.01, 1),
     .paper = {0.916, 0.834, 0.050, 0.039},
     .why = "the author's program lets water hold as much ground: the paper's lies between"},
    {"hydraulic 100", PAPERS, HYDRAULIC(FAST, 0.01, 0.01), .paper = {1.077, 0.828, 0.157, 0.140},
     .why = "Kr and Kc as printed; see the next row"},
    {"hydraulic, Kr .0003, Kc 1", PAPERS, HYDRAULIC(FAST, 0.0003, 1),
     .paper = {1.077, 0.828, 0.157, 0.140},
     .why = "agrees: in the author's program it rains 0.0003, all of it ground"},
    {"inverted 50, 8/N", PAPERS, INVERTED(8), .paper = {1.339, 0.303, 0.173, 0.070},
     .why = "by colours, so that tiles fit; the published order follows below"},
    {"inverted 50, 12/N", PAPERS, INVERTED(12), .paper = {1.850, 0.752, 0.393, 0.580},
     .why = "as above"},
    {"inverted 50, 16/N", PAPERS, INVERTED(16), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "as above"},
    {"inverted 50, 20/N", PAPERS, INVERTED(20), .paper = {2.340, 0.949, 0.429, 0.953},
     .why = "as above"},
    {"reading order, 8/N", PAPERS, READING_ORDER(8), .paper = {1.339, 0.303, 0.173, 0.070},
     .why = "cell after cell, as in the paper: ground moves on along the order"},
    {"reading order, 12/N", PAPERS, READING_ORDER(12), .paper = {1.850, 0.752, 0.393, 0.580},
     .why = "agrees"},
    {"reading order, 16/N", PAPERS, READING_ORDER(16), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "agrees"},
    {"reading order, 20/N", PAPERS, READING_ORDER(20), .paper = {2.340, 0.949, 0.429, 0.953},
     .why = "agrees"},
    {"inverted 50, 16/N, ours", OURS, INVERTED(16), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "our base; what follows was tried to raise beta by colours"},
    {"settle 5, 8/N", OURS, SETTLED(5, 8), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "after inverted 50; nearly all of the gain is there after few iterations"},
    {"settle 10, 4/N", OURS, SETTLED(10, 4), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "only flatter ground settles; upsilon falls"},
    {"settle 10, 8/N", OURS, SETTLED(10, 8), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "better than the paper in all four"},
    {"settle 10, 12/N", OURS, SETTLED(10, 12), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "steeper ground settles, too; no more room for buildings"},
    {"settle 40, 8/N", OURS, SETTLED(40, 8), .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "the most of what was tried"},
    {"inverted 16, settle 40", OURS, .steps = {STEP(INVERTED, 16, 16), STEP(SETTLE, 40, 12)},
     .steps_count = 2, .paper = {2.204, 0.905, 0.434, 0.877},
     .why = "a third of the time a tile, as it reaches less far"},
    {"settle 50 alone", OURS, .steps = {STEP(SETTLE, 50, 8)}, .steps_count = 1,
     .paper = {2.204, 0.905, 0.434, 0.877}, .why = "settling needs the terraces of inverted"},
    {"settle 10, then inverted 50", OURS, .steps = {STEP(SETTLE, 10, 8), STEP(INVERTED, 50, 16)},
     .steps_count = 2, .paper = {2.204, 0.905, 0.434, 0.877}, .why = "of no use before it"},
    {"hills 75 %, settled", PAPERS_HILLS(0.75, 0), SETTLED(10, 8),
     .paper = {2.280, 0.916, 0.487, 1.017}, .why = "tileable, inverted 50 and settle 10"},
    {"hills 50 %, settled", PAPERS_HILLS(0.5, 0), SETTLED(10, 8),
     .paper = {2.337, 0.923, 0.526, 1.134}, .why = "as above"},
    {"hills 25 %, settled", PAPERS_HILLS(0.25, 0), SETTLED(10, 8),
     .paper = {2.371, 0.929, 0.556, 1.225}, .why = "as above"},
    {"hills 75 %, reading order", PAPERS_HILLS(0.75, 0), READING_ORDER(16),
     .paper = {2.280, 0.916, 0.487, 1.017}, .why = "agrees"},
    {"hills 25 %, reading order", PAPERS_HILLS(0.25, 0), READING_ORDER(16),
     .paper = {2.371, 0.929, 0.556, 1.225}, .why = "agrees"},
    {"offset 0.1, settled", PAPERS_HILLS(1, 0.127), SETTLED(10, 8),
     .paper = {2.256, 0.910, 0.468, 0.962},
     .why = "wider valleys; the offset is of the highest hill"},
    {"offset 0.5, settled", PAPERS_HILLS(1, 0.635), SETTLED(10, 8),
     .paper = {2.372, 0.928, 0.567, 1.249}, .why = "as above"},
};

const size_t eco_relief_cases_count = sizeof(eco_relief_cases) / sizeof(eco_relief_cases[0]);
