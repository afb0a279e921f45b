#include "ctld/sched/plan/blockers.h"

#include <string.h>

static uint32_t add_sorted(uint64_t *ids, uint32_t n, uint64_t id)
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

/* Returns whether `holder` has what `place` needs, or keeps its user away, before the job's planned
 * start. */
static bool is_in_the_way(const struct sched_node *node, const struct sched_job *holder,
                          const struct sched_job *job, const struct sched_place *place,
                          int64_t now_ms)
{
    const struct holder_user user = { .uid = job->uid, .alone = job->alone };

    if (holder->from >= job->from || holder->to <= now_ms)
        return false;
    if (holder_refuses(holder, &user))
        return true;
    for (uint32_t i = 0; i < holder->places_n; i++) {
        if (holder->places[i].node == place->node)
            return supplies_meet(node, &holder->places[i].supply, &place->supply);
    }
    return false;
}

static bool has_places(const struct sched_job *job)
{
    return job->claims || job->listed;
}

/* Returns whether the holder may be in the job's way. One that is parked for a question is not in
 * the way of the question's job, which alone has a place without being listed. */
static bool counts(const struct sched_job *holder, const struct sched_job *job)
{
    return holder->claims || job->listed;
}

/* Returns the pool that the job is told to wait for, or else one that has nothing left for it
 * now. One that never fits waits for none. */
static uint32_t pool_waited_for(const struct plan *plan, const struct sched_job *job)
{
    int64_t falls_ms;

    if (job->why == PLAN_WHY_POOL && job->pool != POOL_NONE)
        return job->pool;
    if (job->verdict == PLAN_NEVER_FITS)
        return POOL_NONE;
    return claims_exhausted(plan->pools, job->list, POOLS_ALL, length_planned(job->duration_ms),
                            &falls_ms);
}

/* Returns whether the holder has something of the pool. What is taken back for a while, or to be
 * planned again, counts as held. */
static bool has_of(const struct plan *plan, const struct sched_job *holder, uint32_t pool)
{
    return (holder->claims || holder->was_planned) && claims_of(holder->list, pool) &&
           !plan->pools->at[pool].is_for_each &&
           (!holder->in_pool || plan->pools->at[pool].is_private);
}

uint32_t blockers_in_pool(const struct plan *plan, const struct sched_job *job,
                          struct sched_job *const *holders, uint32_t holders_n, uint64_t *ids,
                          uint32_t n)
{
    const uint32_t pool = pool_waited_for(plan, job);

    for (uint32_t i = 0; i < holders_n && n < PLAN_BLOCKERS_MAX && pool != POOL_NONE; i++) {
        if (holders[i] != job && has_of(plan, holders[i], pool))
            n = add_sorted(ids, n, holders[i]->id);
    }
    return n;
}

uint32_t blockers_on_nodes(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                           uint64_t *ret_ids)
{
    uint32_t n = 0;

    for (uint32_t i = 0; has_places(job) && i < job->places_n; i++) {
        const struct sched_place *place = &job->places[i];
        const struct sched_node *node = &plan->cluster->nodes[place->node];
        const struct node_holders *holders = &plan->holders.nodes[place->node];

        for (uint32_t j = 0; j < holders->n; j++) {
            const struct sched_job *holder = holders->jobs[j];

            if (holder != job && counts(holder, job) &&
                is_in_the_way(node, holder, job, place, now_ms))
                n = add_sorted(ret_ids, n, holder->id);
        }
    }
    return n;
}

/* Returns whether the amount stands for MaxCPUsPerNode of a partition. */
static bool is_cap(const struct sched_node *node, uint32_t amount)
{
    for (uint32_t i = 0; i < node->caps_n; i++) {
        if (node->caps[i].amount == amount)
            return true;
    }
    return false;
}

static uint32_t bits_n(const uint64_t *bits, uint32_t words)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < words; i++)
        n += (uint32_t)__builtin_popcountll(bits[i]);
    return n;
}

/* Returns whether fewer are free than wanted in a range of bits: other ones than those planned
 * would do as well. */
static bool are_too_few(const struct supply *free, const struct supply *wanted, uint32_t from,
                        uint32_t n)
{
    return bits_n(wanted->bits + from, n) > bits_n(free->bits + from, n);
}

/* Returns which of cpus and devices lack the very ones that the plan names. */
static uint32_t lacks_very(const struct sched_node *node, const struct supply *free,
                           const struct supply *wanted)
{
    uint32_t lacks = 0;

    for (uint32_t i = 0; i < node->words; i++) {
        if (wanted->bits[i] & ~free->bits[i])
            lacks |= i < node->cpu_words ? PLAN_LACKS_CPUS : PLAN_LACKS_GRES;
    }
    return lacks;
}

static uint32_t lacks_of(const struct sched_node *node, const struct supply *free,
                         const struct supply *wanted)
{
    uint32_t lacks = 0;

    if (are_too_few(free, wanted, 0, node->cpu_words))
        lacks |= PLAN_LACKS_CPUS;
    if (are_too_few(free, wanted, node->cpu_words, node->words - node->cpu_words))
        lacks |= PLAN_LACKS_GRES;
    for (uint32_t i = 0; i < PLAN_AMOUNTS_MAX; i++) {
        if (wanted->amounts[i] <= free->amounts[i])
            continue;
        lacks |= i == PLAN_MEMORY                    ? PLAN_LACKS_MEMORY
                 : i == PLAN_CPUS || is_cap(node, i) ? PLAN_LACKS_CPUS
                                                     : PLAN_LACKS_GRES;
    }
    return lacks;
}

static bool is_whole_node(const struct sched_node *node, const struct supply *wanted)
{
    return !node->counts_cpus && node->cpu_words &&
           memcmp(wanted->bits, node->all.bits, node->cpu_words * sizeof(*wanted->bits)) == 0;
}

/* Returns what there is too little of on one place; adds to *ret_very what of the very things
 * planned is not free. */
static uint32_t lacks_at(const struct plan *plan, const struct sched_job *job,
                         const struct sched_place *place, int64_t now_ms, uint32_t *ret_very)
{
    const struct holder_user user = { .uid = job->uid, .alone = job->alone };
    const struct sched_node *node = &plan->cluster->nodes[place->node];
    struct supply now = { .bits = xcalloc(node->words + 1, sizeof(uint64_t)) };
    uint32_t lacks;

    future_window(plan->future, place->node, now_ms, future_add(now_ms, 1), &now);
    lacks = lacks_of(node, &now, &place->supply);
    *ret_very |= lacks_very(node, &now, &place->supply);
    if (((lacks & PLAN_LACKS_CPUS) && is_whole_node(node, &place->supply)) ||
        holders_until(&plan->holders, place->node, &user, now_ms) <= now_ms)
        lacks |= PLAN_LACKS_NODES;
    free(now.bits);
    return lacks;
}

uint32_t blockers_lacking(const struct plan *plan, const struct sched_job *job, int64_t now_ms)
{
    const uint32_t pool = pool_waited_for(plan, job);
    uint32_t lacks = pool != POOL_NONE && !plan->pools->at[pool].is_private ? PLAN_LACKS_POOL : 0;
    uint32_t very = 0;

    for (uint32_t i = 0; has_places(job) && i < job->places_n; i++)
        lacks |= lacks_at(plan, job, &job->places[i], now_ms, &very);
    return lacks ? lacks : very;
}
