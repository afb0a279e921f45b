/*
 * limits.h - how many jobs a pass looks at, plans and starts, as the policy bounds it.
 *
 * Counts what the pass has done so far. A job whose pool is used up by those that run waits for the
 * pool, however many nodes there are: its place in the future counts for the pool, and leaves the
 * one of its line to those behind it. Owns its counts; borrows the cluster and the pools.
 */
#pragma once

#include "ctld/sched/plan/allot.h"

struct user_count {
    uint32_t uid, tries;
    UT_hash_handle hh;
};

/* Jobs of one line that have the same claims and are put off. Where a pool hangs on how long a job
 * is, they are also of the same length. A job whose options claim different things has its own
 * lane. */
struct lane {
    struct lane_key {
        uintptr_t line, claims;
        int64_t length;
    } key;
    uint32_t line;
    struct claim_list *list; /* of all options; NULL: nothing is claimed, or it is mixed */
    bool is_mixed;           /* a job whose options claim different things */
    struct queue jobs;
    struct allotment *allotment; /* by what they wait for, when that was found out last; NULL: its
                                    jobs never get a place */
    struct lane *prev, *next;    /* of the lanes with these claims, or of the mixed ones */
    UT_hash_handle hh;
};

struct limits {
    const struct sched_cluster *cluster;
    struct pools *pools;
    uint32_t tries, starts;
    struct allotments allotments; /* see plan_policy: the places that jobs may have at one time */
    struct lane *lanes;           /* uthash by line and claims */
    struct lane *mixed;           /* those of them of jobs whose options claim different things */
    struct user_count *users;     /* uthash by uid */
    uint32_t *partitions_tries;   /* of each partition */
};

void limits_init(struct limits *limits, const struct sched_cluster *cluster, struct pools *pools);
void limits_clear(struct limits *limits); /* jobs and lists of claims may be gone already */
void limits_reset(struct limits *limits); /* nothing was looked at */

/* Returns whether the pass looks at this job, too. */
bool limits_let_try(const struct limits *limits, const struct sched_job *job);

/* Returns whether the pass looks at any more jobs. */
bool limits_leave_tries(const struct limits *limits);

/* Returns whether the job may get a place in the future; if not, it may only start now. */
bool limits_let_plan(struct limits *limits, const struct sched_job *job, int64_t now_ms);

/* Returns whether a job that private pools block waits in them: the first one of each pool does.
 * Where nothing starts, but all is forecast, each does, also if it is planned jobs that use a pool
 * up. */
bool limits_let_wait_in_pool(struct limits *limits, const struct sched_job *job, int64_t now_ms);

/* Notes that the job is put off, since it has no place in the future, or that it no longer is. */
void limits_put_off(struct limits *limits, struct sched_job *job, bool put_off);

/* Returns the first job that is put off, at `from` or behind it, and may have a place, or NULL.
 * Until limits_reset, `from` never comes before what it was. */
struct sched_job *limits_first_open(struct limits *limits, const struct sched_job *from);

/* Returns the first job that is put off and now waits for another pool than before, or for none any
 * more, since running jobs may hold other amounts of pools; NULL: there is none. */
struct sched_job *limits_first_regrouped(struct limits *limits);

/* Returns whether a job that is not put off waits for another pool than before, or whether running
 * jobs hold other nodes of a pool that counts its nodes. */
bool limits_are_regrouped(const struct limits *limits, const struct sched_job *job);

/* Returns whether a start of another job with these claims and this length would make the job,
 * which has a place, wait for a pool whose place is already given: it would lose its own. */
bool limits_would_lose(struct limits *limits, const struct sched_job *job,
                       const struct claim_list *starts, int64_t length);

/* Puts the jobs that are put off in order again, since priorities have changed. */
void limits_resort(struct limits *limits);

/* Returns whether all places in the future are given, but for those that jobs get by their age. */
bool limits_are_given(const struct limits *limits);

/* Returns whether what one job was told depends on how many jobs were looked at before it. */
bool limits_count_tries(const struct limits *limits);

/* Returns whether the policy bounds anything that is counted here. */
bool limits_are_set(const struct limits *limits);

/* Returns whether one more job may start ahead of its turn. */
bool limits_let_backfill(const struct limits *limits);

/* Counts a job that was looked at: it waits on, or it started, which counts when it was ahead of
 * its turn. A start uses up no tries: else jobs behind it would wait for the next pass on idle
 * nodes. Nor does a job that waits for something else than its turn, which may be for ever. */
void limits_count(struct limits *limits, struct sched_job *job);

/* Returns when a waiting job without a place in the future is old enough to get one, or
 * PLAN_NEVER. */
int64_t limits_of_age(const struct limits *limits, const struct sched_job *job, int64_t now_ms);
