#include "world/catalogue.h"

#include <stddef.h>

/* clang-format off */
const struct eco_catalogue_entry eco_catalogue[] = {
    {0, 0, "Ocean", "Ozean", "Океан", 0x3470A8, ECO_CLIMATE_OCEAN},
    {1, 1, "Plains", "Ebene", "Равнина", 0xA9C46A, ECO_CLIMATE_TEMPERATE},
    {2, 2, "Desert", "Wüste", "Пустыня", 0xF1E0A3, ECO_CLIMATE_DRY},
    {3, 3, "Extreme Hills", "Extreme Berge", "Высокие холмы", 0x8F9384, ECO_CLIMATE_COLD},
    {4, 4, "Forest", "Wald", "Лес", 0x5F9B48, ECO_CLIMATE_TEMPERATE},
    {5, 5, "Taiga", "Taiga", "Тайга", 0x4A7F66, ECO_CLIMATE_COLD},
    {6, 6, "Swampland", "Sumpf", "Болото", 0x6D8A5B, ECO_CLIMATE_TEMPERATE},
    {7, 7, "River", "Fluss", "Река", 0x4F93C9, ECO_CLIMATE_OCEAN},
    {8, 8, "Hell", "Hölle", "Ад", 0x7A2A25, ECO_CLIMATE_OTHER},
    {9, 9, "End", "Ende", "Край", 0xD9D7A0, ECO_CLIMATE_OTHER},
    {10, 10, "FrozenOcean", "Vereister Ozean", "Замёрзший океан", 0xA5C7DF, ECO_CLIMATE_OCEAN},
    {11, 11, "FrozenRiver", "Vereister Fluss", "Замёрзшая река", 0xB4D5EA, ECO_CLIMATE_SNOWY},
    {12, 12, "Ice Plains", "Eisebene", "Заснеженная равнина", 0xEEF5F4, ECO_CLIMATE_SNOWY},
    {13, 13, "Ice Mountains", "Eisgebirge", "Заснеженные горы", 0xDBE2E6, ECO_CLIMATE_SNOWY},
    {14, 14, "MushroomIsland", "Pilzinsel", "Грибной остров", 0xA87F9F, ECO_CLIMATE_OTHER},
    {15, 15, "MushroomIslandShore", "Pilzinselküste", "Берег грибного острова", 0xC3A3B4, ECO_CLIMATE_OTHER},
    {16, 16, "Beach", "Strand", "Пляж", 0xECDFAE, ECO_CLIMATE_TEMPERATE},
    {17, 17, "DesertHills", "Wüstenhügel", "Пустынные холмы", 0xE4CD8A, ECO_CLIMATE_DRY},
    {18, 18, "ForestHills", "Waldhügel", "Лесные холмы", 0x518A3F, ECO_CLIMATE_TEMPERATE},
    {19, 19, "TaigaHills", "Taigahügel", "Таёжные холмы", 0x3F7159, ECO_CLIMATE_COLD},
    {20, 20, "Extreme Hills Edge", "Rand der extremen Berge", "Окраина высоких холмов", 0x9AA58C, ECO_CLIMATE_COLD},
    {21, 21, "Jungle", "Dschungel", "Джунгли", 0x2F7A37, ECO_CLIMATE_TEMPERATE},
    {22, 22, "JungleHills", "Dschungelhügel", "Холмы в джунглях", 0x276A30, ECO_CLIMATE_TEMPERATE},
    {23, 23, "JungleEdge", "Dschungelrand", "Окраина джунглей", 0x5B9642, ECO_CLIMATE_TEMPERATE},
    {24, 24, "Deep Ocean", "Tiefsee", "Глубокий океан", 0x24538A, ECO_CLIMATE_OCEAN},
    {25, 25, "Stone Beach", "Steinstrand", "Каменный пляж", 0xA3A294, ECO_CLIMATE_COLD},
    {26, 26, "Cold Beach", "Kalter Strand", "Холодный пляж", 0xE3E6DA, ECO_CLIMATE_SNOWY},
    {27, 27, "Birch Forest", "Birkenwald", "Берёзовый лес", 0x84B873, ECO_CLIMATE_TEMPERATE},
    {28, 28, "Birch Forest Hills", "Birkenwaldhügel", "Холмы в берёзовом лесу", 0x75A866, ECO_CLIMATE_TEMPERATE},
    {29, 29, "Roofed Forest", "Dichter Wald", "Темный лес", 0x3F7A3A, ECO_CLIMATE_TEMPERATE},
    {30, 30, "Cold Taiga", "Kalte Taiga", "Холодная тайга", 0xA3C4B8, ECO_CLIMATE_SNOWY},
    {31, 31, "Cold Taiga Hills", "Kalte Taigahügel", "Холмы в холодной тайге", 0x8FB3A6, ECO_CLIMATE_SNOWY},
    {32, 32, "Mega Taiga", "Megataiga", "Мегатайга", 0x456C50, ECO_CLIMATE_COLD},
    {33, 33, "Mega Taiga Hills", "Megataigahügel", "Холмы в мегатайге", 0x3A5F45, ECO_CLIMATE_COLD},
    {34, 34, "Extreme Hills+", "Extreme Berge+", "Высокие холмы+", 0x858A78, ECO_CLIMATE_COLD},
    {35, 35, "Savanna", "Savanne", "Саванна", 0xC3B964, ECO_CLIMATE_DRY},
    {36, 36, "Savanna Plateau", "Savannenhochebene", "Саванна — плато", 0xB5A95A, ECO_CLIMATE_DRY},
    {37, 37, "Mesa", "Tafelberge", "Столовая гора", 0xBE7A4C, ECO_CLIMATE_DRY},
    {38, 38, "Mesa Plateau F", "Bewaldete Tafelberghochebene", "Столовая гора — плато Л", 0xB08355, ECO_CLIMATE_DRY},
    {39, 39, "Mesa Plateau", "Tafelberghochebene", "Столовая гора — плато", 0xB56D43, ECO_CLIMATE_DRY},
    {129, 1, "Sunflower Plains", "Sonnenblumenebene", "Подсолнуховое поле", 0xC6CC5C, ECO_CLIMATE_TEMPERATE},
    {130, 2, "Desert M", "Wüste M", "Пустыня Г", 0xF5D98C, ECO_CLIMATE_DRY},
    {131, 3, "Extreme Hills M", "Extreme Berge M", "Высокие холмы Г", 0x7D8077, ECO_CLIMATE_COLD},
    {132, 4, "Flower Forest", "Blumenwald", "Цветочный лес", 0x86A85A, ECO_CLIMATE_TEMPERATE},
    {133, 5, "Taiga M", "Taiga M", "Тайга Г", 0x3F7159, ECO_CLIMATE_COLD},
    {134, 6, "Swampland M", "Sumpf M", "Болото Г", 0x5F7B50, ECO_CLIMATE_TEMPERATE},
    {140, 12, "Ice Plains Spikes", "Eiszapfenebene", "Шипастая заснеженная равнина", 0xD5EDF3, ECO_CLIMATE_SNOWY},
    {149, 21, "Jungle M", "Dschungel M", "Джунгли Г", 0x2A6F33, ECO_CLIMATE_TEMPERATE},
    {151, 23, "JungleEdge M", "Dschungelrand M", "Окраина джунглей Г", 0x538C3D, ECO_CLIMATE_TEMPERATE},
    {155, 27, "Birch Forest M", "Birkenwald M", "Берёзовый лес Г", 0x7AAE6D, ECO_CLIMATE_TEMPERATE},
    {156, 28, "Birch Forest Hills M", "Birkenwaldhügel M", "Холмы в берёзовом лесу Г", 0x6B9E60, ECO_CLIMATE_TEMPERATE},
    {157, 29, "Roofed Forest M", "Dichter Wald M", "Темный лес Г", 0x386F35, ECO_CLIMATE_TEMPERATE},
    {158, 30, "Cold Taiga M", "Kalte Taiga M", "Холодная тайга Г", 0x96B9AE, ECO_CLIMATE_SNOWY},
    {160, 32, "Mega Spruce Taiga", "Megafichtentaiga", "Еловая мегатайга", 0x3C6248, ECO_CLIMATE_COLD},
    {161, 33, "Mega Spruce Taiga", "Megafichtentaigahügel", "Холмы в еловой мегатайге", 0x33563F, ECO_CLIMATE_COLD},
    {162, 34, "Extreme Hills+ M", "Extreme Berge+ M", "Высокие холмы+ Г", 0x74796C, ECO_CLIMATE_COLD},
    {163, 35, "Savanna M", "Savanne M", "Саванна Г", 0xB7AA58, ECO_CLIMATE_DRY},
    {164, 36, "Savanna Plateau M", "Savannenhochebene M", "Саванна — плато Г", 0xA99B50, ECO_CLIMATE_DRY},
    {165, 37, "Mesa (Bryce)", "Tafelberge (Bryce)", "Столовая гора (Брайс)", 0xCC8856, ECO_CLIMATE_DRY},
    {166, 38, "Mesa Plateau F M", "Bewaldete Tafelberghochebene M", "Столовая гора — плато Л Г", 0xA5784C, ECO_CLIMATE_DRY},
    {167, 39, "Mesa Plateau M", "Tafelberghochebene M", "Столовая гора — плато Г", 0xA9623B, ECO_CLIMATE_DRY},
};
/* clang-format on */

const unsigned eco_catalogue_count = sizeof(eco_catalogue) / sizeof(eco_catalogue[0]);

const struct eco_catalogue_entry *eco_catalogue_find(unsigned id)
{
    unsigned low = 0, high = eco_catalogue_count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (eco_catalogue[middle].id == id)
            return &eco_catalogue[middle];
        if (eco_catalogue[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *eco_climate_name(enum eco_climate climate)
{
    static const char *const names[] = {"ocean", "snowy", "cold", "temperate", "dry", "other"};

    return names[climate];
}
