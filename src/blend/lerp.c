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

/* Cells of one axis from block `first` on, by steps; `origin` is the first grid point of the
 * planes. */
static void find_axis(int64_t interval, int64_t origin, int64_t first, int64_t step,
                      uint32_t cells[ECO_SQUARE_SIDE], float in_cell[ECO_SQUARE_SIDE])
{
    int64_t cell = eco_floor_div(first, interval);
    int64_t rest = first - cell * interval;

    for (int k = 0; k < ECO_SQUARE_SIDE; k++) {
        cells[k] = (uint32_t)(cell - origin);
        in_cell[k] = (float)rest / (float)interval;
        for (rest += step; rest >= interval; rest -= interval)
            cell++;
    }
}

static void find_cells(const struct lerp_planes *planes, int64_t x, int64_t z, int64_t step,
                       struct lerp_cells *cells)
{
    find_axis(planes->interval, planes->first_x, x, step, cells->column, cells->x);
    find_axis(planes->interval, planes->first_z, z, step, cells->row, cells->z);
}

/* Whether a plane is not 0 at some of the points from the first to the last, both included. */
static bool weighs(const float *plane, size_t stride, const struct grid_span *points)
{
    for (int64_t row = points->z0; row <= points->z1; row++) {
        for (int64_t column = points->x0; column <= points->x1; column++) {
            if (plane[(size_t)row * stride + (size_t)column] != 0.0f)
                return true;
        }
    }
    return false;
}

/* Points of the planes around a square. */
static struct grid_span points_around(const struct lerp_planes *planes, int64_t x, int64_t z,
                                      int64_t step)
{
    const int64_t side = (ECO_SQUARE_SIDE - 1) * step;
    const struct grid_span samples = {x, z, x + side, z + side};
    struct grid_span points = lerp_span(planes->interval, &samples);

    return (struct grid_span){points.x0 - planes->first_x, points.z0 - planes->first_z,
                              points.x1 - planes->first_x, points.z1 - planes->first_z};
}

int lerp_square(enum eco_simd level, const struct lerp_planes *planes, int64_t x, int64_t z,
                int64_t step, struct eco_arena *arena, struct eco_square *square)
{
    const struct grid_kernel *kernel = grid_kernel_of(level);
    const float *near[ECO_BIOMES_MAX];
    struct lerp_cells cells;
    struct grid_span points;
    unsigned count = 0;

    square->weights = NULL;
    square->count = 1;
    square->biomes[0] = planes->biomes[0];
    if (planes->count == 1)
        return 0;
    points = points_around(planes, x, z, step);
    for (unsigned b = 0; b < planes->count; b++) {
        near[count] = planes->planes + b * planes->columns * planes->rows;
        if (weighs(near[count], planes->columns, &points))
            square->biomes[count++] = planes->biomes[b];
    }
    if (count == 1)
        return 0;
    find_cells(planes, x, z, step, &cells);
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
