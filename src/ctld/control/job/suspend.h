/* suspend.h - scontrol suspend and resume. */
#pragma once

#include "common/msg/alter.h"
#include "ctld/control/act/act.h"

/* Suspends or resumes jobs. Fails when none is named; what is refused to some of several is in the
 * answer. */
int control_suspend(struct act *act, const struct job_suspend *request, struct job_altered *ret,
                    struct err *err);
