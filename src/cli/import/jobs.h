/*
 * jobs.h - rows of jobs, steps and events of a slurmdbd's database as the records of our history.
 */
#pragma once

#include "cli/import/foreign.h"
#include "cli/import/plan.h"
#include "common/msg/cluster_event.h"
#include "common/msg/job.h"

/* What becomes of a row of jobs. */
enum job_fate {
    JOB_COMES,
    JOB_COMES_AS_RUN, /* an earlier run of a job that has another row */
    JOB_IS_ALIVE,     /* it was not over */
    JOB_IS_DELETED,
    JOB_IS_NONE, /* it has no number, or ended before it was submitted */
};

/* Tells whether a row of jobs comes. */
enum job_fate job_fate_of(const struct survey *survey, struct foreign_row *row);

/* Fills the record and the body of a job or run; both are empty before. Names of script and
 * environment are not set. One without an end runs, or waits if it has no start either. */
void job_convert(const struct foreign *foreign, struct foreign_row *row, struct plan *plan,
                 struct job_record *ret, struct job_body *ret_body);

/* Fills the record of a step of this job, which is empty before. */
void step_convert(const struct foreign *foreign, struct foreign_row *row,
                  const struct job_record *job, struct step_record *ret);

/* Fills the record of an event, which is empty before. */
void event_convert(const struct foreign *foreign, struct foreign_row *row,
                   struct cluster_event *ret);
