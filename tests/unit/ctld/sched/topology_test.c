#include "unit/check_main.h"

#include "ctld/sched/place/topology.h"

#define NODES 6

/* Leaves 0 to 2 have nodes 0-1, 2-3 and 4; node 5 hangs on none. Switch 3 is above 0 and 1. */
static const struct {
    uint32_t first, last, level;
} switch_table[] = { { 0, 1, 0 }, { 2, 3, 0 }, { 4, 4, 0 }, { 0, 3, 1 }, { 0, 4, 2 } };

#define SWITCHES ARRAY_N(switch_table)

static void make_tree(struct sched_topology *topology)
{
    struct plan_switch switches[SWITCHES];
    const struct plan_snapshot snapshot = {
        .nodes_n = NODES,
        .switches = switches,
        .switches_n = SWITCHES,
    };

    for (uint32_t i = 0; i < SWITCHES; i++) {
        switches[i] = (struct plan_switch){ .name = "s", .level = switch_table[i].level };
        bitset_init(&switches[i].nodes, NODES);
        for (uint32_t node = switch_table[i].first; node <= switch_table[i].last; node++)
            bitset_add(&switches[i].nodes, node);
    }
    topology_init(topology, &snapshot);
    for (uint32_t i = 0; i < SWITCHES; i++)
        bitset_clear(&switches[i].nodes);
}

START_TEST(nodes_know_their_leaf_and_switches_what_is_above)
{
    static const uint32_t leaves[NODES] = { 0, 0, 1, 1, 2, TOPOLOGY_NONE };
    static const uint32_t parents[SWITCHES] = { 3, 3, 4, 4, TOPOLOGY_NONE };
    struct sched_topology topology;

    make_tree(&topology);

    ck_assert(!topology_is_flat(&topology));
    for (uint32_t i = 0; i < NODES; i++)
        ck_assert_uint_eq(topology.leaf[i], leaves[i]);
    for (uint32_t i = 0; i < SWITCHES; i++)
        ck_assert_uint_eq(topology.parent[i], parents[i]);
    topology_clear(&topology);
}
END_TEST

START_TEST(without_switches_it_is_flat)
{
    const struct plan_snapshot snapshot = { .nodes_n = NODES };
    struct sched_topology topology;

    topology_init(&topology, &snapshot);

    ck_assert(topology_is_flat(&topology));
    ck_assert_uint_eq(topology.leaf[0], TOPOLOGY_NONE);
    topology_clear(&topology);
}
END_TEST

CHECK_MAIN(topology, CASE(nodes_know_their_leaf_and_switches_what_is_above),
           CASE(without_switches_it_is_flat))
