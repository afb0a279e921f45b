#include "unit/check_main.h"

#include <string.h>

#include "ctld/sim/scenario.h"

static int parse(const char *text, struct scenario *ret, struct err *err)
{
    return scenario_parse("t.scn", text, strlen(text), ret, err);
}

START_TEST(lines_of_files_keep_their_numbers)
{
    AUTO(scenario) struct scenario scenario = { 0 };

    ck_assert_int_eq(parse("# a\nat 1 submit a run=1\nNodeName=n1 Gres=gpu:2\n"
                           "gres.conf Name=gpu Count=2\nPartitionName=p \\\nat=1\n",
                           &scenario, NULL),
                     0);

    ck_assert_str_eq(strbuf_text(&scenario.conf[SCENARIO_SLURM]),
                     "# a\n\nNodeName=n1 Gres=gpu:2\n\nPartitionName=p \\\nat=1\n");
    ck_assert_str_eq(strbuf_text(&scenario.conf[SCENARIO_GRES]), "\n\n\n Name=gpu Count=2\n\n\n");
    ck_assert_str_eq(strbuf_text(&scenario.conf[SCENARIO_TOPOLOGY]), "\n\n\n\n\n\n");
}
END_TEST

START_TEST(what_happens_is_read_with_its_options)
{
    AUTO(scenario) struct scenario scenario = { 0 };

    ck_assert_int_eq(parse("at 0 submit a -N2 '--comment=two words' run=1:30 user=bob\n"
                           "at 1:00 submit b run=forever\n"
                           "at 90 node n[1-2] drain # for a while\n"
                           "at 90 cancel a\n"
                           "at 95 reservation update reservationname=r users+=bob\n",
                           &scenario, NULL),
                     0);

    ck_assert_uint_eq(scenario.lines_n, 5);
    ck_assert_uint_eq(scenario.lines[0].options.n, 2);
    ck_assert_str_eq(scenario.lines[0].options.at[1], "--comment=two words");
    ck_assert_int_eq(scenario.lines[0].time_ms, 90000);
    ck_assert_str_eq(scenario.users[scenario.lines[0].user], "bob");
    ck_assert_str_eq(scenario.users[scenario.lines[1].user], "user");
    ck_assert_int_eq(scenario.lines[1].at_ms, 60000);
    ck_assert_int_eq(scenario.lines[1].time_ms, INT64_MAX);
    ck_assert_str_eq(scenario.lines[2].text, "n[1-2]");
    ck_assert_int_eq(scenario.lines[2].node, SCENARIO_DRAIN);
    ck_assert_int_eq(scenario.lines[3].kind, SCENARIO_CANCEL);
    ck_assert_uint_eq(scenario.lines[3].job, 0);
    ck_assert_int_eq(scenario.lines[4].kind, SCENARIO_RESERVATION);
    ck_assert_int_eq(scenario.lines[4].verb, RESV_UPDATE);
    ck_assert_uint_eq(scenario.lines[4].options.n, 2);
    ck_assert_str_eq(scenario.lines[4].options.at[1], "users+=bob");
}
END_TEST

static const struct {
    const char *text;
    enum scenario_kind kind;
    int64_t at_ms, time_ms;
    const char *rest;
} expectations[] = {
    { "expect a start 10", EXPECT_START, SCENARIO_END, 10000, NULL },
    { "expect a start 10 on n1,n2", EXPECT_START, SCENARIO_END, 10000, "n1,n2" },
    { "expect a start by 1-00:00:00", EXPECT_BY, SCENARIO_END, 86400000, NULL },
    { "expect a end 10 TIMEOUT", EXPECT_END, SCENARIO_END, 10000, "TIMEOUT" },
    { "expect a waits", EXPECT_WAITS, SCENARIO_END, 0, NULL },
    { "at 5 expect a waits Priority", EXPECT_WAITS, 5000, 0, "Priority" },
    { "at 5 expect a planned 10 on n1", EXPECT_PLANNED, 5000, 10000, "n1" },
    { "expect a refused 'Invalid partition'", EXPECT_REFUSED, SCENARIO_END, 0,
      "Invalid partition" },
};

START_TEST(expectations_have_their_forms)
{
    AUTO_FREE char *text = xasprintf("at 0 submit a run=1\n%s\n", expectations[_i].text);
    AUTO(scenario) struct scenario scenario = { 0 };
    struct err err = { 0 };

    ck_assert_msg(parse(text, &scenario, &err) == 0, "%s", err.text);

    ck_assert_int_eq(scenario.lines[1].kind, expectations[_i].kind);
    ck_assert_int_eq(scenario.lines[1].at_ms, expectations[_i].at_ms);
    ck_assert_int_eq(scenario.lines[1].time_ms, expectations[_i].time_ms);
    if (expectations[_i].rest)
        ck_assert_str_eq(scenario.lines[1].text, expectations[_i].rest);
    else
        ck_assert_ptr_null(scenario.lines[1].text);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    { "at", "t.scn:1:3: a time is missing" },
    { "at noon submit", "t.scn:1:4: 'noon' is no time: seconds, M:S, H:M:S or D-H:M:S up to 100 "
                        "years" },
    { "at 1 start a",
      "t.scn:1:6: 'start' is neither submit, cancel, node, pool, reservation nor expect" },
    { "at 1 submit", "t.scn:1:12: a name for the job is missing" },
    { "at 1 submit -N1 run=1",
      "t.scn:1:13: '-N1' is no name: `submit NAME OPTION...` is expected" },
    { "at 1 submit a -N1", "t.scn:1:18: how long does it run? run=TIME or run=forever is missing" },
    { "at 1 submit a run=x", "t.scn:1:15: 'x' is no time: seconds, M:S, H:M:S or D-H:M:S up to "
                             "100 years" },
    { "at 1 submit a run=1\nat 2 submit a run=1", "t.scn:2:13: there is a job 'a' already" },
    { "at 5 submit a run=1\n\nat 4 cancel a", "t.scn:3:4: line 1 is later than this one" },
    { "expect b waits", "t.scn:1:8: no job 'b' is submitted before this line" },
    { "at 1 submit a run=1\nexpect a sleeps",
      "t.scn:2:10: 'sleeps' is neither start, end, refused, waits nor planned" },
    { "at 1 submit a run=1\nat 2 expect a start 5",
      "t.scn:2:15: 'start' is looked at when all is over: leave out `at TIME`" },
    { "at 1 submit a run=1\nexpect a start 5 n1",
      "t.scn:2:18: 'n1': `on NODES` or the end of the line is expected" },
    { "at 1 submit a run=1\nexpect a start 5 on n1 n2",
      "t.scn:2:24: 'n2': nothing more is expected here" },
    { "at 1 reservation", "t.scn:1:17: create, update or delete is missing" },
    { "at 1 reservation made r", "t.scn:1:18: 'made' is neither create, update nor delete" },
    { "at 1 node n1 gone", "t.scn:1:14: 'gone' is neither up, drain nor down" },
    { "at 1 submit a 'run=1", "t.scn:1:15: a quote is not closed" },
    { "pol a sum 1",
      "t.scn:1:1: 'pol' is neither at, expect nor pool, nor KEY=VALUE of a configuration" },
    { "pool", "t.scn:1:5: a name for the pool is missing" },
    { "pool a:b sum 1", "t.scn:1:6: 'a:b' is no name for a pool: it has one of : , / =" },
    { "pool a heap 1", "t.scn:1:8: 'heap' is neither sum, nodes, ramp nor gate" },
    { "pool a sum many", "t.scn:1:12: 'many': a number is expected" },
    { "pool a sum 1 mine", "t.scn:1:14: 'mine' is neither private nor reason=WORD" },
    { "pool a sum 1 reason=Whim", "t.scn:1:14: no job waits for the reason 'Whim'" },
    { "pool a sum 1\npool a sum 2", "t.scn:2:6: there is a pool 'a' already" },
    { "at 1 pool a 2", "t.scn:1:11: no pool 'a' is described before this line" },
    { "pool a gate 5\nat 1 pool a x", "t.scn:2:13: 'x' is no time: seconds, M:S, H:M:S or D-H:M:S "
                                      "up to 100 years" },
    { "at 1 submit a run=1 claims=b:1", "t.scn:1:21: no pool 'b' is described before this line" },
    { "pool b sum 5\nat 1 submit a run=1 claims=b",
      "t.scn:2:21: how much of pool 'b'? NAME:AMOUNT is expected" },
    { "pool b sum 5\nat 1 submit a run=1 claims=b:1/heart",
      "t.scn:2:21: 'heart' is neither cpu, node, mb nor gres/NAME" },
};

START_TEST(pools_and_what_jobs_claim_of_them_are_read)
{
    AUTO(scenario) struct scenario scenario = { 0 };
    struct err err = { 0 };
    const struct plan_claim *claims;

    ck_assert_msg(parse("pool a ramp 60 private reason=Resources\npool b gate 1:00\n"
                        "at 1 submit j run=1 claims=b:0,a:2/gres/gpu:v100,a:1/mb\nat 2 pool b 90\n",
                        &scenario, &err) == 0,
                  "%s", err.text);

    ck_assert_uint_eq(scenario.pools_n, 2);
    ck_assert_int_eq(scenario.pools[0].kind, PLAN_POOL_RAMP);
    ck_assert_uint_eq(scenario.pools[0].total, 60);
    ck_assert(scenario.pools[0].is_private);
    ck_assert_int_eq(scenario.pools[1].opens_ms, 60000);
    claims = scenario.lines[0].claims;
    ck_assert_uint_eq(scenario.lines[0].claims_n, 3);
    ck_assert_uint_eq(claims[0].pool, 1);
    ck_assert_int_eq(claims[1].of, PLAN_CLAIM_GRES);
    ck_assert_str_eq(claims[1].gres_name, "gpu");
    ck_assert_str_eq(claims[1].gres_type, "v100");
    ck_assert_int_eq(claims[2].of, PLAN_CLAIM_MEMORY);
    ck_assert_int_eq(scenario.lines[1].kind, SCENARIO_POOL);
    ck_assert_int_eq(scenario.lines[1].time_ms, 90000);
}
END_TEST

START_TEST(a_wrong_line_is_named_with_its_column)
{
    AUTO(scenario) struct scenario scenario = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(parse(wrong[_i].text, &scenario, &err), -E_SYNTAX);

    ck_assert_str_eq(err.text, wrong[_i].error);
}
END_TEST

CHECK_MAIN(scenario, CASE(lines_of_files_keep_their_numbers),
           CASE(what_happens_is_read_with_its_options),
           CASE(pools_and_what_jobs_claim_of_them_are_read),
           LOOP_CASE(expectations_have_their_forms, ARRAY_N(expectations)),
           LOOP_CASE(a_wrong_line_is_named_with_its_column, ARRAY_N(wrong)))
