/* The figures and the layout are those that a Slurm 22.05 printed, with how passes ended, as later
 * ones. */
#include "unit/check_main.h"

#include <string.h>
#include <time.h>

#include "cli/sdiag/text.h"
#include "common/msg/types.h"

#define SINCE INT64_C(1795209480) /* 2026-11-20T21:18:00 */
#define NOW   INT64_C(1795209555)

static struct rpc_count by_type[] = {
    { MSG_PARTITION_LIST, 15, 3419 },
    { MSG_JOB_ATTACH, 20, 40 },
    { MSG_NODE_REGISTER, 9, 9015 },
};
static struct rpc_count pending[] = { { MSG_DIAG, 2, 0 } };
static struct rpc_count by_user[] = { { 1000, 16, 19171 }, { 0, 109, 79060 } };

static const struct diag sample = {
    .since = SINCE,
    .jobs_submitted = 7,
    .jobs_started = 5,
    .jobs_completed = 2,
    .jobs_pending = 2,
    .jobs_running = 3,
    .cycles = 4,
    .cycle_last_us = 85,
    .cycle_max_us = 3345,
    .cycle_total_us = 4136,
    .cycle_depth_total = 8,
    .queue_length = 1,
    .backfilled_jobs = 1,
    .backfilled_ever = 6,
    .cycle_last_at = NOW - 5,
    .depth_last = 3,
    .depth_try_last = 1,
    .depth_try_total = 4,
    .queue_total = 12,
    .table_size = 2,
    .table_total = 8,
    .clock_us = 34,
    .ended_at_queue = 2,
    .ended_at_tests = 11,
    .ended_at_starts = 1,
    .pending = pending,
    .pending_n = 1,
    .turns = 30,
    .commits = 20,
    .commit_max_us = 900,
    .sessions = 3,
    .by_type = by_type,
    .by_type_n = 3,
    .by_user = by_user,
    .by_user_n = 2,
};

static char *name_root(uint32_t uid)
{
    return uid == 0 ? xstrdup("root") : NULL;
}

static char *shown(enum sdiag_order order)
{
    const struct sdiag_view view = { NOW, order, name_root };
    struct strbuf out = { 0 };

    setenv("TZ", "UTC", 1);
    tzset();
    sdiag_format(&sample, &view, &out);
    return strbuf_steal(&out);
}

START_TEST(why_slurmdbd_is_told_of_nothing_stands_behind_how_far_it_is)
{
    const struct sdiag_view view = { NOW, SDIAG_BY_COUNT, name_root };
    struct diag diag = sample;
    AUTO(strbuf) struct strbuf out = { 0 };

    diag.dbd_behind = 12;
    diag.dbd_why = (char[]){ "it does not answer" };
    sdiag_format(&diag, &view, &out);

    ck_assert_ptr_nonnull(strstr(strbuf_text(&out),
                                 "DBD Agent queue size: 12\n"
                                 "slurmdbd is told of nothing: it does not answer\n\n"));
}
END_TEST

START_TEST(the_layout_is_the_one_that_exporters_read)
{
    AUTO_FREE char *text = shown(SDIAG_BY_COUNT);

    ck_assert_str_eq(
        text, "*******************************************************\n"
              "sdiag output at Fri Nov 20 21:19:15 2026 (1795209555)\n"
              "Data since      Fri Nov 20 21:18:00 2026 (1795209480)\n"
              "*******************************************************\n"
              "Server thread count:  3\n"
              "Agent queue size:     0\n"
              "Agent count:          0\n"
              "Agent thread count:   0\n"
              "DBD Agent queue size: 0\n"
              "\n"
              "Jobs submitted: 7\n"
              "Jobs started:   5\n"
              "Jobs completed: 2\n"
              "Jobs canceled:  0\n"
              "Jobs failed:    0\n"
              "\n"
              "Job states ts:  Fri Nov 20 21:19:15 2026 (1795209555)\n"
              "Jobs pending:   2\n"
              "Jobs running:   3\n"
              "\n"
              "Main schedule statistics (microseconds):\n"
              "\tLast cycle:   85\n"
              "\tMax cycle:    3345\n"
              "\tTotal cycles: 4\n"
              "\tMean cycle:   1034\n"
              "\tMean depth cycle:  2\n"
              "\tCycles per minute: 4\n"
              "\tLast queue length: 1\n"
              "\n"
              "Main scheduler exit:\n"
              "\tEnd of job queue:14\n"
              "\tHit default_queue_depth: 0\n"
              "\tHit sched_max_job_start: 0\n"
              "\tBlocked on licenses: 0\n"
              "\tHit max_rpc_cnt: 0\n"
              "\tTimeout (max_sched_time): 0\n"
              "\n"
              "Backfilling stats\n"
              "\tTotal backfilled jobs (since last slurm start): 6\n"
              "\tTotal backfilled jobs (since last stats cycle start): 1\n"
              "\tTotal backfilled heterogeneous job components: 0\n"
              "\tTotal cycles: 4\n"
              "\tLast cycle when: Fri Nov 20 21:19:10 2026 (1795209550)\n"
              "\tLast cycle: 85\n"
              "\tMax cycle:  3345\n"
              "\tMean cycle: 1034\n"
              "\tLast depth cycle: 3\n"
              "\tLast depth cycle (try sched): 1\n"
              "\tDepth Mean: 2\n"
              "\tDepth Mean (try depth): 1\n"
              "\tLast queue length: 1\n"
              "\tQueue length mean: 3\n"
              "\tLast table size: 2\n"
              "\tMean table size: 2\n"
              "\n"
              "Backfill exit\n"
              "\tEnd of job queue: 2\n"
              "\tHit bf_max_job_start: 1\n"
              "\tHit bf_max_job_test:11\n"
              "\tSystem state changed: 0\n"
              "\tHit table size limit (bf_node_space_size): 0\n"
              "\tTimeout (bf_max_time): 0\n"
              "\n"
              "Latency for 1000 calls to gettimeofday(): 34 microseconds\n"
              "\n"
              "State database\n"
              "\tTurns: 30\n"
              "\tCommits: 20\n"
              "\tMax commit: 900 microseconds\n"
              "\n"
              "Remote Procedure Call statistics by message type\n"
              "\tJOB_ATTACH                              (   26) count:20     ave_time:2      "
              "total_time:40\n"
              "\tREQUEST_PARTITION_INFO                  ( 2009) count:15     ave_time:227    "
              "total_time:3419\n"
              "\tMESSAGE_NODE_REGISTRATION_STATUS        ( 1002) count:9      ave_time:1001   "
              "total_time:9015\n"
              "\n"
              "Remote Procedure Call statistics by user\n"
              "\troot            (       0) count:109    ave_time:725    total_time:79060\n"
              "\t1000            (    1000) count:16     ave_time:1198   total_time:19171\n"
              "\n"
              "Pending RPC statistics\n"
              "\tDIAG                                    (   44) count:2     \n");
}
END_TEST

static const struct {
    enum sdiag_order order;
    const char *first;
} orders[] = {
    { SDIAG_BY_COUNT, "type\n\tJOB_ATTACH" },
    { SDIAG_BY_ID, "type\n\tJOB_ATTACH" },
    { SDIAG_BY_ID, "count:20     ave_time:2      total_time:40\n\tMESSAGE_NODE" },
    { SDIAG_BY_TIME, "type\n\tMESSAGE_NODE" },
    { SDIAG_BY_MEAN, "type\n\tMESSAGE_NODE" },
};

START_TEST(requests_come_in_the_order_asked_for)
{
    AUTO_FREE char *text = shown(orders[_i].order);

    ck_assert_ptr_nonnull(strstr(text, orders[_i].first));
}
END_TEST

START_TEST(a_fresh_controller_divides_by_nothing)
{
    const struct diag fresh = { .since = NOW };
    const struct sdiag_view view = { .now = NOW };
    AUTO(strbuf) struct strbuf out = { 0 };

    sdiag_format(&fresh, &view, &out);

    ck_assert_ptr_null(strstr(strbuf_text(&out), "Mean"));
    ck_assert_ptr_null(strstr(strbuf_text(&out), "per minute"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "\tLast cycle when: N/A\n"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "\tNo pending RPCs\n"));
}
END_TEST

CHECK_MAIN(text, CASE(why_slurmdbd_is_told_of_nothing_stands_behind_how_far_it_is),
           CASE(the_layout_is_the_one_that_exporters_read),
           LOOP_CASE(requests_come_in_the_order_asked_for, ARRAY_N(orders)),
           CASE(a_fresh_controller_divides_by_nothing))
