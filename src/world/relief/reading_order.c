/* Erosion cell after cell, in reading order, for windows that are exported alone. */
#include "ecotone/error.h"
#include "world/relief/erode.h"

/* The neighbour that is lowest, the first of those equal in the order of the kernels. */
static float *lowest_of(float *cell, size_t width)
{
    float *lowest = cell - width, *others[3] = {cell - 1, cell + 1, cell + width};

    for (unsigned k = 0; k < 3; k++)
        lowest = *others[k] < *lowest ? others[k] : lowest;
    return lowest;
}

static void invert(float *cell, size_t width, float talus)
{
    float *lowest = lowest_of(cell, width);
    float fall = *cell - *lowest;

    if (fall > 0.0f && fall <= talus) {
        *cell -= fall * 0.5f;
        *lowest += fall * 0.5f;
    }
}

int relief_erode_reading_order(const struct relief_erosion *erosion, const struct relief_area *area,
                               struct eco_arena *arena, float *heights)
{
    int code = 0;

    for (unsigned k = 0; !code && k < erosion->count; k++) {
        const struct eco_relief_step *step = &erosion->steps[k];
        float talus = (float)(step->talus / erosion->period);

        if (step->kind != ECO_RELIEF_INVERTED) {
            struct relief_erosion rest = *erosion;

            rest.steps = step;
            rest.count = 1;
            code = relief_erode_alone(&rest, area, arena, heights);
            continue;
        }
        for (unsigned n = 0; n < step->iterations; n++) {
            for (size_t z = 1; z + 1 < area->height; z++) {
                for (size_t x = 1; x + 1 < area->width; x++)
                    invert(heights + z * area->width + x, area->width, talus);
            }
        }
    }
    return code;
}
