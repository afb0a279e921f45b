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

struct report {
    struct sreport *sreport;
    struct ask ask;
    struct held held;
    struct owners owners;
    struct rows rows;
};

static void clear(struct report *report)
{
    owners_clear(&report->owners);
    rows_clear(&report->rows);
    held_clear(&report->held);
    ask_clear(&report->ask);
}

/* Reads the words and loads what they are about, told apart `by`. Returns 0, or -1. */
static int load(struct report *report, enum ask_about about, uint32_t by, const char *const *words,
                uint32_t n)
{
    struct ask *ask = &report->ask;
    struct sums_list request;

    ask_read(report->sreport, about, words, n, (int64_t)time(NULL), ask);
    if (held_begin(report->sreport, &report->held) < 0)
        return -1;
    if (!ask_means_us(report->sreport, ask))
        return 0;
    request = held_request(ask);
    if (held_load_sums(report->sreport, &request, &report->held) < 0)
        return -1;
    if (unit_has_percent(report->sreport->unit) &&
        held_load_times(report->sreport, ask, &report->held) < 0)
        return -1;
    report->owners = owners_of(&report->held, by);
    return 0;
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
        row->cluster = report->held.book.cluster;
        row->tres = report->held.tres.at[t];
        row->proper = row->user ? proper_name(row->user) : NULL;
        row->values[ROW_USED] = held[t];
        row->whole = held_whole(&report->held, row->tres);
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

/* Prints the report. `fields` are the usual columns, to which that of the TRES or the energy comes.
 */
static int print(struct report *report, struct print *print, const char *title, const char *fields)
{
    const struct sreport *sreport = report->sreport;
    const bool has_tres = sreport->tres_asked.n > 0;
    AUTO_FREE char *what = sreport->unit == UNIT_PERCENT
                               ? xasprintf("Usage reported in %s", unit_name(sreport->unit))
                               : xasprintf("Usage reported in %s %s", has_tres ? "TRES" : "CPU",
                                           unit_name(sreport->unit));

    if (!report->ask.has_fields) {
        words_add(&report->ask.fields, fields, ",");
        words_add(&report->ask.fields, has_tres ? "TresName,Used" : "Used", ",");
        if (!has_tres && !strstr(fields, "Wckey"))
            words_add(&report->ask.fields, "Energy", ",");
    }
    print->title = title;
    print->what = what;
    print->fields = &report->ask.fields;
    return print_rows(report->sreport, print, &report->rows);
}

static char *title_of(const struct report *report, const char *what)
{
    AUTO(strbuf) struct strbuf title = { 0 };

    strbuf_addf(&title, "%s ", what);
    print_times(&report->ask, true, &title);
    return strbuf_steal(&title);
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
    const struct owners *owners = &walk->report->owners;
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
    for (uint32_t i = 0; i < report->owners.n; i++) {
        if (ask_fits(&report->ask, ASK_ACCOUNTS, report->owners.at[i].account))
            push_user(report, &report->owners.at[i], 0);
    }
}

int report_accounts(struct sreport *sreport, const char *const *words, uint32_t n)
{
    struct report report = { .sreport = sreport };
    struct print columns = { .columns = &owner_table, .widens = true };
    int status = 1;

    if (load(&report, ASK_OWNERS, BY_ACCOUNT | BY_USER, words, n) == 0) {
        AUTO_FREE char *title = title_of(&report, "Cluster/Account/User Utilization");

        if (report.ask.is_given[ASK_USERS]) {
            push_only_users(&report);
        } else {
            struct walk walk = { &report, tree_of(&report.held.book, &report.owners) };

            push_branch(&walk, walk.tree.root);
            tree_clear(&walk.tree);
        }
        columns.has_tree = report.ask.tree;
        status = print(&report, &columns, title, "Cluster,Accounts,Login,Proper");
    }
    clear(&report);
    return status;
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

int report_users(struct sreport *sreport, const char *const *words, uint32_t n)
{
    struct report report = { .sreport = sreport };
    struct print columns = { .columns = &owner_table, .widens = true };
    int status = 1;

    if (load(&report, ASK_OWNERS, BY_ACCOUNT | BY_USER, words, n) == 0) {
        AUTO_FREE char *title = title_of(&report, "Cluster/User/Account Utilization");

        owners_sort_by_cpu(&report.owners);
        for (uint32_t i = 0; i < report.owners.n; i++) {
            if (ask_fits(&report.ask, ASK_ACCOUNTS, report.owners.at[i].account))
                push_owner(&report, &report.owners.at[i]);
        }
        status = print(&report, &columns, title, "Cluster,Login,Proper,Accounts");
    }
    clear(&report);
    return status;
}

int report_user_wckeys(struct sreport *sreport, const char *const *words, uint32_t n)
{
    struct report report = { .sreport = sreport };
    struct print columns = { .columns = &owner_table, .widens = true };
    int status = 1;

    if (load(&report, ASK_USER_WCKEYS, BY_USER | BY_WCKEY, words, n) == 0) {
        AUTO_FREE char *title = title_of(&report, "Cluster/User/WCKey Utilization");

        owners_sort_by_cpu(&report.owners);
        for (uint32_t i = 0; i < report.owners.n; i++) {
            if (*report.owners.at[i].wckey)
                push_owner(&report, &report.owners.at[i]);
        }
        status = print(&report, &columns, title, "Cluster,Login,Proper,Wckey");
    }
    clear(&report);
    return status;
}

/* Adds the wckey that owners from `at` on have, then each of them. Returns where the next begins.
 */
static uint32_t push_wckey(struct report *report, uint32_t at)
{
    const struct owners *owners = &report->owners;
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

int report_wckeys(struct sreport *sreport, const char *const *words, uint32_t n)
{
    struct report report = { .sreport = sreport };
    struct print columns = { .columns = &owner_table, .widens = true };
    int status = 1;

    if (load(&report, ASK_WCKEYS, BY_USER | BY_WCKEY, words, n) == 0) {
        AUTO_FREE char *title = title_of(&report, "Cluster/WCKey/User Utilization");

        owners_sort_by_wckey(&report.owners);
        for (uint32_t at = 0; at < report.owners.n;)
            at = push_wckey(&report, at);
        status = print(&report, &columns, title, "Cluster,Wckey,Login,Proper");
    }
    clear(&report);
    return status;
}

/* ---- user TopUsage ---- */

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
        *ARRAY_PUSH(ret_names->at, ret_names->n) =
            xasprintf("%s, %s", first->account, owners->at[i].account);
        first->account = ret_names->at[ret_names->n - 1];
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

int report_top(struct sreport *sreport, const char *const *words, uint32_t n)
{
    struct report report = { .sreport = sreport };
    struct print columns = { .columns = &top_table };
    AUTO(words) struct words names = { 0 };
    int status = 1;

    if (load(&report, ASK_TOP, BY_ACCOUNT | BY_USER, words, n) == 0) {
        AUTO_FREE char *what = xasprintf("Top %u Users", report.ask.top);
        AUTO_FREE char *title = title_of(&report, what);
        const uint32_t most = report.ask.top ? report.ask.top : 1; /* as Slurm's shows for 0 */

        keep_accounts(&report.ask, &report.owners);
        owners_sort_by_use(&report.owners);
        if (report.ask.group)
            group_accounts(&report.owners, &names);
        for (uint32_t i = 0; i < report.owners.n && i < most; i++)
            push_owner(&report, &report.owners.at[i]);
        status = print(&report, &columns, title, "Cluster,Login,Proper,Account");
    }
    clear(&report);
    return status;
}
