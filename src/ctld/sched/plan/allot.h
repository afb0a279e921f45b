/*
 * allot.h - who may have places in the future: so many of the jobs that wait for the same thing.
 *
 * Jobs of one line that wait for their turn, or for the same shared pool, have an allotment
 * together; jobs of whatever line that wait for one private pool have one, which is a single place.
 * An allotment is open while places of it are left and jobs that are put off might take them. Owns
 * the allotments, borrows the jobs.
 */
#pragma once

#include <uthash.h>

#include "ctld/sched/plan/queue.h"

struct allotment {
    struct allotment_key {
        uint32_t line, pool; /* POOL_NONE: they wait for no pool */
    } key;
    uint32_t places_max; /* 0: any number */
    uint32_t places_n;   /* given, if the round is the allotments' */
    uint64_t round;
    struct queue jobs;      /* that are put off */
    uint32_t waiting_at;    /* its index among those that have jobs, from 1; 0: it has none */
    struct sched_job *next; /* the job that it stands in the heap for */
    uint32_t heap_at;       /* its index in the heap, from 1; 0: it is not there */
    UT_hash_handle hh;
};

/* `struct allotments allotments = { 0 };` is empty. */
struct allotments {
    struct allotment *all; /* uthash */
    uint64_t round;
    struct allotment **waiting; /* those that have jobs */
    uint32_t waiting_n;
    uint32_t open_n;         /* of them */
    struct allotment **heap; /* the open one whose next job comes first on top */
    uint32_t heap_n;
    bool heap_known; /* else it is to be filled anew */
};

void allotments_clear(struct allotments *allotments);

/* Returns the allotment, which is made where there was none: of so many places, 0 of any number. It
 * stays as long as the allotments do. */
struct allotment *allotments_get(struct allotments *allotments, uint32_t line, uint32_t pool,
                                 uint32_t places_max);

/* Takes all places back. */
void allotments_reset(struct allotments *allotments);

/* Return whether a place is left; give one away, whether or not it is. */
bool allotment_has_left(const struct allotments *allotments, const struct allotment *allotment);
void allotment_give(struct allotments *allotments, struct allotment *allotment);

/* Let a job wait for a place, or no longer. */
void allotment_add(struct allotments *allotments, struct allotment *allotment,
                   struct sched_job *job);
void allotment_drop(struct allotments *allotments, struct allotment *allotment,
                    struct sched_job *job);

/* Puts the jobs in order again, since priorities have changed. */
void allotments_resort(struct allotments *allotments);

/* Returns the first job of an open allotment, at `from` or behind it, or NULL. Until
 * allotments_reset, `from` never comes before what it was. */
struct sched_job *allotments_first(struct allotments *allotments, const struct sched_job *from);
