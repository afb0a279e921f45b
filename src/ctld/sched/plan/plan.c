#include "ctld/sched/plan/plan.h"

#include "ctld/sched/plan/attempt.h"

static void find_meets(struct plan *plan, uint32_t partition)
{
    const struct sched_cluster *cluster = plan->cluster;
    struct bitset *meets = &plan->lines[partition].meets;

    bitset_init(meets, cluster->partitions_n);
    for (uint32_t i = 0; i < cluster->partitions_n; i++) {
        if (i == partition ||
            bitset_meets(&cluster->partitions[partition].nodes, &cluster->partitions[i].nodes))
            bitset_add(meets, i);
    }
}

struct plan *plan_new(const struct sched_cluster *cluster, struct kinds *kinds, struct pools *pools,
                      const struct plan_snapshot *snapshot)
{
    struct plan *plan = xcalloc(1, sizeof(*plan));

    plan->cluster = cluster;
    plan->kinds = kinds;
    plan->pools = pools;
    windows_init(&plan->windows, cluster, pools, snapshot);
    plan->future = future_new(cluster);
    holders_init(&plan->holders, cluster->nodes_n);
    plan->search = search_new(cluster, plan->future, &plan->windows, &plan->holders);
    plan->lines = xcalloc(cluster->partitions_n, sizeof(*plan->lines));
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
        bitset_clear(&plan->lines[i].meets);
    attempt_forget(&plan->attempt);
    search_free(plan->search);
    future_free(plan->future);
    windows_clear(&plan->windows);
    holders_clear(&plan->holders);
    free(plan->lines);
    free(plan);
    return NULL;
}

/* ---- claims ---- */

struct holder_user plan_user_of(const struct plan *plan, const struct sched_job *job,
                                uint32_t partition)
{
    return (struct holder_user){
        .uid = job->uid,
        .alone = job->wants_alone || plan->cluster->partitions[partition].user_exclusive,
    };
}

struct claim_time plan_claim_time(const struct sched_job *job)
{
    return (struct claim_time){
        .from = job->from,
        .to = job->to,
        .runs = job->runs,
        .sorts = job->in_pool ? POOLS_PRIVATE : POOLS_ALL,
        .places = job->places,
        .places_n = job->places_n,
    };
}

void plan_claim(struct plan *plan, struct sched_job *job)
{
    for (uint32_t i = 0; i < job->places_n; i++)
        future_take(plan->future, &job->places[i], job->from, job->to);
    job->alone = plan_user_of(plan, job, job->partition).alone;
    if (!job->listed)
        holders_add(&plan->holders, job);
    job->listed = job->places_n > 0;
    job->claims = job->listed || job->in_pool;
    if (job->claims)
        claims_take(plan->pools, job->list, plan_claim_time(job));
}

void plan_park(struct plan *plan, struct sched_job *job)
{
    if (!job->claims)
        return;
    for (uint32_t i = 0; i < job->places_n; i++) {
        future_give(plan->future, &job->places[i], job->from, job->to);
        search_forget_node(plan->search, job->places[i].node);
    }
    claims_give(plan->pools, job->list, plan_claim_time(job));
    job->claims = false;
    plan->gives_n++;
    plan_forget(plan);
}

void plan_unclaim(struct plan *plan, struct sched_job *job)
{
    plan_park(plan, job);
    if (job->listed)
        holders_drop(&plan->holders, job);
    job->listed = false;
}

/* Takes back the planned claims on the place's node during [from, to); the running job is not one
 * of these. */
static void clear_place(struct plan *plan, uint32_t node, int64_t from, int64_t to)
{
    const struct node_holders *of = &plan->holders.nodes[node];

    for (uint32_t i = of->n; i-- > 0;) {
        struct sched_job *holder = of->jobs[i];

        if (holder->runs || holder->from >= to || holder->to <= from)
            continue;
        holder->was_planned = true;
        plan_unclaim(plan, holder);
    }
}

void plan_clear_way(struct plan *plan, const struct sched_job *running)
{
    for (uint32_t i = 0; i < running->places_n; i++)
        clear_place(plan, running->places[i].node, running->from, running->to);
}

/* ---- what became free ---- */

int64_t plan_ready_in(const struct plan *plan, const struct kind *kind, const struct freed *freed,
                      int64_t at, int64_t length)
{
    const struct kind_need *need = &kind->needs[plan->cluster->nodes[freed->node].model];
    const int64_t first = freed->from - length + 1;
    int64_t ready;

    if (!need->admitted)
        return FUTURE_END;
    ready = future_ready(plan->future, freed->node, at > first ? at : first, length, &need->least);
    return ready < freed->to ? ready : FUTURE_END;
}

/* Returns whether useful_n nodes that became free and are of use now are still too few. */
static bool is_short_still(const struct negative_entry *entry, uint32_t useful_n, int64_t now_ms)
{
    return useful_n == 0 || (useful_n < entry->shortage.nodes && entry->shortage.until > now_ms);
}

static struct negative_entry vain_now(const struct plan *plan, const struct kind *kind,
                                      const struct negative_entry *entry, int64_t now_ms)
{
    struct negative_entry ret = *entry;
    uint32_t useful_n = 0;

    for (uint64_t number = entry->number; number < plan->freed.n; number++) {
        const int64_t ready =
            plan_ready_in(plan, kind, freed_at(&plan->freed, number), now_ms, entry->length);

        useful_n += ready <= now_ms;
        if (ready > now_ms && ready < ret.until)
            ret.until = ready;
        if (!is_short_still(entry, useful_n, now_ms)) {
            ret.until = now_ms;
            return ret;
        }
    }
    ret.number = plan->freed.n;
    ret.shortage.nodes -= useful_n;
    if (useful_n && entry->shortage.until < ret.until)
        ret.until = entry->shortage.until;
    return ret;
}

/* Returns until when the entry is known to hold: up to where later stretches of the log may be of
 * use. */
static int64_t vain_still(struct plan *plan, const struct kind *kind, struct negative_entry *entry,
                          int64_t now_ms)
{
    struct negative_entry now;

    if (!freed_reaches(&plan->freed, entry->number))
        return INT64_MIN;
    now = vain_now(plan, kind, entry, now_ms);
    if (now.until > now_ms)
        *entry = now;
    return now.until;
}

int64_t plan_negative_until(struct plan *plan, struct kind *kind, int64_t length, int64_t now_ms)
{
    int64_t until = INT64_MIN;

    for (uint32_t i = 0; i < kind->put_off.n && until <= now_ms; i++) {
        struct negative_entry *entry = &kind->put_off.entries[i];

        if (entry->length <= length && entry->until > now_ms)
            until = vain_still(plan, kind, entry, now_ms);
    }
    return until;
}

int64_t plan_negative_from(struct plan *plan, struct kind *kind, int64_t now_ms)
{
    int64_t length = PLAN_NEVER;

    for (uint32_t i = 0; i < kind->put_off.n; i++) {
        struct negative_entry *entry = &kind->put_off.entries[i];

        if (entry->length < length && entry->until > now_ms &&
            vain_still(plan, kind, entry, now_ms) > now_ms)
            length = entry->length;
    }
    return length;
}

void plan_forget(struct plan *plan)
{
    attempt_forget(&plan->attempt);
}

void plan_forget_moments(struct plan *plan)
{
    search_forget(plan->search);
}

/* ---- the queue ---- */

void plan_queue_reset(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->cluster->partitions_n; i++) {
        plan->lines[i].has_first = false;
        plan->lines[i].blocked = false;
        plan->lines[i].floor = INT64_MIN;
    }
    plan->open_lines_n = plan->cluster->partitions_n;
    plan_forget(plan);
}

void plan_tell_lines(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->cluster->partitions_n; i++)
        plan->lines[i].told_first = plan->lines[i].has_first;
}

bool plan_lines_are_known(const struct plan *plan)
{
    return plan->cluster->policy.backfill && plan->open_lines_n == 0;
}

void plan_queued(struct plan *plan, const struct sched_job *job)
{
    if (!job->in_line)
        return;
    if (!job->put_off) { /* the others may have been tried or not: see why_told */
        plan->open_lines_n -= !plan->lines[job->partition].has_first;
        plan->lines[job->partition].has_first = true;
    }
    BITSET_FOREACH (&plan->lines[job->partition].meets, i) {
        struct plan_line *line = &plan->lines[i];

        line->blocked = true;
        line->floor = job->at_ms > line->floor ? job->at_ms : line->floor;
    }
}

/* ---- one job ---- */

/* Returns why the job waits as it is told. Which jobs have places in the future may have changed
 * since one that was put off was tried. */
static enum plan_why why_told(const struct plan *plan, const struct sched_job *job)
{
    if (!job->put_off || (job->why != PLAN_WHY_RESOURCES && job->why != PLAN_WHY_PRIORITY))
        return job->why;
    return plan->lines[job->partition].told_first ? PLAN_WHY_PRIORITY : PLAN_WHY_RESOURCES;
}

struct plan_decision plan_decision_of(const struct plan *plan, const struct sched_job *job)
{
    const bool placed = job->verdict == PLAN_START || job->verdict == PLAN_LATER;
    const bool begins = job->why == PLAN_WHY_BEGIN;
    const enum plan_why why = why_told(plan, job);
    const bool names_pool = why == PLAN_WHY_POOL && job->pool != POOL_NONE;

    return (struct plan_decision){
        .job_id = job->id,
        .verdict = job->verdict,
        .why = why,
        .pool = names_pool ? job->pool : 0,
        .reason = names_pool ? plan->pools->at[job->pool].reason : 0,
        .option = job->option,
        .partition = job->partition,
        .reservation = job->reservation & ~PLAN_RESV_WITHIN,
        .at_ms = placed || begins ? job->at_ms : PLAN_NEVER,
        .duration_ms = job->given_ms,
        .backfilled = job->backfilled,
        .forecast = plan->cluster->policy.forecasts || job->in_pool,
        .places = placed ? sched_places_show(job->places, job->places_n, plan->cluster) : NULL,
        .places_n = placed ? job->places_n : 0,
    };
}

int64_t plan_length_at(const struct plan *plan, const struct sched_job *job, uint32_t reservation,
                       int64_t at)
{
    const int64_t length = length_planned(job->duration_ms);
    const int64_t deadline = windows_deadline(&plan->windows, reservation, at);

    return deadline < FUTURE_END && deadline - at < length ? deadline - at : length;
}

/* Returns when a job that starts ends at the latest: with its reservation, or when it has had its
 * time. */
static int64_t end_of_start(const struct sched_job *job, const struct plan_outcome *outcome)
{
    if (outcome->length_ms < length_planned(job->given_ms))
        return job->to;
    return job->given_ms == PLAN_NEVER ? PLAN_NEVER : future_add(job->from, job->given_ms);
}

void plan_outcome_give(struct sched_job *job, const struct plan_outcome *outcome, int64_t now_ms)
{
    places_free(job->places, job->places_n);
    job->places = outcome->places;
    job->places_n = outcome->places_n;
    job->tried = true;
    job->verdict = outcome->verdict;
    job->why = outcome->why;
    job->pool = outcome->pool;
    job->list = outcome->list;
    job->option = outcome->option;
    job->partition = outcome->partition;
    job->reservation = outcome->reservation;
    job->at_ms = outcome->at_ms;
    job->given_ms = outcome->is_shortened ? outcome->length_ms : job->duration_ms;
    job->backfilled = outcome->backfilled;
    job->in_pool = outcome->in_pool;
    job->unblocks_ms = outcome->unblocks_ms;
    job->was_narrowed = outcome->was_narrowed;
    job->in_line = outcome->in_line;
    job->from = outcome->at_ms;
    job->to = future_add(outcome->at_ms, outcome->length_ms);
    if (outcome->verdict == PLAN_START) {
        job->runs = true;
        job->end_ms = end_of_start(job, outcome);
        job->to = end_assumed(job->end_ms, now_ms);
    }
}
