/* The choice of a way, and the way without blending. */
#include "blend/way.h"

void way_choose(struct way_panel *panel)
{
    const struct eco_blend *blend = panel->blend;

    panel->radius = eco_blend_radius(blend);
    panel->interval = blend->method == ECO_BLEND_FULL ? 1 : (int64_t)blend->interval;
    switch (blend->method) {
    case ECO_BLEND_FULL:
    case ECO_BLEND_GRID_CONVOLVE:
        panel->way = &way_convolve;
        break;
    case ECO_BLEND_GRID_LERP:
        panel->way = &way_lerp;
        break;
    case ECO_BLEND_NONE:
        panel->way = &way_none;
        break;
    default:
        panel->way = &way_scattered;
    }
}

static int prepare(struct way_panel *panel, struct eco_arena *arena)
{
    (void)panel;
    (void)arena;
    return 0;
}

static double count(const struct way_panel *panel, const struct grid_span *span)
{
    (void)panel;
    (void)span;
    return 0;
}

static int gather(struct way_panel *panel, const struct grid_span *span, struct eco_arena *arena,
                  struct eco_error *error)
{
    (void)span;
    (void)arena;
    (void)error;
    panel->jobs = 0; /* the squares ask */
    return 0;
}

static int block(const struct way_panel *panel, const struct grid_span *span,
                 struct eco_arena *scratch, struct way_part *out)
{
    (void)panel;
    (void)span;
    (void)scratch;
    (void)out;
    return 0;
}

static int square(const struct way_panel *panel, const struct way_part *part, int64_t x, int64_t z,
                  struct eco_arena *scratch, struct eco_square *out)
{
    const struct eco_blend_area *area = panel->area;
    double places_x[ECO_SQUARE_AREA], places_z[ECO_SQUARE_AREA];
    uint8_t biomes[ECO_SQUARE_AREA];

    (void)part;
    for (int k = 0; k < ECO_SQUARE_AREA; k++) {
        places_x[k] = (double)(x + k % ECO_SQUARE_SIDE * area->grid->step);
        places_z[k] = (double)(z + k / ECO_SQUARE_SIDE * area->grid->step);
    }
    area->ask(area->context, places_x, places_z, ECO_SQUARE_AREA, biomes);
    return eco_blend_hard_square(biomes, scratch, out);
}

static void points_of(const struct way_panel *panel,
                      void (*point)(void *context, double x, double z, uint8_t biome),
                      void *context)
{
    (void)panel;
    (void)point;
    (void)context;
}

const struct way way_none = {prepare, count, gather, NULL,   NULL,
                             NULL,    block, NULL,   square, points_of};
