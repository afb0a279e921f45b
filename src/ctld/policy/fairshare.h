/*
 * fairshare.h - what accounts and users have used, held against their shares of the cluster.
 *
 * Two ways, both from Slurm's documentation: the fair tree
 * (https://slurm.schedmd.com/fair_tree.html) ranks all users by the levels of the tree; the classic
 * way (classic_fair_share.html, and priority_multifactor3.html of the depth-oblivious one) makes a
 * number of usage and shares. What the pages leave open is as Slurm 22.05 counts. Pure; the order
 * of nodes in the array means nothing.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FAIR_TOP       UINT32_MAX /* parent of a node that has none */
#define FAIR_PARENT    UINT32_MAX /* Fairshare=parent: without shares of its own */
#define FAIR_NOT_SHOWN (-1.0)     /* of a result: this node has none */

enum fair_way { FAIR_TREE, FAIR_CLASSIC, FAIR_DEPTH_OBLIVIOUS };

/* An association: an account, or a user in one. */
struct fair_node {
    uint32_t parent; /* the account's position in the array, or FAIR_TOP */
    bool is_user;
    uint32_t shares; /* or FAIR_PARENT */
    double usage;    /* decayed; of an account with all that is below it */
};

struct fair_share {
    double norm_shares;
    double norm_usage;      /* of all that was used on the cluster */
    double effective_usage; /* FAIR_TREE: of what was used on its level */
    double level;           /* LevelFS, INFINITY without usage; FAIR_NOT_SHOWN but in a fair tree */
    double factor;          /* 0 to 1; FAIR_NOT_SHOWN: accounts of a fair tree */
};

/* Fills `ret` for each of the nodes, of which no account is below itself. `dampening` is
 * FairShareDampeningFactor, of the classic way. */
void fair_shares(enum fair_way way, double dampening, const struct fair_node *nodes, uint32_t n,
                 struct fair_share *ret);
