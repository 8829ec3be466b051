#include <string.h>

#include "world/overworld/overworld.h"

/* A mushroom island rises from the sea wherever its cell is. */
static void raise_islands(const struct eco_square *square, float sharp[ECO_SQUARE_AREA],
                          float smooth[ECO_SQUARE_AREA])
{
    for (unsigned b = 0; b < square->count; b++) {
        if (eco_land_infos[square->biomes[b]].id != ECO_ID_MUSHROOM_ISLAND)
            continue;
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            float weight = square->weights ? square->weights[b][k] : 1.0f;
            float wild = sharp[k] - smooth[k];

            sharp[k] += weight * (0.1f + 1.5f * wild - sharp[k]);
            smooth[k] += weight * (0.2f - smooth[k]);
        }
    }
}

/* A river bed ends where the land value of the sea is below minus this. */
#define MOUTH 0.04f

void eco_ground_make(const struct eco_overworld_sampling *sampling,
                     const struct eco_square_place *place, const struct eco_square *lands,
                     struct eco_ground *ground)
{
    const struct eco_overworld *world = sampling->world;
    const struct eco_terrain *terrain = &world->plan.terrain;
    int64_t step = sampling->grid->step;
    float smooth[ECO_SQUARE_AREA];

    eco_terrain_square(terrain, place->block_x, place->block_z, step, ground->land, smooth);
    raise_islands(lands, ground->land, smooth);
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        ground->height[k] = ground->land[k] < 0.0f ? ground->land[k] : 0.0f;
    for (unsigned b = 0; b < lands->count; b++) {
        const struct eco_land_info *info = &eco_land_infos[lands->biomes[b]];

        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            float weight = lands->weights ? lands->weights[b][k] : 1.0f;

            if (ground->land[k] > 0.0f && weight > 0.0f)
                ground->height[k] +=
                    weight * eco_terrain_land(terrain, info, ground->land[k], smooth[k]);
        }
    }
    if (!sampling->realm) {
        memset(ground->river, 0, sizeof(ground->river));
        return;
    }
    eco_rivers_square(&world->rivers, sampling->realm, place->block_x, place->block_z, step,
                      ground->height, smooth, sampling->blended ? NULL : lands->extra,
                      ground->river);
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        float over = ground->height[k] + world->bed;
        float out = 1.0f + ground->land[k] / MOUTH; /* at sea: 1 at the coast */

        ground->river[k] *= out < 1.0f ? (out > 0.0f ? out : 0.0f) : 1.0f;

        if (over > 0.0f)
            ground->height[k] -= ground->river[k] * over;
    }
}

/* --- biomes ---------------------------------------------------------------------------------- */

/* Land value down from which the sea is deep. */
#define DEEP_FROM (-0.42f)

/* Land values over which the shore gives way to the land. */
#define SHORE_FROM 0.02f
#define SHORE_TO 0.05f

/* How much of each sample is what kind of cover, and whether there is any in the square. */
struct covers {
    bool any[ECO_COVER_KINDS];
    float share[ECO_COVER_KINDS][ECO_SQUARE_AREA];
};

static void find_covers(const struct eco_ground *ground, struct covers *covers)
{
    memset(covers, 0, sizeof(*covers));
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        float land = ground->land[k], shore = (SHORE_TO - land) / (SHORE_TO - SHORE_FROM);
        enum eco_cover water = land < DEEP_FROM ? ECO_COVER_DEEP
                               : land < 0.0f    ? ECO_COVER_SEA
                                                : ECO_COVER_RIVER;

        if (ground->height[k] < 0.0f) {
            covers->share[water][k] = 1.0f;
            covers->any[water] = true;
            continue;
        }
        shore = shore > 0.0f ? (shore < 1.0f ? shore : 1.0f) : 0.0f;
        covers->share[ECO_COVER_SHORE][k] = shore;
        covers->share[ECO_COVER_LAND][k] = 1.0f - shore;
        covers->any[ECO_COVER_SHORE] |= shore > 0.0f;
        covers->any[ECO_COVER_LAND] |= shore < 1.0f;
    }
}

unsigned eco_ground_may_cover(float low, float high)
{
    unsigned covers = 0;

    if (low < DEEP_FROM)
        covers |= 1u << ECO_COVER_DEEP;
    if (low < 0.0f && high >= DEEP_FROM)
        covers |= 1u << ECO_COVER_SEA;
    if (high < 0.0f)
        return covers;
    covers |= 1u << ECO_COVER_RIVER;
    if (low < SHORE_TO)
        covers |= 1u << ECO_COVER_SHORE;
    if (high > SHORE_FROM)
        covers |= 1u << ECO_COVER_LAND;
    return covers;
}

uint8_t eco_ground_biome(const struct eco_overworld *world, const struct eco_land_info *info,
                         enum eco_cover cover)
{
    const uint8_t ids[ECO_COVER_KINDS] = {info->id, info->shore, info->river, info->sea,
                                          info->sea == ECO_ID_OCEAN ? ECO_ID_DEEP_OCEAN
                                                                    : info->sea};

    return world->index_of[ids[cover]];
}

void eco_ground_cover(const struct eco_overworld *world, const struct eco_square *lands,
                      const struct eco_ground *ground, struct eco_covered_square *out)
{
    bool seen[ECO_BIOMES_MAX] = {false};
    uint8_t slot[ECO_BIOMES_MAX] = {0};
    struct covers covers;

    find_covers(ground, &covers);
    for (unsigned b = 0; b < lands->count; b++) {
        for (unsigned c = 0; c < ECO_COVER_KINDS; c++) {
            if (covers.any[c])
                seen[eco_ground_biome(world, &eco_land_infos[lands->biomes[b]], c)] = true;
        }
    }
    out->square.count = 0;
    out->square.weights = out->weights;
    for (unsigned b = 0; b < world->config->biomes_count; b++) {
        if (!seen[b])
            continue;
        slot[b] = (uint8_t)out->square.count;
        memset(out->weights[out->square.count], 0, sizeof(out->weights[0]));
        out->square.biomes[out->square.count++] = (uint8_t)b;
    }
    for (unsigned b = 0; b < lands->count; b++) {
        for (unsigned c = 0; c < ECO_COVER_KINDS; c++) {
            const struct eco_land_info *info = &eco_land_infos[lands->biomes[b]];
            float *to = out->weights[slot[eco_ground_biome(world, info, c)]];

            for (unsigned k = 0; covers.any[c] && k < ECO_SQUARE_AREA; k++)
                to[k] += covers.share[c][k] * (lands->weights ? lands->weights[b][k] : 1.0f);
        }
    }
    if (out->square.count == 1)
        out->square.weights = NULL;
}
