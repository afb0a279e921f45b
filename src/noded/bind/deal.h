/*
 * deal.h - which of a step's cpus on a node each of its tasks there is bound to, where that is
 * found out by itself. Pure.
 *
 * The threads of each socket lie on a pile, in their order. A task takes as many as it has cpus:
 * from one pile on to the next (block), from one pile, and the next task from the pile after it
 * (cyclic), or from another pile for each cpu (fcyclic). When all piles are empty they are made
 * anew. What a task took is then widened to the cores, sockets or NUMA nodes that it lies on, as
 * far as the step may use them.
 */
#pragma once

#include "common/msg/job.h"
#include "common/text/cpubind.h"
#include "noded/inventory/cpu_tree.h"

struct cpu_deal {
    const struct cpu_tree *tree;
    const struct bitset *usable; /* places */
    uint32_t tasks_n, cpus_per_task;
    enum cpu_bind_kind level;  /* CPU_BIND_SOCKETS, _CORES, _THREADS or _LDOMS */
    enum distribution dist;    /* DIST_BLOCK, DIST_CYCLIC or DIST_FCYCLIC, over sockets */
    uint32_t threads_per_core; /* only so many of a core are dealt; 0: all */
    uint32_t tasks_per_core;   /* most on a core, until all cores have so many; 0: any */
};

/*
 * Initialises and fills masks[0 .. tasks_n - 1] with places. Returns false where there are fewer
 * threads than tasks want: then each has all that is usable.
 */
bool cpu_deal(const struct cpu_deal *deal, struct bitset *masks);

/*
 * Returns the level of which the step has exactly as many parts as its tasks have cpus, so that
 * each gets its own; CPU_BIND_UNSAID when there is none.
 */
enum cpu_bind_kind cpu_deal_level(const struct cpu_tree *tree, const struct bitset *usable,
                                  uint32_t tasks_n, uint32_t cpus_per_task);
