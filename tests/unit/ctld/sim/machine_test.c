#include "unit/check_main.h"

#include "ctld/sim/machine.h"
#include "ctld/sim/policy.h"

/* Jobs on a machine of 4 processors; times are seconds. */
struct story {
    struct sim_job jobs[8];
    uint32_t jobs_n;
};

static uint32_t submit(struct story *story, int64_t at_s, uint32_t procs, int64_t run_s,
                       int64_t limit_s)
{
    story->jobs[story->jobs_n] = (struct sim_job){ .submit_ms = at_s * 1000,
                                                   .run_ms = run_s * 1000,
                                                   .limit_ms = limit_s * 1000,
                                                   .procs = procs,
                                                   .start_ms = SIM_NEVER,
                                                   .end_ms = SIM_NEVER };
    return story->jobs_n++;
}

static void run(struct story *story, const char *policy, enum sim_estimate estimate)
{
    struct workload workload = { .jobs = story->jobs, .jobs_n = story->jobs_n, .procs = 4 };
    struct machine_run run = { .workload = &workload, .estimate = estimate };

    ck_assert_int_eq(policy_find(policy, &run.policy, NULL), 0);
    machine_run(&run);
}

#define ck_start(story, index, seconds)                                                            \
    ck_assert_int_eq((story).jobs[index].start_ms, (seconds)*INT64_C(1000))

START_TEST(jobs_run_in_turn)
{
    struct story story = { 0 };
    const uint32_t a = submit(&story, 0, 4, 10, 20);
    const uint32_t b = submit(&story, 1, 3, 5, 5);
    const uint32_t c = submit(&story, 1, 1, 5, 5);

    run(&story, "plan", SIM_ESTIMATE_REQUEST);

    ck_start(story, a, 0);
    ck_start(story, b, 10);
    ck_start(story, c, 10);
    ck_assert_int_eq(story.jobs[a].end_ms, 10000);
    ck_assert_int_eq(story.jobs[c].end_ms, 15000);
}
END_TEST

/* Two jobs end at 10; a wide job waits for both, a small one for one of them. */
static const struct {
    int64_t first_limit_s, second_limit_s;
    enum sim_estimate estimate;
    int64_t wide_s, small_s;
} pairs[] = {
    { 10, 10, SIM_ESTIMATE_REQUEST, 10, 19 }, /* limits free their processors together */
    { 90, 90, SIM_ESTIMATE_REQUEST, 11, 10 }, /* early ends one after the other */
    { 90, 90, SIM_ESTIMATE_RUNTIME, 10, 19 }, /* but true run times make them limits */
    { 90, 10, SIM_ESTIMATE_REQUEST, 10, 19 }, /* an early end that is the first ... */
    { 10, 90, SIM_ESTIMATE_REQUEST, 11, 10 }, /* ... or the last to be seen */
};

START_TEST(what_ends_at_one_instant_is_seen_in_order)
{
    struct story story = { 0 };
    uint32_t wide, small;

    submit(&story, 0, 2, 10, pairs[_i].first_limit_s);
    submit(&story, 0, 2, 10, pairs[_i].second_limit_s);
    wide = submit(&story, 1, 4, 9, 9);
    small = submit(&story, 2, 2, 1, 1);
    run(&story, "plan", pairs[_i].estimate);

    ck_start(story, wide, pairs[_i].wide_s);
    ck_start(story, small, pairs[_i].small_s);
}
END_TEST

START_TEST(a_job_that_comes_as_one_reaches_its_limit_takes_its_place)
{
    struct story story = { 0 };
    uint32_t next;

    submit(&story, 0, 4, 10, 10);
    next = submit(&story, 10, 4, 1, 1);
    run(&story, "plan", SIM_ESTIMATE_REQUEST);

    ck_start(story, next, 10);
}
END_TEST

/* 3 of 4 run until 100; the head waits for all, and others of 1 may pass it. */
static const struct {
    const char *policy;
    int64_t head_s, second_s, long_s, short_s;
} policies[] = {
    { "fcfs", 100, 110, 110, 110 },
    { "easy", 100, 110, 3, 63 },
    { "sjbf", 100, 110, 3, 63 },
    { "plan", 100, 110, 3, 63 },
};

START_TEST(policies_differ_in_who_may_pass_whom)
{
    struct story story = { 0 };
    uint32_t head, second, longer, shorter;

    submit(&story, 0, 3, 100, 100);
    head = submit(&story, 1, 4, 10, 10);
    second = submit(&story, 2, 2, 30, 30);
    longer = submit(&story, 3, 1, 60, 60);
    shorter = submit(&story, 4, 1, 20, 20);
    run(&story, policies[_i].policy, SIM_ESTIMATE_REQUEST);

    ck_start(story, head, policies[_i].head_s);
    ck_start(story, second, policies[_i].second_s);
    ck_start(story, longer, policies[_i].long_s);
    ck_start(story, shorter, policies[_i].short_s);
}
END_TEST

START_TEST(shortest_first_counts_when_several_could_pass)
{
    struct story story = { 0 };
    uint32_t longer, shorter;

    submit(&story, 0, 1, 3, 3);
    submit(&story, 0, 3, 100, 100);
    submit(&story, 1, 4, 10, 10);
    longer = submit(&story, 1, 1, 60, 60);
    shorter = submit(&story, 2, 1, 20, 20);
    run(&story, _i ? "sjbf" : "easy", SIM_ESTIMATE_REQUEST);

    ck_start(story, longer, _i ? 23 : 3);
    ck_start(story, shorter, _i ? 3 : 63);
}
END_TEST

CHECK_MAIN(machine, CASE(jobs_run_in_turn),
           LOOP_CASE(what_ends_at_one_instant_is_seen_in_order, ARRAY_N(pairs)),
           CASE(a_job_that_comes_as_one_reaches_its_limit_takes_its_place),
           LOOP_CASE(policies_differ_in_who_may_pass_whom, ARRAY_N(policies)),
           LOOP_CASE(shortest_first_counts_when_several_could_pass, 2))
