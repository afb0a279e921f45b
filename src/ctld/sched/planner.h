/*
 * planner.h - when and where each waiting job starts.
 *
 * A planner is a value with three operations: rebuild from a snapshot, apply a change, and step a
 * number of work units, which yields decisions. Pure: time comes in, nothing else does. Any
 * sequence of apply and step ends in the same plan as a rebuild from the resulting snapshot. Work
 * is counted in units (one job tried on one moment), never in time, so that planning is
 * reproducible.
 *
 * Jobs are planned in the order of their rank; in-order start and backfill share one notion of free
 * cpus and memory over time, and no job's plan ever delays that of one before it.
 *
 * Times are cluster milliseconds. Node and partition numbers are the caller's indexes.
 */
#pragma once

#include "common/base/bitset.h"
#include "common/base/err.h"

#define PLAN_NEVER INT64_MAX

struct planner;

struct plan_node {
    const char *name;
    uint32_t sockets, cores_per_socket, threads_per_core; /* cpus are numbered socket by socket */
    uint32_t cpus;
    uint64_t memory_mb;
    uint32_t weight;
    const char *const *features;
    uint32_t features_n;
    bool usable; /* may be given new work */
};

struct plan_partition {
    struct bitset nodes;
    uint32_t tier; /* PriorityTier */
    bool starts_jobs;
    bool shares_nodes; /* false: OverSubscribe=EXCLUSIVE */
};

struct plan_policy {
    uint32_t select; /* enum select_flags */
    bool backfill;
    uint32_t depth_max; /* jobs looked at in a pass; 0: all */
};

/* What a job takes on one node. */
struct plan_place {
    uint32_t node;
    struct bitset cpus;
    uint64_t memory_mb;
};

/* What a job asks for, numbers decided (no "unset"), sets over all nodes. */
struct plan_shape {
    uint32_t min_nodes, max_nodes; /* max 0: as few as will do from min up */
    uint32_t ntasks;               /* 0: only nodes and cpus are asked */
    uint32_t cpus_per_task;
    uint32_t ntasks_per_node; /* 0: any */
    uint32_t min_cpus_per_node;
    uint64_t mem_per_node_mb, mem_per_cpu_mb; /* one of them, or both 0 */
    bool whole_node_memory;                   /* --mem=0 */
    bool exclusive, overcommit, contiguous;
    uint32_t threads_per_core;        /* 0: any */
    struct bitset required, excluded; /* size 0: none */
    const char *features;             /* NULL: none; words joined by & */
};

struct plan_job {
    uint32_t id;
    uint64_t priority; /* higher goes first */
    int64_t submit_ms; /* then the earlier; then the lower id */
    uint32_t partition;
    int64_t duration_ms; /* PLAN_NEVER: no limit */
    int64_t earliest_ms; /* --begin */
    struct plan_shape shape;
    bool runs;      /* then: */
    int64_t end_ms; /* no later than this */
    const struct plan_place *places;
    uint32_t places_n;
};

struct plan_snapshot {
    int64_t now_ms;
    struct plan_policy policy;
    const struct plan_node *nodes;
    uint32_t nodes_n;
    const struct plan_partition *partitions;
    uint32_t partitions_n;
    const struct plan_job *jobs; /* running and eligible waiting ones, any order */
    uint32_t jobs_n;
};

enum plan_change_kind {
    PLAN_NODE_USABLE,   /* node, usable */
    PLAN_JOB_ADDED,     /* job: a waiting or a running one */
    PLAN_JOB_REMOVED,   /* id: it waits no more, or holds nothing any more */
    PLAN_NODE_RELEASED, /* id, node: a running job gave this node back */
    PLAN_PARTITION,     /* node is the partition's number, usable: starts jobs */
};

struct plan_change {
    enum plan_change_kind kind;
    uint32_t id;
    uint32_t node;
    bool usable;
    const struct plan_job *job; /* borrowed for the call */
};

enum plan_verdict {
    PLAN_START,      /* now, on exactly these places */
    PLAN_LATER,      /* at `at_ms` on these nodes */
    PLAN_WAITS,      /* not placed: see why */
    PLAN_NEVER_FITS, /* no set of this partition's nodes could ever hold it */
};

enum plan_why {
    PLAN_WHY_NONE,
    PLAN_WHY_RESOURCES,  /* first in its partition: nodes are busy */
    PLAN_WHY_PRIORITY,   /* others come first */
    PLAN_WHY_NODES_DOWN, /* would fit, were its nodes not down or drained */
    PLAN_WHY_PARTITION_DOWN,
    PLAN_WHY_BEGIN,
};

/* Owned by the planner, valid until its next operation. */
struct plan_decision {
    uint32_t job_id;
    enum plan_verdict verdict;
    enum plan_why why;
    int64_t at_ms;
    bool backfilled; /* starts before a job of higher rank does */
    const struct plan_place *places;
    uint32_t places_n;
    const uint32_t *blockers; /* jobs that hold what it needs, at most PLAN_BLOCKERS_MAX */
    uint32_t blockers_n;
};
#define PLAN_BLOCKERS_MAX 8

struct planner *planner_new(void);
struct planner *planner_free(struct planner *planner);

/* Everything is copied. Forgets all plans. */
void planner_rebuild(struct planner *planner, const struct plan_snapshot *snapshot);

/* Plans made so far that the change could touch are made again by the steps that follow. */
void planner_apply(struct planner *planner, int64_t now_ms, const struct plan_change *change);

/*
 * Works for at most `units`; true when there is more. Decisions come one for each job whose verdict
 * is new or different, in order of rank. A PLAN_START is taken as done: the job runs from now on.
 */
bool planner_step(struct planner *planner, int64_t now_ms, uint32_t units,
                  const struct plan_decision **ret_decisions, uint32_t *ret_n);

/* When time alone makes the next step useful (a --begin, an overdue end); PLAN_NEVER: not. */
int64_t planner_wakes_at(const struct planner *planner);

/* Where a job that is not there would go if it were: --test-only. Changes nothing. */
void planner_ask(const struct planner *planner, int64_t now_ms, const struct plan_job *job,
                 struct plan_decision *ret);
