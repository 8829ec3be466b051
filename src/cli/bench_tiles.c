/* Cold tiles from the question to the PNG bytes, around the home of a world; beside them, WebP. */
#include "base/clock.h"
#include "cli/bench.h"
#include "cli/options.h"
#include "codec/format.h"
#include "codec/png.h"
#include "codec/webp.h"

#define TILES_DEFAULT 16
#define TILES_MAX 1000
#define TILES_A_ROW 4

struct tile_run {
    const struct eco_world *world;
    enum eco_layer layer;
    unsigned zoom, threads;
    int64_t tiles;
    /* Results, medians, milliseconds: */
    double total, raster, encode, webp;
    double worst;                 /* of the totals */
    double png_bytes, webp_bytes; /* means */
};

static struct eco_tile tile_near_home(const struct tile_run *run, int64_t k)
{
    const struct eco_world_config *config = eco_world_config_of(run->world);
    int64_t side = (int64_t)256 << (ECO_ZOOM_MAX - run->zoom), last = ((int64_t)1 << run->zoom) - 1;
    int64_t x = (config->home_x + ECO_WORLD_HALF) / side + k % TILES_A_ROW;
    int64_t y = (config->home_z + ECO_WORLD_HALF) / side + k / TILES_A_ROW;

    return (struct eco_tile){run->zoom, (uint32_t)(x < last ? x : last),
                             (uint32_t)(y < last ? y : last), 1};
}

/* Adds the bytes of the picture in both formats, and tells what the second took. Not a WebP where
 * that cannot hold it. */
static int weigh_tile(struct tile_run *run, const struct eco_picture *picture,
                      const struct eco_buffer *png, clockid_t clock, struct eco_buffer *webp,
                      double *took)
{
    uint64_t start = eco_clock_ns(clock);
    int code = 0;

    if (eco_format_holds(ECO_FORMAT_WEBP, run->layer))
        code = eco_webp_encode(picture, !eco_layer_is_shaded(run->layer), webp, NULL);
    *took = (double)(eco_clock_ns(clock) - start) * 1e-6;
    run->png_bytes += (double)png->size / (double)run->tiles;
    run->webp_bytes += (double)webp->size / (double)run->tiles;
    return code;
}

static int run_tiles(void *context, struct eco_worker *worker)
{
    struct tile_run *run = context;
    clockid_t clock = run->threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    double total[TILES_MAX], raster[TILES_MAX], encode[TILES_MAX], took[TILES_MAX];
    struct eco_png_encoder *encoder = NULL;
    struct eco_buffer png, webp;
    int code = eco_png_encoder_new(&encoder);

    eco_buffer_init(&png);
    eco_buffer_init(&webp);
    /* One tile first that is not counted: memory is warm then, as it is in a server. */
    for (int64_t k = -1; !code && k < run->tiles; k++) {
        struct eco_tile tile = tile_near_home(run, k < 0 ? run->tiles : k);
        struct eco_picture picture;
        uint64_t start = eco_clock_ns(clock), drawn;

        eco_sampler_reset(&worker->sampler);
        code = eco_raster_tile(run->world, run->layer, &tile, &worker->sampler, &picture, NULL);
        drawn = eco_clock_ns(clock);
        if (!code)
            code = eco_png_encode(encoder, &picture, &png, NULL);
        if (code || k < 0)
            continue;
        raster[k] = (double)(drawn - start) * 1e-6;
        encode[k] = (double)(eco_clock_ns(clock) - drawn) * 1e-6;
        total[k] = raster[k] + encode[k];
        run->worst = total[k] > run->worst ? total[k] : run->worst;
        code = weigh_tile(run, &picture, &png, clock, &webp, &took[k]);
    }
    if (!code) {
        run->total = eco_bench_median(total, (unsigned)run->tiles);
        run->raster = eco_bench_median(raster, (unsigned)run->tiles);
        run->encode = eco_bench_median(encode, (unsigned)run->tiles);
        run->webp = eco_bench_median(took, (unsigned)run->tiles);
    }
    eco_buffer_release(&png);
    eco_buffer_release(&webp);
    eco_png_encoder_free(encoder);
    return code;
}

static int add_row(struct tile_run *run, json_t *rows, struct eco_error *error)
{
    int code = eco_bench_run(run->threads, run_tiles, run, error);
    json_t *row;

    if (code)
        return eco_error_set(error, (enum eco_code)code, "bench tiles: %s", eco_code_name(code));
    row =
        json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "world",
                  eco_world_config_of(run->world)->name, "layer", eco_layer_name(run->layer),
                  "zoom", (int)run->zoom, "threads", (int)run->threads, "ms_per_tile", run->total,
                  "ms_worst", run->worst, "ms_raster", run->raster, "ms_encode", run->encode,
                  "ms_webp", run->webp, "png_bytes", run->png_bytes, "webp_bytes", run->webp_bytes);
    if (!row || json_array_append_new(rows, row) != 0)
        return eco_error_set(error, ECO_ENOMEM, "bench tiles: no memory for a row");
    return 0;
}

static int bench_world(const struct eco_bench_options *options, const struct eco_world *world,
                       json_t *rows, struct eco_error *error)
{
    int code = 0;

    for (unsigned t = 0; t < options->threads.count; t++) {
        for (unsigned z = 0; z < options->zooms.count; z++) {
            for (unsigned layer = 0; !code && layer < ECO_LAYER_COUNT; layer++) {
                struct tile_run run = {
                    .world = world,
                    .layer = (enum eco_layer)layer,
                    .zoom = (unsigned)options->zooms.values[z],
                    .threads = (unsigned)options->threads.values[t],
                    .tiles = options->repeats ? options->repeats : TILES_DEFAULT,
                };

                if (eco_layer_available(run.layer, eco_world_config_of(world)))
                    code = add_row(&run, rows, error);
            }
        }
    }
    return code;
}

int eco_bench_tiles(const struct eco_bench_options *options, json_t *rows, struct eco_error *error)
{
    struct eco_config *config = NULL;
    int code = eco_option_config(options->config_path, &config, NULL, error);

    for (unsigned k = 0; !code && k < config->worlds_count; k++) {
        struct eco_world *world = NULL;

        if (options->world && eco_config_world(config, options->world) != &config->worlds[k])
            continue;
        code = eco_world_open(config, config->worlds[k].name, NULL, &world, error);
        if (!code)
            code = bench_world(options, world, rows, error);
        eco_world_close(world);
    }
    if (!code && json_array_size(rows) == 0)
        code = eco_error_set(error, ECO_ENOTFOUND, "--world: there is no '%s' in the configuration",
                             options->world);
    eco_config_free(config);
    return code;
}
