#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

static struct plan_decision ask(struct sim *sim, const char *line)
{
    struct sim_job *job = sim_make_job(sim, line);
    struct plan_decision decision;

    job->gone = true;
    planner_ask(sim->planner, sim->snapshot.now_ms, &job->ask);
    sim_pass(sim);
    ck_assert(planner_answer(sim->planner, &decision));
    sim_note(job, &decision);
    return decision;
}

START_TEST(a_job_that_could_start_is_told_so)
{
    struct sim *sim = sim_new("nodes=2x2");

    ck_assert_int_eq(ask(sim, "a: nodes=2 time=10").verdict, PLAN_START);
    ck_assert_str_eq(sim_places(sim, "a"), "0:0-1 1:0-1");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_goes_behind_those_of_higher_rank_and_before_the_others)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "run: time=10 running");
    sim_job(sim, "a: time=10 priority=9");
    sim_job(sim, "b: time=10 priority=5");
    sim_pass(sim);

    ck_assert_int_eq(ask(sim, "x: time=1 priority=1").at_ms, 30000);
    ck_assert_int_eq(ask(sim, "y: time=1 priority=7").at_ms, 20000);
    ck_assert_int_eq(ask(sim, "z: time=1 priority=99").at_ms, 10000);
    ck_assert_int_eq(ask(sim, "z: time=1 priority=99").blockers_n, 1);
    sim_free(sim);
}
END_TEST

START_TEST(jobs_that_came_just_before_count)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "run: time=10 running");
    sim_job(sim, "a: time=10");

    ck_assert_int_eq(ask(sim, "x: time=1").at_ms, 20000);
    sim_free(sim);
}
END_TEST

START_TEST(a_begin_is_heeded)
{
    struct sim *sim = sim_new("nodes=1x1");
    sim_job(sim, "run: time=10 running");

    ck_assert_int_eq(ask(sim, "x: time=1 begin=5").at_ms, 10000);
    ck_assert_int_eq(ask(sim, "y: time=1 begin=15").at_ms, 15000);
    ck_assert_int_eq(ask(sim, "y: time=1 begin=15").verdict, PLAN_LATER);
    sim_free(sim);
}
END_TEST

START_TEST(what_never_fits_is_told_so)
{
    struct sim *sim = sim_new("nodes=1x1");

    ck_assert_int_eq(ask(sim, "x: nodes=2").verdict, PLAN_NEVER_FITS);
    sim_free(sim);
}
END_TEST

/* On six nodes of four cores, all but the second with a feature. */
static const struct {
    const char *ask;
    bool fits;
} sets[] = {
    { "x: nodes=5 features=f", true },
    { "x: nodes=6 features=f", false },
    { "x: nodes=4 contiguous features=f", true },
    { "x: nodes=5 contiguous features=f", false },
    { "x: nodes=1-2 tasks=8", true },
    { "x: nodes=1-2 tasks=9", false },
    { "x: nodes=1-2 tasks=8 contiguous", true },
    { "x: nodes=1-2 tasks=9 contiguous", false },
    { "x: nodes=2-6 tasks=24 spread", true },
    { "x: nodes=2-6 tasks=25 spread", false },
    { "x: nodes=6 switches=1", true },
    { "x: nodes=7 switches=1", false },
};

START_TEST(whether_it_ever_fits_is_told_of_any_sort_of_set)
{
    struct sim *sim = sim_new("nodes=6x1x4");
    sim_node(sim, "0: features=f");
    sim_node(sim, "2: features=f");
    sim_node(sim, "3: features=f");
    sim_node(sim, "4: features=f");
    sim_node(sim, "5: features=f");

    ck_assert_int_eq(ask(sim, sets[_i].ask).verdict != PLAN_NEVER_FITS, sets[_i].fits);
    sim_free(sim);
}
END_TEST

START_TEST(asking_changes_nothing)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_job(sim, "run: nodes=1 time=10 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_job(sim, "b: nodes=1 time=20");
    sim_pass(sim);

    ask(sim, "x: nodes=2 time=5 priority=999");
    ask(sim, "y: nodes=1 time=5");
    sim_pass(sim);

    ck_assert_uint_eq(sim->decided_n, 0);
    ck_assert_int_eq(sim_start_of(sim, "a"), 10);
    ck_assert_int_eq(sim_start_of(sim, "b"), 20);
    sim_free(sim);
}
END_TEST

START_TEST(a_planner_without_a_cluster_has_no_place)
{
    struct planner *planner = planner_new();
    const struct plan_job job = { .id = 1, .shape = { .min_nodes = 1, .cpus_per_task = 1 } };
    struct plan_decision decision;

    planner_ask(planner, 0, &job);

    ck_assert(planner_answer(planner, &decision));
    ck_assert_int_eq(decision.verdict, PLAN_NEVER_FITS);
    planner_free(planner);
}
END_TEST

CHECK_MAIN(ask, CASE(a_job_that_could_start_is_told_so),
           CASE(a_job_goes_behind_those_of_higher_rank_and_before_the_others),
           CASE(jobs_that_came_just_before_count), CASE(a_begin_is_heeded),
           CASE(what_never_fits_is_told_so),
           LOOP_CASE(whether_it_ever_fits_is_told_of_any_sort_of_set, (int)ARRAY_N(sets)),
           CASE(asking_changes_nothing), CASE(a_planner_without_a_cluster_has_no_place))
