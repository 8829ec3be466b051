#include "world/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/limits.h"

/* Samples a side of the parts that an area is looked at in, between two looks at `stop`. */
#define PART 256

static bool is_stopped(const struct eco_query_stop *stop)
{
    return stop && stop->asked(stop->context);
}

static int canceled(struct eco_error *error)
{
    return eco_error_set(error, ECO_ECANCELED, "nobody waits for the answer any more");
}

int eco_query_biome(const struct eco_world_config *config, unsigned id)
{
    for (unsigned b = 0; b < config->biomes_count; b++) {
        if (config->biomes[b].biome.id == id)
            return (int)b;
    }
    return -1;
}

/* --- areas ---------------------------------------------------------------------------------- */

static int check_area(const struct eco_area *area, struct eco_error *error)
{
    if (area->x1 <= area->x0 || area->z1 <= area->z0)
        return eco_error_set(error, ECO_EINVAL, "x1 and z1 must be greater than x0 and z0");
    if (area->x0 < -ECO_WORLD_HALF || area->z0 < -ECO_WORLD_HALF || area->x1 > ECO_WORLD_HALF ||
        area->z1 > ECO_WORLD_HALF)
        return eco_error_set(error, ECO_EINVAL, "the area leaves the world; blocks, %d to %d",
                             -ECO_WORLD_HALF, ECO_WORLD_HALF);
    return 0;
}

static uint64_t samples_along(int64_t blocks, int64_t step)
{
    return (uint64_t)((blocks + step - 1) / step);
}

static int compare_floats(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;

    return (left > right) - (left < right);
}

static void count_part(const struct eco_planes *planes, size_t count, float sea_level,
                       struct eco_area_answer *out)
{
    for (size_t k = 0; k < count; k++) {
        out->counts[planes->biome[k]]++;
        out->land += planes->height[k] >= sea_level;
    }
}

static int sample_area(const struct eco_world *world, const struct eco_area *area, float *heights,
                       struct eco_sampler *sampler, const struct eco_query_stop *stop,
                       struct eco_area_answer *out, struct eco_error *error)
{
    float sea_level = (float)eco_world_config_of(world)->sea_level;
    size_t filled = 0;

    for (uint32_t z = 0; z < out->rows; z += PART) {
        for (uint32_t x = 0; x < out->columns; x += PART) {
            /* A sample stands in the middle of its ground, as the pixel of a tile does. */
            struct eco_grid grid = {area->x0 + out->step / 2 + x * out->step,
                                    area->z0 + out->step / 2 + z * out->step, out->step,
                                    out->columns - x < PART ? out->columns - x : PART,
                                    out->rows - z < PART ? out->rows - z : PART};
            size_t count = (size_t)grid.width * grid.height;
            struct eco_planes planes;
            int code;

            if (is_stopped(stop))
                return canceled(error);
            eco_arena_reset(&sampler->arena);
            code = eco_world_sample(world, &grid, ECO_FIELD_BIOME | ECO_FIELD_HEIGHT, sampler,
                                    &planes, error);
            if (code)
                return code;
            count_part(&planes, count, sea_level, out);
            memcpy(heights + filled, planes.height, count * sizeof(*heights));
            filled += count;
        }
    }
    return 0;
}

int eco_query_area(const struct eco_world *world, const struct eco_area *area,
                   struct eco_sampler *sampler, const struct eco_query_stop *stop,
                   struct eco_area_answer *out, struct eco_error *error)
{
    static const double quantiles[ECO_AREA_QUANTILES] = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};
    int code = check_area(area, error);
    size_t count;
    float *heights;

    memset(out, 0, sizeof(*out));
    if (code)
        return code;
    out->step = 1;
    while (samples_along(area->x1 - area->x0, out->step) *
               samples_along(area->z1 - area->z0, out->step) >
           ECO_AREA_SAMPLES_MAX)
        out->step *= 2;
    out->columns = (uint32_t)samples_along(area->x1 - area->x0, out->step);
    out->rows = (uint32_t)samples_along(area->z1 - area->z0, out->step);
    count = (size_t)out->columns * out->rows;
    heights = malloc(count * sizeof(*heights));
    if (!heights)
        return eco_error_set(error, ECO_ENOMEM, "no memory for %zu heights", count);
    code = sample_area(world, area, heights, sampler, stop, out, error);
    if (!code) {
        qsort(heights, count, sizeof(*heights), compare_floats);
        for (unsigned q = 0; q < ECO_AREA_QUANTILES; q++)
            out->heights[q] = heights[(size_t)(quantiles[q] * (double)(count - 1) + 0.5)];
    }
    free(heights);
    return code;
}

/* --- the nearest ---------------------------------------------------------------------------- */

/* Blocks a side of the squares that are looked at in one piece where there is no survey: what a
 * world works out beyond a square is lost. */
#define SQUARE 1024

#define REGION (ECO_SURVEY_SIDE * ECO_SURVEY_PLOT) /* blocks a side of what is surveyed at once */
#define REGIONS (2 * ECO_LOCATE_WITHIN_MAX / REGION + 3)

struct search {
    const struct eco_world *world;
    const struct eco_locate *locate;
    struct eco_sampler *sampler;
    const struct eco_query_stop *stop;
    struct eco_locate_answer *out;
    int64_t best2; /* distance squared of what was found, or just beyond what is asked for */
    int64_t side;  /* of the squares, blocks */
    bool surveys;  /* squares are the plots of a survey */
    int64_t region_i, region_j; /* of the first region */
    struct {
        bool known;
        uint64_t plots;
    } regions[REGIONS * REGIONS];
};

static int64_t square_of(int64_t value)
{
    return value * value;
}

/* Distance from the place to the blocks first to last. */
static int64_t axis_gap(int64_t place, int64_t first, int64_t last)
{
    return place < first ? first - place : place > last ? place - last : 0;
}

static void take_sample(struct search *search, int64_t x, int64_t z)
{
    int64_t far2 = square_of(x - search->locate->x) + square_of(z - search->locate->z);
    struct eco_locate_answer *out = search->out;

    if (far2 > search->best2)
        return;
    /* What is not found yet stands one beyond the distance asked for. */
    if (far2 == search->best2 && (!out->found || z > out->z || (z == out->z && x >= out->x)))
        return;
    search->best2 = far2;
    out->found = true;
    out->x = x;
    out->z = z;
}

/* Whether a square is near enough to be looked at. */
static bool is_near(const struct search *search, int64_t x, int64_t z)
{
    int64_t last_x = x + search->side - 1, last_z = z + search->side - 1;

    if (x < -ECO_WORLD_HALF || z < -ECO_WORLD_HALF || x >= ECO_WORLD_HALF || z >= ECO_WORLD_HALF)
        return false;
    return square_of(axis_gap(search->locate->x, x, last_x)) +
               square_of(axis_gap(search->locate->z, z, last_z)) <=
           search->best2;
}

/* Asks the survey about a plot, whose region is surveyed the first time. */
static int ask_survey(struct search *search, int64_t i, int64_t j, bool *maybe,
                      struct eco_error *error)
{
    int64_t u = eco_floor_div(i, ECO_SURVEY_SIDE), v = eco_floor_div(j, ECO_SURVEY_SIDE);
    int64_t at = (v - search->region_j) * REGIONS + u - search->region_i;
    int64_t plot = (j - v * ECO_SURVEY_SIDE) * ECO_SURVEY_SIDE + i - u * ECO_SURVEY_SIDE;

    if (!search->regions[at].known) {
        eco_arena_reset(&search->sampler->arena);
        if (eco_world_survey(search->world, u * REGION, v * REGION, search->locate->biome,
                             search->sampler, &search->regions[at].plots))
            return eco_error_set(error, ECO_ENOMEM, "no memory for a survey");
        search->regions[at].known = true;
    }
    *maybe = search->regions[at].plots >> plot & 1;
    return 0;
}

/* Looks through the square (i, j) of the grid of squares, unless it cannot have anything. */
static int search_square(struct search *search, int64_t i, int64_t j, struct eco_error *error)
{
    const int64_t side = search->side;
    struct eco_grid grid = {i * side, j * side, 1, (uint32_t)side, (uint32_t)side};
    size_t count = (size_t)(side * side);
    const uint8_t *next, *end;
    struct eco_planes planes;
    bool maybe = true;
    int code = 0;

    if (!is_near(search, grid.x0, grid.z0))
        return 0;
    if (search->surveys)
        code = ask_survey(search, i, j, &maybe, error);
    if (code || !maybe)
        return code;
    eco_arena_reset(&search->sampler->arena);
    code = eco_world_sample(search->world, &grid, ECO_FIELD_BIOME, search->sampler, &planes, error);
    if (code)
        return code;
    search->out->samples += count;
    end = planes.biome + count;
    for (next = planes.biome; next < end; next++) {
        next = memchr(next, (int)search->locate->biome, (size_t)(end - next));
        if (!next)
            break;
        take_sample(search, grid.x0 + (next - planes.biome) % side,
                    grid.z0 + (next - planes.biome) / side);
    }
    return 0;
}

/* The squares at a distance of `ring` from (i, j), all four sides. */
static int search_ring(struct search *search, int64_t i, int64_t j, int64_t ring,
                       struct eco_error *error)
{
    int code = 0;

    for (int64_t v = -ring; v <= ring; v++) {
        int64_t across = v == -ring || v == ring ? 1 : 2 * ring;

        for (int64_t u = -ring; !code && u <= ring; u += across) {
            if (is_stopped(search->stop))
                return canceled(error);
            code = search_square(search, i + u, j + v, error);
        }
    }
    return code;
}

static int check_locate(const struct eco_locate *locate, struct eco_error *error)
{
    if (locate->within < 0 || locate->within > ECO_LOCATE_WITHIN_MAX)
        return eco_error_set(error, ECO_EINVAL, "within is out of range; blocks, 0 to %d",
                             ECO_LOCATE_WITHIN_MAX);
    if (locate->x < -ECO_WORLD_HALF || locate->x >= ECO_WORLD_HALF || locate->z < -ECO_WORLD_HALF ||
        locate->z >= ECO_WORLD_HALF)
        return eco_error_set(error, ECO_EINVAL, "x and z must lie in the world; blocks, %d to %d",
                             -ECO_WORLD_HALF, ECO_WORLD_HALF - 1);
    return 0;
}

int eco_query_locate(const struct eco_world *world, const struct eco_locate *locate,
                     struct eco_sampler *sampler, const struct eco_query_stop *stop,
                     struct eco_locate_answer *out, struct eco_error *error)
{
    struct search search = {.world = world,
                            .locate = locate,
                            .sampler = sampler,
                            .stop = stop,
                            .out = out,
                            .best2 = square_of(locate->within) + 1,
                            .surveys = eco_world_surveys(world)};
    int code = check_locate(locate, error);
    int64_t i, j;

    *out = (struct eco_locate_answer){.found = false};
    if (code)
        return code;
    search.side = search.surveys ? ECO_SURVEY_PLOT : SQUARE;
    search.region_i = eco_floor_div(locate->x - ECO_LOCATE_WITHIN_MAX, REGION) - 1;
    search.region_j = eco_floor_div(locate->z - ECO_LOCATE_WITHIN_MAX, REGION) - 1;
    i = eco_floor_div(locate->x, search.side);
    j = eco_floor_div(locate->z, search.side);
    /* All of a ring is at least this far away: ring - 1 whole squares lie between. */
    for (int64_t ring = 0;
         !code && (ring < 2 || square_of((ring - 1) * search.side) <= search.best2); ring++)
        code = search_ring(&search, i, j, ring, error);
    if (!code && out->found)
        out->distance = sqrt((double)search.best2);
    return code;
}
