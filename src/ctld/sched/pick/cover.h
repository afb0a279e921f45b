/*
 * cover.h - whether the nodes not yet decided about can bring what a choice of nodes still lacks.
 *
 * A choice must hold a number of tasks, give what is pooled over its nodes, and have nodes of some
 * sorts (the quotas of a constraint). Nodes that are alike in all of this are counted in one
 * bucket, so that an answer costs as many steps as there are sorts of nodes, not nodes.
 *
 * With quotas, the roomiest nodes are taken as long as those still missing fit in beside them.
 * That is exact where the quotas of a constraint say which sets of nodes can be dealt out to its
 * counts: of such sets the greedy choice is best. Where they do not (three counts and more outside
 * of brackets, or some beside them), and with something pooled beside tasks, a search over the
 * buckets decides when neither the greedy choice nor its bound does; it gives up, with "no", after
 * PICK_WORK_MAX steps.
 */
#pragma once

#include "ctld/sched/pick/pick.h"

#define COVER_SUMS_MAX (1 + GRES_POOLED_MAX) /* tasks, then what is pooled */

#define COVER_RECENT 256

struct cover_bucket {
    uint64_t features;
    uint32_t gives[COVER_SUMS_MAX]; /* one node of it, no more than is asked in all */
    uint32_t nodes;                 /* not yet decided about */
    uint32_t used;                  /* of these, in the way that cover_holds found last */
    uint32_t trial;
    bool *meets; /* of each quota */
};

/* Borrows rule and alternative. */
struct cover {
    const struct pick_rule *rule;
    const struct constraint_alternative *alternative; /* NULL: none */
    uint32_t sums_n, quotas_n;
    int64_t lacks[COVER_SUMS_MAX]; /* below 0: more than asked */
    uint32_t *met;                 /* chosen nodes of each quota */
    uint32_t *met_trial;
    struct cover_bucket *buckets;
    uint32_t buckets_n;
    uint32_t *sorted; /* buckets, by what they give: to find one, and as orders[0] */
    uint32_t *orders[GRES_POOLED_MAX]; /* buckets, most of each pooled one first */
    bool ordered;
    uint32_t recent[COVER_RECENT]; /* buckets found, from 1, by a hash of what they are */
};

void cover_init(struct cover *cover, const struct pick_rule *rule,
                const struct constraint_alternative *alternative);
void cover_clear(struct cover *cover);
void cover_auto_(struct cover *cover);

/* Returns the bucket that a node is counted in. */
uint32_t cover_bucket(struct cover *cover, const struct pick_node *node);

/* Choose a node of the bucket, or take that back. */
void cover_take(struct cover *cover, uint32_t bucket);
void cover_give_back(struct cover *cover, uint32_t bucket);

/* Returns whether what is chosen lacks nothing. */
bool cover_is_full(const struct cover *cover);

/* Returns whether exactly k of the nodes in the buckets bring what is lacking; if so, sets
 * `used`. */
bool cover_holds(struct cover *cover, uint32_t k);
