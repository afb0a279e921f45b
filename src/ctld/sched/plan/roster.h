/*
 * roster.h - the jobs that a planner knows, by id.
 *
 * A hash table that grows by one bucket with each job: however many there are, none waits until all
 * have been moved. Borrows the jobs, which are chained through `next_of_hash`.
 */
#pragma once

#include "ctld/sched/future/job.h"

struct roster {
    struct sched_job ***chunks; /* of buckets; owned */
    uint32_t chunks_n;
    uint32_t buckets_n, n; /* n: jobs */
};

/* Forgets all jobs. */
void roster_clear(struct roster *roster);

/* Returns the job of this id, or NULL. */
struct sched_job *roster_find(const struct roster *roster, uint64_t id);

/* Adds the job; none of its id may be there. */
void roster_add(struct roster *roster, struct sched_job *job);

/* Removes the job, which must be there. */
void roster_remove(struct roster *roster, const struct sched_job *job);

/* Removes any one of the jobs and returns it, or NULL when there are none. */
struct sched_job *roster_take_any(struct roster *roster);
