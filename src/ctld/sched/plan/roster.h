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

/* NULL: there is none of this id. */
struct sched_job *roster_find(const struct roster *roster, uint64_t id);

/* No job of its id is there. */
void roster_add(struct roster *roster, struct sched_job *job);

/* The job is there. */
void roster_remove(struct roster *roster, const struct sched_job *job);

/* Removes one of the jobs, any; NULL: there are none. */
struct sched_job *roster_take_any(struct roster *roster);
