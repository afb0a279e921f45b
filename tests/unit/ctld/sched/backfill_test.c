#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

START_TEST(a_job_starts_at_once_on_an_empty_cluster)
{
    struct sim *sim = sim_new("nodes=2x4");
    sim_job(sim, "a: nodes=2 time=10");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 0);
    ck_assert_str_eq(sim_places(sim, "a"), "0:0-3 1:0-3");
    sim_free(sim);
}
END_TEST

START_TEST(backfill_never_delays_the_first_waiting_job)
{
    struct sim *sim = sim_new("nodes=2x4 now=0");
    sim_job(sim, "a: nodes=1 time=10 running");
    sim_job(sim, "b: nodes=2 time=5");
    sim_job(sim, "c: nodes=1 time=20");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 15);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_is_short_enough_starts_in_the_gap)
{
    struct sim *sim = sim_new("nodes=2x4 now=0");
    sim_job(sim, "a: nodes=1 time=10 running");
    sim_job(sim, "b: nodes=2 time=5");
    sim_job(sim, "c: nodes=1 time=10");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 0);
    ck_assert(sim_find(sim, "c")->backfilled);
    ck_assert_str_eq(sim_why(sim, "b"), "Resources");
    sim_free(sim);
}
END_TEST

START_TEST(in_order_start_lets_nobody_pass)
{
    struct sim *sim = sim_new("nodes=2x4 backfill=no");
    sim_job(sim, "a: nodes=1 time=10 running");
    sim_job(sim, "b: nodes=2 time=5");
    sim_job(sim, "c: nodes=1 time=1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 15);
    ck_assert_str_eq(sim_why(sim, "c"), "Priority");
    sim_free(sim);
}
END_TEST

CHECK_MAIN(backfill, CASE(a_job_starts_at_once_on_an_empty_cluster),
           CASE(backfill_never_delays_the_first_waiting_job),
           CASE(a_job_that_is_short_enough_starts_in_the_gap),
           CASE(in_order_start_lets_nobody_pass))
