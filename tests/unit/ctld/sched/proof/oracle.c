#include "unit/ctld/sched/proof/oracle.h"

#include <assert.h>

#include "common/base/alloc.h"
#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/deadline.h"
#include "unit/ctld/sched/proof/gres.h"

static bool is_right(const struct oracle *oracle, const struct plan_place *place)
{
    AUTO(strbuf) struct strbuf problem = { 0 };

    return checker_place(oracle->snapshot, &oracle->claim, place, &problem);
}

static void try_place(struct oracle *oracle, const struct plan_place *place)
{
    const uint32_t node = place->node;

    if (is_right(oracle, place))
        place_keep(&ARRAY_PUSH(oracle->options[node], oracle->options_n[node])->place, place);
}

/* Every amount of what is counted, from the sort with number `sort` on. */
static void try_amounts(struct oracle *oracle, struct plan_place *place, uint32_t sort,
                        uint32_t amount)
{
    const struct plan_node *node = &oracle->snapshot->nodes[place->node];

    while (sort < node->gres_n && !node->gres[sort].counted)
        sort++;
    if (sort == node->gres_n) {
        place->amounts[PLAN_MEMORY] = checker_memory_due(oracle->snapshot, &oracle->claim, place);
        try_place(oracle, place);
        return;
    }
    assert(node->gres[sort].count <= ORACLE_AMOUNT);
    for (uint64_t n = 0; n <= node->gres[sort].count; n++) {
        place->amounts[amount] = n;
        try_amounts(oracle, place, sort + 1, amount + 1);
    }
    place->amounts[amount] = 0;
}

static uint32_t devices_of(const struct plan_node *node)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < node->gres_n; i++)
        n += node->gres[i].counted ? 0 : (uint32_t)node->gres[i].count;
    return n;
}

static void set_members(struct bitset *set, uint32_t size, uint32_t members)
{
    bitset_init(set, size);
    for (uint32_t i = 0; i < size; i++) {
        if (members >> i & 1)
            bitset_add(set, i);
    }
}

/* One set of cpus, or number of them where they are counted, with one number of tasks, in one row,
 * and every set of devices. */
static void try_option(struct oracle *oracle, uint32_t node, uint32_t cpus, uint32_t tasks,
                       uint32_t row)
{
    const uint32_t devices_n = devices_of(&oracle->snapshot->nodes[node]);
    const uint32_t cpus_n = oracle->snapshot->nodes[node].cpus;

    for (uint32_t devices = 0; devices < 1u << devices_n; devices++) {
        struct plan_place place = { .node = node, .tasks = tasks, .row = row };

        if (oracle->snapshot->nodes[node].counts_cpus)
            place.amounts[PLAN_CPUS] = cpus;
        else
            set_members(&place.cpus, cpus_n, cpus);
        set_members(&place.devices, devices_n, devices);
        try_amounts(oracle, &place, 0, PLAN_COUNTED);
        bitset_clear(&place.cpus);
        bitset_clear(&place.devices);
    }
}

static void try_cpus(struct oracle *oracle, uint32_t node, uint32_t cpus)
{
    const struct plan_shape *shape = &oracle->claim.job->shape;
    const uint32_t jobs = checker_jobs_per_cpu(oracle->snapshot, &oracle->claim);
    uint32_t tasks_max =
        shape->ntasks > shape->ntasks_per_node ? shape->ntasks : shape->ntasks_per_node;

    if (tasks_max == 0 || shape->overcommit)
        tasks_max = 1;
    for (uint32_t tasks = 1; tasks <= tasks_max; tasks++) {
        for (uint32_t row = jobs > 1; row <= (jobs > 1 ? jobs : 0); row++)
            try_option(oracle, node, cpus, tasks, row);
    }
}

struct oracle oracle_new(const struct plan_snapshot *snapshot, const struct plan_job *job,
                         uint32_t option)
{
    struct oracle oracle = {
        .snapshot = snapshot,
        .claim = { .job = job,
                   .option = &job->options[option],
                   .partition = job->options[option].partition },
    };

    assert(snapshot->nodes_n <= ORACLE_NODES);
    for (uint32_t node = 0; node < snapshot->nodes_n; node++) {
        assert(snapshot->nodes[node].cpus <= ORACLE_CPUS &&
               devices_of(&snapshot->nodes[node]) <= ORACLE_DEVICES);
        const uint32_t ways = snapshot->nodes[node].counts_cpus ? snapshot->nodes[node].cpus + 1
                                                                : 1u << snapshot->nodes[node].cpus;

        for (uint32_t cpus = 1; cpus < ways; cpus++)
            try_cpus(&oracle, node, cpus);
    }
    return oracle;
}

void oracle_clear(struct oracle *oracle)
{
    for (uint32_t node = 0; node < ORACLE_NODES; node++) {
        for (uint32_t i = 0; i < oracle->options_n[node]; i++)
            place_drop(&oracle->options[node][i].place);
        free(oracle->options[node]);
    }
    *oracle = (struct oracle){ 0 };
}

void oracle_auto_(struct oracle *oracle)
{
    oracle_clear(oracle);
}

/* Whether the set of nodes is judged alike with either. */
static bool is_alike(const struct plan_node *node, const struct plan_place *a,
                     const struct plan_place *b)
{
    for (uint32_t i = 0; i < node->gres_n; i++) {
        const struct plan_gres *gres = &node->gres[i];

        if (gres_held(node, a, gres->name, gres->type) !=
            gres_held(node, b, gres->name, gres->type))
            return false;
    }
    return a->tasks == b->tasks;
}

/* Whether an option like this one is free already. */
static bool is_known(const struct oracle *oracle, uint32_t node, uint32_t i)
{
    const struct oracle_option *options = oracle->options[node];

    for (uint32_t j = 0; j < i; j++) {
        if (options[j].free &&
            is_alike(&oracle->snapshot->nodes[node], &options[j].place, &options[i].place))
            return true;
    }
    return false;
}

static void find_free(struct oracle *oracle, const struct claims *beside)
{
    for (uint32_t node = 0; node < oracle->snapshot->nodes_n; node++) {
        for (uint32_t i = 0; i < oracle->options_n[node]; i++) {
            struct oracle_option *option = &oracle->options[node][i];
            AUTO(strbuf) struct strbuf problem = { 0 };
            struct claims with = *beside;

            if (is_known(oracle, node, i)) {
                option->free = false;
                continue;
            }
            oracle->claim.places = &option->place;
            oracle->claim.places_n = 1;
            with.list = xcalloc(with.n + 1, sizeof(*with.list));
            for (uint32_t j = 0; j < beside->n; j++)
                with.list[j] = beside->list[j];
            with.list[with.n++] = oracle->claim;
            option->free =
                checker_beside(oracle->snapshot, &with, &with.list[with.n - 1], &problem);
            free(with.list);
        }
    }
}

/* All places together, beside others, where that is more than each alone. */
static bool set_is_beside(const struct oracle *oracle, const struct claims *beside)
{
    AUTO(strbuf) struct strbuf problem = { 0 };
    struct claims with = *beside;
    bool counts_nodes = false, fits;

    for (uint32_t i = 0; i < oracle->snapshot->pools_n; i++)
        counts_nodes |= oracle->snapshot->pools[i].kind == PLAN_POOL_NODES;
    if (!counts_nodes)
        return true;
    with.list = xcalloc(with.n + 1, sizeof(*with.list));
    for (uint32_t i = 0; i < beside->n; i++)
        with.list[i] = beside->list[i];
    with.list[with.n++] = oracle->claim;
    fits = checker_beside(oracle->snapshot, &with, &with.list[with.n - 1], &problem);
    free(with.list);
    return fits;
}

/* Goes through all ways to choose for the nodes from `node` on, at most so many. */
static bool some_set_fits(struct oracle *oracle, const struct claims *beside, uint32_t most,
                          uint32_t node, struct plan_place *places, uint32_t n)
{
    if (node == oracle->snapshot->nodes_n) {
        AUTO(strbuf) struct strbuf problem = { 0 };

        oracle->claim.places = places;
        oracle->claim.places_n = n;
        return n > 0 && checker_set(oracle->snapshot, &oracle->claim, &problem) &&
               set_is_beside(oracle, beside);
    }
    if (some_set_fits(oracle, beside, most, node + 1, places, n))
        return true;
    for (uint32_t i = 0; i < oracle->options_n[node] && n < most; i++) {
        if (!oracle->options[node][i].free)
            continue;
        places[n] = oracle->options[node][i].place;
        if (some_set_fits(oracle, beside, most, node + 1, places, n + 1))
            return true;
    }
    return false;
}

bool oracle_fits(struct oracle *oracle, const struct claims *beside, int64_t at_ms)
{
    struct plan_place places[ORACLE_NODES];

    oracle->claim.from = at_ms;
    oracle->claim.to = deadline_cut(oracle->snapshot, oracle->claim.option->reservation, at_ms,
                                    claim_end(at_ms, oracle->claim.job->duration_ms));
    find_free(oracle, beside);
    return some_set_fits(oracle, beside, ORACLE_NODES, 0, places, 0);
}

/* Pools do not matter: it is they that ask. */
uint32_t oracle_nodes_least(const struct plan_snapshot *snapshot, const struct plan_job *job,
                            uint32_t option)
{
    struct plan_node *nodes = xmemdup(snapshot->nodes, snapshot->nodes_n * sizeof(*nodes));
    struct plan_snapshot empty = *snapshot;
    const struct plan_option free_option = { .partition = job->options[option].partition };
    struct plan_job free_job = *job;
    const struct claims none = { 0 };
    struct plan_place places[ORACLE_NODES];
    struct oracle oracle;
    uint32_t least = 1;

    for (uint32_t i = 0; i < snapshot->nodes_n; i++)
        nodes[i].usable = true;
    empty.nodes = nodes;
    empty.pools_n = empty.reservations_n = 0;
    free_job.options = &free_option;
    free_job.options_n = 1;
    oracle = oracle_new(&empty, &free_job, 0);
    oracle.claim.to = 1;
    find_free(&oracle, &none);
    while (least <= snapshot->nodes_n && !some_set_fits(&oracle, &none, least, 0, places, 0))
        least++;
    oracle_clear(&oracle);
    free(nodes);
    return least <= snapshot->nodes_n ? least : 0;
}
