/*
 * nodecount.h - how many different nodes jobs hold, over time.
 *
 * A node counts once, however many jobs hold it. A node that a job has as a whole is closed: no job
 * can be beside it, so one more that needs a node needs another one. Who waits for nodes but has
 * none takes nodes of no name, which are closed. Owns its steps.
 */
#pragma once

#include <uthash.h>

#include "common/base/bitset.h"
#include "ctld/sched/future/tally.h"

/* A node that some job holds at some time. */
struct counted_node {
    uint32_t node;
    struct tally jobs, wholes; /* the jobs that hold it; those of them that have it as a whole */
    uint32_t running, running_wholes;
    UT_hash_handle hh;
};

struct nodecount {
    struct counted_node *nodes;           /* uthash */
    struct tally held, closed;            /* how many different nodes are held, and closed */
    uint64_t running_n, running_closed_n; /* how many of them running jobs hold */
};

/* What a job does to one node: it holds it from `from` up to but not including `to`. */
struct node_hold {
    uint32_t node;
    bool whole, runs;
    int64_t from, to;
};

void nodecount_init(struct nodecount *count, uint64_t total);
void nodecount_clear(struct nodecount *count);
void nodecount_reset(struct nodecount *count); /* none is held */
void nodecount_set_total(struct nodecount *count, uint64_t total);

void nodecount_take(struct nodecount *count, const struct node_hold *hold);
void nodecount_give(struct nodecount *count, const struct node_hold *hold);

/* Like tally_ready, tally_is_ready and tally_until, for this many nodes; with `whole`, for nodes
 * that nobody else has. Without `whole` any node that is not closed will do. */
int64_t nodecount_ready(const struct nodecount *count, int64_t from, int64_t length, uint64_t nodes,
                        bool whole);
bool nodecount_is_ready(const struct nodecount *count, int64_t from, int64_t length, uint64_t nodes,
                        bool whole);
int64_t nodecount_until(const struct nodecount *count, int64_t from, uint64_t nodes, bool whole);

/* Returns how many more nodes may come to be held at every moment of [from, to). */
uint64_t nodecount_left(const struct nodecount *count, int64_t from, int64_t to);

/* Takes out of the set those nodes that nobody holds at some time in [from, to) at which fewer than
 * `most` more nodes may be held. */
void nodecount_keep_free(const struct nodecount *count, int64_t from, int64_t to, uint64_t most,
                         struct bitset *nodes);

/* Returns the first moment after `at` at which some node is held by other jobs, or FUTURE_END. */
int64_t nodecount_next(const struct nodecount *count, int64_t at);
