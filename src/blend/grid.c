#include "blend/grid.h"

#include <string.h>

#include "blend/grid_kernel.h"

struct grid_reach grid_reach_of(const struct disc *disc, const struct grid_span *span)
{
    int64_t interval = disc->interval, reach = disc->reach;

    return (struct grid_reach){
        eco_floor_div(span->x0 - reach, interval) + 1,
        eco_floor_div(span->z0 - reach, interval) + 1,
        eco_floor_div(span->x1 + reach - 1, interval) + 1,
        eco_floor_div(span->z1 + reach - 1, interval) + 1,
    };
}

/* The first run of a row that ends behind `column`. */
static uint32_t find_run(const struct map *map, uint32_t row, uint32_t column)
{
    const uint32_t *end = map->end + (size_t)row * map->columns;
    uint32_t from = 0, to = map->runs[row] - 1;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (end[middle] <= column)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

int grid_window_find(const struct disc *disc, const struct map *map, const struct grid_span *span,
                     struct eco_arena *scratch, struct grid_window *out)
{
    struct grid_reach reach = grid_reach_of(disc, span);
    uint32_t first = (uint32_t)(reach.first_x - map->first_x);
    uint32_t end = (uint32_t)(reach.end_x - map->first_x);
    bool present[ECO_BIOMES_MAX] = {false};

    out->disc = disc;
    out->map = map;
    out->first_row = (uint32_t)(reach.first_z - map->first_z);
    out->end_row = (uint32_t)(reach.end_z - map->first_z);
    out->end_column = end;
    out->count = 0;
    out->first_run =
        eco_arena_alloc(scratch, out->end_row - out->first_row, sizeof(*out->first_run));
    if (!out->first_run)
        return ECO_ENOMEM;
    for (uint32_t row = out->first_row; row < out->end_row; row++) {
        const uint32_t *ends = map->end + (size_t)row * map->columns;
        const uint8_t *biomes = map->biome + (size_t)row * map->columns;
        uint32_t run = find_run(map, row, first);

        out->first_run[row - out->first_row] = run;
        present[biomes[run]] = true;
        while (ends[run] < end)
            present[biomes[++run]] = true;
    }
    for (unsigned biome = 0; biome < ECO_BIOMES_MAX; biome++) {
        if (!present[biome])
            continue;
        out->slot[biome] = (uint8_t)out->count;
        out->biomes[out->count++] = (uint8_t)biome;
    }
    return 0;
}

/* The slot of the biome near the middle of a square: most need no sums of their own then. */
static unsigned middle_slot(const struct grid_window *window, int64_t x, int64_t z)
{
    const struct map *map = window->map;
    int64_t interval = window->disc->interval, half = ECO_SQUARE_SIDE / 2 * window->disc->step;
    int64_t row = eco_floor_div(z + half, interval) - map->first_z;
    int64_t column = eco_floor_div(x + half, interval) - map->first_x;
    const uint32_t *end;
    uint32_t run;

    row = row > window->first_row ? row : window->first_row;
    row = row < window->end_row ? row : (int64_t)window->end_row - 1;
    end = map->end + (size_t)row * map->columns;
    run = window->first_run[row - window->first_row];
    while (end[run] <= column && end[run] < map->columns)
        run++;
    return window->slot[map->biome[(size_t)row * map->columns + run]];
}

int grid_square(enum eco_simd level, const struct grid_window *window, int64_t x, int64_t z,
                struct eco_arena *arena, struct eco_square *square)
{
    const struct grid_kernel *kernel = grid_kernel_of(level);
    struct grid_sums sums = {.x = x, .z = z};
    unsigned used = 1;

    square->weights = NULL;
    square->count = 1;
    square->biomes[0] = window->biomes[0];
    if (window->count == 1)
        return 0;
    sums.sums = eco_arena_alloc(arena, window->count, sizeof(*sums.sums));
    if (!sums.sums)
        return ECO_ENOMEM;
    sums.base = middle_slot(window, x, z);
    kernel->accumulate(window, &sums);
    for (unsigned slot = 0; slot < window->count; slot++)
        used += sums.used[slot];
    square->biomes[0] = window->biomes[sums.base];
    if (used == 1)
        return 0;
    kernel->complete(window, &sums);
    sums.used[sums.base] = true;
    square->weights = eco_arena_alloc(arena, used, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    square->count = 0;
    for (unsigned slot = 0; slot < window->count; slot++) {
        if (sums.used[slot] && kernel->weigh(window, &sums, slot, square->weights[square->count]))
            square->biomes[square->count++] = window->biomes[slot];
    }
    if (square->count == 1)
        square->weights = NULL;
    return 0;
}
