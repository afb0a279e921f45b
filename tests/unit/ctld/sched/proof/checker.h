/*
 * checker.h - whether claims are what planner.h promises.
 *
 * Simple arithmetic of its own, from the words of planner.h only: nothing here is the planner's
 * code. Where a claim is wrong, `problem` says how, and false is returned.
 */
#pragma once

#include "common/base/strbuf.h"
#include "unit/ctld/sched/proof/claim.h"

/* One place: its node may be used, and what it holds there is what the job asks of a node. */
bool checker_place(const struct plan_snapshot *snapshot, const struct claim *claim,
                   const struct plan_place *place, struct strbuf *problem);

/* The places together: their number, tasks, features, neighbourhood. */
bool checker_set(const struct plan_snapshot *snapshot, const struct claim *claim,
                 struct strbuf *problem);

/* Memory that the place has to have, given its cpus. */
uint64_t checker_memory_due(const struct plan_snapshot *snapshot, const struct claim *claim,
                            const struct plan_place *place);

/* The whole job: its partition, each place, the set of them, and its time. */
bool checker_job(const struct plan_snapshot *snapshot, const struct claim *claim,
                 struct strbuf *problem);

/* Nothing on nodes and of pools goes to two claims at one moment, save where that is asked. */
bool checker_shared(const struct plan_snapshot *snapshot, const struct claims *claims,
                    struct strbuf *problem);

/* Whether this claim agrees with those before it: the part of checker_shared that concerns it. */
bool checker_beside(const struct plan_snapshot *snapshot, const struct claims *claims,
                    const struct claim *claim, struct strbuf *problem);

/* No pool of these sorts gives more at the moment than it has. */
enum { CHECK_SHARED = 1, CHECK_PRIVATE = 2 };
bool checker_pools(const struct plan_snapshot *snapshot, const struct claims *claims,
                   uint32_t sorts, int64_t at, struct strbuf *problem);

/* How many jobs the cpus that this one gets may be given to; 1: only to it. */
uint32_t checker_jobs_per_cpu(const struct plan_snapshot *snapshot, const struct claim *claim);

/* Adds what is wrong and is false. */
bool wrong(struct strbuf *problem, const char *fmt, ...) PRINTF_LIKE(2, 3);
