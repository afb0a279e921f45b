/*
 * turns.h - the jobs that were put off, and whose turn it is to be tried for a start now.
 *
 * Jobs that can be run on the same nodes are a class, those of it that also claim the same of pools
 * a family, and those of a family that are of one length a group: where one of a family cannot
 * start, no longer one of it can; where nodes are what lacks, no longer one of its class. So a
 * round over all need not look at each. Borrows the jobs; a job's kinds must last as long as it is
 * here.
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
    struct turn_class *class;
    char *key;                 /* the claims of the jobs' options */
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

/* Jobs of which the first one is on top. */
struct turn_heap {
    struct turn_entry *at;
    uint32_t n;
};

struct turn_class {
    char *key; /* the kinds of the jobs' options; or the one job, that nothing is shared with */
    uint32_t key_n;
    bool shares;
    struct turn_family *families; /* uthash by their keys, of key_n bytes */
    struct turn_heap heap;        /* the next job of each family that takes part */
    int64_t least_ms;             /* no job is shorter */
    int64_t vain_length;          /* no job of this length or more is of use in this round */
    UT_hash_handle hh;
};

struct turns {
    enum plan_turn turn;
    int64_t now_ms; /* when the round began */
    uint64_t round;
    struct turn_class *classes; /* uthash */
    struct turn_heap heap;      /* the next job of each class that takes part */
    struct sched_job **untried; /* jobs about which nothing is known yet */
    uint32_t untried_n;
};

void turns_clear(struct turns *turns);

/* Add the job when it is put off, and drop it when it no longer is. A family without jobs, and a
 * class without families, is gone. */
void turns_add(struct turns *turns, struct sched_job *job);
void turns_drop(struct turns *turns, struct sched_job *job);

/* Note that what is known of the job may be wrong, or that it is right now. */
void turns_doubt(struct turns *turns, struct sched_job *job);
void turns_settle(struct turns *turns, struct sched_job *job);

/* Puts the jobs in order again, since priorities have changed. */
void turns_resort(struct turns *turns);

/* Begins a round, in which no class takes part yet. What changes about jobs makes a new round
 * necessary. */
void turns_begin(struct turns *turns, int64_t now_ms);

/* Notes that no job of the class that holds nodes for `length` or longer is of use in this round;
 * PLAN_NEVER: any may be. Returns whether some job may be, for all that is known of lengths. */
bool turns_limit(struct turn_class *class, int64_t length);

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

/* Lets the family's next job stand for it in its class, if it has one that is not in vain. */
void turns_line_up(struct turns *turns, struct turn_family *family);

/* Lets the class take part by the first job of those that stand in it, if there is one. */
void turns_enter(struct turns *turns, struct turn_class *class);

/* Return the job whose turn it is, or NULL when the round is over; take it out, and with it its
 * class, which takes part again when it is entered. */
struct sched_job *turns_first(const struct turns *turns);
void turns_leave(struct turns *turns);

/* Notes that the job was tried: the one behind it is the next of its group. */
void turns_pass_over(struct turns *turns, const struct sched_job *job);
