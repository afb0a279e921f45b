/*
 * take.h - the jobs of a saved queue become jobs here, each once (docs/adr/0018-queue.md).
 *
 * All are submitted, held, before the first is released, so that what a job waits for is here and
 * cannot be over yet. Where the other cluster can be reached, a job is released when that has let
 * its own go, which it was held to.
 */
#pragma once

#include "cli/import/queue/here.h"
#include "cli/import/queue/old.h"

struct taking {
    struct here *here;
    const struct old *old; /* NULL: the other cluster is gone */
    struct units *units;
    struct log *log;
    uint32_t failures_n; /* of jobs that could come and did not; each is told */
};

/* Finds out what would come of each unit, without changing anything. */
int take_plan(struct taking *taking, struct err *err);
int take_all(struct taking *taking, struct err *err);

/* Prints a line for each unit. `is_done`: it has come, else it would. */
void take_print(const struct taking *taking, bool is_done);
