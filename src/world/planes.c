#include "world/planes.h"

#include <string.h>

#define PLANE(member)                                                                              \
    {                                                                                              \
        offsetof(struct eco_planes, member), sizeof(*((struct eco_planes *)0)->member)             \
    }

/* All planes of one value a sample; weights have one for each biome. */
static const struct {
    size_t offset, size;
} all[] = {
    PLANE(biome), PLANE(height),        PLANE(colour), PLANE(weights),     PLANE(temperature),
    PLANE(slope), PLANE(precipitation), PLANE(river),  PLANE(trees),       PLANE(cell),
    PLANE(use),   PLANE(border),        PLANE(points), PLANE(blend_error),
};

static char *plane_of(const struct eco_planes *planes, size_t index)
{
    char *plane;

    memcpy(&plane, (const char *)planes + all[index].offset, sizeof(plane));
    return plane;
}

static unsigned copies_of(size_t index, unsigned biomes)
{
    return all[index].offset == offsetof(struct eco_planes, weights) ? biomes : 1;
}

int eco_planes_alloc(const struct eco_planes *like, size_t area, unsigned biomes,
                     struct eco_arena *arena, struct eco_planes *out)
{
    *out = (struct eco_planes){0};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        size_t size = all[k].size * copies_of(k, biomes);
        void *plane;

        if (!plane_of(like, k))
            continue;
        plane = eco_arena_alloc(arena, area, size);
        if (!plane)
            return ECO_ENOMEM;
        memcpy((char *)out + all[k].offset, &plane, sizeof(plane));
    }
    if (out->weights)
        memset(out->weights, 0, area * biomes * sizeof(*out->weights));
    if (out->points)
        memset(out->points, 0, area * sizeof(*out->points));
    return 0;
}

void eco_planes_copy(const struct eco_planes *from, const struct eco_grid *part, uint32_t x,
                     uint32_t z, unsigned biomes, const struct eco_planes *to,
                     const struct eco_grid *grid)
{
    size_t own = (size_t)part->width * part->height, whole = (size_t)grid->width * grid->height;

    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        const char *source = plane_of(from, k);
        char *target = plane_of(to, k);
        size_t size = all[k].size;

        for (unsigned copy = 0; source && copy < copies_of(k, biomes); copy++) {
            for (uint32_t row = 0; row < part->height; row++)
                memcpy(target + (copy * whole + (size_t)(z + row) * grid->width + x) * size,
                       source + (copy * own + (size_t)row * part->width) * size,
                       part->width * size);
        }
    }
}
