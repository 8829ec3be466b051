/* Every block (full), or the points of a square grid: grid_convolve and grid_lerp. */
#include "blend/way.h"

/* Grid points a job asks the biome source about, at least one row. */
#define POINTS_A_JOB 320

static int prepare(struct way_panel *panel, struct eco_arena *arena)
{
    return disc_make(panel->radius, panel->interval, panel->area->grid->step, arena, &panel->disc);
}

/* Lerp weighs the grid's points themselves, its samples are in between. */
static int prepare_lerp(struct way_panel *panel, struct eco_arena *arena)
{
    return disc_make(panel->radius / (double)panel->interval, 1, 1, arena, &panel->disc);
}

static double count(const struct way_panel *panel, const struct grid_span *span)
{
    double reach = 2 * panel->radius, interval = (double)panel->interval;
    double columns = ((double)(span->x1 - span->x0) + reach) / interval + 2;
    double rows = ((double)(span->z1 - span->z0) + reach) / interval + 2;

    return columns * rows;
}

static struct grid_span weighed_span(const struct way_panel *panel, const struct grid_span *span)
{
    return panel->way == &way_lerp ? lerp_span(panel->interval, span) : *span;
}

static int gather(struct way_panel *panel, const struct grid_span *span, struct eco_arena *arena,
                  struct eco_error *error)
{
    struct grid_span weighed = weighed_span(panel, span);
    struct grid_reach reach = grid_reach_of(&panel->disc, &weighed);
    uint32_t columns = (uint32_t)(reach.end_x - reach.first_x);
    uint32_t rows = (uint32_t)(reach.end_z - reach.first_z);

    if (map_init(&panel->map, reach.first_x, reach.first_z, columns, rows, arena))
        return eco_error_set(error, ECO_ENOMEM, "blend: no memory for %u x %u sample points",
                             columns, rows);
    panel->rows_a_job = columns < POINTS_A_JOB ? POINTS_A_JOB / columns : 1;
    panel->jobs = (rows + panel->rows_a_job - 1) / panel->rows_a_job;
    return 0;
}

static int ask(struct way_panel *panel, size_t job, struct eco_arena *scratch)
{
    struct map *map = &panel->map;
    uint32_t first = (uint32_t)job * panel->rows_a_job, left = map->rows - first;
    uint32_t rows = left < panel->rows_a_job ? left : panel->rows_a_job;
    size_t points = (size_t)map->columns * rows;
    double *x = eco_arena_alloc(scratch, points, sizeof(*x));
    double *z = eco_arena_alloc(scratch, points, sizeof(*z));
    uint8_t *biomes = eco_arena_alloc(scratch, points, sizeof(*biomes));

    if (!x || !z || !biomes)
        return ECO_ENOMEM;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < map->columns; column++) {
            size_t k = (size_t)row * map->columns + column;

            x[k] = (double)((map->first_x + column) * panel->interval);
            z[k] = (double)((map->first_z + first + row) * panel->interval);
        }
    }
    panel->area->ask(panel->area->context, x, z, points, biomes);
    for (uint32_t row = 0; row < rows; row++)
        map_fill(map, first + row, biomes + (size_t)row * map->columns);
    return 0;
}

static size_t asked(const struct way_panel *panel)
{
    return (size_t)panel->map.columns * panel->map.rows;
}

static int no_block(const struct way_panel *panel, const struct grid_span *span,
                    struct eco_arena *scratch, struct way_part *out)
{
    (void)panel;
    (void)span;
    (void)scratch;
    (void)out;
    return 0;
}

static int chunk(const struct way_panel *panel, const struct way_part *wide,
                 const struct grid_span *span, struct eco_arena *scratch, struct way_part *out)
{
    (void)wide;
    return grid_window_find(&panel->disc, &panel->map, span, scratch, &out->window);
}

static int square(const struct way_panel *panel, const struct way_part *part, int64_t x, int64_t z,
                  struct eco_arena *scratch, struct eco_square *out)
{
    (void)panel;
    return grid_square(eco_simd_level(), &part->window, x, z, scratch, out);
}

static int block_lerp(const struct way_panel *panel, const struct grid_span *span,
                      struct eco_arena *scratch, struct way_part *out)
{
    struct grid_span weighed = lerp_span(panel->interval, span);
    int code = grid_window_find(&panel->disc, &panel->map, &weighed, scratch, &out->window);

    if (code)
        return code;
    return lerp_planes_make(eco_simd_level(), &out->window, panel->interval, &weighed, scratch,
                            &out->planes);
}

static int square_lerp(const struct way_panel *panel, const struct way_part *part, int64_t x,
                       int64_t z, struct eco_arena *scratch, struct eco_square *out)
{
    return lerp_square(eco_simd_level(), &part->planes, x, z, panel->area->grid->step, scratch,
                       out);
}

static void points_of(const struct way_panel *panel,
                      void (*point)(void *context, double x, double z, uint8_t biome),
                      void *context)
{
    const struct map *map = &panel->map;

    for (uint32_t row = 0; row < map->rows; row++) {
        const uint32_t *end = map->end + (size_t)row * map->columns;
        const uint8_t *biomes = map->biome + (size_t)row * map->columns;

        for (uint32_t column = 0, run = 0; column < map->columns; column++) {
            run += column == end[run];
            point(context, (double)((map->first_x + column) * panel->interval),
                  (double)((map->first_z + row) * panel->interval), biomes[run]);
        }
    }
}

const struct way way_convolve = {prepare, count,    gather, NULL,   ask,
                                 asked,   no_block, chunk,  square, points_of};
const struct way way_lerp = {prepare_lerp, count,      gather, NULL,        ask,
                             asked,        block_lerp, NULL,   square_lerp, points_of};
