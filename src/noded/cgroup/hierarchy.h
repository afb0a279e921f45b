/*
 * hierarchy.h - what the files of this folder share: the hierarchies, and the directories in them.
 * Private to this folder.
 *
 *     v1   freezer:  slurm/uid_U/job_J/step_S/{slurm,user}
 *          cpuset, memory, devices, where used:  slurm/uid_U/job_J/step_S
 *     v2   system.slice/slurmstepd.scope/{system,job_J/step_S/{slurm,user/task_T}}
 *
 * The step's user side is in "slurm", its tasks in "user": that is what is frozen, bounded and
 * killed. On v2 the root parents of all steps are in "system".
 */
#pragma once

#include "noded/cgroup/cgroup.h"

#define CGROUP_DIR_MODE 0755

/* Hierarchies of v1; v2 has only the first. */
enum { TRACK, CPUS, MEMORY, DEVICES, HIERARCHIES_N };

struct cgroup_root {
    enum cgroup_mode mode;
    unsigned uses;             /* enum cgroup_use, as far as they can be had */
    char *tops[HIERARCHIES_N]; /* the directory of all steps; NULL: not used */
    char *remark;
    char *scope_mount, *scope; /* asked of systemd, see scope.h; NULL: no scope */
};

struct cgroup {
    enum cgroup_mode mode;
    char *dirs[HIERARCHIES_N];
    char *tasks_dir;  /* "user" below the first; NULL in mode none */
    char *system_dir; /* of v2, else NULL */
    unsigned uses;
    pid_t owner;
    int *doors; /* what a task writes to, to enter: first those of all tasks, then one for each */
    uint32_t doors_n, shared_doors_n;
};

/* Makes a directory for processes. Returns 0, -EEXIST when it was there, or another -errno. */
int cgroup_make_dir(const char *dir, size_t hierarchy, enum cgroup_mode mode);

/* Lets the directories below `dir` on v2 bound and count what `uses` asks for. Returns 0 or
 * -errno. */
int cgroup_delegate(const char *dir, unsigned uses);

/* Returns the group in which tasks are bounded in this hierarchy, or NULL where it bounds none. */
const char *cgroup_bounds_dir(const struct cgroup *cgroup, size_t hierarchy);
