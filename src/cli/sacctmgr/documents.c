#include "cli/sacctmgr/documents.h"

#include <stdio.h>
#include <string.h>

#include "cli/lib/document_fields.h"
#include "cli/sacctmgr/facts.h"
#include "common/rpc/preface.h"

#define PARENT_SHARES INT32_MAX /* what Slurm's numbers have for Fairshare=parent */
#define MILLION       1e6
#define SELECT_PLUGIN "select/cons_tres"

/* A member's function: text, number or list of what `row`, a mgr_row, is about. */
#define MAKE(function, what)                                                                       \
    static void function(const struct report_context *ctx, const void *at,                         \
                         struct json_writer *json, const char *key)                                \
    {                                                                                              \
        const struct book *book = ctx->user;                                                       \
        const struct mgr_row *row = at;                                                            \
                                                                                                   \
        (void)book;                                                                                \
        (void)row;                                                                                 \
        what;                                                                                      \
    }

/* ---- parts that several have ---- */

static void add_text(struct json_writer *json, const char *key, const char *text)
{
    json_add_text(json, key, text ? text : "");
}

/* Writes a TRES, "gres/gpu" as type and name. */
static void add_tres(const struct book *book, const char *name, uint64_t count,
                     struct json_writer *json)
{
    const char *slash = strchr(name, '/');
    AUTO_FREE char *type = xstrndup(name, strcspn(name, "/"));

    json_open_object(json, NULL);
    json_add_text(json, "type", type);
    json_add_text(json, "name", slash ? slash + 1 : "");
    json_add_int(json, "id", book_tres_id(book, name));
    json_add_int(json, "count", (int64_t)count);
    json_close(json);
}

static void add_amounts(const struct book *book, const struct acct_amount *list, uint32_t n,
                        struct json_writer *json, const char *key)
{
    json_open_array(json, key);
    for (uint32_t i = 0; i < n; i++)
        add_tres(book, list[i].tres, list[i].amount, json);
    json_close(json);
}

/* Writes a number that has no end where nothing limits it. */
static void add_count(struct json_writer *json, const char *key, uint32_t count)
{
    const bool is_set = count != COUNT_UNSET && count != COUNT_INFINITE;

    document_number(json, key, is_set, !is_set, is_set ? count : 0);
}

static void add_millionths(struct json_writer *json, const char *key, bool is_set,
                           double millionths)
{
    json_open_object(json, key);
    json_add_bool(json, "set", is_set);
    json_add_bool(json, "infinite", !is_set);
    json_add_real(json, "number", is_set ? millionths / MILLION : 0);
    json_close(json);
}

static void add_deleted(struct json_writer *json, const char *key, int64_t deleted)
{
    document_word(json, key, deleted ? "DELETED" : NULL);
}

static void add_account_flags(const struct account_record *account, struct json_writer *json,
                              const char *key)
{
    json_open_array(json, key);
    if (account->deleted)
        json_add_text(json, NULL, "DELETED");
    if (fact_account_flags(account->flags))
        json_add_text(json, NULL, fact_account_flags(account->flags));
    json_close(json);
}

/* Writes a limit as it holds for the row: a count, or a list of amounts. */
static void add_limit(const struct book *book, const struct mgr_row *row, const char *of_assoc,
                      const char *of_qos, struct json_writer *json, const char *key)
{
    const struct schema_field *field = row->qos ? schema_find(qos_record_schema(), of_qos)
                                                : schema_find(assoc_record_schema(), of_assoc);
    struct fact_member member;
    const bool is_there = fact_limit(book, row, of_assoc, of_qos, &member);

    if (field->kind == KIND_LIST) {
        const struct fact_amounts all = fact_limit_amounts(book, row, of_assoc, of_qos);

        add_amounts(book, all.at, all.n, json, key);
        free(all.at);
        return;
    }
    add_count(json, key,
              is_there ? *(const uint32_t *)(const void *)(member.record + member.field->offset)
                       : COUNT_UNSET);
}

#define LIMIT(function, of_assoc, of_qos)                                                          \
    MAKE(function, add_limit(book, row, of_assoc, of_qos, json, key))

LIMIT(grp_jobs, "grp_jobs", "grp_jobs")
LIMIT(grp_jobs_accrue, "grp_jobs_accrue", "grp_jobs_accrue")
LIMIT(grp_submit_jobs, "grp_submit_jobs", "grp_submit_jobs")
LIMIT(grp_tres, "grp_tres", "grp_tres")
LIMIT(grp_tres_mins, "grp_tres_mins", "grp_tres_mins")
LIMIT(grp_tres_run_mins, "grp_tres_run_mins", "grp_tres_run_mins")
LIMIT(grp_wall, "grp_wall", "grp_wall")
LIMIT(max_tres_mins, "max_tres_mins_per_job", "max_tres_mins_per_job")
LIMIT(max_tres, "max_tres_per_job", "max_tres_per_job")
LIMIT(max_tres_node, "max_tres_per_node", "max_tres_per_node")
LIMIT(max_wall, "max_wall_per_job", "max_wall_per_job")
LIMIT(min_prio, "min_prio_threshold", "min_prio_threshold")
LIMIT(max_jobs, "max_jobs", NULL)
LIMIT(max_jobs_accrue, "max_jobs_accrue", NULL)
LIMIT(max_submit_jobs, "max_submit_jobs", NULL)
LIMIT(max_jobs_user, NULL, "max_jobs_per_user")
LIMIT(max_jobs_account, NULL, "max_jobs_per_account")
LIMIT(max_accrue_user, NULL, "max_jobs_accrue_per_user")
LIMIT(max_accrue_account, NULL, "max_jobs_accrue_per_account")
LIMIT(max_submit_user, NULL, "max_submit_per_user")
LIMIT(max_submit_account, NULL, "max_submit_per_account")
LIMIT(max_tres_user, NULL, "max_tres_per_user")
LIMIT(max_tres_account, NULL, "max_tres_per_account")
LIMIT(max_run_mins_user, NULL, "max_tres_run_mins_per_user")
LIMIT(max_run_mins_account, NULL, "max_tres_run_mins_per_account")
LIMIT(min_tres, NULL, "min_tres_per_job")
MAKE(no_list, document_word(json, key, NULL))

/* ---- associations ---- */

static void add_assoc(const struct assoc_record *assoc, struct json_writer *json, const char *key)
{
    json_open_object(json, key);
    add_text(json, "account", assoc ? assoc->account : NULL);
    add_text(json, "cluster", assoc ? assoc->cluster : NULL);
    add_text(json, "partition", assoc ? assoc->partition : NULL);
    add_text(json, "user", assoc ? assoc->user : NULL);
    json_add_int(json, "id", assoc ? assoc->id : 0);
    json_close(json);
}

/* Writes the associations of the account or user, if they are asked for. */
static void add_assocs(const struct book *book, const struct mgr_row *row, struct json_writer *json,
                       const char *key)
{
    json_open_array(json, key);
    for (uint32_t i = 0; row->has_assocs && i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted && (row->user ? text_is(assoc->user, row->user->name)
                                          : strcmp(assoc->account, row->account->name) == 0))
            add_assoc(assoc, json, NULL);
    }
    json_close(json);
}

static void add_own_qos(const struct book *book, const struct assoc_record *assoc,
                        struct json_writer *json, const char *key)
{
    AUTO(words) struct words names = fact_qos(book, assoc);

    json_open_array(json, key);
    for (uint32_t i = 0; i < names.n; i++)
        json_add_text(json, NULL, names.at[i]);
    json_close(json);
}

static void add_lineage(const struct book *book, const struct assoc_record *assoc,
                        struct json_writer *json, const char *key)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    fact_lineage(book, assoc, &text);
    json_add_text(json, key, strbuf_text(&text));
}

static void add_shares(const struct assoc_record *assoc, struct json_writer *json, const char *key)
{
    json_add_int(json, key,
                 assoc->shares == SHARES_PARENT ? PARENT_SHARES
                 : assoc->shares == COUNT_UNSET ? SHARES_DEFAULT
                                                : assoc->shares);
}

MAKE(assoc_default_qos, add_text(json, key, fact_default_qos(book, row->assoc)))
MAKE(assoc_flags, add_deleted(json, key, row->assoc->deleted))
MAKE(assoc_lineage, add_lineage(book, row->assoc, json, key))
MAKE(assoc_priority, add_limit(book, row, "priority", NULL, json, key))
MAKE(assoc_qos, add_own_qos(book, row->assoc, json, key))
MAKE(assoc_shares, add_shares(row->assoc, json, key))

/* clang-format off */
static const struct document_field assoc_fields[] = {
    MADE("accounting", no_list),
    TEXT("account", .path = "assoc.account"),
    TEXT("cluster", .path = "assoc.cluster"),
    TEXT("comment", .path = "assoc.comment"),
    MADE("default.qos", assoc_default_qos),
    MADE("flags", assoc_flags),
    MADE("max.jobs.per.count", grp_jobs),
    MADE("max.jobs.per.accruing", grp_jobs_accrue),
    MADE("max.jobs.per.submitted", grp_submit_jobs),
    MADE("max.jobs.per.wall_clock", max_wall),
    MADE("max.jobs.active", max_jobs),
    MADE("max.jobs.accruing", max_jobs_accrue),
    MADE("max.jobs.total", max_submit_jobs),
    MADE("max.tres.total", grp_tres),
    MADE("max.tres.group.minutes", grp_tres_mins),
    MADE("max.tres.group.active", grp_tres_run_mins),
    MADE("max.tres.minutes.total", no_list),
    MADE("max.tres.minutes.per.job", max_tres_mins),
    MADE("max.tres.per.job", max_tres),
    MADE("max.tres.per.node", max_tres_node),
    MADE("max.per.account.wall_clock", grp_wall),
    PLAIN("id", .path = "assoc.id"),
    BOOL("is_default", .path = "assoc.is_default"),
    MADE("lineage", assoc_lineage),
    MADE("min.priority_threshold", min_prio),
    TEXT("parent_account", .path = "assoc.parent"),
    TEXT("partition", .path = "assoc.partition"),
    MADE("priority", assoc_priority),
    MADE("qos", assoc_qos),
    MADE("shares_raw", assoc_shares),
    TEXT("user", .path = "assoc.user"),
};
/* clang-format on */

/* ---- accounts and users ---- */

static void add_coordinator(const char *name, bool is_direct, struct json_writer *json)
{
    json_open_object(json, NULL);
    json_add_text(json, "name", name);
    json_add_bool(json, "direct", is_direct);
    json_close(json);
}

static bool coordinates(const struct account_record *account, const char *user)
{
    for (uint32_t i = 0; account && i < account->coordinators_n; i++) {
        if (strcmp(account->coordinators[i], user) == 0)
            return true;
    }
    return false;
}

/* Writes who coordinates the account, or the accounts that the user coordinates, if that is asked
 * for. */
static void add_coordinators(const struct book *book, const struct mgr_row *row,
                             struct json_writer *json, const char *key)
{
    AUTO(words) struct words names = { 0 };

    json_open_array(json, key);
    if (row->has_coords && row->user)
        fact_coordinated(book, row->user->name, &names);
    else if (row->has_coords)
        fact_coordinators(book, row->account->name, &names);
    for (uint32_t i = 0; i < names.n; i++)
        add_coordinator(names.at[i],
                        row->user ? coordinates(book_account(book, names.at[i]), row->user->name)
                                  : coordinates(row->account, names.at[i]),
                        json);
    json_close(json);
}

static void add_wckey(const struct wckey_record *wckey, struct json_writer *json)
{
    json_open_object(json, NULL);
    document_word(json, "accounting", NULL);
    json_add_text(json, "cluster", wckey->cluster);
    json_add_int(json, "id", wckey->id);
    add_text(json, "name", wckey->name);
    json_add_text(json, "user", wckey->user);
    add_deleted(json, "flags", wckey->deleted);
    json_close(json);
}

static void add_wckeys(const struct book *book, const char *user, struct json_writer *json,
                       const char *key)
{
    json_open_array(json, key);
    for (uint32_t i = 0; i < book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&book->wckeys, i);

        if (!wckey->deleted && strcmp(wckey->user, user) == 0)
            add_wckey(wckey, json);
    }
    json_close(json);
}

static void add_default_account(const struct book *book, const char *user, struct json_writer *json,
                                const char *key)
{
    const struct assoc_record *assoc = book_default(book, book->cluster, user);

    add_text(json, key, assoc ? assoc->account : NULL);
}

MAKE(assocs, add_assocs(book, row, json, key))
MAKE(coordinators, add_coordinators(book, row, json, key))
MAKE(account_flags, add_account_flags(row->account, json, key))
MAKE(user_level, document_word(json, key, admin_level_name(row->user->admin_level)))
MAKE(user_account, add_default_account(book, row->user->name, json, key))
MAKE(user_wckey, add_text(json, key, fact_default_wckey(book, row->user->name)))
MAKE(user_flags, add_deleted(json, key, row->user->deleted))
MAKE(user_wckeys, add_wckeys(book, row->user->name, json, key))

/* clang-format off */
static const struct document_field account_fields[] = {
    MADE("associations", assocs),
    MADE("coordinators", coordinators),
    TEXT("description", .path = "account.description"),
    TEXT("name", .path = "account.name"),
    TEXT("organization", .path = "account.organization"),
    MADE("flags", account_flags),
};

static const struct document_field user_fields[] = {
    MADE("administrator_level", user_level),
    MADE("associations", assocs),
    MADE("coordinators", coordinators),
    MADE("default.account", user_account),
    MADE("default.wckey", user_wckey),
    MADE("flags", user_flags),
    TEXT("name", .path = "user.name"),
    NO_TEXT("old_name"),
    MADE("wckeys", user_wckeys),
};
/* clang-format on */

/* ---- QOS ---- */

static void add_qos_flags(const struct qos_record *qos, struct json_writer *json, const char *key)
{
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {
        { QOS_PARTITION_MIN_NODES, "PARTITION_MINIMUM_NODE" },
        { QOS_PARTITION_MAX_NODES, "PARTITION_MAXIMUM_NODE" },
        { QOS_PARTITION_TIME_LIMIT, "PARTITION_TIME_LIMIT" },
        { QOS_ENFORCE_USAGE_THRESHOLD, "ENFORCE_USAGE_THRESHOLD" },
        { QOS_NO_RESERVE, "NO_RESERVE" },
        { QOS_REQUIRES_RESERVATION, "REQUIRED_RESERVATION" },
        { QOS_DENY_ON_LIMIT, "DENY_LIMIT" },
        { QOS_OVER_PARTITION_QOS, "OVERRIDE_PARTITION_QOS" },
        { QOS_NO_DECAY, "NO_DECAY" },
        { QOS_USAGE_FACTOR_SAFE, "USAGE_FACTOR_SAFE" },
        { QOS_RELATIVE, "RELATIVE" },
    };

    json_open_array(json, key);
    if (qos->deleted)
        json_add_text(json, NULL, "DELETED");
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (qos->flags & words[i].flag)
            json_add_text(json, NULL, words[i].word);
    }
    json_close(json);
}

static void add_preempt(const struct qos_record *qos, struct json_writer *json, const char *key)
{
    json_open_array(json, key);
    for (uint32_t i = 0; i < qos->preempt_n; i++)
        json_add_text(json, NULL, qos->preempt[i]);
    json_close(json);
}

static void add_preempt_mode(const struct qos_record *qos, struct json_writer *json,
                             const char *key)
{
    const bool has_gang =
        qos->preempt_mode == QOS_PREEMPT_GANG || qos->preempt_mode == QOS_PREEMPT_GANG_SUSPEND;
    const bool suspends =
        qos->preempt_mode == QOS_PREEMPT_SUSPEND || qos->preempt_mode == QOS_PREEMPT_GANG_SUSPEND;

    json_open_array(json, key);
    if (qos->preempt_mode == QOS_PREEMPT_CLUSTER || qos->preempt_mode == QOS_PREEMPT_OFF)
        json_add_text(json, NULL, "DISABLED");
    if (suspends)
        json_add_text(json, NULL, "SUSPEND");
    if (qos->preempt_mode == QOS_PREEMPT_REQUEUE)
        json_add_text(json, NULL, "REQUEUE");
    if (qos->preempt_mode == QOS_PREEMPT_CANCEL)
        json_add_text(json, NULL, "CANCEL");
    if (has_gang)
        json_add_text(json, NULL, "GANG");
    json_close(json);
}

MAKE(qos_flags, add_qos_flags(row->qos, json, key))
MAKE(qos_preempt, add_preempt(row->qos, json, key))
MAKE(qos_preempt_mode, add_preempt_mode(row->qos, json, key))
MAKE(qos_exempt, add_count(json, key, row->qos->preempt_exempt_time))
MAKE(qos_priority, add_count(json, key, row->qos->priority))
MAKE(qos_factor,
     add_millionths(json, key, row->qos->limit_factor != COUNT_UNSET, row->qos->limit_factor))
MAKE(qos_usage_factor,
     add_millionths(json, key, true, MILLION + (double)row->qos->usage_factor_above_1))
MAKE(qos_threshold,
     add_millionths(json, key, row->qos->usage_threshold != COUNT_UNSET, row->qos->usage_threshold))

/* clang-format off */
static const struct document_field qos_fields[] = {
    TEXT("description", .path = "qos.description"),
    MADE("flags", qos_flags),
    PLAIN("id", .path = "qos.id"),
    PLAIN("limits.grace_time", .path = "qos.grace_time"),
    MADE("limits.max.active_jobs.accruing", grp_jobs_accrue),
    MADE("limits.max.active_jobs.count", grp_jobs),
    MADE("limits.max.jobs.count", grp_submit_jobs),
    MADE("limits.max.jobs.active_jobs.per.account", max_jobs_account),
    MADE("limits.max.jobs.active_jobs.per.user", max_jobs_user),
    MADE("limits.max.jobs.per.account", max_submit_account),
    MADE("limits.max.jobs.per.user", max_submit_user),
    MADE("limits.max.tres.total", grp_tres),
    MADE("limits.max.tres.minutes.total", grp_tres_mins),
    MADE("limits.max.tres.minutes.per.qos", grp_tres_run_mins),
    MADE("limits.max.tres.minutes.per.job", max_tres_mins),
    MADE("limits.max.tres.minutes.per.account", max_run_mins_account),
    MADE("limits.max.tres.minutes.per.user", max_run_mins_user),
    MADE("limits.max.tres.per.account", max_tres_account),
    MADE("limits.max.tres.per.job", max_tres),
    MADE("limits.max.tres.per.node", max_tres_node),
    MADE("limits.max.tres.per.user", max_tres_user),
    MADE("limits.max.wall_clock.per.qos", grp_wall),
    MADE("limits.max.wall_clock.per.job", max_wall),
    MADE("limits.max.accruing.per.account", max_accrue_account),
    MADE("limits.max.accruing.per.user", max_accrue_user),
    MADE("limits.factor", qos_factor),
    MADE("limits.min.priority_threshold", min_prio),
    MADE("limits.min.tres.per.job", min_tres),
    TEXT("name", .path = "qos.name"),
    MADE("preempt.list", qos_preempt),
    MADE("preempt.mode", qos_preempt_mode),
    MADE("preempt.exempt_time", qos_exempt),
    MADE("priority", qos_priority),
    MADE("usage_factor", qos_usage_factor),
    MADE("usage_threshold", qos_threshold),
};
/* clang-format on */

/* ---- clusters ---- */

MAKE(cluster_host, add_text(json, key, fact_cluster_host(book, row->cluster)))
MAKE(cluster_port, json_add_int(json, key, fact_cluster_port(book, row->cluster)))
MAKE(cluster_flags, add_deleted(json, key, row->cluster->deleted))
MAKE(cluster_nodes, add_text(json, key, row->cluster->event ? row->cluster->event->nodes : NULL))
MAKE(cluster_plugin, json_add_text(json, key, SELECT_PLUGIN))
MAKE(cluster_root, add_assoc(row->assoc, json, key))
MAKE(cluster_rpc, json_add_int(json, key, fact_cluster_rpc(book, row->cluster)))
MAKE(cluster_tres, add_amounts(book, row->cluster->event ? row->cluster->event->tres : NULL,
                               row->cluster->event ? row->cluster->event->tres_n : 0, json, key))

/* clang-format off */
static const struct document_field cluster_fields[] = {
    MADE("controller.host", cluster_host),
    MADE("controller.port", cluster_port),
    MADE("flags", cluster_flags),
    TEXT("name", .path = "cluster.name"),
    MADE("nodes", cluster_nodes),
    MADE("select_plugin", cluster_plugin),
    MADE("associations.root", cluster_root),
    MADE("rpc_version", cluster_rpc),
    MADE("tres", cluster_tres),
};
/* clang-format on */

/* ---- lists ---- */

#define ROOT(name)                                                                                 \
    {                                                                                              \
#name, name##_record_schema, offsetof(struct mgr_row, name)                                \
    }

static const struct report_root roots[] = { ROOT(account), ROOT(user), ROOT(assoc), ROOT(qos),
                                            ROOT(cluster) };

#define FIELDS(name)                                                                               \
    {                                                                                              \
        roots, ARRAY_N(roots), name##_fields, ARRAY_N(name##_fields)                               \
    }

/* Lists of records with a table, and those of which all is written above. */
static const struct {
    const char *list;
    struct document_table table;
} kinds[] = {
    [DOCUMENT_ACCOUNTS] = { "accounts", FIELDS(account) },
    [DOCUMENT_ASSOCS] = { "associations", FIELDS(assoc) },
    [DOCUMENT_CLUSTERS] = { "clusters", FIELDS(cluster) },
    [DOCUMENT_QOS] = { "qos", FIELDS(qos) },
    [DOCUMENT_TRES] = { "TRES", { 0 } },
    [DOCUMENT_USERS] = { "users", FIELDS(user) },
    [DOCUMENT_WCKEYS] = { "wckeys", { 0 } },
};

static void add_rows(struct document *document, const struct document_kind *kind,
                     const struct mgr_document_list *list)
{
    const struct report_context ctx = { .user = list->book };

    for (uint32_t i = 0; i < list->n; i++) {
        if (list->rows[i].wckey)
            add_wckey(list->rows[i].wckey, &document->json);
        else if (list->rows[i].tres)
            add_tres(list->book, list->rows[i].tres->name, 0, &document->json);
        else
            document_add(document, kind, &ctx, &list->rows[i]);
    }
}

int mgr_document_print(const struct command *command, const struct document_options *options,
                       const struct mgr_document_list *list)
{
    AUTO(document_kind) struct document_kind kind = { 0 };
    struct document document = {
        .command = command,
        .options = options,
        .words = command->argv,
        .words_n = command->argc,
    };
    struct err err = { 0 };

    if (document_kind_init(&kind, &kinds[list->kind].table, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    document_begin_list(&document, kinds[list->kind].list);
    add_rows(&document, &kind, list);
    json_close(&document.json);
    document_end(&document);
    return fflush(stdout) == 0 ? 0 : 1;
}
