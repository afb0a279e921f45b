/*
 * forest.h - in which order associations are listed: clusters by name, each account before what is
 * in it.
 */
#pragma once

#include "cli/sacctmgr/book.h"

enum forest_order {
    FOREST_BY_NAME, /* in an account users before accounts, by name */
    FOREST_BY_AGE,  /* what came later before what was there: Slurm numbers its tree so */
    FOREST_LOOSE    /* without a tree: users by name, then accounts by age */
};

struct forest {
    /* Of each association of the book, in its order. */
    uint32_t *places; /* from 1; 0: it is not listed */
    uint32_t *depths; /* of a root 0 */
    uint32_t n;       /* that have a place */
};

/* `listed`, one for each association of the book, says which are placed; NULL: all. What hangs on
 * an account that is not among them is a root itself, and such accounts stand by age. */
struct forest forest_new(const struct book *book, enum forest_order order, const bool *listed);
void forest_clear(struct forest *forest);

/* Returns the associations of a cluster that are not deleted, by age: each account before what is
 * in it. To be freed; *ret_n of them. */
const struct assoc_record **forest_of_cluster(const struct book *book, const char *cluster,
                                              uint32_t *ret_n);
