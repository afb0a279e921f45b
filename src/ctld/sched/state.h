/*
 * state.h - what a planner holds; shared by planner.c, change.c, pass.c and ask.c.
 */
#pragma once

#include "ctld/sched/keeper.h"
#include "ctld/sched/limits.h"
#include "ctld/sched/plan.h"
#include "ctld/sched/queue.h"

/* What planner_ask or planner_look found, kept until the next question. */
struct answer {
    struct plan_decision decision; /* owns its places */
    uint64_t blockers[PLAN_BLOCKERS_MAX];
};

struct planner {
    int64_t now_ms;
    struct sched_cluster cluster;
    struct kinds *kinds;
    struct plan *plan;      /* NULL before the first rebuild */
    struct sched_job *jobs; /* uthash by id */
    struct sched_job **running;
    uint32_t running_n;
    struct queue queue;
    struct limits limits;
    uint32_t planned_n; /* the first ones by rank have their places in the plan */
    uint32_t tried_n;   /* and so many by turn had theirs, when they were put off */
    bool queue_stale;   /* what is known of those in front of a job is wrong */
    bool passing;       /* a pass has begun and is not done */
    struct keeper keeper;
    uint32_t kept_n; /* a few jobs that keep their places are one unit of work */

    int64_t next_end_ms;  /* no assumed end of a running job is earlier */
    int64_t next_wait_ms; /* nothing that a waiting job waits for by time alone comes earlier */
    struct plan_decision *decisions;
    uint32_t decisions_n;
    struct answer *answer;
};

/* ---- changes (change.c) ---- */

struct sched_job *planner_find(const struct planner *planner, uint64_t id);
void planner_add(struct planner *planner, const struct plan_job *from);

/* Takes the plans of the jobs from this rank on back; they are made again by the next pass, and
 * those that were put off are tried again. */
void planner_lift(struct planner *planner, uint32_t rank);

/* The job is one of those that run, and claims its places. */
void planner_run(struct planner *planner, struct sched_job *job);

/* ---- a pass over the queue (pass.c) ---- */

/* What time alone has changed, and what was marked, is planned again by pass_next. */
void pass_begin(struct planner *planner);
bool pass_is_done(const struct planner *planner);

/* One more job; false: the units were spent in the middle of it. */
bool pass_next(struct planner *planner, uint32_t *units);

/* ---- answers (ask.c) ---- */

void answer_clear(struct answer *answer);
