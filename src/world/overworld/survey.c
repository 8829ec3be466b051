/*
 * Where a biome may be, found without looking at blocks: the cells whose land could be it under
 * some cover, and the covers that the bounds of the land noise allow.
 */
#include <string.h>

#include "world/overworld/overworld.h"

#define STEP (ECO_SURVEY_PLOT / ECO_SURVEY_SIDE)

_Static_assert(STEP * 8 == ECO_SURVEY_PLOT, "a plot is the ground of a square of samples");

struct survey {
    const struct eco_overworld *world;
    struct eco_realm realm;
    unsigned biome;
    double around, strip; /* blocks around a place whose lands count, unmoved and moved */
    uint8_t *covers;      /* under which each cell is the biome; 0 at the window's edge */
    bool islands;         /* whether there is a mushroom island */
};

/* Notes under which covers each cell would be the biome. False: none would. */
static bool find_cells(struct survey *survey)
{
    const struct eco_cell_window *window = &survey->realm.window;
    bool any = false;

    memset(survey->covers, 0, (size_t)window->columns * window->rows);
    for (size_t row = 1; row + 1 < window->rows; row++) {
        for (size_t column = 1; column + 1 < window->columns; column++) {
            size_t at = row * window->columns + column;
            const struct eco_land_info *info = &eco_land_infos[survey->realm.cells[at].land];

            survey->islands |= info->id == ECO_ID_MUSHROOM_ISLAND;
            for (unsigned cover = 0; cover < ECO_COVER_KINDS; cover++) {
                if (eco_ground_biome(survey->world, info, cover) == survey->biome)
                    survey->covers[at] |= (uint8_t)(1u << cover);
            }
            any |= survey->covers[at] != 0;
        }
    }
    return any;
}

static bool may_be_on(const struct survey *survey, int64_t x, int64_t z)
{
    const struct eco_overworld *world = survey->world;
    const struct eco_cell_window *window = &survey->realm.window;
    struct eco_rect places = {(double)x - survey->around, (double)z - survey->around,
                              (double)(x + ECO_SURVEY_PLOT) + survey->around,
                              (double)(z + ECO_SURVEY_PLOT) + survey->around};
    size_t count = (size_t)window->columns * window->rows;
    unsigned covers = ~0u;

    /* An island rises from any sea. */
    if (!survey->islands) {
        float low, high;

        eco_terrain_range(&world->plan.terrain, x + STEP / 2, z + STEP / 2, STEP, &low, &high);
        covers = eco_ground_may_cover(low, high);
    }
    for (size_t cell = 0; cell < count; cell++) {
        if (survey->covers[cell] & covers &&
            eco_realm_may_lie(&survey->realm, &places, survey->strip, cell))
            return true;
    }
    return false;
}

int eco_overworld_survey(const void *state, int64_t x, int64_t z, unsigned biome,
                         struct eco_arena *arena, uint64_t *plots)
{
    const struct eco_grid grid = {x, z, 1, ECO_SURVEY_PLOT * ECO_SURVEY_SIDE,
                                  ECO_SURVEY_PLOT * ECO_SURVEY_SIDE};
    struct survey survey = {.world = state, .biome = biome};
    struct eco_rect rect = eco_overworld_reach(survey.world, &grid);
    struct eco_blend_area area = {.grid = &grid};
    struct eco_blending_grid blends;

    *plots = 0;
    eco_blending_choose(&survey.world->blending, ECO_FIELD_BIOME, ECO_OVERWORLD_POINTS_APART,
                        &blends, &area);
    if (area.blend)
        survey.around = eco_blending_around(&survey.world->blending, 1);
    else
        survey.strip = (double)eco_overworld_strip(survey.world, 1);
    if (eco_realm_make(&survey.world->plan, &rect, arena, &survey.realm))
        return ECO_ENOMEM;
    survey.covers =
        eco_arena_alloc(arena, (size_t)survey.realm.window.columns * survey.realm.window.rows, 1);
    if (!survey.covers)
        return ECO_ENOMEM;
    if (!find_cells(&survey))
        return 0;
    for (unsigned k = 0; k < ECO_SURVEY_SIDE * ECO_SURVEY_SIDE; k++) {
        if (may_be_on(&survey, x + k % ECO_SURVEY_SIDE * ECO_SURVEY_PLOT,
                      z + k / ECO_SURVEY_SIDE * ECO_SURVEY_PLOT))
            *plots |= (uint64_t)1 << k;
    }
    return 0;
}
