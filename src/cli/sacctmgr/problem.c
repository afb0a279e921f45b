#include "cli/sacctmgr/problem.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/level.h"
#include "cli/sacctmgr/table.h"

/* ---- columns ---- */

/* What is wrong, and with whom; its texts are borrowed. */
struct problem {
    const char *cluster, *account, *user; /* NULL: it is a matter of all, or of none */
    const char *text;
};

#define MAKE(member)                                                                               \
    static void make_##member(const struct report_context *ctx, const void *row,                   \
                              struct strbuf *out)                                                  \
    {                                                                                              \
        const struct problem *problem = row;                                                       \
                                                                                                   \
        (void)ctx;                                                                                 \
        if (problem->member)                                                                       \
            strbuf_adds(out, problem->member);                                                     \
    }

MAKE(cluster)
MAKE(account)
MAKE(user)
MAKE(text)

/* clang-format off */
static const struct report_column columns[] = {
    MGR_COLUMN("Account", 3, "Account", 10, make_account),
    MGR_COLUMN("Cluster", 2, "Cluster", 10, make_cluster),
    MGR_COLUMN("Problem", 1, "Problem", 40, make_text),
    MGR_COLUMN("User", 1, "User", 10, make_user),
};
/* clang-format on */

static const struct report_table columns_of_problems = { NULL, 0, columns, ARRAY_N(columns) };

/* ---- what is asked for ---- */

enum { KEY_ACCOUNT, KEY_CLUSTER, KEY_FORMAT, KEY_PARTITION, KEY_USER, KEYS_N };

struct asked {
    struct words lists[KEYS_N];
};

static void asked_clear(struct asked *asked)
{
    for (size_t i = 0; i < KEYS_N; i++)
        words_clear(&asked->lists[i]);
}

/* Returns false after saying which word is no condition, or one that no problem can meet. */
static bool read_line(struct mgr *mgr, const struct acct_line *line, struct asked *asked)
{
    static const struct acct_key keys[] = {
        { "Accounts", 2, KEY_ACCOUNT }, { "Clusters", 1, KEY_CLUSTER },
        { "Format", 1, KEY_FORMAT },    { "Partitions", 4, KEY_PARTITION },
        { "Users", 1, KEY_USER },
    };

    for (uint32_t i = 0; i < line->where.n; i++) {
        const struct acct_word *word = &line->where.at[i];
        const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : -1;

        if (key < 0) {
            mgr_refuse_condition(mgr, word);
            return false;
        }
        if (key == KEY_PARTITION) {
            mgr_refuse(mgr, " %s: accounts and users have problems, partitions have none",
                       word->text);
            return false;
        }
        if (key == KEY_FORMAT)
            words_add(&asked->lists[key], word->value, ",");
        else
            acct_names_add(&asked->lists[key], word->value);
    }
    if (asked->lists[KEY_FORMAT].n == 0)
        words_add(&asked->lists[KEY_FORMAT], "Cluster,Account,User,Problem", ",");
    return true;
}

/* ---- what is wrong ---- */

struct search {
    const struct book *book;
    const struct asked *asked;
    struct problem *problems;
    uint32_t n;
};

static bool fits(const struct search *search, int key, const char *text)
{
    return choice_fits(&search->asked->lists[key], text);
}

static void add_account_without_assoc(struct search *search, const struct account_record *account)
{
    for (uint32_t i = 0; i < search->book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&search->book->assocs, i);

        if (!assoc->deleted && strcmp(assoc->account, account->name) == 0 &&
            fits(search, KEY_CLUSTER, assoc->cluster))
            return;
    }
    *ARRAY_PUSH(search->problems, search->n) =
        (struct problem){ NULL, account->name, NULL, "Account has no Associations" };
}

/* Returns whether the association is an account with neither users nor accounts in it. */
static bool is_empty(const struct book *book, const struct assoc_record *account)
{
    for (uint32_t i = 0; i < book->assocs.n && !account->user; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);
        const char *above = assoc->user ? assoc->account : assoc->parent;

        if (!assoc->deleted && strcmp(assoc->cluster, account->cluster) == 0 && above &&
            strcmp(above, account->account) == 0)
            return false;
    }
    return !account->user;
}

static void find_problems(struct search *search)
{
    const struct book *book = search->book;

    for (uint32_t i = 0; i < book->accounts.n; i++) {
        const struct account_record *account = record_at(&book->accounts, i);

        if (!account->deleted && fits(search, KEY_ACCOUNT, account->name))
            add_account_without_assoc(search, account);
    }
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted && fits(search, KEY_ACCOUNT, assoc->account) &&
            fits(search, KEY_CLUSTER, assoc->cluster) && fits(search, KEY_USER, assoc->user) &&
            is_empty(book, assoc))
            *ARRAY_PUSH(search->problems, search->n) =
                (struct problem){ assoc->cluster, assoc->account, NULL, "Account has no users" };
    }
    for (uint32_t i = 0; i < book->users.n; i++) {
        const struct user_record *user = record_at(&book->users, i);

        if (!user->deleted && fits(search, KEY_USER, user->name) && !getpwnam(user->name))
            *ARRAY_PUSH(search->problems, search->n) =
                (struct problem){ NULL, NULL, user->name, "User does not have a uid" };
    }
}

int problem_list(struct mgr *mgr, const struct acct_line *line)
{
    struct asked asked = { 0 };
    struct book book = { 0 };
    struct search search = { .book = &book, .asked = &asked };
    struct err err = { 0 };
    const bool is_read = read_line(mgr, line, &asked);
    int status = 1;

    if (is_read && !level_reached(mgr, ADMIN_OPERATOR)) {
        level_refuse(mgr, err_string(E_ACCESS));
    } else if (is_read && book_load(&book, mgr->command, &err) < 0) {
        records_report(mgr->command, "Problem with query", &err);
    } else if (is_read) {
        find_problems(&search);
        status = mgr_print(mgr,
                           &(struct mgr_table){ .columns = &columns_of_problems,
                                                .rows = search.problems,
                                                .row_size = sizeof(*search.problems),
                                                .n = search.n },
                           &asked.lists[KEY_FORMAT]);
    }
    free(search.problems);
    book_clear(&book);
    asked_clear(&asked);
    return status;
}
