/* What claims that overlap in time may not do to each other. */
#include "ctld/model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/base/minmax.h"
#include "unit/ctld/sched/proof/deadline.h"
#include "unit/ctld/sched/proof/checker.h"

static bool takes_node(const struct plan_snapshot *snapshot, const struct claim *claim)
{
    return option_takes_whole_nodes(snapshot, claim->job, claim->option);
}

static bool is_for_user(const struct plan_snapshot *snapshot, const struct claim *claim)
{
    return claim->job->shape.exclusive == PLAN_EXCLUSIVE_USER ||
           snapshot->partitions[claim->partition].user_exclusive;
}

uint32_t checker_jobs_per_cpu(const struct plan_snapshot *snapshot, const struct claim *claim)
{
    const struct plan_partition *partition = &snapshot->partitions[claim->partition];

    if (partition->share == OVERSUBSCRIBE_FORCE ||
        (partition->share == OVERSUBSCRIBE_YES && claim->job->shape.oversubscribe))
        return claim->job->shape.exclusive == PLAN_EXCLUSIVE_NODE ? 1 : partition->jobs_per_cpu;
    return 1;
}

static bool agree_on_cpus(const struct plan_snapshot *snapshot, const struct claim *a,
                          const struct claim *b, uint32_t node, struct strbuf *problem)
{
    const struct plan_place *left = claim_place_on(a, node), *right = claim_place_on(b, node);

    if (!bitset_meets(&left->cpus, &right->cpus))
        return true;
    if (left->row != right->row && checker_jobs_per_cpu(snapshot, a) > 1 &&
        checker_jobs_per_cpu(snapshot, b) > 1)
        return true;
    return wrong(problem, "jobs %" PRIu64 " and %" PRIu64 " share a cpu of node %u", a->job->id,
                 b->job->id, node);
}

/* Two claims that overlap in time, on a node that both have. */
static bool agree_on_node(const struct plan_snapshot *snapshot, const struct claim *a,
                          const struct claim *b, uint32_t node, struct strbuf *problem)
{
    const struct plan_place *left = claim_place_on(a, node), *right = claim_place_on(b, node);
    const bool share =
        checker_jobs_per_cpu(snapshot, a) > 1 && checker_jobs_per_cpu(snapshot, b) > 1;

    if ((takes_node(snapshot, a) || takes_node(snapshot, b)) && !share)
        return wrong(problem, "jobs %" PRIu64 " and %" PRIu64 " share node %u", a->job->id,
                     b->job->id, node);
    if ((is_for_user(snapshot, a) || is_for_user(snapshot, b)) && a->job->uid != b->job->uid)
        return wrong(problem, "jobs %" PRIu64 " and %" PRIu64 " of two users share node %u",
                     a->job->id, b->job->id, node);
    if (bitset_meets(&left->devices, &right->devices))
        return wrong(problem, "jobs %" PRIu64 " and %" PRIu64 " share a device of node %u",
                     a->job->id, b->job->id, node);
    return agree_on_cpus(snapshot, a, b, node, problem);
}

static bool agree(const struct plan_snapshot *snapshot, const struct claim *a,
                  const struct claim *b, struct strbuf *problem)
{
    if (!claims_overlap(a, b))
        return true;
    for (uint32_t i = 0; i < a->places_n; i++) {
        const uint32_t node = a->places[i].node;

        if (claim_place_on(b, node) && !agree_on_node(snapshot, a, b, node, problem))
            return false;
    }
    return true;
}

static uint64_t counted_of(const struct plan_node *node, uint32_t amount)
{
    uint32_t next = PLAN_COUNTED;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (node->gres[i].counted && next++ == amount)
            return node->gres[i].count;
    }
    return 0;
}

static uint64_t has_amount(const struct plan_node *node, uint32_t amount)
{
    if (amount == PLAN_MEMORY)
        return node->memory_mb;
    if (amount == PLAN_CPUS)
        return node->counts_cpus ? node->cpus : 0;
    return counted_of(node, amount);
}

static bool is_there(const struct claim *claim, int64_t at)
{
    return claim->from <= at && claim->to > at;
}

/* What is counted, on one node at one moment. */
static bool check_amounts(const struct plan_snapshot *snapshot, const struct claims *claims,
                          uint32_t node, int64_t at, struct strbuf *problem)
{
    uint64_t used[PLAN_AMOUNTS_MAX] = { 0 };

    for (uint32_t i = 0; i < claims->n; i++) {
        const struct plan_place *place = claim_place_on(&claims->list[i], node);

        for (uint32_t a = 0; place && is_there(&claims->list[i], at) && a < PLAN_AMOUNTS_MAX; a++)
            used[a] += place->amounts[a];
    }
    for (uint32_t a = 0; a < PLAN_AMOUNTS_MAX; a++) {
        if (used[a] > has_amount(&snapshot->nodes[node], a))
            return wrong(problem, "node %u gives %llu of amount %u at %lld, and has %llu", node,
                         (unsigned long long)used[a], a, (long long)at,
                         (unsigned long long)has_amount(&snapshot->nodes[node], a));
    }
    return true;
}

/* MaxCPUsPerNode is rounded up to whole cores; where cpus are only counted there are none. */
static uint64_t cap_in_cores(const struct plan_node *node, uint32_t cap)
{
    const uint32_t cores = node->sockets * node->cores_per_socket;
    const uint32_t threads = node->cpus > cores && !node->counts_cpus ? node->cpus / cores : 1;

    return node->counts_cpus ? UINT64_MAX : (uint64_t)(cap + threads - 1) / threads * threads;
}

/* Jobs on one cpu at one moment, and cpus that a partition's jobs hold on the node. */
static bool check_crowd(const struct plan_snapshot *snapshot, const struct claims *claims,
                        const struct claim *claim, uint32_t node, struct strbuf *problem)
{
    const struct plan_partition *partition = &snapshot->partitions[claim->partition];
    const struct plan_place *own = claim_place_on(claim, node);
    uint64_t held = 0;

    for (uint32_t i = 0; i < claims->n; i++) {
        const struct plan_place *place = claim_place_on(&claims->list[i], node);

        if (place && claims->list[i].partition == claim->partition &&
            is_there(&claims->list[i], claim->from))
            held += bitset_count(&place->cpus) + place->amounts[PLAN_CPUS];
    }
    if (partition->cpus_per_node_max &&
        held > cap_in_cores(&snapshot->nodes[node], partition->cpus_per_node_max))
        return wrong(problem, "partition %u holds %llu cpus of node %u", claim->partition,
                     (unsigned long long)held, node);
    BITSET_FOREACH (&own->cpus, cpu) {
        uint32_t jobs = 0;

        for (uint32_t i = 0; i < claims->n; i++) {
            const struct plan_place *place = claim_place_on(&claims->list[i], node);

            jobs += place && is_there(&claims->list[i], claim->from) &&
                    bitset_has(&place->cpus, (uint32_t)cpu);
        }
        if (jobs > 1 && jobs > checker_jobs_per_cpu(snapshot, claim))
            return wrong(problem, "cpu %lld of node %u goes to %u jobs", (long long)cpu, node,
                         jobs);
    }
    return true;
}

/* Who has given its last node back has given back all else. */
static bool holds_something(const struct claim *claim)
{
    return claim->places_n > 0 || claim->in_pool;
}

static bool holds_at(const struct claim *claim, int64_t at)
{
    return holds_something(claim) && is_there(claim, at);
}

static bool is_sort(const struct plan_gres *gres, const struct plan_claim *claim)
{
    return strcmp(gres->name, claim->gres_name) == 0 &&
           (!claim->gres_type || (gres->type && strcmp(gres->type, claim->gres_type) == 0));
}

/* Generic resources of the claim's sort on a place. */
static double gres_on(const struct plan_snapshot *snapshot, const struct plan_claim *claim,
                      const struct plan_place *place)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    uint32_t device = 0, amount = PLAN_COUNTED;
    double n = 0;

    for (uint32_t i = 0; i < node->gres_n; i++) {
        const struct plan_gres *gres = &node->gres[i];
        const bool is_asked = is_sort(gres, claim);

        if (gres->counted)
            n += is_asked ? (double)place->amounts[amount] : 0;
        amount += gres->counted;
        for (uint64_t d = 0; d < gres->count && !gres->counted; d++, device++)
            n += is_asked && bitset_has(&place->devices, device);
    }
    return n;
}

/* For how many things the amount is given; who has no nodes waits for a node at least. */
static double things_of(const struct plan_snapshot *snapshot, const struct plan_claim *claim,
                        const struct claim *by)
{
    double n = 0;

    if (claim->of == PLAN_CLAIM_FIXED)
        return 1;
    for (uint32_t i = 0; i < by->places_n; i++) {
        const struct plan_place *place = &by->places[i];

        switch (claim->of) {
        case PLAN_CLAIM_NODES:
            n += 1;
            break;
        case PLAN_CLAIM_CPUS:
            n += (double)bitset_count(&place->cpus) + (double)place->amounts[PLAN_CPUS];
            break;
        case PLAN_CLAIM_MEMORY:
            n += (double)place->amounts[PLAN_MEMORY];
            break;
        default:
            n += gres_on(snapshot, claim, place);
        }
    }
    return n;
}

/* Whether what the claim takes of the pool is taken at the moment; of what is spent it is for
 * ever, but for what has given back its last node: the total says what is left then. */
static bool takes_at(const struct plan_pool *pool, const struct claim *claim, int64_t at)
{
    return pool->is_spent ? holds_something(claim) && claim->from <= at : holds_at(claim, at);
}

/* So many times an amount counts for a claim at the moment; of a ramp it is what is left of its
 * time, in ms. */
static double counts(const struct plan_pool *pool, const struct claim *claim, int64_t at)
{
    if (pool->kind != PLAN_POOL_RAMP)
        return 1;
    return claim->to == PLAN_NEVER ? INFINITY : (double)(claim->to - at);
}

/* Adds what it claims of the pool; false: it claims nothing of it, not even 0. */
static bool add_claimed(const struct plan_snapshot *snapshot, const struct claim *claim,
                        uint32_t pool, int64_t at, double *used)
{
    const struct plan_option *option = claim->option;
    bool any = false;

    if (claim->in_pool && !snapshot->pools[pool].is_private)
        return false;
    for (uint32_t i = 0; i < option->claims_n; i++) {
        if (option->claims[i].pool != pool)
            continue;
        if (option->claims[i].amount)
            *used += (double)option->claims[i].amount *
                     things_of(snapshot, &option->claims[i], claim) *
                     counts(&snapshot->pools[pool], claim, at);
        any = true;
    }
    return any;
}

/* The fewest nodes that one without any waits for. */
static uint32_t nodes_awaited(const struct claim *claim)
{
    if (claim->nodes_awaited == UINT32_MAX)
        return 0;
    return claim->nodes_awaited ? claim->nodes_awaited
                                : (claim->job->shape.min_nodes ? claim->job->shape.min_nodes : 1);
}

/* Different nodes of all that claim of the pool, and of those that have none so many as they need:
 * of nodes that are shared some of these may be among the ones that others do not have as a whole.
 */
static double nodes_held(const struct plan_snapshot *snapshot, const struct claims *claims,
                         uint32_t pool, int64_t at)
{
    AUTO(bitset) struct bitset nodes = { 0 }, closed = { 0 };
    double whole = 0, shared = 0, any = 0;

    bitset_init(&nodes, snapshot->nodes_n);
    bitset_init(&closed, snapshot->nodes_n);
    for (uint32_t i = 0; i < claims->n; i++) {
        const struct claim *claim = &claims->list[i];

        if (!holds_at(claim, at) || !add_claimed(snapshot, claim, pool, at, &any))
            continue;
        for (uint32_t k = 0; k < claim->places_n; k++) {
            const struct plan_place *place = &claim->places[k];

            bitset_add(&nodes, place->node);
            if (place_is_whole(&snapshot->nodes[place->node], place))
                bitset_add(&closed, place->node);
        }
        if (claim->in_pool && takes_node(snapshot, claim))
            whole += nodes_awaited(claim);
        else if (claim->in_pool)
            shared += nodes_awaited(claim);
    }
    return whole + MAX(bitset_count(&nodes), bitset_count(&closed) + shared);
}

/* Whether none has more of a pool that is for each of them than one may have. */
static bool checks_each(const struct plan_snapshot *snapshot, const struct claims *claims,
                        uint32_t pool, int64_t at, double total)
{
    for (uint32_t i = 0; i < claims->n; i++) {
        const struct claim *claim = &claims->list[i];
        double used = 0;

        if (claim->from != INT64_MIN && claim->from <= at && holds_at(claim, at) &&
            add_claimed(snapshot, claim, pool, at, &used) && used > total)
            return false;
    }
    return true;
}

static bool is_open(const struct plan_reservation *resv, int64_t at)
{
    for (uint32_t i = 0; i < resv->spans_n; i++) {
        if (at >= resv->spans[i].from_ms && at < resv->spans[i].to_ms)
            return true;
    }
    return false;
}

/* What reservations themselves have of the pool. */
static double kept_of(const struct plan_snapshot *snapshot, uint32_t pool, int64_t at)
{
    double kept = 0;

    for (uint32_t i = 0; i < snapshot->reservations_n; i++) {
        const struct plan_reservation *resv = &snapshot->reservations[i];

        for (uint32_t k = 0; k < resv->claims_n && is_open(resv, at); k++)
            kept += resv->claims[k].pool == pool ? (double)resv->claims[k].amount : 0;
    }
    return kept;
}

/* What runs may hold more than there is by now; then nothing more may be given. */
bool checker_pools(const struct plan_snapshot *snapshot, const struct claims *claims,
                   uint32_t sorts, int64_t at, struct strbuf *problem)
{
    for (uint32_t i = 0; i < snapshot->pools_n; i++) {
        const struct plan_pool *pool = &snapshot->pools[i];
        const bool is_gate = pool->kind == PLAN_POOL_GATE;
        const double total = (double)pool->total * (pool->kind == PLAN_POOL_RAMP ? 1000 : 1);
        double used = 0;
        bool given = false;

        if (!(sorts & (pool->is_private ? CHECK_PRIVATE : CHECK_SHARED)))
            continue;
        for (uint32_t j = 0; j < claims->n; j++) {
            const struct claim *claim = &claims->list[j];

            if (!takes_at(pool, claim, at) || !add_claimed(snapshot, claim, i, at, &used) ||
                claim->from == INT64_MIN)
                continue;
            given = true;
            if (is_gate && claim->from < pool->opens_ms)
                return wrong(problem, "gate %u is passed at %lld", i, (long long)claim->from);
        }
        used += kept_of(snapshot, i, at);
        if (pool->kind == PLAN_POOL_NODES)
            used = nodes_held(snapshot, claims, i, at);
        if (pool->is_for_each && !checks_each(snapshot, claims, i, at, total))
            return wrong(problem, "more of pool %u than one may have is given at %lld", i,
                         (long long)at);
        if (given && !is_gate && !pool->is_for_each && used > total)
            return wrong(problem, "%.0f of pool %u are given at %lld", used, i, (long long)at);
    }
    return true;
}

/* Who claims of a pool that there is not, be it 0, never runs. */
static bool check_pools_exist(const struct plan_snapshot *snapshot, const struct claim *claim,
                              struct strbuf *problem)
{
    const struct plan_option *option = claim->option;

    for (uint32_t i = 0; i < option->claims_n; i++) {
        if (option->claims[i].pool >= snapshot->pools_n)
            return wrong(problem, "job %" PRIu64 ": there is no pool %u", claim->job->id,
                         option->claims[i].pool);
    }
    return true;
}

/* ---- reservations ---- */

static const struct plan_place *part_on(const struct plan_reservation *resv, uint32_t node)
{
    for (uint32_t i = 0; i < resv->parts_n; i++) {
        if (resv->parts[i].node == node)
            return &resv->parts[i];
    }
    return NULL;
}

static bool is_at_its_time(const struct plan_snapshot *snapshot,
                           const struct plan_reservation *resv, const struct claim *claim)
{
    for (uint32_t i = 0; i < resv->spans_n; i++) {
        if (claim->from >= resv->spans[i].from_ms && claim->from < resv->spans[i].to_ms)
            return claim->to <= deadline_cut(snapshot, resv->id, claim->from, PLAN_NEVER);
    }
    return false;
}

/* A job that has nodes whole has the cpus that it spares, too. */
static bool part_has(const struct plan_snapshot *snapshot, const struct plan_place *part,
                     const struct claim *claim, const struct plan_place *place)
{
    if (takes_node(snapshot, claim))
        return bitset_count(&part->cpus) == snapshot->nodes[place->node].cpus;
    return bitset_contains(&part->cpus, &place->cpus);
}

static bool has_place(const struct plan_snapshot *snapshot, const struct plan_reservation *resv,
                      const struct claim *claim, const struct plan_place *place)
{
    const struct plan_place *part = part_on(resv, place->node);

    return resv->flags & PLAN_RESV_ANYWHERE || bitset_has(&resv->nodes, place->node) ||
           (part && part_has(snapshot, part, claim, place));
}

static bool check_own(const struct plan_snapshot *snapshot, const struct plan_reservation *own,
                      const struct claim *claim, struct strbuf *problem)
{
    if (own->flags & PLAN_RESV_FLEX)
        return true;
    if (!is_at_its_time(snapshot, own, claim))
        return wrong(problem, "job %" PRIu64 ": not within its reservation", claim->job->id);
    for (uint32_t k = 0; k < claim->places_n; k++) {
        if (!has_place(snapshot, own, claim, &claim->places[k]))
            return wrong(problem, "job %" PRIu64 ": node %u is not in its reservation",
                         claim->job->id, claim->places[k].node);
    }
    return true;
}

/* Whether jobs of the claim's sort have to keep off what the other has, at its time. */
static bool is_foreign(const struct plan_reservation *other, const struct plan_reservation *own,
                       const struct claim *claim)
{
    if (other->flags & PLAN_RESV_ABSENT)
        return other != own;
    if (!own)
        return claim->to - claim->from > other->yields_ms;
    return other != own && !(own->flags & PLAN_RESV_MAINT) &&
           (other->flags & PLAN_RESV_MAINT || !(own->flags & PLAN_RESV_OVERLAP));
}

static bool is_in_time(const struct plan_reservation *other, const struct claim *claim)
{
    bool is = other->floats_ms && claim->to - claim->from > other->floats_ms;

    for (uint32_t i = 0; i < other->spans_n; i++)
        is = is || (claim->from < other->spans[i].to_ms && claim->to > other->spans[i].from_ms);
    return is;
}

static bool check_other(const struct plan_snapshot *snapshot, const struct plan_reservation *other,
                        const struct claim *claim, struct strbuf *problem)
{
    for (uint32_t k = 0; k < claim->places_n; k++) {
        const struct plan_place *place = &claim->places[k];
        const struct plan_place *part = part_on(other, place->node);

        if (bitset_has(&other->nodes, place->node) ||
            (part && (takes_node(snapshot, claim) || bitset_meets(&part->cpus, &place->cpus))))
            return wrong(problem, "job %" PRIu64 ": node %u is reserved for others", claim->job->id,
                         place->node);
    }
    return true;
}

static bool check_windows(const struct plan_snapshot *snapshot, const struct claim *claim,
                          struct strbuf *problem)
{
    const struct plan_reservation *own = find_reservation(snapshot, claim->option->reservation);

    if (claim->option->reservation && !own)
        return wrong(problem, "job %" PRIu64 " has no reservation", claim->job->id);
    if (own && !check_own(snapshot, own, claim, problem))
        return false;
    for (uint32_t i = 0; i < snapshot->reservations_n; i++) {
        const struct plan_reservation *other = &snapshot->reservations[i];

        if (other != own && is_foreign(other, own, claim) && is_in_time(other, claim) &&
            !check_other(snapshot, other, claim, problem))
            return false;
    }
    return true;
}

/* Whether pools have enough whenever a reservation begins while the claim holds. */
static bool check_openings(const struct plan_snapshot *snapshot, const struct claims *claims,
                           const struct claim *claim, struct strbuf *problem)
{
    for (uint32_t i = 0; i < snapshot->reservations_n; i++) {
        const struct plan_reservation *resv = &snapshot->reservations[i];

        for (uint32_t k = 0; resv->claims_n && k < resv->spans_n; k++) {
            if (holds_at(claim, resv->spans[k].from_ms) &&
                !checker_pools(snapshot, claims, CHECK_SHARED, resv->spans[k].from_ms, problem))
                return false;
        }
    }
    return true;
}

/* Sums can only become too high when a claim begins, so the begins of all that overlap it do. */
static bool check_sums(const struct plan_snapshot *snapshot, const struct claims *claims,
                       const struct claim *claim, struct strbuf *problem)
{
    for (uint32_t i = 0; i < claims->n; i++) {
        const int64_t from = claims->list[i].from;
        const int64_t at = from > claim->from ? from : claim->from;

        if (!claims_overlap(&claims->list[i], claim))
            continue;
        for (uint32_t k = 0; k < claim->places_n; k++) {
            if (!check_amounts(snapshot, claims, claim->places[k].node, at, problem))
                return false;
        }
        if (!checker_pools(snapshot, claims, CHECK_SHARED | CHECK_PRIVATE, at, problem))
            return false;
    }
    for (uint32_t k = 0; k < claim->places_n; k++) {
        if (!check_crowd(snapshot, claims, claim, claim->places[k].node, problem))
            return false;
    }
    return true;
}

bool checker_beside(const struct plan_snapshot *snapshot, const struct claims *claims,
                    const struct claim *claim, struct strbuf *problem)
{
    for (uint32_t i = 0; i < claims->n; i++) {
        if (&claims->list[i] != claim && !agree(snapshot, &claims->list[i], claim, problem))
            return false;
    }
    return check_pools_exist(snapshot, claim, problem) &&
           check_sums(snapshot, claims, claim, problem) &&
           check_openings(snapshot, claims, claim, problem) &&
           (claim->in_pool || check_windows(snapshot, claim, problem));
}

/* What runs was right when it began; what is planned has to be right beside all others. */
bool checker_shared(const struct plan_snapshot *snapshot, const struct claims *claims,
                    struct strbuf *problem)
{
    for (uint32_t i = claims->running_n; i < claims->n; i++) {
        if (!checker_beside(snapshot, claims, &claims->list[i], problem))
            return false;
    }
    return true;
}
