/*
 * removal.h - deleting accounts, users and associations, with all that goes with them.
 *
 * With an account go its associations, those of the users in it and of the accounts below it; with
 * a user all that is his. When associations of users are deleted, a user of whom none is left goes,
 * too; those of an account that is deleted stay.
 */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

/* What is to go. `struct removal removal = { .book = book };` */
struct removal {
    const struct book *book;
    struct words accounts, users;       /* by name */
    const struct assoc_record **assocs; /* that are named by themselves */
    uint32_t assocs_n;
    bool of_users; /* users, or associations of theirs, are named; else accounts */
};

void removal_clear(struct removal *removal);

/* Says what goes, asks, and sends it. Returns what to exit with. */
int removal_run(struct mgr *mgr, struct removal *removal);
