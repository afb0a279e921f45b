#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/sched_params.h"

/* What was remarked last, and how often. */
struct remarks {
    uint32_t n;
    enum sched_remark kind;
    struct strbuf text;
};

static void on_remark(void *ctx, enum sched_remark kind, const char *text)
{
    struct remarks *remarks = ctx;

    remarks->n++;
    remarks->kind = kind;
    strbuf_truncate(&remarks->text, 0);
    strbuf_adds(&remarks->text, text);
}

START_TEST(what_is_not_said_is_unset)
{
    struct sched_params params;
    struct remarks remarks = { 0 };

    sched_params_parse(NULL, &params, on_remark, &remarks);

    ck_assert_uint_eq(params.bf_window, SCHED_UNSET);
    ck_assert_uint_eq(params.max_switch_wait, SCHED_UNSET);
    ck_assert(!params.spec_cores_first);
    ck_assert_uint_eq(remarks.n, 0);
}
END_TEST

START_TEST(numbers_and_switches_are_taken)
{
    struct sched_params params;
    struct remarks remarks = { 0 };

    sched_params_parse("bf_window=2880, BF_Resolution=300,spec_cores_first,bf_max_job_user=0,"
                       "bf_min_prio_reserve=9223372036854775807",
                       &params, on_remark, &remarks);

    ck_assert_uint_eq(params.bf_window, 2880);
    ck_assert_uint_eq(params.bf_resolution, 300);
    ck_assert_uint_eq(params.bf_max_job_user, 0);
    ck_assert_uint_eq(params.bf_min_prio_reserve, INT64_MAX);
    ck_assert(params.spec_cores_first);
    ck_assert_uint_eq(remarks.n, 0);
}
END_TEST

/* One remark each. */
static const struct {
    const char *text;
    enum sched_remark kind;
    const char *part;
} remarked[] = {
    { "bf_windoww=3", SCHED_UNKNOWN, "is bf_window meant?" },
    { "frobnicate", SCHED_UNKNOWN, "'frobnicate' is not known" },
    { "bf_window=0", SCHED_LEFT_OUT, "bf_window=0 is not a number from 1 to 43200" },
    { "bf_window=43201", SCHED_LEFT_OUT, "bf_window=43201 is not a number from 1 to 43200" },
    { "bf_resolution=3601", SCHED_LEFT_OUT, "from 1 to 3600" },
    { "bf_max_job_test=0", SCHED_LEFT_OUT, "from 1 to 1000000" },
    { "bf_interval=10801", SCHED_LEFT_OUT, "from 1 to 10800" },
    { "bf_max_job_start=10001", SCHED_LEFT_OUT, "from 0 to 10000" },
    { "bf_max_job_user=many", SCHED_LEFT_OUT, "bf_max_job_user=many" },
    { "bf_window", SCHED_LEFT_OUT, "bf_window=" },
    { "bf_window=1,bf_window=2", SCHED_LEFT_OUT, "the first value counts" },
    { "bf_yield_interval=5", SCHED_NO_EFFECT, "bf_yield_interval has no effect" },
    { "preempt_strict_order", SCHED_NO_EFFECT, "preempt_strict_order" },
    { "defer", SCHED_NO_EFFECT, "defer has no effect" },
};

START_TEST(what_is_not_taken_is_said)
{
    struct sched_params params;
    struct remarks remarks = { 0 };

    sched_params_parse(remarked[_i].text, &params, on_remark, &remarks);

    ck_assert_uint_eq(remarks.n, 1);
    ck_assert_int_eq(remarks.kind, remarked[_i].kind);
    ck_assert_msg(strstr(strbuf_text(&remarks.text), remarked[_i].part) != NULL, "%s",
                  strbuf_text(&remarks.text));
    strbuf_clear(&remarks.text);
}
END_TEST

START_TEST(backfill_can_be_switched_off)
{
    struct sched_params params;
    struct remarks remarks = { 0 };

    sched_params_parse("bf_interval=-1", &params, on_remark, &remarks);

    ck_assert_uint_eq(params.bf_interval, SCHED_BF_OFF);
    ck_assert_uint_eq(remarks.n, 0);
}
END_TEST

CHECK_MAIN(sched_params, CASE(what_is_not_said_is_unset), CASE(numbers_and_switches_are_taken),
           LOOP_CASE(what_is_not_taken_is_said, ARRAY_N(remarked)),
           CASE(backfill_can_be_switched_off))
