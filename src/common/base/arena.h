/*
 * arena.h - memory for many small things that are released together.
 *
 * `struct arena arena = { 0 };` is a valid empty one. What it gives is never freed by itself.
 */
#pragma once

#include "common/base/alloc.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    char *at;                   /* what is left of it */
    size_t left;
};

/* Zeroed, aligned for any type; `size` is not 0. */
void *arena_alloc(struct arena *arena, size_t size);

/* As array_grow_: room for one more of n elements; an outgrown array stays until arena_clear. */
void *arena_grow(struct arena *arena, const void *array, size_t n, size_t size);

/* Where an arena stands. */
struct arena_mark {
    struct arena_chunk *chunk;
    char *at;
};
struct arena_mark arena_mark(const struct arena *arena);

/* Forgets what was given since the mark; its memory is used again. */
void arena_return(struct arena *arena, struct arena_mark mark);

/* Back to empty, all of it released. */
void arena_clear(struct arena *arena);
