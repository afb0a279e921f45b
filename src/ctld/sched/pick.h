/*
 * pick.h - which of the nodes that could hold a part of a job are its nodes.
 *
 * The choice is the best of all possible ones under a fixed order: the least weight that has to be
 * used, then as few nodes as will do (or as many as asked for), then the nodes that come first, or,
 * where some are required, those that follow the first of these.
 * What is best stays best when others of the possible choices go away. The planner's promise that
 * nothing which starts early moves a plan made before rests on this, so a rule that looks at what
 * is left free (as best fit does) has no place here.
 */
#pragma once

#include "ctld/sched/gres.h"

struct pick_node {
    uint32_t node;
    uint32_t weight;
    uint32_t tasks;          /* most it can hold, at least 1 */
    struct gres_share share; /* most of each that it can give, at least 1 */
};

struct pick_rule {
    uint32_t nodes_min, nodes_max;
    bool many; /* as many nodes as there are, up to the most; else as few as will do */
    bool contiguous;
    uint64_t tasks;                   /* to be held by all; 0: any number */
    uint64_t pooled[GRES_POOLED_MAX]; /* to be given by all; 0: not asked */
    const struct bitset *required;    /* NULL: none */
};

/*
 * `nodes` are those that can take a part now, the preferred first (by weight, then by number).
 * Fills `ret_nodes` (room for n) with the chosen ones by rising number, tasks and share set to what
 * each is given: the first as many as it holds, and every node at least one. Returns their number,
 * 0 when no choice fits.
 */
uint32_t pick_nodes(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                    struct pick_node *ret_nodes);
