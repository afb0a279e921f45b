/*
 * task_hook.h - TaskProlog and TaskEpilog: programs that run as the user before and after each
 * task.
 *
 * What a TaskProlog writes tells what the task gets: "export NAME=value", "unset NAME", and
 * "print words", which go to the task's output; other lines mean nothing.
 */
#pragma once

#include "noded/stepd/task_env.h"

/* Adds SLURM_RLIMIT_NOFILE and so on, which are the programs' to see and not the task's. */
void task_hook_add_limits(struct task_env *env, const struct launch_body *body);
void task_hook_drop_limits(struct task_env *env, const struct launch_body *body);

/* Obeys one line that a task prolog printed, without its end. Returns what is to be printed, within
 * `line`, or NULL. */
const char *task_hook_line(struct task_env *env, const char *line);

/*
 * Runs the task prolog in the task's own process, with its streams in place, and changes `env`.
 * Returns the exit status of a program that failed, as it stands for the task's; else 0. Says why
 * on stderr, as Slurm does.
 */
int task_prolog_run(const char *path, bool own, const char *node, struct task_env *env);

/*
 * Starts the program, whose output goes nowhere. Returns the pid, or -errno; -EACCES: nobody could.
 * `env` is changed.
 */
pid_t task_epilog_start(const char *path, struct task_env *env);
