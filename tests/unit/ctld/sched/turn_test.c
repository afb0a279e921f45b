/* Who gets a place in the future, and in which order the others are tried. */
#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

START_TEST(only_the_first_job_gets_a_place_and_the_others_do_not_delay_it)
{
    struct sim *sim = sim_new("nodes=2x4 plans=1");
    sim_job(sim, "a: nodes=1 time=10 running");
    sim_job(sim, "b: nodes=2 time=5");
    sim_job(sim, "c: nodes=2 time=5");
    sim_job(sim, "d: nodes=1 time=20");
    sim_job(sim, "e: nodes=1 time=10");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), SIM_WAITS);
    ck_assert_int_eq(sim_start_of(sim, "d"), SIM_WAITS);
    ck_assert_int_eq(sim_start_of(sim, "e"), 0);
    sim_free(sim);
}
END_TEST

START_TEST(each_line_has_its_first_job)
{
    struct sim *sim = sim_new("nodes=2x4 plans=1 lines");
    sim_partition(sim, "left: nodes=0");
    sim_partition(sim, "right: nodes=1");
    sim_job(sim, "a: nodes=1 time=10 partition=left running");
    sim_job(sim, "b: nodes=1 time=20 partition=right running");
    sim_job(sim, "c: nodes=1 time=5 partition=left");
    sim_job(sim, "d: nodes=1 time=5 partition=right");
    sim_job(sim, "e: nodes=1 time=5 partition=right");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    ck_assert_int_eq(sim_start_of(sim, "d"), 20);
    ck_assert_int_eq(sim_start_of(sim, "e"), SIM_WAITS);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_has_waited_long_gets_a_place_too)
{
    struct sim *sim = sim_new("nodes=1x4 plans=1 plan-age=100 stretched");
    sim_job(sim, "a: nodes=1 time=1000 running");
    sim_job(sim, "b: nodes=1 time=5");
    sim_job(sim, "c: nodes=1 time=5");

    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "c"), SIM_WAITS);
    ck_assert_int_eq(planner_wakes_at(sim->planner), 100000);

    sim_at(sim, 101);
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "b"), 1000);
    ck_assert_int_eq(sim_start_of(sim, "c"), 1005);
    sim_free(sim);
}
END_TEST

/* The shorter of two that have waited equally long; the longer when it has waited long enough. */
START_TEST(the_others_are_tried_by_how_long_they_waited_for_their_length)
{
    struct sim *sim = sim_new("nodes=2x4 plans=1 stretched");
    sim_job(sim, "a: nodes=2 time=10 running");
    sim_job(sim, "wide: nodes=2 time=5");
    sim_job(sim, "long: nodes=1 time=9000");
    sim_at(sim, 1);
    sim_job(sim, "short: nodes=1 time=4000");
    sim_pass(sim);
    sim_job(sim, "hole: nodes=1 time=1");
    sim_end(sim, "a");
    sim_end(sim, "wide");
    sim_job(sim, "b: nodes=1 time=20000 priority=200");
    sim_job(sim, "next: nodes=2 time=5 priority=190");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 1);
    ck_assert(sim_runs(sim, "hole"));
    ck_assert_int_eq(sim_start_of(sim, "short"), SIM_WAITS);
    sim_end(sim, "hole");
    sim_pass(sim);
    ck_assert(sim_runs(sim, "short"));
    ck_assert_int_eq(sim_start_of(sim, "long"), SIM_WAITS);
    sim_free(sim);
}
END_TEST

START_TEST(a_forecast_starts_nothing)
{
    struct sim *sim = sim_new("nodes=1x4 forecasts");
    sim_job(sim, "a: nodes=1 time=10");
    sim_job(sim, "b: nodes=1 time=5");

    sim_pass(sim);

    ck_assert(!sim_runs(sim, "a"));
    ck_assert_int_eq(sim_start_of(sim, "a"), 0);
    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(turn, CASE(only_the_first_job_gets_a_place_and_the_others_do_not_delay_it),
           CASE(each_line_has_its_first_job), CASE(a_job_that_has_waited_long_gets_a_place_too),
           CASE(the_others_are_tried_by_how_long_they_waited_for_their_length),
           CASE(a_forecast_starts_nothing))
