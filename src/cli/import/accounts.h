/*
 * accounts.h - clusters, QOS, accounts, users, associations, wckeys and coordinators of a
 * slurmdbd's database, beside those that are here: what is to be added, and what is another here.
 */
#pragma once

#include "cli/import/foreign.h"
#include "cli/import/plan.h"
#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/edits.h"

struct accounts {
    const struct foreign *foreign;
    const struct book *book;
    struct plan *plan;
    bool overwrites; /* what is another here becomes as in the database */
    struct edits edits;
};

/* Gathers the edits that all of it comes to, in an order in which each may be done. */
int accounts_gather(struct accounts *accounts, struct err *err);

/* Sends them: as one request, if it is not larger than a request may be; else as several, each of
 * which is done as a whole. */
int accounts_send(const struct accounts *accounts, struct client *client, struct err *err);
