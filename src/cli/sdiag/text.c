#include "cli/sdiag/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "cli/sdiag/names.h"

#define RULE "*******************************************************\n"

/* Appends a moment as "Fri Nov 20 21:19:15 2026 (1795209555)". */
void sdiag_moment(int64_t t, struct strbuf *out)
{
    time_t seconds = (time_t)t;
    struct tm tm;
    char text[64];

    if (localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%a %b %d %H:%M:%S %Y", &tm))
        strbuf_adds(out, text);
    strbuf_addf(out, " (%" PRId64 ")\n", t);
}

static uint64_t mean(uint64_t total, uint64_t n)
{
    return n ? total / n : 0;
}

uint64_t sdiag_passes(const struct diag *diag)
{
    return diag->ended_at_queue + diag->ended_at_tests + diag->ended_at_starts;
}

static void add_server(const struct diag *diag, struct strbuf *out)
{
    strbuf_addf(out,
                "Server thread count:  %u\n"
                "Agent queue size:     0\n"
                "Agent count:          0\n"
                "Agent thread count:   0\n"
                "DBD Agent queue size: %" PRIu64 "\n",
                diag->sessions, diag->dbd_behind);
    if (diag->dbd_why)
        strbuf_addf(out, "slurmdbd is told of nothing: %s\n", diag->dbd_why);
    if (diag->dbd_copies)
        strbuf_addf(out,
                    "slurmdbd is told of what was before: %u jobs, up to id %u of %u, in %" PRIu64
                    " s\n",
                    diag->dbd_jobs, diag->dbd_at_id, diag->dbd_last_id, diag->dbd_ms / 1000);
    strbuf_addc(out, '\n');
}

static void add_jobs(const struct diag *diag, int64_t now, struct strbuf *out)
{
    strbuf_addf(out,
                "Jobs submitted: %" PRIu64 "\n"
                "Jobs started:   %" PRIu64 "\n"
                "Jobs completed: %" PRIu64 "\n"
                "Jobs canceled:  %" PRIu64 "\n"
                "Jobs failed:    %" PRIu64 "\n\n",
                diag->jobs_submitted, diag->jobs_started, diag->jobs_completed, diag->jobs_canceled,
                diag->jobs_failed);
    strbuf_adds(out, "Job states ts:  ");
    sdiag_moment(now, out);
    strbuf_addf(out,
                "Jobs pending:   %u\n"
                "Jobs running:   %u\n\n",
                diag->jobs_pending, diag->jobs_running);
}

/* Appends a mean only where there is something to divide by. */
static void add_mean(const char *label, uint64_t total, uint64_t n, struct strbuf *out)
{
    if (n)
        strbuf_addf(out, "\t%s%" PRIu64 "\n", label, total / n);
}

static void add_main(const struct diag *diag, int64_t now, struct strbuf *out)
{
    uint64_t minutes = now > diag->since ? (uint64_t)(now - diag->since) / 60 : 0;

    strbuf_addf(out,
                "Main schedule statistics (microseconds):\n"
                "\tLast cycle:   %" PRIu64 "\n"
                "\tMax cycle:    %" PRIu64 "\n"
                "\tTotal cycles: %" PRIu64 "\n",
                diag->cycle_last_us, diag->cycle_max_us, diag->cycles);
    add_mean("Mean cycle:   ", diag->cycle_total_us, diag->cycles, out);
    add_mean("Mean depth cycle:  ", diag->cycle_depth_total, diag->cycles, out);
    add_mean("Cycles per minute: ", diag->cycles, minutes, out);
    strbuf_addf(out, "\tLast queue length: %u\n\n", diag->queue_length);
}

/* Each `label` with how many passes ended so. */
struct ending {
    const char *label;
    uint64_t passes;
};

static void add_endings(const char *title, const struct ending *endings, size_t n,
                        struct strbuf *out)
{
    strbuf_addf(out, "%s\n", title);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(out, "\t%s:%2" PRIu64 "\n", endings[i].label, endings[i].passes);
    strbuf_addc(out, '\n');
}

/* Appends the endings; bounds that our scheduler does not know end no pass. */
static void add_main_endings(const struct diag *diag, struct strbuf *out)
{
    const struct ending endings[] = {
        { "End of job queue", sdiag_passes(diag) },
        { "Hit default_queue_depth", 0 },
        { "Hit sched_max_job_start", 0 },
        { "Blocked on licenses", 0 },
        { "Hit max_rpc_cnt", 0 },
        { "Timeout (max_sched_time)", 0 },
    };

    add_endings("Main scheduler exit:", endings, ARRAY_N(endings), out);
}

static void add_backfill_endings(const struct diag *diag, struct strbuf *out)
{
    const struct ending endings[] = {
        { "End of job queue", diag->ended_at_queue },
        { "Hit bf_max_job_start", diag->ended_at_starts },
        { "Hit bf_max_job_test", diag->ended_at_tests },
        { "System state changed", 0 },
        { "Hit table size limit (bf_node_space_size)", 0 },
        { "Timeout (bf_max_time)", 0 },
    };

    add_endings("Backfill exit", endings, ARRAY_N(endings), out);
}

static void add_backfill(const struct diag *diag, struct strbuf *out)
{
    strbuf_addf(out,
                "Backfilling stats\n"
                "\tTotal backfilled jobs (since last slurm start): %" PRIu64 "\n"
                "\tTotal backfilled jobs (since last stats cycle start): %" PRIu64 "\n"
                "\tTotal backfilled heterogeneous job components: 0\n"
                "\tTotal cycles: %" PRIu64 "\n",
                diag->backfilled_ever, diag->backfilled_jobs, diag->cycles);
    strbuf_adds(out, "\tLast cycle when: ");
    if (diag->cycle_last_at)
        sdiag_moment(diag->cycle_last_at, out);
    else
        strbuf_adds(out, "N/A\n");
    strbuf_addf(out,
                "\tLast cycle: %" PRIu64 "\n"
                "\tMax cycle:  %" PRIu64 "\n",
                diag->cycle_last_us, diag->cycle_max_us);
    add_mean("Mean cycle: ", diag->cycle_total_us, diag->cycles, out);
    strbuf_addf(out,
                "\tLast depth cycle: %" PRIu64 "\n"
                "\tLast depth cycle (try sched): %" PRIu64 "\n",
                diag->depth_last, diag->depth_try_last);
    add_mean("Depth Mean: ", diag->cycle_depth_total, diag->cycles, out);
    add_mean("Depth Mean (try depth): ", diag->depth_try_total, diag->cycles, out);
    strbuf_addf(out, "\tLast queue length: %u\n", diag->queue_length);
    add_mean("Queue length mean: ", diag->queue_total, diag->cycles, out);
    strbuf_addf(out, "\tLast table size: %u\n", diag->table_size);
    add_mean("Mean table size: ", diag->table_total, diag->cycles, out);
    strbuf_addc(out, '\n');
    add_backfill_endings(diag, out);
    strbuf_addf(out, "Latency for 1000 calls to gettimeofday(): %" PRIu64 " microseconds\n\n",
                diag->clock_us);
}

static void add_store(const struct diag *diag, struct strbuf *out)
{
    strbuf_addf(out,
                "State database\n"
                "\tTurns: %" PRIu64 "\n"
                "\tCommits: %" PRIu64 "\n"
                "\tMax commit: %" PRIu64 " microseconds\n\n",
                diag->turns, diag->commits, diag->commit_max_us);
}

/* ---- requests ---- */

static void add_counts(const struct rpc_count *count, struct strbuf *out)
{
    strbuf_addf(out, " count:%-6" PRIu64 " ave_time:%-6" PRIu64 " total_time:%" PRIu64 "\n",
                count->count, mean(count->total_us, count->count), count->total_us);
}

char *sdiag_user(const struct sdiag_view *view, uint32_t uid)
{
    char *name = view->user_name ? view->user_name(uid) : NULL;

    return name ? name : xasprintf("%u", uid);
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_id(const void *a, const void *b)
{
    const struct rpc_count *one = a, *other = b;

    return compare(one->type, other->type);
}

/* Orders requests by the number that is shown, which is not ours. */
static int by_number(const void *a, const void *b)
{
    const struct rpc_count *one = a, *other = b;
    int order = compare(rpc_name_of(one->type).number, rpc_name_of(other->type).number);

    return order ? order : by_id(a, b);
}

/* Orders the most frequent first; equal ones go by their number. */
static int by_count(const void *a, const void *b)
{
    const struct rpc_count *one = a, *other = b;
    int order = compare(other->count, one->count);

    return order ? order : by_id(a, b);
}

static int by_time(const void *a, const void *b)
{
    const struct rpc_count *one = a, *other = b;
    int order = compare(other->total_us, one->total_us);

    return order ? order : by_id(a, b);
}

static int by_mean(const void *a, const void *b)
{
    const struct rpc_count *one = a, *other = b;
    int order = compare(mean(other->total_us, other->count), mean(one->total_us, one->count));

    return order ? order : by_id(a, b);
}

typedef int compare_fn(const void *a, const void *b);

static compare_fn *order_of(enum sdiag_order order, compare_fn *id)
{
    switch (order) {
    case SDIAG_BY_ID:
        return id;
    case SDIAG_BY_TIME:
        return by_time;
    case SDIAG_BY_MEAN:
        return by_mean;
    default:
        return by_count;
    }
}

/* Returns a copy in order; to be freed. */
static struct rpc_count *sorted(const struct rpc_count *counts, uint32_t n, compare_fn *compare_two)
{
    struct rpc_count *copy = xmemdup(counts, n * sizeof(*counts));

    if (n)
        qsort(copy, n, sizeof(*copy), compare_two);
    return copy;
}

static void add_pending(const struct diag *diag, struct strbuf *out)
{
    strbuf_adds(out, "\nPending RPC statistics\n");
    for (uint32_t i = 0; i < diag->pending_n; i++) {
        const struct rpc_name name = rpc_name_of(diag->pending[i].type);

        strbuf_addf(out, "\t%-40s(%5u) count:%-6" PRIu64 "\n", name.text, name.number,
                    diag->pending[i].count);
    }
    if (!diag->pending_n)
        strbuf_adds(out, "\tNo pending RPCs\n");
}

void sdiag_requests(const struct diag *diag, const struct sdiag_view *view,
                    const struct sdiag_widths *widths, struct strbuf *out)
{
    AUTO_FREE struct rpc_count *types =
        sorted(diag->by_type, diag->by_type_n, order_of(view->order, by_number));
    AUTO_FREE struct rpc_count *users =
        sorted(diag->by_user, diag->by_user_n, order_of(view->order, by_id));

    strbuf_adds(out, "Remote Procedure Call statistics by message type\n");
    for (uint32_t i = 0; i < diag->by_type_n; i++) {
        const struct rpc_name name = rpc_name_of(types[i].type);

        strbuf_addf(out, "\t%-*s(%5u)", widths->type, name.text, name.number);
        add_counts(&types[i], out);
    }
    strbuf_adds(out, "\nRemote Procedure Call statistics by user\n");
    for (uint32_t i = 0; i < diag->by_user_n; i++) {
        AUTO_FREE char *name = sdiag_user(view, users[i].type);

        strbuf_addf(out, "\t%-*s(%*u)", widths->user, name, widths->uid, users[i].type);
        add_counts(&users[i], out);
    }
}

void sdiag_format(const struct diag *diag, const struct sdiag_view *view, struct strbuf *out)
{
    static const struct sdiag_widths widths = { 40, 16, 8 };

    strbuf_adds(out, RULE "sdiag output at ");
    sdiag_moment(view->now, out);
    strbuf_adds(out, "Data since      ");
    sdiag_moment(diag->since, out);
    strbuf_adds(out, RULE);
    add_server(diag, out);
    add_jobs(diag, view->now, out);
    add_main(diag, view->now, out);
    add_main_endings(diag, out);
    add_backfill(diag, out);
    add_store(diag, out);
    sdiag_requests(diag, view, &widths, out);
    add_pending(diag, out);
}
