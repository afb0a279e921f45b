/*
 * helper.h - a process of this executable under another role, for what must not block a loop.
 */
#pragma once

#include <sys/types.h>

/*
 * Starts the role with one end of a packet socket (SOCK_SEQPACKET) as its standard input; the other
 * end goes to *ret_fd, close-on-exec. Both results are the caller's: to close, and to wait for.
 * Returns -errno.
 */
int proc_start_helper(const char *role, pid_t *ret_pid, int *ret_fd);
