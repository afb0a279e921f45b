/*
 * history.h - jobs with their steps, and events, from a slurmdbd's database to the controller, a
 * page at a time; and sums of the time before jobs.
 *
 * Rows of jobs and of steps are read side by side, both in the order of job_db_inx. What the
 * controller has already is passed over, so that an import that was cut goes on where it was.
 */
#pragma once

#include "cli/import/foreign.h"
#include "cli/import/plan.h"
#include "common/client/client.h"

struct history {
    struct survey *survey;
    const struct foreign *foreign;
    struct plan *plan;
    struct client *client; /* of the controller; NULL: rows are read, and that is all */
    const char *cluster;   /* whose it is where a slurmdbd takes it; NULL: the controller's own */
    uint64_t number;       /* of the import; 0: nothing is sent, this is a plan */
    uint64_t open_n;       /* jobs without an end that have come, or were there and have none yet */
    void (*tell)(enum foreign_table table, uint64_t rows, void *ctx); /* how far it is */
    void *tell_ctx;
};

/* Asks the controller for the number of an import. */
int history_begin(struct history *history, struct err *err);

/* Sends all that comes, or counts what would. */
int history_run(struct history *history, struct err *err);

/* ---- events.c ---- */
int history_events(struct history *history, struct err *err);

/* ---- sums.c ---- */
int history_sums(struct history *history, struct err *err);
