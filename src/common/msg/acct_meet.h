/*
 * acct_meet.h - records of accounts of two places, a cluster and a slurmdbd, that come together:
 * what becomes of each (docs/adr/0019-move-accounting.md).
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/acct.h"
#include "common/msg/kept.h"

enum acct_met {
    ACCT_ALIKE,    /* nothing is to be done */
    ACCT_COMES,    /* the cluster's is new there, or takes the place of one that says nothing */
    ACCT_YIELDS,   /* the cluster's says nothing of its own: what is there holds */
    ACCT_CONFLICT, /* they differ, and somebody has to say which one holds */
};

/*
 * Returns what becomes of a cluster's record, where slurmdbd has `there` by its key, or NULL. Of a
 * conflict it is added to `how` in which members they differ, first as the cluster has them.
 */
enum acct_met acct_meet(uint32_t kind, const void *own, const void *there, struct strbuf *how);

/* What was asked to hold where records differ. */
enum acct_keep {
    ACCT_KEEP_NEITHER, /* conflicts are refused */
    ACCT_KEEP_SLURMDBD,
    ACCT_KEEP_CLUSTER,
    ACCT_KEEPS_N
};

/* Returns the word of an answer ("slurmdbd"), and the answer that a word means, or -1. */
const char *acct_keep_name(uint32_t keep);
int acct_keep_find(const char *word);

/* Make records that are there from the beginning, whose texts are borrowed: not to be cleared. */
void acct_fill_qos_normal(struct qos_record *ret);
void acct_fill_account_root(struct account_record *ret);
void acct_fill_user_root(struct user_record *ret);
/* Of the root account, or with `user` root of that user in it. */
void acct_fill_assoc_root(const char *cluster, const char *user, struct assoc_record *ret);
