/* wait.h - waiting for a program only so long. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The status of `pid`, a child that leads its process group, as waitpid tells it. After timeout_s
 * (0: never) the group is killed, and *ret_late says so.
 */
int proc_wait(pid_t pid, uint32_t timeout_s, bool *ret_late);
