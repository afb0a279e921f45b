#include "ctld/sched/future/claims.h"

#include "ctld/sched/future/future.h"

static void find_watched(const struct pools *pools, struct claim_list *list)
{
    list->watched_n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->claims[i].pool < pools->n && pools->at[list->claims[i].pool].watched)
            list->watched[list->watched_n++] = i;
    }
    list->watched_at = pools->watches_n;
}

static uint32_t watched_n(const struct pools *pools, struct claim_list *list)
{
    if (list && list->watched_at != pools->watches_n)
        find_watched(pools, list);
    return list ? list->watched_n : 0;
}

bool claims_are_watched(const struct pools *pools, struct claim_list *list)
{
    return watched_n(pools, list) > 0;
}

static const struct plan_claim *watched_claim(const struct claim_list *list, uint32_t i)
{
    return &list->claims[list->watched[i]];
}

static bool is_of(const struct pools *pools, const struct plan_claim *claim, uint32_t sorts)
{
    return pools->at[claim->pool].sorts & sorts;
}

static void take(struct pools *pools, const struct plan_claim *claim, struct claim_time time)
{
    struct pool *pool = &pools->at[claim->pool];

    if (!is_of(pools, claim, time.sorts))
        return;
    if (pool->kind == PLAN_POOL_RAMP)
        tally_take_ramp(&pool->tally, time.from, time.to, claim->amount);
    else
        tally_take(&pool->tally, time.from, time.to, claim->amount);
    if (!time.runs)
        return;
    pool->held += claim->amount;
    pool->held_ends += claim->amount * (tally_area)time.to;
    pools->held_n++;
}

static void give(struct pools *pools, const struct plan_claim *claim, struct claim_time time)
{
    struct pool *pool = &pools->at[claim->pool];

    if (!is_of(pools, claim, time.sorts))
        return;
    if (pool->kind == PLAN_POOL_RAMP)
        tally_give_ramp(&pool->tally, time.from, time.to, claim->amount);
    else
        tally_give(&pool->tally, time.from, time.to, claim->amount);
    if (!time.runs)
        return;
    pool->held -= claim->amount;
    pool->held_ends -= claim->amount * (tally_area)time.to;
    pools->held_n++;
}

void claims_take(struct pools *pools, struct claim_list *list, struct claim_time time)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++)
        take(pools, watched_claim(list, i), time);
}

void claims_take_of(struct pools *pools, struct claim_list *list, uint32_t pool,
                    struct claim_time time)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++) {
        if (watched_claim(list, i)->pool == pool)
            take(pools, watched_claim(list, i), time);
    }
}

void claims_give(struct pools *pools, struct claim_list *list, struct claim_time time)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++)
        give(pools, watched_claim(list, i), time);
}

/* Of one that is not of these sorts, at once. */
static int64_t ready(const struct pools *pools, const struct plan_claim *claim, uint32_t sorts,
                     int64_t at, int64_t length)
{
    const struct pool *pool = &pools->at[claim->pool];

    if (!is_of(pools, claim, sorts))
        return at;
    return pool->kind == PLAN_POOL_RAMP ? tally_ramp_ready(&pool->tally, at, length, claim->amount)
                                        : tally_ready(&pool->tally, at, length, claim->amount);
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

static int64_t until(const struct pools *pools, const struct plan_claim *claim, int64_t from)
{
    const struct pool *pool = &pools->at[claim->pool];

    return pool->kind == PLAN_POOL_RAMP ? tally_ramp_until(&pool->tally, from, claim->amount)
                                        : tally_until(&pool->tally, from, claim->amount);
}

int64_t claims_until(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from)
{
    const uint32_t n = watched_n(pools, list);
    int64_t first = FUTURE_END;

    for (uint32_t i = 0; i < n; i++) {
        const struct plan_claim *claim = watched_claim(list, i);
        const int64_t free = is_of(pools, claim, sorts) ? until(pools, claim, from) : FUTURE_END;

        first = free < first ? free : first;
    }
    return first;
}

static int64_t closes(const struct pools *pools, const struct plan_claim *claim, int64_t from,
                      int64_t length)
{
    const struct pool *pool = &pools->at[claim->pool];
    int64_t end;

    if (pool->kind == PLAN_POOL_RAMP)
        return tally_ramp_closes(&pool->tally, from, length, claim->amount);
    end = tally_until(&pool->tally, from, claim->amount);
    return end < FUTURE_END ? end - length + 1 : FUTURE_END;
}

int64_t claims_close(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from, int64_t length)
{
    const uint32_t n = watched_n(pools, list);
    int64_t first = FUTURE_END;

    for (uint32_t i = 0; i < n; i++) {
        const struct plan_claim *claim = watched_claim(list, i);
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
        *ret_ready = ready(pools, watched_claim(list, i), sorts, at, length);
        if (*ret_ready > at)
            return watched_claim(list, i)->pool;
    }
    return POOL_NONE;
}

/* ---- what running jobs hold ---- */

/* What a job needs of it to begin now. */
static tally_area need_of(const struct pool *pool, uint64_t amount, int64_t length)
{
    return amount * (pool->kind == PLAN_POOL_RAMP ? (tally_area)length : 1);
}

static bool is_exhausted(const struct pools *pools, const struct pool *pool, tally_area need)
{
    const tally_area held = pool->held_ends - pool->held * (tally_area)pools->now_ms;

    if (pool->kind != PLAN_POOL_RAMP)
        return pool->held + need > pool->total;
    return (held > 0 ? held : 0) + need > tally_ramp_total(&pool->tally);
}

/* When time alone will have changed that: of a ramp. */
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
        const struct plan_claim *claim = watched_claim(list, i);
        const struct pool *pool = &pools->at[claim->pool];
        const tally_area need = need_of(pool, claim->amount, length);

        if (!is_of(pools, claim, sorts) || !is_exhausted(pools, pool, need))
            continue;
        *ret_falls_ms = falls_at(pool, need);
        return claim->pool;
    }
    return POOL_NONE;
}

bool claims_exhaust(const struct pools *pools, uint32_t index, const struct claim_list *list,
                    int64_t length, const struct claim_list *other, int64_t other_length)
{
    const struct pool *pool = &pools->at[index];

    return pool->watched && is_exhausted(pools, pool,
                                         need_of(pool, claims_of(list, index), length) +
                                             need_of(pool, claims_of(other, index), other_length));
}

/* ---- what became free ---- */

void claims_freed(struct pools *pools, struct claim_list *list)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++)
        pools_note_given(pools, watched_claim(list, i)->pool);
}

/* Also in one that is not watched any more, since so much became free. */
bool claims_were_freed(const struct pools *pools, const struct claim_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const uint32_t pool = list->claims[i].pool;

        if (pool < pools->n && pools->at[pool].given_in == pools->period)
            return true;
    }
    return false;
}
