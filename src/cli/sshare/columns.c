#include "cli/sshare/columns.h"

#include "common/base/alloc.h"
#include "common/text/words.h"

static const struct share_info *info_of(const void *row)
{
    return ((const struct share_row *)row)->info;
}

static bool is_root(const struct share_info *info)
{
    return !info->user && !info->parent;
}

static void make_account(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    for (uint32_t i = 0; i < ((const struct share_row *)row)->depth; i++)
        strbuf_addc(out, ' ');
    strbuf_adds(out, info_of(row)->account);
}

static void make_shares(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct share_info *info = info_of(row);

    (void)ctx;
    if (is_root(info))
        return;
    if (info->shares == SHARES_PARENT)
        strbuf_adds(out, "parent");
    else
        strbuf_addu(out, info->shares);
}

static void add_factor(uint64_t billionths, struct strbuf *out)
{
    if (billionths == SHARE_INFINITE)
        strbuf_adds(out, "inf");
    else if (billionths != SHARE_NOT_SHOWN)
        strbuf_addf(out, "%.6f", (double)billionths / SHARE_BILLION);
}

#define FACTOR(member)                                                                             \
    static void make_##member(const struct report_context *ctx, const void *row,                   \
                              struct strbuf *out)                                                  \
    {                                                                                              \
        (void)ctx;                                                                                 \
        add_factor(info_of(row)->member, out);                                                     \
    }

FACTOR(norm_shares)
FACTOR(effective_usage)
FACTOR(factor)
FACTOR(level)

static void make_norm_usage(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (!is_root(info_of(row)))
        add_factor(info_of(row)->norm_usage, out);
}

/* Appends whole units; as Slurm's, the last one that has not been used up does not count. */
static void make_usage(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct share_info *info = info_of(row);

    (void)ctx;
    for (uint32_t i = 0; i < info->used_n; i++) {
        if (text_is(info->used[i].tres, "billing"))
            strbuf_addu(out, info->used[i].amount / (uint64_t)SHARE_THOUSAND);
    }
}

/* Appends "cpu=1,mem=4000": amounts less their fractions of a unit. */
static void add_list(const struct acct_amount *list, uint32_t n, uint64_t unit, struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        strbuf_addf(out, "%s%s=", i ? "," : "", list[i].tres);
        strbuf_addu(out, list[i].amount / unit);
    }
}

#define THOUSANDTHS_OF_MINUTE 60000

static void make_limits(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_list(info_of(row)->grp_tres_mins, info_of(row)->grp_tres_mins_n, 1, out);
}

static void make_used(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_list(info_of(row)->used, info_of(row)->used_n, THOUSANDTHS_OF_MINUTE, out);
}

static void make_run(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_list(info_of(row)->run, info_of(row)->run_n, THOUSANDTHS_OF_MINUTE, out);
}

static const struct report_root roots[] = {
    { "share", share_info_schema, offsetof(struct share_row, info) },
};

#define COLUMN(column, size, from)                                                                 \
    {                                                                                              \
        .name = #column, .title = #column, .width = (size), .unset = "", .path = (from)            \
    }
#define MADE(column, size, how)                                                                    \
    {                                                                                              \
        .name = #column, .title = #column, .width = (size), .unset = "", .make = (how)             \
    }

static const struct report_column columns[] = {
    MADE(Account, 20, make_account),
    COLUMN(Cluster, 10, "share.cluster"),
    MADE(EffectvUsage, 13, make_effective_usage),
    MADE(FairShare, 10, make_factor),
    MADE(GrpTRESMins, 30, make_limits),
    MADE(GrpTRESRaw, 30, make_used),
    COLUMN(ID, 6, "share.id"),
    MADE(LevelFS, 10, make_level),
    MADE(NormShares, 11, make_norm_shares),
    MADE(NormUsage, 11, make_norm_usage),
    COLUMN(Partition, 12, "share.partition"),
    MADE(RawShares, 10, make_shares),
    MADE(RawUsage, 11, make_usage),
    MADE(TRESRunMins, 30, make_run),
    COLUMN(User, 10, "share.user"),
};

static const struct report_table table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };
const struct acct_choice share_choice = { &table, 0 };
