/* files.h - the one-line files of a cgroup directory. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/strbuf.h"

/* Writes `text` to DIR/NAME in one write. Returns 0 or -errno. */
int cgroup_file_write(const char *dir, const char *name, const char *text);

/* Appends the whole file, at most 1 MiB. Returns 0 or -errno. */
int cgroup_file_read(const char *dir, const char *name, struct strbuf *text);

/* Returns the number behind `key` in a file of "key number" lines, or the first number for NULL;
 * else 0. */
uint64_t cgroup_file_number(const char *dir, const char *name, const char *key);

/* Appends the pids in DIR/cgroup.procs and in the directories below it. */
void cgroup_files_pids(const char *dir, pid_t **pids, uint32_t *pids_n);

/* Removes DIR and the directories below it; a missing one is fine. Returns 0 or -errno. */
int cgroup_files_remove(const char *dir);

bool cgroup_file_exists(const char *dir, const char *name);
