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

/* What is told about a job, kept until the next answer. */
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
    struct sched_job *job; /* the job it is about; NULL: there is none */
    int64_t now_ms;        /* of the search under way */
    uint64_t patience;     /* units to wait for until those before it are planned */
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
    struct queue in_line; /* the jobs that are not put off, where some are */
    struct turns turns;
    uint32_t planned_n;           /* the first ones by rank have their places in the plan */
    uint32_t lift_to;             /* from this rank on plans are still to be taken back */
    uint32_t lifted_n;            /* taken back so far, this time */
    uint32_t unsettled_n;         /* behind the planned ones, jobs that are not put off */
    bool scans_all;               /* a job that was put off may have come of age */
    bool scanning;                /* jobs were planned since the last ones were taken back */
    uint64_t held_counted;        /* of pools->held_n when those in line were counted last */
    uint32_t narrowed_n;          /* how many waiting jobs were narrowed (job.h) */
    bool retries_narrowed;        /* a start has taken nodes: such jobs are to be tried again */
    bool queue_stale;             /* what is known of those in front of a job is wrong */
    bool passing;                 /* a pass has begun and is not done */
    bool round_begun, round_done; /* the round of those that were put off, by turn */
    bool doubts_all;              /* what is known of jobs that were put off may be wrong */
    struct keeper keeper;
    uint32_t cheap_n; /* a few things that cost little are one unit of work */

    int64_t next_end_ms;  /* no assumed end of a running job is earlier */
    int64_t next_wait_ms; /* nothing that a waiting job waits for by time alone comes earlier */
    int64_t next_age_ms;  /* no untried job comes of age for a place earlier */
    int64_t next_fall_ms; /* no ramp has enough earlier for one that the last round left out */
    struct plan_decision *decisions;
    uint32_t decisions_n;
    struct answer *answer; /* of planner_look */
    struct question question;
    uint64_t parking;    /* the number of the last one; 0: something has changed since it began */
    uint64_t parkings_n; /* numbers given so far */
};

/* ---- changes (change.c) ---- */

struct sched_job *planner_find(const struct planner *planner, uint64_t id);
/* Returns whether the planner knows the partition that the job would rather go to. */
bool planner_has_partition(const struct planner *planner, const struct plan_job *from);
/* Adds jobs to a planner that has none. */
void planner_add_all(struct planner *planner, const struct plan_job *jobs, uint32_t n);

/* Watches pools that a new job makes scarce, and takes from them what jobs claim. */
void planner_watch_pools(struct planner *planner);

/* Moves the end of a running job. */
void planner_extend(struct planner *planner, struct sched_job *job);

/* Marks the plans of the jobs from this rank on to be taken back, and made again by the next
 * pass. */
void planner_lift(struct planner *planner, uint32_t rank);

/* Takes out of the queue a job that waits no more. */
void planner_leave_queue(struct planner *planner, struct sched_job *job);

/* Returns how many jobs that are not put off come before this rank. Only where some are put off. */
uint32_t planner_in_line_n(const struct planner *planner, uint32_t rank);

/* Puts the job off, since it has no place in the future to wait for, or puts it back in line. */
void planner_put_off(struct planner *planner, struct sched_job *job, bool put_off);

/* Adds the job, which claims its places, to those that run. */
void planner_run(struct planner *planner, struct sched_job *job);

/* ---- what time alone changes (wake.c) ---- */

/* Marks what time alone has changed by now to be planned again. */
void wake_by_time(struct planner *planner);

/* Notes when the job, which waits, is to be looked at again: at `in_sight_ms` at the latest. */
void wake_note(struct planner *planner, struct sched_job *job, int64_t in_sight_ms);

/* ---- a pass over the queue (pass.c) ---- */

/* Marks what time alone has changed; pass_next plans that again, with what was marked before. */
void pass_begin(struct planner *planner);
bool pass_is_done(const struct planner *planner);

/* Does a little more; returns false when the units were spent in the middle of it. */
bool pass_next(struct planner *planner, uint32_t *units);

/* Returns the rank before which jobs are planned as they will be. */
uint32_t pass_settled_n(const struct planner *planner);

/* Tells the plan what the planned jobs before this rank mean for those behind them. */
void pass_count_lines(const struct planner *planner, uint32_t rank);

/* Counts one of many things that cost little, several of which are one unit. */
void pass_spend_little(struct planner *planner, uint32_t *units);

/* Returns whether jobs wait to be planned by rank. */
bool pass_is_by_rank(const struct planner *planner);

/* Does a little more for the open question alone; returns false as pass_next does. */
bool pass_next_question(struct planner *planner, uint32_t *units);

/* Find out what comes of the job, and make it so. pass_try returns false when the units were not
 * enough. */
bool pass_try(struct planner *planner, struct sched_job *job, uint32_t *units,
              struct plan_outcome *ret);
void pass_settle(struct planner *planner, struct sched_job *job,
                 const struct plan_outcome *outcome);

/* ---- a round of those that were put off (round.c) ---- */

/* Tries one more job, returning as pass_next does; planner->round_done tells when there are
 * none. */
bool round_next(struct planner *planner, uint32_t *units);

/* ---- questions and answers (ask.c) ---- */

void answer_clear(struct answer *answer);

bool question_is_open(const struct planner *planner);

/* Returns whether the pass pauses for the question now. */
bool question_is_due(const struct planner *planner);

/* Returns whether the question waits for nothing: what it needs out of the way goes at once. */
bool question_hurries(const struct planner *planner);

/* Does a little more for a question that is due; returns false when the units were spent in the
 * middle of it. */
bool question_next(struct planner *planner, uint32_t *units);

/* Tells the question how many units were worked while it waited for its turn. */
void question_wait(struct planner *planner, uint32_t units);
