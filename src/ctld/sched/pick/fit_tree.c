/* Chooses by switches: near nodes first. */
#include "ctld/sched/pick/fit_state.h"

/* What is not taken yet of a tier below a switch. */
struct below {
    uint32_t nodes;
    uint64_t tasks;
};

/* Nodes of the tier, leaf by leaf. */
struct tree {
    const struct sched_topology *topology;
    const struct fit_tier *tier;
    struct below *below; /* of each switch */
    uint32_t *next;      /* of each node of the tier: the next of its leaf; UINT32_MAX: none */
    uint32_t *first;     /* of each leaf */
    bool *used;          /* leaf has chosen nodes */
};

static void count(struct tree *tree, uint32_t number, int64_t nodes, int64_t tasks)
{
    for (; number != TOPOLOGY_NONE; number = tree->topology->parent[number]) {
        tree->below[number].nodes = (uint32_t)(tree->below[number].nodes + nodes);
        tree->below[number].tasks = (uint64_t)((int64_t)tree->below[number].tasks + tasks);
    }
}

static void tree_init(struct tree *tree, const struct fit_state *state, const struct fit_tier *tier)
{
    const struct sched_topology *topology = state->rule->topology;

    *tree = (struct tree){
        .topology = topology,
        .tier = tier,
        .below = xcalloc(topology->switches_n, sizeof(*tree->below)),
        .next = xcalloc(tier->n, sizeof(*tree->next)),
        .first = xcalloc(topology->switches_n, sizeof(*tree->first)),
        .used = xcalloc(topology->switches_n, sizeof(*tree->used)),
    };
    for (uint32_t i = 0; i < state->n; i++) {
        if (topology->leaf[state->ret[i].node] != TOPOLOGY_NONE)
            tree->used[topology->leaf[state->ret[i].node]] = true;
    }
    for (uint32_t i = 0; i < topology->switches_n; i++)
        tree->first[i] = UINT32_MAX;
    for (uint32_t i = tier->n; i-- > 0;) {
        const uint32_t leaf = topology->leaf[tier->nodes[i].node];

        if (leaf == TOPOLOGY_NONE)
            continue;
        tree->next[i] = tree->first[leaf];
        tree->first[leaf] = i;
        count(tree, leaf, 1, tier->nodes[i].tasks);
    }
}

static void tree_clear(struct tree *tree)
{
    free(tree->below);
    free(tree->next);
    free(tree->first);
    free(tree->used);
}

static bool suffices(const struct fit_state *state, const struct tree *tree, uint32_t number)
{
    return fit_suffices(state, tree->below[number].nodes, tree->below[number].tasks);
}

/* Returns whether switch i is to be preferred: of those that suffice one with few nodes, of others
 * one with many. */
static bool is_better(const struct fit_state *state, const struct tree *tree, uint32_t i,
                      uint32_t best)
{
    const uint32_t nodes = tree->below[i].nodes;
    bool enough;

    if (nodes == 0 || best == TOPOLOGY_NONE)
        return nodes > 0;
    enough = suffices(state, tree, i);
    if (enough != suffices(state, tree, best))
        return enough;
    if (enough && tree->topology->level[i] != tree->topology->level[best])
        return tree->topology->level[i] < tree->topology->level[best];
    return enough ? nodes < tree->below[best].nodes : nodes > tree->below[best].nodes;
}

/* Goes from a switch down to the leaf where to go on, and returns it. */
static uint32_t descend(const struct fit_state *state, const struct tree *tree, uint32_t number)
{
    const struct sched_topology *topology = tree->topology;

    while (number != TOPOLOGY_NONE && topology->level[number] > 0) {
        uint32_t best = TOPOLOGY_NONE;

        for (uint32_t i = 0; i < topology->switches_n; i++) {
            if (topology->parent[i] == number && is_better(state, tree, i, best))
                best = i;
        }
        number = best;
    }
    return number;
}

/* Returns the lowest switch above a chosen node that still has nodes. */
static uint32_t nearest(const struct tree *tree)
{
    const struct sched_topology *topology = tree->topology;
    uint32_t best = TOPOLOGY_NONE;

    for (uint32_t leaf = 0; leaf < topology->switches_n; leaf++) {
        uint32_t number = tree->used[leaf] ? leaf : TOPOLOGY_NONE;

        while (number != TOPOLOGY_NONE && tree->below[number].nodes == 0)
            number = topology->parent[number];
        if (number == TOPOLOGY_NONE)
            continue;
        if (best == TOPOLOGY_NONE || topology->level[number] < topology->level[best])
            best = number;
    }
    return best;
}

static uint32_t begin_below(const struct fit_state *state, const struct tree *tree)
{
    uint32_t best = TOPOLOGY_NONE;

    for (uint32_t i = 0; i < tree->topology->switches_n; i++) {
        if (is_better(state, tree, i, best))
            best = i;
    }
    return best;
}

static void take_leaf(struct fit_state *state, struct tree *tree, uint32_t leaf)
{
    tree->used[leaf] = true;
    while (tree->first[leaf] != UINT32_MAX && !fit_is_done(state)) {
        const uint32_t i = tree->first[leaf];

        tree->first[leaf] = tree->next[i];
        count(tree, leaf, -1, -(int64_t)tree->tier->nodes[i].tasks);
        fit_take(state, tree->tier, i);
    }
}

void fit_tree(struct fit_state *state, const struct fit_tier *tier)
{
    struct tree tree;

    tree_init(&tree, state, tier);
    while (!fit_is_done(state)) {
        uint32_t number = nearest(&tree);

        if (number == TOPOLOGY_NONE)
            number = begin_below(state, &tree);
        number = descend(state, &tree, number);
        if (number == TOPOLOGY_NONE)
            break;
        take_leaf(state, &tree, number);
    }
    tree_clear(&tree);
}
