/* wait.h - waiting for a program only so long. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"

/*
 * Waits for `pid`, a child that leads its process group. After timeout_s (0: never) the group is
 * killed. Fails unless it ends with 0: with ETIME when it was late, EINTR when a signal ended it,
 * EIO otherwise; the text begins with `what`, and has `limit`, "Key=", before the seconds; NULL:
 * nothing.
 */
int proc_wait_well(pid_t pid, const char *what, uint32_t timeout_s, const char *limit,
                   struct err *err);
