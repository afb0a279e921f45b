/*
 * cancel_all.h - ending every job of a cluster that goes down.
 */
#pragma once

#include "common/client/client.h"
#include "common/msg/job.h"

/*
 * Cancels the jobs that are not over, or with `keep_waiting` those that run, and waits for the
 * answers, not for the jobs' ends. That one job cannot be cancelled is no failure: it may just
 * have ended.
 */
int cancel_all(struct client *client, bool keep_waiting, struct err *err);

/* What asks for the jobs that are not over yet, with their nodes cleaned; init'ed here. */
void cancel_all_list(struct job_list *ret_list);
