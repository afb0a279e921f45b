/*
 * sums.h - sums of what jobs held, kept beside the history: from changes into tables.
 *
 * What a change says of a job that ended, or of a run that is over, is added to rows in memory;
 * these go to the tables within the transaction that writes the change, so that each run counts
 * once. Nothing but the records is asked, and nothing is taken away when jobs are purged.
 */
#pragma once

#include "common/msg/change.h"
#include "common/msg/job_sums.h"
#include "ctld/store/sql/sql.h"

struct sums;
int sums_new(struct sql *db, struct sums **ret, struct err *err);
struct sums *sums_free(struct sums *sums);

/* Adds what the change says, which is CHANGE_JOB or CHANGE_RUN of `job`, and has not been written
 * yet. */
int sums_add(struct sums *sums, const struct change *change, const struct job_record *job,
             struct err *err);

/* Adds a row that was made elsewhere. */
void sums_add_row(struct sums *sums, const struct job_sum *row);
/* Moves what a job or run that is in the tables has held to the wckey that it has from now on. */
int sums_move(struct sums *sums, bool is_run, const struct job_record *from,
              const struct job_record *to, struct err *err);

/* Writes what was added, and forgets it. */
int sums_write(struct sums *sums, struct err *err);

/* Forgets what was added by a transaction that was rolled back, and what that one wrote. */
void sums_forget(struct sums *sums);

/* Makes the sums of all jobs and runs that there are, in tables that are empty. */
int sums_build(struct sql *db, struct err *err);

/* ---- reading (sums_read.c) ---- */

/* Reads sums of who held what, with what jobs that run have held until `now`. The caller clears and
 * frees the array. */
int sums_read(struct sql *db, const struct sums_list *list, int64_t now, struct sum_info **ret,
              uint32_t *ret_n, struct err *err);
