#include "ctld/sched/place/topology.h"

static uint32_t *new_numbers(uint32_t n)
{
    uint32_t *numbers = xcalloc(n + 1, sizeof(*numbers));

    for (uint32_t i = 0; i < n; i++)
        numbers[i] = TOPOLOGY_NONE;
    return numbers;
}

static void set_leaves(struct sched_topology *topology, const struct plan_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->switches_n; i++) {
        if (snapshot->switches[i].level > 0)
            continue;
        BITSET_FOREACH (&snapshot->switches[i].nodes, node) {
            if (topology->leaf[node] == TOPOLOGY_NONE)
                topology->leaf[node] = i;
        }
    }
}

/* Returns whether switch i can stand directly above switch `of`, better than `now` does. */
static bool is_nearer(const struct plan_switch *switches, uint32_t of, uint32_t i, uint32_t now)
{
    if (switches[i].level <= switches[of].level ||
        !bitset_contains(&switches[i].nodes, &switches[of].nodes))
        return false;
    return now == TOPOLOGY_NONE || switches[i].level < switches[now].level;
}

void topology_init(struct sched_topology *topology, const struct plan_snapshot *snapshot)
{
    const uint32_t n = snapshot->switches_n;

    *topology = (struct sched_topology){
        .nodes_n = snapshot->nodes_n,
        .switches_n = n,
        .leaf = new_numbers(snapshot->nodes_n),
        .parent = new_numbers(n),
        .level = new_numbers(n),
    };
    for (uint32_t i = 0; i < n; i++) {
        topology->level[i] = snapshot->switches[i].level;
        for (uint32_t above = 0; above < n; above++) {
            if (is_nearer(snapshot->switches, i, above, topology->parent[i]))
                topology->parent[i] = above;
        }
    }
    set_leaves(topology, snapshot);
}

void topology_clear(struct sched_topology *topology)
{
    free(topology->leaf);
    free(topology->parent);
    free(topology->level);
    *topology = (struct sched_topology){ 0 };
}
