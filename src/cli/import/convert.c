#include "cli/import/convert.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"

#define MILLION      1e6
#define SHARES_ABOVE 2147483647 /* Fairshare=parent */

/* ---- limits ---- */

struct limit_column {
    int column;
    bool is_amounts;
    size_t offset, n_offset; /* of the list and its count, or of the number */
};

#define NUMBER(table, column_, record, member)                                                     \
    {                                                                                              \
        table##_##column_, false, offsetof(struct record, member), 0                               \
    }
#define AMOUNTS(table, column_, record, member)                                                    \
    {                                                                                              \
        table##_##column_, true, offsetof(struct record, member),                                  \
            offsetof(struct record, member##_n)                                                    \
    }

/* Those that associations and QOS have alike. */
#define COMMON_LIMITS(table, record)                                                               \
    AMOUNTS(table, grp_tres, record, grp_tres),                                                    \
        AMOUNTS(table, grp_tres_mins, record, grp_tres_mins),                                      \
        AMOUNTS(table, grp_tres_run_mins, record, grp_tres_run_mins),                              \
        NUMBER(table, grp_jobs, record, grp_jobs),                                                 \
        NUMBER(table, grp_jobs_accrue, record, grp_jobs_accrue),                                   \
        NUMBER(table, grp_submit_jobs, record, grp_submit_jobs),                                   \
        NUMBER(table, grp_wall, record, grp_wall),                                                 \
        AMOUNTS(table, max_tres_pj, record, max_tres_per_job),                                     \
        AMOUNTS(table, max_tres_pn, record, max_tres_per_node),                                    \
        AMOUNTS(table, max_tres_mins_pj, record, max_tres_mins_per_job),                           \
        NUMBER(table, min_prio_thresh, record, min_prio_threshold)

static const struct limit_column assoc_limits[] = {
    COMMON_LIMITS(ASSOC, assoc_record),
    NUMBER(ASSOC, max_wall_pj, assoc_record, max_wall_per_job),
    NUMBER(ASSOC, max_jobs, assoc_record, max_jobs),
    NUMBER(ASSOC, max_jobs_accrue, assoc_record, max_jobs_accrue),
    NUMBER(ASSOC, max_submit_jobs, assoc_record, max_submit_jobs),
    NUMBER(ASSOC, priority, assoc_record, priority),
};

static const struct limit_column qos_limits[] = {
    COMMON_LIMITS(QOS, qos_record),
    NUMBER(QOS, max_wall_duration_per_job, qos_record, max_wall_per_job),
    NUMBER(QOS, max_jobs_per_user, qos_record, max_jobs_per_user),
    NUMBER(QOS, max_jobs_pa, qos_record, max_jobs_per_account),
    NUMBER(QOS, max_jobs_accrue_pu, qos_record, max_jobs_accrue_per_user),
    NUMBER(QOS, max_jobs_accrue_pa, qos_record, max_jobs_accrue_per_account),
    NUMBER(QOS, max_submit_jobs_per_user, qos_record, max_submit_per_user),
    NUMBER(QOS, max_submit_jobs_pa, qos_record, max_submit_per_account),
    AMOUNTS(QOS, max_tres_pu, qos_record, max_tres_per_user),
    AMOUNTS(QOS, max_tres_pa, qos_record, max_tres_per_account),
    AMOUNTS(QOS, max_tres_run_mins_pu, qos_record, max_tres_run_mins_per_user),
    AMOUNTS(QOS, max_tres_run_mins_pa, qos_record, max_tres_run_mins_per_account),
    AMOUNTS(QOS, min_tres_pj, qos_record, min_tres_per_job),
    NUMBER(QOS, preempt_exempt_time, qos_record, preempt_exempt_time),
};

/* A list of amounts that is being made. */
struct amounts {
    const struct converting *converting;
    struct acct_amount **list;
    uint32_t *n;
};

static void add_amount(uint32_t id, uint64_t amount, void *ctx)
{
    struct amounts *amounts = ctx;
    const struct converting *converting = amounts->converting;
    const char *name = foreign_tres(converting->foreign, id);
    struct acct_amount *added;

    if (!name || !book_tres_id(converting->book, name)) {
        plan_note(converting->plan,
                  "limits on TRES that this cluster does not count (AccountingStorageTRES)", "%s",
                  name ? name : "of an unknown number");
        return;
    }
    added = ARRAY_PUSH(*amounts->list, *amounts->n);
    acct_amount_init(added);
    added->tres = xstrdup(name);
    added->amount = amount;
}

/* Reads a limit: below zero, and what says "none" or "unlimited", there is none. */
static uint32_t read_limit(struct foreign_row *row, int column)
{
    const int64_t number = foreign_i64(row, column, -1);

    if (number > COUNT_INFINITE)
        foreign_refuse(row, column, "more than 32 bits hold");
    return number < 0 || number >= COUNT_UNSET ? COUNT_UNSET : (uint32_t)number;
}

static void read_limits(const struct converting *converting, struct foreign_row *row,
                        const struct limit_column *columns, size_t n, void *record)
{
    for (size_t i = 0; i < n; i++) {
        char *at = (char *)record + columns[i].offset;
        struct amounts amounts = { converting, (struct acct_amount **)(void *)at,
                                   (uint32_t *)(void *)((char *)record + columns[i].n_offset) };

        if (columns[i].is_amounts)
            foreign_each_amount(row, columns[i].column, add_amount, &amounts);
        else
            *(uint32_t *)(void *)at = read_limit(row, columns[i].column);
    }
}

/* ---- QOS ---- */

void convert_qos_list(const struct converting *converting, const char *text, char ***names,
                      uint32_t *n)
{
    while (text && *text) {
        const char sign = *text == '+' || *text == '-' ? *text : '\0';
        unsigned long id;
        const char *name;
        char *end;

        if (*text == ',') {
            text++;
            continue;
        }
        id = strtoul(text + (sign != 0), &end, 10);
        name = end == text + (sign != 0) ? NULL : foreign_qos(converting->foreign, id);
        if (name)
            *ARRAY_PUSH(*names, *n) = sign ? xasprintf("%c%s", sign, name) : xstrdup(name);
        text = *end ? end + 1 : end;
    }
}

static uint32_t preempt_mode(const struct converting *converting, uint32_t bits, const char *qos)
{
    static const struct {
        uint32_t bits, mode;
    } modes[] = { { 0, QOS_PREEMPT_CLUSTER },          { 1, QOS_PREEMPT_SUSPEND },
                  { 2, QOS_PREEMPT_REQUEUE },          { 8, QOS_PREEMPT_CANCEL },
                  { 0x4000, QOS_PREEMPT_WITHIN },      { 0x8000, QOS_PREEMPT_GANG },
                  { 0x8001, QOS_PREEMPT_GANG_SUSPEND } };

    for (size_t i = 0; i < ARRAY_N(modes); i++) {
        if (modes[i].bits == bits)
            return modes[i].mode;
    }
    plan_note(converting->plan,
              "QOS have a PreemptMode that is not here: that of the cluster holds", "%s", qos);
    return QOS_PREEMPT_CLUSTER;
}

/* Reads a factor as millionths. */
static uint32_t read_millionths(struct foreign_row *row, int column)
{
    const double number = foreign_double(row, column, -1);

    if (number < 0)
        return COUNT_UNSET;
    if (number * MILLION >= COUNT_UNSET) {
        foreign_refuse(row, column, "too large");
        return COUNT_UNSET;
    }
    return (uint32_t)(number * MILLION + 0.5);
}

void convert_qos(const struct converting *converting, struct foreign_row *row,
                 struct qos_record *ret)
{
    const uint32_t flags = foreign_u32(row, QOS_flags, 0);
    const double factor = foreign_double(row, QOS_usage_factor, 1);
    const uint32_t grace = read_limit(row, QOS_grace_time);

    ret->name = xstrdup(foreign_text(row, QOS_name));
    ret->description = xstrdup(foreign_text(row, QOS_description));
    ret->priority = foreign_u32(row, QOS_priority, 0);
    ret->flags = flags & QOS_FLAGS;
    if (flags & ~(uint32_t)QOS_FLAGS)
        plan_note(converting->plan, "QOS have flags that are not here", "%s", ret->name);
    ret->grace_time = grace ? grace : COUNT_UNSET;
    if (factor < 0 || factor > 1e6)
        foreign_refuse(row, QOS_usage_factor, "no factor");
    else
        ret->usage_factor_above_1 = (int64_t)((factor - 1) * MILLION + (factor < 1 ? -0.5 : 0.5));
    ret->usage_threshold = read_millionths(row, QOS_usage_thres);
    ret->limit_factor = read_millionths(row, QOS_limit_factor);
    ret->preempt_mode = preempt_mode(converting, foreign_u32(row, QOS_preempt_mode, 0), ret->name);
    convert_qos_list(converting, foreign_text(row, QOS_preempt), &ret->preempt, &ret->preempt_n);
    read_limits(converting, row, qos_limits, ARRAY_N(qos_limits), ret);
}

/* ---- the others ---- */

void convert_account(const struct converting *converting, struct foreign_row *row,
                     struct account_record *ret)
{
    (void)converting;
    ret->name = xstrdup(foreign_text(row, ACCOUNT_name));
    ret->description = xstrdup(foreign_text(row, ACCOUNT_description));
    ret->organization = xstrdup(foreign_text(row, ACCOUNT_organization));
    if (foreign_u32(row, ACCOUNT_flags, 0)) /* there is but one */
        ret->flags = ACCOUNT_USERS_ARE_COORDS;
}

void convert_user(const struct converting *converting, struct foreign_row *row,
                  struct user_record *ret)
{
    const uint32_t level = foreign_u32(row, USER_admin_level, 1);

    (void)converting;
    ret->name = xstrdup(foreign_text(row, USER_name));
    if (level > ADMIN_LEVELS_N)
        foreign_refuse(row, USER_admin_level, "no level");
    ret->admin_level = level ? level - 1 : ADMIN_NONE; /* 0: it was never set */
}

void convert_assoc(const struct converting *converting, struct foreign_row *row,
                   const char *cluster, struct assoc_record *ret)
{
    const int64_t shares = foreign_i64(row, ASSOC_shares, SHARES_DEFAULT);
    const char *qos = foreign_text(row, ASSOC_qos), *delta = foreign_text(row, ASSOC_delta_qos);

    ret->cluster = xstrdup(cluster);
    ret->account = xstrdup(foreign_text(row, ASSOC_acct));
    ret->user = xstrdup(foreign_text(row, ASSOC_user));
    ret->partition = xstrdup(foreign_text(row, ASSOC_partition));
    ret->parent = ret->user ? NULL : xstrdup(foreign_text(row, ASSOC_parent_acct));
    ret->is_default = ret->user && foreign_u32(row, ASSOC_is_def, 0);
    if (shares < 0 || shares > SHARES_ABOVE)
        foreign_refuse(row, ASSOC_shares, "no shares");
    else if (shares != SHARES_DEFAULT)
        ret->shares = shares == SHARES_ABOVE ? SHARES_PARENT : (uint32_t)shares;
    ret->comment = xstrdup(foreign_text(row, ASSOC_comment));
    convert_qos_list(converting, qos ? qos : delta, &ret->qos, &ret->qos_n);
    ret->default_qos =
        xstrdup(foreign_qos(converting->foreign, foreign_u32(row, ASSOC_def_qos_id, 0)));
    if (foreign_text(row, ASSOC_max_tres_run_mins))
        plan_note(converting->plan, "associations have MaxTRESRunMins, which are not here", "%s",
                  ret->user ? ret->user : ret->account);
    read_limits(converting, row, assoc_limits, ARRAY_N(assoc_limits), ret);
}
