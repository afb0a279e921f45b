/*
 * tree.h - accounts with what their users and the accounts below them held. Pure.
 */
#pragma once

#include "cli/sreport/owner.h"

/* An account. */
struct branch {
    const char *name; /* borrowed */
    int64_t parent;   /* index of a branch, or -1: it is the root */
    uint32_t depth;   /* of the root 0 */
    uint64_t *held;   /* of each TRES; owned */
};

/* In the order of names. Also accounts that are deleted, and those of which nothing is known but
 * that jobs ran in them, which hang on the root. */
struct tree {
    struct branch *at;
    uint32_t n;
    uint32_t root;
};

/* Makes the tree of the cluster's accounts. `owners`, told apart by account at least, may have none
 * and are borrowed. */
struct tree tree_of(const struct book *book, const struct owners *owners);
void tree_clear(struct tree *tree);
void tree_auto_(struct tree *tree);

/* Returns the index of the account's branch, or -1. */
int64_t tree_find(const struct tree *tree, const char *account);

/* Returns the index of the first branch, from an account upwards, that the words name, or -1. */
int64_t tree_find_above(const struct tree *tree, int64_t at, const struct words *names);
