/*
 * holder.h - the jobs that claim each node, and which users may be beside them.
 *
 * A job of --exclusive=user, or in a partition with ExclusiveUser, shares its nodes with jobs of
 * its own user only, and starts only where nobody else is. Owns its lists; jobs are borrowed.
 */
#pragma once

#include "ctld/sched/future/job.h"

struct node_holders {
    struct sched_job **jobs;
    uint32_t n;
};

struct holders {
    struct node_holders *nodes; /* of each node of the cluster */
    uint32_t nodes_n;
    uint32_t alone_n; /* claims that keep other users away */
};

/* The user whose job is to go somewhere. */
struct holder_user {
    uint32_t uid;
    bool alone; /* without other users */
};

void holders_init(struct holders *holders, uint32_t nodes_n);
void holders_clear(struct holders *holders);

/* Adds the job, which claims all of its places from job->from to job->to, or removes it. A job
 * that is parked stays in the lists, for those who are told who is in their way, and keeps
 * nobody off. */
void holders_add(struct holders *holders, struct sched_job *job);
void holders_drop(struct holders *holders, struct sched_job *job);

/* Returns whether the holder keeps the user's job off its nodes, or that job has to keep off
 * them. */
bool holder_refuses(const struct sched_job *holder, const struct holder_user *user);

/* Returns the first moment, not before `from`, at which a job of the user may be on the node for
 * `length`, as far as users go. */
int64_t holders_ready(const struct holders *holders, uint32_t node, const struct holder_user *user,
                      int64_t from, int64_t length);

/* Returns until when a job of the user may be there from `from` on; `from` itself: it may not. */
int64_t holders_until(const struct holders *holders, uint32_t node, const struct holder_user *user,
                      int64_t from);
