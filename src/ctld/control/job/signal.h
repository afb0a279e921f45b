/* signal.h - scancel and its like: signalling and ending jobs and steps. */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/alter.h"
#include "ctld/model/model.h"

int control_signal(struct act *act, const struct job_signal *request, struct err *err);
int control_release(struct act *act, const struct job_release *request, struct err *err);

void job_order_signal(const struct job *job, uint32_t signal, uint32_t flags, struct turn *turn);

/* Tells one node, once more, whether the job is suspended. */
void job_repeat_suspend(const struct job *job, int64_t position, struct turn *turn);
