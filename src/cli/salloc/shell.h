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

/* Takes the terminal back. */
void shell_take_terminal(void);

/* The terminal goes to that process group. */
void shell_give_terminal(pid_t pid);
