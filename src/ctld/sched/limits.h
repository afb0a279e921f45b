/*
 * limits.h - how many jobs a pass looks at, plans and starts, as the policy bounds it.
 *
 * Counts what the pass has done so far. Owns its counts; borrows the cluster.
 */
#pragma once

#include "ctld/sched/queue.h"

struct user_count {
    uint32_t uid, tries;
    UT_hash_handle hh;
};

struct limits {
    const struct sched_cluster *cluster;
    uint32_t tries, starts;
    uint32_t *lines_plans;       /* of each line, see plan_policy */
    struct queue *lines_put_off; /* jobs that wait for one, of each line */
    uint32_t open_n;             /* lines that have such jobs and may give one a plan */
    struct user_count *users;    /* uthash by uid */
    uint32_t *partitions_tries;  /* of each partition */
};

void limits_init(struct limits *limits, const struct sched_cluster *cluster);
void limits_clear(struct limits *limits);
void limits_reset(struct limits *limits); /* nothing was looked at */

/* Whether the pass looks at this one too. */
bool limits_let_try(const struct limits *limits, const struct sched_job *job);

/* Whether it looks at any more. */
bool limits_leave_tries(const struct limits *limits);

/* Whether it gets a place in the future; else it may only start now. */
bool limits_let_plan(const struct limits *limits, const struct sched_job *job, int64_t now_ms);

/* The job is put off, having no place in the future, or is so no more. */
void limits_put_off(struct limits *limits, struct sched_job *job, bool put_off);

/* The first of those, not before `from`, in a line that may give one more a place; NULL: none. */
struct sched_job *limits_first_open(const struct limits *limits, const struct sched_job *from);

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
void limits_count(struct limits *limits, const struct sched_job *job);

/* When a waiting job that has no place in the future is old enough to get one; PLAN_NEVER. */
int64_t limits_of_age(const struct limits *limits, const struct sched_job *job, int64_t now_ms);
