/* MaxCPUsPerNode: what the jobs of a partition hold of a node together. */
#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

START_TEST(jobs_of_a_partition_hold_no_more_of_a_node_than_it_may)
{
    struct sim *sim = sim_new("nodes=2x1x8x2 select=core");
    sim_partition(sim, "p: node-cap=5");
    sim_partition(sim, "q:");
    sim_job(sim, "a: partition=p tasks=9 time=10 running");
    sim_job(sim, "b: partition=p tasks=1 time=10");
    sim_job(sim, "c: partition=p exclusive");
    sim_job(sim, "d: partition=q tasks=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-5 1:0-3");
    ck_assert_str_eq(sim_places(sim, "b"), "1:4-5");
    ck_assert_str_eq(sim_why(sim, "c"), "NeverFits");
    ck_assert_str_eq(sim_places(sim, "d"), "0:6-15");
    sim_free(sim);
}
END_TEST

/* Cores that come with a socket or a node count, whether the job uses them or not. */
static const struct {
    const char *nodes, *job;
    bool fits;
} empty[] = {
    { "nodes=1x2x2x1 select=socket", "tasks=1 memory-bound", true },
    { "nodes=1x2x2x1 select=socket", "tasks=2 memory-bound", false },
    { "nodes=1x2x2x1 select=socket", "tasks=1 per-socket=1", true },
    { "nodes=1x2x2x1 select=socket", "tasks=2 per-socket=1", false },
    { "nodes=1x2x2x1 select=core", "tasks=2 memory-bound", true },
    { "nodes=1x2x2x1 select=core", "tasks=1 exclusive memory-bound", false },
    { "nodes=1x2x2x1 select=linear", "nodes=1 memory-bound", false },
    { "nodes=1x2x2x1 select=core", "tasks=1 spare=2", true },
    { "nodes=1x2x2x1 select=core", "tasks=1 spare=1", false },
};

START_TEST(a_job_fits_when_all_it_takes_is_under_the_cap)
{
    struct sim *sim = sim_new(empty[_i].nodes);
    sim_partition(sim, "p: node-cap=2");
    AUTO_FREE char *job = xasprintf("a: %s", empty[_i].job);
    sim_job(sim, job);

    sim_pass(sim);

    ck_assert_int_eq(sim_runs(sim, "a"), empty[_i].fits);
    if (!empty[_i].fits)
        ck_assert_str_eq(sim_why(sim, "a"), "NeverFits");
    sim_free(sim);
}
END_TEST

START_TEST(a_socket_taken_whole_leaves_the_partition_nothing)
{
    struct sim *sim = sim_new("nodes=1x2x2x1 select=socket");
    sim_partition(sim, "p: node-cap=2");
    sim_job(sim, "a: tasks=1 memory-bound time=10 running");
    sim_job(sim, "b: tasks=1 memory-bound time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-1");
    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(cap, CASE(jobs_of_a_partition_hold_no_more_of_a_node_than_it_may),
           LOOP_CASE(a_job_fits_when_all_it_takes_is_under_the_cap, ARRAY_N(empty)),
           CASE(a_socket_taken_whole_leaves_the_partition_nothing))
