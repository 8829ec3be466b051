#include "serve/memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "store/key.h"

/* Small caches have few shards, so that a shard always has room for many large tiles. */
#define SHARDS_MAX 16
#define SHARD_BYTES_MIN ((size_t)4 * 1024 * 1024)
#define BUCKETS_FIRST 64

struct entry {
    struct entry *chain;
    TAILQ_ENTRY(entry) by_use;
    struct eco_cache_key key;
    uint64_t hash;
    struct eco_blob *blob;
    size_t charge;
};

TAILQ_HEAD(entries, entry);

struct shard {
    pthread_mutex_t mutex;
    struct entry **buckets;
    size_t bucket_count; /* a power of two, or 0 */
    size_t entry_count;
    struct entries by_use; /* the newest first */
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
        TAILQ_INIT(&shard->by_use);
        pthread_mutex_init(&shard->mutex, NULL);
    }
    return memory;
}

static void free_entries(struct entries *entries)
{
    struct entry *entry;

    while ((entry = TAILQ_FIRST(entries))) {
        TAILQ_REMOVE(entries, entry, by_use);
        eco_blob_decref(entry->blob);
        free(entry);
    }
}

void eco_memory_free(struct eco_memory *memory)
{
    if (!memory)
        return;
    for (unsigned i = 0; i < memory->shard_count; i++) {
        struct shard *shard = &memory->shards[i];
        free_entries(&shard->by_use);
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

/* Doubles the table; where memory runs out the chains just grow longer. */
static void grow(struct shard *shard)
{
    size_t count = shard->bucket_count ? shard->bucket_count * 2 : BUCKETS_FIRST;
    struct entry **buckets = calloc(count, sizeof(*buckets)), *entry;

    if (!buckets)
        return;
    TAILQ_FOREACH (entry, &shard->by_use, by_use) {
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
    TAILQ_REMOVE(&shard->by_use, entry, by_use);
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
        if (entry != TAILQ_FIRST(&shard->by_use)) {
            TAILQ_REMOVE(&shard->by_use, entry, by_use);
            TAILQ_INSERT_HEAD(&shard->by_use, entry, by_use);
        }
        blob = entry->blob;
        eco_blob_incref(blob);
    }
    pthread_mutex_unlock(&shard->mutex);
    return blob;
}

/* Adds the entry; those that have to go for it move to `evicted`. */
static void insert(struct shard *shard, struct entry *entry, struct entries *evicted)
{
    struct entry **bucket, *oldest;

    if (shard->entry_count >= shard->bucket_count)
        grow(shard);
    if (shard->bucket_count == 0) {
        TAILQ_INSERT_HEAD(evicted, entry, by_use);
        return;
    }
    while (shard->bytes + entry->charge > shard->limit &&
           (oldest = TAILQ_LAST(&shard->by_use, entries))) {
        take_out(shard, oldest);
        shard->evicted++;
        TAILQ_INSERT_HEAD(evicted, oldest, by_use);
    }
    bucket = &shard->buckets[entry->hash & (shard->bucket_count - 1)];
    entry->chain = *bucket;
    *bucket = entry;
    TAILQ_INSERT_HEAD(&shard->by_use, entry, by_use);
    shard->bytes += entry->charge;
    shard->entry_count++;
}

void eco_memory_put(struct eco_memory *memory, const struct eco_cache_key *key,
                    struct eco_blob *blob)
{
    uint64_t hash = eco_key_hash(key);
    struct shard *shard = shard_of(memory, hash);
    struct entries evicted = TAILQ_HEAD_INITIALIZER(evicted);
    struct entry *entry;
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
    if (find(shard, key, hash))
        TAILQ_INSERT_HEAD(&evicted, entry, by_use);
    else
        insert(shard, entry, &evicted);
    pthread_mutex_unlock(&shard->mutex);
    free_entries(&evicted);
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
