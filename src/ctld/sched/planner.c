#include "ctld/sched/planner.h"

#include <string.h>

#include "ctld/sched/state.h"

struct planner *planner_new(void)
{
    struct planner *planner = xcalloc(1, sizeof(*planner));

    planner->kinds = xcalloc(1, sizeof(*planner->kinds));
    planner->answer = xcalloc(1, sizeof(*planner->answer));
    planner->next_end_ms = PLAN_NEVER;
    planner->next_begin_ms = PLAN_NEVER;
    return planner;
}

static void forget_decisions(struct planner *planner)
{
    for (uint32_t i = 0; i < planner->decisions_n; i++)
        plan_places_free(planner->decisions[i].places, planner->decisions[i].places_n);
    planner->decisions_n = 0;
}

static void forget_all(struct planner *planner)
{
    struct sched_job *job, *next;

    HASH_ITER (hh, planner->jobs, job, next) {
        HASH_DEL(planner->jobs, job);
        sched_job_free(planner->kinds, job);
    }
    planner->plan = plan_free(planner->plan);
    kinds_clear(planner->kinds);
    sched_cluster_clear(&planner->cluster);
    planner->waiting_n = 0;
    planner->planned_n = 0;
    forget_decisions(planner);
}

struct planner *planner_free(struct planner *planner)
{
    if (!planner)
        return NULL;
    forget_all(planner);
    answer_clear(planner->answer);
    free(planner->answer);
    free(planner->kinds);
    free(planner->waiting);
    free(planner->decisions);
    free(planner);
    return NULL;
}

/* ---- the queue ---- */

uint32_t planner_rank(const struct planner *planner, const struct sched_job *job)
{
    uint32_t low = 0, high = planner->waiting_n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (sched_job_compare(&planner->cluster, planner->waiting[middle], job) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void mark_stale(struct planner *planner, uint32_t rank)
{
    if (rank < planner->stale)
        planner->stale = rank;
}

static void queue_insert(struct planner *planner, struct sched_job *job)
{
    const uint32_t rank = planner_rank(planner, job);

    if (planner->waiting_n == planner->room) {
        planner->room = planner->room ? planner->room * 2 : 64;
        planner->waiting =
            xreallocarray(planner->waiting, planner->room, sizeof(*planner->waiting));
    }
    memmove(&planner->waiting[rank + 1], &planner->waiting[rank],
            (planner->waiting_n - rank) * sizeof(*planner->waiting));
    planner->waiting[rank] = job;
    planner->waiting_n++;
    planner->planned_n += rank < planner->planned_n;
    mark_stale(planner, rank);
}

static void queue_remove(struct planner *planner, uint32_t rank)
{
    planner->waiting_n--;
    memmove(&planner->waiting[rank], &planner->waiting[rank + 1],
            (planner->waiting_n - rank) * sizeof(*planner->waiting));
    if (rank < planner->planned_n) {
        planner->planned_n--;
        planner->queue_stale = true;
    }
    mark_stale(planner, rank);
}

/* The first job that could use the node. */
static void mark_node_stale(struct planner *planner, uint32_t node)
{
    for (uint32_t i = 0; i < planner->waiting_n; i++) {
        const uint32_t partition = planner->waiting[i]->partition;

        if (bitset_has(&planner->cluster.partitions[partition].nodes, node)) {
            mark_stale(planner, i);
            return;
        }
    }
}

static void mark_partition_stale(struct planner *planner, uint32_t partition)
{
    for (uint32_t i = 0; i < planner->waiting_n; i++) {
        if (planner->waiting[i]->partition == partition) {
            mark_stale(planner, i);
            return;
        }
    }
}

/* ---- changes ---- */

static struct sched_job *find_job(const struct planner *planner, uint32_t id)
{
    struct sched_job *job;

    HASH_FIND_INT(planner->jobs, &id, job);
    return job;
}

static void add_job(struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job;

    if (from->partition >= planner->cluster.partitions_n || find_job(planner, from->id))
        return;
    job = sched_job_new(&planner->cluster, planner->kinds, from);
    HASH_ADD_INT(planner->jobs, id, job);
    if (job->runs)
        planner->starts_over = true;
    else
        queue_insert(planner, job);
}

static void remove_job(struct planner *planner, uint32_t id)
{
    struct sched_job *job = find_job(planner, id);

    if (!job)
        return;
    plan_unclaim(planner->plan, job);
    if (job->runs)
        planner->starts_over = true;
    else
        queue_remove(planner, planner_rank(planner, job));
    HASH_DEL(planner->jobs, job);
    sched_job_free(planner->kinds, job);
}

static void release_node(struct planner *planner, uint32_t id, uint32_t node)
{
    struct sched_job *job = find_job(planner, id);

    if (!job || !job->runs)
        return;
    plan_unclaim(planner->plan, job);
    if (sched_job_drop_place(job, node))
        planner->starts_over = true;
}

static void set_usable(struct planner *planner, uint32_t node, bool usable)
{
    struct bitset *set = &planner->cluster.usable;

    if (node >= set->size || bitset_has(set, node) == usable)
        return;
    if (usable)
        bitset_add(set, node);
    else
        bitset_del(set, node);
    planner->kinds->usable_number++;
    plan_forget(planner->plan);
    mark_node_stale(planner, node);
}

static void set_starts_jobs(struct planner *planner, uint32_t partition, bool starts_jobs)
{
    if (partition >= planner->cluster.partitions_n)
        return;
    planner->cluster.partitions[partition].starts_jobs = starts_jobs;
    mark_partition_stale(planner, partition);
}

static void set_end(struct planner *planner, uint32_t id, int64_t end_ms)
{
    struct sched_job *job = find_job(planner, id);

    if (!job || !job->runs || job->end_ms == end_ms)
        return;
    job->end_ms = end_ms;
    planner->starts_over = true;
}

static void set_priorities(struct planner *planner, const struct plan_change *change)
{
    for (uint32_t i = 0; i < change->priorities_n; i++) {
        struct sched_job *job = find_job(planner, change->priorities[i].id);

        if (!job || job->runs || job->priority == change->priorities[i].priority)
            continue;
        plan_unclaim(planner->plan, job);
        queue_remove(planner, planner_rank(planner, job));
        job->priority = change->priorities[i].priority;
        queue_insert(planner, job);
    }
}

static void set_now(struct planner *planner, int64_t now_ms)
{
    if (now_ms > planner->now_ms)
        planner->now_ms = now_ms;
}

void planner_rebuild(struct planner *planner, const struct plan_snapshot *snapshot)
{
    forget_all(planner);
    sched_cluster_init(&planner->cluster, snapshot);
    kinds_init(planner->kinds, &planner->cluster);
    planner->plan = plan_new(&planner->cluster, planner->kinds);
    planner->now_ms = snapshot->now_ms;
    planner->starts_over = true;
    for (uint32_t i = 0; i < snapshot->jobs_n; i++)
        add_job(planner, &snapshot->jobs[i]);
}

void planner_apply(struct planner *planner, int64_t now_ms, const struct plan_change *change)
{
    set_now(planner, now_ms);
    if (!planner->plan)
        return;
    switch (change->kind) {
    case PLAN_NODE_USABLE:
        set_usable(planner, change->node, change->usable);
        break;
    case PLAN_JOB_ADDED:
        remove_job(planner, change->job->id);
        add_job(planner, change->job);
        break;
    case PLAN_JOB_REMOVED:
        remove_job(planner, change->id);
        break;
    case PLAN_JOB_END:
        set_end(planner, change->id, change->end_ms);
        break;
    case PLAN_PRIORITIES:
        set_priorities(planner, change);
        break;
    case PLAN_NODE_RELEASED:
        release_node(planner, change->id, change->node);
        break;
    case PLAN_PARTITION:
        set_starts_jobs(planner, change->node, change->usable);
        break;
    }
}

/* ---- planning ---- */

static void claim_running(struct planner *planner, struct plan *plan)
{
    struct sched_job *job, *next;

    HASH_ITER (hh, planner->jobs, job, next) {
        if (!job->runs)
            continue;
        job->from = INT64_MIN;
        job->to = end_assumed(job->end_ms, planner->now_ms);
        plan_claim(plan, job);
    }
}

static int64_t first_end(const struct planner *planner)
{
    int64_t first = PLAN_NEVER;

    for (const struct sched_job *job = planner->jobs; job; job = job->hh.next) {
        if (job->runs && job->to < first && job->to < END_HORIZON)
            first = job->to;
    }
    return first;
}

static void start_over(struct planner *planner)
{
    plan_reset(planner->plan);
    claim_running(planner, planner->plan);
    planner->next_end_ms = first_end(planner);
    planner->next_begin_ms = PLAN_NEVER;
    planner->planned_n = 0;
    planner->stale = UINT32_MAX;
    planner->queue_stale = false;
    planner->starts_over = false;
}

/* Gives the plans back that have to be made again. */
static void go_back(struct planner *planner)
{
    for (uint32_t i = planner->stale; i < planner->planned_n; i++) {
        plan_unclaim(planner->plan, planner->waiting[i]);
        planner->queue_stale = true;
    }
    if (planner->stale < planner->planned_n)
        planner->planned_n = planner->stale;
    if (planner->queue_stale) {
        plan_queue_reset(planner->plan);
        for (uint32_t i = 0; i < planner->planned_n; i++)
            plan_queued(planner->plan, planner->waiting[i]);
    }
    planner->queue_stale = false;
    planner->stale = UINT32_MAX;
}

static void tell(struct planner *planner, const struct sched_job *job)
{
    *ARRAY_PUSH(planner->decisions, planner->decisions_n) = plan_decision_of(planner->plan, job);
}

/* The job at the head of the unplanned ones runs: it waits no more. */
static void leave_queue(struct planner *planner, struct sched_job *job)
{
    queue_remove(planner, planner->planned_n);
    planner->stale = UINT32_MAX; /* what stood behind it is not planned yet */
    if (job->to < END_HORIZON && job->to < planner->next_end_ms)
        planner->next_end_ms = job->to;
    kinds_put(planner->kinds, job->kind);
    job->kind = NULL;
}

static void stay_in_queue(struct planner *planner, struct sched_job *job)
{
    plan_queued(planner->plan, job);
    planner->planned_n++;
    if (job->why == PLAN_WHY_BEGIN && job->earliest_ms < planner->next_begin_ms)
        planner->next_begin_ms = job->earliest_ms;
}

/* The job is planned: it runs from now on, or those behind it plan around it. */
static void settle(struct planner *planner, struct sched_job *job,
                   const struct plan_outcome *outcome)
{
    plan_outcome_give(job, outcome, planner->now_ms);
    plan_claim(planner->plan, job);
    if (job->runs || (job->verdict == PLAN_NEVER_FITS && !job->told_hopeless))
        tell(planner, job);
    job->told_hopeless = job->verdict == PLAN_NEVER_FITS;
    if (job->runs)
        leave_queue(planner, job);
    else
        stay_in_queue(planner, job);
}

static struct plan_outcome out_of_depth(void)
{
    return (struct plan_outcome){
        .verdict = PLAN_WAITS,
        .why = PLAN_WHY_PRIORITY,
        .at_ms = PLAN_NEVER,
    };
}

static bool plan_next(struct planner *planner, uint32_t *units)
{
    const uint32_t depth_max = planner->cluster.policy.tries_max;
    struct sched_job *job = planner->waiting[planner->planned_n];
    struct plan_outcome outcome;

    if (depth_max && planner->planned_n >= depth_max) {
        outcome = out_of_depth();
        *units -= 1;
    } else if (!plan_try(planner->plan, job, planner->now_ms, units, &outcome)) {
        return false;
    }
    settle(planner, job, &outcome);
    return true;
}

bool planner_step(struct planner *planner, int64_t now_ms, uint32_t units,
                  const struct plan_decision **ret_decisions, uint32_t *ret_n)
{
    set_now(planner, now_ms);
    forget_decisions(planner);
    if (planner->plan && planner_wakes_at(planner) <= planner->now_ms)
        planner->starts_over = true;
    if (planner->starts_over)
        start_over(planner);
    else
        go_back(planner);
    while (units > 0 && planner->planned_n < planner->waiting_n && plan_next(planner, &units))
        ;
    *ret_decisions = planner->decisions;
    *ret_n = planner->decisions_n;
    return planner->planned_n < planner->waiting_n;
}

int64_t planner_wakes_at(const struct planner *planner)
{
    if (planner->waiting_n == 0)
        return PLAN_NEVER;
    return planner->next_begin_ms < planner->next_end_ms ? planner->next_begin_ms
                                                         : planner->next_end_ms;
}
