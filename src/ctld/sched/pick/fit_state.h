/*
 * fit_state.h - a choice of nodes for a start, as far as it is made.
 */
#pragma once

#include "ctld/sched/pick/fit.h"

/* Nodes of one weight, by rising number; the required ones of all nodes are taken already. */
struct fit_tier {
    const struct pick_node *nodes;
    uint32_t n;
};

struct fit_state {
    const struct pick_rule *rule;
    struct pick_node *ret; /* in the order in which they were taken */
    uint32_t n, required_n;
    uint64_t tasks_left;
    bool *taken; /* of each node of the tier */
};

static inline bool fit_is_done(const struct fit_state *state)
{
    const struct pick_rule *rule = state->rule;

    return state->n >= rule->nodes_max ||
           (state->n >= rule->nodes_min && state->tasks_left == 0 && !rule->many);
}

/* Returns whether a node would be the last that may be taken, and cannot hold all that is left. */
static inline bool fit_passes_by(const struct fit_state *state, const struct pick_node *node)
{
    return state->n + 1 == state->rule->nodes_max && node->tasks < state->tasks_left;
}

static inline void fit_take(struct fit_state *state, const struct fit_tier *tier, uint32_t i)
{
    const uint64_t tasks = tier->nodes[i].tasks;

    state->taken[i] = true;
    state->ret[state->n++] = tier->nodes[i];
    state->tasks_left -= tasks < state->tasks_left ? tasks : state->tasks_left;
}

/* Returns whether this many nodes with this much room can hold all that must still be there. */
static inline bool fit_suffices(const struct fit_state *state, uint32_t nodes, uint64_t tasks)
{
    return state->n + (uint64_t)nodes >= state->rule->nodes_min && tasks >= state->tasks_left;
}

/* Take of a tier what the choice still wants, or all there is. */
void fit_runs(struct fit_state *state, const struct fit_tier *tier);
void fit_tree(struct fit_state *state, const struct fit_tier *tier);
void fit_least_loaded(struct fit_state *state, const struct fit_tier *tier);
