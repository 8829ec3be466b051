#include "world/relief/erode.h"

#include "base/checked.h"
#include "ecotone/error.h"
#include "world/relief/lanes.h"

/* How a kind looks around, and in which order it goes through the colours: the order decides how
 * far an iteration reaches. tests/unit/test_relief_erode.c follows the cells to prove it. */
struct manner {
    int colours[RELIEF_LANES];
    uint32_t reach, once; /* cells an iteration, and once more for all of them */
    int dx[4], dz[4];
};

static const struct manner beside = {
    {0, 2, 4, 3, 1}, 7, 1, {0, -1, 1, 0}, {-1, 0, 0, 1},
};
static const struct manner diagonal = {
    {0, 1, 2, 3, 4}, 10, 0, {-1, 1, -1, 1}, {-1, -1, 1, 1},
};

/* Cells are all changed at once from what was there before. */
static const struct manner at_once = {
    {0, 1, 2, 3, 4}, 1, 0, {0, -1, 1, 0}, {-1, 0, 0, 1},
};
/* What leaves a neighbour depends on the neighbours of that one. */
static const struct manner reference = {
    {0, 1, 2, 3, 4}, 2, 0, {0, -1, 1, 0}, {-1, 0, 0, 1},
};

/* Of a difference, that a settling cell takes over; below 1/4, at which cells would swing. */
#define SETTLING 0.2f

/* A step while it runs. Cells x0 .. x1 - 1, z0 .. z1 - 1 are still right. */
struct run {
    const struct eco_relief_step *step;
    const struct manner *manner;
    const struct relief_kernels *kernels;
    float talus;
    int64_t x0, z0, x1, z1;
    struct relief_lanes ground;
    struct relief_lanes water, load;   /* of hydraulic, load of its reference form */
    struct relief_lanes before;        /* of settle and reference forms; hydraulic: the surface */
    struct relief_lanes rate, carried; /* of reference forms */
};

static const struct manner *manner_of(const struct eco_relief_step *step)
{
    if (step->kind == ECO_RELIEF_SETTLE)
        return &at_once;
    if (step->form == ECO_RELIEF_REFERENCE)
        return &reference;
    return step->kind == ECO_RELIEF_THERMAL ? &diagonal : &beside;
}

/* Ground evens out over twice the cells in four times the iterations. */
static unsigned iterations_of(const struct relief_erosion *erosion,
                              const struct eco_relief_step *step)
{
    unsigned log = 2 * erosion->shift < 31 ? 2 * erosion->shift : 31;

    return (step->iterations + (1u << log >> 1)) >> log;
}

uint32_t relief_reach(const struct relief_erosion *erosion)
{
    uint32_t reach = 0;

    for (unsigned k = 0; k < erosion->count; k++) {
        const struct manner *manner = manner_of(&erosion->steps[k]);
        unsigned iterations = iterations_of(erosion, &erosion->steps[k]);

        reach += iterations ? iterations * manner->reach + manner->once : 0;
    }
    return reach;
}

static void around(const struct relief_lanes *lanes, const struct manner *manner, int64_t z,
                   int lane, size_t first, float *out[5])
{
    out[0] = relief_lane(lanes, z, lane) + first;
    for (unsigned k = 0; k < 4; k++)
        out[k + 1] = relief_lane(lanes, z + manner->dz[k], lane + manner->dx[k]) + first;
}

/* The cells of a lane that have neighbours on both sides: *first and their number. */
static size_t inner_cells(const struct run *run, int lane, size_t *first)
{
    int64_t left = run->x0 + 1 - run->ground.x0 - lane, right = run->x1 - 1 - run->ground.x0 - lane;

    *first = (size_t)((left + RELIEF_LANES - 1) / RELIEF_LANES);
    return (size_t)((right + RELIEF_LANES - 1) / RELIEF_LANES) - *first;
}

/* Updates the cells of a colour in row z whose whole neighbourhood is inside. */
static void run_row(const struct run *run, int64_t z, int colour)
{
    int lane = (int)eco_floor_mod(colour - 2 * z, RELIEF_LANES);
    size_t first, count = inner_cells(run, lane, &first);
    float *ground[5];
    struct relief_flow flow;

    around(&run->ground, run->manner, z, lane, first, ground);
    switch (run->step->kind) {
    case ECO_RELIEF_THERMAL:
        run->kernels->thermal(ground[0], ground + 1, run->talus, (float)run->step->c, count);
        break;
    case ECO_RELIEF_HYDRAULIC:
        for (unsigned k = 0; k < 5; k++)
            flow.ground[k] = ground[k];
        around(&run->water, run->manner, z, lane, first, flow.water);
        run->kernels->flow(&flow, count);
        break;
    default:
        run->kernels->inverted(ground[0], ground + 1, run->talus, count);
        break;
    }
}

static struct relief_rain rain_of(const struct eco_relief_step *step)
{
    return (struct relief_rain){(float)step->rain, (float)step->solubility, (float)step->capacity,
                                1.0f - (float)step->evaporation};
}

/* What does not look around is done to all cells that are stored, whatever they hold. */
static void weather(const struct run *run, bool wet)
{
    const struct relief_rain rain = rain_of(run->step);
    const struct relief_kernels *kernels = run->kernels;
    size_t columns = (size_t)(run->x1 - run->ground.x0 + RELIEF_LANES - 1) / RELIEF_LANES;
    bool fast = run->step->form == ECO_RELIEF_FAST;

    for (int64_t z = run->z0; z < run->z1; z++) {
        for (int lane = 0; lane < RELIEF_LANES; lane++) {
            float *ground = relief_lane(&run->ground, z, lane);
            float *water = relief_lane(&run->water, z, lane);

            if (fast)
                (wet ? kernels->pour : kernels->drain)(&rain, ground, water, columns);
            else
                (wet ? kernels->rain : kernels->dry)(&rain, ground, water,
                                                     relief_lane(&run->load, z, lane), columns);
        }
    }
}

/* A cell and its eight neighbours. */
static void around_all(const struct relief_lanes *lanes, int64_t z, int lane, size_t first,
                       const float *out[RELIEF_AROUND])
{
    for (int k = 0; k < RELIEF_AROUND; k++)
        out[k] = relief_lane(lanes, z + k / 3 - 1, lane + k % 3 - 1) + first;
}

/* Adds what `rate` gives to each cell of `out` from higher neighbours. */
static void gather(const struct run *run, const struct relief_lanes *rate,
                   const struct relief_lanes *out, float least)
{
    for (int64_t z = run->z0 + 1; z < run->z1 - 1; z++) {
        for (int lane = 0; lane < RELIEF_LANES; lane++) {
            struct relief_gather from = {.least = least};
            size_t first, count = inner_cells(run, lane, &first);

            around_all(&run->before, z, lane, first, from.surface);
            around_all(rate, z, lane, first, from.rate);
            from.out = relief_lane(out, z, lane) + first;
            run->kernels->gather(&from, count);
        }
    }
}

static void swap_before(struct run *run)
{
    struct relief_lanes before = run->ground;

    run->ground = run->before;
    run->before = before;
}

static void slide_once(struct run *run)
{
    swap_before(run);
    for (int64_t z = run->z0 + 1; z < run->z1 - 1; z++) {
        for (int lane = 0; lane < RELIEF_LANES; lane++) {
            size_t first, count = inner_cells(run, lane, &first);
            const float *rows[RELIEF_AROUND];

            around_all(&run->before, z, lane, first, rows);
            run->kernels->slide(relief_lane(&run->ground, z, lane) + first,
                                relief_lane(&run->rate, z, lane) + first, rows, run->talus,
                                (float)run->step->c, count);
        }
    }
    gather(run, &run->rate, &run->ground, run->talus);
}

static void spread_once(struct run *run)
{
    weather(run, true);
    for (int64_t z = run->z0; z < run->z1; z++) {
        float *surface = relief_lane(&run->before, z, 0);
        const float *ground = relief_lane(&run->ground, z, 0);
        const float *water = relief_lane(&run->water, z, 0);

        for (size_t k = 0; k < RELIEF_LANES * run->ground.stride - RELIEF_LANES_PAD; k++)
            surface[k] = ground[k] + water[k];
    }
    for (int64_t z = run->z0 + 1; z < run->z1 - 1; z++) {
        for (int lane = 0; lane < RELIEF_LANES; lane++) {
            size_t first, count = inner_cells(run, lane, &first);
            struct relief_spread at = {.rate = relief_lane(&run->rate, z, lane) + first,
                                       .carried = relief_lane(&run->carried, z, lane) + first,
                                       .water = relief_lane(&run->water, z, lane) + first,
                                       .load = relief_lane(&run->load, z, lane) + first};

            around_all(&run->before, z, lane, first, at.surface);
            run->kernels->spread(&at, count);
        }
    }
    gather(run, &run->rate, &run->water, 0.0f);
    gather(run, &run->carried, &run->load, 0.0f);
    weather(run, false);
}

static void settle_once(struct run *run)
{
    swap_before(run);
    for (int64_t z = run->z0 + 1; z < run->z1 - 1; z++) {
        for (int lane = 0; lane < RELIEF_LANES; lane++) {
            size_t first, count = inner_cells(run, lane, &first);
            float *row[5];

            around(&run->before, run->manner, z, lane, first, row);
            run->kernels->settle(relief_lane(&run->ground, z, lane) + first, row, run->talus,
                                 SETTLING, count);
        }
    }
}

static void run_once(struct run *run)
{
    bool hydraulic = run->step->kind == ECO_RELIEF_HYDRAULIC;

    if (run->manner == &at_once) {
        settle_once(run);
        return;
    }
    if (run->manner == &reference) {
        (hydraulic ? spread_once : slide_once)(run);
        return;
    }
    if (hydraulic)
        weather(run, true);
    for (unsigned k = 0; k < RELIEF_LANES; k++) {
        for (int64_t z = run->z0 + 1; z < run->z1 - 1; z++)
            run_row(run, z, run->manner->colours[k]);
    }
    if (hydraulic)
        weather(run, false);
}

static void shrink(struct run *run, int64_t by)
{
    run->x0 += by;
    run->z0 += by;
    run->x1 -= by;
    run->z1 -= by;
}

static int start(struct run *run, const struct relief_erosion *erosion, unsigned index,
                 const struct relief_area *area, struct eco_arena *arena)
{
    const struct eco_relief_step *step = &erosion->steps[index];
    bool hydraulic = step->kind == ECO_RELIEF_HYDRAULIC;
    int code = 0;

    run->step = step;
    run->manner = manner_of(step);
    run->talus = (float)(step->talus / erosion->period);
    if (hydraulic)
        code = relief_lanes_load(&run->water, area, NULL, arena);
    /* What lies on the border never changes. */
    if (!code && (run->manner == &at_once || run->manner == &reference))
        code = relief_lanes_copy(&run->before, &run->ground, area, arena);
    if (!code && run->manner == &reference)
        code = relief_lanes_load(&run->rate, area, NULL, arena);
    if (!code && run->manner == &reference && hydraulic) {
        code = relief_lanes_load(&run->carried, area, NULL, arena);
        if (!code)
            code = relief_lanes_load(&run->load, area, NULL, arena);
    }
    return code;
}

static int erode(const struct relief_erosion *erosion, const struct relief_area *area, bool alone,
                 struct eco_arena *arena, float *heights)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    struct run run = {
        .kernels = erosion->kernels,
        .x0 = area->x0,
        .z0 = area->z0,
        .x1 = area->x0 + area->width,
        .z1 = area->z0 + area->height,
    };
    int code = relief_lanes_load(&run.ground, area, heights, arena);

    for (unsigned k = 0; !code && k < erosion->count; k++) {
        unsigned iterations = iterations_of(erosion, &erosion->steps[k]);

        code = start(&run, erosion, k, area, arena);
        for (unsigned n = 0; !code && n < iterations; n++) {
            run_once(&run);
            if (!alone)
                shrink(&run, run.manner->reach);
        }
        if (!alone && iterations > 0)
            shrink(&run, run.manner->once);
    }
    if (!code)
        relief_lanes_store(&run.ground, area, heights);
    eco_arena_rewind(arena, mark);
    return code;
}

int relief_erode(const struct relief_erosion *erosion, const struct relief_area *area,
                 struct eco_arena *arena, float *heights)
{
    return erode(erosion, area, false, arena, heights);
}

int relief_erode_alone(const struct relief_erosion *erosion, const struct relief_area *area,
                       struct eco_arena *arena, float *heights)
{
    return erode(erosion, area, true, arena, heights);
}
