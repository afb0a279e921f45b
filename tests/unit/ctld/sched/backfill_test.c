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

START_TEST(backfill_never_delays_any_job_planned_before)
{
    struct sim *sim = sim_new("nodes=3x1");
    sim_job(sim, "a: nodes=2 time=10 running");
    sim_job(sim, "b: nodes=3 time=10");
    sim_job(sim, "c: nodes=2 time=10");
    sim_job(sim, "d: nodes=1 time=20");
    sim_job(sim, "e: nodes=1 time=10");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 20);
    ck_assert_int_eq(sim_start_of(sim, "d"), 20);
    ck_assert_int_eq(sim_start_of(sim, "e"), 0);
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

    ck_assert_int_eq(sim_start_of(sim, "c"), 0);
    ck_assert(sim_find(sim, "c")->backfilled);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_starts_in_its_turn_is_not_called_backfilled)
{
    struct sim *sim = sim_new("nodes=2x4");
    sim_job(sim, "a: nodes=1 time=10");
    sim_job(sim, "b: nodes=1 time=10");

    sim_pass(sim);

    ck_assert(!sim_find(sim, "a")->backfilled);
    ck_assert(!sim_find(sim, "b")->backfilled);
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
    ck_assert_int_ge(sim_start_of(sim, "c"), 10);
    sim_free(sim);
}
END_TEST

START_TEST(in_order_start_holds_up_only_partitions_that_share_nodes)
{
    struct sim *sim = sim_new("nodes=3x4 backfill=no");
    sim_partition(sim, "one: nodes=0-1");
    sim_partition(sim, "two: nodes=1");
    sim_partition(sim, "far: nodes=2");
    sim_job(sim, "a: partition=one nodes=1 time=10 on=0 running");
    sim_job(sim, "b: partition=one nodes=2 time=5");
    sim_job(sim, "c: partition=two nodes=1 time=1");
    sim_job(sim, "d: partition=far nodes=1 time=1");

    sim_pass(sim);

    ck_assert_int_ge(sim_start_of(sim, "c"), 10);
    ck_assert_int_eq(sim_start_of(sim, "d"), 0);
    sim_free(sim);
}
END_TEST

START_TEST(an_early_end_brings_plans_forward)
{
    struct sim *sim = sim_new("nodes=2x4");
    sim_job(sim, "a: nodes=2 time=100 running");
    sim_job(sim, "b: nodes=2 time=10");
    sim_job(sim, "c: nodes=1 time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "c"), 110);

    sim_at(sim, 30);
    sim_end(sim, "a");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 30);
    ck_assert(sim_runs(sim, "b"));
    ck_assert_int_eq(sim_start_of(sim, "c"), 40);
    sim_free(sim);
}
END_TEST

START_TEST(only_starts_are_told)
{
    struct sim *sim = sim_new("nodes=2x4");
    sim_job(sim, "a: nodes=2 time=100 running");
    ck_assert_uint_eq(sim->decided_n, 1);
    sim_job(sim, "b: nodes=2 time=10");

    sim_at(sim, 50);
    sim_job(sim, "c: nodes=2 time=10");
    sim_pass(sim);

    ck_assert_uint_eq(sim->decided_n, 0);
    ck_assert_int_eq(sim_start_of(sim, "b"), 100);
    ck_assert_int_eq(sim_start_of(sim, "c"), 110);
    sim_free(sim);
}
END_TEST

START_TEST(a_wide_job_is_not_overtaken_for_ever)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_job(sim, "s0: nodes=1 time=10 running");
    sim_job(sim, "wide: nodes=2 time=10");
    for (int i = 1; i <= 5; i++) {
        AUTO_FREE char *line = xasprintf("s%d: nodes=1 time=15", i);

        sim_at(sim, i);
        sim_job(sim, line);
        sim_pass(sim);
    }

    sim_at(sim, 10);
    sim_end(sim, "s0");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "wide"));
    sim_free(sim);
}
END_TEST

START_TEST(a_wide_job_without_limits_around_it_is_not_overtaken_either)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_job(sim, "a: nodes=1 running");
    sim_job(sim, "wide: nodes=2");
    sim_job(sim, "b: nodes=1");

    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "wide"), SIM_WAITS);
    ck_assert_int_eq(sim_start_of(sim, "b"), SIM_WAITS);
    sim_end(sim, "a");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "wide"));
    ck_assert(!sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(rank_is_tier_then_priority_then_submission)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_partition(sim, "low: tier=1");
    sim_partition(sim, "high: tier=2");
    sim_job(sim, "run: time=10 running");
    sim_job(sim, "a: partition=low priority=900 time=1");
    sim_job(sim, "b: partition=high priority=1 time=1");
    sim_job(sim, "c: partition=high priority=2 time=1");
    sim_job(sim, "d: partition=high priority=2 time=1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    ck_assert_int_eq(sim_start_of(sim, "d"), 11);
    ck_assert_int_eq(sim_start_of(sim, "b"), 12);
    ck_assert_int_eq(sim_start_of(sim, "a"), 13);
    sim_free(sim);
}
END_TEST

START_TEST(jobs_beyond_the_depth_are_not_looked_at)
{
    struct sim *sim = sim_new("nodes=2x1 depth=1");
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=2 time=1");
    sim_job(sim, "b: nodes=1 time=1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_int_eq(sim_start_of(sim, "b"), SIM_WAITS);
    ck_assert_str_eq(sim_why(sim, "b"), "NotTried");
    sim_free(sim);
}
END_TEST

/* Nodes are looked at in blocks of 64; these end one by one, in no order of their numbers. */
START_TEST(many_nodes_are_planned_like_few)
{
    struct sim *sim = sim_new("nodes=130x1");
    for (unsigned i = 0; i < 130; i++) {
        AUTO_FREE char *line =
            xasprintf("r%u: nodes=1 on=%u time=%u running", i, i, 10 + (i + 65) * 37 % 130);
        sim_job(sim, line);
    }
    sim_job(sim, "a: nodes=100 time=5");
    sim_job(sim, "b: nodes=1 time=5");
    sim_job(sim, "c: nodes=1 time=200");
    sim_job(sim, "d: nodes=130 time=1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 109);
    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_str_eq(sim_places(sim, "b"), "65:0");
    ck_assert_int_eq(sim_start_of(sim, "c"), 110);
    ck_assert_int_eq(sim_start_of(sim, "d"), 310);
    sim_free(sim);
}
END_TEST

START_TEST(small_steps_end_in_the_same_plan)
{
    struct sim *sim = sim_new("nodes=3x2 select=core units=1");
    sim_job(sim, "a: tasks=5 time=10");
    sim_job(sim, "b: tasks=4 time=10");
    sim_job(sim, "c: tasks=1 time=30");
    sim_job(sim, "d: tasks=6 time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-1 1:0-1 2:0");
    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 0);
    ck_assert_int_eq(sim_start_of(sim, "d"), 30);
    sim_free(sim);
}
END_TEST

START_TEST(what_a_long_job_could_not_do_a_short_one_of_its_shape_can)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_job(sim, "a: nodes=1 time=10 running");
    sim_job(sim, "b: nodes=2 time=5");
    sim_job(sim, "c: nodes=1 time=20");
    sim_job(sim, "d: nodes=1 time=10");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "c"), 15);
    ck_assert_int_eq(sim_start_of(sim, "d"), 0);
    sim_free(sim);
}
END_TEST

START_TEST(a_node_given_back_early_is_used_at_once)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_job(sim, "a: nodes=2 time=100 running");
    sim_job(sim, "b: nodes=1 time=10");
    sim_pass(sim);
    ck_assert(!sim_runs(sim, "b"));

    sim_release(sim, "a", 1);
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "1:0");
    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

CHECK_MAIN(backfill, CASE(a_job_starts_at_once_on_an_empty_cluster),
           CASE(backfill_never_delays_the_first_waiting_job),
           CASE(backfill_never_delays_any_job_planned_before),
           CASE(a_job_that_is_short_enough_starts_in_the_gap),
           CASE(a_job_that_starts_in_its_turn_is_not_called_backfilled),
           CASE(in_order_start_lets_nobody_pass),
           CASE(in_order_start_holds_up_only_partitions_that_share_nodes),
           CASE(an_early_end_brings_plans_forward), CASE(only_starts_are_told),
           CASE(a_wide_job_is_not_overtaken_for_ever),
           CASE(a_wide_job_without_limits_around_it_is_not_overtaken_either),
           CASE(rank_is_tier_then_priority_then_submission),
           CASE(jobs_beyond_the_depth_are_not_looked_at), CASE(many_nodes_are_planned_like_few),
           CASE(small_steps_end_in_the_same_plan),
           CASE(what_a_long_job_could_not_do_a_short_one_of_its_shape_can),
           CASE(a_node_given_back_early_is_used_at_once))
