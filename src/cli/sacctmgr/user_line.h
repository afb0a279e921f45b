/*
 * user_line.h - what a line says of users: whom it means, and the values that it sets.
 */
#pragma once

#include "cli/sacctmgr/assoc.h"

struct user_line {
    struct words names, accounts, clusters, partitions, wckeys;
    struct words defaults, default_wckeys; /* of those that are looked for */
    struct words levels;
    int level; /* to be set; -1: none that is known */
    bool has_level;
    bool has_accounts; /* accounts are among what is set: Accounts= */
    char *default_account, *default_wckey, *new_name; /* to be set */
    struct assoc_values values;
    bool is_wrong; /* which has been said */
};

/* Reads a line of `modify`, in which names are conditions, or of another verb. */
struct user_line user_line_read(struct mgr *mgr, const struct book *book,
                                const struct acct_line *line, bool modifies);
void user_line_clear(struct user_line *line);

/* Return whether the user is meant, and whether one of his associations is. */
bool user_line_means(const struct user_line *line, const struct book *book,
                     const struct user_record *user);
bool user_line_means_assoc(const struct user_line *line, const struct book *book,
                           const struct assoc_record *assoc);

/* Returns the names of the users who are meant, in their order: to be cleared. */
struct words user_line_names(const struct user_line *line, const struct book *book);
