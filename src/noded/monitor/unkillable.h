/*
 * unkillable.h - steps that were told to end and do not: somebody has to look at the node.
 *
 * UnkillableStepTimeout after the KILL, a step that still lives is told once, and
 * UnkillableStepProgram is run. Runs on the monitor's loop; another monitor begins anew with the
 * controller's next order to end the job.
 */
#pragma once

#include "common/base/log.h"
#include "noded/monitor/held.h"

struct event_base;
struct unkillable;

struct unkillable_options {
    uint32_t timeout_s;
    const char *program; /* NULL: none */
    const char *node, *conf_path;
    struct log *log;
};

/* Called when `step_id` of the job is still alive. */
typedef void unkillable_fn(void *ctx, uint32_t job_id, uint32_t step_id);

/* Makes the watch; arguments but for `options` are borrowed, `spool_fd` too. */
struct unkillable *unkillable_new(struct event_base *base, int spool_fd,
                                  const struct held_table *held,
                                  const struct unkillable_options *options, unkillable_fn *on_found,
                                  void *ctx);
struct unkillable *unkillable_free(struct unkillable *unkillable); /* NULL is fine */

/* Watches a step to which an order to end was passed on: KILL follows in kill_wait_s. COUNT_UNSET:
 * all steps of the job. */
void unkillable_watch(struct unkillable *unkillable, uint32_t job_id, uint32_t step_id,
                      uint32_t kill_wait_s);
