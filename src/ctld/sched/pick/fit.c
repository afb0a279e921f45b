#include "ctld/sched/pick/fit.h"

#include <assert.h>
#include <string.h>

#include "ctld/sched/pick/fit_deal.h"
#include "ctld/sched/pick/fit_state.h"
#include "ctld/sched/pick/bound.h"

/* What is chosen from, apart from the required nodes. */
struct field {
    struct pick_node *nodes;
    uint32_t n;
};

/* One choice looks at nodes at most this often; more would cost more than it brings. */
#define TRIES_MAX 8
#define LOOKS_MAX 16000

static void drop_small(struct field *field, uint32_t cpus_least)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < field->n; i++) {
        if (field->nodes[i].cpus >= cpus_least)
            field->nodes[kept++] = field->nodes[i];
    }
    field->n = kept;
}

/* Returns the number of cpus that leaves out the smallest nodes still in; UINT32_MAX: that would be
 * all. */
static uint32_t next_size(const struct pick_node *nodes, uint32_t n, uint32_t cpus_least)
{
    uint32_t smallest = UINT32_MAX, next = UINT32_MAX;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t cpus = nodes[i].cpus;

        if (cpus < cpus_least)
            continue;
        if (cpus < smallest) {
            next = smallest;
            smallest = cpus;
        } else if (cpus > smallest && cpus < next) {
            next = cpus;
        }
    }
    return next;
}

static void take_required(struct fit_state *state, const struct pick_node *nodes, uint32_t n,
                          struct field *others)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!pick_is_required(state->rule, nodes[i].node)) {
            others->nodes[others->n++] = nodes[i];
            continue;
        }
        state->ret[state->n++] = nodes[i];
        state->tasks_left -=
            nodes[i].tasks < state->tasks_left ? nodes[i].tasks : state->tasks_left;
    }
    state->required_n = state->n;
}

static void take_tier(struct fit_state *state, const struct fit_tier *tier)
{
    const struct sched_topology *topology = state->rule->topology;

    memset(state->taken, 0, tier->n * sizeof(*state->taken));
    if (state->rule->way->least_loaded)
        fit_least_loaded(state, tier);
    else if (topology && !topology_is_flat(topology) && !state->rule->contiguous)
        fit_tree(state, tier);
    else
        fit_runs(state, tier);
}

/* Takes the other nodes. Those that follow one another are taken whatever they weigh. */
static void take_others(struct fit_state *state, const struct field *others)
{
    const bool all = state->rule->contiguous;
    uint32_t end;

    if (all)
        pick_sort(others->nodes, others->n);
    for (uint32_t from = 0; from < others->n && !fit_is_done(state); from = end) {
        end = from + 1;
        while (end < others->n && (all || others->nodes[end].weight == others->nodes[from].weight))
            end++;
        take_tier(state, &(struct fit_tier){ others->nodes + from, end - from });
    }
}

static bool is_contiguous(const struct pick_node *nodes, uint32_t n)
{
    uint32_t first = UINT32_MAX, last = 0;

    for (uint32_t i = 0; i < n; i++) {
        first = nodes[i].node < first ? nodes[i].node : first;
        last = nodes[i].node > last ? nodes[i].node : last;
    }
    return n > 0 && last - first + 1 == n;
}

/* Tries once with nodes of at least this many free cpus; returns 0 when that came to nothing. */
static uint32_t try_nodes(struct fit_state *state, const struct constraint_alternative *alternative,
                          const struct pick_node *nodes, uint32_t n, uint32_t cpus_least,
                          struct field *others)
{
    const struct pick_rule *rule = state->rule;

    state->n = 0;
    state->tasks_left = rule->tasks;
    others->n = 0;
    take_required(state, nodes, n, others);
    drop_small(others, cpus_least);
    take_others(state, others);
    if (pick_keeps(rule, alternative, state->ret, state->n) &&
        (!rule->contiguous || is_contiguous(state->ret, state->n)))
        return state->n;
    return 0;
}

/* Chooses by the rules of fit.h. Small nodes taken first can make the last one too small, so they
 * are left out, by and by. */
static uint32_t fit_by_rules(const struct pick_rule *rule,
                             const struct constraint_alternative *alternative,
                             const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    AUTO_FREE struct pick_node *others = xcalloc(n + 1, sizeof(*others));
    AUTO_FREE bool *taken = xcalloc(n + 1, sizeof(*taken));
    struct fit_state state = { .rule = rule, .ret = ret, .taken = taken };
    struct field field = { .nodes = others };
    uint32_t cpus_least = 0;

    for (uint32_t tries = 0; tries < TRIES_MAX && (uint64_t)tries * n <= LOOKS_MAX; tries++) {
        const uint32_t chosen = try_nodes(&state, alternative, nodes, n, cpus_least, &field);

        if (chosen)
            return chosen;
        cpus_least = next_size(nodes, n, cpus_least);
        if (cpus_least == UINT32_MAX)
            break;
    }
    return 0;
}

/* ---- devices asked for the job as a whole ---- */

static bool holds_all(const struct pick_rule *rule, const struct pick_node *node)
{
    for (uint32_t i = 0; i < rule->pooled_n; i++) {
        if (node->share.pooled[i] < rule->pooled[i])
            return false;
    }
    return node->tasks >= rule->tasks;
}

static uint64_t devices_of(const struct pick_rule *rule, const struct pick_node *node)
{
    uint64_t devices = 0;

    for (uint32_t i = 0; i < rule->pooled_n; i++)
        devices += node->share.pooled[i];
    return devices;
}

static int by_devices(const void *a, const void *b, void *of_rule)
{
    const struct pick_node *left = a, *right = b;
    const struct pick_rule *rule = of_rule;
    const bool first = pick_is_required(rule, left->node);
    const uint64_t left_n = devices_of(rule, left), right_n = devices_of(rule, right);

    if (first != pick_is_required(rule, right->node))
        return first ? -1 : 1;
    if (left->weight != right->weight)
        return left->weight < right->weight ? -1 : 1;
    if (left_n != right_n)
        return left_n > right_n ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

/* Chooses as Slurm does for what is pooled: one node that has it all, or else those with most of
 * it. */
static uint32_t fit_pooled(const struct pick_rule *rule,
                           const struct constraint_alternative *alternative,
                           const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    AUTO_FREE struct pick_node *some = xcalloc(n + 1, sizeof(*some));
    struct pick_rule sorted = *rule;
    uint32_t some_n = 0, chosen = 0;

    for (uint32_t i = 0; i < n && rule->nodes_min == 1; i++) {
        if (holds_all(rule, &nodes[i]))
            some[some_n++] = nodes[i];
    }
    if (some_n)
        chosen = fit_by_rules(rule, alternative, some, some_n, ret);
    if (chosen || rule->contiguous || (rule->topology && !topology_is_flat(rule->topology)))
        return chosen;
    memcpy(ret, nodes, n * sizeof(*ret));
    qsort_r(ret, n, sizeof(*ret), by_devices, &sorted);
    for (uint32_t k = rule->nodes_min; k <= n && k <= rule->nodes_max; k++) {
        if (pick_keeps(rule, alternative, ret, k))
            return k;
    }
    return 0;
}

/* Chooses as fit_pooled does where tasks depend on shares. */
static uint32_t fit_bound(const struct pick_rule *rule,
                          const struct constraint_alternative *alternative,
                          const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    AUTO_FREE struct pick_node *some = xcalloc(n + 1, sizeof(*some));
    struct pick_rule sorted = *rule;
    struct gres_share all = { 0 };
    uint32_t some_n = 0;

    memcpy(all.pooled, rule->pooled, sizeof(all.pooled));
    for (uint32_t i = 0; i < n && rule->nodes_min == 1; i++) {
        some[some_n] = nodes[i];
        some[some_n].tasks = pick_bound_tasks(rule, &nodes[i], &all);
        some[some_n].share = all;
        some_n += some[some_n].tasks && some[some_n].tasks >= rule->tasks;
    }
    if (some_n && fit_by_rules(rule, alternative, some, some_n, ret) == 1)
        return 1;
    if (rule->contiguous || (rule->topology && !topology_is_flat(rule->topology)))
        return pick_bound(rule, alternative, nodes, n, ret);
    memcpy(ret, nodes, n * sizeof(*ret));
    qsort_r(ret, n, sizeof(*ret), by_devices, &sorted);
    for (uint32_t k = rule->nodes_min; k <= n && k <= rule->nodes_max; k++) {
        if (pick_keeps(rule, alternative, ret, k) && pick_bound_deal(rule, ret, k))
            return k;
    }
    return pick_bound(rule, alternative, nodes, n, ret);
}

static uint32_t fit_set(const struct pick_rule *rule,
                        const struct constraint_alternative *alternative,
                        const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    if (rule->offers)
        return fit_bound(rule, alternative, nodes, n, ret);

    uint32_t chosen = rule->pooled_n ? fit_pooled(rule, alternative, nodes, n, ret) : 0;

    const bool counts = alternative && alternative->quotas_n; /* the rules know nothing of these */

    if (chosen == 0 && !counts)
        chosen = fit_by_rules(rule, alternative, nodes, n, ret);
    return chosen ? chosen : pick_set(rule, alternative, nodes, n, ret);
}

uint32_t fit_nodes(const struct pick_rule *rule, const struct fit_way *way,
                   const struct pick_node *nodes, uint32_t n, struct pick_node *ret_nodes)
{
    struct pick_rule start = *rule;
    uint32_t chosen;

    assert(rule->nodes_min >= 1);
    if (n < rule->nodes_min)
        return 0;
    start.way = way;
    chosen = pick_each(&start, nodes, n, fit_set, ret_nodes);
    if (rule->tasks)
        fit_deal(rule, way, ret_nodes, chosen);
    else
        pick_sort(ret_nodes, chosen);
    fit_deal_pooled(rule, ret_nodes, chosen);
    return chosen;
}
