#include "ctld/sched/future/claims.h"

#include <string.h>

#include "ctld/sched/future/future.h"

/* Returns whether the pool may be too small for the claim. One that is for each job never is where
 * the most that is claimed is within its total. */
static bool may_bind(const struct pools *pools, const struct pool_claim *claim)
{
    const struct pool *pool = claim->pool < pools->n ? &pools->at[claim->pool] : NULL;

    if (!pool || !pool->watched)
        return false;
    return !pool->is_for_each || pool->kind == PLAN_POOL_RAMP || claim->most > pool->total;
}

static void find_watched(const struct pools *pools, struct claim_list *list)
{
    list->watched_n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        if (may_bind(pools, &list->claims[i]))
            list->watched[list->watched_n++] = i;
    }
    list->watched_known = true;
}

static uint32_t watched_n(const struct pools *pools, struct claim_list *list)
{
    if (list && !list->watched_known)
        find_watched(pools, list);
    return list ? list->watched_n : 0;
}

bool claims_are_watched(const struct pools *pools, struct claim_list *list)
{
    return watched_n(pools, list) > 0;
}

static const struct pool_claim *watched_claim(const struct claim_list *list, uint32_t i)
{
    return &list->claims[list->watched[i]];
}

static bool is_of(const struct pools *pools, const struct pool_claim *claim, uint32_t sorts)
{
    return pools->at[claim->pool].sorts & sorts;
}

/* Returns whether the place has all cpus of its node, in all rows. */
static bool is_whole(const struct sched_cluster *cluster, const struct sched_place *place)
{
    const struct sched_node *node = &cluster->nodes[place->node];

    if (node->counts_cpus)
        return place->supply.amounts[PLAN_CPUS] >= node->all.amounts[PLAN_CPUS];
    return memcmp(place->supply.bits, node->all.bits, node->cpu_words * sizeof(*node->all.bits)) ==
           0;
}

/* What taking of a pool, or giving back to it, does to what is counted there. */
struct holding {
    void (*node)(struct nodecount *count, const struct node_hold *hold);
    void (*amount)(struct tally *tally, int64_t from, int64_t to, uint64_t amount);
    void (*ramp)(struct tally *tally, int64_t from, int64_t to, uint64_t amount);
    bool gives;
};

static const struct holding taking = { nodecount_take, tally_take, tally_take_ramp, false };
static const struct holding giving = { nodecount_give, tally_give, tally_give_ramp, true };

/* Holds the node of each place. A job that waits without places holds its least number of unnamed
 * nodes instead. */
static void hold_nodes(struct pools *pools, struct nodecount *count, const struct pool_claim *claim,
                       const struct claim_time *time, const struct holding *holding)
{
    for (uint32_t i = 0; i < time->places_n; i++)
        holding->node(count,
                      &(struct node_hold){ .node = time->places[i].node,
                                           .whole = is_whole(pools->cluster, &time->places[i]),
                                           .runs = time->runs,
                                           .from = time->from,
                                           .to = time->to });
    if (time->places_n || time->runs)
        return;
    holding->amount(&count->held, time->from, time->to, claim->least);
    holding->amount(&count->closed, time->from, time->to, claim->least);
}

/* Returns what the claim takes on these places; without places, its least. */
static uint64_t amount_at(const struct pools *pools, const struct pool_claim *claim,
                          const struct sched_place *places, uint32_t n)
{
    const bool is_ramp = pools->at[claim->pool].kind == PLAN_POOL_RAMP;
    uint64_t amount;

    if (claim->rates == 0 || n == 0)
        return claim->least;
    amount = rates_of_places(&pools->rates[claim->rates - 1], pools->cluster, places, n);
    return is_ramp && amount > RAMP_AMOUNT_MAX ? RAMP_AMOUNT_MAX : amount;
}

/* Counts what running jobs hold of the pool now. */
static void note_held(struct pools *pools, struct pool *pool, uint64_t amount, int64_t to,
                      bool gives)
{
    pool->held += gives ? -amount : amount;
    pool->held_ends += gives ? -(amount * (tally_area)to) : amount * (tally_area)to;
    pools_note_held(pools, pool);
}

static void hold(struct pools *pools, const struct pool_claim *claim, struct claim_time time,
                 const struct holding *holding)
{
    struct pool *pool = &pools->at[claim->pool];
    uint64_t amount;

    if (pool->is_for_each || !is_of(pools, claim, time.sorts))
        return;
    amount = amount_at(pools, claim, time.places, time.places_n);
    if (pool->kind == PLAN_POOL_NODES)
        hold_nodes(pools, &pool->nodes, claim, &time, holding);
    else if (pool->kind == PLAN_POOL_RAMP)
        holding->ramp(&pool->tally, time.from, time.to, amount);
    else
        holding->amount(&pool->tally, time.from, pool->is_spent ? FUTURE_END : time.to, amount);
    if (time.runs)
        note_held(pools, pool, amount, time.to, holding->gives);
}

void claims_take(struct pools *pools, struct claim_list *list, struct claim_time time)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++)
        hold(pools, watched_claim(list, i), time, &taking);
}

void claims_take_of(struct pools *pools, struct claim_list *list, uint32_t pool,
                    struct claim_time time)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++) {
        if (watched_claim(list, i)->pool == pool)
            hold(pools, watched_claim(list, i), time, &taking);
    }
}

void claims_give(struct pools *pools, struct claim_list *list, struct claim_time time)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++)
        hold(pools, watched_claim(list, i), time, &giving);
}

/* Returns the first moment, not before `at`, from which on for `length` the claim is free; `at`
 * itself for a pool that is not of these sorts. */
static int64_t ready(const struct pools *pools, const struct pool_claim *claim, uint32_t sorts,
                     int64_t at, int64_t length)
{
    const struct pool *pool = &pools->at[claim->pool];

    if (!is_of(pools, claim, sorts))
        return at;
    if (pool->kind == PLAN_POOL_NODES)
        return nodecount_ready(&pool->nodes, at, length, claim->least, claim->whole);
    if (pool->kind == PLAN_POOL_RAMP)
        return tally_ramp_ready(&pool->tally, at, length, claim->least);
    return tally_ready(&pool->tally, at, pool->is_spent ? FUTURE_END - at : length, claim->least);
}

/* Returns whether the claim is free at `at`, and for so long. */
static bool is_ready(const struct pools *pools, const struct pool_claim *claim, int64_t at,
                     int64_t length)
{
    const struct pool *pool = &pools->at[claim->pool];

    if (pool->kind == PLAN_POOL_NODES)
        return nodecount_is_ready(&pool->nodes, at, length, claim->least, claim->whole);
    if (pool->kind == PLAN_POOL_RAMP)
        return tally_ramp_is_ready(&pool->tally, at, length, claim->least);
    return tally_is_ready(&pool->tally, at, pool->is_spent ? FUTURE_END - at : length,
                          claim->least);
}

int64_t claims_ready(const struct pools *pools, struct claim_list *list, uint32_t sorts, int64_t at,
                     int64_t length)
{
    const uint32_t n = watched_n(pools, list);
    int64_t before, first = at;

    do {
        before = first;
        for (uint32_t i = 0; i < n && first < FUTURE_END; i++)
            first = ready(pools, watched_claim(list, i), sorts, first, length);
    } while (first != before && n > 1);
    return first;
}

int64_t claims_ready_of_private(const struct pools *pools, struct claim_list *list, int64_t at,
                                int64_t length, uint64_t number)
{
    struct claim_vain *vain = list ? &list->vain : NULL;
    const bool holds = vain && vain->number == number && vain->until > at;
    int64_t first;

    if (watched_n(pools, list) == 0)
        return at;
    first = claims_ready(pools, list, POOLS_PRIVATE,
                         holds && length >= vain->length ? vain->until : at, length);
    if (!holds || length <= vain->length)
        *vain = (struct claim_vain){ .length = length, .until = first, .number = number };
    return first;
}

static int64_t until(const struct pools *pools, const struct pool_claim *claim, int64_t from)
{
    const struct pool *pool = &pools->at[claim->pool];
    int64_t free;

    if (pool->kind == PLAN_POOL_NODES)
        return nodecount_until(&pool->nodes, from, claim->least, claim->whole);
    if (pool->kind == PLAN_POOL_RAMP)
        return tally_ramp_until(&pool->tally, from, claim->least);
    free = tally_until(&pool->tally, from, claim->least);
    return pool->is_spent && free < FUTURE_END ? from : free; /* it is needed for ever */
}

int64_t claims_until(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from)
{
    const uint32_t n = watched_n(pools, list);
    int64_t first = FUTURE_END;

    for (uint32_t i = 0; i < n; i++) {
        const struct pool_claim *claim = watched_claim(list, i);
        const int64_t free = is_of(pools, claim, sorts) ? until(pools, claim, from) : FUTURE_END;

        first = free < first ? free : first;
    }
    return first;
}

static int64_t closes(const struct pools *pools, const struct pool_claim *claim, int64_t from,
                      int64_t length)
{
    const struct pool *pool = &pools->at[claim->pool];
    int64_t end;

    if (pool->kind == PLAN_POOL_RAMP)
        return tally_ramp_closes(&pool->tally, from, length, claim->least);
    end = until(pools, claim, from);
    return end < FUTURE_END ? end - length + 1 : FUTURE_END;
}

int64_t claims_close(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from, int64_t length)
{
    const uint32_t n = watched_n(pools, list);
    int64_t first = FUTURE_END;

    for (uint32_t i = 0; i < n; i++) {
        const struct pool_claim *claim = watched_claim(list, i);
        const int64_t at =
            is_of(pools, claim, sorts) ? closes(pools, claim, from, length) : FUTURE_END;

        first = at < first ? at : first;
    }
    return first;
}

uint32_t claims_short(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                      int64_t at, int64_t length, int64_t *ret_ready)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++) {
        const struct pool_claim *claim = watched_claim(list, i);

        if (!is_of(pools, claim, sorts) || is_ready(pools, claim, at, length))
            continue;
        if (ret_ready)
            *ret_ready = ready(pools, claim, sorts, at, length);
        return claim->pool;
    }
    return POOL_NONE;
}

/* ---- what running jobs hold ---- */

/* Returns what a job must find free of the pool to begin now; for a ramp, its area. */
static tally_area need_of(const struct pool *pool, uint64_t amount, int64_t length)
{
    return amount * (pool->kind == PLAN_POOL_RAMP ? (tally_area)length : 1);
}

/* Returns whether running jobs hold too many nodes for one more job now. Checks what
 * nodecount_ready checks over time. */
static bool nodes_are_exhausted(const struct pool *pool, tally_area need, bool whole)
{
    return pool->nodes.running_n + (whole ? need : 0) > pool->nodes.held.total ||
           pool->nodes.running_closed_n + need > pool->nodes.held.total;
}

static bool is_exhausted(const struct pools *pools, const struct pool *pool, tally_area need,
                         bool whole)
{
    const tally_area held = pool->held_ends - pool->held * (tally_area)pools->now_ms;

    if (pool->kind == PLAN_POOL_NODES)
        return nodes_are_exhausted(pool, need, whole);
    if (pool->kind != PLAN_POOL_RAMP)
        return pool->held + need > pool->total;
    return (held > 0 ? held : 0) + need > tally_ramp_total(&pool->tally);
}

/* Returns when time alone ends the shortage of a ramp, or PLAN_NEVER for other pools. */
static int64_t falls_at(const struct pool *pool, tally_area need)
{
    if (pool->kind != PLAN_POOL_RAMP)
        return PLAN_NEVER;
    return tally_ramp_falls(pool->held, pool->held_ends, tally_ramp_total(&pool->tally) - need);
}

uint32_t claims_exhausted(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                          int64_t length, int64_t *ret_falls_ms)
{
    const uint32_t n = watched_n(pools, list);

    *ret_falls_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < n; i++) {
        const struct pool_claim *claim = watched_claim(list, i);
        const struct pool *pool = &pools->at[claim->pool];
        const tally_area need = need_of(pool, claim->least, length);

        if (!is_of(pools, claim, sorts) || !is_exhausted(pools, pool, need, claim->whole))
            continue;
        *ret_falls_ms = falls_at(pool, need);
        return claim->pool;
    }
    return POOL_NONE;
}

bool claims_exhaust(const struct pools *pools, uint32_t index, const struct claim_list *list,
                    int64_t length, const struct claim_list *other, int64_t other_length)
{
    const struct pool_claim *last = claims_find(other, index);
    const struct pool *pool = &pools->at[index];

    return pool->watched && !pool->is_for_each &&
           is_exhausted(pools, pool,
                        need_of(pool, claims_of(list, index), length) +
                            need_of(pool, claims_of(other, index), other_length),
                        last && last->whole);
}

/* ---- nodes that are counted ---- */

/* Returns the next count of nodes that the list claims of, from its *i-th watched claim on, or
 * NULL; moves *i behind it. */
static const struct nodecount *next_count(const struct pools *pools, struct claim_list *list,
                                          uint32_t *i)
{
    const uint32_t n = list && list->by_nodes ? watched_n(pools, list) : 0;

    while (*i < n) {
        const struct pool *pool = &pools->at[watched_claim(list, (*i)++)->pool];

        if (pool->kind == PLAN_POOL_NODES)
            return &pool->nodes;
    }
    return NULL;
}

uint32_t claims_by_nodes(const struct pools *pools, struct claim_list *list)
{
    const uint32_t n = list && list->by_nodes ? watched_n(pools, list) : 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct pool_claim *claim = watched_claim(list, i);

        if (claim->rates || pools->at[claim->pool].kind == PLAN_POOL_NODES)
            return claim->pool;
    }
    return POOL_NONE;
}

uint64_t claims_nodes_left(const struct pools *pools, struct claim_list *list, int64_t from,
                           int64_t to)
{
    const struct nodecount *count;
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; (count = next_count(pools, list, &i));) {
        const uint64_t left = nodecount_left(count, from, to);

        least = left < least ? left : least;
    }
    return least;
}

void claims_nodes_free(const struct pools *pools, struct claim_list *list, int64_t from, int64_t to,
                       uint64_t most, struct bitset *ret)
{
    const struct nodecount *count;

    bitset_init(ret, pools->cluster->nodes_n);
    bitset_fill(ret);
    for (uint32_t i = 0; (count = next_count(pools, list, &i));) {
        if (nodecount_left(count, from, to) < most)
            nodecount_keep_free(count, from, to, most, ret);
    }
}

int64_t claims_nodes_next(const struct pools *pools, struct claim_list *list, int64_t at)
{
    const struct nodecount *count;
    int64_t first = FUTURE_END;

    for (uint32_t i = 0; (count = next_count(pools, list, &i));) {
        const int64_t next = nodecount_next(count, at);

        first = next < first ? next : first;
    }
    return first;
}

int64_t claims_nodes_until(const struct pools *pools, struct claim_list *list, int64_t from)
{
    const struct nodecount *count;
    int64_t first = FUTURE_END;

    for (uint32_t i = 0; (count = next_count(pools, list, &i));) {
        const int64_t until = nodecount_until(count, from, 0, false);

        first = until < first ? until : first;
    }
    return first;
}

/* ---- claims by what the job gets ---- */

/* Returns the next claim of a watched pool that has rates, from the *i-th watched one on, or NULL;
 * moves *i behind it. */
static const struct pool_claim *next_rated(const struct pools *pools, struct claim_list *list,
                                           uint32_t *i)
{
    const uint32_t n = list && list->by_nodes ? watched_n(pools, list) : 0;

    while (*i < n) {
        const struct pool_claim *claim = watched_claim(list, (*i)++);

        if (claim->rates)
            return claim;
    }
    return NULL;
}

static int64_t ready_for(const struct pools *pools, const struct pool_claim *claim, uint64_t amount,
                         int64_t at, int64_t length)
{
    struct pool_claim other = *claim;

    other.least = amount;
    return ready(pools, &other, POOLS_ALL | POOLS_FALLING, at, length);
}

bool claims_fit_places(const struct pools *pools, struct claim_list *list, int64_t at,
                       int64_t length, const struct sched_place *places, uint32_t n)
{
    const struct pool_claim *claim;

    for (uint32_t i = 0; (claim = next_rated(pools, list, &i));) {
        if (ready_for(pools, claim, amount_at(pools, claim, places, n), at, length) > at)
            return false;
    }
    return true;
}

int64_t claims_places_until(const struct pools *pools, struct claim_list *list, int64_t from,
                            const struct sched_place *places, uint32_t n)
{
    const struct pool_claim *claim;
    int64_t first = FUTURE_END;

    for (uint32_t i = 0; (claim = next_rated(pools, list, &i));) {
        struct pool_claim exact = *claim;
        int64_t end;

        exact.least = amount_at(pools, claim, places, n);
        end = until(pools, &exact, from);
        first = end < first ? end : first;
    }
    return first;
}

/* Returns when the claim lets the job have nodes_n nodes like the one of the share. */
static int64_t share_ready(const struct pools *pools, const struct pool_claim *claim,
                           const struct claim_share *share, int64_t at)
{
    const struct rates *rates = &pools->rates[claim->rates - 1];
    const struct rates_bound bound = rates_bound(rates, pools->cluster, share->kind);
    const uint64_t each = rates_share(rates, share->kind, share->node);

    return ready_for(pools, claim, rates_sum(bound.base, each, share->nodes_n), at, share->length);
}

int64_t claims_share_ready(const struct pools *pools, struct claim_list *list,
                           const struct claim_share *share, int64_t at)
{
    const struct pool_claim *claim;
    int64_t last = at;

    for (uint32_t i = 0; (claim = next_rated(pools, list, &i));) {
        const int64_t ready_at = share_ready(pools, claim, share, at);

        last = ready_at > last ? ready_at : last;
    }
    return last;
}

int64_t claims_most_ready(const struct pools *pools, struct claim_list *list, int64_t at,
                          int64_t length)
{
    const struct pool_claim *claim;
    int64_t last = at;

    for (uint32_t i = 0; (claim = next_rated(pools, list, &i));) {
        const int64_t ready_at = ready_for(pools, claim, claim->most, at, length);

        last = ready_at > last ? ready_at : last;
    }
    return last;
}

uint64_t claims_nodes_number(const struct pools *pools, struct claim_list *list)
{
    const uint32_t n = list && list->by_nodes ? watched_n(pools, list) : 0;
    uint64_t number = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct pool *pool = &pools->at[watched_claim(list, i)->pool];

        number += pool->kind == PLAN_POOL_NODES ? pool->held_at : 0;
    }
    return number;
}

/* ---- what became free ---- */

void claims_freed(struct pools *pools, struct claim_list *list)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++)
        pools_note_given(pools, watched_claim(list, i)->pool);
}

/* A pool counts even if it is no longer watched because so much became free. */
bool claims_were_freed(const struct pools *pools, const struct claim_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const uint32_t pool = list->claims[i].pool;

        if (pool < pools->n && pools->at[pool].given_in == pools->period)
            return true;
    }
    return false;
}
