/*
 * shell.h - the command that salloc runs while it has its nodes.
 *
 * It gets a process group of its own and, when there is a terminal, the foreground, so that ^C goes
 * to it and not to salloc.
 */
#pragma once

#include <sys/types.h>

#include "cli/submit/environment.h"

/* Starts argv (ended by NULL); the command is found by the PATH it will have. */
int shell_start(char *const *argv, const struct environment *environment, pid_t *ret_pid,
                struct err *err);

/* Makes salloc's process group the foreground of the terminal again. */
void shell_take_terminal(void);

/* Makes that process group the foreground of the terminal. */
void shell_give_terminal(pid_t pid);
