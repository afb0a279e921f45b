#include "unit/check_main.h"

#include "ctld/sim/metrics.h"

static struct sim_job job(int64_t submit_s, int64_t start_s, int64_t end_s, uint32_t procs)
{
    return (struct sim_job){ .submit_ms = submit_s * 1000,
                             .start_ms = start_s * 1000,
                             .end_ms = end_s * 1000,
                             .procs = procs };
}

static bool near(double a, double b)
{
    const double apart = a > b ? a - b : b - a;

    return apart <= 1e-12 * b;
}

START_TEST(waits_slowdowns_and_use_are_those_of_the_literature)
{
    struct sim_job jobs[] = {
        job(0, 0, 100, 2),   /* no wait: slowdown 1 */
        job(0, 100, 102, 4), /* bounded: 102 / 10 */
        job(50, 100, 150, 2) /* 100 / 50 */
    };
    const struct workload workload = { .jobs = jobs, .jobs_n = 3, .procs = 4 };
    const struct metrics metrics = metrics_of(&workload, NULL, NULL);

    ck_assert_uint_eq(metrics.jobs_n, 3);
    ck_assert(near(metrics.wait_s.mean, 50));
    ck_assert(near(metrics.wait_s.max, 100));
    ck_assert(near(metrics.slowdown.mean, (1 + 10.2 + 2) / 3));
    ck_assert(near(metrics.slowdown.rms * metrics.slowdown.rms, (1 + 10.2 * 10.2 + 4) / 3));
    ck_assert(near(metrics.slowdown.median, 2));
    ck_assert(near(metrics.makespan_s, 150));
    ck_assert(near(metrics.utilisation, (200 + 8 + 100) / (150.0 * 4)));
}
END_TEST

START_TEST(percentiles_are_values_that_occurred)
{
    struct sim_job jobs[200];
    const struct workload workload = { .jobs = jobs, .jobs_n = 200, .procs = 1 };
    struct metrics metrics;

    for (int i = 0; i < 200; i++)
        jobs[i] = job(0, (i * 77) % 200 + 1, 1000, 1);
    metrics = metrics_of(&workload, NULL, NULL);

    ck_assert(near(metrics.wait_s.median, 100));
    ck_assert(near(metrics.wait_s.p95, 190));
    ck_assert(near(metrics.wait_s.p99, 198));
}
END_TEST

START_TEST(jobs_that_never_ran_are_counted_apart)
{
    struct sim_job jobs[] = { job(0, 0, 10, 1), job(0, 0, 0, 1) };
    const struct workload workload = { .jobs = jobs, .jobs_n = 2, .procs = 1 };
    struct metrics metrics;

    jobs[1].start_ms = jobs[1].end_ms = SIM_NEVER;
    metrics = metrics_of(&workload, NULL, NULL);

    ck_assert_uint_eq(metrics.jobs_n, 1);
    ck_assert_uint_eq(metrics.unstarted_n, 1);
}
END_TEST

static const struct {
    uint32_t procs;
    const char *name;
} sizes[] = { { 1, "1" },    { 2, "2-8" },         { 8, "2-8" },
              { 9, "9-64" }, { 4096, "513-4096" }, { UINT32_MAX, "1073741825-8589934592" } };

START_TEST(sizes_have_classes_with_names)
{
    AUTO(strbuf) struct strbuf name = { 0 };
    const uint32_t class = metrics_size_class(sizes[_i].procs);

    metrics_size_class_name(class, &name);

    ck_assert_uint_lt(class, METRICS_SIZE_CLASSES);
    ck_assert_str_eq(strbuf_text(&name), sizes[_i].name);
}
END_TEST

CHECK_MAIN(metrics, CASE(waits_slowdowns_and_use_are_those_of_the_literature),
           CASE(percentiles_are_values_that_occurred), CASE(jobs_that_never_ran_are_counted_apart),
           LOOP_CASE(sizes_have_classes_with_names, ARRAY_N(sizes)))
