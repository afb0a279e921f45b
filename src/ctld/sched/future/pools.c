#include "ctld/sched/future/pools.h"

#include "ctld/sched/future/future.h"

#define UNITS_OF_A_POOL (UINT64_C(1) << 30)

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
    pool->unit = pool->total / UNITS_OF_A_POOL + 1;
    if (as->kind == PLAN_POOL_GATE)
        close_gate(pools, pool, as->opens_ms, now_ms);
}

static void init_pool(struct pools *pools, struct pool *pool, const struct plan_pool *as,
                      int64_t now_ms)
{
    *pool = (struct pool){
        .kind = as->kind,
        .is_private = as->is_private,
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
        .next_open_ms = PLAN_NEVER,
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

/* In units, rounded up. Who claims more than there is makes it scarce, however much more it is. */
static uint64_t demand_of(const struct pool *pool, const struct plan_claim *claim)
{
    if (pool->kind == PLAN_POOL_GATE)
        return 0;
    if (claim->amount > pool->total)
        return pool->total / pool->unit + 1;
    return claim->amount / pool->unit + (claim->amount % pool->unit != 0);
}

static bool is_scarce(const struct pool *pool)
{
    return pool->demand > pool->total / pool->unit;
}

/* It is watched until then, or it would be begun again and again. */
static bool is_plentiful(const struct pool *pool)
{
    return pool->demand <= pool->total / pool->unit / 2;
}

/* NULL: there is no such pool. */
static struct pool *pool_of(const struct pools *pools, const struct plan_claim *claim)
{
    return claim->pool < pools->n ? &pools->at[claim->pool] : NULL;
}

static void add_demand(struct pools *pools, const struct claim_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        struct pool *pool = pool_of(pools, &list->claims[i]);

        if (!pool)
            continue;
        pool->demand += demand_of(pool, &list->claims[i]);
        pools->is_due |= !pool->watched && is_scarce(pool);
    }
}

/* Something of it is free that was not, whatever becomes of it. */
static void note_given(const struct pools *pools, struct pool *pool)
{
    pool->given_n++;
    pool->given_in = pools->period;
}

static void drop_demand(struct pools *pools, const struct claim_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        struct pool *pool = pool_of(pools, &list->claims[i]);

        if (!pool)
            continue;
        pool->demand -= demand_of(pool, &list->claims[i]);
        if (!pool->watched || !is_plentiful(pool) || pool->kind == PLAN_POOL_GATE)
            continue;
        pool->watched = false;
        note_given(pools, pool);
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
                pool->demand += list->jobs_n * demand_of(pool, &list->claims[i]);
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
    note_given(pools, &pools->at[index]);
    pools->watches_n++;
    pools->held_n++;
    recount_demand(pools, index);
}

bool pools_open_gates(struct pools *pools, int64_t now_ms)
{
    if (pools->next_open_ms > now_ms)
        return false;
    pools->next_open_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < pools->n; i++) {
        struct pool *pool = &pools->at[i];

        if (pool->kind != PLAN_POOL_GATE || !pool->watched)
            continue;
        close_gate(pools, pool, pool->opens_ms, now_ms);
        if (!pool->watched)
            note_given(pools, pool);
    }
    pools->watches_n++;
    pools->held_n++;
    return true;
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

/* One claim of each pool, of a gate none of it. Nothing else is in it: it can be compared byte by
 * byte. */
static struct plan_claim *copy_claims(const struct pools *pools, const struct plan_claim *claims,
                                      uint32_t *n)
{
    struct plan_claim *copies = xcalloc(*n, sizeof(*copies));
    uint32_t copies_n = 0, highest = 0;

    for (uint32_t i = 0; i < *n; i++) {
        const bool is_new = i == 0 || claims[i].pool > highest; /* as mostly: they rise */
        struct plan_claim *copy = is_new ? NULL : find_claim(copies, copies_n, claims[i].pool);

        highest = is_new ? claims[i].pool : highest;
        if (!copy)
            copy = &copies[copies_n++];
        copy->pool = claims[i].pool;
        if (claims[i].pool < pools->n && pools->at[claims[i].pool].kind == PLAN_POOL_GATE)
            continue;
        copy->amount = add_up(copy->amount, claims[i].amount);
    }
    *n = copies_n;
    return copies;
}

struct claim_list *claims_get(struct pools *pools, const struct plan_claim *claims, uint32_t n)
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
        HASH_ADD_KEYPTR(hh, pools->lists, list->claims, n * sizeof(*list->claims), list);
    }
    list->jobs_n++;
    add_demand(pools, list);
    return list;
}

void claims_put(struct pools *pools, struct claim_list *list)
{
    if (!list)
        return;
    drop_demand(pools, list);
    if (--list->jobs_n > 0)
        return;
    HASH_DEL(pools->lists, list);
    free(list->claims);
    free(list->watched);
    free(list);
}

bool claims_fit_ever(const struct pools *pools, const struct claim_list *list, uint32_t *ret_pool)
{
    *ret_pool = POOL_NONE;
    for (uint32_t i = 0; list && i < list->n; i++) {
        const struct pool *pool = pool_of(pools, &list->claims[i]);

        if (pool && list->claims[i].amount <= pool->total)
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

/* ---- the watched ones ---- */

static void find_watched(const struct pools *pools, struct claim_list *list)
{
    list->watched_n = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct pool *pool = pool_of(pools, &list->claims[i]);

        if (pool && pool->watched)
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
    return sorts & (pools->at[claim->pool].is_private ? POOLS_PRIVATE : POOLS_SHARED);
}

static void take(struct pools *pools, const struct plan_claim *claim, struct claim_time time)
{
    struct pool *pool = &pools->at[claim->pool];

    if (!is_of(pools, claim, time.sorts))
        return;
    tally_take(&pool->tally, time.from, time.to, claim->amount);
    pool->held += time.runs ? claim->amount : 0;
    pools->held_n += time.runs;
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

    for (uint32_t i = 0; i < n; i++) {
        const struct plan_claim *claim = watched_claim(list, i);
        struct pool *pool = &pools->at[claim->pool];

        if (!is_of(pools, claim, time.sorts))
            continue;
        tally_give(&pool->tally, time.from, time.to, claim->amount);
        pool->held -= time.runs ? claim->amount : 0;
        pools->held_n += time.runs;
    }
}

/* Of one that is not of these sorts, at once. */
static int64_t ready(const struct pools *pools, const struct plan_claim *claim, uint32_t sorts,
                     int64_t at, int64_t length)
{
    if (!is_of(pools, claim, sorts))
        return at;
    return tally_ready(&pools->at[claim->pool].tally, at, length, claim->amount);
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

int64_t claims_until(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from)
{
    const uint32_t n = watched_n(pools, list);
    int64_t until = FUTURE_END;

    for (uint32_t i = 0; i < n; i++) {
        const struct plan_claim *claim = watched_claim(list, i);
        const int64_t free = is_of(pools, claim, sorts)
                                 ? tally_until(&pools->at[claim->pool].tally, from, claim->amount)
                                 : FUTURE_END;

        until = free < until ? free : until;
    }
    return until;
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

uint64_t pools_left(const struct pools *pools, uint32_t index)
{
    const struct pool *pool = &pools->at[index];

    if (!pool->watched)
        return UINT64_MAX;
    return pool->held < pool->total ? pool->total - pool->held : 0;
}

uint32_t claims_exhausted(const struct pools *pools, struct claim_list *list, uint32_t sorts)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++) {
        const struct plan_claim *claim = watched_claim(list, i);
        const struct pool *pool = &pools->at[claim->pool];

        if (is_of(pools, claim, sorts) &&
            (pool->held > pool->total || pool->total - pool->held < claim->amount))
            return claim->pool;
    }
    return POOL_NONE;
}

/* ---- what became free ---- */

void pools_period_begins(struct pools *pools)
{
    pools->period++;
}

void claims_freed(struct pools *pools, struct claim_list *list)
{
    const uint32_t n = watched_n(pools, list);

    for (uint32_t i = 0; i < n; i++)
        note_given(pools, &pools->at[watched_claim(list, i)->pool]);
}

/* Also in one that is not watched any more, since so much became free. */
bool claims_were_freed(const struct pools *pools, const struct claim_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const struct pool *pool = pool_of(pools, &list->claims[i]);

        if (pool && pool->given_in == pools->period)
            return true;
    }
    return false;
}
