#include "blend/area.h"

#include "base/checked.h"

/* Largest part of a grid whose sample points are held at once, samples a side. */
#define PANEL_SIDE 640

/* Samples a side of a job: sample points near it are listed once and then narrowed down for its
 * chunks. */
#define BLOCK_SIDE 64

/* Sample points a job asks the biome source about. */
#define POINTS_A_JOB 256

#define LAST_OF_SQUARE ((int64_t)(ECO_SQUARE_SIDE - 1))

/*
 * Absolute sample indices: sample n of an axis is the block n * step + phase, whatever the grid.
 * Squares and chunks lie on multiples of their side in these indices.
 */
struct axis {
    int64_t phase, origin, end; /* origin: the grid's first sample */
};

struct span {
    int64_t first, end;
};

struct panel {
    struct eco_blend_area *area;
    struct eco_blend_points points;
    struct axis x, z;
    struct span panel_x, panel_z;
    int64_t block_x, block_z, blocks_a_row; /* of jobs */
};

static struct axis make_axis(int64_t first_block, int64_t step, uint32_t samples)
{
    int64_t origin = eco_floor_div(first_block, step);

    return (struct axis){eco_floor_mod(first_block, step), origin, origin + samples};
}

/* The whole squares that a span touches. */
static struct span whole_squares(struct span span)
{
    return (struct span){span.first & ~LAST_OF_SQUARE,
                         (span.end + LAST_OF_SQUARE) & ~LAST_OF_SQUARE};
}

static struct span clip(struct span span, struct span to)
{
    return (struct span){span.first > to.first ? span.first : to.first,
                         span.end < to.end ? span.end : to.end};
}

/* Blocks of the first to the last sample of whole squares: a square's bits must not depend on how
 * much of it is asked for, so its points must not either. */
static struct eco_rect ground(const struct panel *panel, struct span x, struct span z)
{
    int64_t step = panel->area->grid->step;
    struct span across = whole_squares(x), down = whole_squares(z);

    return (struct eco_rect){(double)(across.first * step + panel->x.phase),
                             (double)(down.first * step + panel->z.phase),
                             (double)((across.end - 1) * step + panel->x.phase),
                             (double)((down.end - 1) * step + panel->z.phase)};
}

static int ask_job(void *context, size_t index, struct eco_arena *scratch)
{
    struct panel *panel = context;
    struct eco_blend_points *points = &panel->points;
    size_t first = index * POINTS_A_JOB;
    size_t count = points->count - first < POINTS_A_JOB ? points->count - first : POINTS_A_JOB;

    (void)scratch;
    panel->area->ask(panel->area->context, points->x + first, points->z + first, count,
                     points->biome + first);
    return 0;
}

static struct eco_square_place place_square(const struct panel *panel, int64_t x, int64_t z)
{
    int64_t step = panel->area->grid->step;
    struct span columns = clip(panel->panel_x, (struct span){x, x + ECO_SQUARE_SIDE});
    struct span rows = clip(panel->panel_z, (struct span){z, z + ECO_SQUARE_SIDE});

    return (struct eco_square_place){
        .block_x = x * step + panel->x.phase,
        .block_z = z * step + panel->z.phase,
        .x = x - panel->x.origin,
        .z = z - panel->z.origin,
        .first_column = (int)(columns.first - x),
        .end_column = (int)(columns.end - x),
        .first_row = (int)(rows.first - z),
        .end_row = (int)(rows.end - z),
    };
}

/* Hands out the squares of a chunk. */
static int run_chunk(const struct panel *panel, const struct eco_blend_lists *wide, struct span x,
                     struct span z, struct eco_arena *scratch)
{
    const struct eco_blend_area *area = panel->area;
    struct eco_blend_lists lists;
    int code = 0;

    if (area->blend) {
        struct eco_rect rect = ground(panel, x, z);

        code = eco_blend_lists_narrow(wide, &rect, panel->points.radius, scratch, &lists);
    }
    x = whole_squares(x);
    z = whole_squares(z);
    for (int64_t row = z.first; !code && row < z.end; row += ECO_SQUARE_SIDE) {
        for (int64_t column = x.first; !code && column < x.end; column += ECO_SQUARE_SIDE) {
            struct eco_arena_mark mark = eco_arena_mark(scratch);
            struct eco_square_place place = place_square(panel, column, row);
            struct eco_square square;

            if (area->blend)
                code =
                    eco_blend_square(eco_simd_level(), &lists, panel->points.radius, place.block_x,
                                     place.block_z, area->grid->step, scratch, &square);
            else
                code = area->direct(area->context, &place, scratch, &square);
            if (!code)
                area->take(area->context, &place, &square);
            eco_arena_rewind(scratch, mark);
        }
    }
    return code;
}

static int block_job(void *context, size_t index, struct eco_arena *scratch)
{
    const struct panel *panel = context;
    int64_t block_x = panel->block_x + (int64_t)index % panel->blocks_a_row;
    int64_t block_z = panel->block_z + (int64_t)index / panel->blocks_a_row;
    struct span x = {block_x * BLOCK_SIDE, (block_x + 1) * BLOCK_SIDE};
    struct span z = {block_z * BLOCK_SIDE, (block_z + 1) * BLOCK_SIDE};
    struct span inside_x = clip(panel->panel_x, x), inside_z = clip(panel->panel_z, z);
    int64_t side = panel->area->chunk;
    struct eco_blend_lists lists;
    int code = 0;

    if (panel->area->blend) {
        struct eco_rect rect = ground(panel, inside_x, inside_z);

        code = eco_blend_lists_find(&panel->points, &rect, scratch, &lists);
    }
    for (int64_t row = z.first; !code && row < z.end; row += side) {
        struct span down = clip(inside_z, (struct span){row, row + side});

        for (int64_t column = x.first; !code && column < x.end; column += side) {
            struct span across = clip(inside_x, (struct span){column, column + side});
            struct eco_arena_mark mark = eco_arena_mark(scratch);

            if (across.first < across.end && down.first < down.end)
                code = run_chunk(panel, &lists, across, down, scratch);
            eco_arena_rewind(scratch, mark);
        }
    }
    return code;
}

static int run_panel(struct panel *panel, struct eco_executor *executor, struct eco_arena *arena,
                     struct eco_error *error)
{
    struct eco_blend_area *area = panel->area;
    int64_t blocks_down;
    int code = 0;

    if (area->blend) {
        struct eco_rect rect = ground(panel, panel->panel_x, panel->panel_z);

        code = eco_blend_points_gather(area->blend, &rect, arena, &panel->points, error);
        if (code)
            return code;
        area->points_asked += panel->points.count;
        code = eco_executor_run(executor, (panel->points.count + POINTS_A_JOB - 1) / POINTS_A_JOB,
                                ask_job, panel, arena);
    }
    if (code)
        return code;
    panel->block_x = eco_floor_div(panel->panel_x.first, BLOCK_SIDE);
    panel->block_z = eco_floor_div(panel->panel_z.first, BLOCK_SIDE);
    panel->blocks_a_row = eco_floor_div(panel->panel_x.end - 1, BLOCK_SIDE) - panel->block_x + 1;
    blocks_down = eco_floor_div(panel->panel_z.end - 1, BLOCK_SIDE) - panel->block_z + 1;
    return eco_executor_run(executor, (size_t)(panel->blocks_a_row * blocks_down), block_job, panel,
                            arena);
}

int eco_blend_area_run(struct eco_blend_area *area, struct eco_executor *executor,
                       struct eco_arena *arena, struct eco_error *error)
{
    const struct eco_grid *grid = area->grid;
    struct eco_arena_mark mark = eco_arena_mark(arena);
    struct panel panel = {
        .area = area,
        .x = make_axis(grid->x0, grid->step, grid->width),
        .z = make_axis(grid->z0, grid->step, grid->height),
    };
    int code = 0;

    area->points_asked = 0;
    for (int64_t z = panel.z.origin; !code && z < panel.z.end; z += PANEL_SIDE) {
        for (int64_t x = panel.x.origin; !code && x < panel.x.end; x += PANEL_SIDE) {
            panel.panel_x = clip((struct span){x, x + PANEL_SIDE}, (struct span){x, panel.x.end});
            panel.panel_z = clip((struct span){z, z + PANEL_SIDE}, (struct span){z, panel.z.end});
            code = run_panel(&panel, executor, arena, error);
            eco_arena_rewind(arena, mark);
        }
    }
    if (code == ECO_ENOMEM)
        eco_error_set(error, ECO_ENOMEM, "no memory to blend %u x %u samples", grid->width,
                      grid->height);
    return code;
}
