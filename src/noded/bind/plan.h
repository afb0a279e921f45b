/*
 * plan.h - how the tasks of a step on one node are bound to its cpus, from what was asked and what
 * the step may use there.
 */
#pragma once

#include "common/msg/step.h"
#include "common/text/cpubind.h"
#include "noded/inventory/cpu_tree.h"

/* What slurm.conf says about binding on this node. Borrowed by every launch. */
struct bind_conf {
    const struct cpu_tree *tree;  /* NULL: no task is bound */
    enum cpu_bind_kind otherwise; /* TaskPluginParam=autobind=: where nothing fits */
    bool unknown; /* which cpus of the machine are slurm.conf's: who asks for lines is told NONE */
};

/* Owns its parts; all zero binds nothing. */
struct cpu_plan {
    struct cpu_bind shown; /* as it was done: what was found out by itself is a list of masks */
    const char *suffix;    /* of the line for people, "-cores" for what could not be dealt so */
    const struct cpu_tree *tree; /* that of the masks; borrowed */
    struct bitset *masks;        /* for each task, the machine's cpu numbers; none: not bound */
    uint32_t masks_n;
};

/*
 * Makes the plan. Fails with E_CPU_BIND for cpus that are not the step's. *ret is to be released.
 * No `conf` binds nothing.
 */
int cpu_plan_make(const struct bind_conf *conf, const struct launch_body *body, uint32_t node_index,
                  struct cpu_plan *ret, struct err *err);
void cpu_plan_clear(struct cpu_plan *plan);

/* Returns true if tasks are to hear how they are bound: SLURM_CPU_BIND. */
bool cpu_plan_is_told(const struct cpu_plan *plan);

/* Finds the machine's cores that the `local`th task is bound to; none when it is not bound. */
void cpu_plan_cores(const struct cpu_plan *plan, uint32_t local, struct bitset *ret);

/* Binds the calling process as the `local`th task, by a system call alone. Returns 0 or -errno. */
int cpu_plan_apply(const struct cpu_plan *plan, uint32_t local);

/* Appends the line of --cpu-bind=verbose about a task; `rc` is what cpu_plan_apply returned. */
struct bound_task {
    const char *node;
    uint32_t task, local; /* numbers in the step, on the node */
    pid_t pid;
};
void cpu_plan_describe(const struct cpu_plan *plan, const struct bound_task *task, int rc,
                       struct strbuf *out);
