/*
 * tree.h - the associations of this cluster as a tree: accounts below accounts, and users in them.
 *
 * It follows from the records and is made again when one of them has changed and somebody asks.
 * What a check may ask for while a request is being carried out is in acct.h.
 */
#pragma once

#include <uthash.h>

#include "common/base/bitset.h"
#include "ctld/control/acct/acct.h"

/* An association, as the table of its kind has it. Of one that is deleted, or of another cluster,
 * there is the record alone. */
struct assoc {
    struct assoc_record rec; /* comes first: a record of the table is one of these */
    struct assoc *parent;    /* of a user: the account's own; NULL: it is the root */
    struct assoc *first;     /* what is below it, in order of arrival, ... */
    struct assoc *last;
    struct assoc *next;         /* ... and beside it */
    struct assoc *next_of_user; /* of the same user */
    bool is_reached;            /* the root is above it */
    struct bitset qos;          /* the numbers of those that its jobs may use */
};

/* A user with all associations that he has on this cluster. */
struct acct_user {
    char *name;
    struct assoc *first;    /* at least one */
    struct assoc *fallback; /* of his default account, without partition if there is one; NULL: he
                               has none */
    UT_hash_handle hh;
};

struct acct_tree;

struct acct_tree *acct_tree_new(void);
struct acct_tree *acct_tree_free(struct acct_tree *tree);

/* Notes that an association or a QOS has changed. */
void acct_tree_changed(struct control *control);

/* Returns how often that has happened. */
uint64_t acct_tree_version(const struct control *control);

/* What is borrowed from here is valid until the next change of an association or a QOS. */

/* Returns the root, or NULL: the cluster has no name, as a simulated one. */
struct assoc *acct_tree_root(struct control *control);

/* Returns what comes after the association when all are walked through from the root, each before
 * what is below it; NULL: there is no more. */
struct assoc *acct_tree_next(const struct assoc *assoc);

/* Returns the user's association in the account for jobs in the partition: that of the partition,
 * or that of no partition; NULL: there is none. */
struct assoc *acct_tree_find(struct control *control, const char *account, const char *user,
                             const char *partition);
struct acct_user *acct_tree_user(struct control *control, const char *name);

/* Returns the name of the QOS of the association's jobs that name none: its own default, or that of
 * the account above, or else the only QOS that they may use; NULL: there is none of these. */
const char *acct_default_qos(struct control *control, const struct assoc *assoc);

/* Returns whether anybody uses accounts: slurm.conf names them, or there is an association that is
 * not made by the controller itself. */
bool acct_is_used(struct control *control);
