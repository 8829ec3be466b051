#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "http/score.h"
#include "serve/blocks.h"

static const char usage[] =
    "usage: ecotone score --world W --rect x0,z0,x1,z1 [options]\n"
    "How well the blocks from (x0, z0) up to, not including, (x1, z1) can be played on: where "
    "units\n"
    "can walk, how much of it hangs together, and where buildings have room. What hangs together "
    "is\n"
    "asked within the window.\n"
    "  --world W           a world of the configuration\n"
    "  --rect LIST         blocks; +x is east, +z is south\n"
    "  --step N            blocks a cell; the cell of a relief, else 1 by default\n"
    "  --unit-slope S      rise over run below which units walk; 0.5 by default\n"
    "  --unit-size N       cells a side of a unit; 1 by default\n"
    "  --building-slope S  rise over run below which buildings stand; 0.125 by default\n"
    "  --building-size N   cells a side of a building; 9 by default\n"
    "  --seed S            a number or a text; the world's own by default\n"
    "  --config FILE       config/ecotone.yaml, /etc/ecotone/ecotone.yaml or the built-in one\n"
    "  --threads N         0, one a processor, by default\n"
    "  --json              JSON instead of lines\n"
    "  --help              this text\n";

struct score_run {
    const char *config_path, *world_name, *seed_text;
    int64_t rect[4], step, threads, unit_size, building_size;
    double unit_slope, building_slope; /* 0: the world's own */
    bool json;
    /* While it runs: */
    const struct eco_world *world;
    struct eco_score_query query;
    struct eco_blocks *blocks;
    struct eco_score score;
    struct eco_error error;
};

static const struct option options[] = {
    {"world", required_argument, NULL, 'w'},
    {"rect", required_argument, NULL, 'r'},
    {"step", required_argument, NULL, 's'},
    {"unit-slope", required_argument, NULL, 'u'},
    {"unit-size", required_argument, NULL, 'U'},
    {"building-slope", required_argument, NULL, 'b'},
    {"building-size", required_argument, NULL, 'B'},
    {"seed", required_argument, NULL, 'S'},
    {"config", required_argument, NULL, 'c'},
    {"threads", required_argument, NULL, 't'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* A number above 0, all of the text. */
static bool parse_slope(const char *name, const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    if (end != text && *end == '\0' && *out > 0.0 && *out <= 64.0)
        return true;
    fprintf(stderr, "ecotone: --%s: '%s' is not a slope; rise over run, above 0 to 64\n", name,
            text);
    return false;
}

static bool take_option(int option, struct score_run *run)
{
    switch (option) {
    case 'w':
        run->world_name = optarg;
        return true;
    case 'r':
        return eco_option_integers("rect", optarg, -ECO_WORLD_HALF, ECO_WORLD_HALF, run->rect, 4);
    case 's':
        return eco_option_integer("step", optarg, 1, ECO_WORLD_STEP_MAX, &run->step);
    case 'u':
        return parse_slope("unit-slope", optarg, &run->unit_slope);
    case 'U':
        return eco_option_integer("unit-size", optarg, 1, ECO_SCORE_SIZE_MAX, &run->unit_size);
    case 'b':
        return parse_slope("building-slope", optarg, &run->building_slope);
    case 'B':
        return eco_option_integer("building-size", optarg, 1, ECO_SCORE_SIZE_MAX,
                                  &run->building_size);
    case 'S':
        run->seed_text = optarg;
        return true;
    case 'c':
        run->config_path = optarg;
        return true;
    case 't':
        return eco_option_integer("threads", optarg, 0, ECO_THREADS_MAX, &run->threads);
    case 'j':
        run->json = true;
        return true;
    default:
        return false;
    }
}

static void set_query(struct score_run *run)
{
    struct eco_score_query *query = &run->query;

    eco_score_defaults(eco_world_config_of(run->world), query);
    query->x0 = run->rect[0];
    query->z0 = run->rect[1];
    query->x1 = run->rect[2];
    query->z1 = run->rect[3];
    query->step = run->step ? run->step : query->step;
    if (run->unit_slope > 0.0)
        query->rules.unit_slope = run->unit_slope;
    if (run->building_slope > 0.0)
        query->rules.building_slope = run->building_slope;
    if (run->unit_size)
        query->rules.unit_size = (unsigned)run->unit_size;
    if (run->building_size)
        query->rules.building_size = (unsigned)run->building_size;
}

static int run_score(void *context, struct eco_worker *worker)
{
    struct score_run *run = context;

    worker->sampler.blocks = eco_blocks_cache(run->blocks);
    return eco_score_world(run->world, &run->query, &worker->sampler, NULL, &run->score,
                           &run->error);
}

static int report(const struct score_run *run)
{
    const struct eco_score *score = &run->score;
    char *text;

    if (!run->json) {
        printf("erosion        eps      %.4f   deviation of the slope over its mean, %.4f / %.4f\n",
               score->eps, score->deviation, score->mean);
        printf("accessibility  upsilon  %.4f   largest of %zu connected parts; %.4f in all\n",
               score->upsilon, score->parts, score->access);
        printf("buildability   beta     %.4f   reachable from there; %.4f in all\n", score->beta,
               score->build);
        printf("total          omega    %.4f   eps * upsilon * beta\n", score->omega);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    text = eco_document_score(eco_world_config_of(run->world), eco_world_seed(run->world),
                              &run->query, score);
    if (!text)
        return 1;
    puts(text);
    free(text);
    return fflush(stdout) == 0 ? 0 : 1;
}

int eco_cli_score(int argc, char **argv)
{
    struct score_run run = {.threads = 0};
    struct eco_config *config = NULL;
    struct eco_world *world = NULL;
    struct eco_world_options chosen = {0};
    int64_t seed = 0;
    int option, code, status;

    optind = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        if (!take_option(option, &run)) {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (optind != argc || !run.world_name || memcmp(run.rect, (int64_t[4]){0}, 32) == 0) {
        fputs(usage, stderr);
        return 2;
    }
    if (run.seed_text) {
        seed = eco_seed_parse(run.seed_text, strlen(run.seed_text), NULL);
        chosen.seed = &seed;
    }
    run.blocks = eco_blocks_new(ECO_BLOCKS_BYTES);
    code = run.blocks ? eco_option_config(run.config_path, &config, NULL, &run.error) : ECO_ENOMEM;
    if (!code)
        code = eco_world_open(config, run.world_name, &chosen, &world, &run.error);
    if (!code) {
        run.world = world;
        set_query(&run);
        code = eco_bench_run(eco_option_threads(run.threads), run_score, &run, &run.error);
    }
    if (code)
        fprintf(stderr, "ecotone: %s\n", run.error.text);
    status = code ? 1 : report(&run);
    eco_blocks_free(run.blocks);
    eco_world_close(world);
    eco_config_free(config);
    return status;
}
