/*
 * columns.h - what sacctmgr's lists can show, and what each shows when nothing is asked for.
 */
#pragma once

#include "cli/sacctmgr/book.h"
#include "common/report/column.h"

/* A line of a list: what it is not about is NULL. */
struct mgr_row {
    const struct account_record *account;
    const struct user_record *user;
    const struct assoc_record *assoc;
    const struct qos_record *qos;
    const struct tres_record *tres;
    const struct cluster_record *cluster;
    const struct wckey_record *wckey;
    uint32_t place;        /* of an association in the tree of all */
    uint32_t depth;        /* of an association in a tree */
    bool has_coords;       /* coordinators are shown */
    bool has_assocs;       /* associations of an account or user are shown with it */
    bool has_own_limits;   /* limits that the association has from above are not shown */
    bool has_own_only;     /* nothing that the association has from above is shown */
    bool has_raw_qos;      /* how its QOS differ from those above is shown */
    bool has_named_shares; /* shares that the record does not name are not shown */
};

/*
 * Rows are mgr_row; the context's `user` is the book. A column's mark is how many letters of its
 * name are enough.
 */
extern const struct report_table acct_columns;
extern const struct report_table wckey_columns; /* of lists of wckeys */
