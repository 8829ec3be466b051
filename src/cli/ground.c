#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "http/ground.h"

static const char area_usage[] =
    "usage: ecotone area --world W --rect x0,z0,x1,z1 [options]\n"
    "Says as JSON what the blocks from (x0, z0) up to, not including, (x1, z1) are made of: the\n"
    "share of each biome and of land, and how high it is, sampled on a grid that it names.\n";

static const char locate_usage[] =
    "usage: ecotone locate --world W --biome ID --at x,z [--within N] [options]\n"
    "Says as JSON which block of the biome is nearest to a block.\n"
    "  --biome ID      the number or the name of a biome of the world\n"
    "  --within N      blocks, 0 to 8192; 4096 by default\n";

static const char common_usage[] =
    "  --world W       a world of the configuration\n"
    "  --seed S        a number or a text; the world's own by default\n"
    "  --config FILE   config/ecotone.yaml, /etc/ecotone/ecotone.yaml or the built-in one by "
    "default\n"
    "  --help          this text\n";

struct question {
    const char *usage, *world_name, *seed_text, *config_path, *biome;
    bool has_place;
    int64_t rect[4], at[2], within;
    struct eco_config *config;
    struct eco_world *world;
    struct eco_sampler *sampler;
};

static const struct option options[] = {
    {"world", required_argument, NULL, 'w'},
    {"rect", required_argument, NULL, 'r'},
    {"biome", required_argument, NULL, 'b'},
    {"at", required_argument, NULL, 'a'},
    {"within", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, 'S'},
    {"config", required_argument, NULL, 'c'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static bool take_option(struct question *question, int option, bool locate)
{
    switch (option) {
    case 'w':
        question->world_name = optarg;
        return true;
    case 'r':
        question->has_place = true;
        return !locate && eco_option_integers("rect", optarg, -ECO_WORLD_HALF, ECO_WORLD_HALF,
                                              question->rect, 4);
    case 'b':
        question->biome = optarg;
        return locate;
    case 'a':
        question->has_place = true;
        return locate && eco_option_integers("at", optarg, -ECO_WORLD_HALF, ECO_WORLD_HALF - 1,
                                             question->at, 2);
    case 'n':
        return locate &&
               eco_option_integer("within", optarg, 0, ECO_LOCATE_WITHIN_MAX, &question->within);
    case 'S':
        question->seed_text = optarg;
        return true;
    case 'c':
        question->config_path = optarg;
        return true;
    default:
        return false;
    }
}

/* 0: go on; 1: done, with *status. */
static int parse_options(int argc, char **argv, struct question *question, int *status)
{
    bool fine = true, locate = question->usage == locate_usage;
    int option;

    *status = 2;
    optind = 0;
    while (fine && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            printf("%s%s", question->usage, common_usage);
            *status = 0;
            return 1;
        }
        fine = take_option(question, option, locate);
    }
    if (fine && optind == argc && question->world_name && question->has_place &&
        (!locate || question->biome))
        return 0;
    fprintf(stderr, "%s%s", question->usage, common_usage);
    return 1;
}

static int open_question(struct question *question, struct eco_error *error)
{
    struct eco_world_options own = {0};
    int64_t seed;
    int code = eco_option_config(question->config_path, &question->config, NULL, error);

    if (!code && question->seed_text) {
        seed = eco_seed_parse(question->seed_text, strlen(question->seed_text), NULL);
        own.seed = &seed;
    }
    if (!code)
        code =
            eco_world_open(question->config, question->world_name, &own, &question->world, error);
    if (!code && eco_sampler_new(&question->sampler))
        code = eco_error_set(error, ECO_ENOMEM, "no memory for a sampler");
    return code;
}

static int answer_area(const struct question *question, char **text, struct eco_error *error)
{
    struct eco_area area = {question->rect[0], question->rect[1], question->rect[2],
                            question->rect[3]};
    struct eco_area_answer answer;
    int code = eco_query_area(question->world, &area, question->sampler, NULL, &answer, error);

    if (!code)
        *text = eco_document_area(question->world, &area, &answer);
    return code;
}

static int answer_locate(const struct question *question, char **text, struct eco_error *error)
{
    const struct eco_world_config *config = eco_world_config_of(question->world);
    struct eco_locate locate = {0, question->at[0], question->at[1], question->within};
    struct eco_locate_answer answer;
    int code;

    while (locate.biome < config->biomes_count) {
        const struct eco_biome *biome = &config->biomes[locate.biome].biome;
        char id[8];

        snprintf(id, sizeof(id), "%u", biome->id);
        if (strcmp(question->biome, id) == 0 || strcmp(question->biome, biome->name) == 0)
            break;
        locate.biome++;
    }
    if (locate.biome == config->biomes_count)
        return eco_error_set(error, ECO_ENOTFOUND, "--biome: the world %s has no biome '%.64s'",
                             config->name, question->biome);
    code = eco_query_locate(question->world, &locate, question->sampler, NULL, &answer, error);
    if (!code)
        *text = eco_document_locate(question->world, &locate, &answer);
    return code;
}

static int run(int argc, char **argv, const char *usage,
               int (*answer)(const struct question *question, char **text, struct eco_error *error))
{
    struct question question = {.usage = usage, .within = 4096};
    struct eco_error error = {0};
    char *text = NULL;
    int status, code;

    if (parse_options(argc, argv, &question, &status))
        return status;
    code = open_question(&question, &error);
    if (!code)
        code = answer(&question, &text, &error);
    if (!code && !text)
        code = eco_error_set(&error, ECO_ENOMEM, "no memory for the answer");
    if (code)
        fprintf(stderr, "ecotone: %s\n", error.text);
    else
        puts(text);
    free(text);
    eco_sampler_free(question.sampler);
    eco_world_close(question.world);
    eco_config_free(question.config);
    return code ? 1 : 0;
}

int eco_cli_area(int argc, char **argv)
{
    return run(argc, argv, area_usage, answer_area);
}

int eco_cli_locate(int argc, char **argv)
{
    return run(argc, argv, locate_usage, answer_locate);
}
