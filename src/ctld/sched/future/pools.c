#include "ctld/sched/future/pools.h"

#include "ctld/sched/future/future.h"

/* ---- what there is ---- */

/* Nobody has it before it opens. */
static void close_gate(struct pools *pools, struct pool *pool, int64_t opens_ms, int64_t now_ms)
{
    pool->opens_ms = opens_ms < FUTURE_END ? opens_ms : FUTURE_END;
    pool->watched = opens_ms > now_ms;
    pool->held = pool->watched;
    tally_reset(&pool->tally);
    if (!pool->watched)
        return;
    tally_take(&pool->tally, INT64_MIN, pool->opens_ms, 1);
    if (pool->opens_ms < FUTURE_END && pool->opens_ms < pools->next_open_ms)
        pools->next_open_ms = pool->opens_ms;
}

static void set_pool(struct pools *pools, struct pool *pool, const struct plan_pool *as,
                     int64_t now_ms)
{
    pool->total = pool->tally.total = as->kind == PLAN_POOL_GATE ? 0 : as->total;
    if (as->kind == PLAN_POOL_GATE)
        close_gate(pools, pool, as->opens_ms, now_ms);
}

static uint32_t sorts_of(const struct plan_pool *pool)
{
    if (pool->is_private)
        return POOLS_PRIVATE;
    return POOLS_SHARED | (pool->kind == PLAN_POOL_RAMP ? POOLS_FALLING : 0);
}

static void init_pool(struct pools *pools, struct pool *pool, const struct plan_pool *as,
                      int64_t now_ms)
{
    *pool = (struct pool){
        .kind = as->kind,
        .is_private = as->is_private,
        .sorts = sorts_of(as),
        .reason = as->reason,
    };
    tally_init(&pool->tally, 0);
    pools->privates_n += pool->is_private;
    set_pool(pools, pool, as, now_ms);
}

void pools_init(struct pools *pools, const struct plan_snapshot *snapshot)
{
    *pools = (struct pools){
        .n = snapshot->pools_n,
        .watches_n = 1,
        .period = 1,
        .now_ms = snapshot->now_ms,
        .next_open_ms = PLAN_NEVER,
        .falls_ms = PLAN_NEVER,
    };
    pools->at = xcalloc(pools->n, sizeof(*pools->at));
    for (uint32_t i = 0; i < pools->n; i++)
        init_pool(pools, &pools->at[i], &snapshot->pools[i], snapshot->now_ms);
}

void pools_clear(struct pools *pools)
{
    for (uint32_t i = 0; i < pools->n; i++)
        tally_clear(&pools->at[i].tally);
    free(pools->at);
    *pools = (struct pools){ 0 };
}

/* ---- demand ---- */

static uint64_t add_up(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Of a ramp it is what jobs would hold if all began at once. */
static tally_area demand_of(const struct pool *pool, const struct plan_claim *claim,
                            uint32_t jobs_n, tally_area length)
{
    if (pool->kind == PLAN_POOL_GATE)
        return 0;
    return claim->amount * (pool->kind == PLAN_POOL_RAMP ? length : (tally_area)jobs_n);
}

static tally_area total_of(const struct pool *pool)
{
    return pool->kind == PLAN_POOL_RAMP ? tally_ramp_total(&pool->tally) : (tally_area)pool->total;
}

static bool is_scarce(const struct pool *pool)
{
    return pool->demand > total_of(pool);
}

/* It is watched until then, or it would be begun again and again. */
static bool is_plentiful(const struct pool *pool)
{
    return pool->demand <= total_of(pool) / 2;
}

/* NULL: there is no such pool. */
static struct pool *pool_of(const struct pools *pools, const struct plan_claim *claim)
{
    return claim->pool < pools->n ? &pools->at[claim->pool] : NULL;
}

static void add_demand(struct pools *pools, const struct claim_list *list, uint32_t jobs_n,
                       tally_area length)
{
    for (uint32_t i = 0; i < list->n; i++) {
        struct pool *pool = pool_of(pools, &list->claims[i]);

        if (!pool)
            continue;
        pool->demand += demand_of(pool, &list->claims[i], jobs_n, length);
        pools->is_due |= !pool->watched && is_scarce(pool);
    }
}

void pools_note_given(struct pools *pools, uint32_t pool)
{
    pools->at[pool].given_n++;
    pools->at[pool].given_in = pools->period;
}

void pools_period_begins(struct pools *pools)
{
    pools->period++;
}

static void drop_demand(struct pools *pools, const struct claim_list *list, uint32_t jobs_n,
                        tally_area length)
{
    for (uint32_t i = 0; i < list->n; i++) {
        struct pool *pool = pool_of(pools, &list->claims[i]);

        if (!pool)
            continue;
        pool->demand -= demand_of(pool, &list->claims[i], jobs_n, length);
        if (!pool->watched || !is_plentiful(pool) || pool->kind == PLAN_POOL_GATE)
            continue;
        pool->watched = false;
        pools_note_given(pools, (uint32_t)(pool - pools->at));
        pools->watches_n++;
        pools->held_n++;
    }
}

uint32_t pools_watch_next(struct pools *pools)
{
    for (uint32_t i = 0; pools->is_due && i < pools->n; i++) {
        struct pool *pool = &pools->at[i];

        if (pool->watched || !is_scarce(pool))
            continue;
        pool->watched = true;
        pool->held = 0;
        pool->held_ends = 0;
        tally_reset(&pool->tally);
        pools->watches_n++;
        pools->held_n++;
        return i;
    }
    pools->is_due = false;
    return POOL_NONE;
}

static void recount_demand(struct pools *pools, uint32_t index)
{
    struct pool *pool = &pools->at[index];

    pool->demand = 0;
    for (const struct claim_list *list = pools->lists; list; list = list->hh.next) {
        for (uint32_t i = 0; i < list->n; i++) {
            if (list->claims[i].pool == index)
                pool->demand += demand_of(pool, &list->claims[i], list->jobs_n, list->length);
        }
    }
    pools->is_due |= !pool->watched && is_scarce(pool);
}

void pools_set(struct pools *pools, uint32_t index, const struct plan_pool *as, int64_t now_ms)
{
    if (index == pools->n) {
        pools->at = xreallocarray(pools->at, index + 1, sizeof(*pools->at));
        init_pool(pools, &pools->at[pools->n++], as, now_ms);
    } else {
        set_pool(pools, &pools->at[index], as, now_ms);
    }
    pools_note_given(pools, index);
    pools->watches_n++;
    pools->held_n++;
    recount_demand(pools, index);
}

static void open_gates(struct pools *pools)
{
    pools->next_open_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < pools->n; i++) {
        struct pool *pool = &pools->at[i];

        if (pool->kind != PLAN_POOL_GATE || !pool->watched)
            continue;
        close_gate(pools, pool, pool->opens_ms, pools->now_ms);
        if (!pool->watched)
            pools_note_given(pools, i);
    }
    pools->watches_n++;
    pools->held_n++;
}

bool pools_pass_time(struct pools *pools, int64_t now_ms)
{
    const bool opens = pools->next_open_ms <= now_ms;

    pools->now_ms = now_ms > pools->now_ms ? now_ms : pools->now_ms;
    if (opens)
        open_gates(pools);
    if (pools->falls_ms <= now_ms) {
        pools->falls_ms = PLAN_NEVER;
        pools->held_n++;
    }
    return opens;
}

void pools_await_fall(struct pools *pools, int64_t falls_ms)
{
    if (falls_ms < pools->falls_ms && falls_ms < FUTURE_END)
        pools->falls_ms = falls_ms;
}

int64_t pools_next_ms(const struct pools *pools)
{
    return pools->next_open_ms < pools->falls_ms ? pools->next_open_ms : pools->falls_ms;
}

/* ---- lists ---- */

static struct plan_claim *find_claim(struct plan_claim *claims, uint32_t n, uint32_t pool)
{
    for (uint32_t i = 0; i < n; i++) {
        if (claims[i].pool == pool)
            return &claims[i];
    }
    return NULL;
}

/* Of a gate nobody has any; of a ramp nobody has more than what can be reckoned with. */
static uint64_t most_of(const struct pools *pools, uint32_t pool)
{
    if (pool >= pools->n)
        return UINT64_MAX;
    return pools->at[pool].kind == PLAN_POOL_GATE   ? 0
           : pools->at[pool].kind == PLAN_POOL_RAMP ? RAMP_AMOUNT_MAX
                                                    : UINT64_MAX;
}

/* One claim of each pool. Nothing else is in it: it can be compared byte by byte. */
static struct plan_claim *copy_claims(const struct pools *pools, const struct plan_claim *claims,
                                      uint32_t *n)
{
    struct plan_claim *copies = xcalloc(*n, sizeof(*copies));
    uint32_t copies_n = 0, highest = 0;

    for (uint32_t i = 0; i < *n; i++) {
        const bool is_new = i == 0 || claims[i].pool > highest; /* as mostly: they rise */
        const uint64_t most = most_of(pools, claims[i].pool);
        struct plan_claim *copy = is_new ? NULL : find_claim(copies, copies_n, claims[i].pool);

        highest = is_new ? claims[i].pool : highest;
        if (!copy)
            copy = &copies[copies_n++];
        copy->pool = claims[i].pool;
        copy->amount = add_up(copy->amount, claims[i].amount);
        copy->amount = copy->amount < most ? copy->amount : most;
    }
    *n = copies_n;
    return copies;
}

static bool has_ramp(const struct pools *pools, const struct claim_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct pool *pool = pool_of(pools, &list->claims[i]);

        if (pool && pool->kind == PLAN_POOL_RAMP)
            return true;
    }
    return false;
}

struct claim_list *claims_get(struct pools *pools, const struct plan_claim *claims, uint32_t n,
                              int64_t length)
{
    AUTO_FREE struct plan_claim *key = n ? copy_claims(pools, claims, &n) : NULL;
    struct claim_list *list;

    if (n == 0)
        return NULL;
    HASH_FIND(hh, pools->lists, key, n * sizeof(*key), list);
    if (!list) {
        list = xcalloc(1, sizeof(*list));
        list->claims = STEAL(key);
        list->n = n;
        list->watched = xcalloc(n, sizeof(*list->watched));
        list->by_length = has_ramp(pools, list);
        HASH_ADD_KEYPTR(hh, pools->lists, list->claims, n * sizeof(*list->claims), list);
    }
    list->jobs_n++;
    list->length += length;
    add_demand(pools, list, 1, length);
    return list;
}

void claims_put(struct pools *pools, struct claim_list *list, int64_t length)
{
    if (!list)
        return;
    drop_demand(pools, list, 1, length);
    list->length -= length;
    if (--list->jobs_n > 0)
        return;
    HASH_DEL(pools->lists, list);
    free(list->claims);
    free(list->watched);
    free(list);
}

void claims_lengthen(struct pools *pools, struct claim_list *list, int64_t more)
{
    if (!list || !list->by_length)
        return;
    list->length += more;
    add_demand(pools, list, 0, more);
}

static bool fits_ever(const struct pool *pool, uint64_t amount, int64_t duration_ms)
{
    if (pool->kind != PLAN_POOL_RAMP || amount == 0)
        return amount <= pool->total;
    return duration_ms != PLAN_NEVER && amount * (tally_area)duration_ms <= total_of(pool);
}

bool claims_fit_ever(const struct pools *pools, const struct claim_list *list, int64_t duration_ms,
                     uint32_t *ret_pool)
{
    *ret_pool = POOL_NONE;
    for (uint32_t i = 0; list && i < list->n; i++) {
        const struct pool *pool = pool_of(pools, &list->claims[i]);

        if (pool && fits_ever(pool, list->claims[i].amount, duration_ms))
            continue;
        if (pool)
            *ret_pool = list->claims[i].pool;
        return false;
    }
    return true;
}

uint64_t claims_of(const struct claim_list *list, uint32_t pool)
{
    const struct plan_claim *claim = list ? find_claim(list->claims, list->n, pool) : NULL;

    return claim ? claim->amount : 0;
}
