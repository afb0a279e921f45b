/*
 * programs.h - runs programs of the administrator's outside the loop, some at a time.
 *
 * A program gets no descriptor of ours, /dev/null for the three usual ones, a process group and a
 * session of its own, and a limited time. How it ended is logged when it failed, and told to who
 * asks for it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/log.h"

struct event_base;
struct programs;

/* Called when a run has ended. `code` is 0: it went well; else an errno: ETIME its time was over,
 * EINTR a signal killed it, EIO it ended with another status, or why it could not be started. */
typedef void programs_over_fn(void *ctx, int code);

/* What to run, and whom to tell of the end. Its texts are copied, `ctx` is taken over. */
struct program_run {
    char *const *paths;       /* one after the other until one fails; ended by NULL */
    char *const *arguments;   /* of each, behind its path; ended by NULL; NULL: none */
    char *const *environment; /* "NAME=value", ended by NULL */
    const char *what;         /* what it is for, in the log */
    uint32_t timeout_s;       /* for each; 0: none */
    uint64_t turn;            /* not before this one is committed */
    bool alone;               /* not beside another such run, and in order */
    bool tied;                /* ends with this process, with all that it has started */
    bool as_other;            /* as that user, with its groups; takes root, not with `tied`: */
    uint32_t uid;
    programs_over_fn *on_over; /* NULL: nobody asks */
    void *ctx;                 /* from the heap, freed after on_over or without it; may be NULL */
};

#define PROGRAMS_MAX     10000 /* runs; more are dropped when nobody asks, which is logged */
#define PROGRAMS_AT_ONCE 64

struct programs *programs_new(struct event_base *base, struct log *log);

/* Drops programs that wait. Others run on, tied ones until this process ends. NULL is fine. */
struct programs *programs_free(struct programs *programs);

/* Runs a program; on_over is called from the loop, never from here. The turn of a run is never
 * lower than that of the one before. */
void programs_run(struct programs *programs, const struct program_run *run);

/* Starts the runs that waited for turns up to this one to be on disk. */
void programs_release(struct programs *programs, uint64_t committed);
