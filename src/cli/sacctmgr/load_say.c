#include "cli/sacctmgr/load_say.h"

#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/columns.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/table.h"

/* ---- changes ---- */

void load_say_change(const char *what, const char *kind, const char *name, const char *was,
                     const char *now)
{
    printf(" Changed %-21s for %-7s %-10s %8s -> %s\n", what, kind, name, was ? was : "(null)",
           now ? now : "(null)");
}

/* Values of associations in the order in which Slurm tells of them. */
static const struct {
    const char *name, *member;
} values[] = {
    { "fairshare", "shares" },
    { "GrpTRESMins", "grp_tres_mins" },
    { "GrpTRESRunMins", "grp_tres_run_mins" },
    { "GrpTRES", "grp_tres" },
    { "GrpJobs", "grp_jobs" },
    { "GrpJobsAccrue", "grp_jobs_accrue" },
    { "GrpSubmitJobs", "grp_submit_jobs" },
    { "GrpWallDuration", "grp_wall" },
    { "MaxTRESMinsPerJob", "max_tres_mins_per_job" },
    { "MaxTRESPerJob", "max_tres_per_job" },
    { "MaxTRESPerNode", "max_tres_per_node" },
    { "MaxJobs", "max_jobs" },
    { "MaxJobsAccrue", "max_jobs_accrue" },
    { "MaxSubmitJobs", "max_submit_jobs" },
    { "MaxWallDurationPerJob", "max_wall_per_job" },
    { "MinPrioThresh", "min_prio_threshold" },
    { "Parent", "parent" },
    { "Priority", "priority" },
    { "Comment", "comment" },
    { "Default QOS", "default_qos" },
};

/* Returns the value as Slurm tells it, to be freed: -1 is none, lists are of the numbers of TRES.
 */
static char *value_of(const struct book *book, const struct schema_field *field,
                      const struct assoc_record *assoc)
{
    const char *at = (const char *)assoc + field->offset;
    struct strbuf text = { 0 };
    uint32_t count;

    if (field->kind == KIND_STR)
        return xstrdup(*(char *const *)(const void *)at);
    if (field->kind == KIND_LIST) {
        amounts_format(book, *(struct acct_amount *const *)(const void *)at,
                       *(const uint32_t *)(const void *)((const char *)assoc + field->count_offset),
                       true, &text);
        return text.data;
    }
    count = *(const uint32_t *)(const void *)at;
    if (field->offset == offsetof(struct assoc_record, shares) && count == COUNT_UNSET)
        count = SHARES_DEFAULT;
    if (count == COUNT_UNSET)
        return xstrdup("-1");
    return field->offset == offsetof(struct assoc_record, shares) && count == SHARES_PARENT
               ? xstrdup("parent")
               : xasprintf("%u", count);
}

static void say_qos(const char *kind, const char *name, const struct assoc_record *was,
                    const struct assoc_record *now)
{
    AUTO(words) struct words before = { 0 }, added = { 0 };
    AUTO(strbuf) struct strbuf list = { 0 };

    for (uint32_t i = 0; i < was->qos_n; i++)
        words_add(&before, was->qos[i], ",");
    for (uint32_t i = 0; i < now->qos_n; i++) {
        if (!words_have_exactly(&before, now->qos[i]))
            words_add(&added, now->qos[i], ",");
    }
    choice_sort(&added);
    for (uint32_t i = 0; i < added.n; i++)
        strbuf_addf(&list, "%s%s", i ? "," : "", added.at[i]);
    if (added.n)
        printf(" Added %-23s for %-7s %-10s %8s\n", "QOS", kind, name, strbuf_text(&list));
}

void load_say_assoc(const struct book *book, const char *kind, const char *name,
                    const struct assoc_record *was, const struct assoc_record *now)
{
    for (size_t i = 0; i < ARRAY_N(values); i++) {
        const struct schema_field *field = schema_find(assoc_record_schema(), values[i].member);
        AUTO_FREE char *before = value_of(book, field, was);
        AUTO_FREE char *after = value_of(book, field, now);

        if (!text_is(before, after) && (before || after))
            load_say_change(values[i].name, kind, name, before, after);
    }
    say_qos(kind, name, was, now);
}

/* ---- new accounts and users ---- */

static void account_name(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, ((const struct load_account *)row)->now.name);
}

static void account_description(const struct report_context *ctx, const void *row,
                                struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, ((const struct load_account *)row)->now.description);
}

static void account_organization(const struct report_context *ctx, const void *row,
                                 struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, ((const struct load_account *)row)->now.organization);
}

/* QOS are those of associations. */
static void no_qos(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

static void user_name(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, ((const struct load_user *)row)->now.name);
}

static void add_text(struct strbuf *out, const char *text)
{
    if (text)
        strbuf_adds(out, text);
}

static void user_account(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_text(out, ((const struct load_user *)row)->default_account);
}

static void user_wckey(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_text(out, ((const struct load_user *)row)->default_wckey);
}

static void user_level(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct load_user *user = row;

    (void)ctx;
    strbuf_adds(out, user->has_level ? admin_level_name(user->now.admin_level) : "Not Set");
}

static void user_coordinated(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct load_user *user = row;

    (void)ctx;
    for (uint32_t i = 0; i < user->coordinated.n; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", user->coordinated.at[i]);
}

/* clang-format off */
#define COLUMN(title_, width_, make_) { .name = title_, .title = title_, .width = width_, .make = make_, .unset = "" }

static const struct report_column account_columns[] = {
    COLUMN("Name", 10, account_name),
    COLUMN("Descr", 20, account_description),
    COLUMN("Org", 20, account_organization),
    COLUMN("QOS", 20, no_qos),
};
static const struct report_column user_columns[] = {
    COLUMN("Name", 10, user_name),
    COLUMN("Def Acct", 10, user_account),
    COLUMN("Def WCKey", 10, user_wckey),
    COLUMN("QOS", 20, no_qos),
    COLUMN("Admin", 9, user_level),
    COLUMN("Coord Accounts", 20, user_coordinated),
};
/* clang-format on */

static const struct report_table account_table = { NULL, 0, account_columns,
                                                   ARRAY_N(account_columns) };
static const struct report_table user_table = { NULL, 0, user_columns, ARRAY_N(user_columns) };

#define LINE_OF_RECORDS "---------------------------------------------------\n\n"
#define LINE_OF_ASSOCS  "--------------------------------------------------------------\n\n"

static void print_accounts(const struct load_plan *plan)
{
    AUTO_FREE struct load_account *rows = NULL; /* borrow their texts */
    AUTO(words) struct words fields = words_split("Name,Descr,Org,QOS", ",");
    struct mgr_table table = { .columns = &account_table, .row_size = sizeof(*rows) };

    for (uint32_t i = 0; i < plan->accounts_n; i++) {
        if (plan->accounts[i].is_new)
            *ARRAY_PUSH(rows, table.n) = plan->accounts[i];
    }
    table.rows = rows;
    if (table.n == 0)
        return;
    puts("Accounts");
    mgr_print(plan->mgr, &table, &fields);
    fputs(LINE_OF_RECORDS, stdout);
}

static void print_users(const struct load_plan *plan)
{
    AUTO_FREE struct load_user *rows = NULL;
    AUTO(words)
    struct words fields = words_split("Name,Def Acct,Def WCKey,QOS,Admin,Coord Accounts", ",");
    struct mgr_table table = { .columns = &user_table, .row_size = sizeof(*rows) };

    for (uint32_t i = 0; i < plan->users_n; i++) {
        if (plan->users[i].is_new)
            *ARRAY_PUSH(rows, table.n) = plan->users[i];
    }
    table.rows = rows;
    if (table.n == 0)
        return;
    puts("Users");
    mgr_print(plan->mgr, &table, &fields);
    fputs(LINE_OF_RECORDS, stdout);
}

/* ---- new associations ---- */

#define LIMITS                                                                                     \
    ",Share,GrpTRESMins,GrpTRESRunMins%13,GrpTRES,GrpJobs,GrpJobsAccrue,GrpMem,GrpNodes,"          \
    "GrpSubmit,GrpWall,MaxTRESMins,MaxTRES,MaxTRESPerNode,MaxJobs,MaxSubmit,MaxNodes,MaxWall,QOS," \
    "DefaultQOS"

enum which { OF_CLUSTER, OF_ACCOUNTS, OF_USERS };

static bool is_of(const struct load_assoc *assoc, enum which which)
{
    if (!assoc->is_new || assoc->is_hidden)
        return false;
    if (assoc->now.user)
        return which == OF_USERS;
    return assoc->now.parent ? which == OF_ACCOUNTS : which == OF_CLUSTER;
}

static void print_assocs(const struct load_plan *plan, enum which which, const char *title)
{
    AUTO_FREE struct mgr_row *rows = NULL;
    AUTO(words)
    struct words fields =
        words_split(which == OF_USERS ? "User,Account" LIMITS : "Account,ParentName" LIMITS, ",");
    struct mgr_table table = { .columns = &acct_columns,
                               .ctx = { .user = plan->book },
                               .row_size = sizeof(*rows) };

    for (uint32_t i = 0; i < plan->assocs_n; i++) {
        if (is_of(&plan->assocs[i], which))
            *ARRAY_PUSH(rows, table.n) = (struct mgr_row){ .assoc = &plan->assocs[i].now,
                                                           .has_own_limits = true,
                                                           .has_own_only = true,
                                                           .has_raw_qos = true,
                                                           .has_named_shares = true };
    }
    table.rows = rows;
    if (table.n == 0)
        return;
    fputs(title, stdout);
    mgr_print(plan->mgr, &table, &fields);
    fputs(LINE_OF_ASSOCS, stdout);
}

void load_say_new(const struct load_plan *plan)
{
    print_assocs(plan, OF_CLUSTER, "");
    print_accounts(plan);
    print_assocs(plan, OF_ACCOUNTS, "Account Associations\n");
    print_users(plan);
    print_assocs(plan, OF_USERS, "User Associations\n");
}
