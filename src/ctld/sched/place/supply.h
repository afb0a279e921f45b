/*
 * supply.h - reading what is free, or taken, on one node, and what a job takes there.
 */
#pragma once

#include "ctld/sched/place/cluster.h"

/*
 * Return sets over a supply's bits, which they borrow. Where jobs share cpus a node has its cpus
 * several times over, in rows: a job that shares takes one row of them, any other job all.
 */
static inline struct bitset supply_row(const struct supply *supply, const struct sched_node *node,
                                       uint32_t row)
{
    return (struct bitset){ .size = node->counts_cpus ? 0 : node->cpus,
                            .words = supply->bits + (size_t)row * node->row_words };
}

static inline struct bitset supply_devices(const struct supply *supply,
                                           const struct sched_node *node)
{
    return (struct bitset){ .size = node->devices_n, .words = supply->bits + node->cpu_words };
}

/* Returns whether both take the same cpu or device, or some of the same amount. */
bool supplies_meet(const struct sched_node *node, const struct supply *a, const struct supply *b);

/* Finds the cpus that are there in all rows or, with `unite`, in any. `ret` is initialized by
 * this. */
void supply_join_rows(const struct supply *supply, const struct sched_node *node, bool unite,
                      struct bitset *ret);

/* What a job takes on one node. Owns what it gives; its bits lie behind the array of places. */
struct sched_place {
    uint32_t node;
    uint32_t tasks;
    uint32_t row; /* of cpus: 1 and up; 0: all */
    struct supply supply;
    struct bitset given; /* cpus that the job may use, where that is not what it takes; or size 0 */
};

/* Takes the cpus, in the place's row or in all rows. */
void sched_place_add_cpus(struct sched_place *place, const struct sched_node *node,
                          const struct bitset *cpus);

/* Counts the place with its cpus against the cap of its job's partition. */
void sched_place_count(struct sched_place *place, const struct sched_node *node,
                       uint32_t partition);

/* Takes all cpus of the node for those that are given. */
void sched_place_give(struct sched_place *place, const struct sched_node *node,
                      const struct bitset *given);
void sched_place_clear(struct sched_place *place);

/* Convert a place from outside, cut to what the node has (`place` comes with nothing taken), and
 * places for outside, owned by the caller. */
void sched_place_take(struct sched_place *place, const struct sched_cluster *cluster,
                      const struct plan_place *from);
struct plan_place *sched_places_show(const struct sched_place *places, uint32_t n,
                                     const struct sched_cluster *cluster);

/* Allocates n places with nothing taken, for nodes with up to `words` words of bits, as one piece
 * of memory, for there are many. */
struct sched_place *places_new(uint32_t n, uint32_t words);
void places_free(struct sched_place *places, uint32_t n);
bool places_equal(const struct sched_cluster *cluster, const struct sched_place *a, uint32_t a_n,
                  const struct sched_place *b, uint32_t b_n);
