/* Any sequence of changes and steps ends in the plan that a rebuild makes. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

/*
 * What the planner says about a waiting job: "" when nothing. Where licences and reservations are
 * among the reasons, the one that is told may be older than the start of another job.
 */
static char *say(const struct planner *planner, uint32_t id, bool with_reason)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct plan_decision decision;

    if (planner_look(planner, id, &decision)) {
        decision_words(&decision, &out);
        if (with_reason)
            reason_words(&decision, &out);
    }
    return strbuf_steal(&out);
}

static bool equals_a_rebuild(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play fresh = play_new(&moment->after);

    if (!moment->done)
        return true;
    play_pass(&fresh);
    for (uint32_t i = 0; i < moment->after.jobs_n; i++) {
        const struct plan_job *job = &moment->after.jobs[i];
        const bool with_reason = moment->after.licenses_n == 0 && moment->after.reservations_n == 0;
        AUTO_FREE char *repaired = say(moment->planner, job->id, with_reason);
        AUTO_FREE char *rebuilt = say(fresh.planner, job->id, with_reason);

        if (strcmp(repaired, rebuilt) != 0 || job->runs != play_job(&fresh, job->id)->runs)
            return wrong(problem, "job %u: %s; rebuilt: %s", job->id, repaired, rebuilt);
        if (!job->runs && !*repaired)
            return wrong(problem, "job %u: nothing is said", job->id);
    }
    return true;
}

START_TEST(changes_end_in_the_plan_of_a_rebuild)
{
    trial_run(equals_a_rebuild, &(struct random_mix){ .lines = 70 }, 70000 + (uint64_t)_i * 1000,
              70);
}
END_TEST

START_TEST(the_same_holds_on_tiny_clusters)
{
    trial_run(equals_a_rebuild, &(struct random_mix){ .lines = 60, .tiny = true },
              80000 + (uint64_t)_i * 1000, 250);
}
END_TEST

CHECK_MAIN(repair, LOOP_CASE(changes_end_in_the_plan_of_a_rebuild, 4),
           LOOP_CASE(the_same_holds_on_tiny_clusters, 4))
