/*
 * watch.h - clients that follow a job or a step: the open streams of JOB_ALLOCATE and STEP_RUN.
 */
#pragma once

#include "ctld/dispatch/conn.h"
#include "ctld/control/act/turn.h"

/* Answers this request with events of the job (step COUNT_UNSET) or the step from now on. */
void watch_add(struct request *request, uint32_t job_id, uint32_t step_id);

/*
 * Sends an event to the step's followers, or else the job's. `last` ends the streams of exactly it.
 */
void watch_send(struct ctld *ctld, const struct effect *event);

/* Tells control which jobs and steps lost their client with the connection that is gone. */
void watch_drop_conn(struct ctld *ctld, const struct conn *conn, bool closed);
