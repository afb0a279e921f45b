/*
 * load_plan.h - what a file of sacctmgr dump makes of a cluster: accounts, users and associations
 * as they will be, beside what they are.
 */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/load_line.h"

struct load_account {
    const struct account_record *was; /* NULL: there never was one */
    struct account_record now;
    bool is_new;
};

struct load_user {
    const struct user_record *was; /* NULL: there never was one */
    struct user_record now;
    bool is_new, has_level;
    char *default_account; /* on the cluster; NULL: none yet */
    const char *had;       /* the one that he has had so far, or NULL; borrowed */
    uint32_t default_line; /* where the file names it; 0: it does not */
    char *default_wckey;
    struct words wckeys, coordinated;
};

struct load_assoc {
    const struct assoc_record *was; /* NULL: there never was one */
    struct assoc_record now;
    uint32_t line;
    bool is_new;
    bool is_hidden; /* it is made along with a new cluster, which is not said */
};

/* `struct load_plan plan = { .mgr = mgr, .book = book };` */
struct load_plan {
    struct mgr *mgr;
    const struct book *book;
    char *cluster;
    bool is_clean; /* what the file does not name goes */
    bool is_new_cluster;
    const char *classification; /* of the cluster; NULL: the file names none */
    bool is_refused;            /* the file as a whole, not a word of it */
    char *parent;               /* of what comes next; NULL: no line has named one */
    struct load_account *accounts;
    struct load_user *users;
    struct load_assoc *assocs; /* accounts before what is in them */
    uint32_t accounts_n, users_n, assocs_n;
};

void load_plan_clear(struct load_plan *plan);

/* Takes a line, and says what it changes of what is there. Returns 0, or -1 after saying what is
 * wrong with it. */
int load_plan_take(struct load_plan *plan, const struct load_line *line);

/* Chooses the default accounts of users when all lines have been taken. Returns 0, or -1 after
 * saying which one is not there. */
int load_plan_end(struct load_plan *plan);

/* Adds the edits that all of it comes to. */
void load_plan_gather(const struct load_plan *plan, struct edits *edits);

/* ---- for the files load_*.c alone ---- */

/* Say what is wrong with a line, or with a word of it (`err` of code 0: it is none); return -1. */
int load_refuse(struct load_plan *plan, const struct load_line *line, const char *text);
int load_refuse_word(struct load_plan *plan, const struct load_line *line,
                     const struct acct_word *word, const struct err *err);

/* Returns the association if a line was about it, or NULL. */
struct load_assoc *load_find_assoc(const struct load_plan *plan, const char *account,
                                   const char *user, const char *partition);

/* Return a record as it is so far; one that is not there is new. What was returned before is void
 * then. */
struct load_assoc *load_get_assoc(struct load_plan *plan, const struct load_line *line,
                                  const char *account, const char *user, const char *partition);
struct load_account *load_get_account(struct load_plan *plan, const char *name);
struct load_user *load_get_user(struct load_plan *plan, const char *name);

/* Returns whether the account is on the cluster, or will be by the lines so far. */
bool load_has_account(const struct load_plan *plan, const char *name);

/* Returns the user's default wckey on the cluster, or NULL. */
const struct wckey_record *load_default_wckey(const struct load_plan *plan, const char *user);

/* Returns whether two texts differ; NULL is an empty one. */
bool load_text_differs(const char *a, const char *b);

/* Says what differs in an association that is there: an order of QOS is no difference. */
void load_say_differences(const struct load_plan *plan, const char *kind, const char *name,
                          const struct assoc_record *before, struct load_assoc *assoc);

/* Sets what the word says of the association. Returns 0, or -1 after saying what is wrong. */
int load_apply(struct load_plan *plan, const struct load_line *line, const struct acct_word *word,
               struct load_assoc *assoc);

int load_take_user(struct load_plan *plan, const struct load_line *line);
