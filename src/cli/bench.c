#include "cli/bench.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "cli/options.h"

static const char usage[] =
    "usage: ecotone bench blend [--method M,M] [--interval 4,8] [--radius 24,48] [--chunk 16,32]\n"
    "       ecotone bench quality [--method M,M] [--interval 2,4,8] [--radius 24,48]\n"
    "       ecotone bench tiles [--world W] [--zoom 18,16] [--config FILE]\n"
    "       ecotone bench relief\n"
    "blend:   the work of \"Fast Biome Blending, Without Squareness\": weights of 768x768 blocks,\n"
    "         biome source included; nanoseconds a block, median of the maps (processor time for\n"
    "         one thread, elapsed time for more). The stages, of all threads together, are those\n"
    "         of the first map, least elapsed time of five passes: finding the points, asking for\n"
    "         their biomes, finding which of them matter where, and the weights. Method none asks\n"
    "         while it makes the weights.\n"
    "quality: mean and largest error of the weights against full blending at the same radius, and\n"
    "         the share of the border's gradients within 3 degrees of axes and diagonals, which\n"
    "         is 0.133 where no direction is preferred; over 768x768 blocks of each map.\n"
    "tiles:   cold tiles of 256x256 pixels, encoding included; milliseconds: median, worst.\n"
    "relief:  scores of terrain and erosion beside the published ones (p_...), means over seeds "
    "of\n"
    "         512x512 cells; milliseconds of processor time for 512x512 cells that end at their\n"
    "         border (ms_512: erosion, terrain where there is none) and for a tile of 256x256\n"
    "         cells with all that is around it (ms_tile: terrain and erosion), medians.\n"
    "  --method LIST   scattered, full, grid_convolve, grid_lerp, none; all by default\n"
    "  --threads LIST  1 by default; quality takes the first, relief none\n"
    "  --repeats N     maps, tiles or seeds a row; 5, 16 or 12 by default\n"
    "  --json          an array of rows\n"
    "  --help          this text\n";

struct bench_job {
    struct eco_pool_job job;
    int (*run)(void *context, struct eco_worker *worker);
    void *context;
    int code;
};

static void run_bench_job(struct eco_pool_job *job, struct eco_worker *worker)
{
    struct bench_job *bench = (struct bench_job *)job;

    bench->code = bench->run(bench->context, worker);
}

int eco_bench_run(unsigned threads, int (*run)(void *context, struct eco_worker *worker),
                  void *context, struct eco_error *error)
{
    struct bench_job job = {.job.run = run_bench_job, .run = run, .context = context};
    struct eco_pool *pool = NULL;
    int code = eco_pool_new(threads, 1, &pool, error);

    if (code)
        return code;
    code = eco_pool_push(pool, &job.job);
    eco_pool_free(pool);
    return code ? code : job.code;
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

double eco_bench_median(double *values, unsigned count)
{
    qsort(values, count, sizeof(*values), compare_doubles);
    return values[count / 2];
}

static bool parse_list(const char *option, const char *text, int64_t low, int64_t high,
                       struct eco_bench_list *list)
{
    unsigned count = 1;

    for (const char *c = text; *c; c++)
        count += *c == ',';
    if (count > ECO_BENCH_LIST_MAX) {
        fprintf(stderr, "ecotone: --%s: at most %d numbers\n", option, ECO_BENCH_LIST_MAX);
        return false;
    }
    list->count = count;
    return eco_option_integers(option, text, low, high, list->values, count);
}

static bool parse_methods(const char *text, struct eco_bench_list *list)
{
    list->count = 0;
    for (const char *rest = text;; rest++) {
        size_t length = strcspn(rest, ",");
        int method = eco_blend_method_find(rest, length);

        if (method < 0 || list->count == ECO_BENCH_LIST_MAX) {
            fprintf(stderr, "ecotone: --method: '%s' is not a list of at most %d methods\n", text,
                    ECO_BENCH_LIST_MAX);
            return false;
        }
        list->values[list->count++] = method;
        rest += length;
        if (*rest == '\0')
            return true;
    }
}

static const struct option long_options[] = {
    {"method", required_argument, NULL, 'm'},  {"interval", required_argument, NULL, 'i'},
    {"radius", required_argument, NULL, 'r'},  {"chunk", required_argument, NULL, 'k'},
    {"world", required_argument, NULL, 'w'},   {"zoom", required_argument, NULL, 'z'},
    {"config", required_argument, NULL, 'c'},  {"threads", required_argument, NULL, 't'},
    {"repeats", required_argument, NULL, 'n'}, {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},          {0},
};

static bool take_option(int option, struct eco_bench_options *out)
{
    switch (option) {
    case 'i':
        return parse_list("interval", optarg, 1, ECO_BLEND_INTERVAL_MAX, &out->intervals);
    case 'r':
        return parse_list("radius", optarg, 4, 512, &out->radii);
    case 'k':
        return parse_list("chunk", optarg, 8, 64, &out->chunks);
    case 'm':
        return parse_methods(optarg, &out->methods);
    case 'w':
        out->world = optarg;
        return true;
    case 'z':
        return parse_list("zoom", optarg, 0, ECO_ZOOM_MAX, &out->zooms);
    case 'c':
        out->config_path = optarg;
        return true;
    case 't':
        return parse_list("threads", optarg, 1, ECO_THREADS_MAX, &out->threads);
    case 'n':
        return eco_option_integer("repeats", optarg, 1, 1000, &out->repeats);
    case 'j':
        out->json = true;
        return true;
    default:
        return false;
    }
}

/* The width of a column: what stands in it, and two spaces. */
static int width_of(const json_t *rows, const char *key)
{
    size_t width = strlen(key) > 8 ? strlen(key) : 8, index;
    json_t *row;

    json_array_foreach(rows, index, row)
    {
        const char *text = json_string_value(json_object_get(row, key));

        width = text && strlen(text) > width ? strlen(text) : width;
    }
    return (int)width + 2;
}

/* Errors and shares are small. */
static int decimals_of(const char *key)
{
    return strstr(key, "error") || strstr(key, "index") || strstr(key, "points") ? 4 : 3;
}

/* The last column holds sentences. */
#define SENTENCES "why"

/* A table whose columns are the keys of the first row. */
static void print_table(const json_t *rows)
{
    const char *key;
    json_t *row, *value;
    size_t index;

    json_object_foreach(json_array_get(rows, 0), key, value)
        printf("%*s", strcmp(key, SENTENCES) ? width_of(rows, key) : (int)strlen(key) + 2, key);
    printf("\n");
    json_array_foreach(rows, index, row)
    {
        json_object_foreach(row, key, value)
        {
            int width = width_of(rows, key);

            if (strcmp(key, SENTENCES) == 0)
                printf("  %s", json_string_value(value));
            else if (json_is_string(value))
                printf("%*s", width, json_string_value(value));
            else if (json_is_integer(value))
                printf("%*lld", width, (long long)json_integer_value(value));
            else if (json_is_real(value))
                printf("%*.*f", width, decimals_of(key), json_real_value(value));
            else
                printf("%*s", width, "-");
        }
        printf("\n");
    }
}

static int report(json_t *rows, bool json)
{
    if (json)
        json_dumpf(rows, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    else
        print_table(rows);
    if (json)
        printf("\n");
    return fflush(stdout) == 0 ? 0 : 1;
}

static const struct bench {
    const char *name;
    int (*run)(const struct eco_bench_options *options, json_t *rows, struct eco_error *error);
    struct eco_bench_list intervals;
} benches[] = {
    {"blend", eco_bench_blend, {{8, 4}, 2}},
    {"quality", eco_bench_quality, {{2, 4, 8}, 3}},
    {"tiles", eco_bench_tiles, {{0}, 0}},
    {"relief", eco_bench_relief, {{0}, 0}},
};

static const struct bench *find_bench(const char *name)
{
    for (size_t k = 0; k < sizeof(benches) / sizeof(benches[0]); k++) {
        if (strcmp(benches[k].name, name) == 0)
            return &benches[k];
    }
    return NULL;
}

static int run_bench(const struct bench *bench, struct eco_bench_options *chosen)
{
    struct eco_error error = {0};
    json_t *rows = json_array();
    int status = 1;

    if (!rows)
        return 1;
    if (chosen->intervals.count == 0)
        chosen->intervals = bench->intervals;
    if (bench->run(chosen, rows, &error))
        fprintf(stderr, "ecotone: %s\n", error.text);
    else
        status = report(rows, chosen->json);
    json_decref(rows);
    return status;
}

int eco_cli_bench(int argc, char **argv)
{
    struct eco_bench_options chosen = {
        .threads = {{1}, 1},
        .zooms = {{18, 17, 16, 14, 12, 10}, 6},
        .radii = {{24, 48}, 2},
        .chunks = {{16}, 1},
        .methods = {{ECO_BLEND_SCATTERED, ECO_BLEND_FULL, ECO_BLEND_GRID_CONVOLVE,
                     ECO_BLEND_GRID_LERP, ECO_BLEND_NONE},
                    ECO_BLEND_METHODS},
    };
    const struct bench *bench;
    int option;

    optind = 0;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        if (!take_option(option, &chosen)) {
            fputs(usage, stderr);
            return 2;
        }
    }
    bench = argc - optind == 1 ? find_bench(argv[optind]) : NULL;
    if (!bench) {
        fputs(usage, stderr);
        return 2;
    }
    return run_bench(bench, &chosen);
}
