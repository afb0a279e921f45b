/* descent.h - the descendants of a process, from /proc: what tracks a step without cgroups. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* Appends all living (not zombie) descendants of `ancestor`, itself left out. */
void descent_pids(pid_t ancestor, pid_t **pids, uint32_t *pids_n);

/* Reads parent and state from the text of a /proc/PID/stat. Returns 0, or -EINVAL. */
int descent_parse_stat(const char *stat, pid_t *ret_parent, char *ret_state);
