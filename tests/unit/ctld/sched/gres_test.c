#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

/* One request on an idle cluster: cpus and devices that it gets. Memory is the sum. */
static const struct {
    const char *job, *places;
    uint64_t memory_mb;
} table[] = {
    { "gres=gpu::1", "0:0/0", 0 },
    { "gres=gpu:b:1", "0:0/2", 0 },
    { "gres=gpu::3", "0:0/0-2", 0 },
    { "gres=gpu:b:2,gpu::1", "0:0/0,2-3", 0 },
    { "gres=gpu::5", "", 0 },
    { "gres=gpu:c:1", "", 0 },
    { "gres=nic::1", "", 0 },
    { "nodes=2 gres=gpu::2", "0:0/0-1 1:0/0-1", 0 },
    /* with each task */
    { "tasks=3 gres-task=gpu::1", "0:0-2/0-2", 0 },
    { "tasks=6 gres-task=gpu::1", "0:0-3/0-3 1:0-1/0-1", 0 },
    { "tasks=3 gres-task=gpu:b:1", "0:0-1/2-3 1:0/2", 0 },
    { "tasks=4 per-gpu=2", "0:0-3/0-1", 0 },
    { "tasks=3 per-gpu=2 nodes=1-1", "0:0-2/0-1", 0 },
    /* for the job as a whole */
    { "gres-job=gpu::4", "0:0/0-3", 0 },
    { "gres-job=gpu::6", "0:0/0-3 1:0/0-1", 0 },
    { "nodes=2 gres-job=gpu::3", "0:0/0-1 1:0/0", 0 },
    { "nodes=2 gres-job=gpu:a:3,gpu:b:2", "0:0/0-2 1:0/0,2", 0 },
    { "nodes=1-1 gres-job=gpu::6", "", 0 },
    /* on each socket */
    { "sockets=2 gres-socket=gpu::1", "0:0/0-1", 0 },
    /* what comes with a gpu */
    { "gres=gpu::2 cpus-per-gpu=3", "0:0-5/0-1", 0 },
    { "gres-job=gpu::4 cpus-per-gpu=3", "0:0-5/0-1 1:0-5/0-1", 0 },
    { "nodes=1-1 gres-job=gpu:a:1,gpu:b:2 cpus-per-gpu=3", "", 0 },
    { "gres=gpu::3 mem-per-gpu=100", "0:0/0-2", 300 },
    { "gres-job=gpu::4 mem-per-gpu=500", "0:0/0-1 1:0/0-1", 2000 },
    { "tasks=4 gres-task=gpu::1 mem-per-gpu=400", "0:0-1/0-1 1:0-1/0-1", 1600 },
    /* a node without other jobs gives all it has */
    { "exclusive gres=gpu::1", "0:0-7/0-3", 0 },
    { "exclusive gres=gpu::1 mem-per-gpu=200", "0:0-7/0-3", 800 },
    { "exclusive gres=gpu::1 mem-per-gpu=500", "0:0-7/0-3", 1000 },
    { "exclusive gres-job=gpu::2 mem-per-gpu=200", "0:0-7/0-3", 800 },
};

START_TEST(an_idle_cluster_gives_these_devices)
{
    struct sim *sim = sim_new("nodes=2x2x4x1 select=core,memory,block");
    AUTO_FREE char *line = xasprintf("a: %s", table[_i].job);
    sim_node(sim, "0: gres=gpu:a:2,gpu:b:2");
    sim_node(sim, "1: gres=gpu:a:2,gpu:b:2");
    sim_job(sim, line);

    sim_pass(sim);

    ck_assert_msg(strcmp(sim_places(sim, "a"), table[_i].places) == 0, "%s: '%s', not '%s'",
                  table[_i].job, sim_places(sim, "a"), table[_i].places);
    ck_assert_uint_eq(sim_find(sim, "a")->memory_mb, table[_i].memory_mb);
    sim_free(sim);
}
END_TEST

START_TEST(a_device_has_one_job_at_a_time)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_node(sim, "0: gres=gpu::2");
    sim_job(sim, "a: gres=gpu::1 time=10 running");
    sim_job(sim, "b: gres=gpu::1 time=20 running");
    sim_job(sim, "c: gres=gpu::1 time=10");
    sim_job(sim, "d: gres=gpu::2 time=10");
    sim_job(sim, "e: tasks=1");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:1/1");
    ck_assert_int_eq(sim_start_of(sim, "c"), 10);
    ck_assert_int_eq(sim_start_of(sim, "d"), 20);
    ck_assert(sim_runs(sim, "e"));
    sim_free(sim);
}
END_TEST

START_TEST(what_is_counted_is_shared_out)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_node(sim, "0: gres=band::100c");
    sim_job(sim, "a: gres=band::60 time=10 running");
    sim_job(sim, "b: gres=band::60 time=10");
    sim_job(sim, "c: gres=band::40 time=10");
    sim_job(sim, "d: gres=band::101");

    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "b"), 10);
    ck_assert_int_eq(sim_start_of(sim, "c"), 0);
    ck_assert_str_eq(sim_why(sim, "d"), "NeverFits");
    sim_free(sim);
}
END_TEST

START_TEST(devices_near_the_cpus_go_first)
{
    struct sim *sim = sim_new("nodes=1x2x2x1 select=core,block");
    sim_node(sim, "0: gres=gpu::1@0-1,gpu::2@2-3");
    sim_job(sim, "a: tasks=2 running");
    sim_job(sim, "b: gres=gpu::1 running");
    sim_job(sim, "c: gres=gpu::2");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:2/1");
    ck_assert_str_eq(sim_places(sim, "c"), "0:3/0,2");
    sim_free(sim);
}
END_TEST

/* Two sockets of four cores; two of type a near the first, two of type b near the second. */
static const struct {
    const char *before, *job, *places; /* "" waits */
} bound[] = {
    { NULL, "gres=gpu:b:1", "0:4/2" },
    { NULL, "tasks=3 gres=gpu:b:1", "0:4-6/2" },
    { NULL, "tasks=6 gres=gpu:b:1", "0:4-7/2 1:4-5/2" },
    { NULL, "tasks=6 gres=gpu::1", "0:0-3/0 1:0-1/0" },
    { NULL, "tasks=6 nodes=1-1 gres=gpu:b:1", "0:0-1,4-7/2" },
    { NULL, "tasks=6 on=0 gres=gpu::2 exclusive", "0:0-7/0-3" },
    { NULL, "tasks=6 gres=gpu:b:1 binds", "0:4-7/2 1:4-5/2" },
    { NULL, "tasks=6 nodes=1-1 gres=gpu:b:1 binds", "" },
    { NULL, "tasks=2 gres=gpu::3", "0:0,4/0-2" },
    { NULL, "tasks=8 gres=gpu::4 binds", "0:0-7/0-3" },
    { "tasks=4 dist=*:block on=0", "gres=gpu::1 on=0", "0:4/2" },
    { "tasks=4 dist=*:block on=0", "gres=gpu:a:1 on=0", "0:4/0" },
    { "tasks=4 dist=*:block on=0", "gres=gpu:a:1 on=0 binds", "" },
    { "gres=gpu:a:1 on=0", "gres=gpu::2 on=0", "0:4/2-3" },
    { "gres=gpu:a:1,gpu:b:1 on=0", "gres=gpu::2 on=0", "0:1/1,3" },
    { "gres=gpu:a:1 on=0", "gres=gpu::1 on=0", "0:4/2" }, /* more cores are free there */
    { "tasks=4 dist=*:block on=0", "gres=gpu::4", "1:0/0-3" },
    { "gres=gpu:a:1 on=1", "gres=gpu:a:1", "1:1/1" }, /* the fewest cores near */
    { NULL, "tasks=2 gres-socket=gpu::1 sockets=2", "0:0,4/0,2" },
    { NULL, "tasks=6 gres-socket=gpu::1 sockets=1", "0:0-3/0 1:0-1/0" },
    { NULL, "tasks=6 nodes=1-1 gres-socket=gpu::1 sockets=1", "" },
    { "gres=gpu:a:1 on=0", "gres-socket=gpu::2 sockets=1 on=0", "0:4/2-3" },
    { NULL, "gres-job=gpu::5", "0:0/0-2 1:0/0-1" },
    { "gres=gpu:b:1 on=0", "gres-job=gpu::7", "0:0/0-1,3 1:0/0-3" },
};

START_TEST(cores_near_the_devices_go_first)
{
    struct sim *sim = sim_new("nodes=2x2x4x1 select=core");
    AUTO_FREE char *job = xasprintf("b: %s", bound[_i].job);
    sim_node(sim, "0: gres=gpu:a:2@0-3,gpu:b:2@4-7");
    sim_node(sim, "1: gres=gpu:a:2@0-3,gpu:b:2@4-7");
    if (bound[_i].before) {
        AUTO_FREE char *before = xasprintf("a: %s running", bound[_i].before);

        sim_job(sim, before);
    }
    sim_job(sim, job);

    sim_pass(sim);

    ck_assert_msg(strcmp(sim_runs(sim, "b") ? sim_places(sim, "b") : "", bound[_i].places) == 0,
                  "%s: '%s', not '%s'", bound[_i].job, sim_places(sim, "b"), bound[_i].places);
    sim_free(sim);
}
END_TEST

START_TEST(devices_near_all_cpus_serve_any_socket)
{
    struct sim *sim = sim_new("nodes=2x2x2x1 select=core");
    sim_node(sim, "0: gres=gpu::2@0-1");
    sim_node(sim, "1: gres=gpu::2@0-3");
    sim_job(sim, "a: gres-socket=gpu::1 sockets=2");
    sim_job(sim, "b: gres-socket=gpu::1 sockets=2 on=0");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "1:0/0-1");
    ck_assert_str_eq(sim_why(sim, "b"), "NeverFits");
    sim_free(sim);
}
END_TEST

START_TEST(a_rebuild_knows_the_devices_of_running_jobs)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    struct plan_snapshot snapshot;
    sim_node(sim, "0: gres=gpu::2,band::10c");
    sim_job(sim, "a: gres=gpu::1,band::6 running");

    snapshot = sim_snapshot(sim);
    planner_rebuild(sim->planner, &snapshot);
    sim_job(sim, "b: gres=gpu::1 running");
    sim_job(sim, "c: gres=band::5");
    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "b"), "0:1/1");
    ck_assert(!sim_runs(sim, "c"));
    free((void *)snapshot.jobs);
    sim_free(sim);
}
END_TEST

START_TEST(who_has_a_pool_alone_has_its_devices)
{
    struct sim *sim = sim_new("nodes=1x4 select=core");
    sim_node(sim, "0: gres=gpu::2,band::3c counted");
    sim_job(sim, "a: exclusive");

    sim_pass(sim);

    ck_assert_str_eq(sim_places(sim, "a"), "0:/0-1");
    ck_assert_uint_eq(sim_find(sim, "a")->ask.places[0].amounts[PLAN_COUNTED], 3);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(gres, LOOP_CASE(an_idle_cluster_gives_these_devices, ARRAY_N(table)),
           LOOP_CASE(cores_near_the_devices_go_first, ARRAY_N(bound)),
           CASE(a_device_has_one_job_at_a_time), CASE(what_is_counted_is_shared_out),
           CASE(devices_near_the_cpus_go_first), CASE(devices_near_all_cpus_serve_any_socket),
           CASE(a_rebuild_knows_the_devices_of_running_jobs),
           CASE(who_has_a_pool_alone_has_its_devices))
