#include "unit/check_main.h"

#include <string.h>

#include "ctld/sched/pick/pick.h"

#define NODES 6

/* Every set of nodes is tried; sets are bits of positions in the list. */

/* What a test puts together; nodes hang in pairs on leaves 0 to 2. */
struct world {
    struct pick_rule rule;
    struct bitset required;
    struct constraint constraint;
    struct sched_topology topology;
    struct pick_node nodes[NODES];
    uint32_t n;
};

static void world_auto_(struct world *world)
{
    bitset_clear(&world->required);
    constraint_clear(&world->constraint);
    topology_clear(&world->topology);
}

static bool has_pooled(const struct world *world, uint32_t set)
{
    for (uint32_t k = 0; k < world->rule.pooled_n; k++) {
        uint64_t sum = 0;

        for (uint32_t i = 0; i < world->n; i++)
            sum += (set >> i & 1) ? world->nodes[i].share.pooled[k] : 0;
        if (sum < world->rule.pooled[k])
            return false;
    }
    return true;
}

static bool meets_alternative(const struct world *world, uint32_t set, uint32_t number)
{
    const struct constraint_alternative *alternative = &world->constraint.alternatives[number];

    for (uint32_t i = 0; i < world->n; i++) {
        if ((set >> i & 1) && !constraint_meets(&alternative->filter, world->nodes[i].features))
            return false;
    }
    for (uint32_t q = 0; q < alternative->quotas_n; q++) {
        uint32_t met = 0;

        for (uint32_t i = 0; i < world->n; i++)
            met += (set >> i & 1) &&
                   constraint_meets(&alternative->quotas[q].predicate, world->nodes[i].features);
        if (met < alternative->quotas[q].nodes)
            return false;
    }
    return true;
}

/* The first alternative that the set meets; -1: none. */
static int alternative_of(const struct world *world, uint32_t set)
{
    if (world->constraint.alternatives_n == 0)
        return 0;
    for (uint32_t i = 0; i < world->constraint.alternatives_n; i++) {
        if (meets_alternative(world, set, i))
            return (int)i;
    }
    return -1;
}

static uint32_t leaves_of(const struct world *world, uint32_t set)
{
    uint32_t leaves = 0;

    for (uint32_t i = 0; i < world->n && world->rule.switches; i++)
        leaves |= (set >> i & 1) << world->nodes[i].node / 2;
    return leaves;
}

static bool is_allowed(const struct world *world, uint32_t set)
{
    const struct pick_rule *rule = &world->rule;
    uint64_t tasks = 0;
    uint32_t count = 0, first = UINT32_MAX, last = 0, required = 0;

    for (uint32_t i = 0; i < world->n; i++) {
        const struct pick_node *node = &world->nodes[i];

        if (!(set >> i & 1))
            continue;
        tasks += node->tasks;
        count++;
        required += rule->required && bitset_has(rule->required, node->node);
        first = node->node < first ? node->node : first;
        last = node->node > last ? node->node : last;
    }
    return count >= rule->nodes_min && count <= rule->nodes_max && tasks >= rule->tasks &&
           (!rule->required || required == bitset_count(rule->required)) &&
           (!rule->contiguous || last - first + 1 == count) && has_pooled(world, set) &&
           alternative_of(world, set) >= 0 &&
           __builtin_popcount(leaves_of(world, set)) <= (int)rule->switches;
}

static uint32_t heaviest(const struct world *world, uint32_t set)
{
    const struct pick_rule *rule = &world->rule;
    uint32_t weight = 0;

    for (uint32_t i = 0; i < world->n && !rule->many && !rule->contiguous; i++) {
        const struct pick_node *node = &world->nodes[i];

        if ((set >> i & 1) && !(rule->required && bitset_has(rule->required, node->node)) &&
            node->weight > weight)
            weight = node->weight;
    }
    return weight;
}

/* Whether set a holds the earlier one of the first node that only one of them holds. */
static bool comes_first(uint64_t a, uint64_t b)
{
    const uint64_t differ = a ^ b;

    return (differ & -differ & a) != 0;
}

static uint32_t by_number(const struct world *world, uint32_t set)
{
    uint32_t numbers = 0;

    for (uint32_t i = 0; i < world->n; i++)
        numbers |= (set >> i & 1) << world->nodes[i].node;
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

static uint64_t by_preference(const struct world *world, uint32_t set)
{
    uint64_t places = 0;

    for (uint32_t i = 0; i < world->n; i++)
        places |= (uint64_t)(set >> i & 1) << preference(&world->rule, &world->nodes[i]);
    return places;
}

/* Below 0: a is better. */
static int compare_sets(const struct world *world, uint32_t a, uint32_t b)
{
    const uint32_t a_leaves = leaves_of(world, a), b_leaves = leaves_of(world, b);
    const uint32_t a_weight = heaviest(world, a), b_weight = heaviest(world, b);
    const int alternatives = alternative_of(world, a) - alternative_of(world, b);
    const int leaves = __builtin_popcount(a_leaves) - __builtin_popcount(b_leaves);
    const int more = __builtin_popcount(a) - __builtin_popcount(b);

    if (alternatives || leaves)
        return alternatives ? alternatives : leaves;
    if (a_leaves != b_leaves)
        return comes_first(a_leaves, b_leaves) ? -1 : 1;
    if (a_weight != b_weight)
        return a_weight < b_weight ? -1 : 1;
    if (more)
        return world->rule.many ? -more : more;
    if (world->rule.contiguous)
        return comes_first(by_number(world, a), by_number(world, b)) ? -1 : 1;
    return comes_first(by_preference(world, a), by_preference(world, b)) ? -1 : 1;
}

static uint32_t find_best(const struct world *world)
{
    uint32_t best = 0;

    for (uint32_t set = 1; set < 1u << world->n; set++) {
        if (is_allowed(world, set) && (!best || compare_sets(world, set, best) < 0))
            best = set;
    }
    return by_number(world, best);
}

/* ---- random worlds ---- */

static uint32_t roll(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

/* Some of the nodes, by weight and then by number, as the planner lists them. */
static void roll_nodes(uint64_t *state, struct world *world)
{
    uint32_t weights[NODES];

    for (uint32_t i = 0; i < NODES; i++)
        weights[i] = roll(state, 3);
    for (uint32_t weight = 0; weight < 3; weight++) {
        for (uint32_t i = 0; i < NODES; i++) {
            if (weights[i] != weight || roll(state, 5) == 0)
                continue;
            world->nodes[world->n++] = (struct pick_node){
                .node = i,
                .weight = weight,
                .tasks = 1 + roll(state, 5),
                .share = { { 1 + roll(state, 4), 1 + roll(state, 4) } },
                .features = roll(state, 8),
            };
        }
    }
}

static void roll_rule(uint64_t *state, struct world *world)
{
    struct pick_rule *rule = &world->rule;

    *rule = (struct pick_rule){ .nodes_min = 1 + roll(state, 3), .tasks = roll(state, 14) };
    rule->nodes_max = roll(state, 2) ? UINT32_MAX : rule->nodes_min + roll(state, 3);
    rule->many = rule->nodes_max != UINT32_MAX && roll(state, 2);
    rule->contiguous = !roll(state, 4);
    bitset_init(&world->required, NODES);
    if (!roll(state, 3)) {
        bitset_add(&world->required, roll(state, NODES));
        bitset_add(&world->required, roll(state, NODES));
        rule->required = &world->required;
    }
}

/* Names are numbered as they come, so a, b, c must come in this order. */
static void roll_constraint(uint64_t *state, struct world *world)
{
    static const char *const texts[] = {
        "a*2",     "[a*2&b*1]", "[a*1&b*1&c*1]", "[a*2&(a&b)*1&c*1]", "a|b",
        "a*1&b*2", "[a|b|c]",   "a*2&b",         "[a*1&b*2]&c",
    };

    if (roll(state, 2))
        return;
    ck_assert_int_eq(constraint_parse(texts[roll(state, ARRAY_N(texts))], &world->constraint, NULL),
                     0);
    world->rule.constraint = &world->constraint;
}

static void roll_pooled(uint64_t *state, struct world *world)
{
    world->rule.pooled_n = roll(state, 2) ? 0 : 1 + roll(state, 2);
    for (uint32_t i = 0; i < world->rule.pooled_n; i++)
        world->rule.pooled[i] = roll(state, 11);
}

static void roll_topology(uint64_t *state, struct world *world)
{
    struct plan_switch switches[3];
    const struct plan_snapshot snapshot = {
        .nodes_n = NODES,
        .switches = switches,
        .switches_n = ARRAY_N(switches),
    };

    for (uint32_t i = 0; i < ARRAY_N(switches); i++) {
        switches[i] = (struct plan_switch){ .name = "leaf" };
        bitset_init(&switches[i].nodes, NODES);
        bitset_add(&switches[i].nodes, 2 * i);
        bitset_add(&switches[i].nodes, 2 * i + 1);
    }
    topology_init(&world->topology, &snapshot);
    for (uint32_t i = 0; i < ARRAY_N(switches); i++)
        bitset_clear(&switches[i].nodes);
    world->rule.topology = &world->topology;
    world->rule.switches = roll(state, 2) ? 0 : 1 + roll(state, 2);
}

static void roll_world(uint64_t *state, struct world *world)
{
    roll_rule(state, world);
    roll_nodes(state, world);
    roll_constraint(state, world);
    roll_pooled(state, world);
    roll_topology(state, world);
}

static void check_dealt(const struct world *world, const struct pick_node *picked, uint32_t n)
{
    uint64_t tasks = 0, pooled[GRES_POOLED_MAX] = { 0 };

    for (uint32_t i = 0; i < n; i++) {
        tasks += picked[i].tasks;
        ck_assert(picked[i].tasks >= 1);
        ck_assert(i == 0 || picked[i].node > picked[i - 1].node);
        for (uint32_t k = 0; k < world->rule.pooled_n; k++)
            pooled[k] += picked[i].share.pooled[k];
    }
    if (n && world->rule.tasks >= n)
        ck_assert_uint_eq(tasks, world->rule.tasks);
    for (uint32_t k = 0; n && k < world->rule.pooled_n; k++)
        ck_assert_uint_eq(pooled[k], world->rule.pooled[k]);
}

START_TEST(the_choice_is_the_best_of_all)
{
    uint64_t state = (uint64_t)_i;

    for (int round = 0; round < 8000; round++) {
        AUTO(world) struct world world = { 0 };
        struct pick_node picked[NODES];
        uint32_t n, set = 0;

        roll_world(&state, &world);
        n = pick_nodes(&world.rule, world.nodes, world.n, picked);

        for (uint32_t i = 0; i < n; i++)
            set |= 1u << picked[i].node;
        ck_assert_uint_eq(set, find_best(&world));
        check_dealt(&world, picked, n);
    }
}
END_TEST

START_TEST(the_first_nodes_get_most_tasks_and_each_gets_one)
{
    const struct pick_rule rule = { .nodes_min = 3, .nodes_max = 3, .tasks = 5 };
    const struct pick_node nodes[] = {
        { .node = 0, .tasks = 4 },
        { .node = 1, .tasks = 4 },
        { .node = 2, .tasks = 4 },
    };
    struct pick_node picked[3];

    ck_assert_uint_eq(pick_nodes(&rule, nodes, 3, picked), 3);

    ck_assert_uint_eq(picked[0].tasks, 3);
    ck_assert_uint_eq(picked[1].tasks, 1);
    ck_assert_uint_eq(picked[2].tasks, 1);
}
END_TEST

CHECK_MAIN(pick, LOOP_CASE(the_choice_is_the_best_of_all, 3),
           CASE(the_first_nodes_get_most_tasks_and_each_gets_one))
