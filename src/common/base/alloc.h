/*
 * alloc.h - memory that cannot run out, and locals that release themselves.
 *
 * xmalloc and friends end the process when memory is gone: the state is on disk, and a half-working
 * daemon is worse. So every length that comes from outside is bounded before it is allocated.
 */
#pragma once

#include <stddef.h>
#include <stdlib.h>

#include "common/base/err.h"

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size); /* zeroed */
void *xrealloc(void *ptr, size_t size);
void *xreallocarray(void *ptr, size_t n, size_t size); /* dies on overflow */
char *xstrdup(const char *text);                       /* NULL gives NULL */
char *xstrndup(const char *text, size_t n);
void *xmemdup(const void *bytes, size_t n); /* n = 0 gives NULL */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Releases *slot and stores a copy of `text` there. */
void xstrset(char **slot, const char *text);

/* Overwrites secrets in a way that the compiler keeps. */
void wipe(void *bytes, size_t n);

void auto_free_(void *slot);
void auto_close_(int *fd);

/* `AUTO_FREE char *line = ...;` is freed at the end of its block. */
#define AUTO_FREE __attribute__((cleanup(auto_free_)))
/* `AUTO_CLOSE int fd = ...;` is closed at the end of its block; -1 is fine. */
#define AUTO_CLOSE __attribute__((cleanup(auto_close_)))
/* `AUTO(strbuf) struct strbuf out = { 0 };` calls strbuf_auto_(&out); a type opts in by having one.
 */
#define AUTO(type) __attribute__((cleanup(type##_auto_)))

/* Hands a pointer over: yields it and leaves NULL behind. `return STEAL(p);` */
#define STEAL(ptr)                                                                                 \
    __extension__({                                                                                \
        __typeof__(ptr) stolen_ = (ptr);                                                           \
        (ptr) = NULL;                                                                              \
        stolen_;                                                                                   \
    })

/* Hands a descriptor over: yields it and leaves -1 behind. */
int steal_fd(int *fd);

#define ARRAY_N(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Makes room for one more element in a growing array kept as `type *array; uint32_t n` where n is
 * the count: capacity is always the next power of two, so it need not be stored.
 * `*ARRAY_PUSH(list->jobs, list->jobs_n) = job;`
 */
#define ARRAY_PUSH(array, n)                                                                       \
    __extension__({                                                                                \
        (array) = array_grow_((array), (n), sizeof(*(array)));                                     \
        &(array)[(n)++];                                                                           \
    })
void *array_grow_(void *array, size_t n, size_t size);

/*
 * Returns how many elements an array of n has room for. Who copies an array must keep to this rule.
 */
size_t array_capacity(size_t n);
