/*
 * machine.h - which hierarchies of cgroups this machine has, and the daemon's own groups in them.
 *
 * Both by libcgroup, which is opened for that and closed again, since who forks often need not have
 * it in memory. What concerns steps goes to the files directly: docs/adr/0004.
 */
#pragma once

#include <stdbool.h>

#include "common/base/err.h"

struct cgroup_mount {
    char *dir;  /* where the hierarchy is seen; NULL when there is none */
    char *self; /* this process's group below it, of v2 alone: "" or "/a/b" */
};

/* A table of functions, so that tests can make a machine up; `ctx` is for these. */
struct cgroup_machine {
    void *ctx;

    /* Must be called first, and close last. Without it the others must not be called. */
    int (*open)(void *ctx, struct err *err);

    /* Finds the v1 hierarchy with `controller`, or the v2 one for NULL. Returns whether there is
     * one. */
    bool (*find)(void *ctx, const char *controller, struct cgroup_mount *ret);

    /*
     * Makes the group `name` in the hierarchy of `controller`, and all above it that lack; one that
     * is there is fine. On v2 the groups above let it use the controller then.
     */
    int (*make)(void *ctx, const char *controller, const char *name, struct err *err);

    void (*close)(void *ctx);
};

/* The machine that this process runs on. */
extern const struct cgroup_machine cgroup_machine;

void cgroup_mount_clear(struct cgroup_mount *mount);

/* Returns the path of the line "0::/a/b" in the text of /proc/self/cgroup, to be freed, or NULL: no
 * v2. */
char *cgroup_self_path(const char *text);
