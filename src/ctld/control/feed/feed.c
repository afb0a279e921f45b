/*
 * What the planner is told of what changes. Everything it is told anew (all.c) at a start, for
 * a new configuration, and when the wall clock jumped while a job waits for its --begin.
 */
#include "ctld/control/feed/feed.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/array.h"
#include "ctld/control/feed/beside.h"
#include "ctld/control/feed/reserved.h"
#include "ctld/control/feed/resv.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/job/deadline.h"
#include "ctld/control/limit/claims.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/limit/several.h"
#include "ctld/control/resv/resv.h"

/* From how many milliseconds on a jump of the wall clock matters to a --begin. */
#define CLOCK_JUMP_MS 2000

bool job_is_eligible(const struct job *job)
{
    if (job->rec.state != JOB_PENDING || (job->rec.flags & JOB_FLAG_COMPLETING) ||
        job->rec.priority == 0 || job->rec.dependencies_n > 0 || job->partition == PARTITION_NONE)
        return false;
    return !job_request_is_barred(&job->request) && !job->request.unreadable;
}

/* Returns the number of the first pool of control->beside. */
static uint32_t first_beside(const struct control *control)
{
    return feed_license_pools_n(control->model) + feed_reserved_pools_n(control);
}

/* Adds the claims of pools beside the licenses to an option of the job. */
static void add_claims_beside(const struct control *control, const struct job_record *rec,
                              struct plan_option *option)
{
    struct plan_claim *claims = (struct plan_claim *)option->claims;
    uint32_t added_n = 0;
    const struct plan_claim *added =
        control->beside ? control->beside->claims_of(control->beside->ctx, rec, &added_n) : NULL;

    for (uint32_t i = 0; i < added_n; i++) {
        struct plan_claim *claim = ARRAY_PUSH(claims, option->claims_n);

        *claim = added[i];
        claim->pool += first_beside(control);
    }
    option->claims = claims;
}

/* Adds what the job claims where limits are counted, if it runs by the option. */
static void add_claims_of_limits(const struct control *control, const struct job_record *rec,
                                 const struct job_request *request, struct plan_option *option)
{
    struct control *mine = (struct control *)(uintptr_t)control;
    struct plan_claim *claims = (struct plan_claim *)option->claims;

    limit_add_claims(mine, rec, request, &control->model->partitions[option->partition],
                     feed_first_limit(control), &claims, &option->claims_n);
    option->claims = claims;
}

/* Bounds the nodes of the job by limits on what one job has: by the strictest one of all partitions
 * that may start it. */
static void bound_nodes(const struct control *control, const struct job_record *rec,
                        struct plan_job *plan)
{
    struct control *mine = (struct control *)(uintptr_t)control;

    for (uint32_t i = 0; i < plan->options_n; i++) {
        const uint32_t partition = plan->options[i].partition;
        const uint32_t most = limit_most_nodes(mine, rec, &control->model->partitions[partition]);

        if (most && (!plan->shape.nodes_limit || most < plan->shape.nodes_limit))
            plan->shape.nodes_limit = most;
    }
}

uint32_t feed_first_limit(const struct control *control)
{
    return first_beside(control) + (control->beside ? control->beside->pools_n : 0);
}

/* Tells the planners of a pool in which a limit is counted, for the first time or anew. */
static void tell_pool(struct control *control, struct moment now, uint32_t number)
{
    struct plan_pool pool;
    const struct plan_change change = { .kind = PLAN_POOL,
                                        .node = feed_first_limit(control) + number,
                                        .pool = &pool };

    limit_fill_pool(control, now, number, &pool);
    planner_apply(control->planner, now.cluster_ms, &change);
    if (control->forecast)
        planner_apply(control->forecast, now.cluster_ms, &change);
    control->forecast_stale = true;
}

/* Tells the planners of pools that have come since they were told of any. */
static void tell_pools(struct control *control, struct moment now)
{
    while (!control->planner_stale && control->limits_told_n < limit_pools_n(control))
        tell_pool(control, now, control->limits_told_n++);
}

void feed_use(struct act *act)
{
    struct control *control = act->control;
    int64_t next_ms = INT64_MAX;

    control->use_changed = false;
    limit_refresh(control);
    if (!limit_counts_use(control) || control->planner_stale)
        return;
    for (uint32_t i = 0; i < control->limits_told_n; i++) {
        if (limit_pool_moved(control, act->now, i, &next_ms))
            tell_pool(control, act->now, i);
    }
    control_wake_at(control, next_ms);
}

/* Returns how long the job may run at most, wherever it starts. */
static int64_t duration_ms(const struct control *control, struct moment now,
                           const struct tres_job *job)
{
    struct control *mine = (struct control *)(uintptr_t)control;
    const int64_t time_s = deadline_cut(job->rec->spec, limit_time_to_plan(mine, job), now.wall_s);

    return time_s < 0 ? PLAN_NEVER : time_s * 1000;
}

void feed_fill_waiting(const struct control *control, struct moment now,
                       const struct job_record *rec, const struct job_request *request,
                       uint32_t partition, struct plan_job *plan)
{
    const struct tres_job job = { rec, request, &control->model->partitions[partition] };
    const int64_t begin_ms =
        rec->spec->begin > now.wall_s ? moment_ms_of_wall(now, rec->spec->begin) : 0;

    feed_fill_job(control->model, rec, request, partition, begin_ms, plan);
    if (rec->spec->reservation || rec->resv_name || resv_any(control))
        feed_add_reservations(control, rec, plan);
    if (rec->state == JOB_PENDING)
        plan->duration_ms = duration_ms(control, now, &job);
    plan->since_ms = moment_ms_of_wall(now, rec->submit_time);
    plan->no_place =
        limit_denies_place((struct control *)(uintptr_t)control, rec, rec->priority, job.part);
    for (uint32_t i = 0; i < plan->options_n; i++) {
        struct plan_option *option = (struct plan_option *)&plan->options[i];

        feed_claim_reserved(control, rec, option);
        add_claims_beside(control, rec, option);
        add_claims_of_limits(control, rec, request, option);
    }
    bound_nodes(control, rec, plan);
    tell_pools((struct control *)(uintptr_t)control, now);
}

/* Returns when a job that runs ends at the latest: at its limit, or with its reservation. */
static int64_t end_ms(const struct control *control, struct moment now, const struct job *job)
{
    return MIN(job_limit_ms(job), resv_ends_job_ms(control, now, &job->rec));
}

void feed_fill_running(const struct control *control, struct moment now, const struct job *job,
                       struct plan_job *plan)
{
    feed_fill_waiting(control, now, &job->rec, &job->request,
                      job->partition == PARTITION_NONE ? 0 : job->partition, plan);
    plan->runs = true;
    plan->end_ms = end_ms(control, now, job);
    feed_fill_places(control->model, job, plan);
}

bool job_holds_nodes(const struct job *job)
{
    return job_state_is_active(job->rec.state) || (job->rec.flags & JOB_FLAG_COMPLETING);
}

/* Tells the planners of a change, unless they are to be told everything anew. */
void feed_apply(struct act *act, const struct plan_change *change)
{
    if (act->control->planner_stale)
        return;
    planner_apply(act->control->planner, act->now.cluster_ms, change);
    if (act->control->forecast)
        planner_apply(act->control->forecast, act->now.cluster_ms, change);
    act->control->forecast_stale = true;
}

/* Tells the forecast that the job runs. The planner knows it: it was its decision. */
void feed_job_started(struct act *act, struct job *job)
{
    struct plan_job plan;

    act->control->accrual_stale = true;
    feed_forget_told(job);
    if (!act->control->forecast || act->control->planner_stale)
        return;
    feed_fill_running(act->control, act->now, job, &plan);
    planner_apply(act->control->forecast, act->now.cluster_ms,
                  &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    act->control->forecast_stale = true;
    feed_clear_plan_job(&plan);
}

void feed_watch_clock(struct act *act)
{
    int64_t jump = act->now.wall_s * 1000 - act->now.cluster_ms - act->control->clock_offset_ms;

    if (jump > CLOCK_JUMP_MS || jump < -CLOCK_JUMP_MS)
        act->control->planner_stale = true;
}

uint32_t feed_tasks(struct act *act, struct job *job, uint32_t most)
{
    struct plan_job plan;
    int64_t task = feed_next_task(job);
    uint32_t n = 0;

    if (task < 0 || act->control->planner_stale)
        return 0;
    feed_fill_waiting(act->control, act->now, &job->rec, &job->request, job->partition, &plan);
    for (; task >= 0 && n < most; task = feed_next_task(job)) {
        plan.id = feed_id(job->array->id, (uint32_t)task);
        feed_note_told(job, (uint32_t)task);
        feed_apply(act, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
        n++;
    }
    feed_clear_plan_job(&plan);
    return n;
}

void feed_array(struct act *act, struct array *array)
{
    for (struct job *job = array->jobs; job; job = job->array_next) {
        if (job_is_eligible(job))
            feed_tasks(act, job, UINT32_MAX);
    }
}

void feed_job_waits(struct act *act, struct job *job)
{
    struct plan_job plan;

    act->control->accrual_stale = true;
    if (!job_is_eligible(job))
        return;
    feed_watch_clock(act);
    deadline_watch(act, job);
    if (job->array) {
        feed_array(act, job->array);
        return;
    }
    feed_fill_waiting(act->control, act->now, &job->rec, &job->request, job->partition, &plan);
    feed_apply(act, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    feed_clear_plan_job(&plan);
}

static void remove_id(struct act *act, uint64_t id)
{
    feed_apply(act, &(struct plan_change){ .kind = PLAN_JOB_REMOVED, .id = id });
}

void feed_job_gone(struct act *act, struct job *job)
{
    act->control->accrual_stale = true;
    BITSET_FOREACH (&job->told, task)
        remove_id(act, feed_id(job->array->id, (uint32_t)task));
    feed_forget_told(job);
    if (!job_is_task_set(&job->rec))
        remove_id(act, feed_id_of(job));
}

void feed_job_end(struct act *act, const struct job *job)
{
    feed_apply(act, &(struct plan_change){ .kind = PLAN_JOB_END,
                                           .id = feed_id_of(job),
                                           .end_ms = end_ms(act->control, act->now, job) });
}

void feed_job_holds(struct act *act, const struct job *job)
{
    struct plan_job plan;

    feed_fill_running(act->control, act->now, job, &plan);
    feed_apply(act, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    feed_clear_plan_job(&plan);
}

void feed_priorities(struct act *act, const struct plan_priority *priorities, uint32_t n)
{
    feed_apply(act, &(struct plan_change){
                        .kind = PLAN_PRIORITIES, .priorities = priorities, .priorities_n = n });
}

void feed_node_freed(struct act *act, const struct job *job, uint32_t node)
{
    feed_apply(act, &(struct plan_change){
                        .kind = PLAN_NODE_RELEASED, .id = feed_id_of(job), .node = node });
}

void feed_pool(struct act *act, uint32_t number, const struct plan_pool *pool)
{
    const uint32_t index = first_beside(act->control) + number;

    feed_apply(act, &(struct plan_change){ .kind = PLAN_POOL, .node = index, .pool = pool });
}
