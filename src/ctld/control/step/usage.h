/* usage.h - what a step used, gathered from the reports of its nodes. Pure. */
#pragma once

#include "common/msg/step.h"

/* Adds what the node at `position` of the step's list tells. A report without usage adds nothing.
 */
void step_add_usage(struct step_record *step, uint32_t position, const struct step_report *report);
