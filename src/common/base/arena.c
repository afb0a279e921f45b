#include "common/base/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum {
    CHUNK_FIRST = 4 << 10,
    CHUNK_MOST = 1 << 20,
    ALIGNMENT = 16,
    PAGE = 4 << 10, /* where pages are larger, the kernel declines what does not begin with one */
};

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
};

static_assert(sizeof(struct arena_chunk) % ALIGNMENT == 0, "what follows it is aligned");

/*
 * Asks for the pages of a large chunk at once, because such a chunk will be filled, and 250 page
 * faults take longer. A kernel that cannot do this (before 5.14) adds the pages one by one.
 */
static void populate(void *memory, size_t size)
{
    const uintptr_t begin = (uintptr_t)memory / PAGE * PAGE;
    const uintptr_t end = ((uintptr_t)memory + size) / PAGE * PAGE;

#ifdef MADV_POPULATE_WRITE
    (void)madvise((char *)memory - ((uintptr_t)memory - begin), end - begin, MADV_POPULATE_WRITE);
#endif
}

static void add_chunk(struct arena *arena, size_t at_least)
{
    size_t size = arena->chunks ? arena->chunks->size * 2 : CHUNK_FIRST;
    struct arena_chunk *chunk;

    if (size > CHUNK_MOST)
        size = CHUNK_MOST;
    if (size < at_least)
        size = at_least;
    chunk = xcalloc(1, sizeof(*chunk) + size);
    if (size == CHUNK_MOST)
        populate(chunk, size);
    *chunk = (struct arena_chunk){ arena->chunks, size };
    arena->chunks = chunk;
    arena->at = (char *)(chunk + 1);
    arena->left = size;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory;

    assert(size <= SIZE_MAX - ALIGNMENT);
    if (rounded > arena->left)
        add_chunk(arena, rounded);
    memory = arena->at;
    arena->at += rounded;
    arena->left -= rounded;
    return memory;
}

void *arena_grow(struct arena *arena, const void *array, size_t n, size_t size)
{
    void *larger;

    if (n & (n - 1))
        return (void *)(uintptr_t)array;
    larger = arena_alloc(arena, (n ? n * 2 : 1) * size);
    if (n)
        memcpy(larger, array, n * size);
    return larger;
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){ arena->chunks, arena->at };
}

/*
 * When chunks were begun since the mark, the newest is used again from its beginning. Going back to
 * the chunk of the mark would begin another chunk for each record at its end.
 */
void arena_return(struct arena *arena, struct arena_mark mark)
{
    const bool is_same = arena->chunks == mark.chunk;
    char *from = is_same ? mark.at : (char *)(arena->chunks + 1);

    while (!is_same && arena->chunks->next != mark.chunk) {
        struct arena_chunk *between = arena->chunks->next;

        arena->chunks->next = between->next;
        free(between);
    }
    if (!from)
        return;
    memset(from, 0, (size_t)(arena->at - from));
    arena->left += (size_t)(arena->at - from);
    arena->at = from;
}

void arena_clear(struct arena *arena)
{
    while (arena->chunks) {
        struct arena_chunk *chunk = arena->chunks;

        arena->chunks = chunk->next;
        free(chunk);
    }
    *arena = (struct arena){ 0 };
}
