/* task_bind.h - tasks and their cpus: what they hear of it, and that they are bound. */
#pragma once

#include "noded/bind/plan.h"
#include "noded/stepd/task_env.h"

/* What all tasks of the node hear. */
void task_bind_set_node(struct task_env *env, const struct cpu_plan *plan);

/* The calling task binds itself, and says so on its stderr where it was asked to. */
void task_bind_self(const struct cpu_plan *plan, const struct task_env_node *node, uint32_t local);
