/*
 * assoc_view.h - users, associations and QOS as the controller tells them, and where each is found.
 */
#pragma once

#include "cli/lib/records.h"
#include "common/msg/acct_use.h"
#include "common/msg/share.h"

/* An association with all that is told of it. */
struct assoc_place {
    const struct assoc_record *assoc;
    const struct share_info *share; /* NULL: not told */
    const struct acct_use *use;     /* NULL: not told */
    struct assoc_place *above;      /* the account that it is in, or below; NULL: it is the root */
    uint64_t shares;                /* of all in it and next below it, but who has its own */
};

/* `struct assoc_view view = { 0 };` The first members are filled by the caller, with their schema;
 * places borrow from them. */
struct assoc_view {
    struct records tres, users, wckeys, assocs, qos, shares, uses;
    struct assoc_place *places; /* by id */
    uint32_t places_n;
    const struct assoc_record **defaults; /* of users in their default accounts, by user */
    uint32_t defaults_n;
};

void assoc_view_index(struct assoc_view *view);
void assoc_view_clear(struct assoc_view *view);

/* Return what is told of the association, and of all jobs of the QOS, or NULL. */
const struct assoc_place *assoc_view_find(const struct assoc_view *view, uint32_t id);
const struct acct_use *assoc_view_use(const struct assoc_view *view, const struct qos_record *qos);

/* Returns the user's default account, "": he has none. */
const char *assoc_view_default(const struct assoc_view *view, const char *user);
