#include "common/base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *found)
{
    if (found)
        return found;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, dlerror());
    exit(EXIT_FAILURE);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Opens the library; the caller holds the lock. */
static void *open_once(struct library *library)
{
    if (library->handle)
        return library->handle;
    library->handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    if (library->handle && library->on_open)
        library->on_open(library->handle);
    return library->handle;
}

int library_open(struct library *library, struct err *err)
{
    int rc = 0;

    pthread_mutex_lock(&lock);
    if (!open_once(library))
        rc = err_set(err, ENOENT, "%s", dlerror());
    pthread_mutex_unlock(&lock);
    return rc;
}

void library_find_(struct library *library, const char *name, void *ret_function)
{
    void *address;

    pthread_mutex_lock(&lock);
    address = must(dlsym(must(open_once(library)), name));
    pthread_mutex_unlock(&lock);
    memcpy(ret_function, &address, sizeof(address)); /* C has no cast from data to a function */
}

void library_close(struct library *library)
{
    pthread_mutex_lock(&lock);
    if (library->handle)
        dlclose(library->handle);
    library->handle = NULL;
    pthread_mutex_unlock(&lock);
}
