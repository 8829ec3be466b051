#include "serve/blocks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "ecotone/error.h"

#define BUCKETS 1024
#define ALIGNMENT 64

enum state {
    MAKING,
    MADE,
    FAILED,
};

struct entry {
    struct entry *next;          /* of the bucket */
    struct entry *newer, *older; /* by last use */
    struct eco_block_key key;
    enum state state;
    int code; /* of FAILED */
    unsigned users;
    size_t bytes;
    void *block;
};

struct eco_blocks {
    struct eco_block_cache cache; /* first: what a sampler holds is this */
    pthread_mutex_t mutex;
    pthread_cond_t made; /* some entry left MAKING */
    struct entry *buckets[BUCKETS];
    struct entry *newest, *oldest;
    size_t limit;
    struct eco_blocks_stats stats;
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

static void link_newest(struct eco_blocks *blocks, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = blocks->newest;
    if (blocks->newest)
        blocks->newest->newer = entry;
    else
        blocks->oldest = entry;
    blocks->newest = entry;
}

static void unlink_use(struct eco_blocks *blocks, struct entry *entry)
{
    if (entry->newer)
        entry->newer->older = entry->older;
    else
        blocks->newest = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    else
        blocks->oldest = entry->newer;
}

static void take_out(struct eco_blocks *blocks, struct entry *entry)
{
    struct entry **link = bucket_of(blocks, &entry->key);

    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    unlink_use(blocks, entry);
}

static void destroy(struct entry *entry)
{
    free(entry->block);
    free(entry);
}

/* Frees what is over the bound and not held. */
static void evict(struct eco_blocks *blocks)
{
    struct entry *entry = blocks->oldest;

    while (entry && blocks->stats.bytes > blocks->limit) {
        struct entry *newer = entry->newer;

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
        unlink_use(blocks, entry);
        link_newest(blocks, entry);
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
    link_newest(blocks, entry);
    return entry;
}

/* Makes the block of an entry of the calling thread's. Without the mutex. */
static int make_block(struct entry *entry, eco_block_make make, void *context,
                      struct eco_arena *arena)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    int code;

    entry->block = aligned_alloc(ALIGNMENT, (entry->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (!entry->block)
        return ECO_ENOMEM;
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
            code = make_block(entry, make, context, arena);
            pthread_mutex_lock(&blocks->mutex);
            code = settle(blocks, entry, code, block);
        }
    }
    pthread_mutex_unlock(&blocks->mutex);
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
    pthread_mutex_init(&blocks->mutex, NULL);
    pthread_cond_init(&blocks->made, NULL);
    return blocks;
}

void eco_blocks_free(struct eco_blocks *blocks)
{
    if (!blocks)
        return;
    while (blocks->newest) {
        struct entry *entry = blocks->newest;

        blocks->newest = entry->older;
        destroy(entry);
    }
    pthread_cond_destroy(&blocks->made);
    pthread_mutex_destroy(&blocks->mutex);
    free(blocks);
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
