#include "ctld/sched/planner.h"

#include <string.h>

#include "ctld/sched/plan.h"

/* What planner_ask found, kept until the next question. */
struct answer {
    struct plan_place *places;
    uint32_t places_n;
    uint32_t blockers[PLAN_BLOCKERS_MAX];
};

struct planner {
    int64_t now_ms;
    struct sched_cluster cluster;
    struct kinds *kinds;
    struct plan *plan;          /* NULL before the first rebuild */
    struct sched_job *jobs;     /* uthash by id */
    struct sched_job **waiting; /* in order of rank */
    uint32_t waiting_n, room;
    uint32_t planned_n;    /* the first ones have their places in the plan */
    uint32_t stale;        /* but those from here on have to be planned again */
    bool queue_stale;      /* what the plan knows of its partitions' queues is wrong */
    bool starts_over;      /* what running jobs hold has changed: all have to be */
    int64_t next_end_ms;   /* the first assumed end of a running job */
    int64_t next_begin_ms; /* the first --begin that a job waits for, or earlier */
    struct plan_decision *decisions;
    uint32_t decisions_n;
    struct answer *answer;
};

struct planner *planner_new(void)
{
    struct planner *planner = xcalloc(1, sizeof(*planner));

    planner->kinds = xcalloc(1, sizeof(*planner->kinds));
    planner->answer = xcalloc(1, sizeof(*planner->answer));
    planner->next_end_ms = PLAN_NEVER;
    planner->next_begin_ms = PLAN_NEVER;
    return planner;
}

static void forget_all(struct planner *planner)
{
    struct sched_job *job, *next;

    HASH_ITER (hh, planner->jobs, job, next) {
        HASH_DEL(planner->jobs, job);
        sched_job_free(planner->kinds, job);
    }
    planner->plan = plan_free(planner->plan);
    kinds_clear(planner->kinds);
    sched_cluster_clear(&planner->cluster);
    planner->waiting_n = 0;
    planner->planned_n = 0;
    planner->decisions_n = 0;
}

static void forget_answer(struct answer *answer)
{
    places_free(answer->places, answer->places_n);
    *answer = (struct answer){ 0 };
}

struct planner *planner_free(struct planner *planner)
{
    if (!planner)
        return NULL;
    forget_all(planner);
    forget_answer(planner->answer);
    free(planner->answer);
    free(planner->kinds);
    free(planner->waiting);
    free(planner->decisions);
    free(planner);
    return NULL;
}

/* ---- the queue ---- */

/* Where the job stands, or would stand. */
static uint32_t rank_of(const struct planner *planner, const struct sched_job *job)
{
    uint32_t low = 0, high = planner->waiting_n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (sched_job_compare(&planner->cluster, planner->waiting[middle], job) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void mark_stale(struct planner *planner, uint32_t rank)
{
    if (rank < planner->stale)
        planner->stale = rank;
}

static void queue_insert(struct planner *planner, struct sched_job *job)
{
    const uint32_t rank = rank_of(planner, job);

    if (planner->waiting_n == planner->room) {
        planner->room = planner->room ? planner->room * 2 : 64;
        planner->waiting =
            xreallocarray(planner->waiting, planner->room, sizeof(*planner->waiting));
    }
    memmove(&planner->waiting[rank + 1], &planner->waiting[rank],
            (planner->waiting_n - rank) * sizeof(*planner->waiting));
    planner->waiting[rank] = job;
    planner->waiting_n++;
    planner->planned_n += rank < planner->planned_n;
    mark_stale(planner, rank);
}

static void queue_remove(struct planner *planner, uint32_t rank)
{
    planner->waiting_n--;
    memmove(&planner->waiting[rank], &planner->waiting[rank + 1],
            (planner->waiting_n - rank) * sizeof(*planner->waiting));
    if (rank < planner->planned_n) {
        planner->planned_n--;
        planner->queue_stale = true;
    }
    mark_stale(planner, rank);
}

/* The first job that could use the node. */
static void mark_node_stale(struct planner *planner, uint32_t node)
{
    for (uint32_t i = 0; i < planner->waiting_n; i++) {
        const uint32_t partition = planner->waiting[i]->partition;

        if (bitset_has(&planner->cluster.partitions[partition].nodes, node)) {
            mark_stale(planner, i);
            return;
        }
    }
}

static void mark_partition_stale(struct planner *planner, uint32_t partition)
{
    for (uint32_t i = 0; i < planner->waiting_n; i++) {
        if (planner->waiting[i]->partition == partition) {
            mark_stale(planner, i);
            return;
        }
    }
}

/* ---- changes ---- */

static struct sched_job *find_job(const struct planner *planner, uint32_t id)
{
    struct sched_job *job;

    HASH_FIND_INT(planner->jobs, &id, job);
    return job;
}

static void add_job(struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job;

    if (from->partition >= planner->cluster.partitions_n || find_job(planner, from->id))
        return;
    job = sched_job_new(&planner->cluster, planner->kinds, from);
    HASH_ADD_INT(planner->jobs, id, job);
    if (job->runs)
        planner->starts_over = true;
    else
        queue_insert(planner, job);
}

static void remove_job(struct planner *planner, uint32_t id)
{
    struct sched_job *job = find_job(planner, id);

    if (!job)
        return;
    plan_unclaim(planner->plan, job);
    if (job->runs)
        planner->starts_over = true;
    else
        queue_remove(planner, rank_of(planner, job));
    HASH_DEL(planner->jobs, job);
    sched_job_free(planner->kinds, job);
}

static void release_node(struct planner *planner, uint32_t id, uint32_t node)
{
    struct sched_job *job = find_job(planner, id);

    if (!job || !job->runs)
        return;
    plan_unclaim(planner->plan, job);
    if (sched_job_drop_place(job, node))
        planner->starts_over = true;
}

static void set_usable(struct planner *planner, uint32_t node, bool usable)
{
    struct bitset *set = &planner->cluster.usable;

    if (node >= set->size || bitset_has(set, node) == usable)
        return;
    if (usable)
        bitset_add(set, node);
    else
        bitset_del(set, node);
    planner->kinds->usable_number++;
    plan_forget(planner->plan);
    mark_node_stale(planner, node);
}

static void set_starts_jobs(struct planner *planner, uint32_t partition, bool starts_jobs)
{
    if (partition >= planner->cluster.partitions_n)
        return;
    planner->cluster.partitions[partition].starts_jobs = starts_jobs;
    mark_partition_stale(planner, partition);
}

static void set_now(struct planner *planner, int64_t now_ms)
{
    if (now_ms > planner->now_ms)
        planner->now_ms = now_ms;
}

void planner_rebuild(struct planner *planner, const struct plan_snapshot *snapshot)
{
    forget_all(planner);
    sched_cluster_init(&planner->cluster, snapshot);
    kinds_init(planner->kinds, &planner->cluster);
    planner->plan = plan_new(&planner->cluster, planner->kinds);
    planner->now_ms = snapshot->now_ms;
    planner->starts_over = true;
    for (uint32_t i = 0; i < snapshot->jobs_n; i++)
        add_job(planner, &snapshot->jobs[i]);
}

void planner_apply(struct planner *planner, int64_t now_ms, const struct plan_change *change)
{
    set_now(planner, now_ms);
    if (!planner->plan)
        return;
    switch (change->kind) {
    case PLAN_NODE_USABLE:
        set_usable(planner, change->node, change->usable);
        break;
    case PLAN_JOB_ADDED:
        remove_job(planner, change->job->id);
        add_job(planner, change->job);
        break;
    case PLAN_JOB_REMOVED:
        remove_job(planner, change->id);
        break;
    case PLAN_NODE_RELEASED:
        release_node(planner, change->id, change->node);
        break;
    case PLAN_PARTITION:
        set_starts_jobs(planner, change->node, change->usable);
        break;
    }
}

/* ---- planning ---- */

static void claim_running(struct planner *planner, struct plan *plan)
{
    struct sched_job *job, *next;

    HASH_ITER (hh, planner->jobs, job, next) {
        if (!job->runs)
            continue;
        job->from = INT64_MIN;
        job->to = end_assumed(job->end_ms, planner->now_ms);
        plan_claim(plan, job);
    }
}

static int64_t first_end(const struct planner *planner)
{
    int64_t first = PLAN_NEVER;

    for (const struct sched_job *job = planner->jobs; job; job = job->hh.next) {
        if (job->runs && job->to < first && job->to < END_HORIZON)
            first = job->to;
    }
    return first;
}

static void start_over(struct planner *planner)
{
    plan_reset(planner->plan);
    claim_running(planner, planner->plan);
    planner->next_end_ms = first_end(planner);
    planner->next_begin_ms = PLAN_NEVER;
    planner->planned_n = 0;
    planner->stale = UINT32_MAX;
    planner->queue_stale = false;
    planner->starts_over = false;
}

/* Gives the plans back that have to be made again. */
static void go_back(struct planner *planner)
{
    for (uint32_t i = planner->stale; i < planner->planned_n; i++) {
        plan_unclaim(planner->plan, planner->waiting[i]);
        planner->queue_stale = true;
    }
    if (planner->stale < planner->planned_n)
        planner->planned_n = planner->stale;
    if (planner->queue_stale) {
        plan_queue_reset(planner->plan);
        for (uint32_t i = 0; i < planner->planned_n; i++)
            plan_queued(planner->plan, planner->waiting[i]);
    }
    planner->queue_stale = false;
    planner->stale = UINT32_MAX;
}

/* A job without a plan that can be told (it starts after the horizon) has no time and no places. */
static struct plan_decision decision_of(const struct plan_outcome *outcome, uint32_t job_id)
{
    const bool placed = outcome->verdict == PLAN_START || outcome->verdict == PLAN_LATER;
    const bool begins = outcome->why == PLAN_WHY_BEGIN;

    return (struct plan_decision){
        .job_id = job_id,
        .verdict = outcome->verdict,
        .why = outcome->why,
        .at_ms = placed || begins ? outcome->at_ms : PLAN_NEVER,
        .backfilled = outcome->backfilled,
        .places = placed ? outcome->places : NULL,
        .places_n = placed ? outcome->places_n : 0,
    };
}

static bool is_news(const struct sched_job *job, const struct plan_outcome *outcome)
{
    if (!job->told || job->verdict != outcome->verdict || job->why != outcome->why)
        return true;
    return outcome->verdict == PLAN_LATER &&
           (job->at_ms != outcome->at_ms ||
            !places_equal(job->places, job->places_n, outcome->places, outcome->places_n));
}

/* The job takes over the places, and knows when it claims them. */
static void take_outcome(struct sched_job *job, const struct plan_outcome *outcome, int64_t now_ms)
{
    places_free(job->places, job->places_n);
    job->places = outcome->places;
    job->places_n = outcome->places_n;
    job->told = true;
    job->verdict = outcome->verdict;
    job->why = outcome->why;
    job->at_ms = outcome->at_ms;
    job->from = outcome->at_ms;
    job->to = future_add(outcome->at_ms, length_planned(job->duration_ms));
    if (outcome->verdict == PLAN_START) {
        job->runs = true;
        job->end_ms =
            job->duration_ms == PLAN_NEVER ? PLAN_NEVER : future_add(job->from, job->duration_ms);
        job->to = end_assumed(job->end_ms, now_ms);
    }
}

static void tell(struct planner *planner, struct sched_job *job, const struct plan_outcome *outcome)
{
    struct plan_decision *decision = ARRAY_PUSH(planner->decisions, planner->decisions_n);

    *decision = decision_of(outcome, job->id);
    decision->blockers = job->blockers;
    if (outcome->verdict != PLAN_START)
        decision->blockers_n = plan_blockers(planner->plan, job, planner->now_ms, job->blockers);
}

/* The job at the head of the unplanned ones runs: it waits no more. */
static void leave_queue(struct planner *planner, struct sched_job *job)
{
    queue_remove(planner, planner->planned_n);
    planner->stale = UINT32_MAX; /* what stood behind it is not planned yet */
    if (job->to < END_HORIZON && job->to < planner->next_end_ms)
        planner->next_end_ms = job->to;
    kinds_put(planner->kinds, job->kind);
    job->kind = NULL;
}

static void stay_in_queue(struct planner *planner, struct sched_job *job)
{
    plan_queued(planner->plan, job);
    planner->planned_n++;
    if (job->why == PLAN_WHY_BEGIN && job->earliest_ms < planner->next_begin_ms)
        planner->next_begin_ms = job->earliest_ms;
}

/* The job is planned: it runs from now on, or those behind it plan around it. */
static void settle(struct planner *planner, struct sched_job *job,
                   const struct plan_outcome *outcome)
{
    const bool news = is_news(job, outcome);

    take_outcome(job, outcome, planner->now_ms);
    plan_claim(planner->plan, job);
    if (news)
        tell(planner, job, outcome);
    if (job->runs)
        leave_queue(planner, job);
    else
        stay_in_queue(planner, job);
}

static struct plan_outcome out_of_depth(void)
{
    return (struct plan_outcome){
        .verdict = PLAN_WAITS,
        .why = PLAN_WHY_PRIORITY,
        .at_ms = PLAN_NEVER,
    };
}

static bool plan_next(struct planner *planner, uint32_t *units)
{
    const uint32_t depth_max = planner->cluster.policy.depth_max;
    struct sched_job *job = planner->waiting[planner->planned_n];
    struct plan_outcome outcome;

    if (depth_max && planner->planned_n >= depth_max) {
        outcome = out_of_depth();
        *units -= 1;
    } else if (!plan_try(planner->plan, job, planner->now_ms, units, &outcome)) {
        return false;
    }
    settle(planner, job, &outcome);
    return true;
}

bool planner_step(struct planner *planner, int64_t now_ms, uint32_t units,
                  const struct plan_decision **ret_decisions, uint32_t *ret_n)
{
    set_now(planner, now_ms);
    planner->decisions_n = 0;
    if (planner->plan && planner_wakes_at(planner) <= planner->now_ms)
        planner->starts_over = true;
    if (planner->starts_over)
        start_over(planner);
    else
        go_back(planner);
    while (units > 0 && planner->planned_n < planner->waiting_n && plan_next(planner, &units))
        ;
    *ret_decisions = planner->decisions;
    *ret_n = planner->decisions_n;
    return planner->planned_n < planner->waiting_n;
}

int64_t planner_wakes_at(const struct planner *planner)
{
    if (planner->waiting_n == 0)
        return PLAN_NEVER;
    return planner->next_begin_ms < planner->next_end_ms ? planner->next_begin_ms
                                                         : planner->next_end_ms;
}

/* ---- questions ---- */

/* A plan of its own, with copies of the jobs, so that a question changes nothing. */
struct rehearsal {
    struct plan *plan;
    struct sched_job *jobs;
    uint32_t jobs_n;
};

static void rehearse_job(struct rehearsal *rehearsal, const struct sched_job *from)
{
    struct sched_job *job = &rehearsal->jobs[rehearsal->jobs_n++];

    *job = *from;
    job->claims = false;
    job->places = places_copy(from->places, from->places_n);
}

static void rehearse_running(const struct planner *planner, struct rehearsal *rehearsal,
                             int64_t now_ms)
{
    for (const struct sched_job *from = planner->jobs; from; from = from->hh.next) {
        struct sched_job *job = &rehearsal->jobs[rehearsal->jobs_n];

        if (!from->runs)
            continue;
        rehearse_job(rehearsal, from);
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
    const uint32_t depth_max = planner->cluster.policy.depth_max;

    for (uint32_t i = 0; i < rank && (!depth_max || i < depth_max); i++) {
        struct sched_job *job = &rehearsal->jobs[rehearsal->jobs_n];
        struct plan_outcome outcome;

        rehearse_job(rehearsal, planner->waiting[i]);
        if (!is_good || i >= planned_n) {
            try_to_the_end(rehearsal->plan, job, now_ms, &outcome);
            take_outcome(job, &outcome, now_ms);
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

/* Keeps what the decision points to. */
static void answer_with(const struct planner *planner, const struct plan *plan,
                        struct sched_job *job, struct plan_decision *ret, int64_t now_ms)
{
    struct answer *answer = planner->answer;

    forget_answer(answer);
    if (ret->verdict != PLAN_START) {
        ret->blockers = answer->blockers;
        ret->blockers_n = plan_blockers(plan, job, now_ms, answer->blockers);
    }
    answer->places = STEAL(job->places);
    answer->places_n = job->places_n;
    job->places_n = 0;
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
    rehearsal = rehearse(planner, rank_of(planner, asked), now_ms);
    try_to_the_end(rehearsal.plan, asked, job->earliest_ms > now_ms ? job->earliest_ms : now_ms,
                   &outcome);
    if (outcome.verdict == PLAN_START && outcome.at_ms > now_ms) {
        outcome.verdict = PLAN_LATER;
        outcome.why = PLAN_WHY_BEGIN;
    }
    take_outcome(asked, &outcome, now_ms);
    *ret = decision_of(&outcome, job->id);
    answer_with(planner, rehearsal.plan, asked, ret, now_ms);
    sched_job_free(planner->kinds, asked);
    end_rehearsal(&rehearsal);
}
