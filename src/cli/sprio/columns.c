#include "cli/sprio/columns.h"

#include <inttypes.h>

#include "common/base/alloc.h"

/* A factor of 1 or less, as a part of all priorities that there are. */
#define PRIORITY_ALL 4294967295.0

static const struct prio_row *row_of(const void *row)
{
    return row;
}

static void add_raw(uint64_t billionths, struct strbuf *out)
{
    strbuf_addf(out, "%.7f", (double)billionths / PRIORITY_BILLION);
}

static void add_weighted(uint64_t billionths, struct strbuf *out)
{
    strbuf_addf(out, "%.0f", (double)billionths / PRIORITY_BILLION);
}

/* A column for the factor before its weight and one for after; the weight itself is in both. */
#define FACTOR(member, weight)                                                                     \
    static void make_##member##_raw(const struct report_context *ctx, const void *row,             \
                                    struct strbuf *out)                                            \
    {                                                                                              \
        (void)ctx;                                                                                 \
        if (row_of(row)->job)                                                                      \
            add_raw(row_of(row)->job->member##_raw, out);                                          \
        else                                                                                       \
            strbuf_addu(out, row_of(row)->conf->weight);                                           \
    }                                                                                              \
    static void make_##member(const struct report_context *ctx, const void *row,                   \
                              struct strbuf *out)                                                  \
    {                                                                                              \
        (void)ctx;                                                                                 \
        if (row_of(row)->job)                                                                      \
            add_weighted(row_of(row)->job->member, out);                                           \
        else                                                                                       \
            strbuf_addu(out, row_of(row)->conf->weight);                                           \
    }                                                                                              \
    static bool order_##member(const struct report_context *ctx, const void *row, int64_t *ret)    \
    {                                                                                              \
        (void)ctx;                                                                                 \
        *ret = row_of(row)->job ? (int64_t)row_of(row)->job->member : 0;                           \
        return true;                                                                               \
    }

FACTOR(age, priority_weight_age)
FACTOR(assoc, priority_weight_assoc)
FACTOR(fair_share, priority_weight_fair_share)
FACTOR(job_size, priority_weight_job_size)
FACTOR(in_partition, priority_weight_partition)
FACTOR(qos, priority_weight_qos)

static void make_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->job)
        strbuf_addu(out, row_of(row)->job->job_id);
    else
        strbuf_adds(out, "Weights");
}

static bool order_id(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->job ? row_of(row)->job->job_id : 0;
    return true;
}

static void make_partition(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->job && row_of(row)->job->partition)
        strbuf_adds(out, row_of(row)->job->partition);
}

static void make_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct priority_info *job = row_of(row)->job;

    (void)ctx;
    if (job && job->user)
        strbuf_adds(out, job->user);
    else if (job)
        strbuf_addu(out, job->uid);
}

/* Appends a name; nothing for what the job did not ask for. */
static void add_name(const struct prio_row *row, const char *name, struct strbuf *out)
{
    if (row->job)
        strbuf_adds(out, name ? name : "(null)");
}

static void make_account(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_name(row, row_of(row)->job ? row_of(row)->job->account : NULL, out);
}

static void make_qos_name(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_name(row, row_of(row)->job ? row_of(row)->job->qos_name : NULL, out);
}

static void make_priority(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->job)
        strbuf_addu(out, row_of(row)->job->priority);
}

static bool order_priority(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->job ? (int64_t)row_of(row)->job->priority : 0;
    return true;
}

/* Appends the priority; one that an operator has set is shown as it is. */
static void make_normal(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct priority_info *job = row_of(row)->job;

    (void)ctx;
    if (job)
        strbuf_addf(out, "%.14f", (double)job->priority / (job->is_set ? 1 : PRIORITY_ALL));
}

static void make_site(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_addi(out, row_of(row)->job ? row_of(row)->job->site : 1);
}

static void make_nice(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->job)
        strbuf_addi(out, row_of(row)->job->nice);
}

/* Orders by the sum of the parts. */
static bool order_tres(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct priority_info *job = row_of(row)->job;

    (void)ctx;
    *ret = 0;
    for (uint32_t i = 0; job && i < job->tres_n; i++)
        *ret += (int64_t)job->tres[i].weighted;
    return true;
}

static void make_tres_raw(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct priority_info *job = row_of(row)->job;

    (void)ctx;
    for (uint32_t i = 0; job && i < job->tres_n; i++)
        strbuf_addf(out, "%s%s=%.2f", i ? "," : "", job->tres[i].name,
                    (double)job->tres[i].raw / PRIORITY_BILLION);
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct priority_info *job = row_of(row)->job;
    const struct slurm_conf *conf = row_of(row)->conf;

    (void)ctx;
    for (uint32_t i = 0; job && i < job->tres_n; i++)
        strbuf_addf(out, "%s%s=%.0f", i ? "," : "", job->tres[i].name,
                    (double)job->tres[i].weighted / PRIORITY_BILLION);
    if (!job && conf->priority_weight_tres)
        strbuf_adds(out, conf->priority_weight_tres);
}

#define TEXT(key, head, function)                                                                  \
    {                                                                                              \
        .letter = (key), .title = (head), .make = function, .unset = ""                            \
    }
#define BOTH(key, head, function, order)                                                           \
    {                                                                                              \
        .letter = (key), .title = (head), .make = function, .number = order, .kind = KIND_U64,     \
        .unset = ""                                                                                \
    }

static const struct report_column columns[] = {
    BOTH('a', "AGE", make_age_raw, order_age),
    BOTH('A', "AGE", make_age, order_age),
    BOTH('b', "ASSOC", make_assoc_raw, order_assoc),
    BOTH('B', "ASSOC", make_assoc, order_assoc),
    { .letter = 'c', .title = "CLUSTER", .unset = "(null)" },
    BOTH('f', "FAIRSHARE", make_fair_share_raw, order_fair_share),
    BOTH('F', "FAIRSHARE", make_fair_share, order_fair_share),
    BOTH('i', "JOBID", make_id, order_id),
    BOTH('j', "JOBSIZE", make_job_size_raw, order_job_size),
    BOTH('J', "JOBSIZE", make_job_size, order_job_size),
    TEXT('n', "QOSNAME", make_qos_name),
    TEXT('N', "NICE", make_nice),
    TEXT('o', "ACCOUNT", make_account),
    BOTH('p', "PARTITION", make_in_partition_raw, order_in_partition),
    BOTH('P', "PARTITION", make_in_partition, order_in_partition),
    BOTH('q', "QOS", make_qos_raw, order_qos),
    BOTH('Q', "QOS", make_qos, order_qos),
    TEXT('r', "PARTITION", make_partition),
    TEXT('S', "SITE", make_site),
    BOTH('t', "TRES", make_tres_raw, order_tres),
    BOTH('T', "TRES", make_tres, order_tres),
    TEXT('u', "USER", make_user),
    BOTH('y', "PRIORITY", make_normal, order_priority),
    BOTH('Y', "PRIORITY", make_priority, order_priority),
};

const struct report_table prio_table = { NULL, 0, columns, ARRAY_N(columns) };

void prio_default_format(const struct slurm_conf *conf, const struct prio_shape *shape,
                         struct strbuf *out)
{
    const struct {
        char raw, weighted;
        uint32_t weight;
    } factors[] = {
        { 'a', 'A', conf->priority_weight_age },
        { 'b', 'B', conf->priority_weight_assoc },
        { 'f', 'F', conf->priority_weight_fair_share },
        { 'j', 'J', conf->priority_weight_job_size },
        { 'p', 'P', conf->priority_weight_partition },
        { 'q', 'Q', conf->priority_weight_qos },
    };

    strbuf_adds(out, "%.15i %9r");
    if (shape->with_user || shape->is_long)
        strbuf_adds(out, " %.8u");
    strbuf_adds(out, shape->normal ? " %10y" : " %.10Y %.10S");
    for (size_t i = 0; i < ARRAY_N(factors); i++) {
        if (shape->is_long || factors[i].weight)
            strbuf_addf(out, shape->normal ? " %%10%c" : " %%.10%c",
                        shape->normal ? factors[i].raw : factors[i].weighted);
    }
    if (shape->is_long && !shape->normal)
        strbuf_adds(out, " %.11N");
    if (shape->is_long || conf->priority_weight_tres)
        strbuf_adds(out, shape->normal ? " %20t" : " %.20T");
}
