/*
 * Telling the planner everything, from nothing: the cluster at once, then the jobs in slices. What
 * changes meanwhile is told as ever: of a job that the planner does not know yet it is of no
 * consequence, and the job is told as it is when its turn comes. The planner makes no step before
 * it knows all jobs, so nothing starts on what is only half of the truth.
 */
#include "ctld/control/feed/all.h"

#include "ctld/control/act/state.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/feed/array.h"
#include "ctld/control/feed/beside.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/presence.h"
#include "ctld/control/feed/reserved.h"
#include "ctld/control/feed/resv.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/limit/standing.h"
static bool plans_for_all(const struct plan_policy *policy)
{
    return !policy->plans_max && !policy->tries_max && !policy->tries_per_user &&
           !policy->tries_per_partition && !policy->window_ms && !policy->reserve_age_ms &&
           !policy->reserve_priority;
}

/* Puts the planner aside to be freed in slices, for it may know many jobs. */
static void retire(struct control *control, struct planner *planner)
{
    if (planner)
        *ARRAY_PUSH(control->retired, control->retired_n) = planner;
}

static struct planner *new_planner(const struct plan_snapshot *snapshot)
{
    struct planner *planner = planner_new();

    planner_rebuild(planner, snapshot);
    return planner;
}

/* Returns a forecast of what a plan for all would give; NULL: the planner plans for all. */
static struct planner *new_forecast(const struct plan_snapshot *snapshot)
{
    const struct plan_policy *policy = &snapshot->policy;
    struct plan_snapshot forecast = *snapshot;

    if (plans_for_all(policy))
        return NULL;
    forecast.policy = (struct plan_policy){
        .select = policy->select,
        .backfill = policy->backfill,
        .limits_stop = policy->limits_stop,
        .spares_first = policy->spares_first,
        .resolution_ms = policy->resolution_ms,
        .forecasts = true,
    };
    return new_planner(&forecast);
}

static void collect_jobs(struct control *control)
{
    struct telling *telling = &control->telling;

    telling->jobs_n = telling->done_n = 0;
    for (struct job *job = control->model->jobs; job; job = job->hh.next) {
        feed_forget_told(job);
        if (job_holds_nodes(job) || job->rec.state == JOB_PENDING)
            *ARRAY_PUSH(telling->jobs, telling->jobs_n) = job->rec.id;
    }
}

static void add_pools_beside(struct act *act, struct plan_snapshot *snapshot)
{
    struct control *control = act->control;
    struct plan_pool *pools;

    feed_add_reserved_pools(control, snapshot);
    pools = (struct plan_pool *)snapshot->pools;
    for (uint32_t i = 0; control->beside && i < control->beside->pools_n; i++)
        *ARRAY_PUSH(pools, snapshot->pools_n) = control->beside->pools[i];
    for (uint32_t i = 0; i < limit_pools_n(control); i++)
        limit_fill_pool(control, act->now, i, ARRAY_PUSH(pools, snapshot->pools_n));
    snapshot->pools = pools;
}

/* Adds the nodes that are awaited to the reservations, with texts of its own. */
static void add_absence(const struct control *control, struct plan_snapshot *snapshot)
{
    struct plan_reservation *list = (struct plan_reservation *)snapshot->reservations;
    struct plan_reservation *made = ARRAY_PUSH(list, snapshot->reservations_n);
    struct plan_span *span = xmalloc(sizeof(*span));

    *made = feed_absence(control, span);
    made->nodes = (struct bitset){ 0 };
    bitset_copy(&made->nodes, &control->told_absent);
    snapshot->reservations = list;
}

void feed_begin(struct act *act)
{
    struct plan_snapshot snapshot;

    feed_fill_cluster(act->control->model, &snapshot);
    limit_refresh(act->control);
    feed_count_reserved(act);
    add_pools_beside(act, &snapshot);
    act->control->limits_told_n = limit_pools_n(act->control);
    feed_fill_presence(act, (struct plan_node *)snapshot.nodes);
    feed_fill_reservations(act, &snapshot);
    add_absence(act->control, &snapshot);
    snapshot.now_ms = act->now.cluster_ms;
    questions_begin_anew(act->control);
    retire(act->control, act->control->planner);
    retire(act->control, act->control->forecast);
    act->control->planner = new_planner(&snapshot);
    act->control->forecast = new_forecast(&snapshot);
    act->control->forecast_stale = true;
    feed_clear_reservations(&snapshot);
    feed_clear_cluster(&snapshot);
    collect_jobs(act->control);
    act->control->planner_stale = false;
    act->control->resv_marked = false; /* nodes may be new, too */
    act->control->clock_offset_ms = act->now.wall_s * 1000 - act->now.cluster_ms;
}

bool feed_is_told(const struct control *control)
{
    return !control->planner_stale && control->telling.done_n == control->telling.jobs_n;
}

/* Tells of the next job, or of at most `most` of its tasks; returns how many were told. */
static uint32_t tell_next(struct act *act, uint32_t most)
{
    struct telling *telling = &act->control->telling;
    struct job *job = model_find_job(act->control->model, telling->jobs[telling->done_n]);
    struct plan_job plan;

    if (job && !job_holds_nodes(job) && job->array && job_is_eligible(job)) {
        const uint32_t told = feed_tasks(act, job, most);

        telling->done_n += told < most;
        return told;
    }
    telling->done_n++;
    if (job && job_holds_nodes(job))
        feed_fill_running(act->control, act->now, job, &plan);
    else if (job && job_is_eligible(job))
        feed_fill_waiting(act->control, act->now, &job->rec, &job->request, job->partition, &plan);
    else
        return 0;
    feed_apply(act, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    feed_clear_plan_job(&plan);
    return 1;
}

bool feed_go_on(struct act *act, uint32_t work)
{
    if (act->control->planner_stale) {
        feed_begin(act);
        return true;
    }
    while (work > 0 && !feed_is_told(act->control)) {
        const uint32_t told = tell_next(act, work);

        work -= told ? told : 1;
    }
    return !feed_is_told(act->control);
}

bool feed_free_retired(struct control *control, uint32_t work)
{
    if (control->retired_n == 0)
        return false;
    if (!planner_discard(control->retired[control->retired_n - 1], work))
        control->retired_n--;
    return control->retired_n > 0;
}

void feed_free(struct control *control)
{
    planner_free(control->planner);
    planner_free(control->forecast);
    for (uint32_t i = 0; i < control->retired_n; i++)
        planner_free(control->retired[i]);
    free(control->retired);
    free(control->telling.jobs);
    free(control->reserved);
}
