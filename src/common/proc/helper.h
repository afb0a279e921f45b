/*
 * helper.h - a process of this executable under another role, for what must not block a loop.
 */
#pragma once

#include <sys/types.h>

/*
 * Starts the role with one end of a packet socket (SOCK_SEQPACKET) as its standard input. *ret_fd
 * is the other end, close-on-exec, for the caller to close; *ret_pid is for the caller to wait for.
 * Returns 0 or -errno.
 */
int proc_start_helper(const char *role, pid_t *ret_pid, int *ret_fd);
