/*
 * watch.h - clients that follow a job or a step: the open streams of JOB_ALLOCATE and STEP_RUN.
 */
#pragma once

#include "ctld/dispatch/conn.h"
#include "ctld/control/act/turn.h"

/* From now on, events of the job (step COUNT_UNSET) or the step answer this request. */
void watch_add(struct request *request, uint32_t job_id, uint32_t step_id);

/* Sends an event to who follows the step, or else the job. `last` ends the streams of exactly it.
 */
void watch_send(struct ctld *ctld, const struct effect *event);

/* The connection is gone: control is told which jobs and steps lost their client. */
void watch_drop_conn(struct ctld *ctld, const struct conn *conn, bool closed);
