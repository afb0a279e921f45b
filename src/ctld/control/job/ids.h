/* ids.h - the numbers of jobs. */
#pragma once

#include "common/msg/job.h"
#include "common/msg/node.h"
#include "ctld/control/act/act.h"

/*
 * Fails unless there is an id for a new job. Ids rise up to MaxJobId and begin again at FirstJobId;
 * no two jobs that are known have the same. Enough are kept back for the tasks of arrays that have
 * none yet; `wanted` is how many the new job will need.
 */
int job_check_ids(const struct control *control, uint32_t wanted, struct err *err);
void job_give_id(struct act *act, struct job_record *rec);

/* Lets ids go on behind those of jobs that a node holds and nobody here knows: the state that knew
 * them is lost. */
void job_learn_ids(struct act *act, const struct node_register *reg);

/* Lets ids go on above this one, which a job of the history has, whose last run has this launch
 * number. Above MaxJobId, and when ids have begun again, they stay: then jobs from here on are of
 * another round than that one, so that the history keeps both when they get the same id. */
void job_learn_id(struct act *act, uint32_t id, uint32_t launch_number);

/* The last one that is given. */
uint32_t job_last_id(const struct control *control);

/* The id that the next job will get; 0: all are in use. */
uint32_t job_next_id(const struct control *control);
