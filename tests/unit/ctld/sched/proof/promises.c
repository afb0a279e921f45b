#include "unit/ctld/sched/proof/promises.h"

#include <inttypes.h>

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/play.h"

/* As it was before the step, or NULL. */
static const struct plan_job *job_before(const struct trial_moment *moment, uint64_t id)
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
            claims_add(claims, asked, (uint32_t)(job->options - asked->options),
                       moment->after.now_ms, job->end_ms, job->places, job->places_n);
    }
}

bool promise_safe(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(claims) struct claims claims = claims_running(&moment->before);

    add_started(&claims, moment);
    if (moment->done)
        claims_add_planned(&claims, &moment->after, moment->planner);
    for (uint32_t i = claims.running_n; i < claims.n; i++) {
        if (!claims.list[i].in_pool && !checker_job(&moment->after, &claims.list[i], problem))
            return false;
    }
    return checker_shared(&moment->after, &claims, problem);
}

/*
 * What the planner says about a waiting job:  when nothing. Where pools and reservations are
 * among the reasons, the one that is told may be older than the start of another job.
 */
static char *say(const struct planner *planner, uint64_t id, bool with_reason)
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

bool promise_rebuilt(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play fresh = play_new(&moment->after);

    if (!moment->done)
        return true;
    play_pass(&fresh);
    for (uint32_t i = 0; i < moment->after.jobs_n; i++) {
        const struct plan_job *job = &moment->after.jobs[i];
        const bool with_reason = moment->after.pools_n == 0 && moment->after.reservations_n == 0;
        AUTO_FREE char *repaired = say(moment->planner, job->id, with_reason);
        AUTO_FREE char *rebuilt = say(fresh.planner, job->id, with_reason);

        if (strcmp(repaired, rebuilt) != 0 || job->runs != play_job(&fresh, job->id)->runs)
            return wrong(problem, "job %" PRIu64 ": %s; rebuilt: %s", job->id, repaired, rebuilt);
        if (!job->runs && !*repaired)
            return wrong(problem, "job %" PRIu64 ": nothing is said", job->id);
    }
    return true;
}

bool promise_forecast_rebuilt(const struct trial_moment *moment, struct strbuf *problem)
{
    const struct plan_snapshot snapshot = sim_forecast_of(&moment->after);
    AUTO(play) struct play fresh = play_new(&snapshot);

    if (!moment->done)
        return true;
    play_pass(&fresh);
    for (uint32_t i = 0; i < snapshot.jobs_n; i++) {
        const uint64_t id = snapshot.jobs[i].id;
        AUTO_FREE char *repaired = say(moment->sim->forecast, id, false);
        AUTO_FREE char *rebuilt = say(fresh.planner, id, false);

        if (strcmp(repaired, rebuilt) != 0)
            return wrong(problem, "job %" PRIu64 " is forecast: %s; rebuilt: %s", id, repaired,
                         rebuilt);
    }
    return true;
}
