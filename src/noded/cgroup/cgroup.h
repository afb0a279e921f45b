/*
 * cgroup.h - keeping the processes of a step together, over cgroup v1, v2, or nothing.
 *
 * A cgroup_root is what was found on this machine at start; a cgroup is one step's. Where there is
 * no writable hierarchy the members of a step are the descendants of its owner, which must be a
 * child subreaper. Only directories made here are ever touched or removed.
 *
 * Files are read and written directly: libcgroup takes six times as long for a step's mkdir, and
 * linking it would cost every client that shares this executable its loading.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"

enum cgroup_mode { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

/* What is wanted beside tracking; each is a hierarchy of its own on v1. */
enum cgroup_use { CGROUP_USE_CPUS = 1, CGROUP_USE_MEMORY = 2 };

/* Which files tell about hierarchies; other ones than the kernel's for tests. */
struct cgroup_where {
    const char *mountinfo;
    const char *self;
};
#define CGROUP_WHERE                                                                               \
    (struct cgroup_where)                                                                          \
    {                                                                                              \
        "/proc/self/mountinfo", "/proc/self/cgroup"                                                \
    }

struct cgroup_root;
struct cgroup;

/*
 * Never fails: what does not work gives mode none, and the remark says why. `node` is NULL for the
 * only node daemon of a host, else its name goes into the directory's name, as in Slurm.
 */
struct cgroup_root *cgroup_root_find(const struct cgroup_where *where, const char *node,
                                     unsigned uses);

/* Removes the directory that holds all steps, when it is empty. Returns NULL. */
struct cgroup_root *cgroup_root_free(struct cgroup_root *root);
enum cgroup_mode cgroup_root_mode(const struct cgroup_root *root);
const char *cgroup_root_mode_name(const struct cgroup_root *root); /* "v1", "v2", "none" */
const char *cgroup_root_remark(const struct cgroup_root *root);    /* one line for the log */

struct cgroup_name {
    uint32_t uid;
    uint32_t job_id;
    const char *step; /* "0", "batch" */
};

/*
 * Makes a step's group. `owner` is the process whose descendants count in mode none, and which is
 * never a member. A directory of that name with processes of somebody else in it is left alone:
 * another one is made beside it.
 */
int cgroup_make(const struct cgroup_root *root, const struct cgroup_name *name, pid_t owner,
                struct cgroup **ret, struct err *err);

/* The one made earlier, perhaps by a process now gone, at what cgroup_path told. */
int cgroup_open(const struct cgroup_root *root, const char *path, struct cgroup **ret,
                struct err *err);

/* Frees memory only. */
struct cgroup *cgroup_free(struct cgroup *cgroup);
const char *cgroup_path(const struct cgroup *cgroup); /* "" in mode none */

/* Moves the calling process in, which must have one thread. */
int cgroup_enter(const struct cgroup *cgroup, struct err *err);

/* Limits, for groups of a root that was found with the use in question. */
int cgroup_limit_cpus(const struct cgroup *cgroup, const uint32_t *cpus, uint32_t cpus_n,
                      struct err *err);
int cgroup_limit_memory(const struct cgroup *cgroup, uint64_t mb, struct err *err);

/* Every process in it, also in groups below; *ret_pids is to be freed. Returns how many. */
int cgroup_members(const struct cgroup *cgroup, pid_t **ret_pids);

/* Sends a signal to every member but `except` (0: none). Returns how many members there were. */
int cgroup_signal(const struct cgroup *cgroup, int signal, pid_t except);

/*
 * One round of killing all members but `except`: they are stopped first so that nobody forks away.
 * Returns how many there were; repeat, with a pause, until 0.
 */
int cgroup_kill(const struct cgroup *cgroup, pid_t except);

struct cgroup_usage {
    uint64_t memory_kb;      /* of processes, without what files are kept in memory; 0: not known */
    uint64_t peak_memory_kb; /* most ever, with files; 0: not known */
    uint64_t oom_kills;
};
struct cgroup_usage cgroup_usage(const struct cgroup *cgroup);

/* Removes the directory and those above that became empty. -EBUSY while it has members. */
int cgroup_remove(const struct cgroup *cgroup);
