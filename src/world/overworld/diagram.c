#include "world/overworld/diagram.h"

#include <stddef.h>

#define RUNS_MAX 6

const char *const eco_land_names[ECO_LAND_COUNT + 1] = {
    [ECO_LAND_DESERT] = "desert",
    [ECO_LAND_SAVANNA] = "savanna",
    [ECO_LAND_TROPICAL_WOODLAND] = "tropical-woodland",
    [ECO_LAND_TUNDRA] = "tundra",
    [ECO_LAND_SEASONAL_FOREST] = "seasonal-forest",
    [ECO_LAND_RAINFOREST] = "rainforest",
    [ECO_LAND_TEMPERATE_FOREST] = "temperate-forest",
    [ECO_LAND_TEMPERATE_RAINFOREST] = "temperate-rainforest",
    [ECO_LAND_BOREAL_FOREST] = "boreal-forest",
};

const uint32_t eco_land_colours[ECO_LAND_COUNT] = {
    [ECO_LAND_DESERT] = 0xFFFFB2,
    [ECO_LAND_SAVANNA] = 0xB8C862,
    [ECO_LAND_TROPICAL_WOODLAND] = 0xBCA135,
    [ECO_LAND_TUNDRA] = 0xBEFFF2,
    [ECO_LAND_SEASONAL_FOREST] = 0x6A9026,
    [ECO_LAND_RAINFOREST] = 0x214D29,
    [ECO_LAND_TEMPERATE_FOREST] = 0x56B36A,
    [ECO_LAND_TEMPERATE_RAINFOREST] = 0x223D35,
    [ECO_LAND_BOREAL_FOREST] = 0x23725E,
};

#define DES ECO_LAND_DESERT
#define SAV ECO_LAND_SAVANNA
#define TWO ECO_LAND_TROPICAL_WOODLAND
#define TUN ECO_LAND_TUNDRA
#define SEA ECO_LAND_SEASONAL_FOREST
#define RAI ECO_LAND_RAINFOREST
#define TFO ECO_LAND_TEMPERATE_FOREST
#define TRF ECO_LAND_TEMPERATE_RAINFOREST
#define BOR ECO_LAND_BOREAL_FOREST

/* Up to and including column `last`: the runs of precipitation, each with its last row. */
static const struct {
    uint8_t last;
    struct {
        uint8_t land, last;
    } runs[RUNS_MAX];
    /* clang-format off */
} columns[] = {
    {1, {{TUN, 166}, {BOR, 255}}},
    {2, {{TUN, 165}, {BOR, 255}}},
    {3, {{TUN, 164}, {BOR, 255}}},
    {4, {{TUN, 163}, {BOR, 255}}},
    {5, {{TUN, 162}, {BOR, 255}}},
    {6, {{TUN, 161}, {BOR, 255}}},
    {8, {{TUN, 160}, {BOR, 255}}},
    {9, {{TUN, 159}, {BOR, 255}}},
    {11, {{TUN, 158}, {BOR, 255}}},
    {12, {{TUN, 157}, {BOR, 255}}},
    {14, {{TUN, 156}, {BOR, 255}}},
    {15, {{TUN, 155}, {BOR, 255}}},
    {17, {{TUN, 154}, {BOR, 255}}},
    {18, {{TUN, 153}, {BOR, 255}}},
    {19, {{TUN, 152}, {BOR, 255}}},
    {21, {{TUN, 151}, {BOR, 255}}},
    {23, {{TUN, 150}, {BOR, 255}}},
    {24, {{TUN, 149}, {BOR, 255}}},
    {25, {{TUN, 148}, {BOR, 255}}},
    {26, {{TUN, 147}, {BOR, 255}}},
    {28, {{TUN, 146}, {BOR, 255}}},
    {29, {{TUN, 145}, {BOR, 255}}},
    {30, {{TUN, 144}, {BOR, 255}}},
    {31, {{TUN, 143}, {BOR, 255}}},
    {33, {{TUN, 142}, {BOR, 255}}},
    {34, {{TUN, 141}, {BOR, 255}}},
    {35, {{TUN, 140}, {BOR, 255}}},
    {36, {{TUN, 139}, {BOR, 255}}},
    {37, {{TUN, 138}, {BOR, 255}}},
    {38, {{TUN, 137}, {BOR, 255}}},
    {39, {{TUN, 136}, {BOR, 255}}},
    {40, {{TUN, 135}, {BOR, 255}}},
    {41, {{TUN, 134}, {BOR, 255}}},
    {42, {{TUN, 133}, {BOR, 255}}},
    {43, {{TUN, 132}, {BOR, 255}}},
    {44, {{TUN, 131}, {BOR, 255}}},
    {45, {{TUN, 130}, {BOR, 255}}},
    {46, {{TUN, 129}, {BOR, 255}}},
    {47, {{TUN, 128}, {BOR, 255}}},
    {48, {{TUN, 127}, {BOR, 255}}},
    {49, {{TUN, 125}, {BOR, 255}}},
    {50, {{DES, 2}, {TUN, 124}, {BOR, 255}}},
    {51, {{DES, 19}, {TUN, 123}, {BOR, 255}}},
    {52, {{DES, 21}, {SAV, 28}, {TUN, 122}, {BOR, 255}}},
    {53, {{DES, 21}, {SAV, 39}, {TUN, 120}, {BOR, 255}}},
    {54, {{DES, 21}, {SAV, 49}, {TUN, 119}, {BOR, 255}}},
    {55, {{DES, 21}, {SAV, 57}, {TUN, 118}, {BOR, 255}}},
    {56, {{DES, 21}, {SAV, 70}, {TUN, 117}, {BOR, 255}}},
    {57, {{DES, 21}, {SAV, 77}, {TUN, 115}, {BOR, 252}, {TRF, 255}}},
    {58, {{DES, 21}, {SAV, 78}, {TUN, 114}, {BOR, 250}, {TRF, 255}}},
    {59, {{DES, 21}, {SAV, 90}, {TUN, 113}, {BOR, 248}, {TRF, 255}}},
    {60, {{DES, 21}, {SAV, 95}, {TFO, 97}, {TUN, 112}, {BOR, 244}, {TRF, 255}}},
    {61, {{DES, 21}, {SAV, 95}, {TFO, 103}, {TUN, 110}, {BOR, 242}, {TRF, 255}}},
    {62, {{DES, 21}, {SAV, 95}, {TFO, 111}, {BOR, 239}, {TRF, 255}}},
    {63, {{DES, 21}, {SAV, 95}, {TFO, 115}, {BOR, 236}, {TRF, 255}}},
    {64, {{DES, 21}, {SAV, 95}, {TFO, 120}, {BOR, 234}, {TRF, 255}}},
    {65, {{DES, 21}, {SAV, 95}, {TFO, 126}, {BOR, 231}, {TRF, 255}}},
    {66, {{DES, 21}, {SAV, 95}, {TFO, 130}, {BOR, 228}, {TRF, 255}}},
    {67, {{DES, 21}, {SAV, 95}, {TFO, 133}, {BOR, 226}, {TRF, 255}}},
    {68, {{DES, 21}, {SAV, 95}, {TFO, 139}, {BOR, 222}, {TRF, 255}}},
    {69, {{DES, 21}, {SAV, 95}, {TFO, 143}, {BOR, 220}, {TRF, 255}}},
    {70, {{DES, 21}, {SAV, 95}, {TFO, 146}, {BOR, 217}, {TRF, 255}}},
    {71, {{DES, 21}, {SAV, 95}, {TFO, 149}, {BOR, 214}, {TRF, 255}}},
    {72, {{DES, 21}, {SAV, 95}, {TFO, 152}, {BOR, 212}, {TRF, 255}}},
    {73, {{DES, 21}, {SAV, 95}, {TFO, 155}, {BOR, 210}, {TRF, 255}}},
    {74, {{DES, 21}, {SAV, 95}, {TFO, 158}, {BOR, 207}, {TRF, 255}}},
    {75, {{DES, 21}, {SAV, 95}, {TFO, 160}, {BOR, 205}, {TRF, 255}}},
    {76, {{DES, 21}, {SAV, 95}, {TFO, 164}, {BOR, 203}, {TRF, 255}}},
    {77, {{DES, 21}, {SAV, 96}, {TFO, 166}, {BOR, 201}, {TRF, 255}}},
    {78, {{DES, 21}, {SAV, 96}, {TFO, 168}, {BOR, 199}, {TRF, 255}}},
    {79, {{DES, 21}, {SAV, 96}, {TFO, 171}, {BOR, 197}, {TRF, 255}}},
    {80, {{DES, 21}, {SAV, 96}, {TFO, 173}, {BOR, 196}, {TRF, 255}}},
    {81, {{DES, 21}, {SAV, 96}, {TFO, 174}, {BOR, 194}, {TRF, 255}}},
    {82, {{DES, 21}, {SAV, 96}, {TFO, 176}, {BOR, 193}, {TRF, 255}}},
    {83, {{DES, 21}, {SAV, 96}, {TFO, 178}, {BOR, 191}, {TRF, 255}}},
    {84, {{DES, 21}, {SAV, 96}, {TFO, 180}, {BOR, 190}, {TRF, 255}}},
    {85, {{DES, 21}, {SAV, 96}, {TFO, 181}, {BOR, 189}, {TRF, 255}}},
    {86, {{DES, 21}, {SAV, 96}, {TFO, 182}, {BOR, 188}, {TRF, 255}}},
    {87, {{DES, 21}, {SAV, 96}, {TFO, 184}, {BOR, 187}, {TRF, 255}}},
    {89, {{DES, 21}, {SAV, 96}, {TFO, 186}, {TRF, 255}}},
    {90, {{DES, 21}, {SAV, 96}, {TFO, 185}, {TRF, 255}}},
    {92, {{DES, 21}, {SAV, 96}, {TFO, 184}, {TRF, 255}}},
    {94, {{DES, 21}, {SAV, 96}, {TFO, 183}, {TRF, 255}}},
    {96, {{DES, 21}, {SAV, 96}, {TFO, 182}, {TRF, 255}}},
    {98, {{DES, 21}, {SAV, 97}, {TFO, 181}, {TRF, 255}}},
    {100, {{DES, 21}, {SAV, 97}, {TFO, 180}, {TRF, 255}}},
    {101, {{DES, 22}, {SAV, 97}, {TFO, 180}, {TRF, 255}}},
    {105, {{DES, 22}, {SAV, 97}, {TFO, 179}, {TRF, 255}}},
    {108, {{DES, 22}, {SAV, 97}, {TFO, 178}, {TRF, 255}}},
    {109, {{DES, 22}, {SAV, 97}, {TFO, 177}, {TRF, 255}}},
    {113, {{DES, 22}, {SAV, 98}, {TFO, 177}, {TRF, 255}}},
    {115, {{DES, 23}, {SAV, 98}, {TFO, 177}, {TRF, 255}}},
    {120, {{DES, 23}, {SAV, 98}, {TFO, 176}, {TRF, 255}}},
    {123, {{DES, 23}, {SAV, 99}, {TFO, 176}, {TRF, 255}}},
    {126, {{DES, 23}, {SAV, 99}, {TFO, 175}, {TRF, 255}}},
    {128, {{DES, 24}, {SAV, 99}, {TFO, 175}, {TRF, 255}}},
    {134, {{DES, 24}, {SAV, 100}, {TFO, 175}, {TRF, 255}}},
    {137, {{DES, 25}, {SAV, 100}, {TFO, 175}, {TRF, 255}}},
    {142, {{DES, 25}, {SAV, 101}, {TFO, 175}, {TRF, 255}}},
    {144, {{DES, 26}, {SAV, 101}, {TFO, 175}, {TRF, 255}}},
    {145, {{DES, 26}, {TWO, 29}, {SAV, 101}, {TFO, 175}, {TRF, 255}}},
    {146, {{DES, 26}, {TWO, 35}, {SAV, 101}, {TFO, 175}, {TRF, 255}}},
    {147, {{DES, 26}, {TWO, 42}, {SAV, 102}, {TFO, 175}, {TRF, 255}}},
    {148, {{DES, 26}, {TWO, 54}, {SAV, 102}, {TFO, 175}, {TRF, 255}}},
    {149, {{DES, 27}, {TWO, 65}, {SAV, 102}, {TFO, 175}, {TRF, 255}}},
    {150, {{DES, 27}, {TWO, 80}, {SAV, 102}, {TFO, 175}, {TRF, 255}}},
    {151, {{DES, 27}, {TWO, 95}, {SAV, 103}, {TFO, 175}, {TRF, 255}}},
    {152, {{DES, 27}, {TWO, 103}, {SEA, 111}, {TFO, 175}, {TRF, 255}}},
    {153, {{DES, 27}, {TWO, 103}, {SEA, 118}, {TFO, 175}, {TRF, 255}}},
    {154, {{DES, 27}, {TWO, 103}, {SEA, 124}, {TFO, 175}, {TRF, 255}}},
    {155, {{DES, 28}, {TWO, 103}, {SEA, 126}, {TFO, 175}, {TRF, 255}}},
    {156, {{DES, 28}, {TWO, 103}, {SEA, 134}, {TFO, 175}, {TRF, 255}}},
    {157, {{DES, 28}, {TWO, 103}, {SEA, 137}, {TFO, 175}, {TRF, 255}}},
    {158, {{DES, 29}, {TWO, 103}, {SEA, 140}, {TFO, 175}, {TRF, 255}}},
    {159, {{DES, 29}, {TWO, 103}, {SEA, 143}, {TFO, 175}, {TRF, 255}}},
    {160, {{DES, 29}, {TWO, 104}, {SEA, 146}, {TFO, 175}, {TRF, 255}}},
    {161, {{DES, 29}, {TWO, 104}, {SEA, 149}, {TFO, 175}, {TRF, 252}, {RAI, 255}}},
    {162, {{DES, 29}, {TWO, 104}, {SEA, 152}, {TFO, 175}, {TRF, 248}, {RAI, 255}}},
    {163, {{DES, 29}, {TWO, 104}, {SEA, 155}, {TFO, 176}, {TRF, 244}, {RAI, 255}}},
    {164, {{DES, 30}, {TWO, 104}, {SEA, 158}, {TFO, 176}, {TRF, 239}, {RAI, 255}}},
    {165, {{DES, 30}, {TWO, 104}, {SEA, 162}, {TFO, 176}, {TRF, 235}, {RAI, 255}}},
    {166, {{DES, 30}, {TWO, 104}, {SEA, 166}, {TFO, 176}, {TRF, 230}, {RAI, 255}}},
    {167, {{DES, 31}, {TWO, 104}, {SEA, 168}, {TFO, 176}, {TRF, 225}, {RAI, 255}}},
    {168, {{DES, 31}, {TWO, 104}, {SEA, 175}, {TFO, 176}, {TRF, 220}, {RAI, 255}}},
    {169, {{DES, 31}, {TWO, 105}, {SEA, 176}, {TRF, 214}, {RAI, 255}}},
    {170, {{DES, 31}, {TWO, 105}, {SEA, 176}, {RAI, 184}, {TRF, 205}, {RAI, 255}}},
    {171, {{DES, 32}, {TWO, 105}, {SEA, 176}, {RAI, 255}}},
    {173, {{DES, 32}, {TWO, 106}, {SEA, 177}, {RAI, 255}}},
    {177, {{DES, 33}, {TWO, 106}, {SEA, 177}, {RAI, 255}}},
    {179, {{DES, 34}, {TWO, 106}, {SEA, 177}, {RAI, 255}}},
    {180, {{DES, 34}, {TWO, 107}, {SEA, 177}, {RAI, 255}}},
    {181, {{DES, 34}, {TWO, 107}, {SEA, 178}, {RAI, 255}}},
    {183, {{DES, 35}, {TWO, 108}, {SEA, 178}, {RAI, 255}}},
    {186, {{DES, 36}, {TWO, 108}, {SEA, 178}, {RAI, 255}}},
    {188, {{DES, 37}, {TWO, 108}, {SEA, 178}, {RAI, 255}}},
    {189, {{DES, 37}, {TWO, 109}, {SEA, 178}, {RAI, 255}}},
    {191, {{DES, 38}, {TWO, 109}, {SEA, 178}, {RAI, 255}}},
    {193, {{DES, 39}, {TWO, 109}, {SEA, 179}, {RAI, 255}}},
    {195, {{DES, 40}, {TWO, 110}, {SEA, 179}, {RAI, 255}}},
    {197, {{DES, 41}, {TWO, 111}, {SEA, 179}, {RAI, 255}}},
    {199, {{DES, 42}, {TWO, 111}, {SEA, 179}, {RAI, 255}}},
    {200, {{DES, 43}, {TWO, 111}, {SEA, 179}, {RAI, 255}}},
    {201, {{DES, 43}, {TWO, 111}, {SEA, 180}, {RAI, 255}}},
    {203, {{DES, 44}, {TWO, 111}, {SEA, 180}, {RAI, 255}}},
    {204, {{DES, 45}, {TWO, 112}, {SEA, 180}, {RAI, 255}}},
    {206, {{DES, 46}, {TWO, 112}, {SEA, 180}, {RAI, 255}}},
    {207, {{DES, 47}, {TWO, 113}, {SEA, 180}, {RAI, 255}}},
    {208, {{DES, 47}, {TWO, 113}, {SEA, 181}, {RAI, 255}}},
    {210, {{DES, 48}, {TWO, 113}, {SEA, 181}, {RAI, 255}}},
    {211, {{DES, 49}, {TWO, 113}, {SEA, 181}, {RAI, 255}}},
    {212, {{DES, 50}, {TWO, 114}, {SEA, 181}, {RAI, 255}}},
    {213, {{DES, 51}, {TWO, 114}, {SEA, 181}, {RAI, 255}}},
    {215, {{DES, 52}, {TWO, 115}, {SEA, 181}, {RAI, 255}}},
    {216, {{DES, 53}, {TWO, 115}, {SEA, 181}, {RAI, 255}}},
    {217, {{DES, 54}, {TWO, 115}, {SEA, 182}, {RAI, 255}}},
    {219, {{DES, 55}, {TWO, 116}, {SEA, 182}, {RAI, 255}}},
    {220, {{DES, 56}, {TWO, 116}, {SEA, 182}, {RAI, 255}}},
    {221, {{DES, 57}, {TWO, 116}, {SEA, 182}, {RAI, 255}}},
    {222, {{DES, 58}, {TWO, 117}, {SEA, 182}, {RAI, 255}}},
    {223, {{DES, 59}, {TWO, 117}, {SEA, 183}, {RAI, 255}}},
    {224, {{DES, 60}, {TWO, 117}, {SEA, 183}, {RAI, 255}}},
    {225, {{DES, 61}, {TWO, 118}, {SEA, 183}, {RAI, 255}}},
    {226, {{DES, 62}, {TWO, 118}, {SEA, 183}, {RAI, 255}}},
    {227, {{DES, 63}, {TWO, 119}, {SEA, 183}, {RAI, 255}}},
    {228, {{DES, 64}, {TWO, 119}, {SEA, 183}, {RAI, 255}}},
    {229, {{DES, 65}, {TWO, 119}, {SEA, 184}, {RAI, 255}}},
    {230, {{DES, 66}, {TWO, 119}, {SEA, 184}, {RAI, 255}}},
    {231, {{DES, 67}, {TWO, 119}, {SEA, 184}, {RAI, 255}}},
    {232, {{DES, 68}, {TWO, 119}, {SEA, 184}, {RAI, 255}}},
    {233, {{DES, 69}, {TWO, 119}, {SEA, 184}, {RAI, 255}}},
    {234, {{DES, 70}, {TWO, 120}, {SEA, 184}, {RAI, 255}}},
    {235, {{DES, 71}, {TWO, 120}, {SEA, 185}, {RAI, 255}}},
    {236, {{DES, 72}, {TWO, 121}, {SEA, 185}, {RAI, 255}}},
    {237, {{DES, 73}, {TWO, 121}, {SEA, 185}, {RAI, 255}}},
    {238, {{DES, 74}, {TWO, 121}, {SEA, 185}, {RAI, 255}}},
    {239, {{DES, 76}, {TWO, 122}, {SEA, 185}, {RAI, 255}}},
    {240, {{DES, 77}, {TWO, 122}, {SEA, 186}, {RAI, 255}}},
    {241, {{DES, 78}, {TWO, 122}, {SEA, 186}, {RAI, 255}}},
    {242, {{DES, 79}, {TWO, 123}, {SEA, 186}, {RAI, 255}}},
    {243, {{DES, 80}, {TWO, 123}, {SEA, 186}, {RAI, 255}}},
    {244, {{DES, 81}, {TWO, 123}, {SEA, 186}, {RAI, 255}}},
    {245, {{DES, 82}, {TWO, 124}, {SEA, 186}, {RAI, 255}}},
    {246, {{DES, 83}, {TWO, 124}, {SEA, 187}, {RAI, 255}}},
    {247, {{DES, 85}, {TWO, 124}, {SEA, 187}, {RAI, 255}}},
    {248, {{DES, 86}, {TWO, 125}, {SEA, 187}, {RAI, 255}}},
    {249, {{DES, 87}, {TWO, 125}, {SEA, 187}, {RAI, 255}}},
    {250, {{DES, 88}, {TWO, 125}, {SEA, 187}, {RAI, 255}}},
    {251, {{DES, 89}, {TWO, 126}, {SEA, 188}, {RAI, 255}}},
    {252, {{DES, 90}, {TWO, 126}, {SEA, 188}, {RAI, 255}}},
    {253, {{DES, 91}, {TWO, 126}, {SEA, 188}, {RAI, 255}}},
    {254, {{DES, 92}, {TWO, 126}, {SEA, 188}, {RAI, 255}}},
    {255, {{DES, 93}, {TWO, 126}, {SEA, 188}, {RAI, 255}}},
    /* clang-format on */
};

void eco_diagram_init(struct eco_diagram *diagram)
{
    unsigned temperature = 0;

    for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++) {
        for (; temperature <= columns[c].last; temperature++) {
            unsigned precipitation = 0;

            for (unsigned run = 0; precipitation < 256; run++) {
                for (; precipitation <= columns[c].runs[run].last; precipitation++)
                    diagram->land[temperature][precipitation] = columns[c].runs[run].land;
            }
        }
    }
}

void eco_diagram_paint(struct eco_diagram *diagram, enum eco_land land, unsigned t0, unsigned t1,
                       unsigned p0, unsigned p1)
{
    for (unsigned t = t0; t <= t1; t++) {
        for (unsigned p = p0; p <= p1; p++)
            diagram->land[t][p] = (uint8_t)land;
    }
}
