#include <stdlib.h>

#include "base/clock.h"
#include "base/limits.h"
#include "store/cache_internal.h"

#define RETRY_NS 250000000u

int eco_cache_reader_new(struct eco_cache *cache, struct eco_cache_reader **out,
                         struct eco_error *error)
{
    struct eco_cache_reader *reader = calloc(1, sizeof(*reader));

    *out = NULL;
    if (!reader || pthread_mutex_init(&reader->lock, NULL) != 0) {
        free(reader);
        return eco_error_set(error, ECO_ENOMEM, "no memory for a reader of cache %s", cache->path);
    }
    reader->cache = cache;
    pthread_mutex_lock(&cache->readers_lock);
    reader->next = cache->readers;
    cache->readers = reader;
    pthread_mutex_unlock(&cache->readers_lock);
    *out = reader;
    return 0;
}

static void disconnect(struct eco_cache_reader *reader)
{
    sqlite3_finalize(reader->select);
    sqlite3_close(reader->handle);
    reader->select = NULL;
    reader->handle = NULL;
}

void eco_cache_reader_free(struct eco_cache_reader *reader)
{
    struct eco_cache_reader **link;

    if (!reader)
        return;
    pthread_mutex_lock(&reader->cache->readers_lock);
    for (link = &reader->cache->readers; *link != reader; link = &(*link)->next)
        ;
    *link = reader->next;
    pthread_mutex_unlock(&reader->cache->readers_lock);
    disconnect(reader);
    pthread_mutex_destroy(&reader->lock);
    free(reader);
}

void eco_cache_readers_close(struct eco_cache *cache)
{
    pthread_mutex_lock(&cache->readers_lock);
    for (struct eco_cache_reader *reader = cache->readers; reader; reader = reader->next) {
        pthread_mutex_lock(&reader->lock);
        disconnect(reader);
        pthread_mutex_unlock(&reader->lock);
    }
    pthread_mutex_unlock(&cache->readers_lock);
}

static void give_up(struct eco_cache_reader *reader, int result)
{
    int code = eco_cache_code(result);

    if (code == ECO_EBUSY)
        return;
    disconnect(reader);
    reader->retry_ns = eco_clock_monotonic_ns() + RETRY_NS;
    if (code == ECO_ECORRUPT)
        eco_cache_report_damage(reader->cache, reader->generation);
}

/* Opens the current file if it is not open. */
static bool connect_reader(struct eco_cache_reader *reader)
{
    static const char select[] = "SELECT map.hash, images.data FROM map"
                                 " LEFT JOIN images ON images.id = map.image WHERE map.key = ?1";
    uint64_t generation = atomic_load(&reader->cache->generation);
    int result;

    if (reader->select && reader->generation == generation)
        return true;
    if (generation == 0 ||
        (reader->generation == generation && eco_clock_monotonic_ns() < reader->retry_ns))
        return false;
    disconnect(reader);
    reader->generation = generation;
    result = sqlite3_open_v2(reader->cache->path, &reader->handle,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (result == SQLITE_OK) {
        sqlite3_extended_result_codes(reader->handle, 1);
        sqlite3_limit(reader->handle, SQLITE_LIMIT_LENGTH, 2 * ECO_CACHE_TILE_BYTES_MAX);
        sqlite3_db_config(reader->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        sqlite3_exec(reader->handle, "PRAGMA cache_size = -512", NULL, NULL, NULL);
        result = sqlite3_prepare_v3(reader->handle, select, -1, SQLITE_PREPARE_PERSISTENT,
                                    &reader->select, NULL);
    }
    if (result != SQLITE_OK)
        give_up(reader, result);
    return reader->select != NULL;
}

/* True when the current row holds a whole tile. */
static bool take_row(struct eco_cache_reader *reader, const unsigned char *key,
                     struct eco_buffer *out, struct eco_hash128 *hash)
{
    const void *data = sqlite3_column_blob(reader->select, 1);
    int size = sqlite3_column_bytes(reader->select, 1);

    if (!data || size <= 0)
        return false;
    *hash = eco_hash128(data, (size_t)size);
    if (!eco_cache_hash_bound(reader->select, 0, key, hash))
        return false;
    eco_buffer_append(out, data, (size_t)size);
    return true;
}

int eco_cache_get(struct eco_cache_reader *reader, const struct eco_cache_key *key,
                  struct eco_buffer *out, struct eco_hash128 *hash)
{
    unsigned char packed[ECO_CACHE_KEY_BYTES];
    int result = SQLITE_DONE;
    bool whole = true;

    eco_buffer_clear(out);
    /* Only held by another while the file is replaced, when there is nothing to find. */
    if (pthread_mutex_trylock(&reader->lock) != 0)
        return ECO_ENOTFOUND;
    if (connect_reader(reader)) {
        eco_cache_key_pack(key, packed);
        sqlite3_bind_blob(reader->select, 1, packed, sizeof(packed), SQLITE_STATIC);
        result = sqlite3_step(reader->select);
        if (result == SQLITE_ROW)
            whole = take_row(reader, packed, out, hash);
        /* An open statement would hold back the checkpoints. */
        sqlite3_reset(reader->select);
        sqlite3_clear_bindings(reader->select);
        if (eco_cache_code(result))
            give_up(reader, result);
    }
    pthread_mutex_unlock(&reader->lock);
    if (!whole)
        eco_cache_queue_remove(reader->cache, key);
    if (result == SQLITE_ROW && whole && !out->failed)
        return 0;
    eco_buffer_clear(out);
    return ECO_ENOTFOUND;
}
