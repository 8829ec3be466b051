/*
 * Where a generator keeps what it would not like to make twice: blocks of an expensive field, made
 * once and shared by tiles, layers and zooms. The world code only knows this interface, so it
 * stays free of locks; serve/ offers one that is bounded in bytes.
 *
 * A block is a pure function of its key: with a cache or without, every answer has the same bytes.
 */
#ifndef ECO_WORLD_BLOCK_CACHE_H
#define ECO_WORLD_BLOCK_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct eco_block_key {
    uint64_t world; /* hash of all that decides the bytes of the world's blocks */
    int64_t x, z;
    uint32_t level, kind; /* the generator's own numbering */
    /* Whose block it is, for who keeps it longer than memory does; not part of the key. The name
     * lives as long as the configuration; NULL: it is kept in memory only. */
    const char *name;
    int64_t seed;
};

/* Fills `bytes` bytes at `block`; scratch memory in `arena` is given back by the caller. Must not
 * ask the cache for another block. Returns 0 or an eco_code. */
typedef int (*eco_block_make)(void *context, void *block, struct eco_arena *arena);

struct eco_block_cache {
    /*
     * *block: the block of `key`, made by `make` unless it is there; who asks for one that is being
     * made waits for it. It stays until *handle is given to `release`. Codes: ECO_ENOMEM, and those
     * of `make`, which everyone who waited gets and which are not kept.
     */
    int (*acquire)(struct eco_block_cache *self, const struct eco_block_key *key, size_t bytes,
                   eco_block_make make, void *context, struct eco_arena *arena, const void **block,
                   void **handle);
    void (*release)(struct eco_block_cache *self, void *handle);
};

#endif
