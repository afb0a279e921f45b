/* Priorities that change while jobs wait: those of many jobs at a time, as they age. */
#include "unit/check_main.h"

#include "unit/ctld/sched/sim.h"

#define JOBS 6

static struct sim *queue_of_six(const char *cluster)
{
    struct sim *sim = sim_new(cluster);

    sim_job(sim, "running: tasks=4 time=10 running");
    sim_job(sim, "a: tasks=4 time=10 priority=600");
    sim_job(sim, "b: tasks=4 time=10 priority=500");
    sim_job(sim, "c: tasks=4 time=10 priority=400");
    sim_job(sim, "d: tasks=4 time=10 priority=300");
    sim_job(sim, "e: tasks=4 time=10 priority=300");
    sim_job(sim, "f: tasks=4 time=10 priority=100");
    sim_pass(sim);
    return sim;
}

static void give(struct sim *sim, const uint64_t priorities[JOBS])
{
    struct plan_priority changed[JOBS];

    for (uint32_t i = 0; i < JOBS; i++)
        changed[i] = (struct plan_priority){ .id = i + 2, .priority = priorities[i] };
    sim_apply(sim, (struct plan_change){
                       .kind = PLAN_PRIORITIES, .priorities = changed, .priorities_n = JOBS });
}

static const struct {
    uint64_t priorities[JOBS];
    int64_t starts[JOBS];
} changes[] = {
    { { 600, 500, 400, 300, 300, 100 }, { 10, 20, 30, 40, 50, 60 } },
    { { 700, 600, 500, 400, 400, 200 }, { 10, 20, 30, 40, 50, 60 } },
    { { 100, 200, 300, 400, 500, 600 }, { 60, 50, 40, 30, 20, 10 } },
    { { 600, 500, 400, 300, 300, 350 }, { 10, 20, 30, 50, 60, 40 } },
    { { 600, 500, 400, 300, 301, 100 }, { 10, 20, 30, 50, 40, 60 } },
    { { 50, 500, 400, 300, 300, 100 }, { 60, 10, 20, 30, 40, 50 } },
    { { 5, 5, 5, 5, 5, 5 }, { 10, 20, 30, 40, 50, 60 } },
};

START_TEST(jobs_are_planned_in_their_new_order)
{
    static const char *const names[JOBS] = { "a", "b", "c", "d", "e", "f" };
    struct sim *sim = queue_of_six("nodes=1x4");

    give(sim, changes[_i].priorities);
    sim_pass(sim);

    for (uint32_t i = 0; i < JOBS; i++)
        ck_assert_int_eq(sim_start_of(sim, names[i]), changes[_i].starts[i]);
    sim_free(sim);
}
END_TEST

START_TEST(jobs_that_keep_their_order_keep_their_plans)
{
    static const uint64_t aged[JOBS] = { 700, 600, 500, 400, 400, 200 };
    static const uint64_t turned[JOBS] = { 100, 200, 300, 400, 500, 600 };
    struct sim *sim = queue_of_six("nodes=1x4");

    give(sim, aged);
    ck_assert(!sim_step(sim, 0)); /* there is nothing to do */
    give(sim, turned);
    ck_assert(sim_step(sim, 0));
    sim_free(sim);
}
END_TEST

START_TEST(job_that_reaches_the_reserving_priority_gets_a_place)
{
    static const uint64_t aged[JOBS] = { 700, 600, 500, 400, 400, 200 };
    struct sim *sim = queue_of_six("nodes=1x4 reserve-priority=200");

    ck_assert_int_eq(sim_start_of(sim, "f"), SIM_WAITS);
    give(sim, aged);
    sim_pass(sim);

    ck_assert_int_eq(sim_start_of(sim, "f"), 60);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(priorities, LOOP_CASE(jobs_are_planned_in_their_new_order, ARRAY_N(changes)),
           CASE(jobs_that_keep_their_order_keep_their_plans),
           CASE(job_that_reaches_the_reserving_priority_gets_a_place))
