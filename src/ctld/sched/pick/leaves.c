#include "ctld/sched/pick/leaves.h"

#include <string.h>

#include "common/base/minmax.h"

#define CHOOSE_WORK 400 /* what a choice of nodes costs beside a step of the hunt */

struct amounts {
    uint64_t nodes, tasks;
};

/* A leaf that has nodes to choose from. */
struct leaf {
    uint32_t number;
    struct amounts has;
    bool required, chosen;
};

struct hunt {
    const struct pick_rule *rule;
    const struct constraint_alternative *alternative;
    const struct pick_node *nodes;
    uint32_t n;
    pick_set_fn *choose;
    struct pick_node *ret, *some;
    struct leaf *leaves;
    uint32_t leaves_n, most;
    uint32_t *position;   /* of each switch among the leaves */
    struct amounts *tops; /* [from * (most + 1) + k]: what the k richest of leaves[from..] have */
    uint32_t work;
};

static uint32_t leaf_of(const struct hunt *hunt, const struct pick_node *node)
{
    return hunt->rule->topology->leaf[node->node];
}

static int by_number(const void *a, const void *b)
{
    const struct leaf *left = a, *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

static void find_leaves(struct hunt *hunt)
{
    const uint32_t switches_n = hunt->rule->topology->switches_n;

    hunt->position = xcalloc(switches_n, sizeof(*hunt->position));
    for (uint32_t i = 0; i < hunt->n; i++) {
        const uint32_t number = leaf_of(hunt, &hunt->nodes[i]);

        if (number == TOPOLOGY_NONE || hunt->position[number])
            continue;
        *ARRAY_PUSH(hunt->leaves, hunt->leaves_n) = (struct leaf){ .number = number };
        hunt->position[number] = hunt->leaves_n;
    }
    if (hunt->leaves_n)
        qsort(hunt->leaves, hunt->leaves_n, sizeof(*hunt->leaves), by_number);
    for (uint32_t i = 0; i < hunt->leaves_n; i++)
        hunt->position[hunt->leaves[i].number] = i;
}

static void count_leaves(struct hunt *hunt)
{
    for (uint32_t i = 0; i < hunt->n; i++) {
        const uint32_t number = leaf_of(hunt, &hunt->nodes[i]);
        struct leaf *leaf;

        if (number == TOPOLOGY_NONE)
            continue;
        leaf = &hunt->leaves[hunt->position[number]];
        leaf->has.nodes++;
        leaf->has.tasks += hunt->nodes[i].tasks;
        leaf->required = leaf->required || pick_is_required(hunt->rule, hunt->nodes[i].node);
    }
}

/* Inserts a value into the sums of the k greatest, k from 0 to most. */
static void add_top(uint64_t value, struct amounts *sums, uint32_t most, bool tasks)
{
    for (uint32_t k = most; k > 0; k--) {
        uint64_t *sum = tasks ? &sums[k].tasks : &sums[k].nodes;
        const uint64_t below = tasks ? sums[k - 1].tasks : sums[k - 1].nodes;

        if (below + value > *sum)
            *sum = below + value;
    }
}

static void set_tops(struct hunt *hunt)
{
    const uint32_t row = hunt->most + 1;

    hunt->tops = xcalloc((hunt->leaves_n + 1) * (size_t)row, sizeof(*hunt->tops));
    for (uint32_t i = hunt->leaves_n; i-- > 0;) {
        struct amounts *sums = hunt->tops + (size_t)i * row;

        memcpy(sums, sums + row, row * sizeof(*sums));
        add_top(hunt->leaves[i].has.nodes, sums, hunt->most, false);
        add_top(hunt->leaves[i].has.tasks, sums, hunt->most, true);
    }
}

static uint32_t choose_below(struct hunt *hunt)
{
    uint32_t some_n = 0;

    hunt->work += CHOOSE_WORK;
    for (uint32_t i = 0; i < hunt->n; i++) {
        const uint32_t number = leaf_of(hunt, &hunt->nodes[i]);

        if (number != TOPOLOGY_NONE && hunt->leaves[hunt->position[number]].chosen)
            hunt->some[some_n++] = hunt->nodes[i];
    }
    return hunt->choose(hunt->rule, hunt->alternative, hunt->some, some_n, hunt->ret);
}

/* Chooses `left` more of the leaves from `from` on. */
static uint32_t try_leaves(struct hunt *hunt, uint32_t from, uint32_t left, struct amounts has)
{
    if (left == 0) {
        while (from < hunt->leaves_n && !hunt->leaves[from].required)
            from++;
        return from < hunt->leaves_n ? 0 : choose_below(hunt);
    }
    for (uint32_t i = from; i + left <= hunt->leaves_n; i++) {
        struct leaf *leaf = &hunt->leaves[i];
        const struct amounts *top = hunt->tops + (size_t)i * (hunt->most + 1) + left;
        uint32_t chosen;

        if (++hunt->work > PICK_WORK_MAX || has.nodes + top->nodes < hunt->rule->nodes_min ||
            has.tasks + top->tasks < hunt->rule->tasks)
            return 0;
        leaf->chosen = true;
        chosen = try_leaves(hunt, i + 1, left - 1,
                            (struct amounts){ .nodes = has.nodes + leaf->has.nodes,
                                              .tasks = has.tasks + leaf->has.tasks });
        leaf->chosen = false;
        if (chosen || leaf->required)
            return chosen;
    }
    return 0;
}

uint32_t pick_leaves(const struct pick_rule *rule, const struct constraint_alternative *alternative,
                     const struct pick_node *nodes, uint32_t n, pick_set_fn *choose,
                     struct pick_node *ret_nodes)
{
    AUTO_FREE struct pick_node *some = xcalloc(n + 1, sizeof(*some));
    struct hunt hunt = {
        .rule = rule,
        .alternative = alternative,
        .nodes = nodes,
        .n = n,
        .choose = choose,
        .ret = ret_nodes,
        .some = some,
    };
    uint32_t chosen = 0;

    find_leaves(&hunt);
    count_leaves(&hunt);
    hunt.most = MIN(rule->switches, hunt.leaves_n);
    set_tops(&hunt);
    for (uint32_t size = 1; size <= hunt.most && !chosen; size++)
        chosen = try_leaves(&hunt, 0, size, (struct amounts){ 0 });
    free(hunt.leaves);
    free(hunt.position);
    free(hunt.tops);
    return chosen;
}
