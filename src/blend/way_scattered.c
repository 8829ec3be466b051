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
    struct eco_rect rect = rect_of(span);
    int code = eco_blend_points_gather(panel->blend, &rect, arena, &panel->lattice, error);

    panel->points = code ? 0 : panel->lattice.count;
    panel->jobs = (panel->points + POINTS_A_JOB - 1) / POINTS_A_JOB;
    return code;
}

static int ask(struct way_panel *panel, size_t job, struct eco_arena *scratch)
{
    const struct eco_blend_points *points = &panel->lattice;
    size_t first = job * POINTS_A_JOB;
    size_t some = points->count - first < POINTS_A_JOB ? points->count - first : POINTS_A_JOB;

    (void)scratch;
    panel->area->ask(panel->area->context, points->x + first, points->z + first, some,
                     points->biome + first);
    return 0;
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

    for (size_t k = 0; k < points->count; k++)
        point(context, points->x[k], points->z[k], points->biome[k]);
}

const struct way way_scattered = {prepare, count, gather, ask, block, chunk, square, points_of};
