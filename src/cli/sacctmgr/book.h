/*
 * book.h - all records of accounts that the controller shows to who asks, and where each is found.
 *
 * Deleted records are there, too: `deleted` tells.
 */
#pragma once

#include "cli/lib/records.h"
#include "common/msg/acct.h"
#include "common/text/words.h"

/* An association, and the position of its record. */
struct book_entry {
    const struct assoc_record *assoc;
    uint32_t at;
};

struct book {
    struct records clusters, tres, accounts, users, assocs, qos, wckeys;
    const char *cluster; /* this one; borrowed */
    const char *host;    /* where its controller is; borrowed */
    uint32_t port;
    bool hides_accounts;        /* PrivateData keeps them from who asks; none is loaded */
    struct book_entry *by_name; /* each association, sorted for looking up: those of an account */
    struct book_entry *by_user; /* the same: those of a user, in the order of the records */
};

/* Loads all kinds. `book` is empty before; book_clear is due also after a failure. */
int book_load(struct book *book, const struct command *command, struct err *err);
void book_clear(struct book *book);

/* Return a record that is not deleted, or NULL. */
const struct account_record *book_account(const struct book *book, const char *name);
const struct user_record *book_user(const struct book *book, const char *name);
const struct qos_record *book_qos(const struct book *book, const char *name);
const struct cluster_record *book_cluster(const struct book *book, const char *name);
const struct assoc_record *book_assoc(const struct book *book, const char *cluster,
                                      const char *account, const char *user, const char *partition);

/* Return a record whether or not it is deleted, or NULL. */
const struct account_record *book_any_account(const struct book *book, const char *name);
const struct user_record *book_any_user(const struct book *book, const char *name);
const struct qos_record *book_any_qos(const struct book *book, const char *name);
const struct cluster_record *book_any_cluster(const struct book *book, const char *name);
const struct assoc_record *book_any_assoc(const struct book *book, const char *cluster,
                                          const char *account, const char *user,
                                          const char *partition);

/* Return the associations of a user, or of an account and those in it, also deleted ones, on all
 * clusters; borrowed. */
const struct book_entry *book_of_user(const struct book *book, const char *user, uint32_t *ret_n);
const struct book_entry *book_of_account(const struct book *book, const char *account,
                                         uint32_t *ret_n);

/* Returns the number of the TRES, 0: there is none of that name; and its name by number. */
uint32_t book_tres_id(const struct book *book, const char *name);
const char *book_tres_name(const struct book *book, uint32_t id);

/* Returns whether the account is below the other one, or it itself. */
bool book_is_below(const struct book *book, const char *cluster, const char *account,
                   const char *above);

/* Returns the association of the user in his default account, or NULL. */
const struct assoc_record *book_default(const struct book *book, const char *cluster,
                                        const char *user);
