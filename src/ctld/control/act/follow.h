/* follow.h - what those who follow a job or a step are told. */
#pragma once

#include "common/msg/alter.h"
#include "common/msg/job.h"
#include "common/msg/step.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"

/* Writes a line for who sits before a salloc or srun. */
int control_notify(struct act *act, const struct job_notify *request, struct err *err);

void job_set_reason(struct job *job, uint32_t reason, const char *text);

/* Tells the clients of a job that does not start at once that it waits; only once. */
void job_tell_queued(struct job *job, struct turn *turn);

/* Tells an event to who follows the job, if anybody does; event->job is filled here. */
void job_tell_event(struct job *job, struct job_event *event, bool last, struct turn *turn);
void job_tell(struct job *job, uint32_t kind, const char *text, bool last, struct turn *turn);

/* The stream of a step's events: its own, or the job's for the step of an srun job. */
uint32_t step_stream(const struct step *step);
void step_tell(struct step *step, struct step_event *event, bool last, struct turn *turn);
