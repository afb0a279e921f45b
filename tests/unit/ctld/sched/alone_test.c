/* --exclusive=user and ExclusiveUser: "alone" of a job, and of a partition. */
#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

START_TEST(it_shares_its_node_with_jobs_of_its_user_only)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");
    sim_job(sim, "a: cpus=1 time=10 user=1 alone running");

    sim_job(sim, "same: cpus=1 time=10 user=1");
    sim_job(sim, "other: cpus=1 time=10 user=2");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "same"), "0:1");
    ck_assert_str_eq(sim_places(sim, "other"), "1:0");
    sim_free(sim);
}
END_TEST

START_TEST(it_starts_only_where_no_other_user_is)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");
    sim_job(sim, "a: cpus=1 time=10 user=1 running");

    sim_job(sim, "other: cpus=1 time=10 user=2 alone");
    sim_job(sim, "same: cpus=1 time=10 user=1 alone");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "other"), "1:0");
    ck_assert_str_eq(sim_places(sim, "same"), "0:1");
    sim_free(sim);
}
END_TEST

START_TEST(who_waits_for_it_lacks_a_node_and_is_planned_at_its_end)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_job(sim, "a: cpus=1 time=10 user=1 alone running");

    sim_job(sim, "b: cpus=1 time=10 user=2");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_str_eq(sim_why(sim, "b"), "Resources");
    ck_assert(sim_find(sim, "b")->lacks & PLAN_LACKS_NODES);
    ck_assert_uint_eq(sim_find(sim, "b")->blockers_n, 1);
    ck_assert_uint_eq(sim_find(sim, "b")->blockers[0], sim_find(sim, "a")->ask.id);
    sim_free(sim);
}
END_TEST

START_TEST(one_that_is_planned_keeps_other_users_from_starting_before_it)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_job(sim, "a: cpus=1 time=10 user=1 running");
    sim_job(sim, "alone: cpus=1 time=10 user=2 alone");

    sim_job(sim, "long: cpus=1 time=20 user=1");
    sim_job(sim, "short: cpus=1 time=10 user=1");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "alone"), 10);
    ck_assert_int_eq(sim_start_of(sim, "long"), 20);
    ck_assert(sim_runs(sim, "short"));
    sim_free(sim);
}
END_TEST

START_TEST(a_job_cut_short_ends_before_it_comes)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_job(sim, "a: cpus=1 time=10 user=1 running");
    sim_job(sim, "alone: cpus=1 time=10 user=2 alone");

    sim_job(sim, "b: cpus=1 time=20 time-min=5 user=1");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "b"));
    ck_assert_int_eq(sim_find(sim, "b")->ask.end_ms, 10000);
    sim_free(sim);
}
END_TEST

START_TEST(a_partition_may_ask_it_for_all_its_jobs)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");
    sim_partition(sim, "main:");
    sim_partition(sim, "own: alone");
    sim_job(sim, "a: partition=own cpus=1 time=10 user=1 running");

    sim_job(sim, "same: partition=main cpus=1 time=10 user=1");
    sim_job(sim, "other: partition=main cpus=1 time=10 user=2");
    sim_job(sim, "third: partition=own cpus=1 time=10 user=3");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "same"), "0:1");
    ck_assert_str_eq(sim_places(sim, "other"), "1:0");
    ck_assert_int_eq(sim_start_of(sim, "third"), 10);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(alone, CASE(it_shares_its_node_with_jobs_of_its_user_only),
           CASE(it_starts_only_where_no_other_user_is),
           CASE(who_waits_for_it_lacks_a_node_and_is_planned_at_its_end),
           CASE(one_that_is_planned_keeps_other_users_from_starting_before_it),
           CASE(a_job_cut_short_ends_before_it_comes),
           CASE(a_partition_may_ask_it_for_all_its_jobs))
