/* update.h - scontrol update of a step. */
#pragma once

#include "common/msg/alter.h"
#include "ctld/control/act/act.h"

/*
 * New time limits for steps that are not over, by their owner or an operator. Fails as jobs_named
 * does, and with E_JOB_ID when there is no such step.
 */
int control_step_update(struct act *act, const struct step_update *request, struct err *err);
