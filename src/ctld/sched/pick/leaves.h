/*
 * leaves.h - a choice of nodes below few leaf switches.
 *
 * Tries each leaf alone, then each pair, and so on up to rule->switches, in the order of their
 * numbers, and passes by those sets that have too few nodes or hold too few tasks.
 */
#pragma once

#include "ctld/sched/pick/set.h"

/* Picks below leaf switches of a topology that is a tree. Gives up after PICK_WORK_MAX steps. */
uint32_t pick_leaves(const struct pick_rule *rule, const struct constraint_alternative *alternative,
                     const struct pick_node *nodes, uint32_t n, pick_set_fn *choose,
                     struct pick_node *ret_nodes);
