#include "world/relief/block.h"

#include <string.h>

#include "ecotone/world.h"
#include "world/score.h"

void relief_plan_init(struct relief_plan *plan, const struct eco_relief_config *config,
                      int64_t seed, uint32_t reach)
{
    const struct eco_relief_play *play = &config->play;
    uint32_t size = play->unit_size > play->building_size ? play->unit_size : play->building_size;

    /* Interpolation looks at two cells more, a slope at one, and a square at size - 1. */
    *plan = (struct relief_plan){.config = config, .margin = reach + 2};
    if (plan->margin < size + 1)
        plan->margin = size + 1;
    relief_terrain_init(&plan->terrain, config, seed, eco_simd_level());
    plan->side = RELIEF_BLOCK + 2 * (size_t)plan->margin;
    plan->block_bytes = plan->side * plan->side * (sizeof(float) + 1);
}

struct relief_block relief_block_at(const struct relief_plan *plan, const void *memory)
{
    const float *height = memory;

    return (struct relief_block){height, (const uint8_t *)(height + plan->side * plan->side)};
}

struct relief_erosion relief_plan_erosion(const struct relief_plan *plan, unsigned level)
{
    uint32_t period = plan->config->period >> level;

    return (struct relief_erosion){
        .steps = plan->config->erosion,
        .count = period >= RELIEF_ERODED_MIN ? plan->config->erosion_count : 0,
        .period = period > 0 ? period : 1,
        .shift = level,
        .kernels = plan->terrain.kernels,
    };
}

/* Marks what units and buildings find room on. */
static int mark_use(const struct relief_plan *plan, unsigned level, const float *heights,
                    struct eco_arena *arena, uint8_t *use)
{
    const struct eco_relief_config *config = plan->config;
    size_t inner = plan->side - 2;
    float *slopes = eco_arena_alloc(arena, inner * inner, sizeof(*slopes));
    uint8_t *open = eco_arena_alloc(arena, inner * inner, 1);
    /* From rise over run to h a cell. */
    double cell = (double)config->cell * (double)((uint64_t)1 << level);
    double scale = cell / (config->high - config->low);
    int code = 0;

    if (!slopes || !open)
        return ECO_ENOMEM;
    memset(use, 0, plan->side * plan->side);
    eco_score_slopes(heights, inner, inner, slopes);
    for (unsigned k = 0; !code && k < 2; k++) {
        double bound = k ? config->play.building_slope : config->play.unit_slope;
        unsigned size = k ? config->play.building_size : config->play.unit_size;

        /* As much ground on coarse cells, a whole one at least. */
        size = (size - 1) >> (level < 31 ? level : 31);
        size++;
        code = eco_score_open(slopes, inner, inner, (float)(bound * scale), size, arena, open);
        for (size_t z = 0; z < inner; z++) {
            uint8_t *to = use + (z + 1) * plan->side + 1;

            for (size_t x = 0; x < inner; x++)
                to[x] |= (uint8_t)(open[z * inner + x] * (k ? ECO_USE_BUILD : ECO_USE_ACCESS));
        }
    }
    return code;
}

int relief_block_finish(const struct relief_plan *plan, unsigned level, void *memory,
                        struct eco_arena *arena)
{
    float *heights = memory;

    return mark_use(plan, level, heights, arena, (uint8_t *)(heights + plan->side * plan->side));
}

/* The ground of an area on the grid of its level, eroded there. */
static int eroded(const struct relief_plan *plan, const struct relief_area *area,
                  struct eco_arena *arena, float *heights)
{
    struct relief_erosion erosion = relief_plan_erosion(plan, area->level);
    uint32_t reach = relief_reach(&erosion);
    struct relief_area around = {area->x0 - reach, area->z0 - reach, area->width + 2 * reach,
                                 area->height + 2 * reach, area->level};
    float *wide;
    int code;

    if (reach == 0)
        return relief_base(&plan->terrain, area, arena, heights);
    wide = eco_arena_alloc(arena, (size_t)around.width * around.height, sizeof(*wide));
    code = wide ? relief_base(&plan->terrain, &around, arena, wide) : ECO_ENOMEM;
    if (!code)
        code = relief_erode(&erosion, &around, arena, wide);
    for (size_t row = 0; !code && row < area->height; row++)
        memcpy(heights + row * area->width, wide + (row + reach) * around.width + reach,
               area->width * sizeof(*heights));
    return code;
}

/* Means of the four finer cells that a cell holds: single places of forms that are smaller than a
 * cell would be noise, and stand at its corner. */
static int overview(const struct relief_plan *plan, const struct relief_area *area,
                    struct eco_arena *arena, float *heights)
{
    struct relief_area fine = {area->x0 * 2, area->z0 * 2, area->width * 2, area->height * 2,
                               area->level - 1};
    float *wide = eco_arena_alloc(arena, (size_t)fine.width * fine.height, sizeof(*wide));
    int code = wide ? eroded(plan, &fine, arena, wide) : ECO_ENOMEM;

    for (size_t z = 0; !code && z < area->height; z++) {
        const float *above = wide + 2 * z * fine.width, *below = above + fine.width;
        float *out = heights + z * area->width;

        for (size_t x = 0; x < area->width; x++)
            out[x] =
                ((above[2 * x] + above[2 * x + 1]) + (below[2 * x] + below[2 * x + 1])) * 0.25f;
    }
    return code;
}

int relief_block_make(const struct relief_plan *plan, unsigned level, int64_t x, int64_t z,
                      void *memory, struct eco_arena *arena)
{
    uint32_t side = (uint32_t)plan->side;
    struct relief_area area = {x * RELIEF_BLOCK - plan->margin, z * RELIEF_BLOCK - plan->margin,
                               side, side, level};
    int code =
        level > 0 ? overview(plan, &area, arena, memory) : eroded(plan, &area, arena, memory);

    return code ? code : relief_block_finish(plan, level, memory, arena);
}
