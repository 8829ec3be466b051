#include "world/overworld/rules.h"

#include "base/hash.h"

/* One cell in so many. */
#define RARE 24u      /* a rare variant */
#define HILLS 4u      /* hills inside a biome */
#define MUSHROOMS 40u /* a mushroom island in the deep sea */

/* Sea, shore and river of lands without snow, with rocks, and with snow. */
#define MILD 0, 16, 7
#define ROCKY 0, 25, 7
#define COLD 10, 26, 11

#define DES ECO_LAND_DESERT
#define SAV ECO_LAND_SAVANNA
#define TWO ECO_LAND_TROPICAL_WOODLAND
#define TUN ECO_LAND_TUNDRA
#define SEA ECO_LAND_SEASONAL_FOREST
#define RAI ECO_LAND_RAINFOREST
#define TFO ECO_LAND_TEMPERATE_FOREST
#define TRF ECO_LAND_TEMPERATE_RAINFOREST
#define BOR ECO_LAND_BOREAL_FOREST

const struct eco_land_info eco_land_infos[] = {
    /* id, land, family, sea, shore, river, gain, lift, terrace */
    {1, SAV, 1, MILD, 0.8f, 0.0f, 0.0f},        {2, DES, 2, MILD, 1.0f, 0.0f, 0.0f},
    {3, TUN, 3, ROCKY, 0.9f, 0.06f, 0.0f},      {4, SEA, 4, MILD, 1.0f, 0.0f, 0.0f},
    {5, BOR, 5, ROCKY, 2.2f, 0.02f, 0.0f},      {6, TRF, 6, MILD, 0.12f, 0.0f, 0.0f},
    {12, TUN, 12, COLD, 0.55f, 0.0f, 0.0f},     {13, TUN, 12, COLD, 0.9f, 0.08f, 0.0f},
    {14, SAV, 14, 0, 15, 7, 1.0f, 0.05f, 0.0f}, {17, DES, 2, MILD, 1.4f, 0.05f, 0.0f},
    {18, SEA, 4, MILD, 1.3f, 0.05f, 0.0f},      {19, BOR, 5, ROCKY, 3.0f, 0.07f, 0.0f},
    {20, TUN, 3, ROCKY, 0.5f, 0.03f, 0.0f},     {21, RAI, 21, MILD, 0.7f, 0.0f, 0.0f},
    {22, RAI, 21, MILD, 0.85f, 0.05f, 0.0f},    {23, RAI, 21, MILD, 0.5f, 0.0f, 0.0f},
    {27, TFO, 27, MILD, 1.0f, 0.0f, 0.0f},      {28, TFO, 27, MILD, 1.3f, 0.05f, 0.0f},
    {29, SEA, 29, MILD, 1.1f, 0.0f, 0.0f},      {30, BOR, 30, COLD, 2.2f, 0.02f, 0.0f},
    {31, BOR, 30, COLD, 3.0f, 0.07f, 0.0f},     {32, TRF, 32, ROCKY, 1.0f, 0.02f, 0.0f},
    {33, TRF, 32, ROCKY, 1.3f, 0.08f, 0.0f},    {34, TUN, 3, ROCKY, 0.95f, 0.12f, 0.0f},
    {35, TWO, 35, MILD, 1.3f, 0.01f, 0.0f},     {36, TWO, 35, MILD, 1.5f, 0.14f, 0.0f},
    {37, TWO, 37, MILD, 1.8f, 0.03f, 6.0f},     {38, TWO, 37, MILD, 1.3f, 0.18f, 5.0f},
    {39, TWO, 37, MILD, 1.2f, 0.2f, 5.0f},      {129, SAV, 1, MILD, 0.8f, 0.0f, 0.0f},
    {130, DES, 2, MILD, 1.3f, 0.02f, 0.0f},     {131, TUN, 3, ROCKY, 1.0f, 0.1f, 0.0f},
    {132, SEA, 4, MILD, 1.1f, 0.0f, 0.0f},      {133, BOR, 5, ROCKY, 3.2f, 0.05f, 0.0f},
    {134, TRF, 6, MILD, 0.2f, 0.0f, 0.0f},      {140, TUN, 12, COLD, 0.65f, 0.02f, 0.0f},
    {149, RAI, 21, MILD, 0.85f, 0.02f, 0.0f},   {151, RAI, 21, MILD, 0.6f, 0.02f, 0.0f},
    {155, TFO, 27, MILD, 1.2f, 0.02f, 0.0f},    {156, TFO, 27, MILD, 1.5f, 0.06f, 0.0f},
    {157, SEA, 29, MILD, 1.4f, 0.02f, 0.0f},    {158, BOR, 30, COLD, 3.2f, 0.05f, 0.0f},
    {160, TRF, 32, ROCKY, 1.2f, 0.03f, 0.0f},   {161, TRF, 32, ROCKY, 1.5f, 0.08f, 0.0f},
    {162, TUN, 3, ROCKY, 1.0f, 0.16f, 0.0f},    {163, TWO, 35, MILD, 2.2f, 0.06f, 0.0f},
    {164, TWO, 35, MILD, 2.2f, 0.18f, 0.0f},    {165, TWO, 37, MILD, 2.4f, 0.04f, 9.0f},
    {166, TWO, 37, MILD, 1.6f, 0.22f, 6.0f},    {167, TWO, 37, MILD, 1.5f, 0.24f, 6.0f},
};

const unsigned eco_land_info_count = sizeof(eco_land_infos) / sizeof(eco_land_infos[0]);

unsigned eco_land_index(unsigned id)
{
    unsigned index = 0;

    while (eco_land_infos[index].id != id)
        index++;
    return index;
}

uint8_t eco_rules_base(const struct eco_diagram *diagram, struct eco_climate_levels climate)
{
    unsigned t = climate.temperature, p = climate.precipitation;

    switch (diagram->land[t][p]) {
    case ECO_LAND_DESERT:
        return 2;
    case ECO_LAND_SAVANNA:
        return 1;
    case ECO_LAND_TROPICAL_WOODLAND:
        return t < 200 ? 35 : 37;
    case ECO_LAND_TUNDRA:
        return t < 40 ? 12 : 3;
    case ECO_LAND_SEASONAL_FOREST:
        return t < 196 ? 4 : 29;
    case ECO_LAND_RAINFOREST:
        return 21;
    case ECO_LAND_TEMPERATE_FOREST:
        return 27;
    case ECO_LAND_TEMPERATE_RAINFOREST:
        return t < 112 ? 32 : 6;
    default:
        return t < 40 ? 30 : 5;
    }
}

/* The hills, plateaus and rare variants of a common land; 0: it has none. */
static const struct {
    uint8_t id, hills, other_hills, rare;
} kinds[] = {
    {1, 0, 0, 129},    {2, 17, 17, 130},  {3, 34, 34, 131},  {4, 18, 18, 132}, {5, 19, 19, 133},
    {6, 0, 0, 134},    {12, 13, 13, 140}, {17, 0, 0, 130},   {18, 0, 0, 132},  {19, 0, 0, 133},
    {21, 22, 22, 149}, {23, 0, 0, 151},   {27, 28, 28, 155}, {28, 0, 0, 156},  {29, 0, 0, 157},
    {30, 31, 31, 158}, {32, 33, 33, 160}, {33, 0, 0, 161},   {34, 0, 0, 162},  {35, 36, 36, 163},
    {36, 0, 0, 164},   {37, 39, 38, 165}, {38, 0, 0, 166},   {39, 0, 0, 167},
};

static unsigned kind_of(uint8_t id)
{
    const unsigned count = sizeof(kinds) / sizeof(kinds[0]);
    unsigned k = 0;

    while (k < count && kinds[k].id != id)
        k++;
    return k < count ? k : 0;
}

static int all_are(const uint8_t around[6], uint8_t id)
{
    int same = 0;

    for (unsigned k = 0; k < 6; k++)
        same += around[k] == id;
    return same == 6;
}

uint8_t eco_rules_cell(uint8_t base, const uint8_t around[6], uint64_t cell, int deep)
{
    uint64_t chance = eco_mix64(cell ^ 0x2545F4914F6CDD1Du);
    uint8_t id = base;

    if (deep && chance % MUSHROOMS == 0)
        return ECO_ID_MUSHROOM_ISLAND;
    chance = eco_mix64(chance);
    if (base == 3 && !all_are(around, 3))
        return 20;
    if (base == 21 && !all_are(around, 21))
        id = 23;
    else if (all_are(around, base) && chance % HILLS == 0) {
        unsigned k = kind_of(base);
        uint8_t hills = chance >> 32 & 1 ? kinds[k].hills : kinds[k].other_hills;

        id = hills ? hills : base;
    }
    chance = eco_mix64(chance);
    if (chance % RARE == 0) {
        unsigned k = kind_of(id);

        if (kinds[k].id == id && kinds[k].rare)
            id = kinds[k].rare;
    }
    return id;
}
