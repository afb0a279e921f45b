/*
 * arena.h - memory for many small things that are released together.
 *
 * `struct arena arena = { 0 };` is a valid empty arena. Nothing that it gives is freed by itself.
 */
#pragma once

#include "common/base/alloc.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    char *at;                   /* what is left of it */
    size_t left;
};

/* Returns zeroed memory that is aligned for any type. `size` must not be 0. */
void *arena_alloc(struct arena *arena, size_t size);

/*
 * Makes room for one more of n elements, as array_grow_ does. An outgrown array stays until
 * arena_clear.
 */
void *arena_grow(struct arena *arena, const void *array, size_t n, size_t size);

/* A position to which arena_return can take an arena back. */
struct arena_mark {
    struct arena_chunk *chunk;
    char *at;
};
struct arena_mark arena_mark(const struct arena *arena);

/* Releases what was given since the mark, so that its memory is used again. */
void arena_return(struct arena *arena, struct arena_mark mark);

/* Releases all memory of the arena, which is then empty. */
void arena_clear(struct arena *arena);
