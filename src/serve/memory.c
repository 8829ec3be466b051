#include "serve/memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "serve/key.h"

/* Small caches have few shards, so that a shard always has room for many large tiles. */
#define SHARDS_MAX 16
#define SHARD_BYTES_MIN ((size_t)4 * 1024 * 1024)
#define BUCKETS_FIRST 64

struct entry {
    struct entry *chain;
    struct entry *newer, *older;
    struct eco_cache_key key;
    uint64_t hash;
    struct eco_blob *blob;
    size_t charge;
};

struct shard {
    pthread_mutex_t mutex;
    struct entry **buckets;
    size_t bucket_count; /* a power of two, or 0 */
    size_t entry_count;
    struct entry *newest, *oldest;
    size_t bytes, limit;
    uint64_t evicted;
} __attribute__((aligned(64)));

struct eco_memory {
    unsigned shard_count; /* a power of two */
    struct shard shards[SHARDS_MAX];
};

struct eco_memory *eco_memory_new(size_t bytes)
{
    struct eco_memory *memory = aligned_alloc(64, sizeof(*memory));
    unsigned count = 1;

    if (!memory)
        return NULL;
    while (count < SHARDS_MAX && bytes / (count * 2) >= SHARD_BYTES_MIN)
        count *= 2;
    memory->shard_count = count;
    for (unsigned i = 0; i < count; i++) {
        struct shard *shard = &memory->shards[i];
        *shard = (struct shard){.limit = bytes / count};
        pthread_mutex_init(&shard->mutex, NULL);
    }
    return memory;
}

static void free_entry(struct entry *entry)
{
    eco_blob_decref(entry->blob);
    free(entry);
}

void eco_memory_free(struct eco_memory *memory)
{
    if (!memory)
        return;
    for (unsigned i = 0; i < memory->shard_count; i++) {
        struct shard *shard = &memory->shards[i];
        struct entry *entry = shard->newest;
        while (entry) {
            struct entry *older = entry->older;
            free_entry(entry);
            entry = older;
        }
        free(shard->buckets);
        pthread_mutex_destroy(&shard->mutex);
    }
    free(memory);
}

static struct shard *shard_of(struct eco_memory *memory, uint64_t hash)
{
    return &memory->shards[hash >> 56 & (memory->shard_count - 1)];
}

static struct entry *find(const struct shard *shard, const struct eco_cache_key *key, uint64_t hash)
{
    struct entry *entry;

    if (shard->bucket_count == 0)
        return NULL;
    entry = shard->buckets[hash & (shard->bucket_count - 1)];
    while (entry && !(entry->hash == hash && eco_key_equal(&entry->key, key)))
        entry = entry->chain;
    return entry;
}

static void link_newest(struct shard *shard, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = shard->newest;
    if (shard->newest)
        shard->newest->newer = entry;
    else
        shard->oldest = entry;
    shard->newest = entry;
}

static void unlink_age(struct shard *shard, struct entry *entry)
{
    if (entry->newer)
        entry->newer->older = entry->older;
    else
        shard->newest = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    else
        shard->oldest = entry->newer;
}

/* Doubles the table; where memory runs out the chains just grow longer. */
static void grow(struct shard *shard)
{
    size_t count = shard->bucket_count ? shard->bucket_count * 2 : BUCKETS_FIRST;
    struct entry **buckets = calloc(count, sizeof(*buckets));

    if (!buckets)
        return;
    for (struct entry *entry = shard->newest; entry; entry = entry->older) {
        struct entry **bucket = &buckets[entry->hash & (count - 1)];
        entry->chain = *bucket;
        *bucket = entry;
    }
    free(shard->buckets);
    shard->buckets = buckets;
    shard->bucket_count = count;
}

/* Takes the entry out; the caller frees it when the mutex is open again. */
static void take_out(struct shard *shard, struct entry *entry)
{
    struct entry **place = &shard->buckets[entry->hash & (shard->bucket_count - 1)];

    while (*place != entry)
        place = &(*place)->chain;
    *place = entry->chain;
    unlink_age(shard, entry);
    shard->bytes -= entry->charge;
    shard->entry_count--;
}

struct eco_blob *eco_memory_get(struct eco_memory *memory, const struct eco_cache_key *key)
{
    uint64_t hash = eco_key_hash(key);
    struct shard *shard = shard_of(memory, hash);
    struct eco_blob *blob = NULL;
    struct entry *entry;

    pthread_mutex_lock(&shard->mutex);
    entry = find(shard, key, hash);
    if (entry) {
        if (entry != shard->newest) {
            unlink_age(shard, entry);
            link_newest(shard, entry);
        }
        blob = entry->blob;
        eco_blob_incref(blob);
    }
    pthread_mutex_unlock(&shard->mutex);
    return blob;
}

/* Adds the entry and returns a chain, by `older`, of those that had to go. */
static struct entry *insert(struct shard *shard, struct entry *entry)
{
    struct entry *evicted = NULL;
    struct entry **bucket;

    if (shard->entry_count >= shard->bucket_count)
        grow(shard);
    if (shard->bucket_count == 0) {
        entry->older = NULL;
        return entry;
    }
    while (shard->oldest && shard->bytes + entry->charge > shard->limit) {
        struct entry *oldest = shard->oldest;
        take_out(shard, oldest);
        shard->evicted++;
        oldest->older = evicted;
        evicted = oldest;
    }
    bucket = &shard->buckets[entry->hash & (shard->bucket_count - 1)];
    entry->chain = *bucket;
    *bucket = entry;
    link_newest(shard, entry);
    shard->bytes += entry->charge;
    shard->entry_count++;
    return evicted;
}

void eco_memory_put(struct eco_memory *memory, const struct eco_cache_key *key,
                    struct eco_blob *blob)
{
    uint64_t hash = eco_key_hash(key);
    struct shard *shard = shard_of(memory, hash);
    struct entry *entry, *evicted;
    size_t overhead = ECO_BLOB_OVERHEAD + sizeof(*entry) + 2 * sizeof(entry);

    if (shard->limit < overhead || blob->size > shard->limit - overhead)
        return;
    entry = malloc(sizeof(*entry));
    if (!entry)
        return;
    eco_blob_incref(blob);
    *entry =
        (struct entry){.key = *key, .hash = hash, .blob = blob, .charge = blob->size + overhead};
    pthread_mutex_lock(&shard->mutex);
    if (find(shard, key, hash)) {
        entry->older = NULL;
        evicted = entry;
    } else {
        evicted = insert(shard, entry);
    }
    pthread_mutex_unlock(&shard->mutex);
    while (evicted) {
        struct entry *next = evicted->older;
        free_entry(evicted);
        evicted = next;
    }
}

size_t eco_memory_bytes(struct eco_memory *memory)
{
    size_t total = 0;

    for (unsigned i = 0; i < memory->shard_count; i++) {
        struct shard *shard = &memory->shards[i];
        pthread_mutex_lock(&shard->mutex);
        total += shard->bytes;
        pthread_mutex_unlock(&shard->mutex);
    }
    return total;
}

uint64_t eco_memory_evicted(struct eco_memory *memory)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < memory->shard_count; i++) {
        struct shard *shard = &memory->shards[i];
        pthread_mutex_lock(&shard->mutex);
        total += shard->evicted;
        pthread_mutex_unlock(&shard->mutex);
    }
    return total;
}
