/*
 * The memory cache: blobs by tile key, bounded in bytes, the least recently used go first. A blob
 * is charged with its size and what it costs beside that.
 * Thread rule: any thread; the cache is cut into shards, each under a mutex of its own.
 */
#ifndef ECO_SERVE_MEMORY_H
#define ECO_SERVE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "serve/blob.h"
#include "store/cache.h"

struct eco_memory;

/* A cache of at most `bytes`; 0 keeps nothing. NULL when memory runs out. */
struct eco_memory *eco_memory_new(size_t bytes);
void eco_memory_free(struct eco_memory *memory);

/* A new reference to the blob of `key`, or NULL. */
struct eco_blob *eco_memory_get(struct eco_memory *memory, const struct eco_cache_key *key);

/* Keeps a reference of its own, if the blob fits. A blob that is there already stays. */
void eco_memory_put(struct eco_memory *memory, const struct eco_cache_key *key,
                    struct eco_blob *blob);

/* Bytes charged at this moment. */
size_t eco_memory_bytes(struct eco_memory *memory);
/* Blobs that had to make room for others so far. */
uint64_t eco_memory_evicted(struct eco_memory *memory);

#endif
