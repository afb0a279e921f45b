/*
 * job_spans.h - when a job ran, and when it waited, by what its record says. Pure.
 */
#pragma once

#include "common/msg/job.h"

/* Time from one moment until another one. */
struct span {
    int64_t from, until;
};

/* Returns how many seconds of a span lie between two moments. */
int64_t span_within(const struct span *span, int64_t from, int64_t until);

struct step_record;

/* Refuse a record of another place, or of a file, that no controller has written: of a state or
 * reason that there is not, of more cpus than a product with seconds may have, of times that no
 * clock has shown. Whoever sums by the hour would go through all that lies between them. */
int step_check_record(const struct step_record *step, struct err *err);
int job_check_record(const struct job_record *job, struct err *err);

/* Returns when the job ended, or `now` while it goes on. */
int64_t job_until(const struct job_record *job, int64_t now);

#define JOB_SPANS_MAX 2

/*
 * Tells when the job ran, of a job that goes on as of `now`; in order. Returns how many spans there
 * are; none is empty. The record knows how long the job had run when it was suspended last, and
 * since when it runs again: of several suspensions the last one stands where it was, the earlier
 * ones are taken to follow what ran before.
 */
uint32_t job_spans(const struct job_record *job, int64_t now, struct span ret[JOB_SPANS_MAX]);

/* Returns the seconds that the job ran. */
int64_t job_run_time(const struct job_record *job, int64_t now);

/* Tells when the job could have started but for want of resources. Returns false: there was no such
 * time. */
bool job_wait_span(const struct job_record *job, int64_t now, struct span *ret);

/* Returns of how many tasks of an array the record tells; 1 for any other job. */
uint32_t job_tasks_n(const struct job_record *job);
