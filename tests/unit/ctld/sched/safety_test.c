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

CHECK_MAIN(safety, LOOP_CASE(nothing_is_sold_twice_and_every_job_gets_what_it_asks, 4),
           LOOP_CASE(the_same_holds_on_tiny_clusters, 4))
