#include "blend/area.h"

#include "base/checked.h"

/* Largest part of a grid whose sample points are held at once, samples a side. */
#define PANEL_SIDE 640

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
    int64_t chunk_x, chunk_z, chunks_a_row;
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

static int chunk_job(void *context, size_t index, struct eco_arena *scratch)
{
    const struct panel *panel = context;
    const struct eco_blend_area *area = panel->area;
    int64_t side = area->chunk;
    int64_t chunk_x = panel->chunk_x + (int64_t)index % panel->chunks_a_row;
    int64_t chunk_z = panel->chunk_z + (int64_t)index / panel->chunks_a_row;
    struct span x = clip(panel->panel_x, (struct span){chunk_x * side, (chunk_x + 1) * side});
    struct span z = clip(panel->panel_z, (struct span){chunk_z * side, (chunk_z + 1) * side});
    struct eco_blend_candidates candidates = {0};
    int code = 0;

    if (area->blend) {
        struct eco_rect rect = ground(panel, x, z);

        code = eco_blend_candidates_find(&panel->points, &rect, scratch, &candidates);
    }
    x = whole_squares(x);
    z = whole_squares(z);
    for (int64_t row = z.first; !code && row < z.end; row += ECO_SQUARE_SIDE) {
        for (int64_t column = x.first; !code && column < x.end; column += ECO_SQUARE_SIDE) {
            struct eco_arena_mark mark = eco_arena_mark(scratch);
            struct eco_square_place place = place_square(panel, column, row);
            struct eco_square square;

            if (area->blend)
                code = eco_blend_square(&panel->points, &candidates, place.block_x, place.block_z,
                                        area->grid->step, scratch, &square);
            else
                code = area->direct(area->context, &place, scratch, &square);
            if (!code)
                area->take(area->context, &place, &square);
            eco_arena_rewind(scratch, mark);
        }
    }
    return code;
}

static int run_panel(struct panel *panel, struct eco_executor *executor, struct eco_arena *arena,
                     struct eco_error *error)
{
    struct eco_blend_area *area = panel->area;
    int64_t side = area->chunk, chunks_down;
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
    panel->chunk_x = eco_floor_div(panel->panel_x.first, side);
    panel->chunk_z = eco_floor_div(panel->panel_z.first, side);
    panel->chunks_a_row = eco_floor_div(panel->panel_x.end - 1, side) - panel->chunk_x + 1;
    chunks_down = eco_floor_div(panel->panel_z.end - 1, side) - panel->chunk_z + 1;
    return eco_executor_run(executor, (size_t)(panel->chunks_a_row * chunks_down), chunk_job, panel,
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
