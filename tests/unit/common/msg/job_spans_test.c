/* When jobs ran and waited, by their records. */
#include "unit/check_main.h"

#include <string.h>

#include "common/base/err.h"
#include "common/msg/job_spans.h"
#include "common/msg/step.h"

#define NOW 1000

static const struct {
    const char *what;
    uint32_t state;
    int64_t start, end, suspend_time, pre_suspend_s, suspended_ms;
    uint32_t n;
    struct span spans[JOB_SPANS_MAX];
} rows[] = {
    { "waits", JOB_PENDING, 0, 0, 0, 0, 0, 0, { { 0 } } },
    { "waits again, and is not clean", JOB_PENDING, 300, 0, 0, 0, 0, 0, { { 0 } } },
    { "runs", JOB_RUNNING, 300, 5000, 0, 0, 0, 1, { { 300, NOW } } },
    { "ended", JOB_COMPLETE, 300, 400, 0, 0, 0, 1, { { 300, 400 } } },
    { "ended at once", JOB_FAILED, 300, 300, 0, 0, 0, 0, { { 0 } } },
    { "ended before it began", JOB_FAILED, 300, 200, 0, 0, 0, 0, { { 0 } } },
    { "is suspended", JOB_SUSPENDED, 300, 0, 500, 200, 7, 1, { { 300, 500 } } },
    { "goes on", JOB_RUNNING, 300, 0, 700, 200, 0, 2, { { 300, 500 }, { 700, NOW } } },
    { "went on", JOB_COMPLETE, 300, 900, 700, 200, 0, 2, { { 300, 500 }, { 700, 900 } } },
    { "ended suspended", JOB_CANCELLED, 300, 900, 500, 200, 7, 1, { { 300, 500 } } },
    { "was suspended at once", JOB_COMPLETE, 300, 900, 700, 0, 0, 1, { { 700, 900 } } },
};

START_TEST(a_job_ran_when_it_was_not_suspended)
{
    const struct job_record job = { .state = rows[_i].state,
                                    .start_time = rows[_i].start,
                                    .end_time = rows[_i].end,
                                    .suspend_time = rows[_i].suspend_time,
                                    .pre_suspend_s = rows[_i].pre_suspend_s,
                                    .suspended_ms = rows[_i].suspended_ms };
    struct span spans[JOB_SPANS_MAX];
    const uint32_t n = job_spans(&job, NOW, spans);
    int64_t ran = 0;

    ck_assert_msg(n == rows[_i].n, "%s: %u spans", rows[_i].what, n);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_int_eq(spans[i].from, rows[_i].spans[i].from);
        ck_assert_int_eq(spans[i].until, rows[_i].spans[i].until);
        ran += spans[i].until - spans[i].from;
    }
    ck_assert_int_eq(job_run_time(&job, NOW), ran);
}
END_TEST

START_TEST(a_job_waits_from_when_it_is_eligible_until_it_starts_or_ends)
{
    struct job_record job = { .state = JOB_PENDING, .eligible_time = 100 };
    struct span wait;

    ck_assert(job_wait_span(&job, NOW, &wait));
    ck_assert_int_eq(wait.from, 100);
    ck_assert_int_eq(wait.until, NOW);
    job.state = JOB_RUNNING;
    job.start_time = 150;
    ck_assert(job_wait_span(&job, NOW, &wait));
    ck_assert_int_eq(wait.until, 150);
    job.start_time = 100;
    ck_assert(!job_wait_span(&job, NOW, &wait));
    job.eligible_time = 0;
    ck_assert(!job_wait_span(&job, NOW, &wait));
}
END_TEST

#define LAST (INT64_C(1) << 32)

static const struct {
    const char *what;
    uint32_t state;
    int64_t eligible, start, end, suspend_time, pre_suspend_s;
    const char *text; /* of the refusal; NULL: it is taken */
} times[] = {
    { "one that ran", JOB_COMPLETE, 100, 200, 300, 0, 0, NULL },
    { "one by a clock that began in 1970", JOB_COMPLETE, 0, 1, 1790000000, 0, 0, NULL },
    { "one that runs", JOB_RUNNING, 100, 200, INT64_MAX, 0, 0, NULL },
    { "one that may begin in a thousand years", JOB_PENDING, LAST * 8, 0, 0, 0, 0, NULL },
    { "one that ended before it started", JOB_FAILED, 300, 300, 200, 0, 0, NULL },
    { "the last end that there is", JOB_COMPLETE, 100, 200, LAST, 0, 0, NULL },
    { "one behind it", JOB_COMPLETE, 100, 200, LAST + 1, 0, 0, "from 200 to 4294967297" },
    { "one that started before all time", JOB_COMPLETE, 0, -1, 300, 0, 0, "from -1 to 300" },
    { "and runs", JOB_RUNNING, 0, -LAST, 0, 0, 0, "from -4294967296" },
    { "one that waited from before", JOB_RUNNING, -1, 200, 0, 0, 0, "from -1 to 200" },
    { "and waits", JOB_PENDING, -5, 0, 0, 0, 0, "from -5 " },
    { "one that was cancelled too late", JOB_CANCELLED, 100, 0, LAST * 2, 0, 0, "from 100 to" },
    { "one that was suspended", JOB_SUSPENDED, 100, 200, 0, 400, 200, NULL },
    { "after all time", JOB_COMPLETE, 100, LAST, LAST, LAST, 1, "from 4294967296" },
    { "after more than a number holds", JOB_COMPLETE, 100, 200, 300, 400, INT64_MAX,
      "had run for" },
    { "before it began", JOB_COMPLETE, 100, 200, 300, 400, -1, "had run for -1 s" },
};

START_TEST(times_that_no_clock_shows_are_refused)
{
    const struct job_record job = { .id = 7,
                                    .state = times[_i].state,
                                    .eligible_time = times[_i].eligible,
                                    .start_time = times[_i].start,
                                    .end_time = times[_i].end,
                                    .suspend_time = times[_i].suspend_time,
                                    .pre_suspend_s = times[_i].pre_suspend_s };
    struct err err = { 0 };
    const int rc = job_check_record(&job, &err);

    ck_assert_msg(rc == (times[_i].text ? -E_PROTO : 0), "%s: %s", times[_i].what, err.text);
    if (!times[_i].text)
        return;
    ck_assert_msg(strstr(err.text, "job 7 ") == err.text, "%s", err.text);
    ck_assert_msg(strstr(err.text, times[_i].text) != NULL, "%s", err.text);
}
END_TEST

START_TEST(what_no_controller_writes_is_refused)
{
    const struct job_record good = { .id = 7, .state = JOB_FAILED, .ncpus = 1u << 30 };
    struct job_record job = good;
    struct step_record step = { .job_id = 7, .state = STEP_ENDED, .end_state = JOB_FAILED };

    ck_assert_int_eq(job_check_record(&job, NULL), 0);
    job.state = 77;
    ck_assert_int_eq(job_check_record(&job, NULL), -E_PROTO);
    job = good;
    job.reason = 9999;
    ck_assert_int_eq(job_check_record(&job, NULL), -E_PROTO);
    job = good;
    job.ncpus = 4000000000;
    ck_assert_int_eq(job_check_record(&job, NULL), -E_PROTO);

    ck_assert_int_eq(step_check_record(&step, NULL), 0);
    step.end_state = 77;
    ck_assert_int_eq(step_check_record(&step, NULL), -E_PROTO);
    step.end_state = JOB_FAILED;
    step.end_time = LAST + 1;
    ck_assert_int_eq(step_check_record(&step, NULL), -E_PROTO);
    step.end_time = LAST;
    step.ncpus = 4000000000;
    ck_assert_int_eq(step_check_record(&step, NULL), -E_PROTO);
}
END_TEST

START_TEST(what_lies_outside_of_two_moments_does_not_count)
{
    const struct span span = { 100, 200 };

    ck_assert_int_eq(span_within(&span, 0, 300), 100);
    ck_assert_int_eq(span_within(&span, 150, 300), 50);
    ck_assert_int_eq(span_within(&span, 120, 130), 10);
    ck_assert_int_eq(span_within(&span, 0, 100), 0);
    ck_assert_int_eq(span_within(&span, 200, 300), 0);
}
END_TEST

START_TEST(a_record_stands_for_the_tasks_that_it_names)
{
    struct job_record job = { .id = 1 };

    ck_assert_uint_eq(job_tasks_n(&job), 1);
    job.array_tasks = (char[]){ "1-5,9" };
    ck_assert_uint_eq(job_tasks_n(&job), 6);
}
END_TEST

CHECK_MAIN(job_spans,
           LOOP_CASE(a_job_ran_when_it_was_not_suspended, sizeof(rows) / sizeof(rows[0])),
           CASE(a_job_waits_from_when_it_is_eligible_until_it_starts_or_ends),
           LOOP_CASE(times_that_no_clock_shows_are_refused, ARRAY_N(times)),
           CASE(what_no_controller_writes_is_refused),
           CASE(what_lies_outside_of_two_moments_does_not_count),
           CASE(a_record_stands_for_the_tasks_that_it_names))
