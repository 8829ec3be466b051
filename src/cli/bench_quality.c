/*
 * How near each method comes to blending by every block, on the article's maps of 768x768 blocks,
 * seeds one higher from map to map.
 *
 * Error of a block: half the sum of the absolute differences of its weights to those of `full` at
 * the same radius, so 0 where they agree and 1 where no biome is shared.
 *
 * Grid artefact index: in every block where the greatest weight is at most 0.95, the direction of
 * the gradient of that biome's weight (differences of the blocks beside it, x + 1 to x - 1 and
 * likewise z) is taken; the index is the share of them within 3 degrees of the two axes and the two
 * diagonals. There are eight such directions, so borders that run every way alike give 8 * 6 / 360
 * = 0.133, and borders that follow a grid more.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blend/area.h"
#include "cli/bench.h"

#define MAP_SIDE 768
#define TILE_SIDE 256
#define MAP_AREA ((size_t)MAP_SIDE * MAP_SIDE)
#define BIOMES 4
#define MAPS_DEFAULT 5

#define BORDER_GREATEST 0.95f
#define NEAR_DEGREES 3.0
#define EIGHTH_DEGREES 45.0

struct quality_run {
    struct eco_biome_source_state source;
    struct eco_grid grid; /* of the tile */
    enum eco_blend_method method;
    int64_t interval, radius, maps;
    float (*weights)[BIOMES]; /* of a map, row by row */
    float *errors;
    /* Results: */
    double mean, largest;
    size_t directions, along; /* of all, and near the axes and diagonals */
    size_t points;
};

static void ask_biomes(void *context, const double *x, const double *z, size_t count,
                       uint8_t *biomes)
{
    struct quality_run *run = context;

    eco_biome_source_points(&run->source, x, z, count, biomes);
}

static void weights_at(const struct eco_square *square, int k, float weights[BIOMES])
{
    memset(weights, 0, BIOMES * sizeof(*weights));
    for (unsigned b = 0; b < square->count; b++)
        weights[square->biomes[b]] = square->weights ? square->weights[b][k] : 1.0f;
}

static void take_square(void *context, const struct eco_square_place *place,
                        const struct eco_square *square, const struct eco_square *against)
{
    const struct quality_run *run = context;

    for (int k = 0; k < ECO_SQUARE_AREA; k++) {
        size_t to = (size_t)(place->block_z + k / ECO_SQUARE_SIDE) * MAP_SIDE +
                    (size_t)(place->block_x + k % ECO_SQUARE_SIDE);
        float full[BIOMES], error = 0.0f;

        weights_at(square, k, run->weights[to]);
        weights_at(against, k, full);
        for (unsigned b = 0; b < BIOMES; b++)
            error += fabsf(run->weights[to][b] - full[b]);
        run->errors[to] = 0.5f * error;
    }
}

static int blend_map(struct quality_run *run, int64_t map, struct eco_worker *worker)
{
    struct eco_blend blend, full;
    int code = eco_bench_blend_init(&blend, run->method, run->interval, run->radius, map, NULL);

    if (!code)
        code = eco_bench_blend_init(&full, ECO_BLEND_FULL, 1, run->radius, map, NULL);
    for (int64_t k = 0; !code && k < (MAP_SIDE / TILE_SIDE) * (MAP_SIDE / TILE_SIDE); k++) {
        struct eco_grid grid = {k % (MAP_SIDE / TILE_SIDE) * TILE_SIDE,
                                k / (MAP_SIDE / TILE_SIDE) * TILE_SIDE, 1, TILE_SIDE, TILE_SIDE};
        struct eco_blend_area area = {
            .grid = &grid,
            .chunk = 16,
            .blend = &blend,
            .against = &full,
            .ask = ask_biomes,
            .take = take_square,
            .context = run,
        };

        eco_arena_reset(&worker->sampler.arena);
        code = eco_blend_area_run(&area, worker->sampler.executor, &worker->sampler.arena, NULL);
    }
    return code;
}

/* The direction of the gradient of one biome's weight, if it has any. */
static void count_direction(struct quality_run *run, size_t at, unsigned biome)
{
    float east = run->weights[at + 1][biome] - run->weights[at - 1][biome];
    float south = run->weights[at + MAP_SIDE][biome] - run->weights[at - MAP_SIDE][biome];
    double degrees, off;

    if (east == 0.0f && south == 0.0f)
        return;
    degrees = atan2((double)south, (double)east) * (180.0 / 3.14159265358979323846);
    off = fabs(degrees - EIGHTH_DEGREES * round(degrees / EIGHTH_DEGREES));
    run->directions++;
    run->along += off <= NEAR_DEGREES;
}

static void judge_map(struct quality_run *run)
{
    double sum = 0.0;

    for (size_t k = 0; k < MAP_AREA; k++) {
        sum += (double)run->errors[k];
        run->largest = fmax(run->largest, (double)run->errors[k]);
    }
    run->mean += sum / (double)MAP_AREA / (double)run->maps;
    for (size_t z = 1; z + 1 < MAP_SIDE; z++) {
        for (size_t x = 1; x + 1 < MAP_SIDE; x++) {
            size_t at = z * MAP_SIDE + x;
            unsigned greatest = 0;

            for (unsigned b = 1; b < BIOMES; b++)
                greatest = run->weights[at][b] > run->weights[at][greatest] ? b : greatest;
            if (run->weights[at][greatest] <= BORDER_GREATEST)
                count_direction(run, at, greatest);
        }
    }
}

static int run_maps(void *context, struct eco_worker *worker)
{
    struct quality_run *run = context;
    int code = 0;

    for (int64_t map = 0; !code && map < run->maps; map++) {
        eco_biome_source_release(&run->source);
        code = eco_bench_source_init(&run->source, map);
        if (!code)
            code = blend_map(run, map, worker);
        if (!code)
            judge_map(run);
    }
    return code;
}

static int add_row(struct quality_run *run, unsigned threads, json_t *rows, struct eco_error *error)
{
    int code = eco_bench_run(threads, run_maps, run, error);
    json_t *row;

    eco_biome_source_release(&run->source);
    if (code)
        return eco_error_set(error, (enum eco_code)code, "bench quality: %s", eco_code_name(code));
    /* Nothing lies between hard borders. */
    row = json_pack(
        "{s:s, s:I, s:I, s:f, s:f, s:o}", "method", eco_blend_method_name(run->method), "interval",
        (json_int_t)(eco_bench_has_interval(run->method) ? run->interval : 1), "radius",
        (json_int_t)run->radius, "mean_error", run->mean, "largest_error", run->largest,
        "artefact_index",
        run->directions ? json_real((double)run->along / (double)run->directions) : json_null());
    if (!row || json_array_append_new(rows, row) != 0)
        return eco_error_set(error, ECO_ENOMEM, "bench quality: no memory for a row");
    return 0;
}

int eco_bench_quality(const struct eco_bench_options *options, json_t *rows,
                      struct eco_error *error)
{
    float(*weights)[BIOMES] = calloc(MAP_AREA, sizeof(*weights));
    float *errors = calloc(MAP_AREA, sizeof(*errors));
    unsigned count = options->radii.count * options->methods.count * options->intervals.count;
    int code = 0;

    if (!weights || !errors)
        code = eco_error_set(error, ECO_ENOMEM, "bench quality: no memory for a map");
    for (unsigned k = 0; !code && k < count; k++) {
        unsigned interval = k % options->intervals.count, rest = k / options->intervals.count;
        struct quality_run run = {
            .method = (enum eco_blend_method)options->methods.values[rest % options->methods.count],
            .interval = options->intervals.values[interval],
            .radius = options->radii.values[rest / options->methods.count],
            .maps = options->repeats ? options->repeats : MAPS_DEFAULT,
            .weights = weights,
            .errors = errors,
        };
        struct eco_blend blend;

        if (interval > 0 && !eco_bench_has_interval(run.method))
            continue;
        code = eco_bench_blend_init(&blend, run.method, run.interval, run.radius, 0, error);
        if (!code)
            code = add_row(&run, (unsigned)options->threads.values[0], rows, error);
    }
    free(weights);
    free(errors);
    return code;
}
