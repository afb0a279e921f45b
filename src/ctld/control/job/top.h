/* top.h - scontrol top: going before one's other jobs. */
#pragma once

#include "common/msg/alter.h"
#include "ctld/control/act/act.h"

/* Puts jobs first among their owner's. Fails when none is named; what is refused to some of several
 * is in the answer. */
int control_top(struct act *act, const struct job_top *request, struct job_altered *ret,
                struct err *err);
