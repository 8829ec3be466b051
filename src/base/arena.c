#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/checked.h"

#define ALIGNMENT 64
#define BLOCK_BYTES ((size_t)1024 * 1024)

struct eco_arena_block {
    struct eco_arena_block *next;
    size_t capacity; /* bytes after this header, which takes one alignment unit */
};

static unsigned char *block_data(struct eco_arena_block *block)
{
    return (unsigned char *)block + ALIGNMENT;
}

void eco_arena_init(struct eco_arena *arena)
{
    arena->first = NULL;
    arena->current = NULL;
    arena->used = 0;
}

void eco_arena_release(struct eco_arena *arena)
{
    struct eco_arena_block *block = arena->first;

    while (block) {
        struct eco_arena_block *next = block->next;
        free(block);
        block = next;
    }
    eco_arena_init(arena);
}

void eco_arena_reset(struct eco_arena *arena)
{
    arena->current = arena->first;
    arena->used = 0;
}

struct eco_arena_mark eco_arena_mark(const struct eco_arena *arena)
{
    return (struct eco_arena_mark){arena->current, arena->used};
}

void eco_arena_rewind(struct eco_arena *arena, struct eco_arena_mark mark)
{
    arena->current = mark.block ? mark.block : arena->first;
    arena->used = mark.used;
}

/* Puts a block of at least `bytes` behind the current one. */
static struct eco_arena_block *insert_block(struct eco_arena *arena, size_t bytes)
{
    size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    struct eco_arena_block *block;

    if (capacity > SIZE_MAX - 2 * ALIGNMENT)
        return NULL;
    block = aligned_alloc(ALIGNMENT, capacity + ALIGNMENT);
    if (!block)
        return NULL;
    block->capacity = capacity;
    if (arena->current) {
        block->next = arena->current->next;
        arena->current->next = block;
    } else {
        block->next = NULL;
        arena->first = block;
    }
    return block;
}

void *eco_arena_alloc(struct eco_arena *arena, size_t count, size_t size)
{
    struct eco_arena_block *block = arena->current;
    size_t bytes;
    void *memory;

    if (!eco_checked_mul(count, size, &bytes) || bytes > SIZE_MAX - ALIGNMENT)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (block && block->capacity - arena->used < bytes) {
        /* Blocks behind the current one are free: take the next that is large enough. */
        do
            block = block->next;
        while (block && block->capacity < bytes);
        if (block) {
            arena->current = block;
            arena->used = 0;
        }
    }
    if (!block) {
        block = insert_block(arena, bytes);
        if (!block)
            return NULL;
        arena->current = block;
        arena->used = 0;
    }
    memory = block_data(block) + arena->used;
    arena->used += bytes;
    return memory;
}

/* Bytes held from malloc. */
static size_t capacity_of(const struct eco_arena *arena)
{
    size_t total = 0;

    for (const struct eco_arena_block *block = arena->first; block; block = block->next)
        total += block->capacity;
    return total;
}

void eco_arena_trim(struct eco_arena *arena, size_t keep)
{
    if (capacity_of(arena) > keep)
        eco_arena_release(arena);
}
