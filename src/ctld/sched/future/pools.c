#include "ctld/sched/future/pools.h"

#include "ctld/sched/future/future.h"

#define RATES_MAX   0x7fffffffu
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* ---- what there is ---- */

/* Sets when the gate opens. Until then it is watched, and none of it is free to any job. */
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

/* Returns the total to count with. One that is not below the number of nodes never binds:
 * UINT64_MAX stands for it, also in a pool that is watched. */
static uint64_t nodes_total(const struct pools *pools, uint64_t total)
{
    return total < pools->cluster->nodes_n ? total : UINT64_MAX;
}

static void set_pool(struct pools *pools, struct pool *pool, const struct plan_pool *as,
                     int64_t now_ms)
{
    pool->total = pool->tally.total = as->kind == PLAN_POOL_GATE ? 0 : as->total;
    nodecount_set_total(&pool->nodes, nodes_total(pools, pool->total));
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
        .is_spent = as->is_spent,
        .is_for_each = as->is_for_each,
        .watched = as->is_for_each,
        .sorts = sorts_of(as),
        .reason = as->reason,
    };
    tally_init(&pool->tally, 0);
    nodecount_init(&pool->nodes, 0);
    pools->privates_n += pool->is_private;
    set_pool(pools, pool, as, now_ms);
}

void pools_init(struct pools *pools, const struct sched_cluster *cluster,
                const struct plan_snapshot *snapshot)
{
    *pools = (struct pools){
        .cluster = cluster,
        .n = snapshot->pools_n,
        .totals_n = 1,
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
    for (uint32_t i = 0; i < pools->n; i++) {
        tally_clear(&pools->at[i].tally);
        nodecount_clear(&pools->at[i].nodes);
        free(pools->at[i].lists);
    }
    free(pools->at);
    free(pools->changed);
    free(pools->due);
    for (uint32_t i = 0; i < pools->rates_n; i++)
        rates_clear(&pools->rates[i]);
    free(pools->rates);
    *pools = (struct pools){ 0 };
}

/* ---- which lists a change concerns ---- */

static void note_changed(struct pools *pools, struct claim_list *list)
{
    if (list->changed)
        return;
    *ARRAY_PUSH(pools->changed, pools->changed_n) = list;
    list->changed = pools->changed_n;
}

static void drop_changed(struct pools *pools, struct claim_list *list)
{
    if (!list->changed)
        return;
    pools->changed[list->changed - 1] = pools->changed[--pools->changed_n];
    pools->changed[list->changed - 1]->changed = list->changed;
    list->changed = 0;
}

struct claim_list *pools_next_changed(struct pools *pools)
{
    struct claim_list *list = pools->changed_n ? pools->changed[pools->changed_n - 1] : NULL;

    if (list)
        drop_changed(pools, list);
    return list;
}

void pools_note_held(struct pools *pools, struct pool *pool)
{
    pool->held_at = ++pools->held_n;
    for (uint32_t i = 0; i < pool->lists_n; i++)
        note_changed(pools, pool->lists[i]);
}

/* Notes that the pool is watched, or no longer is: what is held of it matters, or does not. */
static void note_watched(struct pools *pools, struct pool *pool)
{
    pools->held_n++;
    for (uint32_t i = 0; i < pool->lists_n; i++) {
        pool->lists[i]->watched_known = false;
        note_changed(pools, pool->lists[i]);
    }
}

static void note_all_changed(struct pools *pools)
{
    pools->held_n++;
    for (struct claim_list *list = pools->lists; list; list = list->hh.next)
        note_changed(pools, list);
}

/* Lists the list with the pool that it claims of, if there is that pool. */
static void list_with_pool(struct pools *pools, struct claim_list *list, uint32_t claim)
{
    const uint32_t at = list->claims[claim].pool;

    if (at >= pools->n)
        return;
    *ARRAY_PUSH(pools->at[at].lists, pools->at[at].lists_n) = list;
    list->places[claim] = pools->at[at].lists_n - 1;
}

static void drop_from_pool(struct pools *pools, const struct claim_list *list, uint32_t claim)
{
    struct pool *pool;
    struct claim_list *last;

    if (list->claims[claim].pool >= pools->n)
        return;
    pool = &pools->at[list->claims[claim].pool];
    last = pool->lists[--pool->lists_n];
    pool->lists[list->places[claim]] = last;
    last->places[claims_find(last, list->claims[claim].pool) - last->claims] = list->places[claim];
}

/* ---- demand ---- */

/* Returns what jobs_n jobs with this claim add to the pool's demand. For a ramp it is what they
 * would hold if all of them began at once. */
static tally_area demand_of(const struct pool *pool, const struct pool_claim *claim,
                            uint32_t jobs_n, tally_area length)
{
    if (pool->kind == PLAN_POOL_GATE)
        return 0;
    return claim->most * (pool->kind == PLAN_POOL_RAMP ? length : (tally_area)jobs_n);
}

static tally_area total_of(const struct pool *pool)
{
    if (pool->kind == PLAN_POOL_NODES)
        return pool->nodes.held.total;
    return pool->kind == PLAN_POOL_RAMP ? tally_ramp_total(&pool->tally) : (tally_area)pool->total;
}

static bool is_scarce(const struct pool *pool)
{
    return pool->demand > total_of(pool);
}

/* A pool stays watched until its demand has fallen to half of its total: if it were dropped sooner,
 * it would be begun again and again. */
static bool is_plentiful(const struct pool *pool)
{
    return pool->demand <= total_of(pool) / 2;
}

/* Returns the pool of the claim, or NULL when there is no such pool. */
static struct pool *pool_of(const struct pools *pools, const struct pool_claim *claim)
{
    return claim->pool < pools->n ? &pools->at[claim->pool] : NULL;
}

static void watch_if_scarce(struct pools *pools, const struct pool *pool)
{
    if (!pool->watched && is_scarce(pool))
        *ARRAY_PUSH(pools->due, pools->due_n) = (uint32_t)(pool - pools->at);
}

static void add_demand(struct pools *pools, const struct claim_list *list, uint32_t jobs_n,
                       tally_area length)
{
    for (uint32_t i = 0; i < list->n; i++) {
        struct pool *pool = pool_of(pools, &list->claims[i]);

        if (!pool)
            continue;
        pool->demand += demand_of(pool, &list->claims[i], jobs_n, length);
        watch_if_scarce(pools, pool);
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
        if (!pool->watched || !is_plentiful(pool) || pool->kind == PLAN_POOL_GATE ||
            pool->is_for_each)
            continue;
        pool->watched = false;
        pools_note_given(pools, (uint32_t)(pool - pools->at));
        note_watched(pools, pool);
    }
}

uint32_t pools_watch_next(struct pools *pools)
{
    while (pools->due_n > 0) {
        const uint32_t index = pools->due[--pools->due_n];
        struct pool *pool = &pools->at[index];

        if (pool->watched || !is_scarce(pool))
            continue;
        pool->watched = true;
        pool->held = 0;
        pool->held_ends = 0;
        tally_reset(&pool->tally);
        nodecount_reset(&pool->nodes);
        note_watched(pools, pool);
        return index;
    }
    return POOL_NONE;
}

void pools_note_counted(struct pools *pools, uint32_t pool)
{
    pools->at[pool].held_at = 0;
}

static void recount_demand(struct pools *pools, uint32_t index)
{
    struct pool *pool = &pools->at[index];

    pool->demand = 0;
    for (uint32_t i = 0; i < pool->lists_n; i++) {
        const struct claim_list *list = pool->lists[i];

        pool->demand += demand_of(pool, claims_find(list, index), list->jobs_n, list->length);
    }
    watch_if_scarce(pools, pool);
}

static void add_pool(struct pools *pools, const struct plan_pool *as, int64_t now_ms)
{
    const uint32_t index = pools->n++;

    pools->at = xreallocarray(pools->at, pools->n, sizeof(*pools->at));
    init_pool(pools, &pools->at[index], as, now_ms);
    for (struct claim_list *list = pools->lists; list; list = list->hh.next) {
        for (uint32_t i = 0; i < list->n; i++) {
            if (list->claims[i].pool == index)
                list_with_pool(pools, list, i);
        }
    }
}

void pools_set(struct pools *pools, uint32_t index, const struct plan_pool *as, int64_t now_ms)
{
    if (index == pools->n)
        add_pool(pools, as, now_ms);
    else
        set_pool(pools, &pools->at[index], as, now_ms);
    pools_note_given(pools, index);
    pools->totals_n++;
    note_watched(pools, &pools->at[index]);
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
        note_watched(pools, pool);
    }
}

bool pools_pass_time(struct pools *pools, int64_t now_ms)
{
    const bool opens = pools->next_open_ms <= now_ms;

    pools->now_ms = now_ms > pools->now_ms ? now_ms : pools->now_ms;
    if (opens)
        open_gates(pools);
    if (pools->falls_ms <= now_ms) {
        pools->falls_ms = PLAN_NEVER;
        note_all_changed(pools);
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

static struct pool_claim *find_claim(struct pool_claim *claims, uint32_t n, uint32_t pool)
{
    for (uint32_t i = 0; i < n; i++) {
        if (claims[i].pool == pool)
            return &claims[i];
    }
    return NULL;
}

/* Returns the most that a job can claim of the pool: nothing of a gate, and of a ramp what sums can
 * hold. */
static uint64_t most_of(const struct pools *pools, uint32_t pool)
{
    if (pool >= pools->n)
        return UINT64_MAX;
    return pools->at[pool].kind == PLAN_POOL_GATE   ? 0
           : pools->at[pool].kind == PLAN_POOL_RAMP ? RAMP_AMOUNT_MAX
                                                    : UINT64_MAX;
}

static bool counts_nodes(const struct pools *pools, uint32_t pool)
{
    return pool < pools->n && pools->at[pool].kind == PLAN_POOL_NODES;
}

static bool is_ramp(const struct pools *pools, uint32_t pool)
{
    return pool < pools->n && pools->at[pool].kind == PLAN_POOL_RAMP;
}

static struct pool_claim claim_nodes(uint32_t pool, const struct claim_terms *terms)
{
    return (struct pool_claim){
        .pool = pool,
        .whole = terms->kind && terms->kind->least_cpus == UINT32_MAX,
        .least = terms->nodes_least,
        .most = terms->nodes_most > terms->nodes_least ? terms->nodes_most : terms->nodes_least,
    };
}

static void add_amount(struct pool_claim *claim, uint64_t amount, uint64_t most)
{
    claim->least = rates_sum(claim->least, amount, 1);
    claim->least = claim->least < most ? claim->least : most;
    claim->most = claim->least;
}

/* Returns the number, from 1, under which these rates are kept. Takes ownership of them. */
static uint32_t intern_rates(struct pools *pools, struct rates rates)
{
    for (uint32_t i = 0; i < pools->rates_n; i++) {
        if (!rates_equal(&pools->rates[i], &rates))
            continue;
        rates_clear(&rates);
        return i + 1;
    }
    *ARRAY_PUSH(pools->rates, pools->rates_n) = rates;
    return pools->rates_n;
}

/* Returns one claim for all that the job claims of the pool, reckoned from what it gets on
 * nodes. */
static struct pool_claim claim_by_rates(struct pools *pools, uint32_t pool,
                                        const struct plan_claim *claims, uint32_t n,
                                        const struct claim_terms *terms)
{
    const uint64_t most = most_of(pools, pool);
    struct pool_claim claim = { .pool = pool };
    struct rates rates = { 0 };

    for (uint32_t i = 0; i < n; i++) {
        if (claims[i].pool == pool)
            rates_add(&rates, &claims[i]);
    }
    if (terms->kind) {
        const struct rates_bound bound = rates_bound(&rates, pools->cluster, terms->kind);
        const uint32_t nodes_most = terms->nodes_most < pools->cluster->nodes_n
                                        ? terms->nodes_most
                                        : pools->cluster->nodes_n;

        claim.least = rates_least(&rates, pools->cluster, terms->kind, terms->nodes_least);
        claim.most = rates_sum(bound.base, bound.most, nodes_most);
        claim.most = claim.most > claim.least ? claim.most : claim.least;
    } else {
        claim.least = claim.most =
            rates_of_places(&rates, pools->cluster, terms->places, terms->nodes_most);
    }
    claim.rates = intern_rates(pools, rates) & RATES_MAX;
    claim.least = claim.least < most ? claim.least : most;
    claim.most = claim.most < most ? claim.most : most;
    return claim;
}

/* Returns the claims with one entry for each pool, to be freed by the caller, and their number in
 * *n. Entries have no unset bytes, so lists can be compared byte by byte. */
static struct pool_claim *copy_claims(struct pools *pools, const struct plan_claim *claims,
                                      const struct claim_terms *terms, uint32_t *n)
{
    struct pool_claim *copies = xcalloc(*n, sizeof(*copies));
    uint32_t copies_n = 0, highest = 0;

    for (uint32_t i = 0; i < *n; i++) {
        const uint32_t pool = claims[i].pool;
        const bool is_new = i == 0 || pool > highest; /* claims mostly rise by pool */
        struct pool_claim *copy = is_new ? NULL : find_claim(copies, copies_n, pool);

        highest = is_new ? pool : highest;
        if (!copy)
            copy = &copies[copies_n++];
        copy->pool = pool;
        if (counts_nodes(pools, pool))
            *copy = claim_nodes(pool, terms);
        else if (claims[i].of != PLAN_CLAIM_FIXED && most_of(pools, pool) > 0)
            *copy = claim_by_rates(pools, pool, claims, *n, terms);
        else if (copy->rates == 0)
            add_amount(copy, claims[i].amount, most_of(pools, pool));
    }
    *n = copies_n;
    return copies;
}

bool pools_count_nodes(const struct pools *pools, const struct plan_claim *claims, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (counts_nodes(pools, claims[i].pool) || claims[i].of != PLAN_CLAIM_FIXED)
            return true;
    }
    return false;
}

/* Hashes claim by claim in words, not in bytes: each job that arrives is hashed. */
static unsigned hash_claims(const struct pool_claim *claims, uint32_t n)
{
    uint64_t hash = n;

    for (uint32_t i = 0; i < n; i++) {
        hash = (hash ^ claims[i].pool ^ (uint64_t)claims[i].rates << 32) * HASH_FACTOR;
        hash = ((hash >> 29) ^ hash ^ claims[i].least) * HASH_FACTOR;
        hash = (hash ^ claims[i].most ^ (uint64_t)claims[i].whole << 63) * HASH_FACTOR;
    }
    return (unsigned)(hash >> 32);
}

struct claim_list *claims_get(struct pools *pools, const struct plan_claim *claims, uint32_t n,
                              const struct claim_terms *terms)
{
    AUTO_FREE struct pool_claim *key = n ? copy_claims(pools, claims, terms, &n) : NULL;
    struct claim_list *list;
    unsigned hash;

    if (n == 0)
        return NULL;
    hash = hash_claims(key, n);
    HASH_FIND_BYHASHVALUE(hh, pools->lists, key, n * sizeof(*key), hash, list);
    if (!list) {
        list = xcalloc(1, sizeof(*list));
        list->claims = STEAL(key);
        list->n = n;
        list->watched = xcalloc(n, sizeof(*list->watched));
        list->places = xcalloc(n, sizeof(*list->places));
        for (uint32_t i = 0; i < n; i++) {
            list->by_length |= is_ramp(pools, list->claims[i].pool);
            list->by_nodes |= counts_nodes(pools, list->claims[i].pool) || list->claims[i].rates;
            list_with_pool(pools, list, i);
        }
        HASH_ADD_KEYPTR_BYHASHVALUE(hh, pools->lists, list->claims, n * sizeof(*list->claims), hash,
                                    list);
    }
    list->jobs_n++;
    list->length += terms->length;
    add_demand(pools, list, 1, terms->length);
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
    for (uint32_t i = 0; i < list->n; i++)
        drop_from_pool(pools, list, i);
    drop_changed(pools, list);
    HASH_DEL(pools->lists, list);
    free(list->claims);
    free(list->places);
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

/* Returns how long a job that claims this amount of the pool may be, in milliseconds; PLAN_NEVER:
 * without limit; 0: no job may. */
static int64_t longest_for(const struct pool *pool, uint64_t amount)
{
    tally_area longest;

    if (pool->kind != PLAN_POOL_RAMP || amount == 0)
        return amount <= pool->total ? PLAN_NEVER : 0;
    longest = total_of(pool) / amount;
    return longest < FUTURE_END ? (int64_t)longest : FUTURE_END;
}

/* Returns longest_for the claim if its pool is of these sorts, else PLAN_NEVER. It is 0 for a pool
 * that does not exist: no job fits then. */
static int64_t longest_of(const struct pools *pools, const struct pool_claim *claim, uint32_t sorts)
{
    const struct pool *pool = pool_of(pools, claim);

    if (!pool)
        return 0;
    return pool->sorts & sorts ? longest_for(pool, claim->least) : PLAN_NEVER;
}

static void find_longest(const struct pools *pools, struct claim_list *list)
{
    list->longest_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < list->n; i++) {
        const int64_t longest = longest_of(pools, &list->claims[i], POOLS_ALL);

        list->longest_ms = longest < list->longest_ms ? longest : list->longest_ms;
    }
    list->longest_at = pools->totals_n;
}

bool claims_fit_ever(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t duration_ms, uint32_t *ret_pool)
{
    const int64_t length = duration_ms > 1 ? duration_ms : 1;

    *ret_pool = POOL_NONE;
    if (!list)
        return true;
    if (list->longest_at != pools->totals_n)
        find_longest(pools, list);
    if (length <= list->longest_ms)
        return true;
    for (uint32_t i = 0; i < list->n; i++) {
        if (length <= longest_of(pools, &list->claims[i], sorts))
            continue;
        if (list->claims[i].pool < pools->n)
            *ret_pool = list->claims[i].pool;
        return false;
    }
    return true;
}

const struct pool_claim *claims_find(const struct claim_list *list, uint32_t pool)
{
    return list ? find_claim(list->claims, list->n, pool) : NULL;
}

uint64_t claims_of(const struct claim_list *list, uint32_t pool)
{
    const struct pool_claim *claim = claims_find(list, pool);

    return claim ? claim->least : 0;
}
