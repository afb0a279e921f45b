/*
 * task_env.h - the environment of tasks: the user's, what the controller adds, and what only
 * this node knows. Pure.
 *
 * A later setting replaces an earlier one in its place. Owns its strings.
 */
#pragma once

#include "common/msg/job_env.h"
#include "common/msg/step.h"

struct task_env {
    char **strings; /* "NAME=value" */
    uint32_t strings_n;
};

/* Takes "NAME=value" strings, each ended by a zero byte; those without a name are left out. */
void task_env_add_blob(struct task_env *env, const void *blob, size_t n);
void task_env_add(struct task_env *env, const char *string);
void task_env_set(struct task_env *env, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);
void task_env_unset(struct task_env *env, const char *name);

/* Returns the value, or NULL. Borrowed; may be written over by something no longer. */
char *task_env_get(const struct task_env *env, const char *name);

void task_env_copy(struct task_env *to, const struct task_env *from);
void task_env_clear(struct task_env *env);
void task_env_auto_(struct task_env *env);

/* Returns the array that execve takes; free() it, the strings stay the environment's. */
char **task_env_array(const struct task_env *env);

/* Sets those variables of the table that are in one of these environments (enum job_env). */
void task_env_make(struct task_env *env, unsigned in, const struct job_env_facts *facts);

/* What a node adds to the environment of all its tasks. */
struct task_env_node {
    const struct launch_body *body;
    uint32_t node_index;
    const char *launcher_host; /* where srun listens, as seen from here; NULL for a batch step */
    uint16_t launcher_port;
    const char *conf_path;    /* slurm.conf, when it is not at the usual place, else NULL */
    bool devices_constrained; /* the kernel shows tasks no devices but their own */
};
void task_env_set_node(struct task_env *env, const struct task_env_node *node);

/* Sets what a task adds; `local` counts the node's tasks, `pid` is the task's. */
void task_env_set_task(struct task_env *env, const struct task_env_node *node, uint32_t local,
                       pid_t pid);
