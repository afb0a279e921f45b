#include "unit/ctld/sched/proof/oracle.h"

#include <assert.h>

#include "common/base/alloc.h"
#include "unit/ctld/sched/proof/checker.h"

static bool is_right(const struct oracle *oracle, const struct plan_place *place)
{
    AUTO(strbuf) struct strbuf problem = { 0 };

    return checker_place(oracle->snapshot, &oracle->claim, place, &problem);
}

/* One set of cpus with one number of tasks. */
static void try_option(struct oracle *oracle, uint32_t node, uint32_t cpus, uint32_t tasks)
{
    struct plan_place place = { .node = node, .tasks = tasks };

    bitset_init(&place.cpus, oracle->snapshot->nodes[node].cpus);
    for (uint32_t cpu = 0; cpu < place.cpus.size; cpu++) {
        if (cpus >> cpu & 1)
            bitset_add(&place.cpus, cpu);
    }
    place.amounts[0] = checker_memory_due(oracle->snapshot, &oracle->claim, &place);
    if (is_right(oracle, &place))
        ARRAY_PUSH(oracle->options[node], oracle->options_n[node])->place = place;
    else
        bitset_clear(&place.cpus);
}

struct oracle oracle_new(const struct plan_snapshot *snapshot, const struct plan_job *job)
{
    struct oracle oracle = {
        .snapshot = snapshot,
        .claim = { .job = job, .partition = job->partition },
    };
    const uint32_t tasks_max = job->shape.ntasks > job->shape.ntasks_per_node
                                   ? job->shape.ntasks
                                   : job->shape.ntasks_per_node;

    assert(snapshot->nodes_n <= ORACLE_NODES);
    for (uint32_t node = 0; node < snapshot->nodes_n; node++) {
        assert(snapshot->nodes[node].cpus <= ORACLE_CPUS);
        for (uint32_t cpus = 1; cpus < 1u << snapshot->nodes[node].cpus; cpus++) {
            for (uint32_t tasks = 1; tasks <= (tasks_max ? tasks_max : 1); tasks++)
                try_option(&oracle, node, cpus, tasks);
        }
    }
    return oracle;
}

void oracle_clear(struct oracle *oracle)
{
    for (uint32_t node = 0; node < ORACLE_NODES; node++) {
        for (uint32_t i = 0; i < oracle->options_n[node]; i++)
            bitset_clear(&oracle->options[node][i].place.cpus);
        free(oracle->options[node]);
    }
    *oracle = (struct oracle){ 0 };
}

void oracle_auto_(struct oracle *oracle)
{
    oracle_clear(oracle);
}

/* Whether an option like this one, in all that the set of nodes is judged by, is free already. */
static bool is_known(const struct oracle *oracle, uint32_t node, uint32_t i)
{
    const struct oracle_option *options = oracle->options[node];

    for (uint32_t j = 0; j < i; j++) {
        if (options[j].free && options[j].place.tasks == options[i].place.tasks)
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

/* Goes through all ways to choose for the nodes from `node` on. */
static bool some_set_fits(struct oracle *oracle, uint32_t node, struct plan_place *places,
                          uint32_t n)
{
    if (node == oracle->snapshot->nodes_n) {
        AUTO(strbuf) struct strbuf problem = { 0 };

        oracle->claim.places = places;
        oracle->claim.places_n = n;
        return n > 0 && checker_set(oracle->snapshot, &oracle->claim, &problem);
    }
    if (some_set_fits(oracle, node + 1, places, n))
        return true;
    for (uint32_t i = 0; i < oracle->options_n[node]; i++) {
        if (!oracle->options[node][i].free)
            continue;
        places[n] = oracle->options[node][i].place;
        if (some_set_fits(oracle, node + 1, places, n + 1))
            return true;
    }
    return false;
}

bool oracle_fits(struct oracle *oracle, const struct claims *beside, int64_t at_ms)
{
    struct plan_place places[ORACLE_NODES];

    oracle->claim.from = at_ms;
    oracle->claim.to = claim_end(at_ms, oracle->claim.job->duration_ms);
    find_free(oracle, beside);
    return some_set_fits(oracle, 0, places, 0);
}
