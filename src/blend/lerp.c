#include "blend/lerp.h"

#include <string.h>

#include "blend/grid_kernel.h"

struct grid_span lerp_span(int64_t interval, const struct grid_span *samples)
{
    return (struct grid_span){
        eco_floor_div(samples->x0, interval),
        eco_floor_div(samples->z0, interval),
        eco_floor_div(samples->x1, interval) + 1,
        eco_floor_div(samples->z1, interval) + 1,
    };
}

/* Copies a square of points into the planes, as much of it as they hold. */
static void put_square(const struct grid_window *window, const struct eco_square *square,
                       size_t column, size_t row, struct lerp_planes *out)
{
    size_t columns = out->columns - column, rows = out->rows - row;

    columns = columns < ECO_SQUARE_SIDE ? columns : ECO_SQUARE_SIDE;
    rows = rows < ECO_SQUARE_SIDE ? rows : ECO_SQUARE_SIDE;
    for (unsigned b = 0; b < square->count; b++) {
        float *plane = out->planes + window->slot[square->biomes[b]] * out->columns * out->rows;

        for (size_t z = 0; z < rows; z++) {
            float *to = plane + (row + z) * out->columns + column;

            for (size_t x = 0; x < columns; x++)
                to[x] = square->weights ? square->weights[b][z * ECO_SQUARE_SIDE + x] : 1.0f;
        }
    }
}

int lerp_planes_make(enum eco_simd level, const struct grid_window *window, int64_t interval,
                     const struct grid_span *span, struct eco_arena *scratch,
                     struct lerp_planes *out)
{
    int code = 0;

    out->interval = interval;
    out->first_x = span->x0;
    out->first_z = span->z0;
    out->columns = (size_t)(span->x1 - span->x0 + 1);
    out->rows = (size_t)(span->z1 - span->z0 + 1);
    out->count = window->count;
    memcpy(out->biomes, window->biomes, window->count);
    if (window->count == 1)
        return 0;
    out->planes =
        eco_arena_alloc(scratch, out->columns * out->rows * out->count, sizeof(*out->planes));
    if (!out->planes)
        return ECO_ENOMEM;
    memset(out->planes, 0, out->columns * out->rows * out->count * sizeof(*out->planes));
    for (size_t row = 0; !code && row < out->rows; row += ECO_SQUARE_SIDE) {
        for (size_t column = 0; !code && column < out->columns; column += ECO_SQUARE_SIDE) {
            struct eco_arena_mark mark = eco_arena_mark(scratch);
            struct eco_square square;

            code = grid_square(level, window, span->x0 + (int64_t)column, span->z0 + (int64_t)row,
                               scratch, &square);
            if (!code)
                put_square(window, &square, column, row, out);
            eco_arena_rewind(scratch, mark);
        }
    }
    return code;
}

static void find_cells(const struct lerp_planes *planes, int64_t x, int64_t z, int64_t step,
                       struct lerp_cells *cells)
{
    for (int k = 0; k < ECO_SQUARE_SIDE; k++) {
        int64_t column = eco_floor_div(x + k * step, planes->interval);
        int64_t row = eco_floor_div(z + k * step, planes->interval);

        cells->column[k] = (uint32_t)(column - planes->first_x);
        cells->row[k] = (uint32_t)(row - planes->first_z);
        cells->x[k] = (float)(x + k * step - column * planes->interval) / (float)planes->interval;
        cells->z[k] = (float)(z + k * step - row * planes->interval) / (float)planes->interval;
    }
}

/* Whether a plane is not 0 at some point around the cells of a square. */
static bool weighs(const float *plane, size_t stride, const struct lerp_cells *cells)
{
    const int last = ECO_SQUARE_SIDE - 1;

    for (uint32_t row = cells->row[0]; row <= cells->row[last] + 1; row++) {
        for (uint32_t column = cells->column[0]; column <= cells->column[last] + 1; column++) {
            if (plane[row * stride + column] != 0.0f)
                return true;
        }
    }
    return false;
}

int lerp_square(enum eco_simd level, const struct lerp_planes *planes, int64_t x, int64_t z,
                int64_t step, struct eco_arena *arena, struct eco_square *square)
{
    const struct grid_kernel *kernel = grid_kernel_of(level);
    const float *near[ECO_BIOMES_MAX];
    struct lerp_cells cells;
    unsigned count = 0;

    square->weights = NULL;
    square->count = 1;
    square->biomes[0] = planes->biomes[0];
    if (planes->count == 1)
        return 0;
    find_cells(planes, x, z, step, &cells);
    for (unsigned b = 0; b < planes->count; b++) {
        near[count] = planes->planes + b * planes->columns * planes->rows;
        if (weighs(near[count], planes->columns, &cells))
            square->biomes[count++] = planes->biomes[b];
    }
    if (count == 1)
        return 0;
    square->weights = eco_arena_alloc(arena, count, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    square->count = 0;
    for (unsigned b = 0; b < count; b++) {
        uint8_t biome = square->biomes[b];

        if (kernel->lerp(near[b], planes->columns, &cells, square->weights[square->count]))
            square->biomes[square->count++] = biome;
    }
    if (square->count == 1)
        square->weights = NULL;
    return 0;
}
