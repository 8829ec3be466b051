#include "store/cache.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "store/cache_internal.h"
#include "store/key.h"

/* Room for what SQLite and the writer append to the path. */
#define PATH_BYTES_MAX (PATH_MAX - 128)

/*
 * The path as SQLite shall see it: it reads "file:...", ":memory:" and an empty name as something
 * else than a file.
 */
static int copy_path(const char *path, char **out, struct eco_error *error)
{
    size_t length = strlen(path);
    struct stat status;

    *out = NULL;
    if (length == 0 || length > PATH_BYTES_MAX)
        return eco_error_set(error, ECO_EINVAL, "cache: the path has %zu bytes; must be 1 to %d",
                             length, PATH_BYTES_MAX);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return eco_error_set(error, ECO_EINVAL, "cache %s: it is no regular file", path);
    if (asprintf(out, "%s%s", path[0] == '/' ? "" : "./", path) < 0) {
        *out = NULL;
        return eco_error_set(error, ECO_ENOMEM, "cache %s: no memory", path);
    }
    return 0;
}

static int init_locks(struct eco_cache *cache)
{
    pthread_condattr_t monotonic;
    int failed = pthread_condattr_init(&monotonic);

    if (failed)
        return failed;
    failed = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    if (!failed)
        failed = pthread_mutex_init(&cache->lock, NULL);
    if (!failed)
        failed = pthread_mutex_init(&cache->readers_lock, NULL);
    if (!failed)
        failed = pthread_cond_init(&cache->wake, &monotonic);
    if (!failed)
        failed = pthread_cond_init(&cache->progress, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return failed;
}

static void cache_free(struct eco_cache *cache)
{
    eco_cache_db_close(&cache->db, true);
    pthread_mutex_destroy(&cache->lock);
    pthread_mutex_destroy(&cache->readers_lock);
    pthread_cond_destroy(&cache->wake);
    pthread_cond_destroy(&cache->progress);
    free(cache->quotas);
    free(cache->path);
    free(cache);
}

int eco_cache_open(const char *path, struct eco_cache **out, struct eco_error *error)
{
    struct eco_cache *cache = NULL;
    struct eco_error reason = {0};
    char *own_path;
    int code;

    *out = NULL;
    code = copy_path(path, &own_path, error);
    if (code)
        return code;
    cache = calloc(1, sizeof(*cache));
    if (!cache || init_locks(cache) != 0) {
        free(own_path);
        free(cache);
        return eco_error_set(error, ECO_ENOMEM, "cache %s: no memory", path);
    }
    cache->path = own_path;
    cache->tail = &cache->first;
    cache->over = true;
    cache->quota_least = UINT64_MAX;
    atomic_init(&cache->generation, 0);
    atomic_init(&cache->damaged, UINT64_MAX);
    code = eco_cache_writer_open(cache, &reason);
    if (code == ECO_EINVAL) {
        cache_free(cache);
        return eco_error_set(error, ECO_EINVAL,
                             "cache %.200s: %.200s; it is left as it is: name another file", path,
                             reason.text);
    }
    if (code)
        eco_cache_writer_failed(cache, &reason);
    code = pthread_create(&cache->thread, NULL, eco_cache_writer_run, cache);
    if (code) {
        char text[128];

        eco_error_set(error, ECO_EIO, "cache %s: no thread for the writer: %s", path,
                      strerror_r(code, text, sizeof(text)));
        cache_free(cache);
        return ECO_EIO;
    }
    *out = cache;
    return 0;
}

void eco_cache_close(struct eco_cache *cache)
{
    if (!cache)
        return;
    assert(!cache->readers);
    pthread_mutex_lock(&cache->lock);
    cache->stop = true;
    pthread_cond_signal(&cache->wake);
    pthread_mutex_unlock(&cache->lock);
    pthread_join(cache->thread, NULL);
    if (cache->dropped)
        eco_log(ECO_LOG_WARN, "cache %s: %llu tiles were not stored", cache->path,
                (unsigned long long)cache->dropped);
    cache_free(cache);
}

void eco_cache_set_quotas(struct eco_cache *cache, const struct eco_cache_quota *quotas,
                          unsigned count)
{
    struct eco_cache_quota *copy = count ? calloc(count, sizeof(*copy)) : NULL, *before;
    uint64_t least = UINT64_MAX;

    if (count && !copy) {
        eco_log(ECO_LOG_WARN, "cache %s: no memory for the quotas; the old ones stay", cache->path);
        return;
    }
    pthread_mutex_lock(&cache->lock);
    for (unsigned i = 0; i < count; i++) {
        copy[i] = quotas[i];
        copy[i].bytes = copy[i].evicted = 0;
        for (unsigned k = 0; k < cache->quota_count; k++) {
            if (strcmp(cache->quotas[k].world, copy[i].world) == 0)
                copy[i].evicted = cache->quotas[k].evicted;
        }
        least = copy[i].limit < least ? copy[i].limit : least;
    }
    before = cache->quotas;
    cache->quotas = copy;
    cache->quota_count = count;
    cache->quota_least = least;
    cache->quota_changes++;
    cache->over = true;
    pthread_cond_signal(&cache->wake);
    pthread_mutex_unlock(&cache->lock);
    free(before);
}

unsigned eco_cache_quotas(struct eco_cache *cache, struct eco_cache_quota *out, unsigned capacity)
{
    unsigned count;

    pthread_mutex_lock(&cache->lock);
    count = cache->quota_count < capacity ? cache->quota_count : capacity;
    for (unsigned i = 0; i < count; i++)
        out[i] = cache->quotas[i];
    pthread_mutex_unlock(&cache->lock);
    return count;
}

void eco_cache_set_limit(struct eco_cache *cache, uint64_t bytes)
{
    pthread_mutex_lock(&cache->lock);
    cache->limit = bytes;
    cache->over = true;
    pthread_cond_signal(&cache->wake);
    pthread_mutex_unlock(&cache->lock);
}

/* Where a tile that waits is found. The lock is held. */
static struct eco_cache_chain *chain_of(struct eco_cache *cache, const struct eco_cache_key *key)
{
    return &cache->chains[eco_key_hash(key) % ECO_CACHE_CHAINS];
}

/* Appends the item, or frees it and returns ECO_EBUSY. */
static int queue_item(struct eco_cache *cache, struct eco_cache_item *item)
{
    size_t bytes = sizeof(*item) + item->size;
    bool full;

    pthread_mutex_lock(&cache->lock);
    full = cache->count >= ECO_CACHE_QUEUE_TILES || bytes > ECO_CACHE_QUEUE_BYTES - cache->bytes;
    if (full) {
        cache->dropped += !item->remove;
    } else {
        if (!cache->first)
            cache->first_ns = eco_clock_monotonic_ns();
        *cache->tail = item;
        cache->tail = &item->next;
        if (!item->remove)
            LIST_INSERT_HEAD(chain_of(cache, &item->key), item, of_key);
        cache->bytes += bytes;
        cache->count++;
        cache->queued++;
        cache->pending += !item->remove;
        /* In between, the writer waits for the time to come. */
        if (cache->count == 1 || cache->count == ECO_CACHE_BATCH)
            pthread_cond_signal(&cache->wake);
    }
    pthread_mutex_unlock(&cache->lock);
    if (full)
        free(item);
    return full ? ECO_EBUSY : 0;
}

int eco_cache_put(struct eco_cache *cache, const struct eco_cache_key *key,
                  const struct eco_cache_origin *origin, const void *data, size_t size,
                  const struct eco_hash128 *hash)
{
    struct eco_cache_item *item;

    if (size == 0 || size > ECO_CACHE_TILE_BYTES_MAX || strlen(origin->world) > ECO_NAME_MAX)
        return ECO_EINVAL;
    assert(eco_hash128(data, size).low == hash->low && eco_hash128(data, size).high == hash->high);
    item = malloc(sizeof(*item) + size);
    if (!item)
        return ECO_ENOMEM;
    *item = (struct eco_cache_item){
        .key = *key, .hash = *hash, .size = size, .seed = origin->seed, .blend = origin->blend};
    memcpy(item->world, origin->world, strlen(origin->world) + 1);
    memcpy(item->data, data, size);
    return queue_item(cache, item);
}

int eco_cache_get_pending(struct eco_cache *cache, const struct eco_cache_key *key,
                          struct eco_buffer *out, struct eco_hash128 *hash)
{
    const struct eco_cache_item *item;
    int code = ECO_ENOTFOUND;

    eco_buffer_clear(out);
    pthread_mutex_lock(&cache->lock);
    LIST_FOREACH (item, chain_of(cache, key), of_key) {
        if (eco_key_equal(&item->key, key))
            break;
    }
    if (item) {
        eco_buffer_append(out, item->data, item->size);
        *hash = item->hash;
        code = out->failed ? ECO_ENOMEM : 0;
    }
    pthread_mutex_unlock(&cache->lock);
    return code;
}

void eco_cache_queue_remove(struct eco_cache *cache, const struct eco_cache_key *key)
{
    struct eco_cache_item *item = malloc(sizeof(*item));

    if (!item)
        return;
    *item = (struct eco_cache_item){.key = *key, .remove = true};
    /* Where the queue is full, the next reader of the row asks again. */
    (void)queue_item(cache, item);
}

void eco_cache_report_damage(struct eco_cache *cache, uint64_t generation)
{
    pthread_mutex_lock(&cache->lock);
    atomic_store(&cache->damaged, generation);
    pthread_cond_signal(&cache->wake);
    pthread_mutex_unlock(&cache->lock);
}

int eco_cache_flush(struct eco_cache *cache)
{
    uint64_t target, failures;
    int code;

    pthread_mutex_lock(&cache->lock);
    target = cache->queued;
    failures = cache->failures;
    if (cache->done < target) {
        if (cache->flush_until < target)
            cache->flush_until = target;
        pthread_cond_signal(&cache->wake);
    }
    while (cache->done < target && cache->failures == failures)
        pthread_cond_wait(&cache->progress, &cache->lock);
    code = cache->done < target ? ECO_EIO : 0;
    pthread_mutex_unlock(&cache->lock);
    return code;
}

void eco_cache_stats(struct eco_cache *cache, struct eco_cache_stats *out)
{
    pthread_mutex_lock(&cache->lock);
    *out = (struct eco_cache_stats){.stored = cache->stored,
                                    .dropped = cache->dropped,
                                    .pending = cache->pending,
                                    .evicted = cache->evicted,
                                    .bytes = cache->size,
                                    .limit = cache->limit,
                                    .degraded = cache->degraded};
    pthread_mutex_unlock(&cache->lock);
}
