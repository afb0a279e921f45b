/*
 * state.h - what the controller holds: the model, the planner, and what is known beside them.
 * Nothing outside ctld/control includes it.
 *
 * Who may do what: jobfsm.c alone writes job->rec.state; feed.c alone talks to the planner;
 * launch.c alone writes orders that start something. A function that changes a record also notes
 * it in the turn; one that moves a deadline nearer calls control_wake_at.
 */
#pragma once

#include "common/msg/common.h"
#include "common/msg/kept.h"
#include "ctld/model/kept.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* Jobs that a new planner is told of in slices, by their ids; some may be gone by then. */
struct telling {
    uint32_t *jobs;
    uint32_t jobs_n, done_n;
};

struct asked;
struct rank;
struct reserved_license;
struct depend;
struct triggers;
struct acct_clusters;
struct acct_tree;
struct limit_state;
struct usage;
struct fair;

/* Up to where the transactions of another place are here (acct/carry.h). */
struct carried_from {
    uint64_t place, until;
};

struct control {
    struct model *model;
    struct planner *planner;
    struct planner *forecast; /* plans for all; NULL where the planner does so itself */
    bool forecast_stale;      /* something has changed since it planned */
    int64_t forecast_ms;      /* until then it may do so much more work: */
    uint32_t forecast_units;
    struct planner **retired; /* of earlier beginnings, to be freed in slices */
    uint32_t retired_n;
    struct telling telling;
    struct asked *asked; /* questions, in the order in which they are answered */
    uint64_t asked_n;    /* that there ever were */
    uint64_t incarnation;
    struct bitset told_usable; /* nodes that the planner takes for usable */
    struct bitset told_absent; /* of these, those that do not answer, and are awaited: */
    int64_t absent_ms;         /* until then they do, or are down */
    bool planner_stale;        /* it is to be told everything anew */
    bool resv_marked;          /* nodes know which open reservations have them */
    int64_t resv_look_ms;      /* when nodes of reservations are looked at; 0: at the next tick */
    int64_t clock_offset_ms;   /* wall - cluster, when the planner was last told a --begin */
    int64_t next_ms;           /* no timer is due before this cluster time */
    int64_t hold_ms;           /* after a start: until then, nodes may still be on their way back */
    int64_t clean_ms;          /* after an end: until then, others wait for its nodes to be clean */
    int64_t health_ms;         /* HealthCheckInterval: when the round of all nodes began; 0: none */
    uint32_t health_n;         /* nodes that have had their turn in it */
    int64_t reconfigured_ms;   /* when nodes were last told to read their files; 0: never */
    uint64_t next_priority;    /* of priority/basic */
    struct rank *rank;
    struct depend *depend;
    struct kept_table kept[KEPT_KINDS_N]; /* kept.c */
    struct triggers *triggers;
    struct acct_tree *acct;
    const struct acct_clusters *acct_clusters; /* of a slurmdbd, or NULL */
    uint64_t acct_owner; /* number of the slurmdbd that owns accounts; 0: none does */
    bool is_following;   /* records of an owner are being taken */
    struct carried_from *carried;
    uint32_t carried_n;
    struct limit_state *limits;
    struct bitset outages_due; /* nodes that may have become unusable, or usable again */
    struct node_record *left;  /* of nodes that slurm.conf has no more, with an event; until it is
                                * ready */
    uint32_t left_n;
    bool accrual_held;      /* the age of some waiting job may not count yet */
    bool accrual_stale;     /* whose age counts is to be settled; job/accrue.h */
    int64_t accrual_due_ms; /* and at this moment: somebody's --begin */
    bool use_changed;       /* jobs have begun or ended to use what limits in minutes count */
    uint32_t limits_told_n; /* of their pools, those that the planner knows */
    struct usage *usage;
    int64_t usage_reset_s; /* wall time when usage was last forgotten; 0: never */
    struct fair *fair;
    uint32_t *untold; /* waiting jobs with clients that do not know it yet */
    uint32_t untold_n;
    struct reserved_license *reserved; /* what reservations have, as the planner knows it */
    uint32_t reserved_n;
    const struct feed_beside *beside; /* pools beside the licences; NULL: none */
    uint32_t imports_n;               /* of history, that have begun since the start */
    struct diag diag;                 /* the counters control owns */
    bool pass_goes_on;                /* of the planner: the last call did not end it */
};
