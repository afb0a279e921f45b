/* Loads what machine.c calls of libcgroup. */
#include "noded/cgroup/libcgroup.h"

#include "common/base/library.h"

LIBRARY(libcgroup, "libcgroup.so.2", "cgroups of steps", NULL);

int libcgroup_open(struct err *err)
{
    return library_open(&libcgroup, err);
}

/*
 * Closes the library. Of a hierarchy that is mounted twice its table has a block of 4 KB, which no
 * function frees: they are lost, once, where 800 KB are won. A leak checker, which cannot look into
 * a library that has gone, keeps the library.
 */
void libcgroup_close(void)
{
#ifndef SLUICE_SANITIZED
    library_close(&libcgroup);
#endif
}

void libcgroup_free(struct cgroup **group)
{
    __typeof__(&cgroup_free) function;

    library_find_(&libcgroup, "cgroup_free", &function);
    function(group);
}

FORWARD_WHILE_OPEN(libcgroup, int, cgroup_init, (void), ())
FORWARD_VOID_WHILE_OPEN(libcgroup, cgroup_set_logger,
                        (cgroup_logger_callback logger, int level, void *ctx), (logger, level, ctx))
FORWARD_WHILE_OPEN(libcgroup, const char *, cgroup_strerror, (int code), (code))
FORWARD_WHILE_OPEN(libcgroup, int, cgroup_get_controller_begin,
                   (void **handle, struct cgroup_mount_point *ret), (handle, ret))
FORWARD_WHILE_OPEN(libcgroup, int, cgroup_get_controller_next,
                   (void **handle, struct cgroup_mount_point *ret), (handle, ret))
FORWARD_WHILE_OPEN(libcgroup, int, cgroup_get_controller_end, (void **handle), (handle))
FORWARD_WHILE_OPEN(libcgroup, struct cgroup *, cgroup_new_cgroup, (const char *name), (name))
FORWARD_WHILE_OPEN(libcgroup, struct cgroup_controller *, cgroup_add_controller,
                   (struct cgroup * group, const char *controller), (group, controller))
FORWARD_WHILE_OPEN(libcgroup, int, cgroup_create_cgroup,
                   (struct cgroup * group, int ignore_ownership), (group, ignore_ownership))
