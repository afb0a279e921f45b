#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

START_TEST(nothing_wakes_a_planner_without_waiting_jobs)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "a: time=10 running");

    sim_pass(sim);

    ck_assert(planner_wakes_at(sim->planner) == PLAN_NEVER);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_with_a_begin_starts_then_and_not_before)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "a: time=10 begin=60");
    sim_pass(sim);
    ck_assert_str_eq(sim_why(sim, "a"), "Begin");
    ck_assert_int_eq(planner_wakes_at(sim->planner), 60000);

    sim_at(sim, 60);
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 60);
    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

START_TEST(a_job_with_a_begin_keeps_nobody_waiting)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "a: time=10 begin=60 priority=900");
    sim_job(sim, "b: time=100");

    sim_pass(sim);

    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(an_overdue_job_is_taken_to_end_a_little_later_each_time)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "a: time=10 running");
    sim_job(sim, "b: time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(planner_wakes_at(sim->planner), 10000);

    for (int64_t late = 1; late <= 8; late *= 2) {
        sim_at(sim, 10 + late - 1);
        sim_pass(sim);
        ck_assert_int_ge(sim_start_of(sim, "b"), 10 + late);
        ck_assert_int_gt(planner_wakes_at(sim->planner), (10 + late - 1) * 1000);
    }

    sim_at(sim, 20);
    sim_end(sim, "a");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "b"), 20);
    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(waking_when_told_to_is_enough)
{
    struct sim *sim = sim_new("nodes=1x1");
    int steps = 0;
    sim_job(sim, "a: time=10 running");
    sim_job(sim, "b: time=10");
    sim_job(sim, "c: time=10 begin=500");
    sim_pass(sim);

    while (planner_wakes_at(sim->planner) < 1000000) {
        sim->snapshot.now_ms = planner_wakes_at(sim->planner);
        sim_pass(sim);
        ck_assert_int_lt(++steps, 20);
    }

    ck_assert_str_eq(sim_why(sim, "c"), "Priority");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_may_be_shorter_wakes_when_a_window_closes)
{
    struct sim *sim = sim_new("nodes=1x4");
    sim_reservation(sim, "nodes=0 from=0 to=10");
    sim_reservation(sim, "nodes=0 from=15 to=30");
    sim_job(sim, "a: nodes=1 time=10 time-min=2");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 30);

    ck_assert_int_eq(planner_wakes_at(sim->planner), 10000);
    sim_at(sim, 10);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    ck_assert_int_eq(sim_find(sim, "a")->ask.end_ms, 15000);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_without_a_place_wakes_when_a_window_closes)
{
    struct sim *sim = sim_new("nodes=2x1 plans=1");
    sim_reservation(sim, "nodes=1 from=0 to=5");
    sim_job(sim, "run: nodes=1 time=20 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_job(sim, "b: nodes=1 time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 20);

    ck_assert_int_eq(planner_wakes_at(sim->planner), 5000);
    sim_at(sim, 5);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(a_job_whose_place_was_rounded_wakes_when_a_window_closes)
{
    struct sim *sim = sim_new("nodes=1x1 resolution=4");
    sim_reservation(sim, "nodes=0 from=0 to=5");
    sim_job(sim, "a: time=1");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 8);

    ck_assert_int_eq(planner_wakes_at(sim->planner), 5000);
    sim_at(sim, 5);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

CHECK_MAIN(wake, CASE(nothing_wakes_a_planner_without_waiting_jobs),
           CASE(a_job_with_a_begin_starts_then_and_not_before),
           CASE(a_job_with_a_begin_keeps_nobody_waiting),
           CASE(an_overdue_job_is_taken_to_end_a_little_later_each_time),
           CASE(waking_when_told_to_is_enough),
           CASE(a_job_that_may_be_shorter_wakes_when_a_window_closes),
           CASE(a_job_without_a_place_wakes_when_a_window_closes),
           CASE(a_job_whose_place_was_rounded_wakes_when_a_window_closes))
