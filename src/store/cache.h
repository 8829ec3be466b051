/*
 * The tile cache on disk: an SQLite file with a `map` table (key -> image) and an `images` table,
 * so that identical tiles are stored once. An image counts to the world that stored it first. WAL;
 * one writer thread with batched transactions; each reader has its own connection. A cache can
 * always be made again, so nothing that happens to the file stops the program: noise, a damaged
 * cache, or one of another schema, is set aside under a new name
 * (<path>.damaged-<UTC>, <path>.version-<n>-<UTC>), said in the log, and replaced; a bad row is a
 * miss; where nothing can be written (disk full, directory missing or read-only, locked by another
 * process), tiles wait in a bounded queue and the writer tries again every second.
 * Thread rule: all that take an eco_cache, but for opening and closing it, from any thread; an
 * eco_cache_reader from one thread.
 */
#ifndef ECO_STORE_CACHE_H
#define ECO_STORE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/hash.h"
#include "base/limits.h"
#include "ecotone/error.h"

/* All that decides the bytes of a tile. */
struct eco_cache_key {
    uint64_t world; /* eco_world_hash with the render revision mixed in */
    uint32_t x, y;
    uint8_t layer, zoom, scale, format;
};

/* The layer of what is no tile: blocks of ground, see serve/blocks.h. */
#define ECO_CACHE_LAYER_BLOCK 255

/* Whose tile it is: for quotas, and for those who look into the file. */
struct eco_cache_origin {
    const char *world; /* its name in the configuration, at most ECO_NAME_MAX bytes */
    int64_t seed;
    uint8_t blend; /* enum eco_blend_method that it was made with */
};

struct eco_cache;
struct eco_cache_reader;

/* The bytes of images that a world of the configuration, with all of its seeds, may have. */
struct eco_cache_quota {
    char world[ECO_NAME_MAX + 1];
    uint64_t limit;
    uint64_t bytes;   /* that it had when it was last looked at */
    uint64_t evicted; /* images removed for this quota since start */
};

struct eco_cache_stats {
    uint64_t stored;  /* tiles written since start */
    uint64_t dropped; /* tiles given up: queue full, or still unwritable when the cache closed */
    uint64_t pending; /* tiles waiting for the writer */
    uint64_t evicted; /* images removed to keep the file under its limit, or a world's quota */
    uint64_t bytes;   /* of the file, without its WAL */
    uint64_t limit;   /* 0: none */
    bool degraded;    /* the last transaction failed; tiles are served all the same */
};

/*
 * Opens or makes the file and starts the writer. A file that cannot be opened or written now is no
 * error: the cache starts degraded and heals by itself. ECO_EINVAL: the path is empty, too long, or
 * a directory, a text, or a database of another program: these are not touched; ECO_ENOMEM;
 * ECO_EIO: no thread.
 */
int eco_cache_open(const char *path, struct eco_cache **out, struct eco_error *error);
/*
 * From now on the file is kept under `bytes`: the oldest images go first. With its WAL it stays
 * under 1.2 times as many, except while a file that was larger is being shrunk. 0: no limit.
 */
void eco_cache_set_limit(struct eco_cache *cache, uint64_t bytes);
/*
 * From now on the images of each of these worlds, as they are counted, are kept under its `limit`:
 * its oldest go first, and are gone for other worlds that share them. Between two transactions a
 * world has up to an eighth more. The array is copied; at most ECO_WORLDS_MAX.
 */
void eco_cache_set_quotas(struct eco_cache *cache, const struct eco_cache_quota *quotas,
                          unsigned count);
/* Fills `out` with at most `capacity` of the quotas that are set, and returns how many. */
unsigned eco_cache_quotas(struct eco_cache *cache, struct eco_cache_quota *out, unsigned capacity);
/* Writes what is pending, joins the writer and closes; what cannot be written at once is dropped.
 * All readers must have been freed. NULL is nothing. */
void eco_cache_close(struct eco_cache *cache);

/* The connection is opened by the first eco_cache_get. ECO_ENOMEM. */
int eco_cache_reader_new(struct eco_cache *cache, struct eco_cache_reader **out,
                         struct eco_error *error);
void eco_cache_reader_free(struct eco_cache_reader *reader);

/*
 * Replaces the content of `out` by the tile and `*hash` by eco_hash128 of it, which is compared
 * with the stored one. ECO_ENOTFOUND: a miss (also for a damaged row or a locked database; a
 * damaged row is deleted by the writer), `out` is empty. Never waits for the writer.
 */
int eco_cache_get(struct eco_cache_reader *reader, const struct eco_cache_key *key,
                  struct eco_buffer *out, struct eco_hash128 *hash);

/*
 * As eco_cache_get, from the tiles that wait for the writer. A tile leaves them only when the file
 * has it, so who looks here first and then with a reader misses none that was put before. From any
 * thread.
 */
int eco_cache_get_pending(struct eco_cache *cache, const struct eco_cache_key *key,
                          struct eco_buffer *out, struct eco_hash128 *hash);

/*
 * Queues a copy of the tile for the writer; `hash` is eco_hash128 of it. ECO_EBUSY: the bounded
 * queue is full, the tile is dropped. ECO_EINVAL: a size of 0 or above ECO_CACHE_TILE_BYTES_MAX,
 * or a name that is too long.
 */
int eco_cache_put(struct eco_cache *cache, const struct eco_cache_key *key,
                  const struct eco_cache_origin *origin, const void *data, size_t size,
                  const struct eco_hash128 *hash);

/* Waits until all that was put before is written: 0, or ECO_EIO when it cannot be written now (it
 * stays queued). */
int eco_cache_flush(struct eco_cache *cache);

void eco_cache_stats(struct eco_cache *cache, struct eco_cache_stats *out);

#endif
