#include "ctld/sched/plan.h"

/* What the waiting jobs seen so far mean for those behind them. */
struct queue_state {
    bool has_first;      /* a job of this partition waits for resources */
    bool blocked;        /* a job that shares nodes with this partition does */
    int64_t floor;       /* the latest start of those, for in-order start */
    struct bitset meets; /* partitions that share nodes with this one */
};

struct holders {
    struct sched_job **jobs;
    uint32_t n;
};

struct plan {
    const struct sched_cluster *cluster;
    struct kinds *kinds;
    struct future *future;
    struct search *search;
    struct queue_state *queues; /* of each partition */
    struct holders *holders;    /* of each node: the jobs that claim it */
};

static void find_meets(struct plan *plan, uint32_t partition)
{
    const struct sched_cluster *cluster = plan->cluster;
    struct bitset *meets = &plan->queues[partition].meets;

    bitset_init(meets, cluster->partitions_n);
    for (uint32_t i = 0; i < cluster->partitions_n; i++) {
        if (i == partition ||
            bitset_meets(&cluster->partitions[partition].nodes, &cluster->partitions[i].nodes))
            bitset_add(meets, i);
    }
}

struct plan *plan_new(const struct sched_cluster *cluster, struct kinds *kinds)
{
    struct plan *plan = xcalloc(1, sizeof(*plan));

    plan->cluster = cluster;
    plan->kinds = kinds;
    plan->future = future_new(cluster);
    plan->search = search_new(cluster, plan->future);
    plan->queues = xcalloc(cluster->partitions_n, sizeof(*plan->queues));
    plan->holders = xcalloc(cluster->nodes_n, sizeof(*plan->holders));
    for (uint32_t i = 0; i < cluster->partitions_n; i++)
        find_meets(plan, i);
    plan_queue_reset(plan);
    return plan;
}

struct plan *plan_free(struct plan *plan)
{
    if (!plan)
        return NULL;
    for (uint32_t i = 0; i < plan->cluster->partitions_n; i++)
        bitset_clear(&plan->queues[i].meets);
    for (uint32_t i = 0; i < plan->cluster->nodes_n; i++)
        free(plan->holders[i].jobs);
    search_free(plan->search);
    future_free(plan->future);
    free(plan->queues);
    free(plan->holders);
    free(plan);
    return NULL;
}

void plan_reset(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->cluster->nodes_n; i++) {
        for (uint32_t j = 0; j < plan->holders[i].n; j++)
            plan->holders[i].jobs[j]->claims = false;
        free(plan->holders[i].jobs);
        plan->holders[i] = (struct holders){ 0 };
    }
    future_reset(plan->future);
    plan_queue_reset(plan);
}

void plan_claim(struct plan *plan, struct sched_job *job)
{
    for (uint32_t i = 0; i < job->places_n; i++) {
        struct holders *holders = &plan->holders[job->places[i].node];

        future_take(plan->future, &job->places[i], job->from, job->to);
        *ARRAY_PUSH(holders->jobs, holders->n) = job;
    }
    job->claims = true;
}

static void holders_drop(struct holders *holders, const struct sched_job *job)
{
    uint32_t i = holders->n;

    while (i > 0 && holders->jobs[i - 1] != job)
        i--;
    if (i == 0)
        return;
    holders->jobs[i - 1] = holders->jobs[--holders->n];
}

void plan_unclaim(struct plan *plan, struct sched_job *job)
{
    if (!job->claims)
        return;
    for (uint32_t i = 0; i < job->places_n; i++) {
        future_give(plan->future, &job->places[i], job->from, job->to);
        holders_drop(&plan->holders[job->places[i].node], job);
    }
    job->claims = false;
    search_forget(plan->search);
}

void plan_queue_reset(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->cluster->partitions_n; i++) {
        plan->queues[i].has_first = false;
        plan->queues[i].blocked = false;
        plan->queues[i].floor = INT64_MIN;
    }
    search_forget(plan->search);
}

void plan_forget(struct plan *plan)
{
    search_forget(plan->search);
}

void plan_queued(struct plan *plan, const struct sched_job *job)
{
    if (job->why != PLAN_WHY_RESOURCES && job->why != PLAN_WHY_PRIORITY)
        return;
    plan->queues[job->partition].has_first = true;
    BITSET_FOREACH (&plan->queues[job->partition].meets, i) {
        struct queue_state *queue = &plan->queues[i];

        queue->blocked = true;
        queue->floor = job->at_ms > queue->floor ? job->at_ms : queue->floor;
    }
}

static struct plan_outcome wait_for(enum plan_why why, int64_t at_ms)
{
    return (struct plan_outcome){ .verdict = PLAN_WAITS, .why = why, .at_ms = at_ms };
}

/* What can be said without looking into the future. */
static bool decide_early(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                         struct plan_outcome *ret)
{
    if (!job->kind->fits_ever)
        *ret = (struct plan_outcome){ .verdict = PLAN_NEVER_FITS, .at_ms = PLAN_NEVER };
    else if (job->earliest_ms > now_ms)
        *ret = wait_for(PLAN_WHY_BEGIN, job->earliest_ms);
    else if (!plan->cluster->partitions[job->partition].starts_jobs)
        *ret = wait_for(PLAN_WHY_PARTITION_DOWN, PLAN_NEVER);
    else if (!kind_fits_usable(plan->kinds, job->kind))
        *ret = wait_for(PLAN_WHY_NODES_DOWN, PLAN_NEVER);
    else
        return false;
    return true;
}

static struct plan_outcome start_at(const struct plan *plan, const struct sched_job *job,
                                    int64_t at_ms, int64_t now_ms)
{
    const struct queue_state *queue = &plan->queues[job->partition];

    if (at_ms <= now_ms)
        return (struct plan_outcome){
            .verdict = PLAN_START,
            .at_ms = at_ms,
            .backfilled = queue->blocked,
        };
    return (struct plan_outcome){
        .verdict = at_ms < END_HORIZON ? PLAN_LATER : PLAN_WAITS,
        .why = queue->has_first ? PLAN_WHY_PRIORITY : PLAN_WHY_RESOURCES,
        .at_ms = at_ms,
    };
}

/* Without backfill nothing starts before what waits in front of it. */
static int64_t first_moment(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    const int64_t seen = search_from(plan->search, job->kind, job->duration_ms);
    int64_t at = now_ms > seen ? now_ms : seen;

    if (!plan->cluster->policy.backfill && plan->queues[job->partition].floor > at)
        at = plan->queues[job->partition].floor;
    return at;
}

bool plan_try(struct plan *plan, struct sched_job *job, int64_t now_ms, uint32_t *units,
              struct plan_outcome *ret)
{
    int64_t at;

    *units -= *units > 0;
    if (decide_early(plan, job, now_ms, ret))
        return true;
    for (at = first_moment(plan, job, now_ms); at < FUTURE_END; *units -= 1) {
        struct sched_place *places;
        const uint32_t n =
            search_try(plan->search, job->kind, job->duration_ms, at, at <= now_ms, &places, &at);

        if (n) {
            *ret = start_at(plan, job, at, now_ms);
            ret->places = places;
            ret->places_n = n;
            return true;
        }
        if (*units == 0)
            return false;
    }
    *ret = start_at(plan, job, FUTURE_END, now_ms);
    return true;
}

struct plan_decision plan_decision_of(const struct plan *plan, const struct sched_job *job)
{
    const bool placed = job->verdict == PLAN_START || job->verdict == PLAN_LATER;
    const bool begins = job->why == PLAN_WHY_BEGIN;

    return (struct plan_decision){
        .job_id = job->id,
        .verdict = job->verdict,
        .why = job->why,
        .partition = job->partition,
        .at_ms = placed || begins ? job->at_ms : PLAN_NEVER,
        .duration_ms = job->duration_ms,
        .backfilled = job->backfilled,
        .places = placed ? sched_places_show(job->places, job->places_n, plan->cluster) : NULL,
        .places_n = placed ? job->places_n : 0,
    };
}

void plan_outcome_give(struct sched_job *job, const struct plan_outcome *outcome, int64_t now_ms)
{
    places_free(job->places, job->places_n);
    job->places = outcome->places;
    job->places_n = outcome->places_n;
    job->tried = true;
    job->verdict = outcome->verdict;
    job->why = outcome->why;
    job->at_ms = outcome->at_ms;
    job->backfilled = outcome->backfilled;
    job->from = outcome->at_ms;
    job->to = future_add(outcome->at_ms, length_planned(job->duration_ms));
    if (outcome->verdict == PLAN_START) {
        job->runs = true;
        job->end_ms =
            job->duration_ms == PLAN_NEVER ? PLAN_NEVER : future_add(job->from, job->duration_ms);
        job->to = end_assumed(job->end_ms, now_ms);
    }
}

static uint32_t add_sorted(uint32_t *ids, uint32_t n, uint32_t id)
{
    uint32_t at = 0;

    while (at < n && ids[at] < id)
        at++;
    if (at == PLAN_BLOCKERS_MAX || (at < n && ids[at] == id))
        return n;
    n += n < PLAN_BLOCKERS_MAX;
    for (uint32_t i = n - 1; i > at; i--)
        ids[i] = ids[i - 1];
    ids[at] = id;
    return n;
}

/* Whether `holder` has what `place` needs, some time in [from, to). */
static bool is_in_the_way(const struct sched_node *node, const struct sched_job *holder,
                          const struct sched_place *place, int64_t from, int64_t to)
{
    if (holder->from >= to || holder->to <= from)
        return false;
    for (uint32_t i = 0; i < holder->places_n; i++) {
        if (holder->places[i].node == place->node)
            return supplies_meet(node, &holder->places[i].supply, &place->supply);
    }
    return false;
}

uint32_t plan_blockers(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                       uint32_t *ret_ids)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < job->places_n; i++) {
        const struct sched_place *place = &job->places[i];
        const struct sched_node *node = &plan->cluster->nodes[place->node];
        const struct holders *holders = &plan->holders[place->node];

        for (uint32_t j = 0; j < holders->n; j++) {
            if (holders->jobs[j] != job &&
                is_in_the_way(node, holders->jobs[j], place, now_ms, job->from))
                n = add_sorted(ret_ids, n, holders->jobs[j]->id);
        }
    }
    return n;
}
