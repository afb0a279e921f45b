/* libc.c - memory as libc gives it, in a program that is linked with sanitizers for the other half
 * of its code: what the program itself defines goes before what the sanitizers' library does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// glibc's own names of these functions, which its headers do not declare.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);
void *__memmove_chk(void *to, const void *from, size_t length, size_t room);

void *malloc(size_t size)
{
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = __libc_memalign(alignment, size);
    return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory)
{
    __libc_free(memory);
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = calloc(1, length + 1);
    return copy == NULL ? NULL : memcpy(copy, text, length);
}

void *memmove(void *to, const void *from, size_t length)
{
    return __memmove_chk(to, from, length, length);
}
