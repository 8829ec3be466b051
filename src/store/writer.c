#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/cache_internal.h"

#define BATCH_NS 50000000u      /* an item waits no longer than this for others */
#define SHRINK_NS 50000000u     /* at a stretch; tiles wait meanwhile */
#define RETRY_NS 1000000000u    /* between attempts that fail */
#define LOG_NS 60000000000u     /* between lines about one story of failures */
#define REPLACE_NS 10000000000u /* a disk that damages file after file must not be filled */

/* Sets the closed file aside that cannot be used, for the reason in `error`. */
static int replace_file(struct eco_cache *cache, const char *word, struct eco_error *error)
{
    uint64_t now = eco_clock_monotonic_ns();
    int code;

    if (cache->replaced_ns && now < cache->replaced_ns + REPLACE_NS)
        return ECO_EIO;
    atomic_store(&cache->generation, 0);
    eco_cache_readers_close(cache);
    code = eco_cache_db_set_aside(&cache->db, cache->path, word, error);
    if (!code)
        cache->replaced_ns = now;
    return code;
}

int eco_cache_writer_open(struct eco_cache *cache, struct eco_error *error)
{
    char word[32] = "damaged";
    int version, code;

    /* Someone may have moved or deleted the file that the readers still have open. */
    if (atomic_load(&cache->generation) && eco_cache_db_moved(&cache->db, cache->path)) {
        atomic_store(&cache->generation, 0);
        eco_cache_readers_close(cache);
    }
    code = eco_cache_db_open(&cache->db, cache->path, 0, &version, error);
    if (code == ECO_ECORRUPT && eco_cache_db_precious(cache->path))
        return eco_error_set(error, ECO_EINVAL, "it is no tile cache");
    if (code == ECO_ECORRUPT || code == ECO_ERANGE) {
        if (code == ECO_ERANGE)
            snprintf(word, sizeof(word), "version-%d", version);
        code = replace_file(cache, word, error);
        if (!code)
            code = eco_cache_db_open(&cache->db, cache->path, 0, &version, error);
    }
    if (!code)
        atomic_store(&cache->generation, ++cache->generations);
    return code;
}

/* The open file turned out to be damaged, as `error` says. */
static int reopen_damaged(struct eco_cache *cache, struct eco_error *error)
{
    int code;

    eco_cache_db_close(&cache->db, false);
    code = replace_file(cache, "damaged", error);
    return code ? code : eco_cache_writer_open(cache, error);
}

void eco_cache_writer_failed(struct eco_cache *cache, const struct eco_error *error)
{
    uint64_t now = eco_clock_monotonic_ns(), pending, dropped;

    pthread_mutex_lock(&cache->lock);
    cache->failures++;
    cache->degraded = true;
    cache->flush_until = 0;
    pending = cache->pending;
    dropped = cache->dropped;
    pthread_cond_broadcast(&cache->progress);
    pthread_mutex_unlock(&cache->lock);
    cache->retry_ns = now + RETRY_NS;
    if (now < cache->log_ns)
        return;
    cache->said = true;
    cache->log_ns = now + LOG_NS;
    eco_log(
        ECO_LOG_WARN,
        "cache %s: cannot be written: %s; tiles are served without it (%llu wait, %llu dropped)",
        cache->path, error->text, (unsigned long long)pending, (unsigned long long)dropped);
}

static void healed(struct eco_cache *cache)
{
    if (cache->said)
        eco_log(ECO_LOG_INFO, "cache %s: can be written again", cache->path);
    cache->said = false;
}

/* Takes the first `count` items off the queue. The lock is held. */
static void pop_items(struct eco_cache *cache, size_t count, bool stored)
{
    for (size_t i = 0; i < count; i++) {
        struct eco_cache_item *item = cache->first;

        cache->first = item->next;
        cache->bytes -= sizeof(*item) + item->size;
        if (!item->remove) {
            LIST_REMOVE(item, of_key);
            cache->pending--;
            if (stored)
                cache->stored++;
            else
                cache->dropped++;
        }
        free(item);
    }
    cache->count -= count;
    cache->done += count;
    if (!cache->first)
        cache->tail = &cache->first;
    cache->first_ns = eco_clock_monotonic_ns();
    if (cache->done >= cache->flush_until)
        cache->flush_until = 0;
    pthread_cond_broadcast(&cache->progress);
}

/* When there is something to do; UINT64_MAX: when someone says so. The lock is held. */
static uint64_t due_ns(struct eco_cache *cache)
{
    uint64_t due = UINT64_MAX;

    if (cache->stop || cache->flush_until)
        return 0;
    if (cache->count)
        due = cache->count >= ECO_CACHE_BATCH ? 0 : cache->first_ns + BATCH_NS;
    else if (cache->over || !cache->db.handle || atomic_load(&cache->damaged) == cache->generations)
        due = 0;
    return due < cache->retry_ns && due != UINT64_MAX ? cache->retry_ns : due;
}

/* Waits until something is due. The lock is held. */
static void wait_for_work(struct eco_cache *cache)
{
    for (;;) {
        uint64_t due = due_ns(cache);
        struct timespec until = {.tv_sec = (time_t)(due / 1000000000u),
                                 .tv_nsec = (long)(due % 1000000000u)};

        if (due == UINT64_MAX)
            pthread_cond_wait(&cache->wake, &cache->lock);
        else if (due > eco_clock_monotonic_ns())
            pthread_cond_timedwait(&cache->wake, &cache->lock, &until);
        else
            return;
    }
}

/* Makes sure that the file is there, whole and open. */
static int ready(struct eco_cache *cache, struct eco_error *error)
{
    if (cache->db.handle && eco_cache_db_moved(&cache->db, cache->path)) {
        eco_log(ECO_LOG_WARN, "cache %s: the file was moved or deleted; it is opened anew",
                cache->path);
        eco_cache_db_close(&cache->db, false);
    }
    if (!cache->db.handle) {
        int code = eco_cache_writer_open(cache, error);

        /* Somebody put a file of his own there; he may take it away again. */
        return code == ECO_EINVAL ? ECO_EIO : code;
    }
    if (atomic_load(&cache->damaged) == cache->generations) {
        eco_error_set(error, ECO_ECORRUPT, "a reader found the file damaged");
        return reopen_damaged(cache, error);
    }
    return 0;
}

static int write_batch(struct eco_cache *cache, const struct eco_cache_item *items, size_t count,
                       struct eco_error *error)
{
    int code = ready(cache, error);

    if (code || count == 0)
        return code;
    code = eco_cache_db_write(&cache->db, items, count, error);
    if (code == ECO_ECORRUPT) {
        code = reopen_damaged(cache, error);
        if (!code)
            code = eco_cache_db_write(&cache->db, items, count, error);
    }
    /* A lock or a full disk passes; after anything else a fresh connection is safer. */
    if (code && code != ECO_EBUSY && code != ECO_EINVAL)
        eco_cache_db_close(&cache->db, false);
    return code;
}

/* How many items the next transaction takes. It must not outgrow a small file or quota. The lock is
 * held. */
static size_t batch_size(const struct eco_cache *cache)
{
    uint64_t room = cache->limit ? cache->limit / 32 : UINT64_MAX, bytes = 0;
    uint64_t share = cache->quota_least / 8;
    const struct eco_cache_item *item = cache->first;
    size_t count = 0;

    room = share < room ? share : room;
    while (item && count < ECO_CACHE_BATCH && (count == 0 || bytes + item->size <= room)) {
        bytes += item->size;
        count++;
        /* The last item's `next` is written under the lock that is held. */
        item = item->next;
    }
    return count;
}

/* Keeps the quotas, one after the other. They may change meanwhile. */
static int fit(struct eco_cache *cache, uint64_t until_ns, struct eco_cache_shrunk *shrunk,
               struct eco_error *error)
{
    struct eco_cache_quota quota;
    unsigned changes;
    int code = 0;

    pthread_mutex_lock(&cache->lock);
    changes = cache->quota_changes;
    for (unsigned i = 0; !code && changes == cache->quota_changes && i < cache->quota_count; i++) {
        quota = cache->quotas[i];
        pthread_mutex_unlock(&cache->lock);
        code = eco_cache_db_fit(&cache->db, &quota, until_ns, shrunk, error);
        pthread_mutex_lock(&cache->lock);
        if (changes == cache->quota_changes)
            cache->quotas[i] = quota;
    }
    pthread_mutex_unlock(&cache->lock);
    return code;
}

/* Measures the file and shrinks it for a while. A failure waits as one of writing does. */
static int shrink(struct eco_cache *cache, uint64_t limit, struct eco_cache_shrunk *shrunk,
                  struct eco_error *error)
{
    uint64_t until_ns = eco_clock_monotonic_ns() + SHRINK_NS;
    struct eco_cache_shrunk fitted = {0};
    int code = fit(cache, until_ns, &fitted, error);

    if (!code)
        code = eco_cache_db_shrink(&cache->db, limit, until_ns, shrunk, error);
    shrunk->evicted += fitted.evicted;
    shrunk->more |= fitted.more;
    if (code == ECO_ECORRUPT)
        atomic_store(&cache->damaged, cache->generations);
    return code;
}

/* One round. Returns false when the writer shall end. The lock is held. */
static bool work(struct eco_cache *cache)
{
    size_t count = batch_size(cache);
    uint64_t limit = cache->limit;
    unsigned changes = cache->quota_changes;
    struct eco_cache_shrunk shrunk = {.bytes = cache->size};
    const struct eco_cache_item *items = cache->first;
    struct eco_error error = {0};
    bool stop = cache->stop;
    int code, shrink_code = 0;

    if (stop && count == 0)
        return false;
    pthread_mutex_unlock(&cache->lock);
    code = write_batch(cache, items, count, &error);
    if (!code)
        shrink_code = shrink(cache, limit, &shrunk, &error);
    if (code || shrink_code)
        eco_cache_writer_failed(cache, &error);
    else
        healed(cache);
    pthread_mutex_lock(&cache->lock);
    cache->size = shrunk.bytes;
    cache->evicted += shrunk.evicted;
    cache->over =
        shrunk.more || shrink_code || limit != cache->limit || changes != cache->quota_changes;
    if (!code) {
        if (!shrink_code) {
            cache->degraded = false;
            cache->retry_ns = 0;
        }
        pop_items(cache, count, true);
    } else if (code == ECO_EINVAL) {
        pop_items(cache, count, false);
    } else if (stop) {
        pop_items(cache, cache->count, false);
    }
    return true;
}

void *eco_cache_writer_run(void *argument)
{
    struct eco_cache *cache = argument;

    pthread_mutex_lock(&cache->lock);
    do
        wait_for_work(cache);
    while (work(cache));
    pthread_mutex_unlock(&cache->lock);
    return NULL;
}
