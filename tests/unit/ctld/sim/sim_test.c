#include "unit/check_main.h"

#include "ctld/model/model.h"
#include "ctld/sim/sim.h"

/* A machine of 2 nodes with 2 cpus each; jobs take cpus anywhere. */
struct world {
    struct plan_node nodes[2];
    struct plan_partition partition;
    struct plan_snapshot cluster;
    struct sim_job jobs[8];
    struct sim_input inputs[16];
    struct sim_setup setup;
};

static void ask(void *ctx, uint32_t index, struct plan_job *ret)
{
    const struct world *world = ctx;

    ret->shape.ntasks = world->jobs[index].procs;
    ret->shape.min_nodes = 1;
    ret->shape.cpus_per_task = 1;
}

static void world_init(struct world *world)
{
    *world = (struct world){ .partition = { .starts_jobs = true, .jobs_per_cpu = 1 } };
    for (uint32_t i = 0; i < 2; i++)
        world->nodes[i] = (struct plan_node){ .name = i ? "n1" : "n0",
                                              .sockets = 1,
                                              .cores_per_socket = 2,
                                              .threads_per_core = 1,
                                              .cpus = 2,
                                              .usable = true };
    bitset_init(&world->partition.nodes, 2);
    bitset_fill(&world->partition.nodes);
    world->cluster = (struct plan_snapshot){
        .policy = { .select = SELECT_CPU, .backfill = true, .plans_max = UINT32_MAX },
        .nodes = world->nodes,
        .nodes_n = 2,
        .partitions = &world->partition,
        .partitions_n = 1,
    };
    world->setup = (struct sim_setup){ .cluster = &world->cluster,
                                       .inputs = world->inputs,
                                       .jobs = world->jobs,
                                       .ask = ask,
                                       .ctx = world };
}

static void happens(struct world *world, int64_t at_s, enum sim_input_kind kind, uint32_t index)
{
    world->inputs[world->setup.inputs_n++] = (struct sim_input){ at_s * 1000, kind, index };
}

static uint32_t submit(struct world *world, int64_t at_s, uint32_t procs, int64_t run_s,
                       int64_t limit_s)
{
    const uint32_t index = world->setup.jobs_n++;

    world->jobs[index] = (struct sim_job){ .submit_ms = at_s * 1000,
                                           .run_ms = run_s * 1000,
                                           .limit_ms = limit_s * 1000,
                                           .procs = procs,
                                           .start_ms = SIM_NEVER,
                                           .end_ms = SIM_NEVER };
    happens(world, at_s, SIM_SUBMIT, index);
    return index;
}

static void run(struct world *world)
{
    struct sim *sim = sim_new(&world->setup);

    while (sim_advance(sim))
        ;
    sim_free(sim);
    bitset_clear(&world->partition.nodes);
}

#define ck_start(world, index, seconds)                                                            \
    ck_assert_int_eq((world).jobs[index].start_ms, (seconds)*INT64_C(1000))

START_TEST(jobs_run_in_turn)
{
    struct world world;
    uint32_t a, b, c;

    world_init(&world);
    a = submit(&world, 0, 4, 10, 20);
    b = submit(&world, 1, 3, 5, 5);
    c = submit(&world, 1, 1, 5, 5);
    run(&world);

    ck_start(world, a, 0);
    ck_start(world, b, 10);
    ck_start(world, c, 10);
    ck_assert_int_eq(world.jobs[a].end_ms, 10000);
    ck_assert_int_eq(world.jobs[c].end_ms, 15000);
}
END_TEST

START_TEST(limits_free_their_cpus_together)
{
    struct world world;
    uint32_t wide, small;

    world_init(&world);
    submit(&world, 0, 2, 10, 10);
    submit(&world, 0, 2, 10, 10);
    wide = submit(&world, 1, 4, 9, 9);
    small = submit(&world, 2, 2, 1, 1);
    run(&world);

    ck_start(world, wide, 10);
    ck_start(world, small, 19);
}
END_TEST

START_TEST(early_ends_free_theirs_one_after_the_other)
{
    struct world world;
    uint32_t wide, small;

    world_init(&world);
    submit(&world, 0, 2, 10, 90);
    submit(&world, 0, 2, 10, 90);
    wide = submit(&world, 1, 4, 9, 9);
    small = submit(&world, 2, 2, 1, 1);
    run(&world);

    ck_start(world, small, 10);
    ck_start(world, wide, 11);
}
END_TEST

START_TEST(of_an_early_end_and_a_limit_the_one_that_started_first_is_seen_first)
{
    struct world world;
    uint32_t wide, small;

    world_init(&world);
    submit(&world, 0, 2, 10, _i ? 90 : 10);
    submit(&world, 0, 2, 10, _i ? 10 : 90);
    wide = submit(&world, 1, 4, 9, 9);
    small = submit(&world, 2, 2, 1, 1);
    run(&world);

    ck_start(world, wide, _i ? 10 : 11);
    ck_start(world, small, _i ? 19 : 10);
}
END_TEST

START_TEST(a_job_that_comes_as_one_reaches_its_limit_takes_its_place)
{
    struct world world;
    uint32_t next;

    world_init(&world);
    submit(&world, 0, 4, 10, 10);
    next = submit(&world, 10, 4, 1, 1);
    run(&world);

    ck_start(world, next, 10);
}
END_TEST

START_TEST(true_run_times_make_early_ends_limits)
{
    struct world world;
    uint32_t wide;

    world_init(&world);
    world.setup.estimates_runs = true;
    submit(&world, 0, 2, 10, 90);
    submit(&world, 0, 2, 10, 90);
    wide = submit(&world, 1, 4, 9, 9);
    submit(&world, 2, 2, 1, 1);
    run(&world);

    ck_start(world, wide, 10);
}
END_TEST

START_TEST(a_cancelled_job_gives_its_cpus_back)
{
    struct world world;
    uint32_t a, b, c;

    world_init(&world);
    a = submit(&world, 0, 4, 100, 100);
    b = submit(&world, 1, 4, 10, 10);
    c = submit(&world, 2, 4, 10, 10);
    happens(&world, 5, SIM_CANCEL, b);
    happens(&world, 6, SIM_CANCEL, a);
    run(&world);

    ck_assert_int_eq(world.jobs[b].start_ms, SIM_NEVER);
    ck_assert_int_eq(world.jobs[b].end_ms, 5000);
    ck_assert_int_eq(world.jobs[a].end_ms, 6000);
    ck_start(world, c, 6);
}
END_TEST

START_TEST(jobs_of_a_node_that_dies_begin_anew_elsewhere)
{
    struct world world;
    uint32_t a, b;

    world_init(&world);
    a = submit(&world, 0, 2, 10, 10);
    b = submit(&world, 0, 2, 20, 20);
    happens(&world, 5, SIM_NODE_DOWN, 0);
    run(&world);

    ck_start(world, b, 0);
    ck_start(world, a, 20);
    ck_assert_int_eq(world.jobs[a].end_ms, 30000);
}
END_TEST

START_TEST(a_drained_node_ends_its_work_and_gets_no_more_until_it_is_up)
{
    struct world world;
    uint32_t a, b;

    world_init(&world);
    a = submit(&world, 0, 4, 10, 10);
    happens(&world, 1, SIM_NODE_DRAIN, 1);
    b = submit(&world, 2, 4, 10, 10);
    happens(&world, 30, SIM_NODE_UP, 1);
    run(&world);

    ck_assert_int_eq(world.jobs[a].end_ms, 10000);
    ck_start(world, b, 30);
}
END_TEST

START_TEST(a_job_that_nothing_can_start_does_not_keep_the_clock_running)
{
    struct world world;
    uint32_t a;

    world_init(&world);
    happens(&world, 0, SIM_NODE_DOWN, 1);
    a = submit(&world, 1, 4, 10, 10);
    run(&world);

    ck_assert_int_eq(world.jobs[a].start_ms, SIM_NEVER);
}
END_TEST

CHECK_MAIN(sim, CASE(jobs_run_in_turn), CASE(limits_free_their_cpus_together),
           CASE(early_ends_free_theirs_one_after_the_other),
           LOOP_CASE(of_an_early_end_and_a_limit_the_one_that_started_first_is_seen_first, 2),
           CASE(a_job_that_comes_as_one_reaches_its_limit_takes_its_place),
           CASE(true_run_times_make_early_ends_limits), CASE(a_cancelled_job_gives_its_cpus_back),
           CASE(jobs_of_a_node_that_dies_begin_anew_elsewhere),
           CASE(a_drained_node_ends_its_work_and_gets_no_more_until_it_is_up),
           CASE(a_job_that_nothing_can_start_does_not_keep_the_clock_running))
