/*
 * detach.h - becoming a daemon whose starter learns whether it came up.
 *
 * The starting process waits until the daemon says ready, then exits 0; if the daemon ends before,
 * it exits 1. So "munged && next" means what it says, and errors of the start reach the terminal.
 */
#pragma once

#include "common/base/err.h"

/* Returns in the daemon only, with a descriptor for detach_ready. */
int detach_start(int *ret_ready_fd, struct err *err);

/* Lets the starter exit, and gives up stdin, stdout and stderr. Does nothing for -1 (in the
   foreground). */
void detach_ready(int ready_fd);
