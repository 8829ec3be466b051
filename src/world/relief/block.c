#include "world/relief/block.h"

#include <string.h>

#include "ecotone/world.h"
#include "world/score.h"

#define MEAN_LOG 1 /* log2 of the finer cells that a side of a coarse one is the mean of */

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

/* The base of a level. Its cells are means of finer ones: single places of forms that are smaller
 * than a cell would be noise, and stand at its corner. */
static int level_base(const struct relief_plan *plan, const struct relief_area *area,
                      struct eco_arena *arena, float *heights)
{
    unsigned log = area->level < MEAN_LOG ? area->level : MEAN_LOG;
    const uint32_t many = 1u << log;
    struct relief_area fine = {area->x0 * many, area->z0 * many, area->width * many,
                               area->height * many, area->level - log};
    const float share = 1.0f / (float)(many * many);
    float *wide;
    int code;

    if (log == 0)
        return relief_base(&plan->terrain, area, arena, heights);
    wide = eco_arena_alloc(arena, (size_t)fine.width * fine.height, sizeof(*wide));
    code = wide ? relief_base(&plan->terrain, &fine, arena, wide) : ECO_ENOMEM;
    for (size_t z = 0; !code && z < area->height; z++) {
        float *out = heights + z * area->width;

        memset(out, 0, area->width * sizeof(*out));
        for (size_t row = 0; row < many; row++) {
            const float *from = wide + (z * many + row) * fine.width;

            for (size_t x = 0; x < fine.width; x++)
                out[x >> log] += from[x] * share;
        }
    }
    return code;
}

static int eroded(const struct relief_plan *plan, const struct relief_erosion *erosion,
                  const struct relief_area *area, struct eco_arena *arena, float *heights)
{
    uint32_t reach = relief_reach(erosion);
    struct relief_area around = {area->x0 - reach, area->z0 - reach, area->width + 2 * reach,
                                 area->height + 2 * reach, area->level};
    float *wide = eco_arena_alloc(arena, (size_t)around.width * around.height, sizeof(*wide));
    int code = wide ? level_base(plan, &around, arena, wide) : ECO_ENOMEM;

    if (!code)
        code = relief_erode(erosion, &around, arena, wide);
    for (size_t row = 0; !code && row < area->height; row++)
        memcpy(heights + row * area->width, wide + (row + reach) * around.width + reach,
               area->width * sizeof(*heights));
    return code;
}

int relief_block_make(const struct relief_plan *plan, unsigned level, int64_t x, int64_t z,
                      void *memory, struct eco_arena *arena)
{
    struct relief_erosion erosion = relief_plan_erosion(plan, level);
    uint32_t side = (uint32_t)plan->side;
    struct relief_area area = {x * RELIEF_BLOCK - plan->margin, z * RELIEF_BLOCK - plan->margin,
                               side, side, level};
    int code;

    code = erosion.count > 0 ? eroded(plan, &erosion, &area, arena, memory)
                             : level_base(plan, &area, arena, memory);
    return code ? code : relief_block_finish(plan, level, memory, arena);
}
