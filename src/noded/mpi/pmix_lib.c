#ifdef SLUICE_PMIX

#include "noded/mpi/pmix_lib.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "common/base/library.h"

#define SONAME "libpmix.so.2"
LIBRARY_NOTE(suggested, libpmix, SONAME, "srun --mpi=pmix");

/* Finds a function, whose address comes as that of an object, which the standard keeps apart. */
static int find(void *library, const char *name, void *ret, struct err *err)
{
    void *found = dlsym(library, name);

    if (!found)
        return err_set(err, ENOTSUP, "--mpi=pmix: %s has no %s", SONAME, name);
    memcpy(ret, &found, sizeof(found));
    return 0;
}

int pmix_lib_load(struct pmix_lib *ret, struct err *err)
{
    /* The library's own parts, which it loads too, look for what it offers. */
    void *library = dlopen(SONAME, RTLD_NOW | RTLD_GLOBAL);
    int rc = 0;

    if (!library)
        return err_set(err, ENOTSUP, "--mpi=pmix: this node has no %s: %s", SONAME, dlerror());
#define PMIX_LIB_FIND(name)                                                                        \
    if (rc == 0)                                                                                   \
        rc = find(library, #name, &ret->name, err);
    PMIX_LIB_FUNCTIONS(PMIX_LIB_FIND)
#undef PMIX_LIB_FIND
    return rc;
}

#else
typedef int pmix_lib_is_not_built;
#endif
