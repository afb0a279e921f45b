/* Tiny clusters, where every placement can be tried: none is earlier than what is planned. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/oracle.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

/* The cluster as if all nodes were up. */
static struct plan_snapshot all_up(const struct plan_snapshot *snapshot)
{
    struct plan_snapshot up = *snapshot;
    struct plan_node *nodes = xmemdup(snapshot->nodes, snapshot->nodes_n * sizeof(*nodes));

    for (uint32_t i = 0; i < up.nodes_n; i++)
        nodes[i].usable = true;
    up.nodes = nodes;
    return up;
}

/* Whether the empty cluster could hold the job at all. */
static bool could_ever(const struct plan_snapshot *snapshot, const struct plan_job *job)
{
    AUTO(oracle) struct oracle oracle = oracle_new(snapshot, job);

    return oracle_fits(&oracle, &(struct claims){ 0 }, snapshot->now_ms);
}

/* A verdict without a moment: is there really none? */
static bool refusal_is_right(const struct plan_snapshot *snapshot, const struct plan_job *job,
                             const struct plan_decision *decision, struct strbuf *problem)
{
    const struct plan_snapshot up = all_up(snapshot);
    const bool ever = could_ever(&up, job), here = could_ever(snapshot, job);

    free((void *)up.nodes);
    if ((decision->verdict == PLAN_NEVER_FITS) == ever)
        return wrong(problem, "job %u: verdict %d, but it %s", job->id, (int)decision->verdict,
                     ever ? "fits the empty cluster" : "fits nowhere");
    if (decision->why == PLAN_WHY_NODES_DOWN && here)
        return wrong(problem, "job %u: fits the nodes that are up", job->id);
    if (decision->verdict == PLAN_WAITS && decision->why != PLAN_WHY_NODES_DOWN &&
        decision->why != PLAN_WHY_PARTITION_DOWN)
        return wrong(problem, "job %u: waits without a plan, why %d", job->id, (int)decision->why);
    return true;
}

/* Every second from now on, and every end of another, before the planned moment. */
static bool no_moment_is_earlier(const struct plan_snapshot *snapshot, const struct claims *beside,
                                 const struct claim *claim, struct strbuf *problem)
{
    AUTO(oracle) struct oracle oracle = oracle_new(snapshot, claim->job);

    if (!oracle_fits(&oracle, beside, claim->from))
        return wrong(problem, "job %u: does not fit at %lld", claim->job->id,
                     (long long)claim->from);
    for (int64_t at = snapshot->now_ms; at < claim->from; at += 1000) {
        if (oracle_fits(&oracle, beside, at))
            return wrong(problem, "job %u: is planned at %lld, but fits at %lld", claim->job->id,
                         (long long)claim->from, (long long)at);
    }
    for (uint32_t i = 0; i < beside->n; i++) {
        const int64_t at = beside->list[i].to;

        if (at >= snapshot->now_ms && at < claim->from && oracle_fits(&oracle, beside, at))
            return wrong(problem, "job %u: is planned at %lld, but fits at %lld", claim->job->id,
                         (long long)claim->from, (long long)at);
    }
    return true;
}

static void add_outcome(struct claims *claims, const struct play *play, const struct plan_job *job)
{
    struct plan_decision decision;

    if (job->runs)
        claims_add(claims, job, job->partition, play->now.now_ms, job->end_ms, job->places,
                   job->places_n);
    else if (planner_look(play->planner, job->id, &decision) && decision.places_n)
        claims_add(claims, job, decision.partition, decision.at_ms,
                   claim_end(decision.at_ms, decision.duration_ms), decision.places,
                   decision.places_n);
}

/* What became of the job, which comes next in rank behind those that claim something. */
static bool outcome_is_right(const struct play *play, struct claims *claims,
                             const struct plan_job *job, struct strbuf *problem)
{
    const struct claims beside = *claims;
    struct plan_decision decision;

    add_outcome(claims, play, job);
    if (claims->n > beside.n)
        return no_moment_is_earlier(&play->now,
                                    &(struct claims){ .list = claims->list, .n = beside.n },
                                    &claims->list[beside.n], problem);
    if (!planner_look(play->planner, job->id, &decision))
        return wrong(problem, "job %u is not planned", job->id);
    return refusal_is_right(&play->now, job, &decision, problem);
}

/* The jobs one by one, each beside those before it. */
static bool plan_is_the_earliest(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play play = play_new(&moment->before);
    AUTO(claims) struct claims claims = { 0 };
    AUTO_FREE const struct plan_job **jobs = NULL;
    uint32_t n;

    if (!moment->done)
        return true;
    play_leave(&play); /* overdue ones: the plan can only guess when they go */
    claims = claims_running(&play.now);
    jobs = jobs_by_rank(&play.now, &n);
    play_pass(&play);
    for (uint32_t i = 0; i < n; i++) {
        if (!outcome_is_right(&play, &claims, jobs[i], problem))
            return false;
    }
    return true;
}

START_TEST(no_job_could_have_been_planned_earlier)
{
    trial_run(plan_is_the_earliest,
              &(struct random_mix){ .lines = 14, .lasting = true, .tiny = true },
              60000 + (uint64_t)_i * 1000, 180);
}
END_TEST

CHECK_MAIN(tiny, LOOP_CASE(no_job_could_have_been_planned_earlier, 4))
