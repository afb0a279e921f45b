/* show_reservation.c - scontrol show reservation. */
#include "cli/scontrol/show.h"

struct reservation_row {
    const struct reservation_record *record;
    const struct reservation_view *view;
};

static const struct reservation_view *view_of(const void *row)
{
    return ((const struct reservation_row *)row)->view;
}

static bool start(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->start;
    return true;
}

static bool end(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->end;
    return true;
}

static bool duration(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->end - view_of(row)->start;
    return true;
}

static bool nodes_n(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->nodes_n;
    return true;
}

/* Appends the flags, and behind them the cores that it has of nodes, where Slurm has them. */
static void make_flags(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct reservation_record *record = view_of(row)->record;
    const struct show *show = ctx->user;

    reservation_flags_format(record->flags, record->purge_comp_s, out);
    for (uint32_t i = 0; i < record->parts_n; i++) {
        strbuf_addf(out, "%sNodeName=%s CoreIDs=", show->one_line ? "   " : "\n     ",
                    record->parts[i].node);
        reservation_cores_format(view_of(row), &record->parts[i], out);
    }
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    reservation_tres_format(view_of(row), out);
}

static void make_per_node(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    reservation_per_node_format(view_of(row)->record, out);
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, view_of(row)->is_active ? "ACTIVE" : "INACTIVE");
}

static bool max_start_delay(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = view_of(row)->record->max_start_delay_s;
    return *ret != 0;
}

static void make_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

static const struct report_root roots[] = {
    { "resv", reservation_record_schema, offsetof(struct reservation_row, record) },
};

/* What 22.05 has not is on lines of its own, and only where it is set. */
#define LATER (REPORT_NEW_LINE | REPORT_OMIT)

/* clang-format off */
static const struct report_column columns[] = {
    { .title = "ReservationName", .path = "resv.name" },
    { .title = "StartTime", .number = start, .kind = KIND_TIME },
    { .title = "EndTime", .number = end, .kind = KIND_TIME },
    { .title = "Duration", .number = duration, .kind = KIND_LIMIT, .style = REPORT_LONG },
    { .title = "Nodes", .path = "resv.nodes", .style = REPORT_NEW_LINE },
    { .title = "NodeCnt", .number = nodes_n, .kind = KIND_U32 },
    { .title = "CoreCnt", .path = "resv.core_cnt", .unset = "0" },
    { .title = "Features", .path = "resv.features" },
    { .title = "PartitionName", .path = "resv.partition" },
    { .title = "Flags", .make = make_flags, .unset = "", .style = REPORT_LINES },
    { .title = "TRES", .make = make_tres, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "TRESPerNode", .make = make_per_node, .style = LATER },
    { .title = "Users", .path = "resv.users", .style = REPORT_NEW_LINE },
    { .title = "Groups", .path = "resv.groups" },
    { .title = "Accounts", .path = "resv.accounts" },
    { .title = "Licenses", .path = "resv.licenses" },
    { .title = "State", .make = make_state },
    { .title = "BurstBuffer", .make = make_nothing, .unset = "(null)" },
    { .title = "Watts", .make = make_nothing, .unset = "n/a" },
    { .title = "QOS", .path = "resv.qos", .style = LATER },
    { .title = "AllowedPartitions", .path = "resv.partitions", .style = LATER },
    { .title = "MaxStartDelay", .number = max_start_delay, .kind = KIND_LIMIT, .unset = "(null)", .style = REPORT_NEW_LINE | REPORT_LONG },
    { .title = "Comment", .path = "resv.comment", .style = LATER },
};
/* clang-format on */

const struct report_table show_reservation_table = { roots, ARRAY_N(roots), columns,
                                                     ARRAY_N(columns) };

void show_reservation(const struct show *show, const struct reservation_view *view,
                      struct strbuf *out)
{
    const struct reservation_row row = { view->record, view };
    struct report_context ctx = show->ctx;

    ctx.user = show;
    report_record(&show_reservation_table, show->paths, &ctx, &row, show->one_line, out);
}
