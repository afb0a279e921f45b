/*
 * turns.h - the jobs that were put off, and whose turn it is to be tried for a start now.
 *
 * Jobs that can be run in the same ways are a family, and those of it that are of one length a
 * group: where one cannot start, no longer one of the family can. So a round over all need not
 * look at each. Borrows the jobs; a job's kinds must last as long as it is here.
 */
#pragma once

#include <uthash.h>

#include "ctld/sched/future/job.h"

struct turn_group {
    int64_t duration_ms;
    struct sched_job **jobs;
    uint32_t n;
    bool sorted;
    uint64_t round;   /* the last round that set the following */
    uint32_t next;    /* jobs before this one were tried */
    int64_t since_ms; /* of the next one */
};

struct turn_family {
    char *key; /* the kinds and claims of the jobs' options; or the one job, that nothing is shared
                  with */
    uint32_t key_n;
    bool shares;
    struct turn_group *groups; /* by rising duration */
    uint32_t n;
    struct claim_list *claims; /* of all options, if it is one list */
    uint32_t parked_on;        /* no job starts while this pool gives nothing back; POOL_NONE */
    uint64_t parked_given_n;
    int64_t parked_ms, parked_until_ms; /* if as long as this, and until then */
    uint64_t vain_round;                /* the round in which vain_ms was set */
    int64_t vain_ms;
    UT_hash_handle hh;
};

struct turn_entry {
    double key; /* of two jobs that of the lesser one comes first */
    struct sched_job *job;
};

struct turns {
    enum plan_turn turn;
    int64_t now_ms; /* when the round began */
    uint64_t round;
    struct turn_family *families; /* uthash */
    struct turn_entry *heap; /* of each family that takes part the next job, the first one on top */
    uint32_t heap_n;
    struct sched_job **untried; /* jobs about which nothing is known yet */
    uint32_t untried_n;
};

void turns_clear(struct turns *turns);

/* Add the job when it is put off, and drop it when it no longer is. A family without jobs is
 * gone. */
void turns_add(struct turns *turns, struct sched_job *job);
void turns_drop(struct turns *turns, struct sched_job *job);

/* Note that what is known of the job may be wrong, or that it is right now. */
void turns_doubt(struct turns *turns, struct sched_job *job);
void turns_settle(struct turns *turns, struct sched_job *job);

/* Puts the jobs in order again, since priorities have changed. */
void turns_resort(struct turns *turns);

/* Begins a round, in which no family takes part yet. What changes about jobs makes a new round
 * necessary. */
void turns_begin(struct turns *turns, int64_t now_ms);

/* Notes that no job of the family of this duration, or longer, is of use in this round. */
void turns_shorten(struct turns *turns, struct turn_family *family, int64_t duration_ms);

/*
 * Note that no job of the family of this duration, or longer, starts before `until_ms` while the
 * pool gives nothing back; return whether that is known.
 */
void turns_park(struct turn_family *family, int64_t duration_ms, const struct pools *pools,
                uint32_t pool, int64_t until_ms);
bool turns_are_parked(const struct turn_family *family, int64_t duration_ms,
                      const struct pools *pools, int64_t now_ms);

/* Lets the family take part, if it has a job that is not in vain. */
void turns_enter(struct turns *turns, struct turn_family *family);

/* Return the job whose turn it is, or NULL when the round is over; take its family out. */
struct sched_job *turns_first(const struct turns *turns);
void turns_leave(struct turns *turns);

/* Notes that the job was tried: the one behind it is the next of its group. */
void turns_pass_over(struct turns *turns, const struct sched_job *job);
