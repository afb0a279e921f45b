#include "cli/scontrol/show_assoc.h"

#include <inttypes.h>
#include <string.h>

#include "common/schema/schema.h"
#include "common/text/words.h"

#define THOUSANDTHS_OF_MINUTE 60000
#define PARENTS_SHARES        INT32_MAX /* Fairshare=parent, as Slurm prints it */

static uint64_t amount_of(const struct acct_amount *list, uint32_t n, const char *tres,
                          uint64_t without)
{
    for (uint32_t i = 0; i < n; i++) {
        if (text_is(list[i].tres, tres))
            return list[i].amount;
    }
    return without;
}

/* ---- parts of a record ---- */

/* Ends a line of the record, or in one line the word. */
static void next_line(const struct assoc_show *show, struct strbuf *out)
{
    strbuf_adds(out, show->one_line ? " " : "\n    ");
}

static bool is_limit(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

/* Appends "GrpJobs=5(2)"; N where there is no limit. */
static void add_group(struct strbuf *out, const char *key, uint32_t limit, uint32_t used)
{
    if (is_limit(limit))
        strbuf_addf(out, "%s=%u(%u)", key, limit, used);
    else
        strbuf_addf(out, "%s=N(%u)", key, used);
}

/* Appends "MaxJobs=5(2)"; nothing after the = where there is no limit. */
static void add_own(struct strbuf *out, const char *key, uint32_t limit, uint32_t used)
{
    strbuf_addf(out, "%s=", key);
    if (is_limit(limit))
        strbuf_addf(out, "%u(%u)", limit, used);
}

static void add_plain(struct strbuf *out, const char *key, uint32_t limit)
{
    strbuf_addf(out, "%s=", key);
    if (is_limit(limit))
        strbuf_addf(out, "%u", limit);
}

static void add_wall(struct strbuf *out, uint32_t limit, const struct acct_use *use)
{
    const double minutes = use ? (double)use->wall_ms / 60000 : 0;

    if (is_limit(limit))
        strbuf_addf(out, "GrpWall=%u(%.2f)", limit, minutes);
    else
        strbuf_addf(out, "GrpWall=N(%.2f)", minutes);
}

/* Amounts of each TRES: a limit, and what is used of it in parts of `unit`. */
struct amounts {
    const struct acct_amount *limits, *used;
    uint32_t limits_n, used_n;
    uint64_t unit;
};

/* Appends "GrpTRES=cpu=8(2),mem=N(0)". */
static void add_groups(const struct assoc_show *show, const char *key,
                       const struct amounts *amounts, struct strbuf *out)
{
    strbuf_addf(out, "%s=", key);
    for (uint32_t i = 0; i < show->view->tres.n; i++) {
        const char *tres = ((const struct tres_record *)record_at(&show->view->tres, i))->name;
        const uint64_t limit = amount_of(amounts->limits, amounts->limits_n, tres, UINT64_MAX);
        const uint64_t used = amount_of(amounts->used, amounts->used_n, tres, 0) / amounts->unit;

        strbuf_addf(out, "%s%s=", i ? "," : "", tres);
        if (limit == UINT64_MAX)
            strbuf_addf(out, "N(%" PRIu64 ")", used);
        else
            strbuf_addf(out, "%" PRIu64 "(%" PRIu64 ")", limit, used);
    }
}

/* Appends "MaxTRESPJ=cpu=8,mem=2000": only those that are limited. */
static void add_maxima(const struct assoc_show *show, const char *key,
                       const struct acct_amount *limits, uint32_t n, struct strbuf *out)
{
    const char *comma = "";

    strbuf_addf(out, "%s=", key);
    for (uint32_t i = 0; i < show->view->tres.n; i++) {
        const char *tres = ((const struct tres_record *)record_at(&show->view->tres, i))->name;
        const uint64_t limit = amount_of(limits, n, tres, UINT64_MAX);

        if (limit == UINT64_MAX)
            continue;
        strbuf_addf(out, "%s%s=%" PRIu64, comma, tres, limit);
        comma = ",";
    }
}

#define HELD(list, use)                                                                            \
    &(struct amounts)                                                                              \
    {                                                                                              \
        (list), (use) ? (use)->held : NULL, list##_n, (use) ? (use)->held_n : 0, 1                 \
    }
#define MINUTES(list, use, member)                                                                 \
    &(struct amounts)                                                                              \
    {                                                                                              \
        (list), (use) ? (use)->member : NULL, list##_n, (use) ? (use)->member##_n : 0,             \
            THOUSANDTHS_OF_MINUTE                                                                  \
    }

/* ---- users ---- */

static void add_name(const struct assoc_show *show, const char *user, struct strbuf *out)
{
    strbuf_addf(out, "UserName=%s", user ? user : "");
    if (user)
        strbuf_addf(out, "(%u)", show->user_id(user));
}

static const char *default_wckey(const struct assoc_show *show, const char *user)
{
    for (uint32_t i = 0; i < show->view->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&show->view->wckeys, i);

        if (!wckey->deleted && wckey->is_default && text_is(wckey->user, user) && wckey->name)
            return wckey->name;
    }
    return "";
}

void show_assoc_user(const struct assoc_show *show, const struct user_record *user,
                     const char *account, struct strbuf *out)
{
    add_name(show, user->name, out);
    strbuf_addf(out, " DefAccount=%s DefWckey=%s AdminLevel=%s\n", account,
                default_wckey(show, user->name), admin_level_name(user->admin_level));
}

/* ---- associations ---- */

/* Gives a list of amounts those of the account above that it has not. */
static void inherit_amounts(const struct schema_field *field, struct assoc_record *assoc,
                            const struct assoc_record *from)
{
    char *base = (char *)assoc;
    struct acct_amount **list = (struct acct_amount **)(void *)(base + field->offset);
    uint32_t *n = (uint32_t *)(void *)(base + field->count_offset);
    const char *other = (const char *)from;
    const struct acct_amount *theirs =
        *(struct acct_amount *const *)(const void *)(other + field->offset);
    const uint32_t theirs_n = *(const uint32_t *)(const void *)(other + field->count_offset);

    for (uint32_t i = 0; i < theirs_n; i++) {
        if (amount_of(*list, *n, theirs[i].tres, UINT64_MAX) == UINT64_MAX)
            schema_copy(acct_amount_schema(), ARRAY_PUSH(*list, *n), &theirs[i]);
    }
}

/* Gives the association what it has from the account above: limits of each user and each job. */
static void inherit(struct assoc_record *assoc, const struct assoc_record *from)
{
    static const char *const members[] = {
        "priority",         "max_tres_per_job", "max_tres_per_node",  "max_tres_mins_per_job",
        "max_wall_per_job", "max_jobs",         "min_prio_threshold", "max_jobs_accrue",
        "max_submit_jobs",
    };

    for (size_t i = 0; i < ARRAY_N(members); i++) {
        const struct schema_field *field = schema_find(assoc_record_schema(), members[i]);
        uint32_t *count = (uint32_t *)(void *)((char *)assoc + field->offset);

        if (field->kind == KIND_LIST)
            inherit_amounts(field, assoc, from);
        else if (*count == COUNT_UNSET)
            *count = *(const uint32_t *)(const void *)((const char *)from + field->offset);
    }
}

/* Returns the shares of all on the association's level; who has the account's is on its level. */
static uint64_t shares_of_level(const struct assoc_place *place)
{
    while (place->assoc->shares == SHARES_PARENT && place->above)
        place = place->above;
    return place->above ? place->above->shares : SHARES_DEFAULT;
}

static double of_billion(uint64_t value)
{
    return value >= SHARE_NOT_SHOWN ? 0 : (double)value / SHARE_BILLION;
}

static void add_shares(const struct assoc_show *show, const struct assoc_place *place,
                       struct strbuf *out)
{
    const struct share_info *share = place->share;
    const uint64_t billing = amount_of(share->used, share->used_n, "billing", 0);

    strbuf_addf(out, "SharesRaw/Norm/Level/Factor=%u/%.2f/%" PRIu64 "/%.2f",
                share->shares == SHARES_PARENT ? PARENTS_SHARES : share->shares,
                of_billion(share->norm_shares), shares_of_level(place), of_billion(share->factor));
    next_line(show, out);
    strbuf_addf(out, "UsageRaw/Norm/Efctv=%.2f/%.2f/%.2f", (double)billing / SHARE_THOUSAND,
                of_billion(share->norm_usage), of_billion(share->effective_usage));
    next_line(show, out);
}

static void add_lineage(const struct assoc_place *place, struct strbuf *out)
{
    const struct assoc_record *assoc = place->assoc;
    AUTO_FREE const char **names = NULL;
    uint32_t n = 0;

    for (const struct assoc_place *at = assoc->user ? place->above : place; at && at->above;
         at = at->above)
        *ARRAY_PUSH(names, n) = at->assoc->account;
    acct_add_lineage(names, n, assoc->user, assoc->partition, out);
}

static void add_place(const struct assoc_show *show, const struct assoc_place *place,
                      struct strbuf *out)
{
    const struct assoc_record *assoc = place->assoc;

    strbuf_adds(out, "ParentAccount=");
    if (!assoc->user && place->above)
        strbuf_addf(out, "%s(%u)", place->above->assoc->account, place->above->assoc->id);
    strbuf_adds(out, " Lineage=");
    add_lineage(place, out);
    strbuf_addf(out, " DefAssoc=%s", assoc->is_default ? "Yes" : "No");
    next_line(show, out);
}

static void add_assoc_groups(const struct assoc_show *show, const struct assoc_record *assoc,
                             const struct acct_use *use, struct strbuf *out)
{
    add_group(out, "GrpJobs", assoc->grp_jobs, use ? use->jobs : 0);
    add_group(out, " GrpJobsAccrue", assoc->grp_jobs_accrue, use ? use->accruing : 0);
    next_line(show, out);
    add_group(out, "GrpSubmitJobs", assoc->grp_submit_jobs, use ? use->submitted : 0);
    strbuf_addc(out, ' ');
    add_wall(out, assoc->grp_wall, use);
    next_line(show, out);
    add_groups(show, "GrpTRES", HELD(assoc->grp_tres, use), out);
    next_line(show, out);
    add_groups(show, "GrpTRESMins", MINUTES(assoc->grp_tres_mins, use, used), out);
    next_line(show, out);
    add_groups(show, "GrpTRESRunMins", MINUTES(assoc->grp_tres_run_mins, use, left), out);
    next_line(show, out);
}

static void add_assoc_maxima(const struct assoc_show *show, const struct assoc_record *assoc,
                             const struct acct_use *use, struct strbuf *out)
{
    add_own(out, "MaxJobs", assoc->max_jobs, use ? use->jobs : 0);
    add_own(out, " MaxJobsAccrue", assoc->max_jobs_accrue, use ? use->accruing : 0);
    add_own(out, " MaxSubmitJobs", assoc->max_submit_jobs, use ? use->submitted : 0);
    add_plain(out, " MaxWallPJ", assoc->max_wall_per_job);
    next_line(show, out);
    add_maxima(show, "MaxTRESPJ", assoc->max_tres_per_job, assoc->max_tres_per_job_n, out);
    next_line(show, out);
    add_maxima(show, "MaxTRESPN", assoc->max_tres_per_node, assoc->max_tres_per_node_n, out);
    next_line(show, out);
    add_maxima(show, "MaxTRESMinsPJ", assoc->max_tres_mins_per_job, assoc->max_tres_mins_per_job_n,
               out);
    next_line(show, out);
    add_plain(out, "MinPrioThresh", assoc->min_prio_threshold);
    strbuf_addc(out, '\n');
}

void show_assoc_assoc(const struct assoc_show *show, const struct assoc_place *place,
                      struct strbuf *out)
{
    AUTO(assoc_record) struct assoc_record assoc;

    assoc_record_init(&assoc);
    schema_copy(assoc_record_schema(), &assoc, place->assoc);
    for (const struct assoc_place *above = place->above; above; above = above->above)
        inherit(&assoc, above->assoc);
    strbuf_addf(out, "ClusterName=%s Account=%s ", assoc.cluster, assoc.account);
    add_name(show, assoc.user, out);
    strbuf_addf(out, " Partition=%s Priority=%u ID=%u", assoc.partition ? assoc.partition : "",
                is_limit(assoc.priority) ? assoc.priority : 0, assoc.id);
    next_line(show, out);
    add_shares(show, place, out);
    add_place(show, place, out);
    add_assoc_groups(show, &assoc, place->use, out);
    add_assoc_maxima(show, &assoc, place->use, out);
}

/* ---- QOS ---- */

static void add_qos_groups(const struct assoc_show *show, const struct qos_record *qos,
                           const struct acct_use *use, struct strbuf *out)
{
    const uint64_t billing = use ? amount_of(use->used, use->used_n, "billing", 0) : 0;

    strbuf_addf(out, "UsageRaw=%f", (double)billing / SHARE_THOUSAND);
    next_line(show, out);
    add_group(out, "GrpJobs", qos->grp_jobs, use ? use->jobs : 0);
    add_group(out, " GrpJobsAccrue", qos->grp_jobs_accrue, use ? use->accruing : 0);
    add_group(out, " GrpSubmitJobs", qos->grp_submit_jobs, use ? use->submitted : 0);
    strbuf_addc(out, ' ');
    add_wall(out, qos->grp_wall, use);
    next_line(show, out);
    add_groups(show, "GrpTRES", HELD(qos->grp_tres, use), out);
    next_line(show, out);
    add_groups(show, "GrpTRESMins", MINUTES(qos->grp_tres_mins, use, used), out);
    next_line(show, out);
    add_groups(show, "GrpTRESRunMins", MINUTES(qos->grp_tres_run_mins, use, left), out);
    next_line(show, out);
}

static void add_qos_maxima(const struct assoc_show *show, const struct qos_record *qos,
                           struct strbuf *out)
{
    add_plain(out, "MaxWallPJ", qos->max_wall_per_job);
    next_line(show, out);
    add_maxima(show, "MaxTRESPJ", qos->max_tres_per_job, qos->max_tres_per_job_n, out);
    next_line(show, out);
    add_maxima(show, "MaxTRESPN", qos->max_tres_per_node, qos->max_tres_per_node_n, out);
    next_line(show, out);
    add_maxima(show, "MaxTRESMinsPJ", qos->max_tres_mins_per_job, qos->max_tres_mins_per_job_n,
               out);
    next_line(show, out);
    add_plain(out, "MinPrioThresh", qos->min_prio_threshold);
    strbuf_addc(out, ' ');
    next_line(show, out);
    add_maxima(show, "MinTRESPJ", qos->min_tres_per_job, qos->min_tres_per_job_n, out);
    next_line(show, out);
}

static void add_preemption(const struct assoc_show *show, const struct qos_record *qos,
                           struct strbuf *out)
{
    const char *mode =
        qos->preempt_mode == QOS_PREEMPT_CLUSTER ? "off" : qos_preempt_mode_name(qos->preempt_mode);

    strbuf_adds(out, "PreemptMode=");
    for (; *mode; mode++)
        strbuf_addc(out, (char)(*mode >= 'a' && *mode <= 'z' ? *mode - ('a' - 'A') : *mode));
    next_line(show, out);
    strbuf_addf(out, "Priority=%u", qos->priority);
    next_line(show, out);
}

/* The limits of those in a QOS: of each user, or of each account. */
struct part_limits {
    const char *title, *none;
    const char *jobs, *accruing, *submitted, *tres;
    bool of_accounts;
};

static const struct part_limits account_limits = {
    "Account Limits",   "No Accounts", "MaxJobsPA", " MaxJobsAccruePA",
    " MaxSubmitJobsPA", "MaxTRESPA",   true,
};
static const struct part_limits user_limits = {
    "User Limits",      "No Users",  "MaxJobsPU", " MaxJobsAccruePU",
    " MaxSubmitJobsPU", "MaxTRESPU", false,
};

static void add_part(const struct assoc_show *show, const struct qos_record *qos,
                     const struct acct_use *use, const struct part_limits *limits,
                     struct strbuf *out)
{
    const bool is_account = limits->of_accounts;

    strbuf_adds(out, show->one_line ? " " : "      ");
    if (is_account)
        strbuf_adds(out, use->account);
    else
        strbuf_addu(out, show->user_id(use->user));
    strbuf_adds(out, show->one_line ? "={" : "\n        ");
    add_group(out, limits->jobs, is_account ? qos->max_jobs_per_account : qos->max_jobs_per_user,
              use->jobs);
    add_group(out, limits->accruing,
              is_account ? qos->max_jobs_accrue_per_account : qos->max_jobs_accrue_per_user,
              use->accruing);
    add_group(out, limits->submitted,
              is_account ? qos->max_submit_per_account : qos->max_submit_per_user, use->submitted);
    strbuf_adds(out, show->one_line ? " " : "\n        ");
    add_groups(
        show, limits->tres,
        is_account ? HELD(qos->max_tres_per_account, use) : HELD(qos->max_tres_per_user, use), out);
    strbuf_adds(out, show->one_line ? "}" : "\n");
}

static void add_parts(const struct assoc_show *show, const struct qos_record *qos,
                      const struct part_limits *limits, struct strbuf *out)
{
    bool has_any = false;

    strbuf_addf(out, "%s%s", limits->title, show->one_line ? "=" : "\n");
    for (uint32_t i = 0; i < show->view->uses.n; i++) {
        const struct acct_use *use = record_at(&show->view->uses, i);

        if (use->qos_id != qos->id || !(limits->of_accounts ? use->account : use->user))
            continue;
        add_part(show, qos, use, limits, out);
        has_any = true;
    }
    if (!has_any)
        strbuf_addf(out, "%s%s%s", show->one_line ? "" : "        ", limits->none,
                    show->one_line ? "" : "\n");
}

void show_assoc_qos(const struct assoc_show *show, const struct qos_record *qos, struct strbuf *out)
{
    const struct acct_use *use = assoc_view_use(show->view, qos);

    strbuf_addf(out, "QOS=%s(%u)", qos->name, qos->id);
    next_line(show, out);
    add_qos_groups(show, qos, use, out);
    add_qos_maxima(show, qos, out);
    add_preemption(show, qos, out);
    add_parts(show, qos, &account_limits, out);
    strbuf_adds(out, show->one_line ? " " : "    ");
    add_parts(show, qos, &user_limits, out);
    if (show->one_line)
        strbuf_addc(out, '\n');
}
