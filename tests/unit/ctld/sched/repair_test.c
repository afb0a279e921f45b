/* Any sequence of changes and steps ends in the plan that a rebuild makes. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/promises.h"
#include "unit/ctld/sched/proof/trial.h"

START_TEST(changes_end_in_the_plan_of_a_rebuild)
{
    trial_run(promise_rebuilt, &(struct random_mix){ .lines = 70 }, 70000 + (uint64_t)_i * 1000,
              70);
}
END_TEST

START_TEST(the_same_holds_on_tiny_clusters)
{
    trial_run(promise_rebuilt, &(struct random_mix){ .lines = 60, .tiny = true },
              80000 + (uint64_t)_i * 1000, 250);
}
END_TEST

/* Those without a place are not looked at when it is known that they cannot start. */
START_TEST(the_same_holds_where_few_are_promised_a_place)
{
    trial_run(promise_rebuilt, &(struct random_mix){ .lines = 80, .promises = true },
              85000 + (uint64_t)_i * 1000, 100);
}
END_TEST

CHECK_MAIN(repair, LOOP_CASE(changes_end_in_the_plan_of_a_rebuild, 4),
           LOOP_CASE(the_same_holds_on_tiny_clusters, 4),
           LOOP_CASE(the_same_holds_where_few_are_promised_a_place, 4))
