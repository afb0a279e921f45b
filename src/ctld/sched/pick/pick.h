/*
 * pick.h - which of the nodes that could hold a part of a job are its nodes, in a plan for later.
 *
 * The choice is the best of all possible ones under a fixed order: the first alternative of the
 * constraint, then the fewest leaf switches where their number is limited, and of these the first,
 * then the least weight that has to be used, then as few nodes as will do (or as many as there
 * are), then the nodes that come first, or, where some are required, those that follow the first
 * of these. What is best stays best when others of the possible choices go away. The planner's
 * promise that nothing which starts early moves a plan made before rests on this, so a rule that
 * looks at what is left free (as best fit does) has no place here; see fit.h for those.
 *
 * A choice is found whenever there is one, but for two limits: PICK_WORK_MAX steps of a search,
 * which only resources pooled over the nodes (cover.h) and more than one leaf switch can need, and
 * those of pick_bound.h.
 */
#pragma once

#include "ctld/sched/place/constraint.h"
#include "ctld/sched/place/gres.h"
#include "ctld/sched/place/topology.h"

#define PICK_WORK_MAX 20000

struct demand;

struct pick_node {
    uint32_t node;
    uint32_t weight;
    uint32_t tasks;              /* most it can hold, at least 1 */
    struct gres_share share;     /* most of each that it can give, at least 1 */
    uint64_t features;           /* constraint_bits of rule->constraint */
    const struct sched_node *of; /* for pick_bound: the node */
    const struct supply *free;   /* for pick_bound: what is free of it */
    uint32_t cpus;               /* for fit_nodes: free ones that the job could use */
    uint32_t unit;               /* the same: those of the smallest part that is given out */
    uint32_t reserve;            /* the same: cpus kept for it while others get theirs */
    struct gres_share close;     /* the same: so much of the share lies together */
};

struct pick_rule {
    uint32_t nodes_min, nodes_max;
    bool many; /* as many nodes as there are, up to the most; else as few as will do */
    bool contiguous;
    uint64_t tasks;                   /* to be held by all; 0: any number */
    uint64_t pooled[GRES_POOLED_MAX]; /* to be given by all, each node at least one */
    uint32_t pooled_n;
    const struct bitset *required;         /* NULL: none */
    const struct constraint *constraint;   /* NULL: none */
    const struct sched_topology *topology; /* NULL: flat */
    uint32_t switches;                     /* most leaf switches; 0: any, or topology is flat */
    const struct demand *offers;           /* NULL: tasks and share of a node go together */
    const struct fit_way *way;             /* of a start (fit.h); NULL: not one */
};

/* Returns whether any nodes will do that hold the tasks. A new wish about the set belongs in
 * here. */
static inline bool pick_takes_any(const struct pick_rule *rule)
{
    return !rule->contiguous && !rule->pooled_n && !rule->required && !rule->switches &&
           !rule->constraint;
}

/* Returns whether any nodes will do, and as few of them as can be. */
static inline bool pick_is_plain(const struct pick_rule *rule)
{
    return pick_takes_any(rule) && !rule->many;
}

/*
 * Picks from `nodes`, which can take a part now, the preferred first (by weight, then by number).
 * Fills `ret_nodes` (room for n) with the chosen ones by rising number, tasks and share set to what
 * each is given: the first as much as it holds, and every node at least one. Returns their number,
 * 0 when no choice fits.
 */
uint32_t pick_nodes(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                    struct pick_node *ret_nodes);
