#include "ctld/sched/blame.h"
#include "ctld/sched/state.h"

#define REHEARSED_MAX 64

void answer_clear(struct answer *answer)
{
    plan_places_free(answer->decision.places, answer->decision.places_n);
    *answer = (struct answer){ 0 };
}

/* The answer about a job, from where the plan puts it. */
static void give(const struct planner *planner, const struct sched_job *job,
                 struct plan_decision *ret)
{
    struct answer *answer = planner->answer;

    answer_clear(answer);
    answer->decision = plan_decision_of(planner->plan, job);
    if (job->verdict != PLAN_START) {
        answer->decision.blockers = answer->blockers;
        answer->decision.blockers_n =
            blame_jobs(planner->plan, job, planner->now_ms, answer->blockers);
        answer->decision.lacks = blame_supplies(planner->plan, job, planner->now_ms);
    }
    *ret = answer->decision;
}

bool planner_look(const struct planner *planner, uint64_t job_id, struct plan_decision *ret)
{
    const struct sched_job *job = planner_find(planner, job_id);

    if (!job || job->runs || !job->tried)
        return false;
    give(planner, job, ret);
    return true;
}

/* Jobs whose claims make way for the question. */
struct lifted {
    struct sched_job **jobs;
    uint32_t n;
};

/* Makes the plan the one that a job of this rank sees: without those behind it. */
static struct lifted lift_from(const struct planner *planner, uint32_t rank)
{
    struct lifted lifted = { .n = 0 };

    for (uint32_t i = rank; i < planner->planned_n; i++) {
        if (!planner->queue.by_rank[i]->claims)
            continue;
        *ARRAY_PUSH(lifted.jobs, lifted.n) = planner->queue.by_rank[i];
        plan_unclaim(planner->plan, planner->queue.by_rank[i]);
    }
    pass_count_lines(planner, rank < planner->planned_n ? rank : planner->planned_n);
    return lifted;
}

static void put_back(const struct planner *planner, struct lifted *lifted)
{
    for (uint32_t i = 0; i < lifted->n; i++)
        plan_claim(planner->plan, lifted->jobs[i]);
    free(lifted->jobs);
    pass_count_lines(planner, planner->planned_n);
}

static struct sched_job *asked_job(const struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job = sched_job_new(&planner->cluster, planner->kinds, from);

    for (uint32_t i = 0; i < job->options_n; i++) {
        if (job->options[i].not_before < job->earliest_ms)
            job->options[i].not_before = job->earliest_ms;
    }
    job->earliest_ms = INT64_MIN;
    return job;
}

bool planner_fits_ever(const struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job;
    bool fits;

    if (from->partition >= planner->cluster.partitions_n)
        return false;
    job = sched_job_new(&planner->cluster, planner->kinds, from);
    fits = plan_fits_ever(planner->plan, job);
    sched_job_free(planner->kinds, job);
    return fits;
}

static void find_place(const struct planner *planner, struct sched_job *job, int64_t now_ms)
{
    const struct plan_bounds bounds = { .now_ms = now_ms, .latest_ms = FUTURE_END };
    struct plan_outcome outcome;
    uint32_t units;

    do
        units = UINT32_MAX;
    while (!plan_try(planner->plan, job, &bounds, &units, &outcome));
    plan_outcome_give(job, &outcome, now_ms);
    plan_claim(planner->plan, job);
}

/* Copies of jobs that are not planned yet: what they would be given. */
struct rehearsal {
    struct sched_job jobs[REHEARSED_MAX];
    uint32_t n;
};

/* A few that came just before the question are planned for it; a long queue is not waited for. */
static bool is_rehearsed(const struct planner *planner, uint32_t rank)
{
    const uint32_t settled_n = pass_settled_n(planner);

    return settled_n < rank && rank - settled_n <= REHEARSED_MAX;
}

static void rehearse(const struct planner *planner, uint32_t rank, int64_t now_ms,
                     struct rehearsal *rehearsal)
{
    for (uint32_t i = pass_settled_n(planner); i < rank; i++) {
        struct sched_job *job = &rehearsal->jobs[rehearsal->n++];

        *job = *planner->queue.by_rank[i];
        job->places = NULL;
        job->places_n = 0;
        find_place(planner, job, now_ms);
        plan_queued(planner->plan, job);
    }
}

static void undo(const struct planner *planner, struct rehearsal *rehearsal)
{
    for (uint32_t i = 0; i < rehearsal->n; i++) {
        plan_unclaim(planner->plan, &rehearsal->jobs[i]);
        places_free(rehearsal->jobs[i].places, rehearsal->jobs[i].places_n);
    }
}

void planner_ask(const struct planner *planner, int64_t now_ms, const struct plan_job *from,
                 struct plan_decision *ret)
{
    struct rehearsal rehearsal = { .n = 0 };
    struct lifted lifted;
    struct sched_job *job;
    bool rehearses;
    uint32_t rank;

    *ret = (struct plan_decision){ .job_id = from->id, .verdict = PLAN_NEVER_FITS };
    if (from->partition >= planner->cluster.partitions_n)
        return;
    now_ms = now_ms > planner->now_ms ? now_ms : planner->now_ms;
    job = asked_job(planner, from);
    rank = queue_rank(&planner->queue, job);
    rehearses = is_rehearsed(planner, rank);
    lifted = lift_from(planner, rehearses ? pass_settled_n(planner) : rank);
    if (rehearses)
        rehearse(planner, rank, now_ms, &rehearsal);
    find_place(planner, job, now_ms);
    give(planner, job, ret);
    plan_unclaim(planner->plan, job);
    undo(planner, &rehearsal);
    put_back(planner, &lifted);
    sched_job_free(planner->kinds, job);
}
