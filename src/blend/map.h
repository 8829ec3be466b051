/*
 * The biomes at the points of a square grid, row by row as runs of one biome. Thread rule: rows may
 * be filled at the same time; read-only after that. Private to the blend folder.
 */
#ifndef ECO_BLEND_MAP_H
#define ECO_BLEND_MAP_H

#include <stdint.h>

#include "base/arena.h"

/* Column c of row r is grid point (first_x + c, first_z + r). */
struct map {
    int64_t first_x, first_z; /* grid points */
    uint32_t columns, rows;
    uint32_t *runs; /* of each row */
    uint32_t
        *end; /* [row * columns + run]: the column behind the run; `columns` for the last one */
    uint8_t *biome; /* [row * columns + run] */
};

/* Room for the runs in `arena`. ECO_ENOMEM. */
int map_init(struct map *map, int64_t first_x, int64_t first_z, uint32_t columns, uint32_t rows,
             struct eco_arena *arena);

/* Makes the runs of a row of `columns` biomes. */
void map_fill(struct map *map, uint32_t row, const uint8_t *biomes);

#endif
