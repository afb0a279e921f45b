/*
 * tally.h - what the jobs of each association and each QOS are and hold at one moment, counted
 * once for all of them.
 *
 * Only jobs that have an association count. What an account's jobs hold is the sum of what is below
 * it; a node that several of them share is one.
 */
#pragma once

#include <uthash.h>

#include "common/base/bitset.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/act/act.h"

struct tally_sum {
    uint32_t running_n, submitted_n, accruing_n;
    double *held; /* of each TRES, by its place in the tally; NULL: nothing is held */
    double *left; /* what may still be used until time limits: TRES seconds */
    struct bitset nodes;
};

/* The jobs of one user in a QOS, or those of one account. */
struct tally_part {
    char *key;
    uint32_t qos_id;
    char *account, *user; /* one of them is NULL */
    struct tally_sum sum;
    UT_hash_handle hh;
};

/* Names are borrowed from the records. */
struct tally {
    const char **tres;
    uint32_t tres_n;
    uint32_t node;                  /* the place of the TRES node among them */
    struct tally_sum *assocs, *qos; /* by id */
    uint32_t assocs_n, qos_n;
    struct tally_part *parts; /* uthash; in the order of qos, accounts before users, then by name */
};

struct tally *tally_new(struct control *control, struct moment now);
struct tally *tally_free(struct tally *tally);

/* Appends an amount to a list, in thousandths. */
void answer_add_thousandths(struct acct_amount **list, uint32_t *n, const char *tres,
                            double amount);
