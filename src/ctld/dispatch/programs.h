/*
 * programs.h - runs programs of the administrator's outside the loop, one after the other.
 *
 * A program gets no descriptor of ours, /dev/null for the three usual ones, a process group and a
 * session of its own, and a limited time. How it ended is only logged when it failed.
 */
#pragma once

#include "common/base/log.h"

struct event_base;
struct programs;

struct programs *programs_new(struct event_base *base, struct log *log);

/* A program that runs goes on; those that wait are dropped. NULL is fine. */
struct programs *programs_free(struct programs *programs);

/*
 * `environment` is "NAME=value" strings ended by NULL; all is copied. `what` says in the log what
 * it is for. When PROGRAMS_MAX wait already it is dropped, which is logged.
 */
#define PROGRAMS_MAX       10000
#define PROGRAMS_TIMEOUT_S 300
void programs_run(struct programs *programs, const char *path, char *const *environment,
                  const char *what);
