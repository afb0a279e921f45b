/*
 * bound.h - a choice of nodes where the tasks that a node can hold depend on how much of the
 * pooled devices it gives.
 *
 * Who may only use cores near its devices has more cores with more devices; where cpus or memory
 * come with each device of several sorts, more of one leaves room for less of another. So a node
 * does not simply hold so many tasks and give so many devices: it offers a number of tasks for
 * each share of them. Nodes and shares are chosen together; a choice is found whenever there is
 * one, but for two limits: beyond PICK_CELLS_MAX only the first nodes are looked at, and of the
 * sets that keep a constraint with counts only so many are tried.
 *
 * The order is that of pick.h; of the same nodes the first gives as many devices as it may.
 */
#pragma once

#include "ctld/sched/pick/set.h"

#define PICK_CELLS_MAX (UINT32_C(1) << 22)

/* Picks as pick_set does, for a rule with `offers`. Tasks and share are what each node of the
 * choice is to hold at most, and to give. */
pick_set_fn pick_bound;

/* Returns whether all of these nodes together will do; if so, sets what each is to hold at most,
 * and to give. */
bool pick_bound_deal(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n);

/* Returns the most tasks that the node holds with this share. */
uint32_t pick_bound_tasks(const struct pick_rule *rule, const struct pick_node *node,
                          const struct gres_share *share);
