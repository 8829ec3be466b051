/*
 * The block cache of the service: see world/block_cache.h. Bounded in bytes; the least recently
 * used blocks that nobody holds go first. What is held stays, even beyond the bound. Behind it may
 * stand the cache file, which keeps packed blocks beside the tiles.
 * Thread rule: every function from any thread.
 */
#ifndef ECO_SERVE_BLOCKS_H
#define ECO_SERVE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/cache.h"
#include "world/block_cache.h"

struct eco_blocks;

struct eco_blocks_stats {
    /* Acquisitions that made the block, found it in memory, and read it from the file. */
    uint64_t made, found, read;
    size_t bytes; /* of blocks that are there */
};

/* A cache of at most `bytes`. NULL when memory runs out. */
struct eco_blocks *eco_blocks_new(size_t bytes);
/* Gives it the file to look into and to write to, before its first use. The blocks must be freed
 * before the file is closed. ECO_ENOMEM. */
int eco_blocks_keep_in(struct eco_blocks *blocks, struct eco_cache *cache, struct eco_error *error);

/* The key of a block in the file; false where it has none: too far away. */
bool eco_blocks_file_key(const struct eco_block_key *key, struct eco_cache_key *out);
/* All blocks must have been given back. NULL is allowed. */
void eco_blocks_free(struct eco_blocks *blocks);

/* What a sampler is given. */
struct eco_block_cache *eco_blocks_cache(struct eco_blocks *blocks);

void eco_blocks_stats(struct eco_blocks *blocks, struct eco_blocks_stats *out);

#endif
