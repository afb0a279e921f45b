/* Any sequence of changes and steps ends in the plan that a rebuild makes. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/promises.h"
#include "unit/ctld/sched/proof/trial.h"

START_TEST(changes_end_in_the_plan_of_a_rebuild)
{
    trial_run(promise_rebuilt, &(struct random_mix){ .lines = 70, .limits = true },
              70000 + (uint64_t)_i * 1000, 70);
}
END_TEST

START_TEST(the_same_holds_on_tiny_clusters)
{
    trial_run(promise_rebuilt, &(struct random_mix){ .lines = 60, .limits = true, .tiny = true },
              80000 + (uint64_t)_i * 1000, 250);
}
END_TEST

/* The machine of `sluice sim`: a job's place is a moment and no more. */
START_TEST(the_same_holds_where_cpus_are_only_counted)
{
    trial_run(promise_rebuilt,
              &(struct random_mix){ .lines = 70, .limits = true, .counts_cpus = true },
              87000 + (uint64_t)_i * 1000, 150);
}
END_TEST

/* Those without a place are not looked at when it is known that they cannot start. */
START_TEST(the_same_holds_where_few_are_promised_a_place)
{
    trial_run(promise_rebuilt,
              &(struct random_mix){ .lines = 80, .limits = true, .promises = true },
              85000 + (uint64_t)_i * 1000, 100);
}
END_TEST

/* Jobs that private pools block have places there, too: each of them. */
START_TEST(the_forecast_is_that_of_a_rebuild)
{
    trial_run(promise_forecast_rebuilt,
              &(struct random_mix){ .lines = 70, .limits = true, .beside = true },
              88000 + (uint64_t)_i * 1000, 100);
}
END_TEST

START_TEST(the_forecast_is_so_on_tiny_clusters)
{
    trial_run(promise_forecast_rebuilt,
              &(struct random_mix){
                  .lines = 60, .limits = true, .promises = true, .tiny = true, .beside = true },
              89000 + (uint64_t)_i * 1000, 250);
}
END_TEST

/* Each was found by chance, and once ended in another plan than that of a rebuild. */
static const char *const stories[] = {
    /* A place at a rounded moment, on nodes that are free a little earlier. */
    "nodes=1x2x2x1 resolution=2\n"
    "reservation nodes=0-0\n"
    "job j2: priority=0 time=1\n"
    "job j15: time=6\n"
    "now 28674 ms\n"
    "release j15 0\n"
    "now 35055 ms\n",
    "nodes=1x2x1x1 resolution=1\n"
    "job j0: time=5\n"
    "now 7636 ms\n"
    "job j4: priority=0 time=1\n"
    "job j5: time=1\n"
    "now 24954 ms\n"
    "release j0 0\n"
    "now 28941 ms\n",
    /* The licence is taken by a start behind the job that waits for a window, too. */
    "nodes=1x1x1x1 depth=1\n"
    "pool total=2\n"
    "reservation nodes=0-0 to=1\n"
    "job j1: priority=0 nodes=2\n"
    "job j2: priority=0 claims=0:1 reservation=1 time-min=1\n"
    "job j5: claims=0:2\n"
    "now 0 ms\n",
    /* GPUs of each socket, and a core of one: what starts takes the other. */
    "nodes=3x2x1x2 select=socket\n"
    "node 0: gres=gpu::2,band::0c\n"
    "node 1: gres=gpu::2,band::0c\n"
    "node 2: weight=0 gres=gpu:a:1@0-0,gpu:b:1@2-2\n"
    "job j3: time=1\n"
    "job j5: nodes=3 gres-socket=gpu::1 sockets=2\n"
    "job j15:\n"
    "now 0 ms\n",
    "nodes=3x2x1x2 select=core,lln\n"
    "node 0: gres=gpu::2,band::0c\n"
    "node 1: gres=gpu:a:1@0-0,gpu:b:1@2-2\n"
    "reservation nodes=0-0 to=1\n"
    "job j11: time=1 nodes=2 gres-socket=gpu::1 sockets=2\n"
    "job j12: nodes=2\n"
    "now 0 ms\n",
    /* A gate closes while one runs that claims of it by what it gets: nothing is held of a gate. */
    "nodes=1x1x1x1\n"
    "pool gate private\n"
    "job j8:\n"
    "job j9: claims=0:1/node\n"
    "now 0\n"
    "resize 0 1\n"
    "now 0\n",
    "nodes=2x1x4x1 select=core,lln\n"
    "node 0: gres=gpu:a:1,gpu:b:1,band::1c\n"
    "node 1: weight=0 gres=gpu::1@0-0,gpu::1@0-0 counted\n"
    "pool gate\n"
    "job j6: claims=0:1/cpu\n"
    "now 0\n"
    "job j10: time=1 claims=0:1 gres-job=gpu::3 cpus-per-gpu=2\n"
    "resize 0 1\n"
    "now 0\n",
    /* One that lost its place is of age before it is its turn to be tried again. */
    "nodes=4x1x3x2 plans=1 plan-age=17 stretched\n"
    "job j1: tasks=3 cpus=3\n"
    "node 1 down\n"
    "job j5: priority=0 time=15 nodes=2-3\n"
    "job j8: time=1 tasks=4 cpus=2 memory-bound\n"
    "now 13148 ms\n"
    "job j11: time=24\n"
    "now 29148 ms\n"
    "job j13: time=1 nodes=3\n"
    "now 29148 ms\n"
    "end j1\n"
    "now 40256 ms\n"
    "node 1 up\n"
    "now 40256 ms, step 2\n"
    "now 40256 ms, step 1\n"
    "now 52201 ms\n",
    /* One that was put off and is woken comes of age before it was tried again. */
    "nodes=4x1x2x2 plans=1 plan-age=18 stretched\n"
    "node 0: features=x\n"
    "job j8: time=1 nodes=2 alone\n"
    "job j9: priority=0 time=1 tasks=3 per-node=1\n"
    "job j10: time=1 tasks=5 cpus=2\n"
    "now 0\n"
    "job j12: nodes=9\n"
    "now 16205\n"
    "reservation nodes=0-0 to=34\n"
    "job j17: features=x\n"
    "now 0\n"
    "now 33191\n"
    "now 34000 step 3\n"
    "now 39921\n",
    /* A device that tasks share counts for the pool. */
    "nodes=3x1x2x2 select=core,lln\n"
    "node 0: gres=gpu::1,band::1c\n"
    "node 1: gres=gpu:a:1@0-0,gpu:b:1@0-0,gpu:b:1@0-0\n"
    "node 2: gres=gpu:a:1@0-0,gpu:b:1@0-0\n"
    "pool total=0\n"
    "pool ramp\n"
    "job j3: time=1 exclusive\n"
    "job j4: time=1 claims=0:1/node,1:1\n"
    "resize 1 1\n"
    "job j10: time=1 claims=1:1/gpu nodes=3 tasks=4 cpus=2 per-gpu=2\n"
    "now 0\n",
    /* Nodes that come to too much are taken by others, and those that are left come to less. */
    "nodes=3x1x2x2 select=cpu,memory\n"
    "node 1: counted\n"
    "node 2: weight=0\n"
    "pool private\n"
    "pool each\n"
    "resize 1 3\n"
    "job j20: claims=1:1/cpu,0:1/gpu nodes=2\n"
    "job j23:\n"
    "job j26:\n"
    "now 0\n",
};

START_TEST(stories_that_did_not_end_so_do_now)
{
    AUTO_FREE char *failure = trial_retell(promise_rebuilt, stories[_i]);

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

/* A forecast, which was made again and again. */
static const char *const forecasts[] = {
    /* What could start now was planned as a start first, then as it had been planned. */
    "nodes=6x2x2x1 select=core,lln depth=1 beside\n"
    "node 0: weight=0\n"
    "partition all:\n"
    "partition p1: nodes=1-5 exclusive\n"
    "node 2 down\n"
    "node 1 down\n"
    "job j6: nodes=2\n"
    "node 3 down\n"
    "job j15: partition=p1 nodes=3\n"
    "now 0\n"
    "node 1 up\n"
    "job j26: time-min=1 nodes=0-3 tasks=4\n"
    "now 0\n",
    "nodes=5x2x1x2 select=core,memory depth=4 beside\n"
    "node 0: down\n"
    "node 1: counted\n"
    "pool private\n"
    "pool total=2\n"
    "job j1: cpus=2 per-node=2\n"
    "job j3: claims=1:1/cpu nodes=2\n"
    "job j6: nodes=3\n"
    "job j7: nodes=3\n"
    "job j8: priority=0\n"
    "job j9: priority=0 time=1 nodes=2 per-socket=1 allmem\n"
    "node 1 down\n"
    "job j14: time=1 exclusive\n"
    "now 0\n"
    "node 0 up\n"
    "now 0\n",
    "nodes=6x2x2x1 select=core,memory per-user=1 beside\n"
    "node 3: gres=gpu::2@0-1\n"
    "node 4: gres=gpu:a:1@0-1,gpu:b:1@2-3\n"
    "partition all:\n"
    "partition p1: nodes=3-5 node-cap=2\n"
    "job j7: partition=p1 tasks=6\n"
    "job j21: time=1\n"
    "job j23: priority=0 time=1 gres-job=gpu::3 binds\n"
    "job j26: user=2 or=p1 claims=0:1\n"
    "job j27: time=2 user=2 nodes=0-2 gres=gpu::1\n"
    "now 0\n"
    "now 0\n",
    /* What is spent is needed for ever, not as long as the job that has a place. */
    "nodes=3x2x2x1 select=cpu beside\n"
    "pool total=0\n"
    "pool gate\n"
    "pool spent total=4\n"
    "job j2: time=1 tasks=6 cpus=2\n"
    "job j9: alone\n"
    "job j10: priority=0 time=1 claims=1:1,2:1\n"
    "job j16: claims=2:2 tasks=2 cpus=2\n"
    "now 0\n"
    "job j28: user=1 claims=2:2 tasks=5\n"
    "now 0\n",
};

START_TEST(forecasts_that_did_not_end_so_do_now)
{
    AUTO_FREE char *failure = trial_retell(promise_forecast_rebuilt, forecasts[_i]);

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

CHECK_MAIN(repair, LOOP_CASE(stories_that_did_not_end_so_do_now, (int)ARRAY_N(stories)),
           LOOP_CASE(forecasts_that_did_not_end_so_do_now, (int)ARRAY_N(forecasts)),
           LOOP_CASE(changes_end_in_the_plan_of_a_rebuild, 4),
           LOOP_CASE(the_same_holds_on_tiny_clusters, 4),
           LOOP_CASE(the_same_holds_where_cpus_are_only_counted, 4),
           LOOP_CASE(the_same_holds_where_few_are_promised_a_place, 4),
           LOOP_CASE(the_forecast_is_that_of_a_rebuild, 2),
           LOOP_CASE(the_forecast_is_so_on_tiny_clusters, 2))
