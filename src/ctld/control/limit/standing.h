/*
 * standing.h - which limits hold for a job: those of its partition's QOS, its own QOS, its
 * association and the accounts above.
 *
 * Where several say something about the same thing, the first in this order counts (Slurm's
 * documentation, "Resource Limits"); the job's QOS goes before the partition's if it has the flag
 * OverPartQOS. Of group limits of accounts all hold. Jobs that stand alike share a standing; all
 * are made again after a change of associations or QOS.
 */
#pragma once

#include <uthash.h>

#include "ctld/control/acct/tree.h"
#include "ctld/control/act/act.h"
#include "ctld/control/limit/table.h"
#include "ctld/model/model.h"

#define LIMIT_NO_POOL UINT32_MAX

/* Something of which the jobs of several standings hold amounts together, or each of them as much,
 * where the limit is on one job. */
struct limit_pot {
    char *key;
    uint32_t pool;        /* its number among the pools; LIMIT_NO_POOL: the planner needs none */
    uint32_t submitted_n; /* jobs that wait or run, where that is limited */
    uint32_t accruing_n;  /* jobs whose age counts, as they were counted last; accrue.h */
    UT_hash_handle hh;
};

struct limit {
    const struct limit_row *row;
    const struct assoc *assoc;    /* whose limit it is, or whose share; NULL: the QOS's */
    const struct qos_record *qos; /* NULL: the association's */
    const char *tres;             /* borrowed from its record; NULL: it is no amount of one */
    char *gres_name, *gres_type;  /* of "gres/gpu:a100"; owned; NULL: it is none, or all types */
    uint64_t most;                /* in the unit of the row, memory in MB; of is_least: least */
    struct limit_pot *pot;        /* NULL: each job is measured by what it asks for alone */
};

struct standing {
    char *key;
    const struct assoc *assoc;         /* NULL: the job has none */
    const struct qos_record *qos;      /* NULL: none */
    const struct qos_record *part_qos; /* NULL: none */
    bool has_single_threads;           /* no core of the partition has more; false: of none */
    uint32_t node_cpus_least, node_cpus_most; /* of the partition's nodes; 0: it has none */
    bool bounds_accrual;                      /* one of its limits is on jobs whose age counts */
    double factor; /* what minutes count: UsageFactor with the flag UsageFactorSafe; else 1 */
    struct limit *limits; /* in the order in which they are checked */
    uint32_t limits_n;
    UT_hash_handle hh;
};

struct limit_state;

struct limit_state *limit_state_new(void);
struct limit_state *limit_state_free(struct limit_state *state);

/* Forgets what followed from associations and QOS if one of them has changed since: what waits is
 * judged again, and the planner is to be told everything anew. */
void limit_refresh(struct control *control);

/* Returns what holds for the job in the partition. Without AccountingStorageEnforce=limits no limit
 * does. Borrowed until the next change of associations or QOS. */
struct standing *limit_standing(struct control *control, const struct job_record *rec,
                                const struct partition *part);

/* Returns the limit that holds for the job in the partition and that the planner counts in the pool
 * of this number, or NULL. */
const struct limit *limit_of_pool(struct control *control, const struct job_record *rec,
                                  const struct partition *part, uint32_t number);

/* Returns whether jobs hold anything of what the limit is about: they hold no memory where
 * SelectTypeParameters has it not counted, whatever they ask for. */
bool limit_is_counted(const struct control *control, const struct limit *limit);

/* Returns whether the limit is on each job by itself. */
bool limit_is_on_one(const struct limit *limit);

/* Returns whether what a job takes of the limit hangs on its time limit. */
bool limit_counts_time(const struct limit *limit);

/* Returns the reason for which jobs wait for the limit. */
uint32_t limit_reason(const struct limit *limit);

/* Appends the limit's name as an administrator writes it, with whose it is: "GrpTRES=cpu=8 of
 * account physics". */
void limit_tell(const struct limit *limit, struct strbuf *out);

/* Fails with E_ACCT_POLICY, the limit's reason and its name. */
int limit_refuse(const struct limit *limit, struct err *err);

/* ---- pools, by their numbers from 0 ---- */

struct plan_pool;

uint32_t limit_pools_n(const struct control *control);

/* Fills in the pool as it is now, and takes it that the planner is told. */
void limit_fill_pool(struct control *control, struct moment now, uint32_t number,
                     struct plan_pool *ret);

/* Returns whether a limit on jobs whose age counts is on any job; the other one empties the pots of
 * such limits. */
bool limit_bounds_accrual(const struct control *control);
void limit_begin_accrual(struct control *control);

/* Returns whether a limit on priorities is on any job. */
bool limit_bounds_priority(const struct control *control);

/* Returns whether any pool hangs on what jobs have used. */
bool limit_counts_use(const struct control *control);

/* Returns whether the planner is to be told of the pool anew. *next_ms becomes when jobs will have
 * used it up, if that is sooner. */
bool limit_pool_moved(struct control *control, struct moment now, uint32_t number,
                      int64_t *next_ms);
