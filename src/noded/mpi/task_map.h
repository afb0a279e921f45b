/*
 * task_map.h - which node every task of a step is on, as MPI libraries are told it. Pure.
 */
#pragma once

#include "common/msg/step.h"

/* Returns for each task its node's position in the layout; body->ntasks of them, to be freed. */
uint32_t *task_map_nodes(const struct launch_body *body);

/*
 * Returns a map as in "(vector,(0,2,4))": on nodes 0 and 1 four tasks each, in turn, and again from
 * the start. To be freed. NULL when it would be longer than `max` characters; then libraries find
 * out by themselves.
 */
char *task_map_format(const struct launch_body *body, size_t max);
