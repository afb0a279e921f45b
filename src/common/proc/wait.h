/* wait.h - waits for a program for a limited time, and reads what it writes meanwhile. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

#define PROC_TAIL_MAX 1024 /* bytes that are kept */

/*
 * The end of what programs write to a pipe. Owns all of it: `struct proc_tail tail =
 * PROC_TAIL_NONE;`
 */
struct proc_tail {
    int read_fd, write_fd; /* the second is for the programs; both are close-on-exec */
    struct strbuf text;    /* the newest PROC_TAIL_MAX bytes */
};
#define PROC_TAIL_NONE                                                                             \
    {                                                                                              \
        .read_fd = -1, .write_fd = -1                                                              \
    }

int proc_tail_open(struct proc_tail *tail, struct err *err);

/*
 * Appends what was kept as one line for people: control characters are escaped, line breaks become
 * " | ". Appends nothing when nothing was written.
 */
void proc_tail_format(const struct proc_tail *tail, struct strbuf *out);

/*
 * Reads on, and drops what comes, until nobody has the pipe open any more, so that a program left
 * running in the background does not die of writing. May take for ever. Clears the tail.
 */
void proc_tail_drain(struct proc_tail *tail);

/*
 * Waits for `pid`, a child that leads its process group, and reads what comes by `tail` (may be
 * NULL). After timeout_s (0: never) the group is killed. Fails unless the child exits with 0: with
 * ETIME when it was late, EINTR when a signal ended it, EIO otherwise. The error begins with
 * `what`; `limit` ("Key=", or NULL) stands before the seconds.
 */
int proc_wait_well(pid_t pid, const char *what, uint32_t timeout_s, const char *limit,
                   struct proc_tail *tail, struct err *err);
