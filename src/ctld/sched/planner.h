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
#include "common/text/distribution.h"
#include "common/text/oversubscribe.h"

#define PLAN_NEVER INT64_MAX

struct planner;

/* ---- the cluster ---- */

/*
 * What a node has of one sort of generic resource (gres.conf). Devices have identity and are
 * numbered through the node's whole list, in its order; what is `counted` is only an amount.
 */
struct plan_gres {
    const char *name, *type; /* type NULL: none */
    uint64_t count;
    bool counted;
    const struct bitset *near; /* of each device: the cpus next to it; NULL: no cpu is nearer */
};

/* What a node has, or gives, of things without identity. */
enum plan_amount {
    PLAN_MEMORY,  /* MB */
    PLAN_CPUS,    /* where they are only counted */
    PLAN_COUNTED, /* of the counted sorts of the node's list, in its order, from here on */
    PLAN_AMOUNTS_MAX = 6,
};
#define PLAN_COUNTED_MAX (PLAN_AMOUNTS_MAX - PLAN_COUNTED)

struct plan_node {
    const char *name;
    uint32_t sockets, cores_per_socket, threads_per_core; /* cpus are numbered socket by socket */
    uint32_t cpus;
    bool counts_cpus;     /* its cpus are alike and only counted; nothing else is asked of them */
    struct bitset barred; /* cpus that are not for jobs (CoreSpecCount); size 0: none */
    uint64_t memory_mb;   /* for jobs */
    uint32_t weight;
    const char *const *features;
    uint32_t features_n;
    const struct plan_gres *gres;
    uint32_t gres_n;
    bool usable; /* may be given new work */
};

struct plan_partition {
    struct bitset nodes;
    uint32_t tier; /* PriorityTier */
    bool starts_jobs;
    enum oversubscribe_mode share;
    uint32_t jobs_per_cpu;      /* of YES and FORCE, at least 1 */
    uint32_t nodes_max;         /* of a job; 0: any */
    uint32_t cpus_per_node_max; /* that its jobs together hold on a node; 0: any */
    bool user_exclusive;        /* ExclusiveUser */
    bool least_loaded;          /* LLN */
    uint32_t select;            /* enum select_flags; 0: the policy's */
};

/* One switch of topology/tree. */
struct plan_switch {
    const char *name;
    struct bitset nodes; /* below it, at any depth */
    uint32_t level;      /* 0: leaf */
};

/*
 * Something that jobs hold amounts of while they run, wherever they run. Of a shared one (licences)
 * who waits for it gets a place on nodes and in the pool. A private one (the limits of a user)
 * keeps nodes from nobody else: the first job that it blocks gets a place in the pool alone, which
 * tells when it may start and is no promise; those behind it are told that they wait. A planner
 * that forecasts gives each of them such a place.
 */
enum plan_pool_kind {
    PLAN_POOL_SUM, /* amounts held at one moment */
    /* Amounts times the seconds that are left of the jobs' times: what is held falls while they
     * run. A job without limit that claims anything of it never fits. */
    PLAN_POOL_RAMP,
    PLAN_POOL_NODES, /* different nodes that the claiming jobs have, whatever the amounts say */
    PLAN_POOL_GATE,  /* nothing: no job that claims of it starts before `opens_ms` */
};

struct plan_pool {
    const char *name;
    enum plan_pool_kind kind;
    uint64_t total;   /* of a SUM, of NODES; of a RAMP: amounts times seconds */
    int64_t opens_ms; /* of a GATE; PLAN_NEVER: until it is changed */
    bool is_private;
    bool is_spent; /* of a SUM: what a job takes does not come back with its end: the total, when it
                      is set anew, tells what is left of it */
    bool is_for_each; /* of a private SUM or RAMP: the total is what one job may have, whatever
                         others hold */
    uint32_t reason;  /* the caller's number, told of a job that waits for the pool */
};

/* When, and in which order, jobs without a place in the future are tried for a start now. */
enum plan_turn {
    PLAN_TURN_RANK,      /* as their rank comes; behind all that have such a place: */
    PLAN_TURN_QUEUE,     /* by rank */
    PLAN_TURN_SHORTEST,  /* by rising duration: SJBF */
    PLAN_TURN_STRETCHED, /* by falling (wait + 1 hour) / duration */
};

/* SchedulerType, SelectType and SchedulerParameters. 0 is "no limit" unless something else is said.
 */
struct plan_policy {
    uint32_t select;  /* enum select_flags */
    bool backfill;    /* false: nothing starts before what waits in front of it in its partition, */
    bool limits_stop; /* true, without backfill: also where private pools are what it waits for */
    /*
     * Waiting jobs that get a place in the future; the others may only start now, where they delay
     * none of these. 1 is EASY. (To plan for none at all, say a reserve_priority that no job has.)
     */
    uint32_t plans_max;
    bool plans_in_lines; /* so many of each line: of a partition's jobs, those that ask for GRES,
                            and those that do not */
    int64_t plan_age_ms; /* where plans_max is set: jobs that have waited so long get one too */
    enum plan_turn turn;
    bool spares_first; /* cores left to the system are the first of a socket, not the last */
    bool forecasts;    /* nothing starts: what could start is planned for now */
    /* Jobs that wait for their turn: those behind so many are not looked at. */
    uint32_t tries_max, tries_per_user, tries_per_partition;
    uint32_t starts_max;       /* jobs started ahead of their turn in one pass */
    int64_t window_ms;         /* no place is looked for later than this from now */
    int64_t resolution_ms;     /* planned times are multiples of it; 0 or 1: exact */
    int64_t reserve_age_ms;    /* a job waits this long before it gets a place in the future */
    uint64_t reserve_priority; /* and has this priority */
};

/* ---- jobs ---- */

/* What a job takes on one node. */
struct plan_place {
    uint32_t node;
    uint32_t tasks;        /* that are to run there; 0: not said */
    uint32_t row;          /* where jobs share cpus: which share it has, from 1; 0: all of each */
    struct bitset cpus;    /* that it may use; where they are only counted: size 0 */
    struct bitset devices; /* size 0: none */
    uint64_t amounts[PLAN_AMOUNTS_MAX];
};

/* Deep copies of places, owned by the caller; released with plan_places_free. */
struct plan_place *plan_places_copy(const struct plan_place *places, uint32_t n);
void plan_places_free(const struct plan_place *places, uint32_t n);

/* Of a number of a reservation: no reservation has it, and who asks for it waits; and, in an
 * option, with the number: such a job has to end within a span. */
#define PLAN_RESV_NOWHERE UINT32_C(0x7fffffff)
#define PLAN_RESV_WITHIN  UINT32_C(0x80000000)

struct plan_claim;

/* During [from, to). */
struct plan_span {
    int64_t from_ms, to_ms;
};

/* How a reservation bears on jobs. */
enum plan_resv_flags {
    PLAN_RESV_ABSENT = 1,   /* none may be there: the nodes do not answer, and are awaited */
    PLAN_RESV_FLEX = 2,     /* its jobs may also be elsewhere, and at other times */
    PLAN_RESV_ANYWHERE = 4, /* its jobs may be on any nodes */
    PLAN_RESV_MAINT = 8,    /* its jobs have what is kept for others, and others' jobs not what it
                               has, */
    PLAN_RESV_OVERLAP = 16, /* its jobs have that unless it is kept for maintenance */
};

/*
 * Nodes, and parts of nodes, that only jobs of the reservation may use, and that these may use
 * alone, during its spans. Such a job begins within a span, however long it may run, and is ended
 * with it.
 */
struct plan_reservation {
    uint32_t id;                   /* not 0 */
    uint32_t flags;                /* enum plan_resv_flags */
    const struct plan_span *spans; /* rising, apart from each other */
    uint32_t spans_n;              /* 0, and floats_ms too: there is no such reservation any more */
    struct bitset nodes;           /* that it has whole */
    const struct plan_place *parts; /* what it has of others, which do not count their cpus: cpus
                                       and devices */
    uint32_t parts_n;
    int64_t overrun_ms; /* its jobs are ended so long after a span; PLAN_NEVER: they are not */
    int64_t yields_ms;  /* jobs of no reservation that are no longer may be there all the same */
    int64_t floats_ms;  /* not 0: it has no spans, and always comes so long after now */
    const struct plan_claim *claims; /* what it holds itself of shared SUMs during its spans, FIXED;
                                        its jobs claim beside that */
    uint32_t claims_n;
};

/* What a number of resources is given for, each. */
enum plan_per { PLAN_PER_NODE, PLAN_PER_JOB, PLAN_PER_SOCKET, PLAN_PER_TASK };

struct plan_gres_ask {
    const char *name, *type; /* type NULL: any */
    uint64_t count;
    enum plan_per per;
};

/*
 * What the amount of a claim is given for, each. Other than FIXED it is what the job gets where it
 * runs, so that with --exclusive, --mem=0 or -N2-4 it is known only with the nodes. Such a job is
 * tried where the most that it may get is free; else on no more nodes than it needs, and such that
 * what these have is free.
 */
enum plan_claim_of {
    PLAN_CLAIM_FIXED,
    PLAN_CLAIM_NODES,  /* each node of the job: one that jobs share counts for each of them */
    PLAN_CLAIM_CPUS,   /* each cpu that it may use */
    PLAN_CLAIM_MEMORY, /* each MB that it is given */
    PLAN_CLAIM_GRES,   /* each generic resource of the name, and the type, that it is given */
};

/* What a job holds of a pool while it runs. Several claims of one pool are summed up: as billing
 * is, with weights as amounts. */
struct plan_claim {
    uint32_t pool; /* index in the snapshot */
    uint64_t amount;
    enum plan_claim_of of;
    const char *gres_name, *gres_type; /* of GRES; type NULL: any */
};

/* One way to run a job. */
struct plan_option {
    uint32_t partition;
    uint32_t reservation;            /* id; 0: none */
    const struct plan_claim *claims; /* in the order of checking: the first that is short is told */
    uint32_t claims_n;
};

enum plan_exclusive { PLAN_EXCLUSIVE_NO, PLAN_EXCLUSIVE_NODE, PLAN_EXCLUSIVE_USER };

/* Who says how many cores of a node are left to the system. */
enum plan_spare {
    PLAN_SPARE_BY_NODE, /* plan_node.barred */
    PLAN_SPARE_CORES,   /* --core-spec, instead */
    PLAN_SPARE_THREADS, /* --thread-spec, if that is more; in whole cores */
};

/* A node that a job names, and the tasks that are to run there. */
struct plan_listed {
    uint32_t node, tasks;
};

/* What a job asks for, numbers decided (no "unset"), sets over all nodes. */
struct plan_shape {
    uint32_t min_nodes, max_nodes; /* max 0: as few as will do from min up */
    bool ignores_nodes_max;        /* it may have more nodes than the partition lets others have */
    uint32_t nodes_limit;          /* it gets no more, however many it could do with; 0: any */
    uint32_t ntasks;               /* 0: only nodes and cpus are asked */
    uint32_t cpus_per_task;
    uint32_t ntasks_per_node, ntasks_per_socket, ntasks_per_core; /* 0: any */
    uint32_t min_cpus_per_node;
    uint32_t sockets_per_node, cores_per_socket; /* that a node must have for it; 0: any */
    uint64_t mem_per_node_mb, mem_per_cpu_mb;    /* one of them, or all 0 */
    uint64_t mem_per_gpu_mb;
    bool whole_node_memory; /* --mem=0 */
    enum plan_exclusive exclusive;
    bool oversubscribe; /* shares cpus where the partition lets it */
    bool overcommit, contiguous, use_min_nodes, spread, one_core_per_socket;
    uint32_t threads_per_core; /* 0: any */
    enum plan_spare spare;     /* else than by the node, `exclusive` is PLAN_EXCLUSIVE_NODE */
    uint32_t spared_n;
    enum distribution dist_nodes, dist_sockets, dist_cores;
    uint32_t plane_size;
    uint32_t switches;      /* most leaf switches; 0: any */
    int64_t switch_wait_ms; /* after so long in the queue any will do */
    const struct plan_gres_ask *gres;
    uint32_t gres_n;
    uint32_t cpus_per_gpu, ntasks_per_gpu; /* 0: not said */
    bool binds_gres;                       /* --gres-flags=enforce-binding */
    struct bitset required, excluded;      /* size 0: none */
    const struct plan_listed *listed;      /* DIST_ARBITRARY: all required nodes, and no others */
    uint32_t listed_n;
    const char *features; /* NULL: none; see constraint.h */
    const char *prefer;   /* tried first in place of `features`; NULL: nothing is */
};

/* Frees the lists and sets of a shape, where the caller owns them; the texts stay. */
void plan_shape_release(struct plan_shape *shape);

struct plan_job {
    uint64_t id; /* any number: one for each task of an array */
    uint32_t uid;
    uint64_t priority; /* higher goes first */
    int64_t submit_ms; /* then the earlier, by any clock; then the lower id */
    int64_t since_ms;  /* it waits since then: reserve_age_ms and switch_wait_ms count from here */
    /* The earliest start wins, then the higher tier, then the order here; the job ranks by the
     * highest tier. At least one; of a running job the first: it runs so. */
    const struct plan_option *options;
    uint32_t options_n;
    bool no_place; /* it gets no place in the future, whatever the policy says; a question about it
                      is answered as if it did */
    int64_t duration_ms;     /* PLAN_NEVER: no limit */
    int64_t duration_min_ms; /* --time-min: less will do, for a start now; 0: not */
    int64_t earliest_ms;     /* --begin */
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
    const struct plan_switch *switches; /* none: topology/flat */
    uint32_t switches_n;
    const struct plan_pool *pools;
    uint32_t pools_n;
    const struct plan_reservation *reservations;
    uint32_t reservations_n;
    const struct plan_job *jobs; /* running and eligible waiting ones, any order */
    uint32_t jobs_n;
};

struct plan_priority {
    uint64_t id;
    uint64_t priority;
};

enum plan_change_kind {
    PLAN_NODE_USABLE,   /* node, usable */
    PLAN_JOB_ADDED,     /* job: a waiting or a running one; replaces one of the same id */
    PLAN_JOB_REMOVED,   /* id: it waits no more, or holds nothing any more */
    PLAN_JOB_END,       /* id, end_ms: a running job's limit changed */
    PLAN_NODE_RELEASED, /* id, node: a running job gave this node back */
    PLAN_PARTITION,     /* node is the partition's number, usable: starts jobs */
    PLAN_PRIORITIES,    /* priorities, priorities_n: of waiting jobs */
    PLAN_RESERVATION,   /* reservation: new, or replaces that of the same id */
    PLAN_POOL, /* node is the pool's index, pool: with another total or moment, or one more pool */
};

struct plan_change {
    enum plan_change_kind kind;
    uint64_t id;
    uint32_t node;
    bool usable;
    int64_t end_ms;
    const struct plan_job *job; /* all borrowed for the call */
    const struct plan_priority *priorities;
    uint32_t priorities_n;
    const struct plan_reservation *reservation;
    const struct plan_pool *pool;
};

/* ---- decisions ---- */

enum plan_verdict {
    PLAN_START,      /* now, on exactly these places */
    PLAN_LATER,      /* at `at_ms` on these nodes */
    PLAN_WAITS,      /* not placed: see why */
    PLAN_NEVER_FITS, /* no set of this partition's nodes could ever hold it */
};

/* Why a job waits, with the numbers of Slurm's reasons for those that are told as they are. */
enum plan_why {
    PLAN_WHY_NONE = 0,
    PLAN_WHY_PRIORITY = 1,  /* others come first */
    PLAN_WHY_RESOURCES = 3, /* first in its partition: nodes are busy */
    PLAN_WHY_PARTITION_DOWN = 6,
    PLAN_WHY_BEGIN = 9,
    PLAN_WHY_RESERVATION = 14, /* its nodes are kept for others, or its own window is not open */
    PLAN_WHY_NODES_DOWN = 21,  /* would fit, were its nodes not down or drained */
    PLAN_WHY_POOL = 1000,      /* too little of a pool is free, or there is of it; it is named */
    PLAN_WHY_NOT_TRIED,        /* beyond the limits of the policy */
};

/* What a job that waits for resources has too little of, on the nodes that it is planned on. */
enum plan_lack {
    PLAN_LACKS_CPUS = 1,
    PLAN_LACKS_MEMORY = 2,
    PLAN_LACKS_GRES = 4,
    PLAN_LACKS_POOL = 8,   /* a shared one: a private one is told as the reason */
    PLAN_LACKS_NODES = 16, /* whole ones */
};

/* Owned by the planner, valid until its next operation. */
struct plan_decision {
    uint64_t job_id;
    enum plan_verdict verdict;
    enum plan_why why;
    uint32_t option;                 /* of the job: the one it starts by, or is planned by */
    uint32_t partition, reservation; /* that one's; 0: none */
    uint32_t pool, reason;           /* of PLAN_WHY_POOL: the pool's index, and its `reason` */
    uint32_t lacks;                  /* enum plan_lack */
    int64_t at_ms;
    int64_t duration_ms; /* of a start: no more than asked, no less than duration_min_ms; its
                            reservation may end before */
    bool backfilled;     /* starts before a job of higher rank does */
    bool forecast;       /* no promise: of a planner that forecasts, or in private pools alone */
    const struct plan_place *places;
    uint32_t places_n;
    const uint64_t *blockers; /* jobs that hold what it needs, at most PLAN_BLOCKERS_MAX */
    uint32_t blockers_n;
};
#define PLAN_BLOCKERS_MAX 8

struct planner *planner_new(void);
struct planner *planner_free(struct planner *planner);

/* Frees a planner that is of no more use in slices: returns NULL when nothing is left of it, else
 * the planner, to be passed in again. */
struct planner *planner_discard(struct planner *planner, uint32_t units);

/* Begins anew from the snapshot, which is copied. Forgets all plans. */
void planner_rebuild(struct planner *planner, const struct plan_snapshot *snapshot);

/* Applies a change. Plans made so far that it could touch are made again by the steps that
 * follow. */
void planner_apply(struct planner *planner, int64_t now_ms, const struct plan_change *change);

/*
 * Works for at most `units`; returns true when there is more to do. Decisions are starts, in order
 * of rank, and those jobs that will never fit, once each. A PLAN_START is taken as done: the job
 * runs from now on. Where waiting jobs stand is asked with planner_look.
 */
bool planner_step(struct planner *planner, int64_t now_ms, uint32_t units,
                  const struct plan_decision **ret_decisions, uint32_t *ret_n);

/* Tells where a waiting job stands in the plan; returns false when the job is not known, or not
 * planned yet. */
bool planner_look(const struct planner *planner, uint64_t job_id, struct plan_decision *ret);

/* Returns the policy of a controller whose slurm.conf says nothing: see docs/SCHEDULING.md. */
struct plan_policy plan_policy_default(void);

/* How long the queue is, and how many of its first jobs have their places in the plan. */
struct plan_counts {
    uint32_t queued, planned;
    bool tries_used, starts_used; /* the last pass did as much as the policy lets it */
};
struct plan_counts planner_counts(const struct planner *planner);

/* Returns when time alone makes the next step useful (a --begin, an overdue end), or PLAN_NEVER. */
int64_t planner_wakes_at(const struct planner *planner);

/* Returns whether some set of nodes could hold the job, were they up and empty, and no shared pool
 * is too small for it. The planner need not know the job. Private pools do not count: a limit that
 * is too low may be raised. */
bool planner_fits_ever(const struct planner *planner, const struct plan_job *job);

/* Sets which nodes reservations keep whole from a job that is in none and would be there for
 * `length_ms` (PLAN_NEVER: without end) from now on; `of_maint`: only those of PLAN_RESV_MAINT. */
void planner_kept_nodes(const struct planner *planner, int64_t length_ms, bool of_maint,
                        struct bitset *ret);

/*
 * Asks where a job that the planner does not know would go: --test-only. The steps that follow find
 * it out, little by little. There is one question at a time; the one before is forgotten. The few
 * jobs that came just before are planned first; where many are not planned yet, these do not count.
 * What has to make way for the question is put back as it was, and where jobs stand is told as
 * before even while it is away. When something changes meanwhile the search begins anew.
 */
void planner_ask(struct planner *planner, int64_t now_ms, const struct plan_job *job);

/* Tells the answer, valid until something else is asked or it is forgotten; returns false when it
 * is not found yet, or nothing was asked. */
bool planner_answer(const struct planner *planner, struct plan_decision *ret);

/* Drops the question; what made way for it comes back with the next steps. */
void planner_forget_question(struct planner *planner);

/* Works for at most `units` on the question alone: nothing is planned, nothing starts, and what is
 * not planned does not count. Returns true when there is more to do. */
bool planner_ponder(struct planner *planner, int64_t now_ms, uint32_t units);
