#include "unit/check_main.h"

#include <string.h>

#include "common/base/strbuf.h"
#include "ctld/sched/pick.h"

#define NODES 6

/* Every set of nodes is tried; sets are bits of positions in the list. */

static bool is_allowed(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                       uint32_t set)
{
    uint64_t tasks = 0;
    uint32_t count = 0, first = UINT32_MAX, last = 0, required = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!(set >> i & 1))
            continue;
        tasks += nodes[i].tasks;
        count++;
        required += rule->required && bitset_has(rule->required, nodes[i].node);
        first = nodes[i].node < first ? nodes[i].node : first;
        last = nodes[i].node > last ? nodes[i].node : last;
    }
    return count >= rule->nodes_min && count <= rule->nodes_max && tasks >= rule->tasks &&
           (!rule->required || required == bitset_count(rule->required)) &&
           (!rule->contiguous || last - first + 1 == count);
}

static uint32_t heaviest(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                         uint32_t set)
{
    uint32_t weight = 0;

    for (uint32_t i = 0; i < n && !rule->many && !rule->contiguous; i++) {
        if ((set >> i & 1) && !(rule->required && bitset_has(rule->required, nodes[i].node)) &&
            nodes[i].weight > weight)
            weight = nodes[i].weight;
    }
    return weight;
}

/* Whether set a holds the earlier one of the first node that only one of them holds. */
static bool comes_first(uint64_t a, uint64_t b)
{
    const uint64_t differ = a ^ b;

    return (differ & -differ & a) != 0;
}

static uint32_t by_number(const struct pick_node *nodes, uint32_t n, uint32_t set)
{
    uint32_t numbers = 0;

    for (uint32_t i = 0; i < n; i++)
        numbers |= (set >> i & 1) << nodes[i].node;
    return numbers;
}

/* How far back the node stands: by weight, then by number or by its way from a required one. */
static uint32_t preference(const struct pick_rule *rule, const struct pick_node *node)
{
    const int64_t first = rule->required ? bitset_next(rule->required, 0) : -1;

    if (first >= 0 && node->node < first)
        return node->weight * 2 * NODES + 2 * NODES - 1 - node->node;
    return node->weight * 2 * NODES + node->node;
}

static uint64_t by_preference(const struct pick_rule *rule, const struct pick_node *nodes,
                              uint32_t n, uint32_t set)
{
    uint64_t places = 0;

    for (uint32_t i = 0; i < n; i++)
        places |= (uint64_t)(set >> i & 1) << preference(rule, &nodes[i]);
    return places;
}

static bool is_better(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                      uint32_t a, uint32_t b)
{
    const uint32_t a_weight = heaviest(rule, nodes, n, a), b_weight = heaviest(rule, nodes, n, b);
    const int more = __builtin_popcount(a) - __builtin_popcount(b);

    if (a_weight != b_weight)
        return a_weight < b_weight;
    if (more)
        return rule->many ? more > 0 : more < 0;
    return rule->contiguous
               ? comes_first(by_number(nodes, n, a), by_number(nodes, n, b))
               : comes_first(by_preference(rule, nodes, n, a), by_preference(rule, nodes, n, b));
}

static uint32_t find_best(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n)
{
    uint32_t best = 0;

    for (uint32_t set = 1; set < 1u << n; set++) {
        if (is_allowed(rule, nodes, n, set) && (!best || is_better(rule, nodes, n, set, best)))
            best = set;
    }
    return by_number(nodes, n, best);
}

static uint32_t roll(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

/* Some of the nodes, by weight and then by number, as the planner lists them. */
static uint32_t roll_nodes(uint64_t *state, struct pick_node *nodes)
{
    uint32_t weights[NODES], n = 0;

    for (uint32_t i = 0; i < NODES; i++)
        weights[i] = roll(state, 3);
    for (uint32_t weight = 0; weight < 3; weight++) {
        for (uint32_t i = 0; i < NODES; i++) {
            if (weights[i] == weight && roll(state, 5))
                nodes[n++] =
                    (struct pick_node){ .node = i, .weight = weight, .tasks = 1 + roll(state, 5) };
        }
    }
    return n;
}

static struct pick_rule roll_rule(uint64_t *state, struct bitset *required)
{
    struct pick_rule rule = { .nodes_min = 1 + roll(state, 3), .tasks = roll(state, 14) };

    rule.nodes_max = roll(state, 2) ? UINT32_MAX : rule.nodes_min + roll(state, 3);
    rule.many = rule.nodes_max != UINT32_MAX && roll(state, 2);
    rule.contiguous = !roll(state, 4);
    bitset_init(required, NODES);
    if (!roll(state, 3)) {
        bitset_add(required, roll(state, NODES));
        bitset_add(required, roll(state, NODES));
        rule.required = required;
    }
    return rule;
}

START_TEST(the_choice_is_the_best_of_all)
{
    uint64_t state = (uint64_t)_i;

    for (int round = 0; round < 20000; round++) {
        AUTO(bitset) struct bitset required = { 0 };
        const struct pick_rule rule = roll_rule(&state, &required);
        struct pick_node nodes[NODES], picked[NODES];
        const uint32_t n = roll_nodes(&state, nodes);
        const uint32_t picked_n = pick_nodes(&rule, nodes, n, picked);
        uint32_t set = 0;
        uint64_t tasks = 0;

        for (uint32_t i = 0; i < picked_n; i++) {
            set |= 1u << picked[i].node;
            tasks += picked[i].tasks;
            ck_assert(picked[i].tasks >= 1);
            ck_assert(i == 0 || picked[i].node > picked[i - 1].node);
        }
        ck_assert_uint_eq(set, find_best(&rule, nodes, n));
        if (picked_n && rule.tasks >= picked_n)
            ck_assert_uint_eq(tasks, rule.tasks);
    }
}
END_TEST

START_TEST(the_first_nodes_get_most_tasks_and_each_gets_one)
{
    const struct pick_rule rule = { .nodes_min = 3, .nodes_max = 3, .tasks = 5 };
    const struct pick_node nodes[] = { { 0, 1, 4, { { 0 } } },
                                       { 1, 1, 4, { { 0 } } },
                                       { 2, 1, 4, { { 0 } } } };
    struct pick_node picked[3];

    ck_assert_uint_eq(pick_nodes(&rule, nodes, 3, picked), 3);

    ck_assert_uint_eq(picked[0].tasks, 3);
    ck_assert_uint_eq(picked[1].tasks, 1);
    ck_assert_uint_eq(picked[2].tasks, 1);
}
END_TEST

CHECK_MAIN(pick, LOOP_CASE(the_choice_is_the_best_of_all, 3),
           CASE(the_first_nodes_get_most_tasks_and_each_gets_one))
