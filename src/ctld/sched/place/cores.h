/*
 * cores.h - which cores of a node a job is given.
 *
 * A core is given with all its threads. Cores are looked for among the free cpus of a node,
 * narrowed by what the job says about sockets, and then taken in one of three ways:
 *
 *     lowest       by number; what stays free has no say, so a plan keeps its cores (demand.h)
 *     in turn      one from each socket, round after round: as Slurm starts jobs by default
 *     best socket  from the socket with the fewest free cores that holds all, or else from the one
 *                  with most, and then the lowest: Slurm's block
 *
 * Owns its set.
 */
#pragma once

#include "ctld/sched/place/supply.h"

struct cores {
    const struct sched_node *node;
    struct bitset first; /* the first cpu of each core that may be taken */
};

/* Returns how many cores have all their threads in `free`, quickly. */
uint32_t cores_count(const struct sched_node *node, const struct bitset *free);

void cores_find(struct cores *cores, const struct sched_node *node, const struct bitset *free);
void cores_clear(struct cores *cores);
void cores_auto_(struct cores *cores);

uint32_t cores_left(const struct cores *cores);
uint32_t cores_sockets(const struct sched_node *node);
uint32_t cores_on_socket(const struct cores *cores, uint32_t socket);

/* Narrow what may be taken: to sockets that nobody uses, to this many cores of each socket, to
 * cores with a cpu among `cpus`, to sockets with such cores. */
void cores_keep_whole_sockets(struct cores *cores);
void cores_keep_few(struct cores *cores, uint32_t per_socket);
void cores_keep_near(struct cores *cores, const struct bitset *cpus);
void cores_keep_sockets_near(struct cores *cores, const struct bitset *cpus);

/* Move up to n cores from the set to `taken`, a set of cpus: */
uint32_t cores_take_from(struct cores *cores, uint32_t socket, uint32_t n,
                         struct bitset *taken); /* returns how many there were */
void cores_take_lowest(struct cores *cores, uint32_t n, struct bitset *taken);
void cores_take_in_turn(struct cores *cores, uint32_t n, struct bitset *taken);
void cores_take_best_socket(struct cores *cores, uint32_t n, struct bitset *taken);
