/* task.h - starting one task of a step, as the user. */
#pragma once

#include "common/text/gpubind.h"
#include "noded/cgroup/cgroup.h"
#include "noded/mpi/mpi.h"
#include "noded/stepd/task_bind.h"
#include "noded/stepd/task_env.h"

struct task_plan {
    const char *program; /* a path, or NULL: argv[0] is looked for in PATH of the environment */
    char *const *argv;   /* ends with NULL */
    const struct task_env *environment; /* of the node */
    const struct task_env_node *node;
    uint32_t local;   /* which of the node's tasks */
    int in, out, err; /* become 0, 1, 2; none of them below 3 */
    bool terminal;    /* `in` is a terminal: make it the task's */
    const struct gpu_bind *gpu_bind;
    const struct task_binding *binding;
    const struct cgroup *cgroup; /* whose tasks it joins */
    const char *prolog;          /* TaskProlog, or NULL */
    const struct mpi_task *mpi;
};

/*
 * Makes a process, which executes the program; it is the program's when this returns, but where
 * something comes before: a prolog, or a debugger. When the program cannot be executed its stderr
 * hears so, as Slurm does it, and it exits with the errno. Returns the pid, or -errno when there
 * can be no process.
 */
pid_t task_start(const struct task_plan *plan, struct err *err);

/* Appends a line for each limit that cannot be given in full on this node. */
void task_limits_warn(const struct rlimit_spec *limits, uint32_t limits_n, struct strbuf *out);
