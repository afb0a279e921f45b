#include "common/base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static NO_RETURN void die_of_memory(size_t size)
{
    fprintf(stderr, "out of memory: %zu bytes asked\n", size);
    abort();
}

void *xmalloc(size_t size)
{
    void *ptr = malloc(size ? size : 1);

    if (!ptr)
        die_of_memory(size);
    return ptr;
}

void *xcalloc(size_t n, size_t size)
{
    void *ptr = calloc(n ? n : 1, size ? size : 1);

    if (!ptr)
        die_of_memory(n * size);
    return ptr;
}

void *xrealloc(void *ptr, size_t size)
{
    void *moved = realloc(ptr, size ? size : 1);

    if (!moved)
        die_of_memory(size);
    return moved;
}

void *xreallocarray(void *ptr, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        die_of_memory(SIZE_MAX);
    return xrealloc(ptr, n * size);
}

char *xstrdup(const char *text)
{
    return text ? xstrndup(text, strlen(text)) : NULL;
}

char *xstrndup(const char *text, size_t n)
{
    size_t length = strnlen(text, n);
    char *copy = xmalloc(length + 1);

    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void *xmemdup(const void *bytes, size_t n)
{
    return n ? memcpy(xmalloc(n), bytes, n) : NULL;
}

char *xasprintf(const char *fmt, ...)
{
    va_list args;
    char *text = NULL;
    int length;

    va_start(args, fmt);
    length = vasprintf(&text, fmt, args);
    va_end(args);
    if (length < 0)
        die_of_memory(0);
    return text;
}

void xstrset(char **slot, const char *text)
{
    char *copy = xstrdup(text);

    free(*slot);
    *slot = copy;
}

void wipe(void *bytes, size_t n)
{
    explicit_bzero(bytes, n);
}

void auto_free_(void *slot)
{
    void *ptr;

    memcpy(&ptr, slot, sizeof(ptr));
    free(ptr);
}

void auto_close_(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

int steal_fd(int *fd)
{
    int stolen = *fd;

    *fd = -1;
    return stolen;
}

size_t array_capacity(size_t n)
{
    size_t capacity = 1;

    while (capacity < n)
        capacity *= 2;
    return n ? capacity : 0;
}

void *array_grow_(void *array, size_t n, size_t size)
{
    if (n & (n - 1)) /* room is left until the count reaches a power of two */
        return array;
    return xreallocarray(array, n ? n * 2 : 1, size);
}
