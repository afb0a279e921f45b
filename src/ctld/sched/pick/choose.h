/*
 * choose.h - which nodes a job gets that starts now.
 *
 * A plan for later takes the fixed order of pick.h, because it is made again and again and must
 * come out the same when others go away. A start is made once and moves no plan, whatever free
 * nodes it takes: all that is free here is free for the whole time of the job, given the plans of
 * those before it. So this choice may look at what it leaves free. It finds a set whenever
 * pick_nodes finds one. A job that has a place in the plan starts there (search_keep_plan).
 */
#pragma once

#include "ctld/sched/pick/kind.h"
#include "ctld/sched/pick/pick.h"

/* Returns how many able nodes the choice wants to see, the preferred first, beyond those that will
 * do. */
uint32_t choose_wants(const struct kind *kind);

/*
 * `nodes` and `free` are the able nodes, the preferred first, and what each has to give. Fills
 * `ret_nodes` (room for n) with the chosen ones by rising number, tasks set to what each is given.
 * Returns their number, 0 when no choice fits.
 */
uint32_t choose_nodes(const struct sched_cluster *cluster, const struct kind *kind,
                      const struct pick_node *nodes, const struct supply *free, uint32_t n,
                      struct pick_node *ret_nodes);
