/*
 * hierarchy.h - what the files of this folder share: the hierarchies, and the directories in them.
 * Private to this folder.
 */
#pragma once

#include "noded/cgroup/cgroup.h"

#define CGROUP_DIR_MODE 0755

/* Hierarchies of v1; v2 has only the first. */
enum { TRACK, CPUS, MEMORY, HIERARCHIES_N };

struct cgroup_root {
    enum cgroup_mode mode;
    char *tops[HIERARCHIES_N]; /* the directory of all steps; NULL: not used */
    char *remark;
};

struct cgroup {
    enum cgroup_mode mode;
    char *dirs[HIERARCHIES_N];
    pid_t owner;
};

/* Makes a directory for processes. Returns 0, -EEXIST when it was there, or another -errno. */
int cgroup_make_dir(const char *dir, size_t hierarchy, enum cgroup_mode mode);
