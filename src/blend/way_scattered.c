#include "blend/way.h"

/* Sample points a job asks the biome source about. */
#define POINTS_A_JOB 256

static struct eco_rect rect_of(const struct grid_span *span)
{
    return (struct eco_rect){(double)span->x0, (double)span->z0, (double)span->x1,
                             (double)span->z1};
}

static int prepare(struct way_panel *panel, struct eco_arena *arena)
{
    (void)panel;
    (void)arena;
    return 0;
}

static double count(const struct way_panel *panel, const struct grid_span *span)
{
    double reach = 2 * panel->radius;
    double width = (double)(span->x1 - span->x0) + reach;
    double height = (double)(span->z1 - span->z0) + reach;
    double spacing = ECO_LATTICE_SPACING_FREQUENCY / panel->blend->frequency;

    return width * height / (spacing * spacing);
}

static int gather(struct way_panel *panel, const struct grid_span *span, struct eco_arena *arena,
                  struct eco_error *error)
{
    const struct eco_blend_points *points = &panel->lattice;
    struct eco_rect rect = rect_of(span);
    int code = eco_blend_points_plan(panel->blend, &rect, arena, &panel->lattice, error);
    size_t places = code ? 0 : points->row_start[points->rows];

    if (code)
        return code;
    panel->rows_a_job = places > 0 ? (uint32_t)(POINTS_A_JOB * points->rows / places) : 1;
    panel->rows_a_job = panel->rows_a_job > 0 ? panel->rows_a_job : 1;
    panel->jobs = (points->rows + panel->rows_a_job - 1) / panel->rows_a_job;
    return 0;
}

/* The rows of a job. */
static uint32_t first_row(const struct way_panel *panel, size_t job)
{
    return (uint32_t)job * panel->rows_a_job;
}

static uint32_t end_row(const struct way_panel *panel, size_t job)
{
    uint32_t first = first_row(panel, job), left = panel->lattice.rows - first;

    return first + (left < panel->rows_a_job ? left : panel->rows_a_job);
}

static void find(struct way_panel *panel, size_t job)
{
    eco_blend_points_find(&panel->lattice, first_row(panel, job), end_row(panel, job));
}

static int ask(struct way_panel *panel, size_t job, struct eco_arena *scratch)
{
    const struct eco_blend_points *points = &panel->lattice;
    size_t first = points->row_start[first_row(panel, job)];
    size_t end = points->row_end[end_row(panel, job) - 1];

    (void)scratch;
    panel->area->ask(panel->area->context, points->x + first, points->z + first, end - first,
                     points->biome + first);
    return 0;
}

static size_t asked(const struct way_panel *panel)
{
    const struct eco_blend_points *points = &panel->lattice;
    size_t total = 0;

    for (uint32_t row = 0; row < points->rows; row++)
        total += points->row_end[row] - points->row_start[row];
    return total;
}

static int block(const struct way_panel *panel, const struct grid_span *span,
                 struct eco_arena *scratch, struct way_part *out)
{
    struct eco_rect rect = rect_of(span);

    return eco_blend_lists_find(&panel->lattice, &rect, scratch, &out->lists);
}

static int chunk(const struct way_panel *panel, const struct way_part *wide,
                 const struct grid_span *span, struct eco_arena *scratch, struct way_part *out)
{
    struct eco_rect rect = rect_of(span);

    return eco_blend_lists_narrow(&wide->lists, &rect, panel->lattice.radius, scratch, &out->lists);
}

static int square(const struct way_panel *panel, const struct way_part *part, int64_t x, int64_t z,
                  struct eco_arena *scratch, struct eco_square *out)
{
    return eco_blend_square(eco_simd_level(), &part->lists, panel->lattice.radius, x, z,
                            panel->area->grid->step, scratch, out);
}

static void points_of(const struct way_panel *panel,
                      void (*point)(void *context, double x, double z, uint8_t biome),
                      void *context)
{
    const struct eco_blend_points *points = &panel->lattice;

    for (uint32_t row = 0; row < points->rows; row++) {
        for (size_t k = points->row_start[row]; k < points->row_end[row]; k++)
            point(context, points->x[k], points->z[k], points->biome[k]);
    }
}

const struct way way_scattered = {prepare, count, gather, find,   ask,
                                  asked,   block, chunk,  square, points_of};
