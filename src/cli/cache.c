/* The command `cache`: its options, and which tiles they mean. */

#include "cli/cache.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "serve/tiles.h"
#include "world/generator.h"

#define SAMPLES_DEFAULT 100
#define WAIT_DEFAULT 5 /* seconds, for a lock */
#define WAIT_MAX 3600
#define SAMPLES_MAX 1000000

static const char usage[] =
    "usage: ecotone cache stats  [options]     what the cache file holds, by world and layer\n"
    "       ecotone cache purge  [options]     delete tiles; a running daemon goes on meanwhile\n"
    "       ecotone cache verify [options]     make stored tiles again and compare the bytes\n"
    "which tiles (purge needs one of these, or --all):\n"
    "  --world W          of this world\n"
    "  --seed S           of this seed, a number or a text\n"
    "  --layer L          of this layer; `blocks` are eroded blocks of ground\n"
    "  --zoom A-B         of these zooms, or of one\n"
    "  --area x0,z0,x1,z1 that show any of these blocks\n"
    "  --stale            of worlds that the configuration does not have like this any more\n"
    "  --all              verify: all of them, and the file itself\n"
    "other options:\n"
    "  --sample N         verify: so many of them, by chance; 100 by default\n"
    "  --wait N           seconds that a lock of another process is waited for; 5 by default\n"
    "  --file FILE        the cache; that of the configuration by default\n"
    "  --config FILE      config/ecotone.yaml, /etc/ecotone/ecotone.yaml or the built-in one by "
    "default\n"
    "  --json             the same for programs\n"
    "  --help             this text\n"
    "Exit status: 0 done, 1 failed (no such file, no cache, locked), 2 used "
    "wrongly,\n"
    "3 verify found a tile that is not as it should be.\n";

static const struct option options[] = {
    {"config", required_argument, NULL, 'c'}, {"file", required_argument, NULL, 'f'},
    {"world", required_argument, NULL, 'w'},  {"layer", required_argument, NULL, 'l'},
    {"seed", required_argument, NULL, 'S'},   {"zoom", required_argument, NULL, 'z'},
    {"area", required_argument, NULL, 'a'},   {"sample", required_argument, NULL, 'n'},
    {"wait", required_argument, NULL, 't'},   {"stale", no_argument, NULL, 's'},
    {"all", no_argument, NULL, 'A'},          {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},         {0},
};

/* --- which tiles -------------------------------------------------------------------------------
 */

const char *cache_state_name(enum cache_state state)
{
    static const char *const names[] = {
        [CACHE_CURRENT] = "current",
        [CACHE_OLD] = "old",
        [CACHE_REFUSED] = "refused",
        [CACHE_FOREIGN] = "foreign",
    };

    return names[state];
}

enum cache_state cache_state_of(const struct eco_config *config,
                                const struct eco_cache_world *world, uint8_t layer)
{
    const struct eco_world_config *own =
        world->known ? eco_config_world(config, world->name) : NULL;
    enum eco_blend_method blend = (enum eco_blend_method)world->blend;
    uint64_t hash;

    if (!own)
        return CACHE_FOREIGN;
    if (world->blend >= ECO_BLEND_METHODS)
        return CACHE_OLD;
    hash = layer == ECO_CACHE_LAYER_BLOCK ? eco_relief_blocks_hash(own, world->seed)
                                          : eco_tiles_version(own, world->seed, blend);
    if (hash != world->hash)
        return CACHE_OLD;
    if (!eco_config_seed_allowed(own, world->seed) ||
        (layer != ECO_CACHE_LAYER_BLOCK && blend != own->blend.method && !own->blend.override))
        return CACHE_REFUSED;
    return CACHE_CURRENT;
}

const char *cache_layer_name(uint8_t layer, char spare[16])
{
    if (layer == ECO_CACHE_LAYER_BLOCK)
        return "blocks";
    if (layer < ECO_LAYER_COUNT)
        return eco_layer_name((enum eco_layer)layer);
    snprintf(spare, 16, "%u", layer);
    return spare;
}

bool cache_wants(const struct cache_run *run, const struct eco_cache_world *world, uint8_t layer)
{
    return (!run->world || (world->known && strcmp(run->world, world->name) == 0)) &&
           (!run->has_seed || (world->known && run->seed == world->seed)) &&
           (run->layer < 0 || run->layer == layer) &&
           (!run->stale || cache_state_of(run->config, world, layer) != CACHE_CURRENT);
}

bool cache_takes(const struct cache_run *run, const struct eco_cache_key *key)
{
    int64_t side, x, z;

    /* A block is of no zoom, and a tile of no zoom that there is shows nothing. */
    if (key->layer == ECO_CACHE_LAYER_BLOCK || key->zoom > ECO_ZOOM_MAX)
        return !run->has_zooms && !run->has_area;
    if (run->has_zooms && (key->zoom < run->zooms[0] || key->zoom > run->zooms[1]))
        return false;
    if (!run->has_area)
        return true;
    side = (int64_t)ECO_TILE_SIZE << (ECO_ZOOM_MAX - key->zoom);
    x = key->x * side - ECO_WORLD_HALF;
    z = key->y * side - ECO_WORLD_HALF;
    return x < run->area[2] && x + side > run->area[0] && z < run->area[3] &&
           z + side > run->area[1];
}

/* --- the command line --------------------------------------------------------------------------
 */

static bool take_layer(struct cache_run *run, const char *text)
{
    run->layer =
        strcmp(text, "blocks") == 0 ? ECO_CACHE_LAYER_BLOCK : eco_layer_find(text, strlen(text));
    if (run->layer < 0)
        fprintf(stderr, "ecotone: --layer: there is no layer '%.64s'\n", text);
    return run->layer >= 0;
}

static bool take_zooms(struct cache_run *run, const char *text)
{
    const char *dash = strchr(text, '-');
    char low[8];

    run->has_zooms = true;
    if (!dash) {
        bool fine = eco_option_integer("zoom", text, 0, ECO_ZOOM_MAX, &run->zooms[0]);

        run->zooms[1] = run->zooms[0];
        return fine;
    }
    snprintf(low, sizeof(low), "%.*s", (int)(dash - text > 7 ? 7 : dash - text), text);
    return eco_option_integer("zoom", low, 0, ECO_ZOOM_MAX, &run->zooms[0]) &&
           eco_option_integer("zoom", dash + 1, run->zooms[0], ECO_ZOOM_MAX, &run->zooms[1]);
}

static bool take_option(struct cache_run *run, int option)
{
    switch (option) {
    case 'c':
        run->config_path = optarg;
        return true;
    case 'f':
        run->path = optarg;
        return true;
    case 'w':
        run->world = optarg;
        return true;
    case 'l':
        return take_layer(run, optarg);
    case 'S':
        run->has_seed = true;
        run->seed = eco_seed_parse(optarg, strlen(optarg), NULL);
        return true;
    case 'z':
        return take_zooms(run, optarg);
    case 'a':
        run->has_area = true;
        return eco_option_integers("area", optarg, -ECO_WORLD_HALF, ECO_WORLD_HALF, run->area, 4);
    case 'n':
        return eco_option_integer("sample", optarg, 1, SAMPLES_MAX, &run->samples);
    case 't':
        return eco_option_integer("wait", optarg, 1, WAIT_MAX, &run->wait);
    case 's':
        return run->stale = true;
    case 'A':
        return run->all = true;
    case 'j':
        return run->json = true;
    default:
        return false;
    }
}

static int open_run(struct cache_run *run, struct eco_error *error)
{
    int code = eco_option_config(run->config_path, &run->config, NULL, error);

    if (code)
        return code;
    if (!run->path)
        run->path = run->config->cache.path;
    if (!run->path)
        return eco_error_set(
            error, ECO_ENOTFOUND,
            "the configuration has no cache file (cache.path); name one by --file");
    return eco_cache_admin_open(run->path, (unsigned)(run->wait * 1000), &run->admin, error);
}

static int run_verb(int (*verb)(struct cache_run *run, struct eco_error *error),
                    struct cache_run *run)
{
    struct eco_error error = {0};
    int status = open_run(run, &error);

    if (!status)
        status = verb(run, &error);
    eco_cache_admin_close(run->admin);
    eco_config_free(run->config);
    if (status >= 0)
        return status;
    fprintf(stderr, "ecotone: %s\n", error.text);
    return 1;
}

int eco_cli_cache(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*verb)(struct cache_run *run, struct eco_error *error);
    } verbs[] = {{"stats", cache_stats}, {"purge", cache_purge}, {"verify", cache_verify}};
    struct cache_run run = {.layer = -1, .samples = SAMPLES_DEFAULT, .wait = WAIT_DEFAULT};
    bool fine = true, chosen;
    int option;

    optind = 0;
    while (fine && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        fine = take_option(&run, option);
    }
    chosen = run.world || run.layer >= 0 || run.has_zooms || run.has_area || run.has_seed ||
             run.stale || run.all;
    for (size_t i = 0; fine && argc - optind == 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (strcmp(argv[optind], verbs[i].name) != 0)
            continue;
        if (verbs[i].verb == cache_purge && !chosen) {
            fputs("ecotone: purge: which tiles? --all means all of them\n", stderr);
            return 2;
        }
        return run_verb(verbs[i].verb, &run);
    }
    fputs(usage, stderr);
    return 2;
}
