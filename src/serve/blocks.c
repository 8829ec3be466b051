#include "serve/blocks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/hash.h"
#include "codec/pack.h"
#include "ecotone/error.h"

#define BUCKETS 1024
#define ALIGNMENT 64

enum state {
    MAKING,
    MADE,
    FAILED,
};

struct entry {
    struct entry *next; /* of the bucket */
    TAILQ_ENTRY(entry) by_use;
    struct eco_block_key key;
    enum state state;
    int code; /* of FAILED */
    unsigned users;
    size_t bytes;
    bool read; /* from the file */
    void *block;
};

struct eco_blocks {
    struct eco_block_cache cache; /* first: what a sampler holds is this */
    pthread_mutex_t mutex;
    pthread_cond_t made; /* some entry left MAKING */
    struct entry *buckets[BUCKETS];
    TAILQ_HEAD(entries, entry) by_use; /* the oldest first */
    size_t limit;
    struct eco_blocks_stats stats;
    struct eco_cache *file; /* NULL: memory only */
    pthread_mutex_t reader_mutex;
    struct eco_cache_reader *reader;
};

static struct entry **bucket_of(struct eco_blocks *blocks, const struct eco_block_key *key)
{
    uint64_t hash = eco_mix64(key->world ^ (uint64_t)key->kind << 32 ^ key->level);

    hash = eco_mix64(hash + (uint64_t)key->x);
    return &blocks->buckets[eco_mix64(hash + (uint64_t)key->z) % BUCKETS];
}

static bool same(const struct eco_block_key *a, const struct eco_block_key *b)
{
    return a->world == b->world && a->x == b->x && a->z == b->z && a->level == b->level &&
           a->kind == b->kind;
}

static struct entry *find(struct eco_blocks *blocks, const struct eco_block_key *key)
{
    struct entry *entry = *bucket_of(blocks, key);

    while (entry && !same(&entry->key, key))
        entry = entry->next;
    return entry;
}

static void take_out(struct eco_blocks *blocks, struct entry *entry)
{
    struct entry **link = bucket_of(blocks, &entry->key);

    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    TAILQ_REMOVE(&blocks->by_use, entry, by_use);
}

static void destroy(struct entry *entry)
{
    free(entry->block);
    free(entry);
}

/* Frees what is over the bound and not held. */
static void evict(struct eco_blocks *blocks)
{
    struct entry *entry = TAILQ_FIRST(&blocks->by_use);

    while (entry && blocks->stats.bytes > blocks->limit) {
        struct entry *newer = TAILQ_NEXT(entry, by_use);

        if (entry->users == 0) {
            take_out(blocks, entry);
            blocks->stats.bytes -= entry->bytes;
            destroy(entry);
        }
        entry = newer;
    }
}

/* Waits for an entry that is there. With the mutex held. */
static int join(struct eco_blocks *blocks, struct entry *entry, const void **block)
{
    int code;

    entry->users++;
    while (entry->state == MAKING)
        pthread_cond_wait(&blocks->made, &blocks->mutex);
    if (entry->state == MADE) {
        TAILQ_REMOVE(&blocks->by_use, entry, by_use);
        TAILQ_INSERT_TAIL(&blocks->by_use, entry, by_use);
        blocks->stats.found++;
        *block = entry->block;
        return 0;
    }
    /* A failed entry is out of the table; the last who waited for it frees it. */
    code = entry->code;
    if (--entry->users == 0)
        destroy(entry);
    return code;
}

static struct entry *add(struct eco_blocks *blocks, const struct eco_block_key *key, size_t bytes)
{
    struct entry **bucket = bucket_of(blocks, key), *entry = calloc(1, sizeof(*entry));

    if (!entry)
        return NULL;
    entry->key = *key;
    entry->users = 1;
    entry->bytes = bytes;
    entry->next = *bucket;
    *bucket = entry;
    TAILQ_INSERT_TAIL(&blocks->by_use, entry, by_use);
    return entry;
}

bool eco_blocks_file_key(const struct eco_block_key *key, struct eco_cache_key *out)
{
    *out = (struct eco_cache_key){.world = key->world,
                                  .x = (uint32_t)key->x,
                                  .y = (uint32_t)key->z,
                                  .layer = ECO_CACHE_LAYER_BLOCK,
                                  .zoom = (uint8_t)key->level,
                                  .format = (uint8_t)key->kind};
    return key->x == (int32_t)key->x && key->z == (int32_t)key->z && key->level <= UINT8_MAX &&
           key->kind <= UINT8_MAX;
}

/* Whether the file has the block. */
static bool read_block(struct eco_blocks *blocks, struct entry *entry)
{
    struct eco_cache_key key;
    struct eco_buffer packed;
    struct eco_hash128 hash;
    int code;

    if (!blocks->file || !eco_blocks_file_key(&entry->key, &key))
        return false;
    eco_buffer_init(&packed);
    code = eco_cache_get_pending(blocks->file, &key, &packed, &hash);
    if (code) {
        pthread_mutex_lock(&blocks->reader_mutex);
        code = eco_cache_get(blocks->reader, &key, &packed, &hash);
        pthread_mutex_unlock(&blocks->reader_mutex);
    }
    if (!code)
        code = eco_unpack(packed.data, packed.size, entry->block, entry->bytes);
    eco_buffer_release(&packed);
    return !code;
}

/* What the file does not take is made again, another time. */
static void write_block(struct eco_blocks *blocks, const struct entry *entry)
{
    const struct eco_cache_origin origin = {entry->key.name, entry->key.seed, 0};
    struct eco_cache_key key;
    struct eco_buffer packed;
    struct eco_hash128 hash;

    if (!blocks->file || !entry->key.name || !eco_blocks_file_key(&entry->key, &key))
        return;
    eco_buffer_init(&packed);
    if (eco_pack(entry->block, entry->bytes, &packed) == 0) {
        hash = eco_hash128(packed.data, packed.size);
        (void)eco_cache_put(blocks->file, &key, &origin, packed.data, packed.size, &hash);
    }
    eco_buffer_release(&packed);
}

/* Makes the block of an entry of the calling thread's. Without the mutex. */
static int make_block(struct eco_blocks *blocks, struct entry *entry, eco_block_make make,
                      void *context, struct eco_arena *arena)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    int code;

    entry->block = aligned_alloc(ALIGNMENT, (entry->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (!entry->block)
        return ECO_ENOMEM;
    entry->read = read_block(blocks, entry);
    if (entry->read)
        return 0;
    /* What nobody fills goes to the file, too. */
    memset(entry->block, 0, entry->bytes);
    code = make(context, entry->block, arena);
    eco_arena_rewind(arena, mark);
    return code;
}

/* Publishes what was made, or that it was not. With the mutex held. */
static int settle(struct eco_blocks *blocks, struct entry *entry, int code, const void **block)
{
    entry->code = code;
    entry->state = code ? FAILED : MADE;
    pthread_cond_broadcast(&blocks->made);
    if (code) {
        take_out(blocks, entry);
        if (--entry->users == 0)
            destroy(entry);
        return code;
    }
    *block = entry->block;
    if (entry->read)
        blocks->stats.read++;
    else
        blocks->stats.made++;
    blocks->stats.bytes += entry->bytes;
    evict(blocks);
    return 0;
}

static int acquire(struct eco_block_cache *self, const struct eco_block_key *key, size_t bytes,
                   eco_block_make make, void *context, struct eco_arena *arena, const void **block,
                   void **handle)
{
    struct eco_blocks *blocks = (struct eco_blocks *)self;
    struct entry *entry;
    bool made = false;
    int code;

    *block = *handle = NULL;
    pthread_mutex_lock(&blocks->mutex);
    entry = find(blocks, key);
    if (entry) {
        code = join(blocks, entry, block);
    } else {
        entry = add(blocks, key, bytes);
        code = ECO_ENOMEM;
        if (entry) {
            pthread_mutex_unlock(&blocks->mutex);
            code = make_block(blocks, entry, make, context, arena);
            pthread_mutex_lock(&blocks->mutex);
            code = settle(blocks, entry, code, block);
            made = !code && !entry->read;
        }
    }
    pthread_mutex_unlock(&blocks->mutex);
    /* Those who wait for it need not wait for this. */
    if (made)
        write_block(blocks, entry);
    *handle = code ? NULL : entry;
    return code;
}

static void release(struct eco_block_cache *self, void *handle)
{
    struct eco_blocks *blocks = (struct eco_blocks *)self;
    struct entry *entry = handle;

    pthread_mutex_lock(&blocks->mutex);
    entry->users--;
    evict(blocks);
    pthread_mutex_unlock(&blocks->mutex);
}

struct eco_blocks *eco_blocks_new(size_t bytes)
{
    struct eco_blocks *blocks = calloc(1, sizeof(*blocks));

    if (!blocks)
        return NULL;
    blocks->cache = (struct eco_block_cache){acquire, release};
    blocks->limit = bytes;
    TAILQ_INIT(&blocks->by_use);
    pthread_mutex_init(&blocks->mutex, NULL);
    pthread_mutex_init(&blocks->reader_mutex, NULL);
    pthread_cond_init(&blocks->made, NULL);
    return blocks;
}

void eco_blocks_free(struct eco_blocks *blocks)
{
    struct entry *entry;

    if (!blocks)
        return;
    while ((entry = TAILQ_FIRST(&blocks->by_use))) {
        TAILQ_REMOVE(&blocks->by_use, entry, by_use);
        destroy(entry);
    }
    if (blocks->reader)
        eco_cache_reader_free(blocks->reader);
    pthread_mutex_destroy(&blocks->reader_mutex);
    pthread_cond_destroy(&blocks->made);
    pthread_mutex_destroy(&blocks->mutex);
    free(blocks);
}

int eco_blocks_keep_in(struct eco_blocks *blocks, struct eco_cache *cache, struct eco_error *error)
{
    int code = eco_cache_reader_new(cache, &blocks->reader, error);

    blocks->file = code ? NULL : cache;
    return code;
}

struct eco_block_cache *eco_blocks_cache(struct eco_blocks *blocks)
{
    return &blocks->cache;
}

void eco_blocks_stats(struct eco_blocks *blocks, struct eco_blocks_stats *out)
{
    pthread_mutex_lock(&blocks->mutex);
    *out = blocks->stats;
    pthread_mutex_unlock(&blocks->mutex);
}
