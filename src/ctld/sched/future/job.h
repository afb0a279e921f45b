/*
 * job.h - a job as the planner keeps it, and the lengths of time that jobs hold nodes for.
 */
#pragma once

#include "ctld/sched/pick/kind.h"
#include "ctld/sched/future/claims.h"

/* One way to run a job: a partition, what is asked of its nodes, and what is claimed of pools. */
struct sched_option {
    uint32_t number; /* as the caller counts them */
    uint32_t partition, reservation;
    struct kind *kind;
    struct claim_list *claims; /* NULL: none */
    int64_t not_before;        /* --switches: only after the wait will any nodes do */
};

struct turn_family;

struct sched_job {
    uint64_t id;
    uint32_t uid, tier;
    uint32_t option;      /* the number of the one by which it runs, or is planned */
    uint32_t partition;   /* the partition in which it runs, or is planned, */
    uint32_t reservation; /* and the reservation; 0: none */
    bool wants_alone;     /* --exclusive=user */
    bool no_place;        /* it is tried for a start now, and never for one in the future */
    uint64_t priority;
    int64_t submit_ms, since_ms, duration_ms, duration_min_ms, earliest_ms;
    struct sched_option *options; /* of a waiting job; the preferred one first */
    uint32_t options_n;
    struct claim_list *list; /* of the option that it runs, or is planned, by; NULL: none */
    int64_t claimed_ms;      /* how long it claims, as far as pools are told */

    bool runs;
    int64_t end_ms;   /* of a running job: no later than this */
    uint32_t running; /* its number among running jobs */

    struct sched_place *places; /* held, or planned */
    uint32_t places_n;
    bool claims;  /* its places are taken in the plan's future, from `from` to `to` */
    bool in_pool; /* it has no places: it claims of private pools alone */
    int64_t from, to;
    bool alone;       /* no other user may be on its nodes meanwhile */
    bool listed;      /* among the holders of its nodes: while it claims, or is parked */
    bool was_planned; /* they were taken back, and may still be its (keeper.h) */
    uint64_t parked;  /* taken back for a question: the number of that parking; 0: not */

    uint32_t exhausted;         /* the pool that it waited for when it was counted (limits.h) */
    uint64_t nodes_number;      /* the sum of claims_nodes_number over its options */
    bool put_off;               /* its turn comes when all places in the future are given */
    struct turn_family *family; /* of a job that is put off (turns.h) */
    uint32_t untried;   /* its number, from 1, among those to be looked at; 0: it is not one */
    bool tried;         /* it was looked at: what follows says what came of it */
    bool told_hopeless; /* it was told that it never fits */
    enum plan_verdict verdict;
    enum plan_why why;
    uint32_t pool;           /* of PLAN_WHY_POOL; POOL_NONE: it is not known */
    int64_t at_ms, given_ms; /* when, and for how long */
    int64_t wakes_ms;        /* time alone may change this then */
    int64_t unblocks_ms;     /* private pools may let it start then, or may do so no more */
    bool was_narrowed; /* it was not let have nodes that were free, since they come to too much of a
                          pool: it may be let have others when these are taken */
    bool backfilled;
    bool in_line; /* for its turn: neither hopeless nor kept from starting by anything else */
    struct sched_job *next_of_hash; /* roster.h */
};

/* Copies the job; the places of a running one are cut to the cpus that its nodes have. */
struct sched_job *sched_job_new(const struct sched_cluster *cluster, struct kinds *kinds,
                                struct pools *pools, const struct plan_job *from);
void sched_job_free(struct kinds *kinds, struct pools *pools, struct sched_job *job);

/* Drops the options of a job that runs now: how else it could have been run no longer matters. */
void sched_job_drop_options(struct kinds *kinds, struct pools *pools, struct sched_job *job);

/* Tells the pools of a running job whose end has changed when it may claim for longer than they
 * know. */
void sched_job_lengthen(struct pools *pools, struct sched_job *job, int64_t now_ms);

/* Compares jobs in the order of planning: by the partition's tier, priority, time of submission,
 * id. */
int sched_job_compare(const struct sched_job *a, const struct sched_job *b);
/* Does the same for qsort, which gets pointers to pointers to jobs. */
int sched_job_compare_sorted(const void *a, const void *b);

/* Drops the job's place on the node; returns false when there is none. */
bool sched_job_drop_place(struct sched_job *job, uint32_t node);

/*
 * Returns how long a plan holds nodes for a job of this duration. A job without limit holds them
 * very long, but not for ever: else a wide job behind it would get no plan, and narrow ones would
 * overtake it again and again.
 */
int64_t length_planned(int64_t duration_ms);

/*
 * Returns when a running job is taken to end. A job whose end has passed is on its way out: it is
 * given a second more, then two, four and so on. A job without limit ends at the horizon, which is
 * before the end of any other such job that would start now.
 */
int64_t end_assumed(int64_t end_ms, int64_t now_ms);
#define END_HORIZON (INT64_C(1) << 42) /* some 140 years; no plan that late is told */
