#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

/* One request on an idle cluster, and the cpus it gets. Memory is the sum over its nodes. */
static const struct {
    const char *cluster, *job, *places;
    uint64_t memory_mb;
} table[] = {
    /* cores: a task of one cpu takes the whole core */
    { "nodes=1x2x2x2 select=core", "tasks=1", "0:0-1", 0 },
    { "nodes=1x2x2x2 select=core", "tasks=3", "0:0-1,4-5", 0 },
    { "nodes=1x2x2x2 select=core", "tasks=1 cpus=3", "0:0-3", 0 },
    { "nodes=1x2x2x2 select=core", "tasks=2 threads=1", "0:0-1,4-5", 0 },
    { "nodes=1x2x2x2 select=core,onetask", "tasks=2", "0:0-1,4-5", 0 },
    { "nodes=1x2x2x2 select=core,onetask", "tasks=1 cpus=3", "0:0-3", 0 },
    { "nodes=1x2x2x2 select=core", "mincpus=5", "0:0-5", 0 },
    { "nodes=1x2x2x2 select=core", "tasks=2 per-core=1", "0:0-1,4-5", 0 },
    { "nodes=1x2x2x2 select=core", "tasks=2 per-core=2", "0:0-1", 0 },
    { "nodes=1x1x4x4 select=core", "tasks=3 per-core=2", "0:0-7", 0 },
    { "nodes=1x2x2x3 select=core", "tasks=4", "0:0-2,6-8", 0 },
    /* cpus: cores too, but only what is used has memory */
    { "nodes=1x2x2x2 select=cpu", "tasks=3", "0:0-3", 0 },
    { "nodes=1x2x2x2 select=cpu", "tasks=1 cpus=5", "0:0-5", 0 },
    { "nodes=1x2x2x2 select=cpu,memory", "tasks=3 mem-per-cpu=100", "0:0-3", 300 },
    { "nodes=2x2x2x2 select=cpu,memory", "tasks=8 mem-per-cpu=200", "0:0-5 1:0-3", 1600 },
    /* so many on a socket */
    { "nodes=2x2x2x1 select=core", "tasks=3 per-socket=1", "0:0,2 1:2", 0 },
    { "nodes=2x2x4x2 select=core", "tasks=5 per-socket=2", "0:0-1,8-9 1:8-9", 0 },
    { "nodes=2x2x4x1 select=core", "tasks=3 cpus=2 per-socket=1", "0:0-1,4-5 1:4-5", 0 },
    { "nodes=1x2x2x2 select=core", "tasks=4 per-socket=3", "0:0-1,4-5", 0 },
    /* a task that no socket holds has more of them */
    { "nodes=2x2x4x1 select=core", "tasks=1 cpus=8 per-socket=1", "0:0-7", 0 },
    { "nodes=2x2x4x1 select=core", "tasks=2 cpus=8 per-socket=1", "0:0-7 1:0-7", 0 },
    { "nodes=2x2x4x1 select=core", "tasks=2 cpus=4 per-socket=1", "0:0-7", 0 },
    { "nodes=1x2x3x2 select=core", "tasks=3 cpus=3 per-socket=2", "0:0-3,6-11", 0 },
    { "nodes=1x2x2x2 select=core", "tasks=2 per-socket=1 mincpus=6", "0:0-1,4-7", 0 },
    { "nodes=1x2x1x2 select=core,memory", "tasks=2 per-socket=1 mem-per-cpu=50", "0:0-3", 200 },
    { "nodes=2x2x1x2 select=core,memory", "tasks=2 per-socket=1 mem-per-cpu=300", "0:2-3 1:2-3",
      1200 },
    { "nodes=2x2x4x2 select=core", "tasks=3 memory-bound threads=1", "0:0-1,8-9 1:0-1", 0 },
    /* which cores: in turn from the sockets, as many as a task has cpus */
    { "nodes=1x2x4x1 select=core", "tasks=5", "0:0-2,4-5", 0 },
    { "nodes=1x2x4x1 select=core", "tasks=2 cpus=3", "0:0-2,4-6", 0 },
    { "nodes=1x2x4x1 select=core", "tasks=2 cpus=2", "0:0-3", 0 },
    { "nodes=1x2x4x1 select=core", "tasks=1 cpus=5", "0:0-2,4-5", 0 },
    { "nodes=1x2x4x2 select=core", "tasks=2 cpus=5", "0:0-5,8-11", 0 },
    { "nodes=1x2x4x2 select=core", "tasks=2 cpus=3", "0:0-5", 0 },
    { "nodes=1x2x4x1 select=core", "tasks=5 dist=*:block", "0:0-4", 0 },
    { "nodes=1x2x4x1 select=core,block", "tasks=5", "0:0-4", 0 },
    { "nodes=1x2x4x1 select=core,block", "tasks=5 dist=*:cyclic", "0:0-2,4-5", 0 },
    { "nodes=1x2x4x1 select=core", "tasks=5 dist=plane", "0:0-4", 0 },
    { "nodes=1x2x4x1 select=cpu", "tasks=5 dist=*:cyclic", "0:0-4", 0 },
    /* sockets */
    { "nodes=1x2x2x2 select=socket", "tasks=1", "0:0-3", 0 },
    { "nodes=1x2x2x2 select=socket", "tasks=5", "0:0-7", 0 },
    { "nodes=1x2x2x1 select=socket", "tasks=2 per-socket=1", "0:0-3", 0 },
    { "nodes=1x2x2x1 select=socket", "tasks=1 memory-bound", "0:0-1", 0 },
    { "nodes=1x2x2x1 select=socket", "tasks=2 memory-bound", "0:0-3", 0 },
    /* whole nodes */
    { "nodes=2x2x2x2 select=linear", "tasks=1", "0:0-7", 0 },
    { "nodes=2x2x2x2 select=core", "tasks=1 exclusive", "0:0-7", 0 },
    { "nodes=2x2x2x2 select=core", "tasks=9 exclusive", "0:0-7 1:0-7", 0 },
    /* several nodes: the first hold as many tasks as they can, each at least one */
    { "nodes=3x4 select=core", "nodes=3-3 tasks=3", "0:0 1:0 2:0", 0 },
    { "nodes=2x4 select=core", "nodes=2-2 tasks=4", "0:0-2 1:0", 0 },
    { "nodes=3x4 select=core", "tasks=6", "0:0-3 1:0-1", 0 },
    { "nodes=3x4 select=core", "tasks=6 per-node=2", "0:0-1 1:0-1 2:0-1", 0 },
    { "nodes=3x4 select=core", "nodes=2 per-node=3", "0:0-2 1:0-2", 0 },
    { "nodes=3x4 select=core", "nodes=2", "0:0 1:0", 0 },
    { "nodes=3x4 select=core", "nodes=2 cpus=2", "0:0-1 1:0-1", 0 },
    { "nodes=3x4 select=core", "nodes=2-3 tasks=3", "0:0 1:0 2:0", 0 },
    { "nodes=3x4 select=core", "nodes=2-3", "0:0 1:0 2:0", 0 },
    { "nodes=3x4 select=core", "nodes=1-3 tasks=2", "0:0 1:0", 0 },
    /* overcommit: as if there were one task on each node */
    { "nodes=2x4 select=core", "nodes=1-1 tasks=99 overcommit", "0:0", 0 },
    { "nodes=2x4 select=core", "nodes=2-2 tasks=99 cpus=2 overcommit", "0:0-1 1:0-1", 0 },
    /* which nodes */
    { "nodes=4x4 select=core", "tasks=1 on=2", "2:0", 0 },
    { "nodes=4x4 select=core", "nodes=2 on=3", "2:0 3:0", 0 },
    { "nodes=4x4 select=core", "nodes=2 on=2", "2:0 3:0", 0 },
    { "nodes=4x4 select=core", "nodes=3 on=2", "1:0 2:0 3:0", 0 },
    { "nodes=4x4 select=core", "nodes=3 on=0,3", "0:0 1:0 3:0", 0 },
    { "nodes=4x4 select=core", "nodes=2 not=0,2", "1:0 3:0", 0 },
    { "nodes=4x4 select=core", "nodes=2 not=1 contiguous", "2:0 3:0", 0 },
    { "nodes=4x4 select=core", "nodes=2 on=2 contiguous", "2:0 3:0", 0 },
    { "nodes=4x4 select=core", "tasks=6 on=2", "2:0-3 3:0-1", 0 },
    /* memory */
    { "nodes=2x4 select=core,memory", "tasks=2 mem=300", "0:0-1", 300 },
    { "nodes=2x4 select=core,memory", "nodes=2 mem=300", "0:0 1:0", 600 },
    { "nodes=2x4 select=core,memory", "tasks=3 mem-per-cpu=300", "0:0-2", 900 },
    { "nodes=2x4 select=core,memory", "tasks=4 mem-per-cpu=300", "0:0-2 1:0", 1200 },
    { "nodes=2x1x4x2 select=core,memory", "tasks=1 mem-per-cpu=300", "0:0-1", 600 },
    { "nodes=2x4 select=core,memory", "tasks=1 allmem", "0:0", 1000 },
    { "nodes=2x4 select=core,memory", "tasks=1 mem-per-cpu=100 exclusive", "0:0-3", 400 },
    { "nodes=2x4 select=core", "tasks=1 mem=300", "0:0", 0 },
};

START_TEST(an_idle_cluster_gives_these_cpus)
{
    struct sim *sim = sim_new(table[_i].cluster);
    AUTO_FREE char *line = xasprintf("a: %s", table[_i].job);
    sim_job(sim, line);

    sim_pass(sim);

    ck_assert_msg(strcmp(sim_places(sim, "a"), table[_i].places) == 0, "%s on %s: '%s', not '%s'",
                  table[_i].job, table[_i].cluster, sim_places(sim, "a"), table[_i].places);
    ck_assert_uint_eq(sim_find(sim, "a")->memory_mb, table[_i].memory_mb);
    sim_free(sim);
}
END_TEST

START_TEST(jobs_share_a_node_but_no_core)
{
    struct sim *sim = sim_new("nodes=1x1x3x2 select=core");
    sim_job(sim, "a: tasks=1 running");
    sim_job(sim, "b: tasks=1 running");
    sim_job(sim, "c: tasks=3");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:2-3");
    ck_assert(!sim_runs(sim, "c"));
    sim_free(sim);
}
END_TEST

START_TEST(memory_is_shared_out_only_when_it_is_counted)
{
    struct sim *counted = sim_new("nodes=1x4 select=core,memory mem=1000");
    struct sim *free = sim_new("nodes=1x4 select=core mem=1000");
    struct sim *sims[] = { counted, free };
    for (int i = 0; i < 2; i++) {
        sim_job(sims[i], "a: tasks=1 mem=600 time=10 running");
        sim_job(sims[i], "b: tasks=1 mem=600 time=10");

        sim_pass(sims[i]);
    }

    ck_assert_int_eq(sim_start_of(counted, "b"), 10);
    ck_assert_int_eq(sim_start_of(free, "b"), 0);
    sim_free(counted);
    sim_free(free);
}
END_TEST

START_TEST(a_job_that_wants_all_memory_waits_for_all_of_it)
{
    struct sim *sim = sim_new("nodes=1x4 select=core,memory");
    sim_job(sim, "a: tasks=1 mem=1 time=10 running");
    sim_job(sim, "b: tasks=1 allmem time=10");
    sim_job(sim, "c: tasks=1 mem=1 time=30");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 20);
    sim_free(sim);
}
END_TEST

START_TEST(an_exclusive_job_shares_its_node_with_nobody)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_job(sim, "a: tasks=1 time=10 running");
    sim_job(sim, "b: tasks=1 exclusive time=10");
    sim_job(sim, "c: tasks=1 time=20");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 20);
    sim_free(sim);
}
END_TEST

START_TEST(a_partition_that_shares_no_nodes_gives_whole_ones)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");
    sim_partition(sim, "p: exclusive");
    sim_job(sim, "a: partition=p tasks=1");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-3");
    sim_free(sim);
}
END_TEST

START_TEST(light_nodes_go_first)
{
    struct sim *sim = sim_new("nodes=3x4 select=core");
    sim_node(sim, "0: weight=5");
    sim_job(sim, "a: nodes=1");
    sim_job(sim, "b: tasks=8");
    sim_job(sim, "c: nodes=3");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "1:0");
    ck_assert_str_eq(sim_places(sim, "b"), "0:0 1:1-3 2:0-3");
    sim_free(sim);
}
END_TEST

START_TEST(one_heavy_node_is_taken_when_light_ones_are_too_small)
{
    struct sim *sim = sim_new("nodes=2x4 select=core");
    sim_node(sim, "1: weight=5");
    sim_job(sim, "a: tasks=2 running");
    sim_job(sim, "b: nodes=1-1 tasks=3");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "1:0-2");
    sim_free(sim);
}
END_TEST

START_TEST(as_few_nodes_as_will_do_are_taken)
{
    struct sim *sim = sim_new("nodes=3x4 select=core");
    sim_job(sim, "a: tasks=3 on=0 running");
    sim_job(sim, "b: tasks=3 on=1 running");
    sim_job(sim, "c: tasks=4");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "c"), "2:0-3");
    sim_free(sim);
}
END_TEST

START_TEST(features_joined_by_and_must_all_be_there)
{
    struct sim *sim = sim_new("nodes=3x4 select=core");
    sim_node(sim, "0: features=gpu");
    sim_node(sim, "1: features=ssd");
    sim_node(sim, "2: features=ssd,gpu");
    sim_job(sim, "a: features=gpu&ssd");
    sim_job(sim, "b: features=ssd");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "2:0");
    ck_assert_str_eq(sim_places(sim, "b"), "2:1");
    sim_free(sim);
}
END_TEST

START_TEST(features_are_joined_from_left_to_right)
{
    struct sim *sim = sim_new("nodes=3x4 select=core");
    sim_node(sim, "0: features=gpu");
    sim_node(sim, "1: features=ssd");
    sim_node(sim, "2: features=ssd,gpu");
    sim_job(sim, "a: features=gpu|ssd&ssd");
    sim_job(sim, "b: features=ssd|(gpu&ssd)");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "1:0");
    ck_assert_str_eq(sim_places(sim, "b"), "1:1");
    sim_free(sim);
}
END_TEST

START_TEST(nodes_with_fewer_threads_than_asked_are_left_out)
{
    struct sim *sim = sim_new("nodes=2x1x2x2 select=core");
    sim->nodes[0].threads_per_core = 1;
    sim->nodes[0].cpus = 2;
    sim_job(sim, "a: threads=2");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "1:0-1");
    sim_free(sim);
}
END_TEST

START_TEST(a_node_whose_cpus_are_its_cores_gives_cores)
{
    struct sim *sim = sim_new("nodes=1x1x4x2 select=core");
    sim->nodes[0].cpus = 4;
    sim_job(sim, "a: tasks=3");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-2");
    sim_free(sim);
}
END_TEST

START_TEST(a_node_without_cpus_takes_nothing)
{
    struct sim *sim = sim_new("nodes=2x2 select=core");
    sim->nodes[0].cpus = 0;
    sim_job(sim, "a: tasks=1");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "1:0");
    sim_free(sim);
}
END_TEST

START_TEST(nodes_with_too_few_sockets_or_cores_are_left_out)
{
    struct sim *sim = sim_new("nodes=3x2x2x1 select=core");
    sim->nodes[0].sockets = 1;
    sim->nodes[0].cores_per_socket = 4;
    sim->nodes[1].sockets = 1;
    sim->nodes[1].cores_per_socket = 4;
    sim_job(sim, "a: sockets=2");
    sim_job(sim, "b: cores=4");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "2:0");
    ck_assert_str_eq(sim_places(sim, "b"), "0:0");
    sim_free(sim);
}
END_TEST

START_TEST(cpus_that_are_barred_are_given_to_nobody)
{
    static const struct {
        const char *select, *job, *places;
    } rows[] = {
        { "core", "tasks=3", "0:4-7" },
        { "core", "exclusive", "0:4-11" },
        { "socket", "tasks=1", "0:4-5" },
        { "linear", "tasks=1", "0:4-11" },
    };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        AUTO_FREE char *cluster = xasprintf("nodes=1x2x3x2 select=%s", rows[i].select);
        AUTO_FREE char *job = xasprintf("a: %s", rows[i].job);
        struct sim *sim = sim_new(cluster);
        sim_set(&sim->nodes[0].barred, 12, "0-3");
        sim_job(sim, job);

        sim_pass(sim);

        ck_assert_str_eq(sim_places(sim, "a"), rows[i].places);
        bitset_clear(&sim->nodes[0].barred);
        sim_free(sim);
    }
}
END_TEST

START_TEST(a_block_goes_where_it_fits_best)
{
    struct sim *sim = sim_new("nodes=1x3x4x1 select=core,block");
    sim_job(sim, "a: tasks=2 running");
    sim_job(sim, "b: tasks=5 time=1 running");
    sim_job(sim, "c: tasks=1 running");
    sim_job(sim, "d: tasks=3 running");

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-1");
    ck_assert_str_eq(sim_places(sim, "b"), "0:2,4-7");
    ck_assert_str_eq(sim_places(sim, "c"), "0:3");
    ck_assert_str_eq(sim_places(sim, "d"), "0:8-10");
    sim_free(sim);
}
END_TEST

START_TEST(jobs_that_may_share_whole_nodes_do)
{
    struct sim *sim = sim_new("nodes=1x4 select=linear");
    sim_partition(sim, "p: share=2 force");
    sim_job(sim, "a: tasks=1 time=10 running");
    sim_job(sim, "b: tasks=1 running");
    sim_job(sim, "c: tasks=1");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:0-3");
    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    sim_free(sim);
}
END_TEST

START_TEST(jobs_that_may_share_cpus_do)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_partition(sim, "p: share=2");
    sim_job(sim, "a: tasks=3 oversubscribe running");
    sim_job(sim, "b: tasks=3 oversubscribe running");
    sim_job(sim, "c: tasks=1 oversubscribe running");
    sim_job(sim, "d: tasks=1 time=10");
    sim_job(sim, "e: tasks=2 oversubscribe time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:0-2");
    ck_assert_str_eq(sim_places(sim, "c"), "0:3");
    ck_assert(!sim_runs(sim, "d"));
    ck_assert(!sim_runs(sim, "e"));
    sim_end(sim, "c");
    sim_pass(sim);
    ck_assert_str_eq(sim_places(sim, "d"), "0:3");
    ck_assert(!sim_runs(sim, "e"));
    sim_free(sim);
}
END_TEST

START_TEST(forced_sharing_asks_nobody)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_partition(sim, "p: share=2 force");
    sim_partition(sim, "q:");
    sim_job(sim, "a: partition=p tasks=4 running");
    sim_job(sim, "b: partition=p tasks=4 running");
    sim_job(sim, "c: partition=p tasks=1 time=10");
    sim_job(sim, "d: partition=p exclusive");

    sim_pass(sim);

    ck_assert(!sim_runs(sim, "c"));
    sim_end(sim, "a");
    sim_job(sim, "e: partition=q tasks=1 priority=200");
    sim_pass(sim);
    ck_assert_str_eq(sim_places(sim, "c"), "0:0");
    ck_assert(!sim_runs(sim, "d"));
    ck_assert(!sim_runs(sim, "e"));
    sim_free(sim);
}
END_TEST

START_TEST(cores_are_shared_only_when_none_are_free_elsewhere)
{
    struct sim *sim = sim_new("nodes=2x2 select=core");
    sim_partition(sim, "p: share=2 force");
    sim_job(sim, "a: tasks=2 on=0 time=10 running");
    sim_job(sim, "b: tasks=2 time=10 running");
    sim_job(sim, "c: tasks=2 time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "1:0-1");
    ck_assert_str_eq(sim_places(sim, "c"), "0:0-1");
    sim_free(sim);
}
END_TEST

START_TEST(listed_nodes_get_the_tasks_that_they_are_listed_for)
{
    struct sim *sim = sim_new("nodes=3x4 select=core");
    sim_job(sim, "a: on=2 tasks=2 time=10 running");
    sim_job(sim, "b: listed=0,1,1,1 time=10");
    sim_job(sim, "c: listed=1,2,2 time=10");
    sim_job(sim, "d: listed=0,0,0,0,0 time=10");
    sim_job(sim, "e: listed=1,2,2 cpus=2 time=10");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:0 1:0-2");
    ck_assert_str_eq(sim_places(sim, "c"), "1:3 2:2-3");
    ck_assert_str_eq(sim_why(sim, "d"), "NeverFits");
    ck_assert_int_eq(sim_start_of(sim, "e"), 10);
    ck_assert_str_eq(sim_places(sim, "e"), "1:0-1 2:0-3");
    sim_free(sim);
}
END_TEST

START_TEST(a_job_that_spares_cores_has_the_node_alone)
{
    struct sim *sim = sim_new("nodes=2x2x4x2 select=core,memory mem=4000");
    sim_job(sim, "a: tasks=1 spare=3 mem-per-cpu=100 time=10 running");
    sim_job(sim, "b: tasks=1 time=10 on=0");
    sim_job(sim, "c: tasks=11 spare=3 nodes=1-1 time=10");
    sim_job(sim, "d: tasks=1 spare=0 time=5");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-5,8-11");
    ck_assert_uint_eq(sim_find(sim, "a")->memory_mb, 1000);
    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_str_eq(sim_why(sim, "c"), "NeverFits");
    ck_assert_str_eq(sim_places(sim, "d"), "1:0-15");
    sim_free(sim);
}
END_TEST

START_TEST(sparing_cores_counts_instead_of_what_the_node_keeps)
{
    struct sim *sim = sim_new("nodes=3x2x4x2 select=core");
    for (uint32_t i = 0; i < 3; i++) { /* CpuSpecList=0-3 */
        bitset_init(&sim->nodes[i].barred, 16);
        for (uint32_t cpu = 0; cpu < 4; cpu++)
            bitset_add(&sim->nodes[i].barred, cpu);
    }
    sim_job(sim, "a: tasks=16 nodes=1 spare=0 time=10 running");
    sim_job(sim, "b: tasks=14 nodes=1 spare=1 time=10 running");
    sim_job(sim, "c: tasks=10 nodes=1 spare=3 time=10 running");
    sim_job(sim, "d: tasks=12 nodes=1 on=0 time=10");
    sim_pass(sim);

    sim_end(sim, "a");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-15");
    ck_assert_str_eq(sim_places(sim, "b"), "1:2-15");
    ck_assert_str_eq(sim_places(sim, "c"), "2:4-13");
    ck_assert_str_eq(sim_places(sim, "d"), "0:4-15");
    for (uint32_t i = 0; i < 3; i++)
        bitset_clear(&sim->nodes[i].barred);
    sim_free(sim);
}
END_TEST

START_TEST(more_than_sixty_four_cpus_work)
{
    struct sim *sim = sim_new("nodes=1x2x64x2 select=core,block");
    sim_job(sim, "a: tasks=130 running");
    sim_job(sim, "b: tasks=126");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:0-129");
    ck_assert_str_eq(sim_places(sim, "b"), "0:130-255");
    sim_free(sim);
}
END_TEST

CHECK_MAIN(cores, LOOP_CASE(an_idle_cluster_gives_these_cpus, ARRAY_N(table)),
           CASE(jobs_share_a_node_but_no_core), CASE(memory_is_shared_out_only_when_it_is_counted),
           CASE(a_job_that_wants_all_memory_waits_for_all_of_it),
           CASE(an_exclusive_job_shares_its_node_with_nobody),
           CASE(a_partition_that_shares_no_nodes_gives_whole_ones), CASE(light_nodes_go_first),
           CASE(one_heavy_node_is_taken_when_light_ones_are_too_small),
           CASE(as_few_nodes_as_will_do_are_taken), CASE(features_joined_by_and_must_all_be_there),
           CASE(features_are_joined_from_left_to_right),
           CASE(nodes_with_fewer_threads_than_asked_are_left_out),
           CASE(a_node_whose_cpus_are_its_cores_gives_cores),
           CASE(a_node_without_cpus_takes_nothing),
           CASE(nodes_with_too_few_sockets_or_cores_are_left_out),
           CASE(cpus_that_are_barred_are_given_to_nobody), CASE(a_block_goes_where_it_fits_best),
           CASE(jobs_that_may_share_whole_nodes_do), CASE(jobs_that_may_share_cpus_do),
           CASE(forced_sharing_asks_nobody),
           CASE(cores_are_shared_only_when_none_are_free_elsewhere),
           CASE(listed_nodes_get_the_tasks_that_they_are_listed_for),
           CASE(a_job_that_spares_cores_has_the_node_alone),
           CASE(sparing_cores_counts_instead_of_what_the_node_keeps),
           CASE(more_than_sixty_four_cpus_work))
