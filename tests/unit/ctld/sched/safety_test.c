/* Nothing is sold twice and every job gets what it asks, after every step of random stories. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/promises.h"
#include "unit/ctld/sched/proof/trial.h"

START_TEST(nothing_is_sold_twice_and_every_job_gets_what_it_asks)
{
    trial_run(promise_safe, &(struct random_mix){ .lines = 80, .limits = true },
              (uint64_t)_i * 1000, 180);
}
END_TEST

START_TEST(the_same_holds_on_tiny_clusters)
{
    trial_run(promise_safe, &(struct random_mix){ .lines = 40, .limits = true, .tiny = true },
              (uint64_t)_i * 1000, 350);
}
END_TEST

/* Each was found by chance. */
static const char *const stories[] = {
    /* A job that waits for two nodes of a pool may share the one that is held. */
    "nodes=3x2x1x2 select=socket\n"
    "pool total=2\n"
    "pool total=0\n"
    "pool nodes private\n"
    "resize 2 2\n"
    "job j5: time=1 claims=0:1/node,0:1,2:1 tasks=3\n"
    "job j7: claims=0:1,0:1/gpu,2:1/gpu\n"
    "job j9: claims=2:1 nodes=2\n"
    "now 0\n",
    /* A job on more nodes than it has tasks has one for each. */
    "nodes=2x1x1x1\n"
    "node 0: gres=gpu::1@0-0\n"
    "node 1: gres=gpu::1@0-0,gpu::1@0-0\n"
    "pool private\n"
    "pool total=0\n"
    "pool total=2\n"
    "job j10: time=1 claims=2:2/gpu nodes=2 tasks=1 gres-task=gpu::1\n"
    "now 0\n",
    /* A job without nodes holds nothing that was to be spent. */
    "nodes=1x1x1x1\n"
    "pool spent total=2\n"
    "job j3: time=1 claims=0:2\n"
    "now 0\n"
    "release j3 0\n"
    "job j21: claims=0:1\n"
    "now 0\n",
};

START_TEST(stories_that_were_not_safe_are_now)
{
    AUTO_FREE char *failure = trial_retell(promise_safe, stories[_i]);

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

CHECK_MAIN(safety, LOOP_CASE(stories_that_were_not_safe_are_now, (int)ARRAY_N(stories)),
           LOOP_CASE(nothing_is_sold_twice_and_every_job_gets_what_it_asks, 4),
           LOOP_CASE(the_same_holds_on_tiny_clusters, 4))
