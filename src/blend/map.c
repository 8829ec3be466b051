#include "blend/map.h"

#include "ecotone/error.h"

int map_init(struct map *map, int64_t first_x, int64_t first_z, uint32_t columns, uint32_t rows,
             struct eco_arena *arena)
{
    size_t points = (size_t)columns * rows;

    *map = (struct map){first_x, first_z, columns, rows, NULL, NULL, NULL};
    map->runs = eco_arena_alloc(arena, rows, sizeof(*map->runs));
    map->end = eco_arena_alloc(arena, points, sizeof(*map->end));
    map->biome = eco_arena_alloc(arena, points, sizeof(*map->biome));
    return map->runs && map->end && map->biome ? 0 : ECO_ENOMEM;
}

void map_fill(struct map *map, uint32_t row, const uint8_t *biomes)
{
    uint32_t *end = map->end + (size_t)row * map->columns;
    uint8_t *biome = map->biome + (size_t)row * map->columns;
    uint32_t runs = 0;

    for (uint32_t column = 1; column <= map->columns; column++) {
        if (column < map->columns && biomes[column] == biomes[column - 1])
            continue;
        end[runs] = column;
        biome[runs++] = biomes[column - 1];
    }
    map->runs[row] = runs;
}
