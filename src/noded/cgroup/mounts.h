/* mounts.h - where the cgroup hierarchies are mounted, and where in them this process is. */
#pragma once

#include <stdbool.h>

struct cgroup_mount {
    char *dir;  /* mount point; NULL when there is none */
    char *self; /* this process's group below the mount point: "" or "/a/b" */
};

/*
 * The v1 hierarchy with `controller`, or the v2 one for NULL, from the texts of
 * /proc/self/mountinfo and /proc/self/cgroup. Returns whether there is one.
 */
bool cgroup_mount_find(const char *mountinfo, const char *self, const char *controller,
                       struct cgroup_mount *ret);
void cgroup_mount_clear(struct cgroup_mount *mount);
