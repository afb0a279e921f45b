/*
 * used.h - limits in minutes that jobs have used: GrpTRESMins and GrpWall.
 *
 * Usage is that of ctld/control/acct/usage.h. A limit that is reached is a closed gate: no job
 * starts before decay has made room, and jobs that run are ended. With
 * AccountingStorageEnforce=safe it is a pool instead, of which each job takes all of its time limit
 * when it starts, so that none need be ended.
 */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/control/limit/standing.h"

struct plan_pool;

/* Returns whether the limit is one of these, for all jobs of a group together. */
bool limit_is_of_use(const struct limit *limit);

/* Returns whether the planner is told of the limit as usage is: one of these, or UsageThreshold,
 * which is a closed gate while the share of the association is below it. */
bool limit_hangs_on_use(const struct limit *limit);

/* Sets kind, and total or moment, as usage is now. */
void limit_fill_used(struct control *control, struct moment now, const struct limit *limit,
                     struct plan_pool *ret);

/* Returns when more than so many seconds (of TRES) of the limit are left, if nothing else is used:
 * cluster time, now if that is so; INT64_MAX: never. */
int64_t limit_leaves_ms(struct control *control, struct moment now, const struct limit *limit,
                        double seconds);

/* Returns when jobs that run will have used up the limit: cluster time; INT64_MAX: never. */
int64_t limit_reached_ms(struct control *control, struct moment now, const struct limit *limit);

/* Returns the first limit on the jobs of the record that jobs which run will have used up by the
 * moment `by_ms`, if they go on up to their time limits and none begins; *ret_ms is when. NULL:
 * none will be. */
const struct limit *limit_running_out(struct control *control, struct moment now,
                                      const struct job_record *rec, const struct partition *part,
                                      int64_t by_ms, int64_t *ret_ms);

/* Returns the limit that the running job has used up with others, for which it is to end; NULL: it
 * goes on. */
const struct limit *limit_used_up(struct control *control, struct moment now,
                                  const struct job *job);

/* Fails with E_USAGE_THRESHOLD if the QOS wants more of a share than the job's association has. */
int limit_check_share(struct control *control, struct moment now, const struct job_record *rec,
                      const struct partition *part, struct err *err);
