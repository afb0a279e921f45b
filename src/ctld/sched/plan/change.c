/* Applies what changes to the planner's state; pass.c plans again what is lifted here. */
#include "ctld/sched/plan/state.h"

struct sched_job *planner_find(const struct planner *planner, uint64_t id)
{
    return roster_find(&planner->jobs, id);
}

bool planner_has_partition(const struct planner *planner, const struct plan_job *from)
{
    return from->options_n && from->options[0].partition < planner->cluster.partitions_n;
}

void planner_lift(struct planner *planner, uint32_t rank)
{
    if (rank < planner->planned_n && rank < planner->lift_to)
        planner->lift_to = rank;
}

static bool has_turns(const struct planner *planner)
{
    return planner->turns.turn != PLAN_TURN_RANK;
}

uint32_t planner_in_line_n(const struct planner *planner, uint32_t rank)
{
    if (rank >= planner->queue.n)
        return planner->in_line.n;
    return queue_rank(&planner->in_line, planner->queue.by_rank[rank]);
}

static void leave_line(struct planner *planner, const struct sched_job *job)
{
    queue_remove(&planner->in_line, queue_rank(&planner->in_line, job));
}

static void leave_turns(struct planner *planner, struct sched_job *job)
{
    job->put_off = false;
    limits_put_off(&planner->limits, job, false);
    turns_drop(&planner->turns, job);
}

static void enter_turns(struct planner *planner, struct sched_job *job)
{
    job->put_off = true;
    limits_put_off(&planner->limits, job, true);
    turns_add(&planner->turns, job);
}

/* Notes when the job is of age for a place and returns that: until it has been tried, nothing else
 * tells (wake_note). */
static int64_t await_age(struct planner *planner, const struct sched_job *job)
{
    const int64_t of_age_ms = limits_of_age(&planner->limits, job, planner->now_ms);

    if (of_age_ms < planner->next_age_ms)
        planner->next_age_ms = of_age_ms;
    return of_age_ms;
}

void planner_put_off(struct planner *planner, struct sched_job *job, bool put_off)
{
    if (job->put_off == put_off)
        return;
    if (put_off) {
        leave_line(planner, job);
        enter_turns(planner, job);
        await_age(planner, job);
    } else {
        leave_turns(planner, job);
        queue_insert(&planner->in_line, job);
    }
}

/* Puts a new job off: whether it gets a place is found out when the pass comes to it, if it
 * does. */
static void await_turn(struct planner *planner, struct sched_job *job)
{
    enter_turns(planner, job);
    if (await_age(planner, job) == PLAN_NEVER && planner->cluster.policy.plan_age_ms)
        planner->scans_all = true;
}

static void enqueue(struct planner *planner, struct sched_job *job)
{
    const uint32_t rank = queue_rank(&planner->queue, job);

    planner_lift(planner, rank);
    queue_insert(&planner->queue, job);
    planner->planned_n += rank < planner->planned_n;
    if (has_turns(planner))
        await_turn(planner, job);
}

void planner_leave_queue(struct planner *planner, struct sched_job *job)
{
    const uint32_t rank = queue_rank(&planner->queue, job);

    if (rank < planner->planned_n)
        planner->planned_n--;
    else if (!job->put_off)
        planner->unsettled_n--;
    planner->narrowed_n -= job->was_narrowed;
    if (job->put_off)
        leave_turns(planner, job);
    else if (has_turns(planner))
        leave_line(planner, job);
    queue_remove(&planner->queue, rank);
}

static void dequeue(struct planner *planner, struct sched_job *job)
{
    const uint32_t rank = queue_rank(&planner->queue, job);

    planner_lift(planner, rank);
    planner->queue_stale |= rank < planner->planned_n; /* it was counted */
    if (job->claims || job->was_planned)
        keeper_freed(&planner->keeper, planner->plan, job);
    job->was_planned = false;
    planner_leave_queue(planner, job);
}

void planner_run(struct planner *planner, struct sched_job *job)
{
    job->running = planner->running_n;
    *ARRAY_PUSH(planner->running, planner->running_n) = job;
    if (job->to < planner->next_end_ms && job->to < END_HORIZON)
        planner->next_end_ms = job->to;
}

static void stop_running(struct planner *planner, struct sched_job *job)
{
    planner->running[job->running] = planner->running[--planner->running_n];
    planner->running[job->running]->running = job->running;
}

static void take_watched(struct planner *planner, uint32_t pool, const struct sched_job *job)
{
    if (job->claims && claims_find(job->list, pool))
        claims_take_of(planner->pools, job->list, pool, plan_claim_time(job));
}

void planner_watch_pools(struct planner *planner)
{
    for (uint32_t pool; (pool = pools_watch_next(planner->pools)) != POOL_NONE;) {
        for (uint32_t i = 0; i < planner->running_n; i++)
            take_watched(planner, pool, planner->running[i]);
        for (uint32_t i = 0; i < planner->planned_n; i++) /* none behind them claims anything */
            take_watched(planner, pool, planner->queue.by_rank[i]);
        windows_take_of(&planner->plan->windows, pool);
        pools_note_counted(planner->pools, pool);
    }
}

/* Lets a running job take its places, whatever was planned on them. */
static void claim_running(struct planner *planner, struct sched_job *job)
{
    job->to = end_assumed(job->end_ms, planner->now_ms);
    sched_job_lengthen(planner->pools, job, planner->now_ms);
    planner_watch_pools(planner);
    plan_clear_way(planner->plan, job);
    plan_claim(planner->plan, job);
}

static struct sched_job *new_job(struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job;

    if (!planner_has_partition(planner, from) || planner_find(planner, from->id))
        return NULL;
    job = sched_job_new(&planner->cluster, planner->kinds, planner->pools, from);
    planner_watch_pools(planner);
    roster_add(&planner->jobs, job);
    if (!job->runs)
        return job;
    planner_lift(planner, 0);
    job->from = INT64_MIN;
    claim_running(planner, job);
    planner_run(planner, job);
    return job;
}

static void add_job(struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job = new_job(planner, from);

    if (job && !job->runs)
        enqueue(planner, job);
}

void planner_add_all(struct planner *planner, const struct plan_job *jobs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct sched_job *job = new_job(planner, &jobs[i]);

        if (job && !job->runs)
            queue_append(&planner->queue, job);
    }
    queue_sort(&planner->queue);
    for (uint32_t i = 0; has_turns(planner) && i < planner->queue.n; i++)
        await_turn(planner, planner->queue.by_rank[i]);
}

static void remove_job(struct planner *planner, uint64_t id)
{
    struct sched_job *job = planner_find(planner, id);

    if (!job)
        return;
    if (job->runs) {
        planner_lift(planner, 0);
        stop_running(planner, job);
        keeper_freed(&planner->keeper, planner->plan, job);
    } else {
        dequeue(planner, job);
    }
    plan_unclaim(planner->plan, job);
    roster_remove(&planner->jobs, job);
    sched_job_free(planner->kinds, planner->pools, job);
}

void planner_extend(struct planner *planner, struct sched_job *job)
{
    planner_lift(planner, 0);
    plan_unclaim(planner->plan, job);
    claim_running(planner, job);
}

static void release_node(struct planner *planner, uint64_t id, uint32_t node)
{
    struct sched_job *job = planner_find(planner, id);

    if (!job || !job->runs)
        return;
    planner_lift(planner, 0);
    plan_unclaim(planner->plan, job);
    keeper_freed(&planner->keeper, planner->plan, job);
    sched_job_drop_place(job, node);
    plan_claim(planner->plan, job);
}

static bool may_go_to(const struct planner *planner, const struct sched_job *job, uint32_t node)
{
    for (uint32_t i = 0; i < job->options_n; i++) {
        if (bitset_has(&planner->cluster.partitions[job->options[i].partition].nodes, node))
            return true;
    }
    return false;
}

/* Drops all that was found out, since nodes or times of nodes came or went. */
static void forget_all(struct planner *planner)
{
    keeper_forget(&planner->keeper, planner->plan);
    plan_forget(planner->plan);
    planner->plan->gives_n++;
    planner->doubts_all = true;
}

static void set_usable(struct planner *planner, uint32_t node, bool usable)
{
    struct bitset *set = &planner->cluster.usable;
    uint32_t rank = 0;

    if (node >= set->size || bitset_has(set, node) == usable)
        return;
    if (usable)
        bitset_add(set, node);
    else
        bitset_del(set, node);
    planner->kinds->usable_number++;
    forget_all(planner);
    while (rank < planner->planned_n && !may_go_to(planner, planner->queue.by_rank[rank], node))
        rank++;
    planner_lift(planner, rank);
}

static void set_starts_jobs(struct planner *planner, uint32_t partition, bool starts_jobs)
{
    if (partition >= planner->cluster.partitions_n)
        return;
    planner->cluster.partitions[partition].starts_jobs = starts_jobs;
    forget_all(planner);
    planner_lift(planner, 0);
}

static void set_end(struct planner *planner, uint64_t id, int64_t end_ms)
{
    struct sched_job *job = planner_find(planner, id);

    if (!job || !job->runs || job->end_ms == end_ms)
        return;
    keeper_freed(&planner->keeper, planner->plan, job);
    job->end_ms = end_ms;
    planner_extend(planner, job);
    if (job->to < planner->next_end_ms && job->to < END_HORIZON)
        planner->next_end_ms = job->to;
}

/* Gives jobs other priorities. Those that age together keep their order, and so their plans:
 * nothing is planned again. */
static void set_priorities(struct planner *planner, const struct plan_change *change)
{
    const uint64_t reserve = planner->cluster.policy.reserve_priority;
    uint32_t rank;

    for (uint32_t i = 0; i < change->priorities_n; i++) {
        struct sched_job *job = planner_find(planner, change->priorities[i].id);

        if (job && !job->runs)
            job->priority = change->priorities[i].priority;
    }
    rank = reserve ? 0 : queue_first_misplaced(&planner->queue);
    if (rank == planner->queue.n)
        return;
    planner_lift(planner, rank);
    planner->keeper.forgets = true;
    queue_sort(&planner->queue);
    queue_sort(&planner->in_line);
    limits_resort(&planner->limits);
    turns_resort(&planner->turns);
    if (planner->lift_to < planner->planned_n) { /* planned ones may be anywhere behind it */
        planner->planned_n = planner->queue.n;
        planner->unsettled_n = 0;
    }
}

static void set_reservation(struct planner *planner, const struct plan_reservation *reservation)
{
    windows_set(&planner->plan->windows, reservation);
    planner_watch_pools(planner);
    forget_all(planner);
    planner_lift(planner, 0);
}

static void set_pool(struct planner *planner, uint32_t index, const struct plan_pool *as)
{
    if (index > planner->pools->n)
        return;
    pools_set(planner->pools, index, as, planner->now_ms);
    planner_watch_pools(planner);
    forget_all(planner);
    planner_lift(planner, 0);
}

void planner_apply(struct planner *planner, int64_t now_ms, const struct plan_change *change)
{
    if (now_ms > planner->now_ms)
        planner->now_ms = now_ms;
    if (!planner->plan)
        return;
    planner->round_begun = false;
    planner->parking = 0;
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
    case PLAN_RESERVATION:
        set_reservation(planner, change->reservation);
        break;
    case PLAN_POOL:
        set_pool(planner, change->node, change->pool);
        break;
    }
}
