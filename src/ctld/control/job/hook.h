/*
 * hook.h - Prolog and Epilog of jobs on their nodes: ordering them, and what follows from their
 * end.
 *
 * A node says when it registers whether it has such programs; only then is anything ordered.
 */
#pragma once

#include "common/msg/hook.h"
#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Orders the Prolog on a node before the job's first step there, and notes the job. More calls than
 * needed are fine. */
void hook_order_prolog(struct act *act, struct job *job, uint32_t position);

/* PrologFlags=Alloc: orders the Prolog on all nodes, as the job starts. */
void hook_order_prologs(struct act *act, struct job *job);

/* Orders the Prolog again on a node that has registered, unless it has told the end. */
void hook_repeat_prolog(struct act *act, struct job *job, uint32_t position);

/* Orders the Epilog; goes before the order to end the job there. `launch_number` is that of the run
 * which leaves the node; of a place that the job has no more only the name counts. */
void hook_order_epilog(struct act *act, const struct job *job, const struct job_node *place,
                       uint32_t launch_number);

/* Lets a node on which the job is clean forget how its programs ended. */
void hook_forget(struct act *act, const struct job *job, const struct job_node *place);

void control_hook_report(struct act *act, const char *node, const struct hook_report *report);
