/*
 * cgroup.h - keeping the processes of a step together, over cgroup v1, v2, or nothing.
 *
 * A cgroup_root is what was found on this machine at start; a cgroup is one step's. Where there is
 * no writable hierarchy the members of a step are the descendants of its owner, which must be a
 * child subreaper. Only directories made here are ever touched or removed.
 *
 * libcgroup finds the hierarchies and makes the group of all steps (machine.h). What concerns steps
 * is read and written directly: the library takes six times as long for a step's mkdir.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "noded/cgroup/devices.h"
#include "noded/cgroup/machine.h"

enum cgroup_mode { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

/* What cgroups are wanted for beside tracking. */
enum cgroup_use {
    CGROUP_USE_CPUS = 1,
    CGROUP_USE_MEMORY = 2,
    CGROUP_USE_DEVICES = 4,
    CGROUP_USE_TASKS = 8, /* the memory of each task counted apart */
};

/* Where to look for hierarchies; tests make it up. */
struct cgroup_where {
    const struct cgroup_machine *machine;
    const char *systemd; /* is there where systemd runs */
};
#define CGROUP_WHERE                                                                               \
    (struct cgroup_where)                                                                          \
    {                                                                                              \
        &cgroup_machine, "/run/systemd/system"                                                     \
    }

enum cgroup_choice { CGROUP_BEST, CGROUP_ONLY_V1, CGROUP_ONLY_V2, CGROUP_DISABLED };

struct cgroup_options {
    const char *node; /* NULL for the only node daemon of a host, else in the directory's name */
    enum cgroup_choice choice;
    unsigned uses;       /* enum cgroup_use */
    bool ignore_systemd; /* no scope is asked of it */
};

struct cgroup_root;
struct cgroup;

/* Finds where groups can be made. Never fails: what does not work gives mode none, and the remark
 * says why; so does a machine without libcgroup. */
struct cgroup_root *cgroup_root_find(const struct cgroup_where *where,
                                     const struct cgroup_options *options);

/*
 * Makes the directory of all steps again where somebody has taken it away: on v2 under systemd the
 * scope ends with the process that keeps it. May take seconds, and forks; for a process that is not
 * a child subreaper yet.
 */
int cgroup_root_heal(const struct cgroup_root *root, struct err *err);

/* Removes the directory that holds all steps, when it is empty. Returns NULL. */
struct cgroup_root *cgroup_root_free(struct cgroup_root *root);
enum cgroup_mode cgroup_root_mode(const struct cgroup_root *root);
const char *cgroup_root_mode_name(const struct cgroup_root *root); /* "v1", "v2", "none" */
const char *cgroup_root_remark(const struct cgroup_root *root);    /* one line for the log */
bool cgroup_root_has(const struct cgroup_root *root, enum cgroup_use use);

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

/* Opens a group made earlier, perhaps by a process now gone, at what cgroup_path told. */
int cgroup_open(const struct cgroup_root *root, const char *path, struct cgroup **ret,
                struct err *err);

/* Frees memory and descriptors only. */
struct cgroup *cgroup_free(struct cgroup *cgroup);
const char *cgroup_path(const struct cgroup *cgroup); /* "" in mode none */

/*
 * Move the calling process, which must have one thread. The root parent of a step leaves the
 * daemon's group, so that the service manager does not count it there. The user side enters its own
 * part. A task enters among the tasks: it may have become the user by then, as cgroup_open_tasks
 * has opened what it takes, as root. That is done by system calls alone, for a process that shares
 * memory: 0 or -errno.
 */
int cgroup_enter_system(const struct cgroup *cgroup, struct err *err);
int cgroup_enter_own(const struct cgroup *cgroup, struct err *err);
int cgroup_open_tasks(struct cgroup *cgroup, uint32_t tasks_n, struct err *err);
int cgroup_enter_task(const struct cgroup *cgroup, uint32_t task);

/* ---- bounds ---- */

/* Levels that are bounded. The step's comes first: on v1 what is above may not have less than what
 * is below. */
enum cgroup_level { CGROUP_STEP, CGROUP_JOB };

/* Bound groups of a root that has the use in question. Cpus are given by the machine's own
 * numbers. */
int cgroup_limit_cpus(const struct cgroup *cgroup, enum cgroup_level level, const uint32_t *cpus,
                      uint32_t cpus_n, struct err *err);

struct cgroup_memory {
    uint64_t ram_kb;
    uint64_t soft_kb; /* what it is pressed back to; 0: there is no such bound */
    uint64_t swap_kb; /* beside ram_kb */
    bool has_swap;    /* whether swap is bounded too */
    bool has_swappiness;
    uint32_t swappiness; /* 0 to 100, of v1 alone */
};
int cgroup_limit_memory(const struct cgroup *cgroup, enum cgroup_level level,
                        const struct cgroup_memory *limit, struct err *err);

/* Lets a process that is killed for memory take all tasks of the step along. Returns false where
 * the kernel does not do that: then somebody must look. */
bool cgroup_kill_together(const struct cgroup *cgroup);

/* Keeps tasks of the step from opening these devices; more may follow. Needs no controller on
 * v2. */
int cgroup_deny_devices(const struct cgroup *cgroup, const struct cgroup_device *devices,
                        uint32_t devices_n, struct err *err);

/* ---- members ---- */

/* Finds every process in the group, also in groups below, and returns how many; *ret_pids is to be
 * freed. */
int cgroup_members(const struct cgroup *cgroup, pid_t **ret_pids);

/* Sends a signal to every member but `except` (0: none). Returns how many members there were. */
int cgroup_signal(const struct cgroup *cgroup, int signal, pid_t except);

/* Stops the tasks, whatever they do about signals, or lets them go on. */
void cgroup_freeze(const struct cgroup *cgroup, bool freeze, pid_t except);

/* Kills all members but `except`, in one round: they are stopped first so that nobody forks away.
 * Returns how many there were; repeat, with a pause, until 0. */
int cgroup_kill(const struct cgroup *cgroup, pid_t except);

struct cgroup_usage {
    uint64_t memory_kb;      /* of processes, without what files are kept in memory; 0: not known */
    uint64_t peak_memory_kb; /* most ever, with files; 0: not known */
    uint64_t oom_kills;
};
struct cgroup_usage cgroup_usage(const struct cgroup *cgroup);

/* Returns what the processes of one task hold, with CGROUP_USE_TASKS; 0: not known. `task` counts
 * the node's tasks. */
uint64_t cgroup_task_memory_kb(const struct cgroup *cgroup, uint32_t task);

/* Removes the directory and those above that became empty. Fails with -EBUSY while it has
 * members. */
int cgroup_remove(const struct cgroup *cgroup);
