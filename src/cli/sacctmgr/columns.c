#include "cli/sacctmgr/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/table.h"
#include "common/text/duration.h"

static const struct book *book_of(const struct report_context *ctx)
{
    return ctx->user;
}

/* Returns what the row's cluster consists of, or NULL: it is no cluster, or none has told. */
static const struct cluster_event *consists_of(const struct mgr_row *row)
{
    return row->cluster ? row->cluster->event : NULL;
}

/* ---- names ---- */

#define TEXT(function, what)                                                                       \
    static void function(const struct report_context *ctx, const void *at, struct strbuf *out)     \
    {                                                                                              \
        const struct mgr_row *row = at;                                                            \
        const char *text = what;                                                                   \
                                                                                                   \
        (void)ctx;                                                                                 \
        if (text)                                                                                  \
            strbuf_adds(out, text);                                                                \
    }

TEXT(cluster, row->assoc     ? row->assoc->cluster
              : row->cluster ? row->cluster->name
              : row->wckey   ? row->wckey->cluster
                             : NULL)
TEXT(parent, row->assoc ? row->assoc->parent : NULL)
TEXT(partition, row->assoc ? row->assoc->partition : NULL)
TEXT(user, row->user    ? row->user->name
           : row->assoc ? row->assoc->user
           : row->wckey ? row->wckey->user
                        : NULL)
TEXT(wckey, row->wckey ? row->wckey->name : NULL)
TEXT(federation, row->cluster ? row->cluster->federation : NULL)
TEXT(federation_state, !row->cluster                    ? NULL
                       : row->cluster->federation_state ? row->cluster->federation_state
                                                        : "NA")
TEXT(comment, row->assoc ? row->assoc->comment : NULL)
TEXT(organization, row->account ? row->account->organization : NULL)
TEXT(description, row->account ? row->account->description
                  : row->qos   ? row->qos->description
                               : NULL)
TEXT(admin, row->user ? admin_level_name(row->user->admin_level) : NULL)
TEXT(name, row->qos       ? row->qos->name
           : row->cluster ? row->cluster->name
           : row->account ? row->account->name
           : row->user    ? row->user->name
                          : NULL)
TEXT(node_names, consists_of(row) ? consists_of(row)->nodes : NULL)
TEXT(classification, row->cluster ? row->cluster->classification : NULL)

static void account(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    strbuf_addf(out, "%*s%s", (int)row->depth, "",
                row->account ? row->account->name
                : row->assoc ? row->assoc->account
                             : "");
}

static void bare_account(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    struct mgr_row row = *(const struct mgr_row *)at; /* borrows its records */

    row.depth = 0;
    account(ctx, &row, out);
}

static void show_sorted(struct words *names, struct strbuf *out)
{
    choice_sort(names);
    for (uint32_t i = 0; i < names->n; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", names->at[i]);
}

static void coordinators(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    AUTO(words) struct words names = { 0 };

    if (!row->has_coords)
        return;
    if (row->account)
        fact_coordinators(book_of(ctx), row->account->name, &names);
    else if (row->user)
        fact_coordinated(book_of(ctx), row->user->name, &names);
    show_sorted(&names, out);
}

static void features(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    for (uint32_t i = 0; row->cluster && i < row->cluster->features_n; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", row->cluster->features[i]);
}

static void control_host(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const char *host = row->cluster ? fact_cluster_host(book_of(ctx), row->cluster) : NULL;

    if (host)
        strbuf_adds(out, host);
}

static void federation_state_raw(const struct report_context *ctx, const void *at,
                                 struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->cluster)
        strbuf_addu(out, fact_federation_state(row->cluster));
}

static void node_count(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const struct cluster_event *event = consists_of(row);
    uint64_t nodes = 0;

    (void)ctx;
    for (uint32_t i = 0; event && i < event->tres_n; i++) {
        if (strcmp(event->tres[i].tres, "node") == 0)
            nodes = event->tres[i].amount;
    }
    if (row->cluster)
        strbuf_addf(out, "%" PRIu64, nodes);
}

static void cluster_tres(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct cluster_event *event = consists_of(at);

    (void)ctx;
    if (event)
        fact_add_amounts(event->tres, event->tres_n, out);
}

/* The protocol's version, 0 where no controller is known. */
static void rpc(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    if (row->cluster)
        strbuf_addf(out, "%u", fact_cluster_rpc(book_of(ctx), row->cluster));
}

static void control_port(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    if (row->cluster)
        strbuf_addf(out, "%u", fact_cluster_port(book_of(ctx), row->cluster));
}

static void default_account(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const char *on = row->assoc ? row->assoc->cluster : book_of(ctx)->cluster;
    const struct assoc_record *assoc =
        row->user ? book_default(book_of(ctx), on, row->user->name) : NULL;

    if (assoc)
        strbuf_adds(out, assoc->account);
}

static void default_wckey(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const char *name = row->user ? fact_default_wckey(book_of(ctx), row->user->name) : NULL;

    if (name)
        strbuf_adds(out, name);
}

/* ---- what an association has from above ---- */

/* Adds the QOS that the association names or adds to those of the account above, without signs. */
static void add_own_qos(const struct assoc_record *assoc, struct words *names)
{
    for (uint32_t i = 0; i < assoc->qos_n; i++) {
        const char *name = assoc->qos[i];

        if (*name != '-')
            words_add(names, qos_has_sign(name) ? name + 1 : name, ",");
    }
}

static void qos(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    AUTO(words) struct words names = { 0 };

    if (!row->assoc)
        return;
    if (row->has_raw_qos && row->assoc->qos_n) {
        for (uint32_t i = 0; i < row->assoc->qos_n; i++)
            words_add(&names, row->assoc->qos[i], ",");
    } else if (row->has_own_only) {
        add_own_qos(row->assoc, &names);
    } else {
        names = fact_qos(book_of(ctx), row->assoc);
    }
    show_sorted(&names, out);
}

static void qos_raw(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    AUTO(words) struct words names = { 0 };

    if (!row->assoc)
        return;
    names = fact_qos(book_of(ctx), row->assoc);
    for (uint32_t i = 0; i < names.n; i++) {
        const struct qos_record *rec = book_any_qos(book_of(ctx), names.at[i]);

        strbuf_addf(out, "%s%u", i ? "," : "", rec ? rec->id : 0);
    }
}

static void parent_id(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const struct assoc_record *parent = row->assoc ? fact_above(book_of(ctx), row->assoc) : NULL;

    if (row->assoc)
        strbuf_addf(out, "%u", parent ? parent->id : 0);
}

static void default_qos(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const char *name = NULL;

    if (row->assoc)
        name = row->has_own_only ? row->assoc->default_qos
                                 : fact_default_qos(book_of(ctx), row->assoc);
    if (name)
        strbuf_adds(out, name);
}

/* ---- limits ---- */

static void show_limit(const struct report_context *ctx, const struct mgr_row *row,
                       const char *of_assoc, const char *of_qos, bool is_time, struct strbuf *out)
{
    struct fact_member member;

    if (!fact_limit(book_of(ctx), row, of_assoc, of_qos, &member))
        return;
    if (member.field->kind == KIND_LIST) {
        const struct fact_amounts all = fact_limit_amounts(book_of(ctx), row, of_assoc, of_qos);

        amounts_format(book_of(ctx), all.at, all.n, false, out);
        free(all.at);
        return;
    }
    limit_format(book_of(ctx), member.field, is_time, member.record, out);
}

/* Shows the amount of one TRES. */
static void show_single(const struct report_context *ctx, const struct mgr_row *row,
                        const char *of_assoc, const char *of_qos, const char *tres,
                        struct strbuf *out)
{
    const struct fact_amounts all = fact_limit_amounts(book_of(ctx), row, of_assoc, of_qos);

    for (uint32_t i = 0; i < all.n; i++) {
        if (word_is(all.at[i].tres, tres))
            strbuf_addf(out, "%" PRIu64, all.at[i].amount);
    }
    free(all.at);
}

#define SINGLE(function, of_assoc, of_qos, tres)                                                   \
    static void function(const struct report_context *ctx, const void *row, struct strbuf *out)    \
    {                                                                                              \
        show_single(ctx, row, of_assoc, of_qos, tres, out);                                        \
    }

SINGLE(grp_cpus, "grp_tres", "grp_tres", "cpu")
SINGLE(grp_cpu_mins, "grp_tres_mins", "grp_tres_mins", "cpu")
SINGLE(grp_cpu_run_mins, "grp_tres_run_mins", "grp_tres_run_mins", "cpu")
SINGLE(grp_mem, "grp_tres", "grp_tres", "mem")
SINGLE(grp_nodes, "grp_tres", "grp_tres", "node")
SINGLE(max_cpus, "max_tres_per_job", "max_tres_per_job", "cpu")
SINGLE(max_cpu_mins, "max_tres_mins_per_job", "max_tres_mins_per_job", "cpu")
SINGLE(max_nodes, "max_tres_per_job", "max_tres_per_job", "node")
SINGLE(max_cpus_user, NULL, "max_tres_per_user", "cpu")
SINGLE(max_nodes_user, NULL, "max_tres_per_user", "node")
SINGLE(max_cpu_run_mins_user, NULL, "max_tres_run_mins_per_user", "cpu")
SINGLE(min_cpus, NULL, "min_tres_per_job", "cpu")

#define LIMIT(function, of_assoc, of_qos, is_time)                                                 \
    static void function(const struct report_context *ctx, const void *row, struct strbuf *out)    \
    {                                                                                              \
        show_limit(ctx, row, of_assoc, of_qos, is_time, out);                                      \
    }

LIMIT(grp_jobs, "grp_jobs", "grp_jobs", false)
LIMIT(grp_jobs_accrue, "grp_jobs_accrue", "grp_jobs_accrue", false)
LIMIT(grp_submit, "grp_submit_jobs", "grp_submit_jobs", false)
LIMIT(grp_tres, "grp_tres", "grp_tres", false)
LIMIT(grp_tres_mins, "grp_tres_mins", "grp_tres_mins", false)
LIMIT(grp_tres_run_mins, "grp_tres_run_mins", "grp_tres_run_mins", false)
LIMIT(grp_wall, "grp_wall", "grp_wall", true)
LIMIT(max_jobs, "max_jobs", "max_jobs_per_user", false)
LIMIT(max_jobs_accrue, "max_jobs_accrue", NULL, false)
LIMIT(max_submit, "max_submit_jobs", "max_submit_per_user", false)
LIMIT(max_tres, "max_tres_per_job", "max_tres_per_job", false)
LIMIT(max_tres_node, "max_tres_per_node", "max_tres_per_node", false)
LIMIT(max_tres_mins, "max_tres_mins_per_job", "max_tres_mins_per_job", false)
LIMIT(max_wall, "max_wall_per_job", "max_wall_per_job", true)
LIMIT(min_prio, "min_prio_threshold", "min_prio_threshold", false)
LIMIT(max_jobs_user, NULL, "max_jobs_per_user", false)
LIMIT(max_jobs_account, NULL, "max_jobs_per_account", false)
LIMIT(max_accrue_user, NULL, "max_jobs_accrue_per_user", false)
LIMIT(max_accrue_account, NULL, "max_jobs_accrue_per_account", false)
LIMIT(max_submit_user, NULL, "max_submit_per_user", false)
LIMIT(max_submit_account, NULL, "max_submit_per_account", false)
LIMIT(max_tres_user, NULL, "max_tres_per_user", false)
LIMIT(max_tres_account, NULL, "max_tres_per_account", false)
LIMIT(max_run_mins_user, NULL, "max_tres_run_mins_per_user", false)
LIMIT(max_run_mins_account, NULL, "max_tres_run_mins_per_account", false)
LIMIT(min_tres, NULL, "min_tres_per_job", false)

/* ---- numbers ---- */

static void id(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    strbuf_addf(out, "%u",
                row->cluster ? row->cluster->federation_id
                : row->assoc ? row->assoc->id
                : row->qos   ? row->qos->id
                : row->tres  ? row->tres->id
                : row->wckey ? row->wckey->id
                             : 0);
}

static void lineage(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    if (row->assoc)
        fact_lineage(book_of(ctx), row->assoc, out);
}

static void share(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (!row->assoc)
        return;
    if (row->assoc->shares == SHARES_PARENT)
        strbuf_adds(out, "parent");
    else if (row->assoc->shares != COUNT_UNSET)
        strbuf_addf(out, "%u", row->assoc->shares);
    else if (!row->has_named_shares)
        strbuf_addf(out, "%u", SHARES_DEFAULT);
}

static void priority(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const struct assoc_record *assoc = row->assoc;

    if (row->qos)
        strbuf_addf(out, "%u", row->qos->priority);
    while (!row->qos && assoc && assoc->priority == COUNT_UNSET)
        assoc = row->has_own_limits ? NULL : fact_above(book_of(ctx), assoc);
    if (!row->qos && assoc)
        strbuf_addf(out, "%u", assoc->priority);
}

/* ---- of QOS ---- */

static void show_seconds(uint32_t seconds, struct strbuf *out)
{
    if (seconds != COUNT_UNSET)
        duration_format(out, seconds);
}

static void grace_time(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->qos)
        show_seconds(row->qos->grace_time == COUNT_UNSET ? 0 : row->qos->grace_time, out);
}

static void exempt_time(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->qos)
        show_seconds(row->qos->preempt_exempt_time, out);
}

static void preempt(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    AUTO(words) struct words names = { 0 };

    (void)ctx;
    for (uint32_t i = 0; row->qos && i < row->qos->preempt_n; i++)
        words_add(&names, row->qos->preempt[i], ",");
    show_sorted(&names, out);
}

TEXT(preempt_mode, row->qos ? qos_preempt_mode_name(row->qos->preempt_mode) : NULL)

static void flags(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->qos)
        qos_flags_format(row->qos->flags, out);
    else if (row->account && fact_account_flags(row->account->flags))
        strbuf_adds(out, fact_account_flags(row->account->flags));
}

static void show_millionths(int64_t millionths, struct strbuf *out)
{
    strbuf_addf(out, "%" PRId64 ".%06" PRId64, millionths / 1000000, millionths % 1000000);
}

static void usage_factor(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->qos)
        show_millionths(row->qos->usage_factor_above_1 + 1000000, out);
}

static void usage_threshold(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->qos && row->qos->usage_threshold != COUNT_UNSET)
        show_millionths(row->qos->usage_threshold, out);
}

static void limit_factor(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->qos && row->qos->limit_factor != COUNT_UNSET)
        show_millionths(row->qos->limit_factor, out);
}

/* ---- of TRES ---- */

static void tres_type(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;

    (void)ctx;
    if (row->tres)
        strbuf_addf(out, "%.*s", (int)strcspn(row->tres->name, "/"), row->tres->name);
}

static void tres_name(const struct report_context *ctx, const void *at, struct strbuf *out)
{
    const struct mgr_row *row = at;
    const char *slash = row->tres ? strchr(row->tres->name, '/') : NULL;

    if (slash)
        strbuf_adds(out, slash + 1);
    else if (!row->tres)
        name(ctx, at, out);
}

/* clang-format off */
/* Of two that a word may be short for, the first is meant. */
static const struct report_column columns[] = {
    MGR_COLUMN("Account", 3, "Account", 10, account),
    MGR_COLUMN("Acct", 4, "Account", 10, bare_account),
    MGR_COLUMN("AdminLevel", 2, "Admin", 9, admin),
    MGR_COLUMN("Classification", 3, "Class", 9, classification),
    MGR_COLUMN("Clusters", 2, "Cluster", 10, cluster),
    MGR_COLUMN("ClusterNodes", 8, "Cluster Nodes", 20, node_names),
    MGR_COLUMN("Comment", 3, "Comment", 20, comment),
    MGR_COLUMN("ControlHost", 8, "ControlHost", 15, control_host),
    MGR_COLUMN("ControlPort", 8, "ControlPort", 12, control_port),
    MGR_COLUMN("Coordinators", 2, "Coord Accounts", 20, coordinators),
    MGR_COLUMN("DefaultAccount", 8, "Def Acct", 10, default_account),
    MGR_COLUMN("DefaultQOS", 8, "Def QOS", 9, default_qos),
    MGR_COLUMN("DefaultWCKey", 8, "Def WCKey", 10, default_wckey),
    MGR_COLUMN("Description", 3, "Descr", 20, description),
    MGR_COLUMN("FairShare", 2, "Share", 9, share),
    MGR_COLUMN("Features", 3, "Features", 20, features),
    MGR_COLUMN("Federation", 3, "Federation", 10, federation),
    MGR_COLUMN("FedState", 4, "FedState", 12, federation_state),
    MGR_COLUMN("FedStateRaw", 9, "FedStateRaw", 11, federation_state_raw),
    MGR_COLUMN("Flags", 2, "Flags", 20, flags),
    MGR_COLUMN("GraceTime", 3, "GraceTime", 10, grace_time),
    MGR_COLUMN("GrpCPUMins", 7, "GrpCPUMins", 11, grp_cpu_mins),
    MGR_COLUMN("GrpCPURunMins", 7, "GrpCPURunMins", 13, grp_cpu_run_mins),
    MGR_COLUMN("GrpCPUs", 6, "GrpCPUs", 8, grp_cpus),
    MGR_COLUMN("GrpJobs", 4, "GrpJobs", 7, grp_jobs),
    MGR_COLUMN("GrpJobsAccrue", 8, "GrpJobsAccrue", 13, grp_jobs_accrue),
    MGR_COLUMN("GrpMemory", 4, "GrpMem", 7, grp_mem),
    MGR_COLUMN("GrpNodes", 4, "GrpNodes", 8, grp_nodes),
    MGR_COLUMN("GrpSubmitJobs", 4, "GrpSubmit", 9, grp_submit),
    MGR_COLUMN("GrpTRES", 7, "GrpTRES", 13, grp_tres),
    MGR_COLUMN("GrpTRESMins", 8, "GrpTRESMins", 13, grp_tres_mins),
    MGR_COLUMN("GrpTRESRunMins", 8, "GrpTRESRunMins", 13, grp_tres_run_mins),
    MGR_COLUMN("GrpWall", 4, "GrpWall", 11, grp_wall),
    MGR_COLUMN("ID", 2, "ID", 6, id),
    MGR_COLUMN("Lineage", 4, "Lineage", 20, lineage),
    MGR_COLUMN("LimitFactor", 6, "LimitFactor", 11, limit_factor),
    MGR_COLUMN("MaxCPUMinsPerJob", 7, "MaxCPUMins", 11, max_cpu_mins),
    MGR_COLUMN("MaxCPURunMinsPerUser", 7, "MaxCPURunMinsPU", 15, max_cpu_run_mins_user),
    MGR_COLUMN("MaxCPURunMinsPU", 15, "MaxCPURunMinsPU", 15, max_cpu_run_mins_user),
    MGR_COLUMN("MaxCPUsPerJob", 7, "MaxCPUs", 8, max_cpus),
    MGR_COLUMN("MaxCPUsPerUser", 11, "MaxCPUsPU", 9, max_cpus_user),
    MGR_COLUMN("MaxCPUsPU", 9, "MaxCPUsPU", 9, max_cpus_user),
    MGR_COLUMN("MaxJobs", 4, "MaxJobs", 7, max_jobs),
    MGR_COLUMN("MaxJobsAccrue", 8, "MaxJobsAccrue", 13, max_jobs_accrue),
    MGR_COLUMN("MaxJobsAccruePA", 15, "MaxJobsAccruePA", 15, max_accrue_account),
    MGR_COLUMN("MaxJobsAccruePerAccount", 17, "MaxJobsAccruePA", 15, max_accrue_account),
    MGR_COLUMN("MaxJobsAccruePerUser", 17, "MaxJobsAccruePU", 15, max_accrue_user),
    MGR_COLUMN("MaxJobsAccruePU", 15, "MaxJobsAccruePU", 15, max_accrue_user),
    MGR_COLUMN("MaxJobsPA", 9, "MaxJobsPA", 9, max_jobs_account),
    MGR_COLUMN("MaxJobsPerAccount", 11, "MaxJobsPA", 9, max_jobs_account),
    MGR_COLUMN("MaxJobsPerUser", 11, "MaxJobsPU", 9, max_jobs_user),
    MGR_COLUMN("MaxJobsPU", 9, "MaxJobsPU", 9, max_jobs_user),
    MGR_COLUMN("MaxNodesPerJob", 4, "MaxNodes", 8, max_nodes),
    MGR_COLUMN("MaxNodesPerUser", 12, "MaxNodesPU", 10, max_nodes_user),
    MGR_COLUMN("MaxNodesPU", 10, "MaxNodesPU", 10, max_nodes_user),
    MGR_COLUMN("MaxSubmitJobs", 4, "MaxSubmit", 9, max_submit),
    MGR_COLUMN("MaxSubmitJobsPA", 15, "MaxSubmitPA", 11, max_submit_account),
    MGR_COLUMN("MaxSubmitJobsPerAccount", 17, "MaxSubmitPA", 11, max_submit_account),
    MGR_COLUMN("MaxSubmitPA", 11, "MaxSubmitPA", 11, max_submit_account),
    MGR_COLUMN("MaxSubmitJobsPerUser", 14, "MaxSubmitPU", 11, max_submit_user),
    MGR_COLUMN("MaxSubmitJobsPU", 15, "MaxSubmitPU", 11, max_submit_user),
    MGR_COLUMN("MaxSubmitPU", 10, "MaxSubmitPU", 11, max_submit_user),
    MGR_COLUMN("MaxTRESPerJob", 7, "MaxTRES", 13, max_tres),
    MGR_COLUMN("MaxTRESPJ", 9, "MaxTRES", 13, max_tres),
    MGR_COLUMN("MaxTRESMinsPerJob", 8, "MaxTRESMins", 13, max_tres_mins),
    MGR_COLUMN("MaxTRESMinsPJ", 13, "MaxTRESMins", 13, max_tres_mins),
    MGR_COLUMN("MaxTRESPA", 9, "MaxTRESPA", 13, max_tres_account),
    MGR_COLUMN("MaxTRESPerAccount", 11, "MaxTRESPA", 13, max_tres_account),
    MGR_COLUMN("MaxTRESPerNode", 11, "MaxTRESPerNode", 14, max_tres_node),
    MGR_COLUMN("MaxTRESPN", 9, "MaxTRESPerNode", 14, max_tres_node),
    MGR_COLUMN("MaxTRESPerUser", 11, "MaxTRESPU", 13, max_tres_user),
    MGR_COLUMN("MaxTRESPU", 9, "MaxTRESPU", 13, max_tres_user),
    MGR_COLUMN("MaxTRESRunMinsPA", 15, "MaxTRESRunMinsPA", 15, max_run_mins_account),
    MGR_COLUMN("MaxTRESRunMinsPerAccount", 18, "MaxTRESRunMinsPA", 15, max_run_mins_account),
    MGR_COLUMN("MaxTRESRunMinsPerUser", 8, "MaxTRESRunMinsPU", 15, max_run_mins_user),
    MGR_COLUMN("MaxTRESRunMinsPU", 16, "MaxTRESRunMinsPU", 15, max_run_mins_user),
    MGR_COLUMN("MaxWallDurationPerJob", 4, "MaxWall", 11, max_wall),
    MGR_COLUMN("MinCPUsPerJob", 7, "MinCPUs", 8, min_cpus),
    MGR_COLUMN("MinPrioThreshold", 4, "MinPrioThres", 12, min_prio),
    MGR_COLUMN("MinTRESPerJob", 7, "MinTRES", 13, min_tres),
    MGR_COLUMN("Name", 2, "Name", 10, tres_name),
    MGR_COLUMN("NodeCount", 5, "NodeCount", 9, node_count),
    MGR_COLUMN("NodeNames", 5, "NodeName", 15, node_names),
    MGR_COLUMN("Organization", 1, "Org", 20, organization),
    MGR_COLUMN("ParentID", 7, "ParentID", 8, parent_id),
    MGR_COLUMN("ParentName", 7, "ParentName", 10, parent),
    MGR_COLUMN("Partition", 4, "Partition", 10, partition),
    MGR_COLUMN("Preempt", 7, "Preempt", 10, preempt),
    MGR_COLUMN("PreemptExemptTime", 8, "PreemptExemptTime", 19, exempt_time),
    MGR_COLUMN("PreemptMode", 8, "PreemptMode", 11, preempt_mode),
    MGR_COLUMN("Priority", 3, "Priority", 10, priority),
    MGR_COLUMN("QOSLevel", 3, "QOS", 20, qos),
    MGR_COLUMN("QOSRAWLevel", 4, "QOS_RAW", 10, qos_raw),
    MGR_COLUMN("RPC", 2, "RPC", 5, rpc),
    MGR_COLUMN("Share", 1, "Share", 9, share),
    MGR_COLUMN("TRES", 2, "TRES", 20, cluster_tres),
    MGR_COLUMN("Type", 2, "Type", 8, tres_type),
    MGR_COLUMN("UsageFactor", 6, "UsageFactor", 11, usage_factor),
    MGR_COLUMN("UsageThreshold", 6, "UsageThres", 10, usage_threshold),
    MGR_COLUMN("User", 1, "User", 10, user),
};

static const struct report_column of_wckeys[] = {
    MGR_COLUMN("Clusters", 2, "Cluster", 10, cluster),
    MGR_COLUMN("ID", 1, "ID", 6, id),
    MGR_COLUMN("Name", 1, "WCKey", 10, wckey),
    MGR_COLUMN("User", 1, "User", 10, user),
    MGR_COLUMN("WCKeys", 1, "WCKey", 10, wckey),
};
/* clang-format on */

const struct report_table acct_columns = { NULL, 0, columns, ARRAY_N(columns) };
const struct report_table wckey_columns = { NULL, 0, of_wckeys, ARRAY_N(of_wckeys) };
