/*
 * plan.h - where jobs stand in the future, and how one more is planned.
 *
 * A plan is made job by job in order of rank. It holds the claims of running jobs, of the jobs
 * planned so far, and for each partition what its waiting jobs mean for those behind them.
 */
#pragma once

#include "ctld/sched/memo/freed.h"
#include "ctld/sched/future/holder.h"
#include "ctld/sched/search/search.h"
#include "ctld/sched/future/window.h"

/* What the waiting jobs seen so far mean for those behind them in a partition. */
struct plan_line {
    bool has_first;      /* a job of this partition waits for resources */
    bool told_first;     /* has_first when all places in the future had been given */
    bool blocked;        /* a job that shares nodes with this partition does */
    int64_t floor;       /* the latest start of those, for in-order start */
    struct bitset meets; /* partitions that share nodes with this one */
};

/* What is found out about a waiting job. */
struct plan_outcome {
    enum plan_verdict verdict;
    enum plan_why why;
    uint32_t pool;                           /* as of the job */
    uint32_t option, partition, reservation; /* as of the job */
    struct claim_list *list;
    int64_t at_ms, length_ms;
    bool is_shortened; /* to this length, as --time-min lets it be */
    int64_t beyond_ms; /* without a place: a moment that was too late to be tried, or FUTURE_END */
    bool is_blocked;   /* private pools keep it from starting now: it has no places */
    bool in_pool;      /* as of the job */
    int64_t blocked_until_ms; /* when private pools may no longer block it; or FUTURE_END */
    int64_t unblocks_ms;      /* as of the job */
    uint32_t narrowed; /* a pool that counts nodes lets it not have those that are free now */
    bool was_narrowed; /* as of the job */
    bool backfilled;
    bool in_line;               /* as job->in_line */
    struct sched_place *places; /* owned */
    uint32_t places_n;
};

/* A search that a step has not finished. */
struct plan_attempt {
    bool begun;
    uint64_t job_id;
    uint32_t option;
    int64_t now_ms;                /* what is found holds for this present only */
    int64_t at, latest;            /* the next moment to try, the last one of use */
    int64_t bound;                 /* no place of the option is before it */
    struct node_shortage shortage; /* now */
    bool put_off;
    struct plan_outcome best;
};

struct plan {
    const struct sched_cluster *cluster;
    struct kinds *kinds;
    struct future *future;
    struct search *search;
    struct windows windows;
    struct pools *pools;
    struct plan_line *lines; /* of each partition */
    uint32_t open_lines_n;   /* of these, without a first job */
    struct holders holders;
    struct freed_log freed; /* noted by those who know that it stays free: keeper.h */
    uint64_t gives_n;       /* rises whenever something is given back, for however short */
    struct plan_attempt attempt;
};

/* Returns a plan that knows no job yet. Borrows the cluster, the kinds and the pools. */
struct plan *plan_new(const struct sched_cluster *cluster, struct kinds *kinds, struct pools *pools,
                      const struct plan_snapshot *snapshot);
struct plan *plan_free(struct plan *plan);

/* Returns whose the job is on the nodes of a partition, and whether others are kept off. */
struct holder_user plan_user_of(const struct plan *plan, const struct sched_job *job,
                                uint32_t partition);

/* Returns how and when the job, which claims something, takes it of pools. */
struct claim_time plan_claim_time(const struct sched_job *job);

/* Takes the job's places, and what it claims of pools, from job->from to job->to, or gives them
 * back. */
void plan_claim(struct plan *plan, struct sched_job *job);
void plan_unclaim(struct plan *plan, struct sched_job *job);

/* Gives back for a while what the job claims: it stays listed among those that hold its nodes. */
void plan_park(struct plan *plan, struct sched_job *job);

/* Takes back what was planned where a running job now has its places. */
void plan_clear_way(struct plan *plan, const struct sched_job *running);

/*
 * Returns the first moment, not before `at`, from which on a job of the kind may use what became
 * free, with what the node has left besides, or FUTURE_END.
 */
int64_t plan_ready_in(const struct plan *plan, const struct kind *kind, const struct freed *freed,
                      int64_t at, int64_t length);

/*
 * Returns a moment before which jobs of the kind that are put off cannot start, as far as is known,
 * if they are of this length or longer.
 */
int64_t plan_negative_until(struct plan *plan, struct kind *kind, int64_t length, int64_t now_ms);

/* Returns the least length of which it is known that jobs of the kind that are put off, and that
 * long or longer, cannot start now; PLAN_NEVER: there is none. */
int64_t plan_negative_from(struct plan *plan, struct kind *kind, int64_t now_ms);

/* Forgets which jobs wait in the plan's partitions. Followed by plan_queued for each that does. */
void plan_queue_reset(struct plan *plan);

/* Returns whether all is said about those behind: no plan_queued could add to it. */
bool plan_lines_are_known(const struct plan *plan);

/* Notes that the job was planned and waits: those behind it may not be told the same as it was. */
void plan_queued(struct plan *plan, const struct sched_job *job);

/* Lets others be told what was counted, now that all jobs with places in the future were. */
void plan_tell_lines(struct plan *plan);

/* Drops a search that was begun, since nodes or windows came or went. */
void plan_forget(struct plan *plan);

/* Drops what was learned about when to look, since much will be taken back. */
void plan_forget_moments(struct plan *plan);

/*
 * Returns what the caller is told of the job. One that starts after the horizon has no time and no
 * places. The places are to be freed with plan_places_free.
 */
struct plan_decision plan_decision_of(const struct plan *plan, const struct sched_job *job);

/* Returns how long the job holds what it gets, if it begins at the moment: its time, or until its
 * reservation ends it. */
int64_t plan_length_at(const struct plan *plan, const struct sched_job *job, uint32_t reservation,
                       int64_t at);

/* Gives the outcome to the job: its places, and when it claims them. */
void plan_outcome_give(struct sched_job *job, const struct plan_outcome *outcome, int64_t now_ms);
