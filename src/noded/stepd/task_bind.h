/* task_bind.h - tasks, their cpus and their memory: what they hear of it, and that they are bound.
 */
#pragma once

#include "noded/bind/memory.h"
#include "noded/bind/plan.h"
#include "noded/stepd/task_env.h"

struct task_binding {
    struct cpu_plan cpus;
    struct mem_plan memory;
};

/* Makes the binding, whose parts live as long as the process. Fails where plans do. */
int task_binding_make(const struct bind_conf *conf, const struct launch_body *body,
                      uint32_t node_index, struct task_binding *ret, struct err *err);

/* Sets what all tasks of the node hear of their binding. */
void task_bind_set_node(struct task_env *env, const struct task_binding *binding);

/* Returns true if a task binds itself by system calls alone: nothing is said, and no memory is
 * bound. */
bool task_bind_is_quiet(const struct task_binding *binding);

/*
 * Binds the calling task, and says so on its stderr where it was asked to. Returns the status to
 * exit with, said why, where it would take memory from a NUMA node that there is not; else 0.
 */
int task_bind_self(const struct task_binding *binding, const struct task_env_node *node,
                   uint32_t local);
