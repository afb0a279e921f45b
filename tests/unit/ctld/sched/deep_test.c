/* Queues that are deep: every job in them is planned, whoever it is of and however alike they are.
 */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/sim.h"

#define DEEP 1500

static const struct plan_option anywhere = { .partition = 0 };

/* A node is busy for 100 s, and DEEP jobs of one user wait for all nodes, 10 s each. */
static struct play deep_play(struct sim *sim, const struct plan_job *last)
{
    struct plan_snapshot snapshot = sim_snapshot(sim);
    struct plan_job *jobs = xcalloc(DEEP + 2, sizeof(*jobs));
    struct play play;

    jobs[0] = snapshot.jobs[0];
    for (uint32_t i = 1; i <= DEEP; i++)
        jobs[i] = (struct plan_job){
            .id = i + 1,
            .uid = 1,
            .priority = 100,
            .submit_ms = i,
            .options = &anywhere,
            .options_n = 1,
            .duration_ms = 10000,
            .shape = { .min_nodes = 3, .max_nodes = 3, .cpus_per_task = 1 },
        };
    jobs[DEEP + 1] = *last;
    free((void *)snapshot.jobs);
    snapshot.jobs = jobs;
    snapshot.jobs_n = DEEP + 2;
    play = play_new(&snapshot);
    free(jobs);
    play_pass(&play);
    return play;
}

static const struct plan_job narrow = {
    .id = DEEP + 2,
    .uid = 2,
    .priority = 1,
    .submit_ms = DEEP + 2,
    .options = &anywhere,
    .options_n = 1,
    .duration_ms = 100000,
    .shape = { .min_nodes = 1, .max_nodes = 1, .cpus_per_task = 1 },
};

static struct sim *busy_cluster(const char *line)
{
    struct sim *sim = sim_new(line);

    sim_job(sim, "run: nodes=1 time=100 running");
    return sim;
}

START_TEST(the_last_of_a_deep_queue_starts_where_it_delays_nobody)
{
    struct sim *sim = busy_cluster("nodes=3x1");
    AUTO(play) struct play play = deep_play(sim, &narrow);

    ck_assert(play_job(&play, narrow.id)->runs);
    sim_free(sim);
}
END_TEST

START_TEST(every_one_of_many_alike_is_planned)
{
    struct sim *sim = busy_cluster("nodes=3x1");
    AUTO(play) struct play play = deep_play(sim, &narrow);

    for (uint32_t i = 0; i < DEEP; i++) {
        struct plan_decision decision;

        ck_assert(planner_look(play.planner, i + 2, &decision));
        ck_assert_int_eq(decision.verdict, PLAN_LATER);
        ck_assert_int_eq(decision.at_ms, 100000 + (int64_t)i * 10000);
    }
    sim_free(sim);
}
END_TEST

/* bf_max_job_user: who has many jobs uses up only the own tries. */
START_TEST(one_user_does_not_fill_the_depth)
{
    struct sim *sim = busy_cluster("nodes=3x1 per-user=10 depth=20");
    AUTO(play) struct play play = deep_play(sim, &narrow);
    struct plan_decision decision;

    ck_assert(play_job(&play, narrow.id)->runs);
    ck_assert(planner_look(play.planner, 11, &decision));
    ck_assert_int_eq(decision.at_ms, 190000);
    ck_assert(planner_look(play.planner, 12, &decision));
    ck_assert_int_eq(decision.why, PLAN_WHY_NOT_TRIED);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(deep, CASE(the_last_of_a_deep_queue_starts_where_it_delays_nobody),
           CASE(every_one_of_many_alike_is_planned), CASE(one_user_does_not_fill_the_depth))
