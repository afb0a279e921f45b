/*
 * rates.h - what a claim is reckoned from that hangs on the nodes of the job.
 *
 * Rates say how much is claimed for each node, cpu, MB of memory and generic resource that the job
 * gets. A job knows the sum when it has its places; before that, the planner reckons with a sum
 * that a number of nodes cannot exceed. Owns its names.
 */
#pragma once

#include "ctld/sched/pick/kind.h"

struct gres_rate {
    char *name, *type; /* type NULL: any */
    uint64_t amount;
};

struct rates {
    uint64_t fixed, node, cpu, mb;
    struct gres_rate *gres;
    uint32_t gres_n;
};

/* Adds the amount of one more claim of the pool. */
void rates_add(struct rates *rates, const struct plan_claim *claim);
void rates_clear(struct rates *rates);
bool rates_equal(const struct rates *a, const struct rates *b);

/* Returns the amount that a job claims that has these places. */
uint64_t rates_of_places(const struct rates *rates, const struct sched_cluster *cluster,
                         const struct sched_place *places, uint32_t n);

/* Bounds for a job of the kind: it claims at most `base` and the share of each of its nodes. */
struct rates_bound {
    uint64_t base, most; /* the most: the largest share of a node that it could have */
};
struct rates_bound rates_bound(const struct rates *rates, const struct sched_cluster *cluster,
                               const struct kind *kind);

/* Returns what a job of the kind claims at least, on so many nodes or more. */
uint64_t rates_least(const struct rates *rates, const struct sched_cluster *cluster,
                     const struct kind *kind, uint32_t nodes_n);
uint64_t rates_share(const struct rates *rates, const struct kind *kind,
                     const struct sched_node *node);

/* Returns a + b * times, or UINT64_MAX where that overflows. */
uint64_t rates_sum(uint64_t a, uint64_t b, uint64_t times);
