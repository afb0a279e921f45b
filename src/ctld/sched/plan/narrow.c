#include "ctld/sched/plan/narrow.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* What is tried on other nodes. */
struct attempt_within {
    struct plan *plan;
    const struct sched_option *option;
    int64_t length, now_ms, at;
    int64_t next; /* nothing is gained before, as far as is known */
};

static uint32_t try_within(struct attempt_within *attempt, const struct search_bound *bound,
                           struct sched_place **ret_places)
{
    int64_t at = attempt->at;
    const uint32_t n = search_try_within(attempt->plan->search, attempt->option->kind,
                                         attempt->length, attempt->now_ms, bound, &at, ret_places);

    if (n == 0)
        attempt->next = MIN(attempt->next, at);
    return n;
}

/* Where the first nodes are taken anyway, as many others as are left may be among them. */
static uint32_t try_beside_held(struct attempt_within *attempt, uint64_t left,
                                struct sched_place **ret_places)
{
    const struct pools *pools = attempt->plan->pools;
    const struct kind *kind = attempt->option->kind;
    const bool takes_first = search_takes_first(kind);
    const int64_t to = future_add(attempt->at, attempt->length);
    struct bitset known;
    struct search_bound bound = {
        .known = &known,
        .others = takes_first ? (uint32_t)left : 0,
        .most = takes_first ? kind->nodes_min : MIN(kind->nodes_max, pools->cluster->nodes_n),
    };
    uint32_t n;

    claims_nodes_free(pools, attempt->option->claims, attempt->at, to, bound.most, &known);
    n = try_within(attempt, &bound, ret_places);
    bitset_clear(&known);
    return n;
}

uint32_t narrow_places(struct plan *plan, const struct sched_option *option, int64_t length,
                       int64_t now_ms, int64_t *at, struct sched_place **places, uint32_t n)
{
    const uint64_t left =
        claims_nodes_left(plan->pools, option->claims, *at, future_add(*at, length));
    struct attempt_within attempt = {
        .plan = plan,
        .option = option,
        .length = length,
        .now_ms = now_ms,
        .at = *at,
        .next = claims_nodes_next(plan->pools, option->claims, *at),
    };

    if (n <= left)
        return n;
    places_free(*places, n);
    n = 0;
    if (left > 0)
        n = try_within(&attempt, &(struct search_bound){ .most = (uint32_t)left }, places);
    if (n == 0)
        n = try_beside_held(&attempt, left, places);
    if (n == 0)
        *at = attempt.next;
    return n;
}

int64_t narrow_until(struct plan *plan, struct claim_list *list, const struct sched_place *places,
                     uint32_t n, int64_t from)
{
    const struct claim_time all = {
        .from = from,
        .to = FUTURE_END,
        .sorts = POOLS_ALL,
        .places = places,
        .places_n = n,
    };
    int64_t until;

    if (!claims_count_nodes(plan->pools, list))
        return FUTURE_END;
    claims_take(plan->pools, list, all);
    until = claims_nodes_until(plan->pools, list, from);
    claims_give(plan->pools, list, all);
    return until;
}
