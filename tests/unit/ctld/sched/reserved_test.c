/* What reservations themselves claim of pools. */
#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

START_TEST(what_a_reservation_claims_is_kept_from_others_during_its_time)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=3");
    sim_reservation(sim, "claims=0:2 from=10 to=30");
    sim_job(sim, "before: claims=0:2 time=10");
    sim_job(sim, "beside: claims=0:1 time=50");
    sim_job(sim, "into: claims=0:2 time=11");

    sim_pass(sim);

    ck_assert(sim_runs(sim, "before"));
    ck_assert(sim_runs(sim, "beside"));
    ck_assert_int_eq(sim_start_of(sim, "into"), 30);
    ck_assert_str_eq(sim_why(sim, "into"), "Pool");
    sim_free(sim);
}
END_TEST

START_TEST(what_is_claimed_each_time_is_free_between)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=1");
    sim_reservation(sim, "claims=0:1 from=0 to=10 every=20 times=2");
    sim_job(sim, "short: claims=0:1 time=10");
    sim_job(sim, "long: claims=0:1 time=11");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "short"), 10);
    ck_assert_int_eq(sim_start_of(sim, "long"), 30);
    sim_free(sim);
}
END_TEST

START_TEST(a_job_without_a_place_wakes_when_claims_are_over)
{
    struct sim *sim = sim_new("nodes=2x1 plans=1");
    sim_pool(sim, "total=1");
    sim_reservation(sim, "claims=0:1 from=0 to=10");
    sim_job(sim, "run: nodes=1 time=100 running");
    sim_job(sim, "a: nodes=2 time=5 priority=9");
    sim_job(sim, "b: nodes=1 time=5 claims=0:1");
    sim_pass(sim);
    ck_assert(!sim_runs(sim, "b"));
    ck_assert_int_eq(planner_wakes_at(sim->planner), 10000);

    sim_at(sim, 10);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(a_reservation_that_goes_gives_back_what_it_claims)
{
    struct sim *sim = sim_new("nodes=4x1");
    const struct plan_reservation gone = { .id = 1 };
    sim_pool(sim, "total=1");
    sim_reservation(sim, "claims=0:1 from=0 to=10");
    sim_job(sim, "a: claims=0:1 time=5");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 10);

    sim_change(sim, &(struct plan_change){ .kind = PLAN_RESERVATION, .reservation = &gone });
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

START_TEST(a_new_reservation_moves_the_plans_that_it_leaves_too_little_for)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=2");
    sim_job(sim, "run: claims=0:2 time=10 running");
    sim_job(sim, "a: claims=0:2 time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 10);

    sim_reservation(sim, "claims=0:1 from=15 to=50");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 50);
    sim_free(sim);
}
END_TEST

/* The reservation alone asks for no more than there is. */
START_TEST(claims_count_when_jobs_make_the_pool_scarce)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=2");
    sim_job(sim, "a: claims=0:1 time=20");
    sim_pass(sim);
    sim_reservation(sim, "claims=0:1 from=10 to=30");
    sim_pass(sim);

    sim_job(sim, "b: claims=0:1 time=20");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    ck_assert_int_eq(sim_start_of(sim, "b"), 20);
    sim_free(sim);
}
END_TEST

/* Its claims are over where the reservation ends it. */
START_TEST(a_job_inside_claims_until_its_reservation_is_over)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=1");
    sim_pool(sim, "total=1");
    sim_reservation(sim, "claims=1:1 from=0 to=30 anywhere=1");
    sim_job(sim, "outside: claims=0:1,1:1 time=10 priority=9");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "outside"), 30);

    sim_job(sim, "inside: claims=0:1 time=100 reservation=1");
    sim_pass(sim);

    ck_assert(sim_runs(sim, "inside"));
    sim_free(sim);
}
END_TEST

START_TEST(a_job_inside_begins_when_what_is_left_of_its_time_will_do)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=1");
    sim_pool(sim, "total=1");
    sim_reservation(sim, "claims=1:1 from=0 to=30 anywhere=1");
    sim_job(sim, "run: claims=0:1 time=20 running");
    sim_job(sim, "outside: claims=0:1,1:1 time=10 priority=9");
    sim_job(sim, "inside: claims=0:1 time=100 reservation=1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "inside"), 20);
    ck_assert_str_eq(sim_why(sim, "inside"), "Pool");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_inside_that_never_gets_its_claims_waits_for_them)
{
    struct sim *sim = sim_new("nodes=4x1");
    sim_pool(sim, "total=1");
    sim_reservation(sim, "from=0 to=30 anywhere=1");
    sim_job(sim, "run: claims=0:1 time=50 running");
    sim_job(sim, "inside: claims=0:1 time=5 reservation=1");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "inside"), SIM_WAITS);
    ck_assert_str_eq(sim_why(sim, "inside"), "Pool");
    sim_free(sim);
}
END_TEST

CHECK_MAIN(reserved, CASE(what_a_reservation_claims_is_kept_from_others_during_its_time),
           CASE(what_is_claimed_each_time_is_free_between),
           CASE(a_job_without_a_place_wakes_when_claims_are_over),
           CASE(a_reservation_that_goes_gives_back_what_it_claims),
           CASE(a_new_reservation_moves_the_plans_that_it_leaves_too_little_for),
           CASE(claims_count_when_jobs_make_the_pool_scarce),
           CASE(a_job_inside_claims_until_its_reservation_is_over),
           CASE(a_job_inside_begins_when_what_is_left_of_its_time_will_do),
           CASE(a_job_inside_that_never_gets_its_claims_waits_for_them))
