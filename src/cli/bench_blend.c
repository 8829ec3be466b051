/* The article's work: weights of every block of 768x768 maps, seeds one higher from map to map. */
#include <stdlib.h>

#include "base/clock.h"
#include "blend/area.h"
#include "cli/bench.h"
#include "world/biome_source.h"

#define MAP_SIDE 768
#define TILE_SIDE 256 /* a map is blended in tiles, as the server does it */
#define BIOMES 4
#define NOISE_SEED 99999
#define JITTER_SEED 1546881382
#define MAPS_DEFAULT 5
#define MAPS_MAX 1000

struct blend_run {
    struct eco_biome_source_state source;
    struct eco_blend blend;
    unsigned chunk, threads;
    int64_t maps;
    /* Results: */
    double nanoseconds; /* a block */
    double points_a_block;
    size_t blended, squares; /* of the last map */
};

static void ask_biomes(void *context, const double *x, const double *z, size_t count,
                       uint8_t *biomes)
{
    const struct blend_run *run = context;

    eco_biome_source_points(&run->source, x, z, count, biomes);
}

static void take_square(void *context, const struct eco_square_place *place,
                        const struct eco_square *square, const struct eco_square *against)
{
    struct blend_run *run = context;

    (void)place;
    (void)against;
    __atomic_fetch_add(&run->squares, 1, __ATOMIC_RELAXED);
    if (square->weights)
        __atomic_fetch_add(&run->blended, 1, __ATOMIC_RELAXED);
}

static int blend_map(struct blend_run *run, struct eco_worker *worker, size_t *points)
{
    int code = 0;

    for (int64_t k = 0; !code && k < (MAP_SIDE / TILE_SIDE) * (MAP_SIDE / TILE_SIDE); k++) {
        struct eco_grid grid = {k % (MAP_SIDE / TILE_SIDE) * TILE_SIDE,
                                k / (MAP_SIDE / TILE_SIDE) * TILE_SIDE, 1, TILE_SIDE, TILE_SIDE};
        struct eco_blend_area area = {
            .grid = &grid,
            .chunk = run->chunk,
            .blend = &run->blend,
            .ask = ask_biomes,
            .take = take_square,
            .context = run,
        };

        eco_arena_reset(&worker->sampler.arena);
        code = eco_blend_area_run(&area, worker->sampler.executor, &worker->sampler.arena, NULL);
        *points += area.points_asked;
    }
    return code;
}

/* The article's four biomes of three octaves, with the noise seed of this map. */
static int seed_source(struct blend_run *run, int64_t map)
{
    static struct eco_biome_config biomes[BIOMES];
    struct eco_world_config config = {
        .noise = {ECO_NOISE_OPENSIMPLEX2S_LEGACY, 0.002, 3, true},
        .biomes = biomes,
        .biomes_count = BIOMES,
    };

    eco_biome_source_release(&run->source);
    return eco_biome_source_init(&run->source, &config, NOISE_SEED + map);
}

static int run_maps(void *context, struct eco_worker *worker)
{
    struct blend_run *run = context;
    clockid_t clock = run->threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    double times[MAPS_MAX];
    size_t points = 0;
    int code = 0;

    /* One map first that is not counted: memory is warm then, as it is in a server. */
    for (int64_t map = -1; !code && map < run->maps; map++) {
        uint64_t start;

        run->squares = run->blended = 0;
        points = 0;
        code = seed_source(run, map);
        run->blend.seed = JITTER_SEED + map;
        start = eco_clock_ns(clock);
        if (!code)
            code = blend_map(run, worker, &points);
        if (map >= 0)
            times[map] = (double)(eco_clock_ns(clock) - start) / (MAP_SIDE * MAP_SIDE);
    }
    if (!code) {
        run->nanoseconds = eco_bench_median(times, (unsigned)run->maps);
        run->points_a_block = (double)points / (MAP_SIDE * MAP_SIDE);
    }
    return code;
}

static int add_row(struct blend_run *run, int64_t interval, int64_t radius, json_t *rows,
                   struct eco_error *error)
{
    int code = eco_bench_run(run->threads, run_maps, run, error);
    json_t *row;

    eco_biome_source_release(&run->source);
    if (code)
        return eco_error_set(error, (enum eco_code)code, "bench blend: %s", eco_code_name(code));
    row = json_pack("{s:s, s:I, s:I, s:i, s:i, s:f, s:f, s:f}", "method", "scattered", "interval",
                    (json_int_t)interval, "radius", (json_int_t)radius, "chunk", (int)run->chunk,
                    "threads", (int)run->threads, "ns_per_coordinate", run->nanoseconds,
                    "points_per_coordinate", run->points_a_block, "blended_share",
                    (double)run->blended / (double)run->squares);
    if (!row || json_array_append_new(rows, row) != 0)
        return eco_error_set(error, ECO_ENOMEM, "bench blend: no memory for a row");
    return 0;
}

int eco_bench_blend(const struct eco_bench_options *options, json_t *rows, struct eco_error *error)
{
    unsigned count = options->threads.count * options->chunks.count * options->radii.count *
                     options->intervals.count;
    int code = 0;

    for (unsigned k = 0; !code && k < count; k++) {
        unsigned rest = k;
        int64_t interval = options->intervals.values[rest % options->intervals.count];
        int64_t radius =
            options->radii.values[(rest /= options->intervals.count) % options->radii.count];
        int64_t chunk =
            options->chunks.values[(rest /= options->radii.count) % options->chunks.count];
        int64_t threads = options->threads.values[rest / options->chunks.count];
        double frequency = ECO_LATTICE_SPACING_FREQUENCY / (double)interval;
        struct blend_run run = {
            .blend = {frequency, (double)radius - ECO_LATTICE_GAP / frequency, 0},
            .chunk = (unsigned)chunk,
            .threads = (unsigned)threads,
            .maps = options->repeats ? options->repeats : MAPS_DEFAULT,
        };

        if (chunk % ECO_SQUARE_SIDE != 0)
            return eco_error_set(error, ECO_EINVAL, "--chunk: %lld is not a multiple of %d",
                                 (long long)chunk, ECO_SQUARE_SIDE);
        if (run.blend.padding < 0)
            return eco_error_set(
                error, ECO_EINVAL, "--radius: %lld is less than the gap of interval %lld, %.2f",
                (long long)radius, (long long)interval, ECO_LATTICE_GAP / frequency);
        code = add_row(&run, interval, radius, rows, error);
    }
    return code;
}
