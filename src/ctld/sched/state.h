/*
 * state.h - what a planner holds; for planner.c, which changes it, and ask.c, which only looks.
 */
#pragma once

#include "ctld/sched/plan.h"

/* What planner_ask or planner_look found, kept until the next question. */
struct answer {
    struct plan_decision decision; /* owns its places */
    uint32_t blockers[PLAN_BLOCKERS_MAX];
};

struct planner {
    int64_t now_ms;
    struct sched_cluster cluster;
    struct kinds *kinds;
    struct plan *plan;          /* NULL before the first rebuild */
    struct sched_job *jobs;     /* uthash by id */
    struct sched_job **waiting; /* in order of rank */
    uint32_t waiting_n, room;
    uint32_t planned_n;    /* the first ones have their places in the plan */
    uint32_t stale;        /* but those from here on have to be planned again */
    bool queue_stale;      /* what the plan knows of its partitions' queues is wrong */
    bool starts_over;      /* what running jobs hold has changed: all have to be */
    int64_t next_end_ms;   /* the first assumed end of a running job */
    int64_t next_begin_ms; /* the first --begin that a job waits for, or earlier */
    struct plan_decision *decisions;
    uint32_t decisions_n;
    struct answer *answer;
};

void answer_clear(struct answer *answer);

/* The answer about a job, from where the plan puts it. */
void answer_give(struct answer *answer, const struct plan *plan, const struct sched_job *job,
                 int64_t now_ms, struct plan_decision *ret);

/* Where the waiting job stands, or would stand. */
uint32_t planner_rank(const struct planner *planner, const struct sched_job *job);
