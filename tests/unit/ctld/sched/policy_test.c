/* What bounds a pass, and what else than nodes a job may have to wait for. */
#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

/* ---- policies ---- */

static const char *const easy[] = { "nodes=2x1 plans=1", "nodes=2x1 plans=1 in-queue" };

START_TEST(one_plan_is_easy)
{
    struct sim *sim = sim_new(easy[_i]);
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_job(sim, "b: nodes=2 time=10");
    sim_job(sim, "c: nodes=1 time=10");
    sim_job(sim, "d: nodes=1 time=11");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_int_eq(sim_start_of(sim, "b"), SIM_WAITS);
    ck_assert_str_eq(sim_why(sim, "b"), "Priority");
    ck_assert(sim_runs(sim, "c"));
    ck_assert_int_eq(sim_start_of(sim, "d"), SIM_WAITS);
    sim_free(sim);
}
END_TEST

START_TEST(without_backfill_a_job_that_was_put_off_blocks_its_partition)
{
    struct sim *sim = sim_new("nodes=4x1 plans=1 in-queue backfill=no");
    sim_partition(sim, "left: nodes=0-1");
    sim_partition(sim, "right: nodes=2-3");
    sim_job(sim, "run: nodes=1 time=10 partition=left running");
    sim_job(sim, "a: nodes=2 time=10 partition=left");
    sim_job(sim, "b: nodes=1 time=10 partition=right");
    sim_job(sim, "c: nodes=2 time=10 partition=right");
    sim_job(sim, "d: nodes=1 time=5 partition=right");

    sim_pass(sim);
    ck_assert(sim_runs(sim, "b"));
    ck_assert_int_eq(sim_start_of(sim, "d"), SIM_WAITS);

    sim_end(sim, "c");
    sim_pass(sim);
    ck_assert(sim_runs(sim, "d"));
    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    sim_free(sim);
}
END_TEST

START_TEST(the_shortest_of_those_behind_goes_first)
{
    struct sim *sim = sim_new("nodes=2x1 plans=1 shortest-first");
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_job(sim, "b: nodes=1 time=9");
    sim_job(sim, "c: nodes=1 time=8");

    sim_pass(sim);
    ck_assert(sim_runs(sim, "c"));
    ck_assert_int_eq(sim_start_of(sim, "b"), SIM_WAITS);

    sim_end(sim, "c");
    sim_job(sim, "d: nodes=1 time=9");
    sim_pass(sim);
    ck_assert(sim_runs(sim, "b"));
    ck_assert_int_eq(sim_start_of(sim, "d"), SIM_WAITS);
    sim_free(sim);
}
END_TEST

START_TEST(one_user_does_not_use_up_the_tries)
{
    struct sim *sim = sim_new("nodes=2x1 per-user=1");
    sim_job(sim, "run: nodes=2 time=10 user=1 running");
    sim_job(sim, "a: nodes=1 time=5 user=1");
    sim_job(sim, "b: nodes=1 time=5 user=1");
    sim_job(sim, "c: nodes=1 time=5 user=2");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_str_eq(sim_why(sim, "b"), "NotTried");
    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    sim_free(sim);
}
END_TEST

START_TEST(one_partition_does_not_use_up_the_tries)
{
    struct sim *sim = sim_new("nodes=2x1 per-partition=1");
    sim_partition(sim, "one:");
    sim_partition(sim, "two:");
    sim_job(sim, "run: nodes=2 time=10 running");
    sim_job(sim, "a: nodes=1 time=5 partition=one");
    sim_job(sim, "b: nodes=1 time=5 partition=one");
    sim_job(sim, "c: nodes=1 time=5 partition=two");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "b"), "NotTried");
    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    sim_free(sim);
}
END_TEST

START_TEST(only_so_many_start_ahead_of_their_turn_in_a_pass)
{
    struct sim *sim = sim_new("nodes=3x1 starts=1");
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=3 time=10");
    sim_job(sim, "b: nodes=1 time=5");
    sim_job(sim, "c: nodes=1 time=5");

    sim_pass(sim);

    ck_assert(sim_runs(sim, "b"));
    ck_assert_str_eq(sim_why(sim, "c"), "NotTried");
    sim_free(sim);
}
END_TEST

START_TEST(the_others_start_in_the_passes_that_follow)
{
    struct sim *sim = sim_new("nodes=3x1 starts=1");
    sim_job(sim, "run: nodes=1 time=100 running");
    sim_job(sim, "a: nodes=3 time=10");
    sim_job(sim, "b: nodes=1 time=5");
    sim_job(sim, "c: nodes=1 time=5");
    sim_pass(sim);
    ck_assert_int_eq(planner_wakes_at(sim->planner), 1000);

    sim_at(sim, 1);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "c"));
    sim_free(sim);
}
END_TEST

START_TEST(what_never_starts_uses_up_no_tries)
{
    struct sim *sim = sim_new("nodes=1x1 depth=1 per-user=1 per-partition=1");
    sim_job(sim, "a: features=none");
    sim_job(sim, "b: begin=100");
    sim_job(sim, "c: time=10");
    sim_job(sim, "d: time=10");

    sim_pass(sim);

    ck_assert(sim_runs(sim, "c"));
    ck_assert_int_eq(sim_start_of(sim, "d"), 10);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_beyond_the_window_starts_though_nothing_happens)
{
    struct sim *sim = sim_new("nodes=2x1 window=5");
    sim_reservation(sim, "nodes=0 from=0 to=20");
    sim_job(sim, "a: nodes=2 time=100");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), SIM_WAITS);
    ck_assert_int_eq(planner_wakes_at(sim->planner), 15000);

    sim_at(sim, 15);
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 20);
    sim_at(sim, 20);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

START_TEST(a_search_that_time_overtakes_begins_anew)
{
    struct sim *sim = sim_new("nodes=3x1");
    sim_reservation(sim, "nodes=0 from=0 to=1");
    sim_job(sim, "run: nodes=1 on=1 running");
    sim_job(sim, "a: nodes=2 time=1");
    sim_step(sim, 1);
    sim->snapshot.now_ms = 2500;

    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    ck_assert_int_eq(sim_find(sim, "a")->at_ms, 2500);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_starts_where_it_was_planned_to)
{
    struct sim *sim = sim_new("nodes=1x2x3x1 select=core");
    sim_job(sim, "run: time=1 exclusive running");
    sim_job(sim, "a: time=5 tasks=4");
    sim_pass(sim);
    ck_assert_str_eq(sim_places(sim, "a"), "0:0-3");

    sim_at(sim, 1);
    sim_end(sim, "run");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    ck_assert_str_eq(sim_places(sim, "a"), "0:0-3");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_of_an_unknown_reservation_waits)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "a: reservation=1");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "a"), "Reservation");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_whose_reservation_is_gone_stands_in_nobodys_way)
{
    struct sim *sim = sim_new("nodes=2x1 backfill=no");
    sim_pool(sim, "total=1");
    sim_job(sim, "run: nodes=1 time=10 claims=0:1 running");
    sim_job(sim, "a: reservation=1 claims=0:1");
    sim_job(sim, "b: nodes=1");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "a"), "Reservation");
    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_may_be_shorter_starts_when_its_window_opens)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_reservation(sim, "nodes=0 from=10 to=20");
    sim_job(sim, "a: time=100 time-min=5 reservation=1");
    sim_pass(sim);
    ck_assert_int_eq(planner_wakes_at(sim->planner), 10000);

    sim_at(sim, 10);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    ck_assert_int_eq(sim_find(sim, "a")->ask.end_ms, 20000);
    sim_free(sim);
}
END_TEST

START_TEST(nothing_is_planned_beyond_the_window)
{
    struct sim *sim = sim_new("nodes=1x1 window=15");
    sim_job(sim, "run: time=10 running");
    sim_job(sim, "a: time=10");
    sim_job(sim, "b: time=10");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_int_eq(sim_start_of(sim, "b"), SIM_WAITS);
    sim_free(sim);
}
END_TEST

START_TEST(planned_times_are_multiples_of_the_resolution)
{
    struct sim *sim = sim_new("nodes=1x1 resolution=60");
    sim_job(sim, "run: time=10 running");
    sim_job(sim, "a: time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 60);

    sim_at(sim, 9);
    sim_end(sim, "run");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

START_TEST(a_job_is_planned_when_it_is_of_age)
{
    struct sim *sim = sim_new("nodes=2x1 reserve-age=5");
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), SIM_WAITS);
    ck_assert_int_le(planner_wakes_at(sim->planner), 6000);

    sim_at(sim, 6);
    sim_job(sim, "b: nodes=1 time=10");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_int_eq(sim_start_of(sim, "b"), SIM_WAITS);
    sim_free(sim);
}
END_TEST

START_TEST(only_jobs_of_some_priority_are_planned)
{
    struct sim *sim = sim_new("nodes=2x1 reserve-priority=50");
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=2 time=10 priority=49");
    sim_job(sim, "b: nodes=1 time=99 priority=48");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), SIM_WAITS);
    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

/* ---- licences ---- */

START_TEST(licenses_are_planned_like_nodes)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=3");
    sim_job(sim, "run: nodes=1 time=10 claims=0:2 running");
    sim_job(sim, "a: nodes=1 time=10 claims=0:2");
    sim_job(sim, "b: nodes=1 time=20 claims=0:1");
    sim_job(sim, "c: nodes=1 time=20 claims=0:1");
    sim_job(sim, "d: nodes=1 time=20");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_str_eq(sim_why(sim, "a"), "Pool");
    ck_assert(sim_find(sim, "a")->lacks & PLAN_LACKS_POOL);
    ck_assert(sim_runs(sim, "b"));
    ck_assert_int_eq(sim_start_of(sim, "c"), 20);
    ck_assert(sim_runs(sim, "d"));
    sim_free(sim);
}
END_TEST

START_TEST(licenses_come_back_with_the_job_that_had_them)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=1");
    sim_job(sim, "run: nodes=1 time=10 claims=0:1 running");
    sim_job(sim, "a: nodes=1 time=10 claims=0:1");
    sim_pass(sim);

    sim_end(sim, "run");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

START_TEST(more_licenses_than_there_are_never_come)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_pool(sim, "total=1");
    sim_job(sim, "a: claims=0:2");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "a"), "NeverFits");
    sim_free(sim);
}
END_TEST

/* ---- several partitions ---- */

START_TEST(the_partition_with_the_earliest_start_wins)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_partition(sim, "one: nodes=0");
    sim_partition(sim, "two: nodes=1");
    sim_job(sim, "x: partition=one time=20 running");
    sim_job(sim, "y: partition=two time=10 running");
    sim_job(sim, "a: partition=one or=two time=10");
    sim_job(sim, "b: partition=one or=two time=10");
    sim_job(sim, "c: partition=two time=10");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_uint_eq(sim_find(sim, "a")->partition, 1);
    ck_assert_int_eq(sim_start_of(sim, "b"), 20);
    ck_assert_uint_eq(sim_find(sim, "b")->partition, 0);
    ck_assert_int_eq(sim_start_of(sim, "c"), 20); /* b holds up one partition, not two */
    sim_free(sim);
}
END_TEST

START_TEST(of_equal_starts_the_higher_tier_wins_then_the_first_named)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_partition(sim, "one: nodes=0 tier=1");
    sim_partition(sim, "two: nodes=1 tier=1");
    sim_partition(sim, "high: nodes=2 tier=2");
    sim_job(sim, "a: partition=one or=high time=10");
    sim_job(sim, "b: partition=two or=one time=10");

    sim_pass(sim);

    ck_assert_uint_eq(sim_find(sim, "a")->partition, 2);
    ck_assert_uint_eq(sim_find(sim, "b")->partition, 1);
    sim_free(sim);
}
END_TEST

START_TEST(a_partition_that_is_down_is_left_out)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_partition(sim, "one: nodes=0 down");
    sim_partition(sim, "two: nodes=1");
    sim_job(sim, "a: partition=one or=two time=10");

    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    ck_assert_uint_eq(sim_find(sim, "a")->partition, 1);
    sim_free(sim);
}
END_TEST

/* ---- reservations ---- */

START_TEST(a_window_is_kept_for_its_jobs)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_reservation(sim, "nodes=0 from=10 to=30");
    sim_job(sim, "a: nodes=1 on=0 time=10");
    sim_job(sim, "b: nodes=1 on=0 time=5");
    sim_job(sim, "c: nodes=1 time=20 reservation=1");
    sim_job(sim, "d: nodes=1 time=21 reservation=1");
    sim_job(sim, "e: nodes=2 time=11");

    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    ck_assert_int_eq(sim_start_of(sim, "b"), 30);
    ck_assert_str_eq(sim_why(sim, "b"), "Reservation");
    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    ck_assert_str_eq(sim_places(sim, "c"), "0:0");
    ck_assert_str_eq(sim_why(sim, "c"), "Reservation");
    ck_assert_int_eq(sim_start_of(sim, "d"), SIM_WAITS);
    ck_assert_int_eq(sim_start_of(sim, "e"), 35);
    sim_free(sim);
}
END_TEST

START_TEST(a_new_window_moves_the_plans_in_its_way)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "run: time=10 running");
    sim_job(sim, "a: time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 10);

    sim_reservation(sim, "nodes=0 from=15 to=50");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 50);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_of_a_window_starts_when_it_opens)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_reservation(sim, "nodes=0 from=10 to=30");
    sim_job(sim, "a: time=5 reservation=1");
    sim_pass(sim);
    ck_assert_int_eq(planner_wakes_at(sim->planner), 10000);

    sim_at(sim, 10);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

/* ---- --time-min ---- */

START_TEST(a_shorter_time_will_do_for_a_start_now)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_job(sim, "b: nodes=1 time=50 time-min=11");
    sim_job(sim, "c: nodes=1 time=50 time-min=5");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 20);
    ck_assert(sim_runs(sim, "c"));
    ck_assert_int_eq(sim_find(sim, "c")->ask.end_ms, 10000);
    sim_free(sim);
}
END_TEST

/* Cpus that are free are not what it waits for, whichever the plan has picked. */
START_TEST(who_waits_for_licenses_lacks_them_alone_and_hears_who_has_them)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");
    sim_pool(sim, "total=2");
    sim_job(sim, "run: nodes=1 tasks=1 time=10 claims=0:2 running");
    sim_job(sim, "other: nodes=1 tasks=1 time=20 running");
    sim_job(sim, "a: nodes=1 tasks=1 time=10 claims=0:1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_uint_eq(sim_find(sim, "a")->lacks, PLAN_LACKS_POOL);
    ck_assert_uint_eq(sim_find(sim, "a")->blockers_n, 1);
    ck_assert_uint_eq(sim_find(sim, "a")->blockers[0], sim_find(sim, "run")->ask.id);
    sim_free(sim);
}
END_TEST

START_TEST(what_a_job_lacks_is_told)
{
    struct sim *sim = sim_new("nodes=1x4 select=core,memory mem=100");
    sim_job(sim, "run: tasks=2 mem=60 time=10 running");
    sim_job(sim, "a: tasks=3 mem=10 time=10");
    sim_job(sim, "b: tasks=1 mem=50 time=10");

    sim_pass(sim);

    ck_assert_uint_eq(sim_find(sim, "a")->lacks, PLAN_LACKS_CPUS);
    ck_assert_uint_eq(sim_find(sim, "b")->lacks & PLAN_LACKS_MEMORY, PLAN_LACKS_MEMORY);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(
    policy, LOOP_CASE(one_plan_is_easy, ARRAY_N(easy)),
    CASE(without_backfill_a_job_that_was_put_off_blocks_its_partition),
    CASE(the_shortest_of_those_behind_goes_first), CASE(one_user_does_not_use_up_the_tries),
    CASE(one_partition_does_not_use_up_the_tries),
    CASE(only_so_many_start_ahead_of_their_turn_in_a_pass),
    CASE(the_others_start_in_the_passes_that_follow), CASE(what_never_starts_uses_up_no_tries),
    CASE(a_job_beyond_the_window_starts_though_nothing_happens),
    CASE(a_search_that_time_overtakes_begins_anew), CASE(a_job_starts_where_it_was_planned_to),
    CASE(a_job_of_an_unknown_reservation_waits),
    CASE(a_job_whose_reservation_is_gone_stands_in_nobodys_way),
    CASE(a_job_that_may_be_shorter_starts_when_its_window_opens),
    CASE(nothing_is_planned_beyond_the_window), CASE(planned_times_are_multiples_of_the_resolution),
    CASE(a_job_is_planned_when_it_is_of_age), CASE(only_jobs_of_some_priority_are_planned),
    CASE(licenses_are_planned_like_nodes), CASE(licenses_come_back_with_the_job_that_had_them),
    CASE(more_licenses_than_there_are_never_come), CASE(the_partition_with_the_earliest_start_wins),
    CASE(of_equal_starts_the_higher_tier_wins_then_the_first_named),
    CASE(a_partition_that_is_down_is_left_out), CASE(a_window_is_kept_for_its_jobs),
    CASE(a_new_window_moves_the_plans_in_its_way), CASE(a_job_of_a_window_starts_when_it_opens),
    CASE(a_shorter_time_will_do_for_a_start_now), CASE(what_a_job_lacks_is_told),
    CASE(who_waits_for_licenses_lacks_them_alone_and_hears_who_has_them))
