/*
 * processes.h - the daemons among this host's processes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/err.h"

struct process {
    pid_t pid, parent;
    char state; /* of /proc: R, S, T, Z ... */
};

/* Lists the processes whose name is `name`, oldest first; *ret is to be freed. Returns how many. */
int processes_named(const char *name, struct process **ret);

/* Finds the process of that number; *ret is to be freed. Returns 1, or 0 where there is none. */
int process_of(pid_t pid, struct process **ret);

/* True if the program that the process runs has been replaced on the disk since; false also where
   that is unknown. */
bool process_is_replaced(pid_t pid);

/* Returns the soft limit of open files, or -1 where that is unknown. */
long process_files_max(pid_t pid);

/* Returns the soft limit of memory that may be locked, in bytes; UINT64_MAX: none, or unknown. */
uint64_t process_locked_max(pid_t pid);

/* Returns the pid that the file holds, or 0. */
pid_t pid_of_file(const char *path);
