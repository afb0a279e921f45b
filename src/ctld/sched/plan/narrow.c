#include "ctld/sched/plan/narrow.h"

#include "common/base/minmax.h"

/* A try to find a job other nodes. */
struct narrowing {
    struct plan *plan;
    struct kind *kind;
    struct claim_list *claims;
    int64_t length, now_ms, at;
    int64_t next;      /* the next moment that may gain anything */
    uint32_t nodes_n;  /* the most that may be taken */
    bool any_size;     /* any nodes may be taken, not only those of set */
    struct bitset set; /* of size 0 with any_size */
};

/* Finds the nodes of which the job might have nodes_n alike without exceeding its pools. */
static void find_allowed(struct narrowing *narrowing)
{
    const struct sched_cluster *cluster = narrowing->plan->cluster;
    AUTO_FREE bool *allows = xcalloc(cluster->models_n, sizeof(*allows));

    for (uint32_t i = 0; i < cluster->models_n; i++) {
        const struct claim_share share = {
            .kind = narrowing->kind,
            .node = &cluster->nodes[cluster->models[i]],
            .nodes_n = narrowing->nodes_n,
            .length = narrowing->length,
        };
        int64_t ready;

        if (!narrowing->kind->needs[i].admitted)
            continue;
        ready =
            claims_share_ready(narrowing->plan->pools, narrowing->claims, &share, narrowing->at);
        allows[i] = ready == narrowing->at;
        if (!allows[i])
            narrowing->next = MIN(narrowing->next, ready);
    }
    bitset_init(&narrowing->set, cluster->nodes_n);
    for (uint32_t i = 0; i < cluster->nodes_n; i++) {
        if (allows[cluster->nodes[i].model])
            bitset_add(&narrowing->set, i);
    }
}

static void begin(struct narrowing *narrowing)
{
    const struct pools *pools = narrowing->plan->pools;
    const int64_t most_at =
        claims_most_ready(pools, narrowing->claims, narrowing->at, narrowing->length);

    narrowing->next = claims_nodes_next(pools, narrowing->claims, narrowing->at);
    narrowing->nodes_n = narrowing->kind->nodes_max;
    narrowing->any_size = most_at == narrowing->at;
    if (narrowing->any_size)
        return;
    narrowing->next = MIN(narrowing->next, most_at);
    narrowing->nodes_n = kind_nodes_least(narrowing->plan->kinds, narrowing->kind);
    find_allowed(narrowing);
}

static uint32_t try_within(struct narrowing *narrowing, struct search_bound bound,
                           struct sched_place **ret_places)
{
    int64_t at = narrowing->at;
    uint32_t n;

    bound.allowed = narrowing->any_size ? NULL : &narrowing->set;
    n = search_try_within(narrowing->plan->search, narrowing->kind, narrowing->length,
                          narrowing->now_ms, &bound, &at, ret_places);
    if (n == 0)
        narrowing->next = MIN(narrowing->next, at);
    return n;
}

/* Looks for places on at most `most` nodes, of which `others` need not count already. Returns how
 * many places were found. */
static uint32_t try_on_known(struct narrowing *narrowing, uint32_t most, uint32_t others,
                             struct sched_place **ret_places)
{
    const int64_t to = future_add(narrowing->at, narrowing->length);
    struct bitset known;
    uint32_t n;

    claims_nodes_free(narrowing->plan->pools, narrowing->claims, narrowing->at, to, most, &known);
    n = try_within(narrowing,
                   (struct search_bound){ .known = &known, .others = others, .most = most },
                   ret_places);
    bitset_clear(&known);
    return n;
}

/* Looks for places on nodes that count already. Where the search takes the first nodes anyway, as
 * many others as are left may be among them. Else it is tried on the least nodes, then on the most:
 * the fewer the job takes, the more of them may count already. */
static uint32_t try_beside_held(struct narrowing *narrowing, uint64_t left,
                                struct sched_place **ret_places)
{
    const uint32_t most = MIN(narrowing->nodes_n, narrowing->plan->cluster->nodes_n);
    const uint32_t least = kind_nodes_least(narrowing->plan->kinds, narrowing->kind);
    uint32_t n;

    if (search_takes_first(narrowing->kind))
        return try_on_known(narrowing, narrowing->kind->nodes_min, (uint32_t)left, ret_places);
    n = try_on_known(narrowing, least, 0, ret_places);
    return n == 0 && most > least ? try_on_known(narrowing, most, 0, ret_places) : n;
}

static bool fits(const struct narrowing *narrowing, const struct sched_place *places, uint32_t n)
{
    return claims_fit_places(narrowing->plan->pools, narrowing->claims, narrowing->at,
                             narrowing->length, places, n);
}

/* Looks for fewer or smaller nodes. What the job gets may be a little more than was reckoned
 * with. */
static uint32_t look_again(struct narrowing *narrowing, uint64_t left,
                           struct sched_place **ret_places)
{
    const uint64_t most = MIN(left, narrowing->nodes_n);
    uint32_t n = try_within(narrowing, (struct search_bound){ .most = (uint32_t)most }, ret_places);

    if (n == 0 && left < narrowing->nodes_n)
        n = try_beside_held(narrowing, left, ret_places);
    if (n == 0 || fits(narrowing, *ret_places, n))
        return n;
    places_free(*ret_places, n);
    return 0;
}

/* Returns until when no pool is short of nodes once a job has the places from `from` up to `to`. */
static int64_t nodes_until(struct plan *plan, struct claim_list *list,
                           const struct sched_place *places, uint32_t n, int64_t from, int64_t to)
{
    const struct claim_time time = {
        .from = from,
        .to = to,
        .sorts = POOLS_ALL,
        .places = places,
        .places_n = n,
    };
    int64_t until;

    claims_take(plan->pools, list, time);
    until = claims_nodes_until(plan->pools, list, from);
    claims_give(plan->pools, list, time);
    return until;
}

/* Returns whether places on more nodes than are left will do, since enough of them count
 * already. */
static bool are_counted(const struct narrowing *narrowing, const struct sched_place *places,
                        uint32_t n)
{
    const int64_t to = future_add(narrowing->at, narrowing->length);

    return nodes_until(narrowing->plan, narrowing->claims, places, n, narrowing->at, to) >= to;
}

uint32_t narrow_places(struct plan *plan, const struct sched_option *option, int64_t length,
                       int64_t now_ms, int64_t *at, struct sched_place **places, uint32_t n)
{
    const uint64_t left =
        claims_nodes_left(plan->pools, option->claims, *at, future_add(*at, length));
    struct sched_place *others = NULL;
    uint32_t others_n = 0;
    struct narrowing narrowing = {
        .plan = plan,
        .kind = option->kind,
        .claims = option->claims,
        .length = length,
        .now_ms = now_ms,
        .at = *at,
    };

    begin(&narrowing);
    if (n > left || !narrowing.any_size)
        others_n = look_again(&narrowing, left, &others);
    if (others_n > 0 || !fits(&narrowing, *places, n) ||
        (n > left && !are_counted(&narrowing, *places, n))) {
        places_free(*places, n);
        *places = others;
        n = others_n;
    }
    if (n == 0)
        *at = narrowing.next;
    bitset_clear(&narrowing.set);
    return n;
}

int64_t narrow_until(struct plan *plan, struct claim_list *list, const struct sched_place *places,
                     uint32_t n, int64_t from)
{
    int64_t until;

    if (claims_by_nodes(plan->pools, list) == POOL_NONE)
        return FUTURE_END;
    until = claims_places_until(plan->pools, list, from, places, n);
    return MIN(until, nodes_until(plan, list, places, n, from, FUTURE_END));
}
