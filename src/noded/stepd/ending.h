/*
 * ending.h - how a step ended on this node, in words for its log. Pure.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/step.h"

/* Appends "exit code 0" or "signal 9" of a task's wait status. */
void task_ending_format(int32_t status, struct strbuf *out);

/* Appends "exit code 0", "3 tasks: exit code 0, 1 task: signal 9, out of memory" or "failed: WHY".
 */
void step_ending_format(const struct step_report *report, struct strbuf *out);
