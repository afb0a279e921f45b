/*
 * killer.h - JOB_SIGNAL, sent from the loop and again after a connection broke, until it is
 * answered. Only the last request counts. Borrows the client.
 */
#pragma once

#include "common/client/client.h"
#include "common/msg/job.h"

struct killer;

struct killer *killer_new(struct client *client);
struct killer *killer_free(struct killer *killer);

/* Sends the request, in place of one not answered yet; step_id COUNT_UNSET is the job. */
void killer_send(struct killer *killer, const struct job_signal *request);

/* Sends an unanswered request again; to be called when the connection is up again. */
void killer_try_again(struct killer *killer);
