/*
 * split.h - how many cores a part of a job takes of each socket of a node.
 *
 * A part takes any cores, as many as it needs, unless the job bounds its tasks on a socket or is
 * given whole sockets. Then a part takes the fewest cores that hold its tasks and all else that it
 * must have: fewer may do for as many tasks when they are dealt otherwise (--ntasks-per-socket=3
 * and four tasks on cores of two threads: two and two). Of equally few, more are on the first
 * sockets, or for a start on the last, where Slurm begins. Whole sockets are the first that will
 * do.
 *
 * Both who counts what a part comes to and who takes it ask here. Pure. The answer depends on what
 * else stays free in nothing but that the best is there (demand.h).
 */
#pragma once

#include "ctld/sched/place/demand.h"

/* Owns its numbers. */
struct split {
    uint32_t *on_socket; /* cores of each; NULL: of any socket */
    uint64_t cores;      /* in all */
};

void split_clear(struct split *split);
void split_auto_(struct split *split);

/* Returns whether it matters on which socket cores are. */
bool split_matters(const struct demand *demand, const struct sched_node *node);

/* Splits a part over the cores of a node as room_find finds them. `near`: cpus on whose sockets
 * whole ones are taken first; of size 0: no socket comes first. Returns false when the cores do not
 * hold the part; `ret` then needs no clearing. */
bool split_find(const struct demand *demand, const struct cores *cores, const struct bitset *near,
                const struct demand_part *part, struct split *ret);

/* Returns how many cores are taken of the node at least, whatever is free; of whole nodes all that
 * are given. */
uint64_t split_least(const struct demand *demand, const struct sched_node *node,
                     const struct demand_part *part);
