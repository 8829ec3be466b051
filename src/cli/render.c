#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "codec/png.h"
#include "serve/blocks.h"
#include "serve/pool.h"
#include "world/relief/window.h"

/* A picture is drawn in bands of rows, a band in pieces, so that memory stays bounded for any size.
 */
#define BAND_ROWS 64
#define PIECE_COLUMNS 2048

static const char usage[] =
    "usage: ecotone render --world W --layer L --rect x0,z0,x1,z1 -o OUT.png [options]\n"
    "Draws the blocks from (x0, z0) up to, not including, (x1, z1) as a PNG file.\n"
    "  --world W       a world of the configuration\n"
    "  --layer L       such as biome, blend or relief; a wrong one lists them all\n"
    "  --rect LIST     blocks; +x is east, +z is south\n"
    "  --step N        blocks a pixel; 1 by default\n"
    "  --seed S        a number or a text; the world's own by default\n"
    "  --blend M       scattered, full, grid_convolve, grid_lerp or none; the world's own by "
    "default\n"
    "  --erosion MODE  of a relief: tiled, as its tiles show it, by default; whole-window: the\n"
    "                  rectangle alone, in reading order, as the paper does it\n"
    "  -o OUT.png      the file; - is standard output\n"
    "  --config FILE   config/ecotone.yaml, /etc/ecotone/ecotone.yaml or the built-in one by "
    "default\n"
    "  --threads N     0, one a processor, by default\n"
    "  --help          this text\n";

struct render {
    struct eco_pool_job job;
    struct eco_blocks *blocks;
    bool whole_window;
    struct eco_relief_window *window; /* instead of `blocks`, where asked for */
    const char *config_path, *world_name, *layer_name, *seed_text, *blend_name, *output;
    int64_t rect[4], step, threads;
    /* While it runs: */
    const struct eco_world *world;
    enum eco_layer layer;
    FILE *stream;
    int code;
    struct eco_error error;
};

static const struct option options[] = {
    {"world", required_argument, NULL, 'w'},  {"layer", required_argument, NULL, 'l'},
    {"rect", required_argument, NULL, 'r'},   {"step", required_argument, NULL, 's'},
    {"seed", required_argument, NULL, 'S'},   {"output", required_argument, NULL, 'o'},
    {"config", required_argument, NULL, 'c'}, {"threads", required_argument, NULL, 't'},
    {"blend", required_argument, NULL, 'b'},  {"erosion", required_argument, NULL, 'e'},
    {"help", no_argument, NULL, 'h'},         {0},
};

/* 0: go on; 1: done, with *status. */
static int parse_options(int argc, char **argv, struct render *render, int *status)
{
    bool fine = true, rect = false;
    int option;

    *status = 2;
    optind = 0;
    while (fine && (option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
        switch (option) {
        case 'w':
            render->world_name = optarg;
            break;
        case 'l':
            render->layer_name = optarg;
            break;
        case 'r':
            rect = fine = eco_option_integers("rect", optarg, -ECO_WORLD_HALF, ECO_WORLD_HALF,
                                              render->rect, 4);
            break;
        case 's':
            fine = eco_option_integer("step", optarg, 1, ECO_WORLD_STEP_MAX, &render->step);
            break;
        case 'S':
            render->seed_text = optarg;
            break;
        case 'b':
            render->blend_name = optarg;
            break;
        case 'o':
            render->output = optarg;
            break;
        case 'c':
            render->config_path = optarg;
            break;
        case 'e':
            render->whole_window = strcmp(optarg, "whole-window") == 0;
            fine = render->whole_window || strcmp(optarg, "tiled") == 0;
            break;
        case 't':
            fine = eco_option_integer("threads", optarg, 0, ECO_THREADS_MAX, &render->threads);
            break;
        case 'h':
            fputs(usage, stdout);
            *status = 0;
            return 1;
        default:
            fine = false;
        }
    }
    if (!fine || optind != argc || !render->world_name || !render->layer_name || !rect ||
        !render->output) {
        if (fine)
            fputs("ecotone: --world, --layer, --rect and -o are needed, and nothing more\n",
                  stderr);
        fputs(usage, stderr);
        return 1;
    }
    return 0;
}

/* The grid of the whole picture: a pixel shows the block that holds its centre. */
static int picture_grid(const struct render *render, int64_t *width, int64_t *height,
                        struct eco_error *error)
{
    const int64_t *rect = render->rect;

    *width = (rect[2] - rect[0] + render->step - 1) / render->step;
    *height = (rect[3] - rect[1] + render->step - 1) / render->step;
    if (rect[2] <= rect[0] || rect[3] <= rect[1])
        return eco_error_set(error, ECO_EINVAL, "--rect: x1 and z1 must be greater than x0 and z0");
    if (*width > ECO_PICTURE_SIDE_MAX || *height > ECO_PICTURE_SIDE_MAX)
        return eco_error_set(error, ECO_EINVAL,
                             "--rect: %lld x %lld pixels are too many, at most %d a side; a larger "
                             "--step makes fewer",
                             (long long)*width, (long long)*height, ECO_PICTURE_SIDE_MAX);
    return 0;
}

/* Draws `rows` rows from row `top` into `band`, piece by piece. */
static int draw_band(struct render *render, struct eco_sampler *sampler, int64_t top, uint32_t rows,
                     struct eco_picture *band)
{
    size_t pixel = eco_pixel_bytes(band->format);
    struct eco_error *error = &render->error;

    for (uint32_t left = 0; left < band->width; left += PIECE_COLUMNS) {
        uint32_t columns = band->width - left < PIECE_COLUMNS ? band->width - left : PIECE_COLUMNS;
        struct eco_grid grid = {render->rect[0] + left * render->step + render->step / 2,
                                render->rect[1] + top * render->step + render->step / 2,
                                render->step, columns, rows};
        struct eco_picture piece;
        int code;

        eco_sampler_reset(sampler);
        code = eco_raster_grid(render->world, render->layer, &grid, sampler, &piece, error);
        if (code)
            return code;
        for (uint32_t row = 0; row < rows; row++)
            memcpy(band->pixels + ((size_t)row * band->width + left) * pixel,
                   piece.pixels + (size_t)row * columns * pixel, columns * pixel);
    }
    band->height = rows;
    return 0;
}

/* Format and palette of the layer, from one pixel of it. */
static int describe_band(struct render *render, struct eco_sampler *sampler, uint32_t width,
                         struct eco_picture *band)
{
    struct eco_grid grid = {render->rect[0], render->rect[1], render->step, 1, 1};
    int code = eco_raster_grid(render->world, render->layer, &grid, sampler, band, &render->error);

    if (code)
        return code;
    band->width = width;
    band->height = BAND_ROWS;
    band->pixels = malloc((size_t)width * BAND_ROWS * eco_pixel_bytes(band->format));
    if (!band->pixels)
        return eco_error_set(&render->error, ECO_ENOMEM, "no memory for %d rows of %u pixels",
                             BAND_ROWS, width);
    return 0;
}

static int draw_picture(struct render *render, struct eco_sampler *sampler)
{
    struct eco_picture band = {0};
    struct eco_png_file *file = NULL;
    int64_t width, height;
    int code = picture_grid(render, &width, &height, &render->error), closed;

    if (!code)
        code = describe_band(render, sampler, (uint32_t)width, &band);
    if (code)
        return code;
    code = eco_png_file_open(render->stream, &band, (uint32_t)height, &file, &render->error);
    for (int64_t top = 0; !code && top < height; top += BAND_ROWS) {
        int64_t rows = height - top < BAND_ROWS ? height - top : BAND_ROWS;

        code = draw_band(render, sampler, top, (uint32_t)rows, &band);
        if (!code)
            code = eco_png_file_rows(file, &band, &render->error);
    }
    if (file) {
        /* After a failure the first error is the one to tell. */
        closed = eco_png_file_close(file, code ? NULL : &render->error);
        code = code ? code : closed;
    }
    free(band.pixels);
    return code;
}

static void run_render(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct render *render = (struct render *)job;

    worker->sampler.blocks =
        render->window ? eco_relief_window_cache(render->window) : eco_blocks_cache(render->blocks);
    render->code = draw_picture(render, &worker->sampler);
}

/* Runs the job in a pool, so that all its workers share the chunks. */
static int run_in_pool(struct render *render)
{
    struct eco_pool *pool = NULL;
    int code = eco_pool_new(eco_option_threads(render->threads), 1, &pool, &render->error);

    if (code)
        return code;
    render->blocks = eco_blocks_new(ECO_BLOCKS_BYTES);
    if (!render->blocks) {
        eco_pool_free(pool);
        return eco_error_set(&render->error, ECO_ENOMEM, "no memory for the blocks of a world");
    }
    render->job.run = run_render;
    code = eco_pool_push(pool, &render->job);
    eco_pool_free(pool);
    eco_blocks_free(render->blocks);
    return code ? code : render->code;
}

/* Draws straight into an open stream: standard output, a device, a pipe. */
static int write_stream(struct render *render, FILE *stream, const char *name)
{
    int code;

    render->stream = stream;
    code = run_in_pool(render);
    if (fflush(stream) != 0 && !code)
        code = eco_error_set(&render->error, ECO_EIO, "%s: %m", name);
    return code;
}

static int write_special(struct render *render, const char *path)
{
    FILE *stream = fopen(path, "wb");
    int code;

    if (!stream)
        return eco_error_set(&render->error, ECO_EIO, "%s: %m", path);
    code = write_stream(render, stream, path);
    if (fclose(stream) != 0 && !code)
        code = eco_error_set(&render->error, ECO_EIO, "%s: %m", path);
    return code;
}

/* Draws into a new file beside `path` and renames it at the end, so that a failure loses nothing.
 */
static int write_regular(struct render *render, const char *path, mode_t mode)
{
    struct eco_error *error = &render->error;
    char part[PATH_MAX + 8];
    FILE *stream = NULL;
    int code, file;

    if (snprintf(part, sizeof(part), "%s.XXXXXX", path) >= (int)sizeof(part))
        return eco_error_set(error, ECO_EINVAL, "-o: the path is too long");
    file = mkstemp(part);
    if (file >= 0)
        stream = fdopen(file, "wb");
    if (!stream) {
        code = eco_error_set(error, ECO_EIO, "%s: %m", path);
        if (file >= 0) {
            close(file);
            unlink(part);
        }
        return code;
    }
    code = write_stream(render, stream, path);
    if (!code && fchmod(file, mode) != 0)
        code = eco_error_set(error, ECO_EIO, "%s: %m", path);
    if (fclose(stream) != 0 && !code)
        code = eco_error_set(error, ECO_EIO, "%s: %m", path);
    if (!code && rename(part, path) != 0)
        code = eco_error_set(error, ECO_EIO, "%s: %m", path);
    if (code)
        unlink(part);
    return code;
}

static mode_t new_file_mode(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return 0666 & ~mask;
}

static int write_output(struct render *render)
{
    char target[PATH_MAX];
    struct stat status;

    if (strcmp(render->output, "-") == 0)
        return write_stream(render, stdout, "standard output");
    if (stat(render->output, &status) != 0)
        return write_regular(render, render->output, new_file_mode());
    if (!S_ISREG(status.st_mode))
        return write_special(render, render->output);
    /* A link stays one: what it leads to is replaced. */
    if (!realpath(render->output, target))
        return eco_error_set(&render->error, ECO_EIO, "%s: %m", render->output);
    return write_regular(render, target, status.st_mode & 07777);
}

/* Finds layer, method and world by their names. */
static int open_render(struct render *render, struct eco_config **config, struct eco_world **world)
{
    struct eco_error *error = &render->error;
    struct eco_world_options chosen = {0};
    enum eco_blend_method blend;
    int64_t seed;
    int code;

    if (render->blend_name) {
        code = eco_blend_method_find(render->blend_name, strlen(render->blend_name));
        if (code < 0)
            return eco_error_set(error, ECO_EINVAL,
                                 "--blend: there is no '%.64s'; scattered, full, grid_convolve, "
                                 "grid_lerp or none",
                                 render->blend_name);
        blend = (enum eco_blend_method)code;
        chosen.blend = &blend;
    }
    if (render->seed_text) {
        seed = eco_seed_parse(render->seed_text, strlen(render->seed_text), NULL);
        chosen.seed = &seed;
    }
    code = eco_option_config(render->config_path, config, NULL, error);
    if (!code)
        code = eco_world_open(*config, render->world_name, &chosen, world, error);
    if (!code)
        code = eco_option_layer(render->layer_name, eco_world_config_of(*world), &render->layer,
                                error);
    render->world = *world;
    return code;
}

/* The rectangle eroded alone; only the erosion grid itself is. */
static int open_window(struct render *render)
{
    int64_t cell = eco_world_config_of(render->world)->relief.cell;
    int code = eco_relief_window_new(render->world, render->rect, &render->window, &render->error);

    if (!code && render->step > cell)
        code = eco_error_set(&render->error, ECO_EINVAL,
                             "--erosion whole-window erodes cells of %lld blocks; --step is %lld, "
                             "%lld at most",
                             (long long)cell, (long long)render->step, (long long)cell);
    return code;
}

int eco_cli_render(int argc, char **argv)
{
    struct render render = {.step = 1};
    struct eco_config *config = NULL;
    struct eco_world *world = NULL;
    int status, code;

    if (parse_options(argc, argv, &render, &status))
        return status;
    code = open_render(&render, &config, &world);
    if (!code && render.whole_window)
        code = open_window(&render);
    if (!code)
        code = write_output(&render);
    if (code)
        fprintf(stderr, "ecotone: %s\n", render.error.text);
    eco_relief_window_free(render.window);
    eco_world_close(world);
    eco_config_free(config);
    return code ? 1 : 0;
}
