/*
 * requeue.h - a job runs once more: on request, for its exit code, or since a node could not start
 * it.
 */
#pragma once

#include "common/msg/alter.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Requeues jobs. Fails when none is named; what is refused to some of several is in the answer. */
int control_requeue(struct act *act, const struct job_rerun *request, struct job_altered *ret,
                    struct err *err);

/* Requeues a job whose script has ended with a code for which it is to run again; true: it did. */
bool job_requeue_for_exit(struct act *act, struct job *job);

/* Lets a job wait again that a node could not start, held for somebody to look at it. Where it may
 * not be requeued, it is over. */
void job_launch_failed(struct act *act, struct job *job, const char *why);
