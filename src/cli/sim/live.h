/*
 * live.h - what the running cluster will do: its nodes and jobs, as its controller tells them, go
 * on in a simulation. Jobs are taken to run up to their limits.
 */
#pragma once

#include "cli/lib/command.h"

struct live_options {
    const char *drain; /* nodes that get no new work from now on, or NULL */
    const char *add;   /* options of a job that is submitted now, or NULL */
    const char *time;  /* how far to look, or NULL: until nothing more happens */
};

/* Prints when each waiting job starts, as things are and with the change. Returns a status. */
int live_run(const struct live_options *options, struct log *log);
