#include "blend/area.h"

#include <math.h>

#include "base/checked.h"
#include "base/clock.h"
#include "blend/way.h"

/* Largest part of a grid whose sample points are held at once, samples a side. */
#define PANEL_SIDE 640

/* More sample points than these make a panel smaller, down to a square of samples, which may have
 * the latter. */
#define PANEL_POINTS 2097152.0
#define PANEL_POINTS_MAX 33554432.0

/* Samples a side of a job: what is near it is found once and then narrowed down for its chunks. */
#define BLOCK_SIDE 64

#define LAST_OF_SQUARE ((int64_t)(ECO_SQUARE_SIDE - 1))

#define WAYS 2

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
    struct way_panel ways[WAYS]; /* of `blend` and `against` */
    unsigned ways_count;
    struct way_panel *asking;
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
static struct grid_span ground(const struct panel *panel, struct span x, struct span z)
{
    int64_t step = panel->area->grid->step;
    struct span across = whole_squares(x), down = whole_squares(z);

    return (struct grid_span){
        across.first * step + panel->x.phase, down.first * step + panel->z.phase,
        (across.end - 1) * step + panel->x.phase, (down.end - 1) * step + panel->z.phase};
}

/* Reads the clock if times are wanted, and adds what went by since `*since` to `total`. */
static void lap(const struct eco_blend_area *area, uint64_t *total, uint64_t *since)
{
    uint64_t now;

    if (!area->times)
        return;
    now = eco_clock_monotonic_ns();
    if (total)
        __atomic_fetch_add(total, now - *since, __ATOMIC_RELAXED);
    *since = now;
}

#define LAP(area, stage, since) lap(area, (area)->times ? &(area)->times->stage : NULL, since)

static int ask_job(void *context, size_t index, struct eco_arena *scratch)
{
    struct panel *panel = context;
    uint64_t since = 0;
    int code;

    lap(panel->area, NULL, &since);
    if (panel->asking->way->find) {
        panel->asking->way->find(panel->asking, index);
        LAP(panel->area, gather, &since);
    }
    code = panel->asking->way->ask(panel->asking, index, scratch);
    LAP(panel->area, ask, &since);
    return code;
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

static int run_square(const struct panel *panel, const struct way_part *const parts[WAYS],
                      const struct eco_square_place *place, struct eco_arena *scratch)
{
    const struct eco_blend_area *area = panel->area;
    struct eco_square squares[WAYS];
    int code = 0;

    for (unsigned k = 0; !code && k < panel->ways_count; k++)
        code = panel->ways[k].way->square(&panel->ways[k], parts[k], place->block_x, place->block_z,
                                          scratch, &squares[k]);
    if (panel->ways_count == 0)
        code = area->direct(area->context, place, scratch, &squares[0]);
    if (!code)
        area->take(area->context, place, &squares[0], panel->ways_count > 1 ? &squares[1] : NULL);
    return code;
}

/* Hands out the squares of a chunk. */
static int run_chunk(const struct panel *panel, const struct way_part wide[WAYS], struct span x,
                     struct span z, struct eco_arena *scratch)
{
    struct grid_span span = ground(panel, x, z);
    const struct way_part *parts[WAYS] = {&wide[0], &wide[1]};
    struct way_part narrow[WAYS];
    uint64_t since = 0;
    int code = 0;

    lap(panel->area, NULL, &since);
    for (unsigned k = 0; !code && k < panel->ways_count; k++) {
        const struct way_panel *way = &panel->ways[k];

        if (!way->way->chunk)
            continue;
        code = way->way->chunk(way, &wide[k], &span, scratch, &narrow[k]);
        parts[k] = &narrow[k];
    }
    LAP(panel->area, lists, &since);
    x = whole_squares(x);
    z = whole_squares(z);
    for (int64_t row = z.first; !code && row < z.end; row += ECO_SQUARE_SIDE) {
        for (int64_t column = x.first; !code && column < x.end; column += ECO_SQUARE_SIDE) {
            struct eco_arena_mark mark = eco_arena_mark(scratch);
            struct eco_square_place place = place_square(panel, column, row);

            code = run_square(panel, parts, &place, scratch);
            eco_arena_rewind(scratch, mark);
        }
    }
    LAP(panel->area, squares, &since);
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
    struct grid_span span = ground(panel, inside_x, inside_z);
    int64_t side = panel->area->chunk;
    struct way_part parts[WAYS];
    uint64_t since = 0;
    int code = 0;

    lap(panel->area, NULL, &since);
    for (unsigned k = 0; !code && k < panel->ways_count; k++)
        code = panel->ways[k].way->block(&panel->ways[k], &span, scratch, &parts[k]);
    LAP(panel->area, lists, &since);
    for (int64_t row = z.first; !code && row < z.end; row += side) {
        struct span down = clip(inside_z, (struct span){row, row + side});

        for (int64_t column = x.first; !code && column < x.end; column += side) {
            struct span across = clip(inside_x, (struct span){column, column + side});
            struct eco_arena_mark mark = eco_arena_mark(scratch);

            if (across.first < across.end && down.first < down.end)
                code = run_chunk(panel, parts, across, down, scratch);
            eco_arena_rewind(scratch, mark);
        }
    }
    return code;
}

/* The sample nearest to a sample point, if it is in the panel. */
static void hand_out_point(void *context, double x, double z, uint8_t biome)
{
    const struct panel *panel = context;
    double step = (double)panel->area->grid->step;
    int64_t column = (int64_t)floor((x - (double)panel->x.phase) / step + 0.5);
    int64_t row = (int64_t)floor((z - (double)panel->z.phase) / step + 0.5);

    if (column >= panel->panel_x.first && column < panel->panel_x.end &&
        row >= panel->panel_z.first && row < panel->panel_z.end)
        panel->area->point(panel->area->context, (uint32_t)(column - panel->x.origin),
                           (uint32_t)(row - panel->z.origin), biome);
}

static size_t places_asked(const struct panel *panel, const struct way_panel *way)
{
    struct span x = whole_squares(panel->panel_x), z = whole_squares(panel->panel_z);

    if (way->way->asked)
        return way->way->asked(way);
    return (size_t)(x.end - x.first) * (size_t)(z.end - z.first);
}

static int gather_panel(struct panel *panel, struct eco_executor *executor, struct eco_arena *arena,
                        struct eco_error *error)
{
    struct eco_blend_area *area = panel->area;
    struct grid_span span = ground(panel, panel->panel_x, panel->panel_z);
    int code = 0;

    for (unsigned k = 0; !code && k < panel->ways_count; k++) {
        struct way_panel *way = &panel->ways[k];
        uint64_t since = 0;

        lap(area, NULL, &since);
        code = way->way->gather(way, &span, arena, error);
        LAP(area, gather, &since);
        panel->asking = way;
        if (!code)
            code = eco_executor_run(executor, way->jobs, ask_job, panel, arena);
        if (!code)
            area->points_asked += places_asked(panel, way);
    }
    if (!code && area->point && panel->ways_count > 0)
        panel->ways[0].way->points_of(&panel->ways[0], hand_out_point, panel);
    return code;
}

static int run_panel(struct panel *panel, struct eco_executor *executor, struct eco_arena *arena,
                     struct eco_error *error)
{
    int64_t blocks_down;
    int code = gather_panel(panel, executor, arena, error);

    if (code)
        return code;
    panel->block_x = eco_floor_div(panel->panel_x.first, BLOCK_SIDE);
    panel->block_z = eco_floor_div(panel->panel_z.first, BLOCK_SIDE);
    panel->blocks_a_row = eco_floor_div(panel->panel_x.end - 1, BLOCK_SIDE) - panel->block_x + 1;
    blocks_down = eco_floor_div(panel->panel_z.end - 1, BLOCK_SIDE) - panel->block_z + 1;
    return eco_executor_run(executor, (size_t)(panel->blocks_a_row * blocks_down), block_job, panel,
                            arena);
}

/* Sets up the ways and finds how large a panel may be; *side in samples. */
static int prepare(struct panel *panel, struct eco_arena *arena, int64_t *side,
                   struct eco_error *error)
{
    struct eco_blend_area *area = panel->area;
    const struct eco_blend *blends[WAYS] = {area->blend, area->blend ? area->against : NULL};
    int code = 0;

    *side = PANEL_SIDE;
    for (unsigned k = 0; !code && k < WAYS && blends[k]; k++) {
        struct way_panel *way = &panel->ways[panel->ways_count++];
        uint64_t since = 0;
        double points;

        way->area = area;
        way->blend = blends[k];
        way_choose(way);
        for (;; *side = *side / 2 & ~LAST_OF_SQUARE) {
            struct grid_span span = {0, 0, *side * area->grid->step, *side * area->grid->step};

            points = way->way->count(way, &span);
            if (points <= PANEL_POINTS || *side == ECO_SQUARE_SIDE)
                break;
        }
        if (points > PANEL_POINTS_MAX)
            return eco_error_set(error, ECO_EINVAL,
                                 "blend: samples %lld blocks apart with a radius of %g take %.0f "
                                 "points for a square by %s; at most %.0f",
                                 (long long)area->grid->step, way->radius, points,
                                 eco_blend_method_name(way->blend->method), PANEL_POINTS_MAX);
        lap(area, NULL, &since);
        code = way->way->prepare(way, arena);
        LAP(area, gather, &since);
    }
    return code;
}

int eco_blend_area_run(struct eco_blend_area *area, struct eco_executor *executor,
                       struct eco_arena *arena, struct eco_error *error)
{
    const struct eco_grid *grid = area->grid;
    struct eco_arena_mark start = eco_arena_mark(arena), mark;
    struct panel panel = {
        .area = area,
        .x = make_axis(grid->x0, grid->step, grid->width),
        .z = make_axis(grid->z0, grid->step, grid->height),
    };
    int64_t side;
    int code = prepare(&panel, arena, &side, error);

    mark = eco_arena_mark(arena);
    area->points_asked = 0;
    for (int64_t z = panel.z.origin; !code && z < panel.z.end; z += side) {
        for (int64_t x = panel.x.origin; !code && x < panel.x.end; x += side) {
            panel.panel_x = clip((struct span){x, x + side}, (struct span){x, panel.x.end});
            panel.panel_z = clip((struct span){z, z + side}, (struct span){z, panel.z.end});
            code = run_panel(&panel, executor, arena, error);
            eco_arena_rewind(arena, mark);
        }
    }
    eco_arena_rewind(arena, start);
    if (code == ECO_ENOMEM)
        eco_error_set(error, ECO_ENOMEM, "no memory to blend %u x %u samples", grid->width,
                      grid->height);
    return code;
}
