/*
 * Scratch memory that is given back all at once. Blocks are kept over a reset, so that after
 * warm-up a worker asks malloc for nothing. Thread rule: one arena a thread.
 */
#ifndef ECO_BASE_ARENA_H
#define ECO_BASE_ARENA_H

#include <stddef.h>

struct eco_arena_block;

struct eco_arena {
    struct eco_arena_block *first;
    struct eco_arena_block *current;
    size_t used; /* bytes of `current` */
};

/* A point to go back to; everything that was allocated after it is given back. */
struct eco_arena_mark {
    struct eco_arena_block *block;
    size_t used;
};

void eco_arena_init(struct eco_arena *arena);
void eco_arena_release(struct eco_arena *arena);
void eco_arena_reset(struct eco_arena *arena);
struct eco_arena_mark eco_arena_mark(const struct eco_arena *arena);
void eco_arena_rewind(struct eco_arena *arena, struct eco_arena_mark mark);

/* count * size bytes, aligned to 64, not cleared. NULL when memory runs out or the product
 * overflows. */
void *eco_arena_alloc(struct eco_arena *arena, size_t count, size_t size);

/* Gives the blocks back to malloc when they hold more than `keep` bytes. The arena must be reset.
 */
void eco_arena_trim(struct eco_arena *arena, size_t keep);

#endif
