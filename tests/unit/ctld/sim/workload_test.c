#include "unit/check_main.h"

#include <stdio.h>
#include <string.h>

#include "ctld/sim/workload.h"

/* "id submit run used asked request" of each job; the rest is unknown. */
static struct swf trace(const char *header, const char *const *jobs, uint32_t n)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };
    struct swf swf;

    strbuf_adds(&text, header);
    for (uint32_t i = 0; i < n; i++) {
        long long v[6];

        ck_assert_int_eq(sscanf(jobs[i], "%lld %lld %lld %lld %lld %lld", &v[0], &v[1], &v[2],
                                &v[3], &v[4], &v[5]),
                         6);
        strbuf_addf(&text, "%lld %lld -1 %lld %lld -1 -1 %lld %lld", v[0], v[1], v[2], v[3], v[4],
                    v[5]);
        strbuf_adds(&text, " -1 1 1 -1 -1 -1 -1 -1 -1\n");
    }
    swf_init(&swf, "t.swf");
    ck_assert_msg(swf_feed(&swf, text.data, text.len, &err) == 0, "%s", err.text);
    return swf;
}

#define TRACE(header, ...)                                                                         \
    trace(header, (const char *const[]){ __VA_ARGS__ },                                            \
          sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

START_TEST(jobs_that_could_not_have_run_are_left_out_and_counted)
{
    AUTO(swf)
    struct swf swf = TRACE("; MaxProcs: 8\n", "1 0 5 4 4 9", "2 -1 5 4 4 9", "3 0 0 4 4 9",
                           "4 0 5 4 4 0", "5 0 5 -1 -1 9", "6 0 5 9 9 9", "7 0 5 9 8 9");
    AUTO(workload) struct workload workload = { 0 };

    ck_assert_int_eq(workload_from_swf(&swf, 0, &workload, NULL), 0);

    ck_assert_uint_eq(workload.procs, 8);
    ck_assert_uint_eq(workload.jobs_n, 2);
    ck_assert_int_eq(workload.jobs[1].number, 7);
    ck_assert_uint_eq(workload.dropped.no_submit, 1);
    ck_assert_uint_eq(workload.dropped.no_run, 1);
    ck_assert_uint_eq(workload.dropped.no_request, 1);
    ck_assert_uint_eq(workload.dropped.no_size, 1);
    ck_assert_uint_eq(workload.dropped.too_wide, 1);
    ck_assert_uint_eq(workload_dropped_n(&workload.dropped), 5);
}
END_TEST

START_TEST(runs_are_cut_to_the_request_and_sizes_taken_where_they_stand)
{
    AUTO(swf) struct swf swf = TRACE("; MaxProcs: 8\n", "1 0 50 3 -1 9", "2 0 5 3 4 9");
    AUTO(workload) struct workload workload = { 0 };

    ck_assert_int_eq(workload_from_swf(&swf, 0, &workload, NULL), 0);

    ck_assert_int_eq(workload.jobs[0].run_ms, 9000);
    ck_assert_int_eq(workload.jobs[0].limit_ms, 9000);
    ck_assert_uint_eq(workload.jobs[0].procs, 3);
    ck_assert_int_eq(workload.jobs[1].run_ms, 5000);
    ck_assert_uint_eq(workload.jobs[1].procs, 4);
}
END_TEST

START_TEST(where_no_job_has_a_request_each_asks_for_what_it_runs)
{
    AUTO(swf) struct swf swf = TRACE("; MaxNodes: 8\n", "1 0 50 3 -1 -1", "2 0 5 3 -1 -1");
    AUTO(workload) struct workload workload = { 0 };

    ck_assert_int_eq(workload_from_swf(&swf, 0, &workload, NULL), 0);

    ck_assert(workload.request_is_run);
    ck_assert_uint_eq(workload.procs, 8);
    ck_assert_uint_eq(workload.jobs_n, 2);
    ck_assert_int_eq(workload.jobs[0].limit_ms, 50000);
}
END_TEST

START_TEST(jobs_come_in_order_of_submission_then_of_the_trace)
{
    AUTO(swf) struct swf swf = TRACE("", "9 7 1 1 1 1", "4 7 1 1 1 1", "5 3 1 1 1 1");
    AUTO(workload) struct workload workload = { 0 };

    ck_assert_int_eq(workload_from_swf(&swf, 4, &workload, NULL), 0);

    ck_assert_int_eq(workload.jobs[0].number, 5);
    ck_assert_int_eq(workload.jobs[1].number, 9);
    ck_assert_int_eq(workload.jobs[2].number, 4);
}
END_TEST

START_TEST(what_cannot_be_simulated_is_said)
{
    AUTO(swf) struct swf unsized = TRACE("", "1 0 1 1 1 1");
    AUTO(swf) struct swf twice = TRACE("; MaxProcs: 2\n", "1 0 1 1 1 1", "1 5 1 1 1 1");
    AUTO(swf) struct swf wide = TRACE("; MaxProcs: 2\n", "1 0 1 3 3 1");
    AUTO(workload) struct workload workload = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(workload_from_swf(&unsized, 0, &workload, &err), 0);
    ck_assert_str_eq(err.text, "t.swf: its header tells no MaxProcs: say how many processors the "
                               "machine has with --procs");
    ck_assert_int_lt(workload_from_swf(&twice, 0, &workload, &err), 0);
    ck_assert_str_eq(err.text, "t.swf:3: job number 1 stands in line 2 too");
    ck_assert_int_lt(workload_from_swf(&wide, 0, &workload, &err), 0);
    ck_assert_str_eq(err.text, "t.swf: none of its 1 jobs could run on 2 processors");
}
END_TEST

CHECK_MAIN(workload, CASE(jobs_that_could_not_have_run_are_left_out_and_counted),
           CASE(runs_are_cut_to_the_request_and_sizes_taken_where_they_stand),
           CASE(where_no_job_has_a_request_each_asks_for_what_it_runs),
           CASE(jobs_come_in_order_of_submission_then_of_the_trace),
           CASE(what_cannot_be_simulated_is_said))
