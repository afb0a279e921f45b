/*
 * fit.h - which of the nodes that could hold a part of a job are its nodes, at a start now.
 *
 * As Slurm's select/cons_tres, select/linear and topology/tree choose, seen from outside:
 *
 *   - Lighter nodes first. Nodes of one weight, as far as they follow one another, are a run.
 *   - Of the runs that can hold all that is still asked the one with the fewest free cpus; when
 *     none can, the one with most, and the rest elsewhere (fit_run.c).
 *   - In a run the nodes from its first on; but a job for which one node will do gets the one with
 *     the fewest free cpus.
 *   - In a tree of switches, instead of runs, the lowest switch below which there are enough nodes,
 *     the one with the fewest; below a higher switch leaf after leaf, the next one being the
 *     smallest that can hold the rest among the nearest (fit_tree.c).
 *   - With CR_LLN the nodes with most free cpus.
 *
 * What is chosen here depends on what is left free; a plan for later is made with pick.h. A rule of
 * thumb may find nothing where there is something: then pick_nodes' choice is taken.
 */
#pragma once

#include "ctld/sched/pick/set.h"

struct fit_way {
    bool least_loaded; /* CR_LLN, or LLN of the partition */
    bool whole;        /* nodes are given whole */
    bool pack;         /* CR_Pack_Nodes: whole nodes are filled one after the other */
    uint32_t cpus_per_task;
    enum distribution dist;
    uint32_t plane_size;
};

/* Picks as pick_nodes does, but deals tasks as Slurm does (fit_deal.h). */
uint32_t fit_nodes(const struct pick_rule *rule, const struct fit_way *way,
                   const struct pick_node *nodes, uint32_t n, struct pick_node *ret_nodes);
