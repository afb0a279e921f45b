/* feed.h - telling the planner what changes. */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* Has the planner told everything anew if the wall clock was set: times of day lie elsewhere. */
void feed_watch_clock(struct act *act);

void feed_apply(struct act *act, const struct plan_change *change);
void feed_job_waits(struct act *act, struct job *job);
void feed_job_started(struct act *act, struct job *job);
void feed_job_gone(struct act *act, struct job *job);

/* Tells the planner that a running job ends at another time. */
void feed_job_end(struct act *act, const struct job *job);

/* Tells the planner that a running job holds something else than before, on the same nodes. */
void feed_job_holds(struct act *act, const struct job *job);

/* Tells the planner of tasks that may start since one has ended, or the array's limit has risen. */
void feed_array(struct act *act, struct array *array);
void feed_priorities(struct act *act, const struct plan_priority *priorities, uint32_t n);
/* Tells the planner what jobs have used of limits in minutes; to be called when time has passed,
 * and after jobs have begun or ended. */
void feed_use(struct act *act);
/* A pool of control->beside has another total or moment. */
void feed_pool(struct act *act, uint32_t number, const struct plan_pool *pool);
void feed_node_freed(struct act *act, const struct job *job, uint32_t node);

bool job_is_eligible(const struct job *job);

/* Returns the number of the first pool in which limits of associations and QOS are counted. */
uint32_t feed_first_limit(const struct control *control);

/* A waiting job as the planner wants it, which is told of pools that it may claim of; clear it with
 * feed_clear_plan_job. */
void feed_fill_waiting(const struct control *control, struct moment now,
                       const struct job_record *rec, const struct job_request *request,
                       uint32_t partition, struct plan_job *plan);
/* A job that holds nodes as the planner wants it; clear it with feed_clear_plan_job. */
void feed_fill_running(const struct control *control, struct moment now, const struct job *job,
                       struct plan_job *plan);

/* Tells the planner of at most so many tasks of an array's eligible record; returns how many. */
uint32_t feed_tasks(struct act *act, struct job *job, uint32_t most);

/* True if the job runs, or has ended and its nodes are not all clean. */
bool job_holds_nodes(const struct job *job);
