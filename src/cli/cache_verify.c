/* ecotone cache verify: makes stored tiles and blocks again and compares the bytes. */

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "cli/cache.h"
#include "codec/pack.h"
#include "codec/png.h"
#include "serve/blocks.h"
#include "serve/tiles.h"
#include "serve/worlds.h"
#include "world/generator.h"
#include "world/relief/block.h"

struct verify {
    struct cache_run *run;
    struct eco_worlds *worlds;
    struct eco_blocks *blocks; /* its own, in memory: stored ones prove nothing */
    struct eco_sampler *sampler;
    struct eco_png_encoder *encoder;
    struct eco_buffer stored, made;
    struct eco_cache_world world; /* of the last key */
    bool looked;
    uint64_t right, wrong, damaged, skipped;
    json_t *faults;
};

/* The tile as one writes it in a URL. */
static void describe(const struct verify *verify, const struct eco_cache_key *key, char *out,
                     size_t size)
{
    const struct eco_cache_world *world = &verify->world;
    char spare[16], kind[16] = "";

    if (key->layer != ECO_CACHE_LAYER_BLOCK)
        snprintf(kind, sizeof(kind), "%s.%s", key->scale > 1 ? "@2x" : "",
                 key->format < ECO_FORMAT_COUNT ? eco_format_name((enum eco_format)key->format)
                                                : "?");
    if (key->layer == ECO_CACHE_LAYER_BLOCK)
        snprintf(out, size, "%s/blocks/%u/%d/%d of seed %lld", world->known ? world->name : "?",
                 key->zoom, (int)key->x, (int)key->y, (long long)world->seed);
    else
        snprintf(out, size, "%s/%s/%u/%u/%u%s of seed %lld", world->known ? world->name : "?",
                 cache_layer_name(key->layer, spare), key->zoom, key->x, key->y, kind,
                 (long long)world->seed);
}

static void complain(struct verify *verify, const struct eco_cache_key *key, const char *what)
{
    char text[256];

    describe(verify, key, text, sizeof(text));
    if (verify->faults)
        json_array_append_new(verify->faults, json_pack("{s:s,s:s}", "tile", text, "fault", what));
    else
        printf("%s: %s\n", text, what);
}

static int make_tile(struct verify *verify, const struct eco_cache_key *key,
                     const struct eco_world *world, struct eco_error *error)
{
    const struct eco_world_config *config = eco_world_config_of(world);
    struct eco_tile_request request;

    if (!eco_tiles_request(key, config, verify->world.seed,
                           (enum eco_blend_method)verify->world.blend, &request))
        return ECO_ENOTFOUND;
    return eco_tiles_make(&request, world, verify->sampler, verify->encoder, &verify->made, error);
}

/* The bytes that are stored are those of a compressor; what counts is the block. */
static int make_block(struct verify *verify, const struct eco_cache_key *key,
                      const struct eco_world *world, struct eco_error *error)
{
    const struct relief_plan *plan = relief_plan_of(world);
    struct eco_arena *arena = &verify->sampler->arena;
    void *block, *stored;
    int code = ECO_ENOMEM;
    int64_t reach; /* blocks from the middle to the edge of the world, at a block a cell */

    if (!plan || key->zoom > ECO_ZOOM_MAX)
        return ECO_ENOTFOUND;
    reach = 2 + (ECO_WORLD_HALF / RELIEF_BLOCK >> key->zoom);
    if (llabs((int32_t)key->x) > reach || llabs((int32_t)key->y) > reach)
        return ECO_ENOTFOUND;
    block = eco_arena_alloc(arena, plan->block_bytes, 1);
    stored = eco_arena_alloc(arena, plan->block_bytes, 1);
    if (block && stored) {
        memset(block, 0, plan->block_bytes);
        code = relief_block_make(plan, key->zoom, (int32_t)key->x, (int32_t)key->y, block, arena);
    }
    if (code)
        return eco_error_set(error, (enum eco_code)code, "no memory for a block");
    code = eco_unpack(verify->stored.data, verify->stored.size, stored, plan->block_bytes);
    if (code == ECO_ENOMEM)
        return code;
    eco_buffer_clear(&verify->made);
    eco_buffer_append(&verify->made, block, plan->block_bytes);
    eco_buffer_clear(&verify->stored);
    if (!code)
        eco_buffer_append(&verify->stored, stored, plan->block_bytes);
    return verify->made.failed || verify->stored.failed ? ECO_ENOMEM : 0;
}

/* Makes what the key stands for. ECO_ENOTFOUND: it stands for nothing. */
static int make(struct verify *verify, const struct eco_cache_key *key, struct eco_error *error)
{
    const struct eco_world_config *config =
        eco_config_world(verify->run->config, verify->world.name);
    struct eco_seeded_world *seeded;
    const struct eco_world *world;
    int code =
        eco_worlds_acquire(verify->worlds, config, verify->world.seed,
                           (enum eco_blend_method)verify->world.blend, &seeded, &world, error);

    if (code)
        return code;
    eco_sampler_reset(verify->sampler);
    verify->sampler->blocks = eco_blocks_cache(verify->blocks);
    code = key->layer == ECO_CACHE_LAYER_BLOCK ? make_block(verify, key, world, error)
                                               : make_tile(verify, key, world, error);
    eco_worlds_release(verify->worlds, seeded);
    return code;
}

static int compare(struct verify *verify, const struct eco_cache_key *key, struct eco_error *error)
{
    char text[96];
    int code = make(verify, key, error);

    if (code == ECO_ENOTFOUND) {
        complain(verify, key, "it stands for nothing that can be asked for");
        verify->wrong++;
        return 0;
    }
    if (code)
        return code;
    if (verify->made.size == verify->stored.size &&
        memcmp(verify->made.data, verify->stored.data, verify->made.size) == 0) {
        verify->right++;
        return 0;
    }
    snprintf(text, sizeof(text), "it differs: %zu bytes stored, %zu made", verify->stored.size,
             verify->made.size);
    complain(verify, key, text);
    verify->wrong++;
    return 0;
}

/* Whether the options mean the key, whose world is in verify->world then. */
static int wants(void *context, const struct eco_cache_key *key, bool *wanted,
                 struct eco_error *error)
{
    struct verify *verify = context;
    int code = 0;

    if (!verify->looked || verify->world.hash != key->world)
        code = eco_cache_admin_world(verify->run->admin, key->world, &verify->world, error);
    verify->looked = !code;
    *wanted = !code && cache_wants(verify->run, &verify->world, key->layer) &&
              cache_takes(verify->run, key);
    return code;
}

static int verify_key(struct verify *verify, const struct eco_cache_key *key,
                      struct eco_error *error)
{
    struct eco_error why = {0};
    bool wanted;
    int code = wants(verify, key, &wanted, error);

    if (code || !wanted)
        return code;
    code = eco_cache_admin_read(verify->run->admin, key, &verify->stored, &why);
    if (code == ECO_ENOTFOUND)
        return 0; /* it had to make room meanwhile */
    if (code == ECO_ECORRUPT) {
        complain(verify, key, why.text);
        verify->damaged++;
        return 0;
    }
    if (code)
        return eco_error_set(error, (enum eco_code)code, "%s", why.text);
    if (cache_state_of(verify->run->config, &verify->world, key->layer) == CACHE_CURRENT)
        return compare(verify, key, error);
    /* How such tiles were made is not known; their checksum is right. */
    verify->skipped++;
    return 0;
}

static int verify_all(struct verify *verify, struct eco_error *error)
{
    struct eco_cache_key key = {0};
    bool begun = false;
    int code = eco_cache_admin_check(verify->run->admin, error);

    while (!code && (code = eco_cache_admin_next_key(verify->run->admin, &begun, &key, error)) == 0)
        code = verify_key(verify, &key, error);
    return code == ECO_ENOTFOUND ? 0 : code;
}

/* Of the tiles that the options mean, by chance. */
static int verify_sample(struct verify *verify, struct eco_error *error)
{
    unsigned found, count = (unsigned)verify->run->samples;
    uint64_t random = eco_clock_monotonic_ns() ^ (uint64_t)getpid() << 32;
    struct eco_cache_key *keys = calloc(count, sizeof(*keys));
    int code;

    if (!keys)
        return eco_error_set(error, ECO_ENOMEM, "no memory for %u keys", count);
    code = eco_cache_admin_sample(verify->run->admin, random, count, wants, verify, keys, &found,
                                  error);
    for (unsigned i = 0; !code && i < found; i++)
        code = verify_key(verify, &keys[i], error);
    free(keys);
    return code;
}

static void print_json(struct verify *verify)
{
    json_t *object = json_pack("{s:s,s:I,s:I,s:I,s:I,s:O}", "file", verify->run->path, "right",
                               (json_int_t)verify->right, "wrong", (json_int_t)verify->wrong,
                               "damaged", (json_int_t)verify->damaged, "skipped",
                               (json_int_t)verify->skipped, "faults", verify->faults);

    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(object);
}

int cache_verify(struct cache_run *run, struct eco_error *error)
{
    struct verify verify = {.run = run};
    int code = eco_sampler_new(&verify.sampler);

    eco_buffer_init(&verify.stored);
    eco_buffer_init(&verify.made);
    verify.worlds = eco_worlds_new(run->config);
    verify.blocks = eco_blocks_new(ECO_BLOCKS_BYTES);
    verify.faults = run->json ? json_array() : NULL;
    if (code || !verify.worlds || !verify.blocks || (run->json && !verify.faults) ||
        eco_png_encoder_new(&verify.encoder) != 0)
        code = eco_error_set(error, ECO_ENOMEM, "no memory");
    if (!code)
        code = run->all ? verify_all(&verify, error) : verify_sample(&verify, error);
    if (!code && run->json)
        print_json(&verify);
    else if (!code)
        printf("%s: %llu right, %llu wrong, %llu damaged, %llu not compared: they are of another "
               "configuration\n",
               run->path, (unsigned long long)verify.right, (unsigned long long)verify.wrong,
               (unsigned long long)verify.damaged, (unsigned long long)verify.skipped);
    json_decref(verify.faults);
    eco_png_encoder_free(verify.encoder);
    eco_buffer_release(&verify.stored);
    eco_buffer_release(&verify.made);
    eco_sampler_free(verify.sampler);
    eco_blocks_free(verify.blocks);
    eco_worlds_free(verify.worlds);
    return code ? code : verify.wrong + verify.damaged > 0 ? 3 : 0;
}
