/* Windows over nodes and parts of them: what they keep off, whom they let in, and for how long. */
#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

/* Within: the job has to end in a span of reservation 1. */
#define WITHIN_1 "2147483649"

/* ---- whole nodes ---- */

static const struct {
    const char *window, *job;
    int64_t start;
} outside[] = {
    { "nodes=0 from=10 to=20", "a: nodes=1 time=10", 0 },
    { "nodes=0 from=10 to=20", "a: nodes=1 time=11", 20 },
    { "nodes=0 from=10 to=20", "a: nodes=1", 20 },
    { "nodes=0 from=0 to=20", "a: nodes=1 time=1", 20 },
    { "nodes=0 from=10 to=20", "a: nodes=1 time=5 begin=6", 20 },
    { "nodes=0 from=10 to=20", "a: nodes=1 time=5 begin=25", 25 },
    /* The first gap that is long enough. */
    { "nodes=0 from=10 to=20 every=30 times=3", "a: nodes=1 time=20", 20 },
    { "nodes=0 from=10 to=20 every=30 times=3", "a: nodes=1 time=21", 80 },
    { "nodes=0 from=10 to=20 every=30 times=3", "a: nodes=1", 80 },
    { "nodes=0 from=0 to=10 every=10 times=3", "a: nodes=1 time=1", 30 },
    /* A flag lets in jobs of the reservation alone. */
    { "nodes=0 from=0 to=20 flex=1", "a: nodes=1 time=1", 20 },
    { "nodes=0 from=0 to=20 anywhere=1", "a: nodes=1 time=1", 20 },
    { "nodes=0 from=0 to=20 maint=1", "a: nodes=1 time=1", 20 },
    { "nodes=0 from=0 to=20 overlap=1", "a: nodes=1 time=1", 20 },
    { "nodes=0 from=0 to=20 absent=1", "a: nodes=1 time=1", 20 },
    { "nodes=0 from=10 to=20 overrun=30", "a: nodes=1 time=1 begin=10", 20 },
    /* Short jobs that it yields to. */
    { "nodes=0 from=0 to=20 yields=5", "a: nodes=1 time=5", 0 },
    { "nodes=0 from=0 to=20 yields=5", "a: nodes=1 time=6", 20 },
    { "nodes=0 from=5 to=20 yields=5", "a: nodes=1 time=5", 0 },
    { "nodes=0 from=5 to=20 yields=5", "a: nodes=1 time=9", 20 },
    /* It never comes nearer. */
    { "nodes=0 floats=10", "a: nodes=1 time=10", 0 },
    { "nodes=0 floats=10", "a: nodes=1 time=11", SIM_WAITS },
    { "nodes=0 floats=10", "a: nodes=1", SIM_WAITS },
};

START_TEST(it_keeps_jobs_of_none_off_its_nodes)
{
    struct sim *sim = sim_new("nodes=1x4");

    sim_reservation(sim, outside[_i].window);
    sim_at(sim, sim_number(outside[_i].job, "begin", 0));
    sim_job(sim, outside[_i].job);
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), outside[_i].start);
    sim_free(sim);
}
END_TEST

static const struct {
    const char *window, *job;
    int64_t start;
} inside[] = {
    { "nodes=0 from=10 to=20", "a: nodes=1 time=5 reservation=1", 10 },
    { "nodes=0 from=10 to=20", "a: nodes=1 time=500 reservation=1", 10 },
    { "nodes=0 from=10 to=20", "a: nodes=1 reservation=1", 10 },
    { "nodes=0 from=0 to=20", "a: nodes=1 reservation=1", 0 },
    { "nodes=0 from=0 to=20", "a: nodes=1 time=5 begin=19 reservation=1", 19 },
    { "nodes=0 from=0 to=20", "a: nodes=1 time=5 begin=20 reservation=1", SIM_WAITS },
    { "nodes=0 from=0 to=20 every=30 times=2", "a: nodes=1 time=5 begin=20 reservation=1", 30 },
    { "nodes=0 from=10 to=20", "a: nodes=2 time=5 reservation=1", SIM_WAITS },
    { "nodes=0 from=10 to=20", "a: nodes=1 on=1 time=5 reservation=1", SIM_WAITS },
    { "nodes=0 from=10 to=20", "a: nodes=1 time=5 reservation=2", SIM_WAITS },
    { "nodes=0 from=10 to=20 flex=1", "a: nodes=2 time=50 reservation=1", 0 },
    { "nodes=0 from=10 to=20 flex=1", "a: nodes=1 on=1 reservation=1", 0 },
    { "nodes=0 from=10 to=20 anywhere=1", "a: nodes=2 time=5 reservation=1", 10 },
    { "from=10 to=20 anywhere=1", "a: nodes=2 time=5 reservation=1", 10 },
    /* Within a span, as those that are drawn into it. */
    { "nodes=0 from=10 to=20", "a: nodes=1 time=10 reservation=" WITHIN_1, 10 },
    { "nodes=0 from=10 to=20", "a: nodes=1 time=11 reservation=" WITHIN_1, SIM_WAITS },
    { "nodes=0 from=10 to=20 every=30 times=2", "a: nodes=1 time=10 begin=11 reservation=" WITHIN_1,
      40 },
    { "nodes=0 from=10 to=20", "a: nodes=1 time=11 or-reservation=0 reservation=" WITHIN_1, 0 },
};

START_TEST(it_lets_its_own_jobs_in)
{
    struct sim *sim = sim_new("nodes=2x4");

    sim_reservation(sim, inside[_i].window);
    sim_at(sim, sim_number(inside[_i].job, "begin", 0));
    sim_job(sim, inside[_i].job);
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), inside[_i].start);
    sim_free(sim);
}
END_TEST

/* Two reservations on one node, from 0 to 20; job a is in the first. */
static const struct {
    const char *first, *second;
    int64_t start;
} over[] = {
    { "maint=1", "", 0 },
    { "overlap=1", "", 0 },
    { "", "maint=1", 20 },
    { "", "overlap=1", 20 },
    { "maint=1", "maint=1", 0 },
    { "overlap=1", "maint=1", 20 },
    { "overlap=1", "overlap=1", 0 },
    { "maint=1", "overlap=1", 0 },
    { "maint=1", "absent=1", 20 },
    { "flex=1", "", 20 },
};

START_TEST(one_may_be_over_another)
{
    struct sim *sim = sim_new("nodes=1x4");
    AUTO_FREE char *first = xasprintf("nodes=0 from=0 to=30 %s", over[_i].first);
    AUTO_FREE char *second = xasprintf("nodes=0 from=0 to=20 %s", over[_i].second);

    sim_reservation(sim, first);
    sim_reservation(sim, second);
    sim_job(sim, "a: nodes=1 time=5 reservation=1");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), over[_i].start);
    sim_free(sim);
}
END_TEST

/* Its deadline comes before the other does. */
START_TEST(a_job_begins_where_one_that_floats_stays_behind_its_end)
{
    struct sim *sim = sim_new("nodes=1x4");

    sim_reservation(sim, "nodes=0 from=10 to=40");
    sim_reservation(sim, "nodes=0 floats=5");
    sim_job(sim, "a: nodes=1 time=20 reservation=1");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 35);
    sim_free(sim);
}
END_TEST

/* ---- parts ---- */

START_TEST(the_rest_of_a_node_is_for_others)
{
    struct sim *sim = sim_new("nodes=1x4 select=cpu");

    sim_reservation(sim, "parts=0:0-1 from=0 to=20");
    sim_job(sim, "a: tasks=2 time=50");
    sim_job(sim, "b: tasks=1 time=5");
    sim_job(sim, "c: tasks=2 time=5 reservation=1");
    sim_job(sim, "d: tasks=1 time=5 reservation=1");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:2-3");
    ck_assert_int_eq(sim_start_of(sim, "b"), 20);
    ck_assert_str_eq(sim_places(sim, "c"), "0:0-1");
    ck_assert_int_eq(sim_start_of(sim, "d"), 5);
    sim_free(sim);
}
END_TEST

static const struct {
    const char *job, *places;
    int64_t start;
} parts[] = {
    { "a: tasks=2 time=50", "0:2-3", 0 },
    { "a: tasks=3 time=10", "0:0-2", 0 },
    { "a: tasks=3 time=11", "0:0-2", 20 },
    { "a: tasks=1 time=5 exclusive", "0:0-3", 0 },
    { "a: tasks=1 time=11 exclusive", "0:0-3", 20 },
    { "a: tasks=2 time=5 reservation=1", "0:0-1", 10 },
    { "a: tasks=1 time=50 reservation=1", "0:0", 10 },
    { "a: tasks=1 time=5 exclusive reservation=1", "", SIM_WAITS },
    { "a: tasks=3 time=5 reservation=1", "", SIM_WAITS },
};

START_TEST(parts_are_kept_during_its_spans)
{
    struct sim *sim = sim_new("nodes=1x4 select=cpu");

    sim_reservation(sim, "parts=0:0-1 from=10 to=20");
    sim_job(sim, parts[_i].job);
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), parts[_i].start);
    if (parts[_i].start != SIM_WAITS)
        ck_assert_str_eq(sim_places(sim, "a"), parts[_i].places);
    sim_free(sim);
}
END_TEST

START_TEST(of_what_lets_its_jobs_be_anywhere_parts_are_no_bound)
{
    struct sim *sim = sim_new("nodes=1x4 select=cpu");

    sim_reservation(sim, "parts=0:0-1 from=0 to=20 anywhere=1");
    sim_job(sim, "a: tasks=3 time=5 reservation=1");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 0);
    sim_free(sim);
}
END_TEST

START_TEST(parts_of_one_node_may_be_of_several)
{
    struct sim *sim = sim_new("nodes=1x4 select=cpu");

    sim_reservation(sim, "parts=0:0 from=0 to=20");
    sim_reservation(sim, "parts=0:1-2 from=0 to=30");
    sim_job(sim, "a: tasks=2 time=5 reservation=2");
    sim_job(sim, "b: tasks=1 time=5 reservation=1");
    sim_job(sim, "c: tasks=1 time=5");
    sim_job(sim, "d: tasks=4 time=5");
    sim_job(sim, "e: tasks=2 time=5");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:1-2");
    ck_assert_str_eq(sim_places(sim, "b"), "0:0");
    ck_assert_str_eq(sim_places(sim, "c"), "0:3");
    ck_assert_int_eq(sim_start_of(sim, "d"), 30);
    ck_assert_int_eq(sim_start_of(sim, "e"), 20);
    sim_free(sim);
}
END_TEST

/* ---- ends ---- */

static const struct {
    const char *window;
    int64_t start; /* of a job that waits for one that runs in it, and would for 100 */
} ends[] = {
    { "nodes=0 from=0 to=20", 20 },
    { "nodes=0 from=0 to=20 overrun=10", 30 },
    { "nodes=0 from=0 to=20 overrun=-1", 100 },
    { "nodes=0 from=0 to=20 overrun=500", 100 },
    { "nodes=0 from=0 to=20 flex=1", 100 },
    { "nodes=0 from=0 to=20 every=30 times=2", 50 },
};

START_TEST(what_waits_counts_on_its_jobs_end)
{
    struct sim *sim = sim_new("nodes=1x4");

    sim_reservation(sim, ends[_i].window);
    sim_job(sim, "run: nodes=1 time=100 reservation=1 running");
    sim_job(sim, "a: nodes=1 time=11");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), ends[_i].start);
    sim_free(sim);
}
END_TEST

/* As a job that is planned in it: what comes behind is planned behind its end. */
START_TEST(what_is_planned_in_it_ends_with_it)
{
    struct sim *sim = sim_new("nodes=1x4");

    sim_reservation(sim, "nodes=0 from=10 to=20 overrun=5");
    sim_job(sim, "a: nodes=1 time=100 reservation=1");
    sim_job(sim, "b: nodes=1 time=100");
    sim_job(sim, "c: nodes=1 time=10");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_int_eq(sim_start_of(sim, "b"), 25);
    ck_assert_int_eq(sim_start_of(sim, "c"), 0);
    sim_free(sim);
}
END_TEST

/* ---- several options ---- */

START_TEST(of_several_the_soonest_is_planned)
{
    struct sim *sim = sim_new("nodes=2x4");

    sim_reservation(sim, "nodes=0 from=30 to=40");
    sim_reservation(sim, "nodes=1 from=10 to=20");
    sim_job(sim, "a: nodes=1 time=5 reservation=1 or-reservation=2");
    sim_job(sim, "b: nodes=1 time=500 reservation=1 or-reservation=2");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_int_eq(sim_start_of(sim, "b"), 15);

    sim_at(sim, 10);
    sim_pass(sim);
    ck_assert(sim_runs(sim, "a"));
    ck_assert_str_eq(sim_places(sim, "a"), "1:0-3");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_is_drawn_goes_elsewhere_if_that_is_sooner)
{
    struct sim *sim = sim_new("nodes=2x4");

    sim_reservation(sim, "nodes=0 from=0 to=40");
    sim_job(sim, "a: nodes=1 time=20 reservation=" WITHIN_1 " or-reservation=0");
    sim_job(sim, "b: nodes=1 time=30 reservation=" WITHIN_1 " or-reservation=0");
    sim_job(sim, "c: nodes=1 time=20 reservation=" WITHIN_1 " or-reservation=0");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-3");
    ck_assert_str_eq(sim_places(sim, "b"), "1:0-3");
    ck_assert_int_eq(sim_start_of(sim, "c"), 20);
    sim_free(sim);
}
END_TEST

/* ---- changes ---- */

START_TEST(one_that_comes_new_moves_plans_and_ends_nothing)
{
    struct sim *sim = sim_new("nodes=2x4");

    sim_job(sim, "run: nodes=1 on=0 time=100 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 100);

    sim_reservation(sim, "nodes=1 from=105 to=200");
    sim_pass(sim);
    ck_assert_int_eq(sim_start_of(sim, "a"), 200);
    ck_assert(sim_runs(sim, "run"));
    sim_free(sim);
}
END_TEST

START_TEST(a_pass_is_due_when_it_begins_and_ends)
{
    struct sim *sim = sim_new("nodes=1x4");

    sim_reservation(sim, "nodes=0 from=10 to=20");
    sim_job(sim, "a: nodes=1 time=5 reservation=1");
    sim_job(sim, "b: nodes=1 time=50");
    sim_pass(sim);
    ck_assert_int_eq(planner_wakes_at(sim->planner), 10000);
    sim_at(sim, 10);
    sim_pass(sim);
    ck_assert(sim_runs(sim, "a"));

    sim_end(sim, "a");
    sim_pass(sim);
    ck_assert_int_le(planner_wakes_at(sim->planner), 20000);
    sim_at(sim, 20);
    sim_pass(sim);
    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

/* No job of it gives up a place because of one that it yields to. */
START_TEST(its_jobs_are_delayed_no_more_than_it_yields)
{
    struct sim *sim = sim_new("nodes=1x4");

    sim_reservation(sim, "nodes=0 from=10 to=40 yields=5");
    sim_at(sim, 8);
    sim_job(sim, "short: nodes=1 time=5 running");
    sim_job(sim, "a: nodes=1 time=5 reservation=1");
    sim_job(sim, "long: nodes=1 time=6");
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "a"), 13);
    ck_assert_int_eq(sim_start_of(sim, "long"), 40);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(window, LOOP_CASE(it_keeps_jobs_of_none_off_its_nodes, ARRAY_N(outside)),
           LOOP_CASE(it_lets_its_own_jobs_in, ARRAY_N(inside)),
           LOOP_CASE(one_may_be_over_another, ARRAY_N(over)),
           CASE(a_job_begins_where_one_that_floats_stays_behind_its_end),
           CASE(the_rest_of_a_node_is_for_others),
           LOOP_CASE(parts_are_kept_during_its_spans, ARRAY_N(parts)),
           CASE(of_what_lets_its_jobs_be_anywhere_parts_are_no_bound),
           CASE(parts_of_one_node_may_be_of_several),
           LOOP_CASE(what_waits_counts_on_its_jobs_end, ARRAY_N(ends)),
           CASE(what_is_planned_in_it_ends_with_it), CASE(of_several_the_soonest_is_planned),
           CASE(a_job_that_is_drawn_goes_elsewhere_if_that_is_sooner),
           CASE(one_that_comes_new_moves_plans_and_ends_nothing),
           CASE(a_pass_is_due_when_it_begins_and_ends),
           CASE(its_jobs_are_delayed_no_more_than_it_yields))
