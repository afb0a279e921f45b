#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

START_TEST(the_first_waits_for_resources_and_the_others_for_priority)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_job(sim, "run: nodes=2 time=10 running");
    sim_job(sim, "a: nodes=2 time=10");
    sim_job(sim, "b: nodes=2 time=10");
    sim_pass(sim);
    ck_assert_str_eq(sim_why(sim, "a"), "Resources");
    ck_assert_str_eq(sim_why(sim, "b"), "Priority");

    sim_end(sim, "a");
    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "b"), "Resources");
    sim_free(sim);
}
END_TEST

START_TEST(each_partition_has_its_first)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_partition(sim, "one:");
    sim_partition(sim, "two:");
    sim_job(sim, "run: nodes=2 time=10 running");
    sim_job(sim, "a: partition=one nodes=2 time=10");
    sim_job(sim, "b: partition=two nodes=2 time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "a"), "Resources");
    ck_assert_str_eq(sim_why(sim, "b"), "Resources");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_fits_but_for_a_down_node_says_so_and_holds_up_nobody)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_node(sim, "1: down");
    sim_job(sim, "a: nodes=2 time=10");
    sim_job(sim, "b: nodes=1 time=10");
    sim_pass(sim);
    ck_assert_str_eq(sim_why(sim, "a"), "NodesDown");
    ck_assert(sim_runs(sim, "b"));

    sim_end(sim, "b");
    sim_set_usable(sim, 1, true);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

START_TEST(a_required_node_that_is_down_is_waited_for)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_node(sim, "0: down");
    sim_job(sim, "a: nodes=1 on=0");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "a"), "NodesDown");
    sim_free(sim);
}
END_TEST

START_TEST(a_partition_that_is_down_starts_nothing)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_partition(sim, "p: down");
    sim_job(sim, "a: nodes=1 partition=p");
    sim_pass(sim);
    ck_assert_str_eq(sim_why(sim, "a"), "PartitionDown");

    sim_set_partition(sim, "p", true);
    sim_pass(sim);

    ck_assert(sim_runs(sim, "a"));
    sim_free(sim);
}
END_TEST

/* As a Slurm 22.05.8 that is asked for both partitions, in either order. */
START_TEST(nodes_that_are_down_are_told_before_a_partition_that_is)
{
    struct sim *sim = sim_new("nodes=2x1");
    sim_partition(sim, "shut: nodes=0-0 down");
    sim_partition(sim, "open: nodes=1-1");
    sim_node(sim, "1: down");
    sim_job(sim, "a: partition=shut or=open time=10");
    sim_job(sim, "b: partition=open or=shut time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "a"), "NodesDown");
    ck_assert_str_eq(sim_why(sim, "b"), "NodesDown");
    sim_free(sim);
}
END_TEST

static const char *const too_much[] = {
    "nodes=3",
    "nodes=1-1 tasks=5",
    "cpus=5",
    "mem=1001",
    "mem-per-cpu=1001",
    "features=gpu",
    "nodes=2 not=1",
    "nodes=1 on=0,1",
    "threads=2",
    "mincpus=5",
    "tasks=9",
    "on=0 not=0",
    "features=ssd&gpu",
    "per-node=5",
    "nodes=1-2 tasks=5 per-node=2",
    "cpus=5 overcommit",
    "mem-per-cpu=600 cpus=2",
    "nodes=2 features=ssd",
};

START_TEST(what_no_node_set_can_ever_hold_is_called_that)
{
    struct sim *sim = sim_new("nodes=2x4 select=core,memory");
    AUTO_FREE char *line =
        xasprintf("a: %s%s", strstr(too_much[_i], "tasks=5 ") ? "nodes=1-2 " : "", too_much[_i]);
    sim_node(sim, "0: features=ssd");
    sim_job(sim, line);
    sim_job(sim, "b: nodes=2");

    sim_pass(sim);

    ck_assert_str_eq(sim_why(sim, "a"), "NeverFits");
    ck_assert(sim_runs(sim, "b"));
    sim_free(sim);
}
END_TEST

START_TEST(blockers_are_the_jobs_that_hold_the_place)
{
    struct sim *sim = sim_new("nodes=3x1");
    sim_job(sim, "a: nodes=1 time=10 on=0 running");
    sim_job(sim, "b: nodes=1 time=10 on=1 running");
    sim_job(sim, "c: nodes=1 time=99 on=2 running");
    sim_job(sim, "d: nodes=2 time=10");
    sim_job(sim, "e: nodes=2 time=10");

    sim_pass(sim);

    ck_assert_uint_eq(sim_find(sim, "d")->blockers_n, 2);
    ck_assert_uint_eq(sim_find(sim, "d")->blockers[0], sim_find(sim, "a")->ask.id);
    ck_assert_uint_eq(sim_find(sim, "d")->blockers[1], sim_find(sim, "b")->ask.id);
    ck_assert_uint_eq(sim_find(sim, "e")->blockers_n, 3);
    ck_assert_uint_eq(sim_find(sim, "e")->blockers[2], sim_find(sim, "d")->ask.id);
    sim_free(sim);
}
END_TEST

START_TEST(no_more_blockers_are_named_than_there_is_room_for)
{
    struct sim *sim = sim_new("nodes=12x1");
    for (int i = 0; i < 12; i++) {
        AUTO_FREE char *line = xasprintf("r%d: nodes=1 time=10 running", i);

        sim_job(sim, line);
    }
    sim_job(sim, "a: nodes=12 time=10");

    sim_pass(sim);

    ck_assert_uint_eq(sim_find(sim, "a")->blockers_n, PLAN_BLOCKERS_MAX);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(reason, CASE(the_first_waits_for_resources_and_the_others_for_priority),
           CASE(each_partition_has_its_first),
           CASE(a_job_that_fits_but_for_a_down_node_says_so_and_holds_up_nobody),
           CASE(a_required_node_that_is_down_is_waited_for),
           CASE(a_partition_that_is_down_starts_nothing),
           CASE(nodes_that_are_down_are_told_before_a_partition_that_is),
           LOOP_CASE(what_no_node_set_can_ever_hold_is_called_that, ARRAY_N(too_much)),
           CASE(blockers_are_the_jobs_that_hold_the_place),
           CASE(no_more_blockers_are_named_than_there_is_room_for))
