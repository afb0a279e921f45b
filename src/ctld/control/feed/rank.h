/*
 * rank.h - the priorities of jobs, given when they come and computed again as time passes.
 */
#pragma once

#include "common/msg/job.h"
#include "common/msg/priority.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"
#include "ctld/policy/priority.h"

/* Owned by the control; what it knows is rank.c's. */
struct rank;

struct rank *rank_new(void);
struct rank *rank_free(struct rank *rank);

/* The priority that a job would get now, there or not yet; 0: it is held. */
uint64_t rank_of(const struct control *control, struct moment now, const struct job_record *rec,
                 const struct job_request *request);

/* Gives a job that is accepted or released its priority; the next job comes after it. */
void rank_take(struct act *act, struct job *job);

/* Gives a job whose request has changed, from this --nice on, another priority. */
void rank_again(const struct control *control, struct moment now, struct job *job,
                int32_t nice_before);

/* Computes all priorities after a start or a new configuration, while the planner is to be rebuilt
 * anyway. */
void rank_settle(struct act *act);

/* Begins to compute all priorities again when PriorityCalcPeriod is over. */
void rank_tick(struct act *act);

/* Goes on to compute priorities again, for at most `work` jobs; true when there is more to do. The
 * result does not depend on how it is cut. */
bool rank_step(struct act *act, uint32_t work);

/*
 * What the job's priority is made of in the i-th partition that it waits in. False when there is
 * none, or it does not wait for its turn. *ret is to be released with priority_info_clear.
 */
bool control_priority_info(const struct control *control, struct moment now, const struct job *job,
                           uint32_t i, struct priority_info *ret);
