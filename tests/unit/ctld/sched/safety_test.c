/* Nothing is sold twice and every job gets what it asks, after every step of random stories. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/trial.h"

/* As it was before the step, or NULL. */
static const struct plan_job *job_before(const struct trial_moment *moment, uint32_t id)
{
    for (uint32_t i = 0; i < moment->before.jobs_n; i++) {
        if (moment->before.jobs[i].id == id)
            return &moment->before.jobs[i];
    }
    return NULL;
}

/* What just started is held against what was asked, not against what it became. */
static void add_started(struct claims *claims, const struct trial_moment *moment)
{
    for (uint32_t i = 0; i < moment->after.jobs_n; i++) {
        const struct plan_job *job = &moment->after.jobs[i];
        const struct plan_job *asked = job_before(moment, job->id);

        if (job->runs && asked && !asked->runs)
            claims_add(claims, asked, job->partition, moment->after.now_ms, job->end_ms,
                       job->places, job->places_n);
    }
}

static bool is_safe(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(claims) struct claims claims = claims_running(&moment->before);

    add_started(&claims, moment);
    if (moment->done)
        claims_add_planned(&claims, &moment->after, moment->planner);
    for (uint32_t i = claims.running_n; i < claims.n; i++) {
        if (!checker_job(&moment->after, &claims.list[i], problem))
            return false;
    }
    return checker_shared(&moment->after, &claims, problem);
}

START_TEST(nothing_is_sold_twice_and_every_job_gets_what_it_asks)
{
    trial_run(is_safe, &(struct random_mix){ .lines = 80 }, (uint64_t)_i * 1000, 180);
}
END_TEST

START_TEST(the_same_holds_on_tiny_clusters)
{
    trial_run(is_safe, &(struct random_mix){ .lines = 40, .tiny = true }, (uint64_t)_i * 1000, 350);
}
END_TEST

CHECK_MAIN(safety, LOOP_CASE(nothing_is_sold_twice_and_every_job_gets_what_it_asks, 4),
           LOOP_CASE(the_same_holds_on_tiny_clusters, 4))
