/* The article's work: weights of every block of 768x768 maps, seeds one higher from map to map. */
#include <stdlib.h>

#include "base/clock.h"
#include "blend/area.h"
#include "cli/bench.h"

#define MAP_SIDE 768
#define TILE_SIDE 256 /* a map is blended in tiles, as the server does it */
#define BIOMES 4
#define NOISE_SEED 99999
#define JITTER_SEED 1546881382
#define MAPS_DEFAULT 5
#define MAPS_MAX 1000
#define STAGE_PASSES 5
#define JOBS_A_SIDE (MAP_SIDE / JOB_SIDE)
#define JOB_SIDE 64

struct blend_run {
    struct eco_biome_source_state source;
    enum eco_blend_method method;
    int64_t interval, radius, maps;
    unsigned chunk, threads;
    /* Results, a block: */
    double nanoseconds;
    double points;
    struct eco_blend_times times; /* of the first map */
    /* Of the last map: the squares in which more than one biome weighs, a line of the processor's
     * cache for each job: threads that write to the same would wait for each other. */
    _Alignas(64) uint8_t blended[JOBS_A_SIDE * JOBS_A_SIDE][64];
};

int eco_bench_source_init(struct eco_biome_source_state *source, int64_t map)
{
    static struct eco_biome_config biomes[BIOMES];
    struct eco_world_config config = {
        .noise = {ECO_NOISE_OPENSIMPLEX2S_LEGACY, 0.002, 3, true},
        .biomes = biomes,
        .biomes_count = BIOMES,
    };

    return eco_biome_source_init(source, &config, NOISE_SEED + map);
}

int eco_bench_blend_init(struct eco_blend *blend, enum eco_blend_method method, int64_t interval,
                         int64_t radius, int64_t map, struct eco_error *error)
{
    *blend = (struct eco_blend){
        .frequency = ECO_LATTICE_SPACING_FREQUENCY / (double)interval,
        .seed = JITTER_SEED + map,
        .method = method,
        .interval = (uint32_t)interval,
    };
    blend->padding = (double)radius - eco_blend_gap(blend);
    if (blend->padding < 0)
        return eco_error_set(error, ECO_EINVAL,
                             "--radius: %lld is less than the gap of %s at interval %lld, %.2f",
                             (long long)radius, eco_blend_method_name(method), (long long)interval,
                             eco_blend_gap(blend));
    return 0;
}

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

    int64_t job = place->block_z / JOB_SIDE * JOBS_A_SIDE + place->block_x / JOB_SIDE;
    int64_t within = place->block_z % JOB_SIDE + place->block_x % JOB_SIDE / ECO_SQUARE_SIDE;

    (void)against;
    run->blended[job][within] = square->weights != NULL;
}

static int blend_map(struct blend_run *run, const struct eco_blend *blend,
                     struct eco_worker *worker, struct eco_blend_times *times)
{
    size_t points = 0;
    int code = 0;

    for (int64_t k = 0; !code && k < (MAP_SIDE / TILE_SIDE) * (MAP_SIDE / TILE_SIDE); k++) {
        struct eco_grid grid = {k % (MAP_SIDE / TILE_SIDE) * TILE_SIDE,
                                k / (MAP_SIDE / TILE_SIDE) * TILE_SIDE, 1, TILE_SIDE, TILE_SIDE};
        struct eco_blend_area area = {
            .grid = &grid,
            .chunk = run->chunk,
            .blend = blend,
            .ask = ask_biomes,
            .take = take_square,
            .context = run,
            .times = times,
        };

        eco_arena_reset(&worker->sampler.arena);
        code = eco_blend_area_run(&area, worker->sampler.executor, &worker->sampler.arena, NULL);
        points += area.points_asked;
    }
    run->points = (double)points / (MAP_SIDE * MAP_SIDE);
    return code;
}

static void keep_least(uint64_t *least, uint64_t value, bool first)
{
    if (first || value < *least)
        *least = value;
}

/* The stages of the first map: of several passes the least, as a pass that another program
 * interrupted counts that too. Memory is warm after the first of them, as it is in a server. */
static int time_stages(struct blend_run *run, const struct eco_blend *blend,
                       struct eco_worker *worker)
{
    int code = 0;

    for (int pass = 0; !code && pass < STAGE_PASSES; pass++) {
        struct eco_blend_times times = {0};

        code = blend_map(run, blend, worker, &times);
        keep_least(&run->times.gather, times.gather, pass == 0);
        keep_least(&run->times.ask, times.ask, pass == 0);
        keep_least(&run->times.lists, times.lists, pass == 0);
        keep_least(&run->times.squares, times.squares, pass == 0);
    }
    return code;
}

static int run_maps(void *context, struct eco_worker *worker)
{
    struct blend_run *run = context;
    clockid_t clock = run->threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    double times[MAPS_MAX];
    int code = 0;

    for (int64_t map = 0; !code && map < run->maps; map++) {
        struct eco_blend blend;
        uint64_t start;

        eco_biome_source_release(&run->source);
        code = eco_bench_source_init(&run->source, map);
        if (!code)
            code = eco_bench_blend_init(&blend, run->method, run->interval, run->radius, map, NULL);
        if (!code && map == 0)
            code = time_stages(run, &blend, worker);
        start = eco_clock_ns(clock);
        if (!code)
            code = blend_map(run, &blend, worker, NULL);
        times[map] = (double)(eco_clock_ns(clock) - start) / (MAP_SIDE * MAP_SIDE);
    }
    if (!code)
        run->nanoseconds = eco_bench_median(times, (unsigned)run->maps);
    return code;
}

static double blended_share(const struct blend_run *run)
{
    unsigned count = 0;

    for (unsigned k = 0; k < sizeof(run->blended); k++)
        count += run->blended[k / 64][k % 64];
    return (double)count / sizeof(run->blended);
}

static json_t *row_of(const struct blend_run *run)
{
    const double blocks = MAP_SIDE * MAP_SIDE;

    return json_pack("{s:s, s:I, s:I, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "method",
                     eco_blend_method_name(run->method), "interval",
                     (json_int_t)(eco_bench_has_interval(run->method) ? run->interval : 1),
                     "radius", (json_int_t)(run->method == ECO_BLEND_NONE ? 0 : run->radius),
                     "chunk", (int)run->chunk, "threads", (int)run->threads, "ns_per_coordinate",
                     run->nanoseconds, "points_per_coordinate", run->points, "blended_share",
                     blended_share(run), "ns_gather", (double)run->times.gather / blocks, "ns_ask",
                     (double)run->times.ask / blocks, "ns_lists", (double)run->times.lists / blocks,
                     "ns_squares", (double)run->times.squares / blocks);
}

static int add_row(struct blend_run *run, json_t *rows, struct eco_error *error)
{
    int code = eco_bench_run(run->threads, run_maps, run, error);
    json_t *row;

    eco_biome_source_release(&run->source);
    if (code)
        return eco_error_set(error, (enum eco_code)code, "bench blend: %s", eco_code_name(code));
    row = row_of(run);
    if (!row || json_array_append_new(rows, row) != 0)
        return eco_error_set(error, ECO_ENOMEM, "bench blend: no memory for a row");
    return 0;
}

/* Rows of one method and number of threads, for each chunk, radius and interval that matter. */
static int add_rows(const struct eco_bench_options *options, struct blend_run *run, json_t *rows,
                    struct eco_error *error)
{
    unsigned intervals = eco_bench_has_interval(run->method) ? options->intervals.count : 1;
    unsigned radii = run->method == ECO_BLEND_NONE ? 1 : options->radii.count;
    unsigned count = options->chunks.count * radii * intervals;
    int code = 0;

    for (unsigned k = 0; !code && k < count; k++) {
        struct eco_blend blend;

        run->interval = options->intervals.values[k % intervals];
        run->radius = options->radii.values[k / intervals % radii];
        run->chunk = (unsigned)options->chunks.values[k / intervals / radii];
        run->times = (struct eco_blend_times){0};
        if (run->chunk % ECO_SQUARE_SIDE != 0)
            return eco_error_set(error, ECO_EINVAL, "--chunk: %u is not a multiple of %d",
                                 run->chunk, ECO_SQUARE_SIDE);
        code = eco_bench_blend_init(&blend, run->method, run->interval, run->radius, 0, error);
        if (!code)
            code = add_row(run, rows, error);
    }
    return code;
}

int eco_bench_blend(const struct eco_bench_options *options, json_t *rows, struct eco_error *error)
{
    int code = 0;

    for (unsigned t = 0; t < options->threads.count; t++) {
        for (unsigned m = 0; !code && m < options->methods.count; m++) {
            struct blend_run run = {
                .method = (enum eco_blend_method)options->methods.values[m],
                .threads = (unsigned)options->threads.values[t],
                .maps = options->repeats ? options->repeats : MAPS_DEFAULT,
            };

            code = add_rows(options, &run, rows, error);
        }
    }
    return code;
}
