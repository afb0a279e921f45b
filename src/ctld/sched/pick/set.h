/*
 * set.h - the parts of a choice of nodes: which of the sets may be used, and the best of one.
 */
#pragma once

#include "ctld/sched/pick/pick.h"

/*
 * Chooses some of `nodes`, which are all of one alternative (NULL: there is no constraint) and
 * below the allowed switches. Fills `ret_nodes` in the order of preference, the required ones
 * first; they stay as they are offered.
 */
typedef uint32_t pick_set_fn(const struct pick_rule *rule,
                             const struct constraint_alternative *alternative,
                             const struct pick_node *nodes, uint32_t n,
                             struct pick_node *ret_nodes);

/* Chooses the best set under the fixed order of pick.h. */
pick_set_fn pick_set;

/* Tries alternative after alternative, and sets of leaf switches, with the given way to choose. */
uint32_t pick_each(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                   pick_set_fn *choose, struct pick_node *ret_nodes);

bool pick_is_required(const struct pick_rule *rule, uint32_t node);

/* Sorts by rising number. */
void pick_sort(struct pick_node *nodes, uint32_t n);

/* Returns whether all of the nodes together keep the rule, but for contiguous and switches. */
bool pick_keeps(const struct pick_rule *rule, const struct constraint_alternative *alternative,
                const struct pick_node *nodes, uint32_t n);
