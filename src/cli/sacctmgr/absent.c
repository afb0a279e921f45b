#include "cli/sacctmgr/absent.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/records.h"
#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/table.h"

/* ---- runaway jobs ---- */

int runaway_list(struct mgr *mgr, const struct acct_line *line)
{
    static const struct acct_key keys[] = { { "Clusters", 1, 0 }, { "Format", 1, 1 } };
    AUTO(words) struct words clusters = { 0 };
    int status = 0;

    for (uint32_t i = 0; i < line->where.n; i++) {
        const struct acct_word *word = &line->where.at[i];
        const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : 0;

        if (key == 0)
            acct_names_add(&clusters, word->value);
        if (key >= 0)
            continue;
        mgr_refuse(mgr, " Unknown condition: %s", word->text);
        status = 1;
    }
    if (clusters.n == 0)
        words_add(&clusters, mgr->command->cli.conf->cluster_name, ",");
    for (uint32_t i = 0; i < clusters.n; i++)
        printf("Runaway Jobs: No runaway jobs found on cluster %s\n", clusters.at[i]);
    return status;
}

/* ---- problems ---- */

static void problem_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct user_record *user = row;

    (void)ctx;
    strbuf_adds(out, user->name);
}

static void problem_text(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    strbuf_adds(out, "User does not have a uid");
}

/* What all users have in common is not a matter of one account or cluster. */
static void nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

/* clang-format off */
static const struct report_column problem_columns[] = {
    MGR_COLUMN("Account", 1, "Account", 10, nothing),
    MGR_COLUMN("Cluster", 1, "Cluster", 10, nothing),
    MGR_COLUMN("Problem", 1, "Problem", 40, problem_text),
    MGR_COLUMN("User", 1, "User", 10, problem_user),
};
/* clang-format on */

static const struct report_table problem_table = { NULL, 0, problem_columns,
                                                   ARRAY_N(problem_columns) };

/* Reads conditions, which are on associations: users are problems of all. Returns false after
 * saying which word is none. */
static bool read_problem_words(struct mgr *mgr, const struct acct_line *line, struct words *fields)
{
    static const struct acct_key keys[] = {
        { "Accounts", 3, 0 }, { "Clusters", 1, 0 }, { "Users", 1, 0 }, { "Format", 1, 1 }
    };

    for (uint32_t i = 0; i < line->where.n; i++) {
        const struct acct_word *word = &line->where.at[i];
        const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : -1;

        if (key == 1)
            words_add(fields, word->value, ",");
        if (key >= 0)
            continue;
        mgr_refuse_condition(mgr, word);
        return false;
    }
    if (fields->n == 0)
        words_add(fields, "Cluster,Account,User,Problem", ",");
    return true;
}

static int print_problems(struct mgr *mgr, const struct book *book, const struct words *fields)
{
    AUTO_FREE struct user_record *rows = NULL; /* borrow their texts */
    struct mgr_table table = { .columns = &problem_table, .row_size = sizeof(*rows) };

    for (uint32_t i = 0; i < book->users.n; i++) {
        const struct user_record *user = record_at(&book->users, i);

        if (!user->deleted && !getpwnam(user->name))
            *ARRAY_PUSH(rows, table.n) = *user;
    }
    table.rows = rows;
    return mgr_print(mgr, &table, fields);
}

int problem_list(struct mgr *mgr, const struct acct_line *line)
{
    AUTO(words) struct words fields = { 0 };
    struct book book = { 0 };
    struct err err = { 0 };
    int status = 1;

    if (!read_problem_words(mgr, line, &fields))
        return 1;
    if (book_load(&book, mgr->command, &err) < 0)
        records_report(mgr->command, "Problem with query", &err);
    else
        status = print_problems(mgr, &book, &fields);
    book_clear(&book);
    return status;
}

/* ---- what there is not ---- */

#define REFUSES(function, text)                                                                    \
    int function(struct mgr *mgr, const struct acct_line *line)                                    \
    {                                                                                              \
        (void)line;                                                                                \
        mgr_refuse(mgr, " %s", text);                                                              \
        return 1;                                                                                  \
    }

REFUSES(instance_refuse, "Cloud instances of nodes are not recorded.")
REFUSES(reservation_list, "Reservations are not recorded yet.")
