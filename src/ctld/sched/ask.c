#include "ctld/sched/state.h"

void answer_clear(struct answer *answer)
{
    plan_places_free(answer->decision.places, answer->decision.places_n);
    *answer = (struct answer){ 0 };
}

void answer_give(struct answer *answer, const struct plan *plan, const struct sched_job *job,
                 int64_t now_ms, struct plan_decision *ret)
{
    answer_clear(answer);
    answer->decision = plan_decision_of(plan, job);
    if (job->verdict != PLAN_START) {
        answer->decision.blockers = answer->blockers;
        answer->decision.blockers_n = plan_blockers(plan, job, now_ms, answer->blockers);
    }
    *ret = answer->decision;
}

bool planner_look(const struct planner *planner, uint32_t job_id, struct plan_decision *ret)
{
    const struct sched_job *job;

    HASH_FIND_INT(planner->jobs, &job_id, job);
    if (!job || job->runs || !job->tried)
        return false;
    answer_give(planner->answer, planner->plan, job, planner->now_ms, ret);
    return true;
}

/* A plan of its own, with copies of the jobs, so that a question changes nothing. */
struct rehearsal {
    struct plan *plan;
    struct sched_job *jobs;
    uint32_t jobs_n;
};

static void rehearse_job(struct rehearsal *rehearsal, const struct sched_cluster *cluster,
                         const struct sched_job *from)
{
    struct sched_job *job = &rehearsal->jobs[rehearsal->jobs_n++];

    *job = *from;
    job->claims = false;
    job->places = places_copy(cluster, from->places, from->places_n);
}

static void rehearse_running(const struct planner *planner, struct rehearsal *rehearsal,
                             int64_t now_ms)
{
    for (const struct sched_job *from = planner->jobs; from; from = from->hh.next) {
        struct sched_job *job = &rehearsal->jobs[rehearsal->jobs_n];

        if (!from->runs)
            continue;
        rehearse_job(rehearsal, &planner->cluster, from);
        job->from = INT64_MIN;
        job->to = end_assumed(job->end_ms, now_ms);
        plan_claim(rehearsal->plan, job);
    }
}

static void try_to_the_end(struct plan *plan, struct sched_job *job, int64_t now_ms,
                           struct plan_outcome *ret)
{
    uint32_t units = UINT32_MAX;

    while (!plan_try(plan, job, now_ms, &units, ret))
        units = UINT32_MAX;
}

/* Plans what stands before `rank`; those whose plan is good keep it. */
static void rehearse_queue(const struct planner *planner, struct rehearsal *rehearsal,
                           uint32_t rank, int64_t now_ms)
{
    const bool is_good = !planner->starts_over && planner_wakes_at(planner) > now_ms;
    const uint32_t planned_n =
        planner->planned_n < planner->stale ? planner->planned_n : planner->stale;
    const uint32_t depth_max = planner->cluster.policy.tries_max;

    for (uint32_t i = 0; i < rank && (!depth_max || i < depth_max); i++) {
        struct sched_job *job = &rehearsal->jobs[rehearsal->jobs_n];
        struct plan_outcome outcome;

        rehearse_job(rehearsal, &planner->cluster, planner->waiting[i]);
        if (!is_good || i >= planned_n) {
            try_to_the_end(rehearsal->plan, job, now_ms, &outcome);
            plan_outcome_give(job, &outcome, now_ms);
        }
        plan_claim(rehearsal->plan, job);
        plan_queued(rehearsal->plan, job);
    }
}

static struct rehearsal rehearse(const struct planner *planner, uint32_t rank, int64_t now_ms)
{
    struct rehearsal rehearsal = {
        .plan = plan_new(&planner->cluster, planner->kinds),
        .jobs = xcalloc(HASH_COUNT(planner->jobs), sizeof(*rehearsal.jobs)),
    };

    rehearse_running(planner, &rehearsal, now_ms);
    rehearse_queue(planner, &rehearsal, rank, now_ms);
    return rehearsal;
}

static void end_rehearsal(struct rehearsal *rehearsal)
{
    plan_free(rehearsal->plan);
    for (uint32_t i = 0; i < rehearsal->jobs_n; i++)
        places_free(rehearsal->jobs[i].places, rehearsal->jobs[i].places_n);
    free(rehearsal->jobs);
}

void planner_ask(const struct planner *planner, int64_t now_ms, const struct plan_job *job,
                 struct plan_decision *ret)
{
    struct plan_outcome outcome;
    struct rehearsal rehearsal;
    struct sched_job *asked;

    *ret = (struct plan_decision){ .job_id = job->id, .verdict = PLAN_NEVER_FITS };
    if (job->partition >= planner->cluster.partitions_n)
        return;
    now_ms = now_ms > planner->now_ms ? now_ms : planner->now_ms;
    asked = sched_job_new(&planner->cluster, planner->kinds, job);
    rehearsal = rehearse(planner, planner_rank(planner, asked), now_ms);
    try_to_the_end(rehearsal.plan, asked, job->earliest_ms > now_ms ? job->earliest_ms : now_ms,
                   &outcome);
    if (outcome.verdict == PLAN_START && outcome.at_ms > now_ms) {
        outcome.verdict = PLAN_LATER;
        outcome.why = PLAN_WHY_BEGIN;
    }
    plan_outcome_give(asked, &outcome, now_ms);
    answer_give(planner->answer, rehearsal.plan, asked, now_ms, ret);
    sched_job_free(planner->kinds, asked);
    end_rehearsal(&rehearsal);
}
