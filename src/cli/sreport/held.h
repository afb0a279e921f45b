/*
 * held.h - what a report is made of: sums of the controller, the tree of accounts, TRES.
 */
#pragma once

#include "cli/lib/records.h"
#include "cli/sacctmgr/book.h"
#include "cli/sreport/ask.h"
#include "common/msg/sums.h"

/* All zero is empty. */
struct held {
    struct book book;
    struct words tres;           /* names of those that are shown, the first one counts */
    bool is_part;                /* both are borrowed; book.cluster is what it is about */
    const struct sum_info *sums; /* those that were loaded, or made of the history */
    uint32_t sums_n;
    struct records loaded; /* sum_info */
    struct sum_info *past; /* owned, as its members are; or NULL */
    struct records times;  /* utilization_info */
};

/* Loads the book and chooses TRES. Returns 0, or -1 when that has failed, which has been said. */
int held_begin(struct sreport *sreport, struct held *held);

/*
 * Finds the clusters that the report is about, by name: those that the words name, or the command
 * line; all; or this one. `held` has begun.
 */
void held_clusters(const struct sreport *sreport, const struct ask *ask, const struct held *held,
                   struct words *ret);

/* Begins with a cluster's part of a report. It borrows the name, and book and TRES of `whole`. */
void held_begin_part(const struct held *whole, const char *cluster, struct held *ret_part);

/* Load sums, and what became of the time, of the cluster of the book. */
int held_load_sums(struct sreport *sreport, const struct sums_list *asked, struct held *held);
int held_load_times(struct sreport *sreport, const struct ask *ask, struct held *held);

void held_clear(struct held *held);
void held_auto_(struct held *held);

/* Returns the amount of the TRES in a list; 0: it is not there. */
uint64_t held_amount(const struct acct_amount *list, uint32_t n, const char *tres);

/* Returns all that there was of a TRES, in seconds. */
uint64_t held_whole(const struct held *held, const char *tres);

/* Asks for the sums of those that the words name. The request borrows from them. */
struct sums_list held_request(const struct ask *ask);
