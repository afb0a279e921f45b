/*
 * there.h - what of the history is in the tables, asked by who brings more of it: from an archive
 * (intake.h), or from another store (merge.h).
 */
#pragma once

#include "common/msg/cluster_event.h"
#include "ctld/store/db.h"

enum there {
    THERE_NOT,
    THERE_YES,
    THERE_OTHER, /* another job has the number */
};

/* Return an enum there, or an error. */
int there_job(struct sql *db, const struct job_record *job, struct err *err);
/* Whichever job has the number. */
int there_job_number(struct sql *db, uint32_t job_id, uint32_t run, struct err *err);
int there_run(struct sql *db, uint32_t job_id, uint32_t run, struct err *err);
int there_step(struct sql *db, uint32_t job_id, uint32_t run, uint32_t step_id, struct err *err);
/* What happened, by its place. */
int there_log(struct sql *db, uint64_t turn, uint32_t n, struct err *err);
/* An event of nodes; one of which only its time is left is not there. */
int there_event(struct sql *db, const struct cluster_event *event, struct err *err);
