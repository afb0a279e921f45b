/*
 * state.h - what a planner holds; shared by planner.c, change.c, wake.c, pass.c, round.c and
 * ask.c.
 */
#pragma once

#include "ctld/sched/plan/attempt.h"
#include "ctld/sched/plan/keeper.h"
#include "ctld/sched/plan/limits.h"
#include "ctld/sched/plan/plan.h"
#include "ctld/sched/plan/queue.h"
#include "ctld/sched/plan/roster.h"
#include "ctld/sched/plan/turns.h"

/* What is told about a job, kept until the next is. */
struct answer {
    struct plan_decision decision; /* owns its places */
    uint64_t blockers[PLAN_BLOCKERS_MAX];
};

/*
 * A question: where a job would go. The pass pauses for it where only those of higher rank are in
 * the plan. To get there the others are parked (pass.c): taken back, and put back as they were if
 * nothing changes meanwhile.
 */
struct question {
    struct sched_job *job; /* that it is about; NULL: there is none */
    int64_t now_ms;        /* of the search under way */
    uint64_t patience;     /* so much work is waited for, until those before it are planned */
    bool begun;            /* it had its turn: it is answered as soon as it has it again */
    bool answered;
    struct answer answer;
};

struct planner {
    int64_t now_ms;
    struct sched_cluster cluster;
    struct kinds *kinds;
    struct pools *pools;
    struct plan *plan; /* NULL before the first rebuild */
    struct roster jobs;
    struct sched_job **running;
    uint32_t running_n;
    struct queue queue;
    struct limits limits;
    struct queue in_line; /* where some are put off: those that are not */
    struct turns turns;
    uint32_t planned_n;           /* the first ones by rank have their places in the plan */
    uint32_t lift_to;             /* but from this rank on they are still to be taken back */
    uint32_t lifted_n;            /* taken back so far, this time */
    uint32_t unsettled_n;         /* behind the planned ones, jobs that are not put off */
    bool scans_all;               /* a job that was put off may have come of age */
    bool scanning;                /* jobs were planned since the last ones were taken back */
    uint64_t held_counted;        /* of pools->held_n when those in line were counted last */
    bool queue_stale;             /* what is known of those in front of a job is wrong */
    bool passing;                 /* a pass has begun and is not done */
    bool round_begun, round_done; /* of those that were put off, by turn */
    bool doubts_all;              /* what is known of those may be wrong */
    struct keeper keeper;
    uint32_t cheap_n; /* a few things that cost little are one unit of work */

    int64_t next_end_ms;  /* no assumed end of a running job is earlier */
    int64_t next_wait_ms; /* nothing that a waiting job waits for by time alone comes earlier */
    int64_t next_age_ms;  /* nor does an untried one come of age for a place */
    int64_t next_fall_ms; /* nor is a ramp enough for one that the last round left out */
    struct plan_decision *decisions;
    uint32_t decisions_n;
    struct answer *answer; /* of planner_look */
    struct question question;
    uint64_t parking;    /* the number of the last one; 0: something has changed since it began */
    uint64_t parkings_n; /* numbers given so far */
};

/* ---- changes (change.c) ---- */

struct sched_job *planner_find(const struct planner *planner, uint64_t id);
/* To a planner that has no jobs. */
void planner_add_all(struct planner *planner, const struct plan_job *jobs, uint32_t n);

/* Pools that a new job makes scarce are watched; those that have claims on it are known. */
void planner_watch_pools(struct planner *planner);

/* A running job's end is another one. */
void planner_extend(struct planner *planner, struct sched_job *job);

/* The plans of the jobs from this rank on are to be taken back, and made again by the next pass. */
void planner_lift(struct planner *planner, uint32_t rank);

/* It waits no more. */
void planner_leave_queue(struct planner *planner, struct sched_job *job);

/* How many jobs that are not put off come before this rank; only where some are. */
uint32_t planner_in_line_n(const struct planner *planner, uint32_t rank);

/* It has no place in the future to wait for, or may have one. */
void planner_put_off(struct planner *planner, struct sched_job *job, bool put_off);

/* The job is one of those that run, and claims its places. */
void planner_run(struct planner *planner, struct sched_job *job);

/* ---- what time alone changes (wake.c) ---- */

/* What it has changed by now is marked to be planned again. */
void wake_by_time(struct planner *planner);

/* Notes when the job, which waits, is to be looked at again; `in_sight_ms` at the latest. */
void wake_note(struct planner *planner, struct sched_job *job, int64_t in_sight_ms);

/* ---- a pass over the queue (pass.c) ---- */

/* What time alone has changed, and what was marked, is planned again by pass_next. */
void pass_begin(struct planner *planner);
bool pass_is_done(const struct planner *planner);

/* A little more; false: the units were spent in the middle of it. */
bool pass_next(struct planner *planner, uint32_t *units);

/* Those before this rank are planned as they will be. */
uint32_t pass_settled_n(const struct planner *planner);

/* What the planned jobs before this rank mean for those behind them. */
void pass_count_lines(const struct planner *planner, uint32_t rank);

/* One of many things that cost little. */
void pass_spend_little(struct planner *planner, uint32_t *units);

/* Whether jobs wait for their places, by rank. */
bool pass_is_by_rank(const struct planner *planner);

/* A little more for the question alone, which is open; false: as above. */
bool pass_next_question(struct planner *planner, uint32_t *units);

/* What comes of the job; false: the units were not enough. And then it is so. */
bool pass_try(struct planner *planner, struct sched_job *job, uint32_t *units,
              struct plan_outcome *ret);
void pass_settle(struct planner *planner, struct sched_job *job,
                 const struct plan_outcome *outcome);

/* ---- a round of those that were put off (round.c) ---- */

/* One more of them, as pass_next; planner->round_done tells when there are none. */
bool round_next(struct planner *planner, uint32_t *units);

/* ---- questions and answers (ask.c) ---- */

void answer_clear(struct answer *answer);

bool question_is_open(const struct planner *planner);

/* The pass pauses for it now. */
bool question_is_due(const struct planner *planner);

/* It waits for nothing: what it needs out of the way goes at once. */
bool question_hurries(const struct planner *planner);

/* A little more for a question that is due; false: the units were spent in the middle of it. */
bool question_next(struct planner *planner, uint32_t *units);

/* So much was done while it waited for its turn. */
void question_wait(struct planner *planner, uint32_t units);
