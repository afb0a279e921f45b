/*
 * here.h - the cluster that jobs come to: what of them is here, and their submission in the name of
 * their owners.
 *
 * Runs as root. A job is submitted by a process that has become its owner for good, so that the
 * controller judges it as a job of that user.
 */
#pragma once

#include "cli/import/queue/units.h"
#include "cli/lib/command.h"

struct login; /* what a login shell of a user has */

struct here {
    struct command command;
    struct login *logins;
    uint32_t logins_n;
};

void here_init(struct here *here);
int here_open(struct here *here, struct err *err);
void here_clear(struct here *here);

/*
 * Finds the units that are here, among jobs that are known and those that ended since the queue was
 * saved, and gives them state and number.
 */
int here_find(struct here *here, struct units *units, struct err *err);

/* Tells whether the controller would take the job as it is. */
int here_try(struct here *here, const struct unit *unit, struct err *err);

/* Submits the unit, held, with its origin. A job that was submitted so before is the same job. */
int here_submit(struct here *here, struct unit *unit, struct err *err);

/* Gives the unit what only an operator may give, and the hold that it had, in one change. */
int here_finish(struct here *here, struct unit *unit, struct err *err);
int here_cancel(struct here *here, const struct unit *unit, struct err *err);
