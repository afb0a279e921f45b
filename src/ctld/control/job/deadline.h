/* deadline.h - --deadline: jobs that must be over by a moment, or do not start. */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Checks --deadline of a request, before defaults are filled in. E_TIME_LIMIT, E_TIME_MIN. */
int deadline_accept(struct moment now, struct job_spec *spec, struct err *err);

/* The time limit of a job that starts at `now_s` and would have `limit_s` (below 0: none): less
 * where the deadline wants it. */
int64_t deadline_cut(const struct job_spec *spec, int64_t limit_s, int64_t now_s);

/* Wakes the controller when deadline_end would end the job. */
void deadline_watch(struct act *act, const struct job *job);

/* Ends a waiting job that could not end in time any more; true: it did. */
bool deadline_end(struct act *act, struct job *job);
