/*
 * The block cache of the service: see world/block_cache.h. Bounded in bytes; the least recently
 * used blocks that nobody holds go first. What is held stays, even beyond the bound.
 * Thread rule: every function from any thread.
 */
#ifndef ECO_SERVE_BLOCKS_H
#define ECO_SERVE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "world/block_cache.h"

struct eco_blocks;

struct eco_blocks_stats {
    uint64_t made, found; /* acquisitions that made the block, and those that did not need to */
    size_t bytes;         /* of blocks that are there */
};

/* A cache of at most `bytes`. NULL when memory runs out. */
struct eco_blocks *eco_blocks_new(size_t bytes);
/* All blocks must have been given back. NULL is allowed. */
void eco_blocks_free(struct eco_blocks *blocks);

/* What a sampler is given. */
struct eco_block_cache *eco_blocks_cache(struct eco_blocks *blocks);

void eco_blocks_stats(struct eco_blocks *blocks, struct eco_blocks_stats *out);

#endif
