/* ecotone export: the tiles of a rectangle as files, which any web server hands out. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "serve/blocks.h"
#include "serve/pool.h"
#include "serve/tiles.h"

#define LOOK_MS 100
#define SPEAK_NS                                                                                   \
    ((uint64_t)1000000000) /* between lines on a terminal; ten times as long elsewhere */

static const char usage[] =
    "usage: ecotone export --world W --layer L --rect x0,z0,x1,z1 --zoom N[-M] -o FOLDER "
    "[options]\n"
    "Writes the tiles that show the rectangle as FOLDER/{z}/{x}/{y}.png, and "
    "FOLDER/tilejson.json,\n"
    "which tells what they are. What is there already is left as it is: run again, it goes on "
    "where\n"
    "it was stopped.\n"
    "  --world W       a world of the configuration\n"
    "  --layer L       such as biome, blend or relief; a wrong one lists them all\n"
    "  --rect LIST     blocks; +x is east, +z is south\n"
    "  --zoom N[-M]    0 to 18, which is one block a pixel\n"
    "  --seed S        a number or a text; the world's own by default\n"
    "  --format F      png, by default, or webp\n"
    "  --dry-run       say how many tiles there are, and write nothing\n"
    "  -o FOLDER       made if it is not there\n"
    "  --config FILE   config/ecotone.yaml, /etc/ecotone/ecotone.yaml or the built-in one by "
    "default\n"
    "  --threads N     0, one a processor, by default\n"
    "  --help          this text\n";

/* Tiles one after the other. */
struct cursor {
    unsigned zoom;
    uint32_t x, y, x0, y0, x1, y1; /* the last ones belong to it */
};

struct export
{
    const char *config_path, *world_name, *layer_name, *seed_text, *folder;
    int64_t rect[4], zooms[2], threads;
    enum eco_format format;
    bool dry_run;
    /* While it runs: */
    struct eco_world *world;
    enum eco_layer layer;
    struct eco_blocks *blocks;
    uint64_t total;
    atomic_uint_fast64_t written, found; /* made now; there already */
    atomic_uint running;                 /* workers */
    atomic_bool stop;
    pthread_mutex_t mutex;
    struct cursor cursor; /* under the mutex, as the error */
    bool end;
    int code;
    struct eco_error error;
};

struct worker_job {
    struct eco_pool_job job; /* first */
    struct export *export;
};

/* --- what is asked -----------------------------------------------------------------------------
 */

static const struct option options[] = {
    {"world", required_argument, NULL, 'w'},  {"layer", required_argument, NULL, 'l'},
    {"rect", required_argument, NULL, 'r'},   {"zoom", required_argument, NULL, 'z'},
    {"seed", required_argument, NULL, 'S'},   {"format", required_argument, NULL, 'f'},
    {"dry-run", no_argument, NULL, 'n'},      {"output", required_argument, NULL, 'o'},
    {"config", required_argument, NULL, 'c'}, {"threads", required_argument, NULL, 't'},
    {"help", no_argument, NULL, 'h'},         {0},
};

static bool read_zooms(const char *text, int64_t zooms[2])
{
    char copy[16];
    char *dash;

    snprintf(copy, sizeof(copy), "%s", text);
    dash = strchr(copy, '-');
    if (dash)
        *dash = '\0';
    return eco_option_integer("zoom", copy, 0, ECO_ZOOM_MAX, &zooms[0]) &&
           eco_option_integer("zoom", dash ? dash + 1 : copy, zooms[0], ECO_ZOOM_MAX, &zooms[1]);
}

static bool read_format(const char *text, enum eco_format *format)
{
    int found = eco_format_find(text, strlen(text));

    if (found < 0)
        fprintf(stderr, "ecotone: --format: '%s' is neither png nor webp\n", text);
    *format = found < 0 ? ECO_FORMAT_PNG : (enum eco_format)found;
    return found >= 0;
}

static bool take_option(struct export *export, int option)
{
    switch (option) {
    case 'w':
        export->world_name = optarg;
        return true;
    case 'l':
        export->layer_name = optarg;
        return true;
    case 'r':
        return eco_option_integers("rect", optarg, -ECO_WORLD_HALF, ECO_WORLD_HALF, export->rect,
                                   4);
    case 'z':
        return read_zooms(optarg, export->zooms);
    case 'S':
        export->seed_text = optarg;
        return true;
    case 'f':
        return read_format(optarg, &export->format);
    case 'n':
        export->dry_run = true;
        return true;
    case 'o':
        export->folder = optarg;
        return true;
    case 'c':
        export->config_path = optarg;
        return true;
    case 't':
        return eco_option_integer("threads", optarg, 0, ECO_THREADS_MAX, &export->threads);
    default:
        return false;
    }
}

/* -1: go on; otherwise the exit status. */
static int parse_options(int argc, char **argv, struct export *export)
{
    bool fine = true;
    int option;

    optind = 0;
    while (fine && (option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        fine = take_option(export, option);
    }
    if (fine && optind == argc && export->world_name && export->layer_name && export->folder &&
        export->zooms[0] >= 0 && export->rect[0] < export->rect[2] &&
        export->rect[1] < export->rect[3])
        return -1;
    if (fine)
        fputs("ecotone: --world, --layer, --rect with x0 < x1 and z0 < z1, --zoom and -o are "
              "needed, and nothing more\n",
              stderr);
    fputs(usage, stderr);
    return 2;
}

static int open_world(struct export *export, struct eco_config **config)
{
    const struct eco_world_config *world;
    struct eco_world_options chosen = {0};
    int64_t seed;
    int code = eco_option_config(export->config_path, config, NULL, &export->error);

    if (export->seed_text) {
        seed = eco_seed_parse(export->seed_text, strlen(export->seed_text), NULL);
        chosen.seed = &seed;
    }
    if (!code)
        code = eco_world_open(*config, export->world_name, &chosen, &export->world, &export->error);
    if (code)
        return code;
    world = eco_world_config_of(export->world);
    code = eco_option_layer(export->layer_name, world, &export->layer, &export->error);
    if (!code && !eco_format_holds(export->format, export->layer))
        code = eco_error_set(&export->error, ECO_EINVAL,
                             "--format: the layer %s has more bits than %s can hold",
                             export->layer_name, eco_format_name(export->format));
    if (!code && export->zooms[0] < world->minzoom)
        code = eco_error_set(&export->error, ECO_EINVAL,
                             "--zoom: the world '%s' is drawn at zooms %u to %d", world->name,
                             world->minzoom, ECO_ZOOM_MAX);
    return code;
}

/* --- the tiles ---------------------------------------------------------------------------------
 */

/* The tiles of a zoom, the cursor before the first. */
static struct cursor cursor_of(const struct export *export, unsigned zoom)
{
    const int64_t side = (int64_t)ECO_TILE_SIZE << (ECO_ZOOM_MAX - zoom);
    struct cursor cursor = {.zoom = zoom,
                            .x0 = (uint32_t)((export->rect[0] + ECO_WORLD_HALF) / side),
                            .y0 = (uint32_t)((export->rect[1] + ECO_WORLD_HALF) / side),
                            .x1 = (uint32_t)((export->rect[2] - 1 + ECO_WORLD_HALF) / side),
                            .y1 = (uint32_t)((export->rect[3] - 1 + ECO_WORLD_HALF) / side)};

    cursor.x = cursor.x0;
    cursor.y = cursor.y0;
    return cursor;
}

static int count_tiles(struct export *export)
{
    for (int64_t zoom = export->zooms[0]; zoom <= export->zooms[1]; zoom++) {
        const struct cursor all = cursor_of(export, (unsigned)zoom);
        uint64_t count = (uint64_t)(all.x1 - all.x0 + 1) * (all.y1 - all.y0 + 1);

        export->total += count;
        if (export->dry_run)
            printf("zoom %u: %llu tiles\n", all.zoom, (unsigned long long)count);
    }
    if (export->total <= ECO_EXPORT_TILES_MAX)
        return 0;
    return eco_error_set(&export->error, ECO_EINVAL,
                         "%llu tiles are too many, at most %d; a smaller --rect or --zoom makes "
                         "fewer",
                         (unsigned long long)export->total, ECO_EXPORT_TILES_MAX);
}

/* False: there is none, or nobody wants any more. */
static bool next_tile(struct export *export, struct eco_tile *tile)
{
    struct cursor *cursor = &export->cursor;
    bool more;

    pthread_mutex_lock(&export->mutex);
    more = !export->end && !export->code && !atomic_load(&export->stop);
    if (more) {
        *tile = (struct eco_tile){.zoom = cursor->zoom, .x = cursor->x, .y = cursor->y, .scale = 1};
        /* Column by column: a folder of files is one of them. */
        if (cursor->y++ == cursor->y1) {
            cursor->y = cursor->y0;
            if (cursor->x++ == cursor->x1) {
                export->end = cursor->zoom == export->zooms[1];
                if (!export->end)
                    *cursor = cursor_of(export, cursor->zoom + 1);
            }
        }
    }
    pthread_mutex_unlock(&export->mutex);
    return more;
}

/* The first failure is the one to tell; it ends all workers. */
static void fail(struct export *export, int code, const struct eco_error *error)
{
    pthread_mutex_lock(&export->mutex);
    if (!export->code) {
        export->code = code;
        export->error = *error;
    }
    pthread_mutex_unlock(&export->mutex);
}

/* --- files -------------------------------------------------------------------------------------
 */

static int say_errno(struct eco_error *error, const char *path)
{
    return eco_error_set(error, ECO_EIO, "%.300s: %m", path);
}

static int make_folder(const char *path, struct eco_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : say_errno(error, path);
}

/* Written beside its place and renamed, so that what is there is whole. */
static int write_file(const char *path, const void *data, size_t size, struct eco_error *error)
{
    char part[PATH_MAX + 32];
    ssize_t written = -1;
    int file, code = 0;

    snprintf(part, sizeof(part), "%s.part-%d", path, (int)getpid());
    file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return say_errno(error, part);
    for (size_t done = 0; done < size; done += (size_t)written) {
        written = write(file, (const char *)data + done, size - done);
        if (written < 0 && errno == EINTR)
            written = 0;
        else if (written < 0)
            break;
    }
    if (written < 0)
        code = say_errno(error, part);
    if (close(file) != 0 && !code)
        code = say_errno(error, part);
    if (!code && rename(part, path) != 0)
        code = say_errno(error, path);
    if (code)
        unlink(part);
    return code;
}

/* What the tiles are, for whoever uses them and for the next run. */
static char *describe(const struct export *export)
{
    const struct eco_world_config *world = eco_world_config_of(export->world);
    const int64_t seed = eco_world_seed(export->world);
    char hash[24], seed_text[24], tiles[32];
    json_t *object;
    char *text;

    snprintf(hash, sizeof(hash), "%016llx",
             (unsigned long long)eco_tiles_version(world, seed, world->blend.method));
    snprintf(seed_text, sizeof(seed_text), "%lld", (long long)seed);
    snprintf(tiles, sizeof(tiles), "{z}/{x}/{y}.%s", eco_format_name(export->format));
    object = json_pack("{s:s,s:s,s:s,s:s,s:[s],s:s,s:i,s:s,s:s}", "tilejson", "3.0.0", "name",
                       world->title, "description", eco_layer_name(export->layer), "scheme", "xyz",
                       "tiles", tiles, "format", eco_format_name(export->format), "tilesize",
                       ECO_TILE_SIZE, "seed", seed_text, "hash", hash);
    text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
    json_decref(object);
    return text;
}

/* Files of whoever knows what would be taken for tiles. */
static int check_empty(const char *path, struct eco_error *error)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    int code = 0;

    if (!folder)
        return say_errno(error, path);
    while (!code && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            code = eco_error_set(error, ECO_EINVAL,
                                 "%.300s is not empty and no export; take another folder", path);
    }
    closedir(folder);
    return code;
}

/* The folder is new, or holds the same tiles. */
static int claim_folder(struct export *export)
{
    char path[PATH_MAX], there[4096];
    char *text = describe(export);
    struct eco_error *error = &export->error;
    FILE *file;
    size_t size;
    int code = text ? make_folder(export->folder, error) : ECO_ENOMEM;

    if (code) {
        free(text);
        return text ? code : eco_error_set(error, ECO_ENOMEM, "no memory");
    }
    if (snprintf(path, sizeof(path), "%s/tilejson.json", export->folder) >= PATH_MAX - 64) {
        free(text);
        return eco_error_set(error, ECO_EINVAL, "-o: the path is too long");
    }
    file = fopen(path, "rb");
    if (file) {
        size = fread(there, 1, sizeof(there), file);
        fclose(file);
        if (size != strlen(text) || memcmp(there, text, size) != 0)
            code =
                eco_error_set(error, ECO_EINVAL,
                              "%.300s says that other tiles are there; take another folder", path);
    } else {
        code = check_empty(export->folder, error);
        if (!code)
            code = write_file(path, text, strlen(text), error);
    }
    free(text);
    return code;
}

static int tile_path(const struct export *export, const struct eco_tile *tile, char path[PATH_MAX],
                     struct eco_error *error)
{
    int code;

    snprintf(path, PATH_MAX, "%s/%u", export->folder, tile->zoom);
    code = make_folder(path, error);
    if (!code) {
        snprintf(path, PATH_MAX, "%s/%u/%u", export->folder, tile->zoom, tile->x);
        code = make_folder(path, error);
    }
    snprintf(path, PATH_MAX, "%s/%u/%u/%u.%s", export->folder, tile->zoom, tile->x, tile->y,
             eco_format_name(export->format));
    return code;
}

/* --- the work ----------------------------------------------------------------------------------
 */

static int export_tile(struct export *export, const struct eco_tile *tile,
                       struct eco_sampler *sampler, struct eco_png_encoder *encoder,
                       struct eco_buffer *bytes, struct eco_error *error)
{
    const struct eco_tile_request request = {.world = eco_world_config_of(export->world),
                                             .seed = eco_world_seed(export->world),
                                             .layer = export->layer,
                                             .tile = *tile,
                                             .format = export->format};
    char path[PATH_MAX];
    struct stat status;
    int code = tile_path(export, tile, path, error);

    if (code)
        return code;
    if (stat(path, &status) == 0 && status.st_size > 0) {
        atomic_fetch_add(&export->found, 1);
        return 0;
    }
    eco_sampler_reset(sampler);
    code = eco_tiles_make(&request, export->world, sampler, encoder, bytes, error);
    if (!code)
        code = write_file(path, bytes->data, bytes->size, error);
    if (!code)
        atomic_fetch_add(&export->written, 1);
    return code;
}

static void run_worker(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct export *export = ((struct worker_job *)job)->export;
    struct eco_png_encoder *encoder = NULL;
    struct eco_error error = {0};
    struct eco_buffer bytes;
    struct eco_tile tile;
    int code = 0;

    eco_buffer_init(&bytes);
    worker->sampler.blocks = eco_blocks_cache(export->blocks);
    if (eco_png_encoder_new(&encoder) != 0)
        code = eco_error_set(&error, ECO_ENOMEM, "no memory for a PNG encoder");
    while (!code && next_tile(export, &tile))
        code = export_tile(export, &tile, &worker->sampler, encoder, &bytes, &error);
    if (code)
        fail(export, code, &error);
    eco_png_encoder_free(encoder);
    eco_buffer_release(&bytes);
    atomic_fetch_sub(&export->running, 1);
}

static void tell_progress(struct export *export, uint64_t begin, const char *end)
{
    const uint64_t written = atomic_load(&export->written), found = atomic_load(&export->found);
    const double seconds = (double)(eco_clock_monotonic_ns() - begin) * 1e-9;
    const double rate = seconds > 0 ? (double)written / seconds : 0;

    fprintf(stderr, "%" PRIu64 " of %" PRIu64 " tiles", written + found, export->total);
    if (found > 0)
        fprintf(stderr, ", %" PRIu64 " were there", found);
    fprintf(stderr, ", %.1f a second", rate);
    if (rate > 0 && written + found < export->total)
        fprintf(stderr, ", %.0f s left", (double)(export->total - written - found) / rate);
    fputs(end, stderr);
}

/* Until all workers have ended. Returns the signal that came, or 0. */
static int watch(struct export *export, const sigset_t *signals)
{
    const struct timespec moment = {.tv_nsec = LOOK_MS * 1000000};
    const bool terminal = isatty(STDERR_FILENO);
    const uint64_t begin = eco_clock_monotonic_ns(), pause = terminal ? SPEAK_NS : 10 * SPEAK_NS;
    uint64_t next = begin + pause;
    int number = 0;

    while (atomic_load(&export->running) > 0) {
        int came = sigtimedwait(signals, NULL, &moment);

        if (came > 0) {
            number = came;
            atomic_store(&export->stop, true);
        }
        if (eco_clock_monotonic_ns() < next)
            continue;
        tell_progress(export, begin, terminal ? "    \r" : "\n");
        next += pause;
    }
    tell_progress(export, begin, "    \n");
    return number;
}

static int run(struct export *export, int *number)
{
    struct worker_job jobs[ECO_THREADS_MAX];
    unsigned threads = eco_option_threads(export->threads);
    struct eco_pool *pool = NULL;
    sigset_t signals;
    int code;

    /* Before any thread starts. A tile that is begun is finished. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    export->cursor = cursor_of(export, (unsigned)export->zooms[0]);
    export->blocks = eco_blocks_new(ECO_BLOCKS_BYTES);
    if (!export->blocks)
        return eco_error_set(&export->error, ECO_ENOMEM, "no memory for the blocks of a world");
    code = eco_pool_new(threads, threads, &pool, &export->error);
    if (!code) {
        atomic_store(&export->running, threads);
        for (unsigned i = 0; i < threads; i++) {
            jobs[i] = (struct worker_job){.job.run = run_worker, .export = export};
            if (eco_pool_push(pool, &jobs[i].job) != 0)
                atomic_fetch_sub(&export->running, 1);
        }
        *number = watch(export, &signals);
        eco_pool_free(pool);
        code = export->code;
    }
    eco_blocks_free(export->blocks);
    return code;
}

int eco_cli_export(int argc, char **argv)
{
    struct export export = {.zooms = {-1, -1}, .mutex = PTHREAD_MUTEX_INITIALIZER};
    struct eco_config *config = NULL;
    int number = 0, code = parse_options(argc, argv, &export);

    if (code >= 0)
        return code;
    code = open_world(&export, &config);
    if (!code)
        code = count_tiles(&export);
    if (!code && !export.dry_run)
        code = claim_folder(&export);
    if (!code && !export.dry_run)
        code = run(&export, &number);
    if (code)
        fprintf(stderr, "ecotone: %s\n", export.error.text);
    else if (number)
        fputs("ecotone: stopped; run again, it goes on from there\n", stderr);
    eco_world_close(export.world);
    eco_config_free(config);
    return code ? 1 : number ? 128 + number : 0;
}
