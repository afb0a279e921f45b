/*
 * cancel_all.h - ending every job of a cluster that goes down.
 */
#pragma once

#include "common/client/client.h"
#include "common/msg/job.h"

/*
 * Cancels the jobs that are not over, or with `keep_waiting` those that run, and waits for the
 * answers, not for the jobs' ends. It is no failure if one job cannot be cancelled: it may just
 * have ended.
 */
int cancel_all(struct client *client, bool keep_waiting, struct err *err);

/* Initialises a request for the jobs that are not over, or whose nodes are not cleaned. */
void cancel_all_list(struct job_list *ret_list);
