/*
 * Relief: the scores of sources and erosion beside those that J. Olsen published (2004), means over
 * seeds of 512x512 cells, and the time they take.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/bench.h"
#include "cli/relief_cases.h"
#include "raster/raster.h"
#include "world/relief/erode.h"
#include "world/score.h"

#define SIDE ECO_RELIEF_CASE_PERIOD
#define TILE 256
#define SEEDS_DEFAULT 12
#define SEEDS_MAX 1000
#define AROUND_MAX 320 /* cells around a window; more cannot be seen in its score */
#define SCORE_SIDE 1024

static const struct eco_score_rules paper_rules = {8.0 / SIDE, 2.0 / SIDE, 1, 9};

struct relief_run {
    const struct eco_relief_case *what;
    int64_t seeds;
    struct eco_score mean;
    double ms_window, ms_tile; /* medians */
};

static double ms_since(uint64_t start)
{
    return (double)(eco_clock_ns(CLOCK_THREAD_CPUTIME_ID) - start) * 1e-6;
}

/* Terrain and erosion of an area of `side` cells with `around` more on every side. */
static int make_area(const struct relief_run *run, int64_t seed, uint32_t side, uint32_t around,
                     bool alone, struct eco_arena *arena, float **heights)
{
    const struct eco_relief_case *what = run->what;
    struct eco_relief_source sources[2];
    struct eco_relief_config config = {.period = SIDE,
                                       .sources = sources,
                                       .sources_count = what->sources_count,
                                       .perturb = what->perturb,
                                       .perturb_by = what->perturb_by};
    struct relief_erosion erosion = {what->steps, what->steps_count, SIDE, 0,
                                     relief_kernels_of(eco_simd_level())};
    uint32_t wide = side + 2 * around;
    struct relief_area area = {-(int64_t)around, -(int64_t)around, wide, wide, 0};
    struct relief_terrain terrain;
    int code;

    memcpy(sources, what->sources, sizeof(sources));
    relief_terrain_init(&terrain, &config, seed, eco_simd_level());
    *heights = eco_arena_alloc(arena, (size_t)wide * wide, sizeof(**heights));
    code = *heights ? relief_base(&terrain, &area, arena, *heights) : ECO_ENOMEM;
    if (code || erosion.count == 0)
        return code;
    if (what->reading_order)
        return relief_erode_reading_order(&erosion, &area, arena, *heights);
    return alone ? relief_erode_alone(&erosion, &area, arena, *heights)
                 : relief_erode(&erosion, &area, arena, *heights);
}

static uint32_t reach_of(const struct relief_run *run)
{
    struct relief_erosion erosion = {.steps = run->what->steps, .count = run->what->steps_count};

    return relief_reach(&erosion);
}

/* Erodes the inner SIDE x SIDE cells of a window with `margin` more on every side as if nothing
 * were around them. */
static int erode_inside(const struct relief_run *run, uint32_t margin, struct eco_arena *arena,
                        float *window)
{
    struct relief_erosion erosion = {run->what->steps, run->what->steps_count, SIDE, 0,
                                     relief_kernels_of(eco_simd_level())};
    struct relief_area area = {0, 0, SIDE, SIDE, 0};
    size_t inner = SIDE + 2 * (size_t)margin;
    float *heights = eco_arena_alloc(arena, (size_t)SIDE * SIDE, sizeof(*heights));
    int code = ECO_ENOMEM;

    if (!heights)
        return code;
    window += margin * inner + margin;
    for (size_t z = 0; z < SIDE; z++)
        memcpy(heights + z * SIDE, window + z * inner, SIDE * sizeof(*heights));
    code = relief_erode_alone(&erosion, &area, arena, heights);
    for (size_t z = 0; z < SIDE; z++)
        memcpy(window + z * inner, heights + z * SIDE, SIDE * sizeof(*heights));
    return code;
}

/* The score of the window in terrain that goes on around it. */
static int score_seed(struct relief_run *run, int64_t seed, struct eco_arena *arena)
{
    struct eco_relief_case bare = *run->what;
    struct relief_run base = {.what = bare.bordered ? &bare : run->what};
    uint32_t margin = eco_score_margin(&paper_rules), reach = bare.bordered ? 0 : reach_of(run);
    uint32_t around = margin + (reach < AROUND_MAX ? reach : AROUND_MAX);
    size_t wide = SIDE + 2 * around, inner = SIDE + 2 * margin;
    struct eco_score score;
    float *heights, *window = eco_arena_alloc(arena, inner * inner, sizeof(*window));
    int code;

    bare.steps_count = 0;
    code = window ? make_area(&base, seed, SIDE, around, reach > AROUND_MAX, arena, &heights)
                  : ECO_ENOMEM;
    if (code)
        return code;
    for (size_t z = 0; z < inner; z++)
        memcpy(window + z * inner, heights + (z + around - margin) * wide + around - margin,
               inner * sizeof(*window));
    if (bare.bordered)
        code = erode_inside(run, margin, arena, window);
    if (!code)
        code = eco_score_window(window, SIDE, SIDE, &paper_rules, arena, &score);
    if (code)
        return code;
    run->mean.eps += score.eps / (double)run->seeds;
    run->mean.upsilon += score.upsilon / (double)run->seeds;
    run->mean.beta += score.beta / (double)run->seeds;
    run->mean.omega += score.omega / (double)run->seeds;
    return 0;
}

/* What erosion alone takes on a window that ends at its border, terrain where there is none. */
static int time_window(struct relief_run *run, int64_t seed, struct eco_arena *arena, double *ms)
{
    struct eco_relief_case bare = *run->what;
    struct relief_run base = {.what = &bare};
    struct relief_erosion erosion = {run->what->steps, run->what->steps_count, SIDE, 0,
                                     relief_kernels_of(eco_simd_level())};
    struct relief_area area = {0, 0, SIDE, SIDE, 0};
    uint64_t start = eco_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    float *heights;
    int code;

    bare.steps_count = 0;
    code = make_area(&base, seed, SIDE, 0, true, arena, &heights);
    if (erosion.count > 0) {
        start = eco_clock_ns(CLOCK_THREAD_CPUTIME_ID);
        if (!code && run->what->reading_order)
            code = relief_erode_reading_order(&erosion, &area, arena, heights);
        else if (!code)
            code = relief_erode_alone(&erosion, &area, arena, heights);
    }
    *ms = ms_since(start);
    return code;
}

static int run_case(void *context, struct eco_worker *worker)
{
    struct relief_run *run = context;
    struct eco_arena *arena = &worker->sampler.arena;
    double window[SEEDS_MAX], tile[SEEDS_MAX];
    int code = 0;

    /* The first is made twice: memory is warm then, as it is in a server. */
    for (int64_t k = -1; !code && k < run->seeds; k++) {
        int64_t seed = k < 0 ? 1 : k + 1, slot = k < 0 ? 0 : k;
        uint64_t start;
        float *heights;

        eco_arena_reset(arena);
        start = eco_clock_ns(CLOCK_THREAD_CPUTIME_ID);
        code = make_area(run, seed, TILE, reach_of(run), false, arena, &heights);
        tile[slot] = ms_since(start);
        eco_arena_reset(arena);
        if (!code)
            code = time_window(run, seed, arena, &window[slot]);
        eco_arena_reset(arena);
        if (!code && k >= 0)
            code = score_seed(run, seed, arena);
    }
    if (!code) {
        run->ms_window = eco_bench_median(window, (unsigned)run->seeds);
        run->ms_tile = eco_bench_median(tile, (unsigned)run->seeds);
    }
    return code;
}

static json_t *paper_value(double value)
{
    return value > 0.0 ? json_real(value) : json_string("-");
}

static int add_case(const struct eco_relief_case *what, int64_t seeds, json_t *rows,
                    struct eco_error *error)
{
    struct relief_run run = {.what = what, .seeds = seeds};
    int code = eco_bench_run(1, run_case, &run, error);
    json_t *row;

    if (code)
        return eco_error_set(error, (enum eco_code)code, "bench relief: %s", eco_code_name(code));
    row = json_pack("{s:s, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:f, s:f, s:s}", "what",
                    what->what, "eps", run.mean.eps, "upsilon", run.mean.upsilon, "beta",
                    run.mean.beta, "omega", run.mean.omega, "p_eps", paper_value(what->paper[0]),
                    "p_upsilon", paper_value(what->paper[1]), "p_beta", paper_value(what->paper[2]),
                    "p_omega", paper_value(what->paper[3]), "ms_512", run.ms_window, "ms_tile",
                    run.ms_tile, "why", what->why);
    if (!row || json_array_append_new(rows, row) != 0)
        return eco_error_set(error, ECO_ENOMEM, "bench relief: no memory for a row");
    return 0;
}

/* Whole tiles of a world with 15 iterations, nothing kept between them, and the score of a window
 * whose heights are there. */
static const char world_text[] =
    "worlds: [{name: relief, generator: relief, relief: {erosion: [{kind: inverted, iterations: "
    "15, talus: 16}]}}]\n";

struct whole_run {
    const struct eco_world *world;
    int64_t repeats;
    double ms_tile, ms_score;
};

static int time_score(const struct whole_run *run, struct eco_sampler *sampler, double *ms)
{
    int64_t cell = eco_world_config_of(run->world)->relief.cell;
    uint32_t margin = eco_score_margin(&paper_rules), wide = SCORE_SIDE + 2 * margin;
    struct eco_grid grid = {cell / 2, cell / 2, cell, wide, wide};
    const struct eco_score_rules rules = {0.5 * (double)cell, 0.125 * (double)cell, 1, 9};
    struct eco_planes planes;
    struct eco_score score;
    int code = eco_world_sample(run->world, &grid, ECO_FIELD_HEIGHT, sampler, &planes, NULL);
    uint64_t start = eco_clock_ns(CLOCK_THREAD_CPUTIME_ID);

    if (!code)
        code = eco_score_window(planes.height, SCORE_SIDE, SCORE_SIDE, &rules, &sampler->arena,
                                &score);
    *ms = ms_since(start);
    return code;
}

static int run_whole(void *context, struct eco_worker *worker)
{
    struct whole_run *run = context;
    double tiles[SEEDS_MAX], scores[SEEDS_MAX];
    int code = 0;

    for (int64_t k = -1; !code && k < run->repeats; k++) {
        struct eco_tile tile = {16, 32768 + (uint32_t)(k + 1), 32768, 1};
        int64_t slot = k < 0 ? 0 : k;
        struct eco_picture picture;
        uint64_t start;

        eco_sampler_reset(&worker->sampler);
        start = eco_clock_ns(CLOCK_THREAD_CPUTIME_ID);
        code =
            eco_raster_tile(run->world, ECO_LAYER_RELIEF, &tile, &worker->sampler, &picture, NULL);
        tiles[slot] = ms_since(start);
        eco_sampler_reset(&worker->sampler);
        if (!code)
            code = time_score(run, &worker->sampler, &scores[slot]);
    }
    if (!code) {
        run->ms_tile = eco_bench_median(tiles, (unsigned)run->repeats);
        run->ms_score = eco_bench_median(scores, (unsigned)run->repeats);
    }
    return code;
}

static int add_time(const char *what, const char *column, double ms, const char *why, json_t *rows)
{
    static const char *const columns[] = {"eps",       "upsilon", "beta",    "omega",  "p_eps",
                                          "p_upsilon", "p_beta",  "p_omega", "ms_512", "ms_tile"};
    json_t *row = json_pack("{s:s}", "what", what);

    for (size_t k = 0; row && k < sizeof(columns) / sizeof(columns[0]); k++) {
        bool mine = strcmp(columns[k], column) == 0;

        json_object_set_new(row, columns[k], mine ? json_real(ms) : json_string("-"));
    }
    json_object_set_new(row, "why", json_string(why));
    return row ? json_array_append_new(rows, row) : -1;
}

static int add_whole(int64_t repeats, json_t *rows, struct eco_error *error)
{
    struct whole_run run = {.repeats = repeats};
    struct eco_config *config = NULL;
    struct eco_world *world = NULL;
    int code = eco_config_parse(world_text, sizeof(world_text) - 1, "bench", &config, error);

    if (!code)
        code = eco_world_open(config, "relief", NULL, &world, error);
    run.world = world;
    if (!code)
        code = eco_bench_run(1, run_whole, &run, error);
    if (!code &&
        (add_time("cold tile, inverted 15", "ms_tile", run.ms_tile,
                  "a whole tile of the layer relief, its block and all", rows) ||
         add_time("score of 1024x1024", "ms_512", run.ms_score, "heights are there", rows)))
        code = eco_error_set(error, ECO_ENOMEM, "bench relief: no memory for a row");
    eco_world_close(world);
    eco_config_free(config);
    return code;
}

int eco_bench_relief(const struct eco_bench_options *options, json_t *rows, struct eco_error *error)
{
    int64_t seeds = options->repeats ? options->repeats : SEEDS_DEFAULT;
    int code = 0;

    for (size_t k = 0; !code && k < eco_relief_cases_count; k++)
        code = add_case(&eco_relief_cases[k], seeds, rows, error);
    return code ? code : add_whole(seeds, rows, error);
}
