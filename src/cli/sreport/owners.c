#include "cli/sreport/owners.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/sreport/print.h"
#include "cli/sreport/tree.h"

/* ---- columns ---- */

/* clang-format off */
static const struct report_column owner_columns[] = {
    PRINT_TEXT("Accounts", 2, "Account", 15, print_account),
    PRINT_TEXT("Cluster", 2, "Cluster", 9, print_cluster),
    PRINT_AMOUNT("Count", 2, "TRES Count", 10, ROW_COUNT),
    PRINT_AMOUNT("Energy", 1, "Energy", 8, ROW_ENERGY),
    PRINT_TEXT("Login", 1, "Login", 9, print_user),
    PRINT_TEXT("Proper", 2, "Proper Name", 15, print_proper),
    PRINT_AMOUNT("TresCount", 5, "TRES Count", 10, ROW_COUNT),
    PRINT_TEXT("TresName", 5, "TRES Name", 14, print_tres),
    PRINT_AMOUNT("Used", 1, "Used", 8, ROW_USED),
    PRINT_TEXT("Wckey", 2, "WCKey", 15, print_wckey),
};

static const struct report_column top_columns[] = {
    PRINT_TEXT("Account", 1, "Account", 15, print_account),
    PRINT_TEXT("Cluster", 1, "Cluster", 9, print_cluster),
    PRINT_AMOUNT("Energy", 1, "Energy", 8, ROW_ENERGY),
    PRINT_TEXT("Login", 1, "Login", 9, print_user),
    PRINT_TEXT("Proper", 1, "Proper Name", 15, print_proper),
    PRINT_TEXT("TresName", 5, "TRES Name", 14, print_tres),
    PRINT_AMOUNT("Used", 1, "Used", 8, ROW_USED),
};
/* clang-format on */

static const struct report_table owner_table = { NULL, 0, owner_columns, ARRAY_N(owner_columns) };
static const struct report_table top_table = { NULL, 0, top_columns, ARRAY_N(top_columns) };

/* ---- one report ---- */

/* What a report says of one cluster. */
struct part {
    struct held held;
    struct owners owners;
    struct words names; /* of accounts that were put together */
};

struct report {
    struct sreport *sreport;
    struct ask ask;
    struct held held;
    struct words clusters;
    struct part *parts; /* of each cluster */
    struct part *part;  /* the one that rows are made of */
    struct rows rows;
};

/* A report: what it is about, and how the rows of a cluster are made. */
struct kind {
    enum ask_about about;
    uint32_t by; /* what is told apart */
    void (*push)(struct report *report);
    struct print print;
    const char *title, *fields;
};

static void clear(struct report *report)
{
    for (uint32_t i = 0; report->parts && i < report->clusters.n; i++) {
        owners_clear(&report->parts[i].owners);
        words_clear(&report->parts[i].names);
        held_clear(&report->parts[i].held);
    }
    free(report->parts);
    words_clear(&report->clusters);
    rows_clear(&report->rows);
    held_clear(&report->held);
    ask_clear(&report->ask);
}

static int load_part(struct report *report, uint32_t by)
{
    struct held *held = &report->part->held;
    const struct sums_list request = held_request(&report->ask);

    if (held_load_sums(report->sreport, &request, held) < 0)
        return -1;
    if (unit_has_percent(report->sreport->unit) &&
        held_load_times(report->sreport, &report->ask, held) < 0)
        return -1;
    report->part->owners = owners_of(held, by);
    return 0;
}

/* Reads the words, loads what they are about, and makes the rows. Returns 0, or -1. */
static int make_rows(struct report *report, const struct kind *kind, const char *const *words,
                     uint32_t n)
{
    int rc;

    ask_read(report->sreport, kind->about, words, n, (int64_t)time(NULL), &report->ask);
    rc = held_begin(report->sreport, &report->held);
    if (rc == 0)
        held_clusters(report->sreport, &report->ask, &report->held, &report->clusters);
    report->parts = xcalloc((size_t)report->clusters.n + 1, sizeof(*report->parts));
    for (uint32_t i = 0; rc == 0 && i < report->clusters.n; i++) {
        report->part = &report->parts[i];
        held_begin_part(&report->held, report->clusters.at[i], &report->part->held);
        rc = load_part(report, kind->by);
        if (rc == 0)
            kind->push(report);
    }
    return rc;
}

/* Returns what the system's user of that name is called, to be freed, or NULL. */
static char *proper_name(const char *user)
{
    const struct passwd *entry = *user ? getpwnam(user) : NULL;

    return entry && entry->pw_gecos ? xstrndup(entry->pw_gecos, strcspn(entry->pw_gecos, ","))
                                    : NULL;
}

/* Adds a row for each TRES. */
static void push_rows(struct report *report, const struct row *like, const uint64_t *held)
{
    for (uint32_t t = 0; t < report->held.tres.n; t++) {
        struct row *row = ARRAY_PUSH(report->rows.at, report->rows.n);

        *row = *like;
        row->cluster = report->part->held.book.cluster;
        row->tres = report->held.tres.at[t];
        row->proper = row->user ? proper_name(row->user) : NULL;
        row->values[ROW_USED] = held[t];
        row->whole = held_whole(&report->part->held, row->tres);
    }
}

static bool is_used(const struct report *report, const uint64_t *held)
{
    for (uint32_t t = 0; t < report->held.tres.n; t++) {
        if (held[t])
            return true;
    }
    return false;
}

/* Prints the rows under a title. To the usual columns comes that of the TRES or the energy. */
static int print(struct report *report, const struct kind *kind, const char *title)
{
    const struct sreport *sreport = report->sreport;
    const bool has_tres = sreport->tres_asked.n > 0;
    struct print columns = kind->print;
    AUTO_FREE char *what = sreport->unit == UNIT_PERCENT
                               ? xasprintf("Usage reported in %s", unit_name(sreport->unit))
                               : xasprintf("Usage reported in %s %s", has_tres ? "TRES" : "CPU",
                                           unit_name(sreport->unit));

    if (!report->ask.has_fields) {
        words_add(&report->ask.fields, kind->fields, ",");
        words_add(&report->ask.fields, has_tres ? "TresName,Used" : "Used", ",");
        if (!has_tres && !strstr(kind->fields, "Wckey"))
            words_add(&report->ask.fields, "Energy", ",");
    }
    columns.title = title;
    columns.what = what;
    columns.fields = &report->ask.fields;
    columns.has_tree = report->ask.tree;
    return print_rows(report->sreport, &columns, &report->rows);
}

static int run(struct sreport *sreport, const struct kind *kind, const char *const *words,
               uint32_t n)
{
    struct report report = { .sreport = sreport };
    AUTO(strbuf) struct strbuf title = { 0 };
    int status = 1;

    if (make_rows(&report, kind, words, n) == 0) {
        if (kind->about == ASK_TOP)
            strbuf_addf(&title, "Top %u Users ", report.ask.top);
        else
            strbuf_addf(&title, "%s ", kind->title);
        print_times(&report.ask, true, &title);
        status = print(&report, kind, strbuf_text(&title));
    }
    clear(&report);
    return status;
}

/* ---- cluster AccountUtilizationByUser ---- */

struct walk {
    struct report *report;
    struct tree tree;
};

static bool is_shown(const struct walk *walk, int64_t at)
{
    const struct ask *ask = &walk->report->ask;

    return !ask->is_given[ASK_ACCOUNTS] ||
           tree_find_above(&walk->tree, at, &ask->lists[ASK_ACCOUNTS]) >= 0;
}

static void push_user(struct report *report, const struct owner *owner, uint32_t depth)
{
    const struct row row = { .account = owner->account,
                             .user = owner->user,
                             .depth = report->ask.tree ? depth : 0 };

    if (is_used(report, owner->held))
        push_rows(report, &row, owner->held);
}

/* Adds the users of an account; those without an account are the root's. */
static void push_users(struct walk *walk, uint32_t at)
{
    const struct owners *owners = &walk->report->part->owners;
    const struct branch *branch = &walk->tree.at[at];

    for (uint32_t i = 0; i < owners->n; i++) {
        const struct owner *owner = &owners->at[i];

        if (strcmp(owner->account, branch->name) == 0 ||
            (at == walk->tree.root && !*owner->account))
            push_user(walk->report, owner, branch->depth + 1);
    }
}

/* Adds an account, its users, and what is below it. */
static void push_branch(struct walk *walk, uint32_t at)
{
    const struct branch *branch = &walk->tree.at[at];
    const struct row row = { .account = branch->name,
                             .depth = walk->report->ask.tree ? branch->depth : 0 };

    if (!is_used(walk->report, branch->held))
        return;
    if (is_shown(walk, at)) {
        push_rows(walk->report, &row, branch->held);
        push_users(walk, at);
    }
    for (uint32_t i = 0; i < walk->tree.n; i++) {
        if (walk->tree.at[i].parent == (int64_t)at)
            push_branch(walk, i);
    }
}

/* Adds users without their accounts: those that were asked for, in the accounts of these names. */
static void push_only_users(struct report *report)
{
    const struct owners *owners = &report->part->owners;

    for (uint32_t i = 0; i < owners->n; i++) {
        if (ask_fits(&report->ask, ASK_ACCOUNTS, owners->at[i].account))
            push_user(report, &owners->at[i], 0);
    }
}

static void push_accounts(struct report *report)
{
    struct walk walk = { .report = report };

    if (report->ask.is_given[ASK_USERS]) {
        push_only_users(report);
        return;
    }
    walk.tree = tree_of(&report->part->held.book, &report->part->owners);
    push_branch(&walk, walk.tree.root);
    tree_clear(&walk.tree);
}

int report_accounts(struct sreport *sreport, const char *const *words, uint32_t n)
{
    static const struct kind kind = {
        .about = ASK_OWNERS,
        .by = BY_ACCOUNT | BY_USER,
        .push = push_accounts,
        .print = { .columns = &owner_table, .widens = true },
        .title = "Cluster/Account/User Utilization",
        .fields = "Cluster,Accounts,Login,Proper",
    };

    return run(sreport, &kind, words, n);
}

/* ---- cluster UserUtilizationByAccount, and by wckey ---- */

static void push_owner(struct report *report, const struct owner *owner)
{
    const struct row row = { .account = owner->account,
                             .user = owner->user,
                             .wckey = owner->wckey };

    if (is_used(report, owner->held))
        push_rows(report, &row, owner->held);
}

static void push_users_and_accounts(struct report *report)
{
    struct owners *owners = &report->part->owners;

    owners_sort_by_cpu(owners);
    for (uint32_t i = 0; i < owners->n; i++) {
        if (ask_fits(&report->ask, ASK_ACCOUNTS, owners->at[i].account))
            push_owner(report, &owners->at[i]);
    }
}

int report_users(struct sreport *sreport, const char *const *words, uint32_t n)
{
    static const struct kind kind = {
        .about = ASK_OWNERS,
        .by = BY_ACCOUNT | BY_USER,
        .push = push_users_and_accounts,
        .print = { .columns = &owner_table, .widens = true },
        .title = "Cluster/User/Account Utilization",
        .fields = "Cluster,Login,Proper,Accounts",
    };

    return run(sreport, &kind, words, n);
}

static void push_users_and_wckeys(struct report *report)
{
    struct owners *owners = &report->part->owners;

    owners_sort_by_cpu(owners);
    for (uint32_t i = 0; i < owners->n; i++) {
        if (*owners->at[i].wckey)
            push_owner(report, &owners->at[i]);
    }
}

int report_user_wckeys(struct sreport *sreport, const char *const *words, uint32_t n)
{
    static const struct kind kind = {
        .about = ASK_USER_WCKEYS,
        .by = BY_USER | BY_WCKEY,
        .push = push_users_and_wckeys,
        .print = { .columns = &owner_table, .widens = true },
        .title = "Cluster/User/WCKey Utilization",
        .fields = "Cluster,Login,Proper,Wckey",
    };

    return run(sreport, &kind, words, n);
}

/* Adds the wckey that owners from `at` on have, then each of them. Returns where the next begins.
 */
static uint32_t push_wckey(struct report *report, uint32_t at)
{
    const struct owners *owners = &report->part->owners;
    const char *wckey = owners->at[at].wckey;
    AUTO_FREE uint64_t *all = xcalloc(owners->tres_n, sizeof(*all));
    const struct row row = { .wckey = wckey };
    uint32_t end = at;

    for (; end < owners->n && strcmp(owners->at[end].wckey, wckey) == 0; end++) {
        for (uint32_t t = 0; t < owners->tres_n; t++)
            all[t] += owners->at[end].held[t];
    }
    if (*wckey && is_used(report, all))
        push_rows(report, &row, all);
    for (; *wckey && at < end; at++)
        push_owner(report, &owners->at[at]);
    return end;
}

static void push_wckeys(struct report *report)
{
    owners_sort_by_wckey(&report->part->owners);
    for (uint32_t at = 0; at < report->part->owners.n;)
        at = push_wckey(report, at);
}

int report_wckeys(struct sreport *sreport, const char *const *words, uint32_t n)
{
    static const struct kind kind = {
        .about = ASK_WCKEYS,
        .by = BY_USER | BY_WCKEY,
        .push = push_wckeys,
        .print = { .columns = &owner_table, .widens = true },
        .title = "Cluster/WCKey/User Utilization",
        .fields = "Cluster,Wckey,Login,Proper",
    };

    return run(sreport, &kind, words, n);
}

/* ---- user TopUsage ---- */

/* Adds an account to the owner's, unless it is that of jobs without one. */
static void join_accounts(struct owner *owner, const char *account, struct words *ret_names)
{
    if (!*account)
        return;
    *ARRAY_PUSH(ret_names->at, ret_names->n) =
        xasprintf("%s%s%s", owner->account, *owner->account ? ", " : "", account);
    owner->account = ret_names->at[ret_names->n - 1];
}

/* Puts all accounts of a user together, "optics, chem", those of most use first. The names are
 * owned by `ret_names`. */
static void group_accounts(struct owners *owners, struct words *ret_names)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < owners->n; i++) {
        struct owner *first = NULL;

        for (uint32_t k = 0; k < kept && !first; k++) {
            if (strcmp(owners->at[k].user, owners->at[i].user) == 0)
                first = &owners->at[k];
        }
        if (!first) {
            owners->at[kept++] = owners->at[i];
            continue;
        }
        for (uint32_t t = 0; t < owners->tres_n; t++)
            first->held[t] += owners->at[i].held[t];
        join_accounts(first, owners->at[i].account, ret_names);
        free(owners->at[i].held);
    }
    owners->n = kept;
    owners_sort_by_use(owners);
}

/* Leaves out what is in other accounts than those that were asked for. */
static void keep_accounts(const struct ask *ask, struct owners *owners)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < owners->n; i++) {
        if (ask_fits(ask, ASK_ACCOUNTS, owners->at[i].account))
            owners->at[kept++] = owners->at[i];
        else
            free(owners->at[i].held);
    }
    owners->n = kept;
}

/* Adds the users of a cluster that held most; as Slurm's report shows one for a TopCount of 0. */
static void push_top(struct report *report)
{
    struct owners *owners = &report->part->owners;
    const uint32_t most = report->ask.top ? report->ask.top : 1;

    keep_accounts(&report->ask, owners);
    owners_sort_by_use(owners);
    if (report->ask.group)
        group_accounts(owners, &report->part->names);
    for (uint32_t i = 0; i < owners->n && i < most; i++)
        push_owner(report, &owners->at[i]);
}

int report_top(struct sreport *sreport, const char *const *words, uint32_t n)
{
    static const struct kind kind = {
        .about = ASK_TOP,
        .by = BY_ACCOUNT | BY_USER,
        .push = push_top,
        .print = { .columns = &top_table },
        .fields = "Cluster,Login,Proper,Account",
    };

    return run(sreport, &kind, words, n);
}
