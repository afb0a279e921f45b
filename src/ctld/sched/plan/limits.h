/*
 * limits.h - how many jobs a pass looks at, plans and starts, as the policy bounds it.
 *
 * Counts what the pass has done so far. A job whose pool is used up by those that run waits for the
 * pool, however many nodes there are: its place in the future counts for the pool, and leaves the
 * one of its line to those behind it. Owns its counts; borrows the cluster and the pools.
 */
#pragma once

#include "ctld/sched/plan/queue.h"

struct user_count {
    uint32_t uid, tries;
    UT_hash_handle hh;
};

/* What waits in one line with the same claims, and is put off; where a pool hangs on how long a job
 * is, also of the same length. A job whose options claim different things is alone. */
struct lane {
    struct lane_key {
        uintptr_t line, claims;
        int64_t length;
    } key;
    uint32_t line;
    struct queue jobs;
    uint32_t exhausted; /* the pool that it waits for, when that was found out last; POOL_NONE */
    UT_hash_handle hh;
};

/* Places in the future of jobs of a line that wait for a shared pool. */
struct pool_plans {
    uint32_t line, pool, n;
};

struct limits {
    const struct sched_cluster *cluster;
    struct pools *pools;
    uint32_t tries, starts;
    uint32_t *lines_plans; /* of each line, see plan_policy: of jobs that wait for no pool */
    struct pool_plans *pools_plans;
    uint32_t pools_plans_n;
    uint32_t
        *private_plans; /* of each pool: of jobs of all lines that wait for it, if it is private */
    uint32_t private_n;
    struct lane *lanes; /* uthash by line and claims */
    struct lane *open;  /* the first lane that may give one of its jobs a place; NULL: none may */
    struct user_count *users;   /* uthash by uid */
    uint32_t *partitions_tries; /* of each partition */
};

void limits_init(struct limits *limits, const struct sched_cluster *cluster, struct pools *pools);
void limits_clear(struct limits *limits);
void limits_reset(struct limits *limits); /* nothing was looked at */

/* Whether the pass looks at this one too. */
bool limits_let_try(const struct limits *limits, const struct sched_job *job);

/* Whether it looks at any more. */
bool limits_leave_tries(const struct limits *limits);

/* Whether it gets a place in the future; else it may only start now. */
bool limits_let_plan(const struct limits *limits, const struct sched_job *job, int64_t now_ms);

/* Whether a job that private pools block waits in them: the first one of each pool does. */
bool limits_let_wait_in_pool(const struct limits *limits, const struct sched_job *job,
                             int64_t now_ms);

/* The job is put off, having no place in the future, or is so no more. */
void limits_put_off(struct limits *limits, struct sched_job *job, bool put_off);

/* The first of those, not before `from`, in a lane that may give one more a place; NULL: none. */
struct sched_job *limits_first_open(const struct limits *limits, const struct sched_job *from);

/* What running jobs hold of pools may be other than it was: the first job that is put off and waits
 * for another pool now, or for none any more; NULL: none does. */
struct sched_job *limits_first_regrouped(struct limits *limits);

/* The same of a job that is not put off, or whether they hold other nodes of a pool that counts its
 * own. */
bool limits_are_regrouped(const struct limits *limits, const struct sched_job *job);

/* Whether the start of another job, which claims this for so long, would make the job, which has a
 * place, wait for a pool of which a place is given already: it would lose its own. */
bool limits_would_lose(const struct limits *limits, const struct sched_job *job,
                       const struct claim_list *starts, int64_t length);

/* Priorities have changed. */
void limits_resort(struct limits *limits);

/* Whether all places in the future are given, but those that old age gives. */
bool limits_are_given(const struct limits *limits);

/* Whether what one job was told depends on how many were looked at before it. */
bool limits_count_tries(const struct limits *limits);

/* Whether it matters at all what is counted. */
bool limits_are_set(const struct limits *limits);

/* Whether one more job may start ahead of its turn. */
bool limits_let_backfill(const struct limits *limits);

/* The job was looked at and waits on, or started, which is counted when it is ahead of its turn.
 * What starts uses up no tries: else jobs behind it would wait for the next pass on idle nodes. Nor
 * does what waits for something else than its turn, which it may do for ever. */
void limits_count(struct limits *limits, struct sched_job *job);

/* When a waiting job that has no place in the future is old enough to get one; PLAN_NEVER. */
int64_t limits_of_age(const struct limits *limits, const struct sched_job *job, int64_t now_ms);
