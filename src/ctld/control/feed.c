/*
 * What the planner is told. It is rebuilt at a start, for a new configuration, and when the wall
 * clock jumped while a job waits for its --begin; otherwise it follows by changes.
 */
#include "ctld/control/core.h"

#include <string.h>

/* A jump of the wall clock that matters to a --begin. */
#define CLOCK_JUMP_MS 2000

bool job_is_eligible(const struct control *control, const struct job *job)
{
    const struct partition *part;
    AUTO(strbuf) struct strbuf text = { 0 };

    if (job->rec.state != JOB_PENDING || (job->rec.flags & JOB_FLAG_COMPLETING) ||
        job->rec.priority == 0 || job->rec.dependencies_n > 0 || job->partition == PARTITION_NONE)
        return false;
    part = &control->model->partitions[job->partition];
    return spec_waits_for(job->rec.spec, part, &text) == REASON_NONE;
}

static int64_t begin_ms_of(const struct job_record *rec, struct moment now)
{
    return rec->spec->begin > now.wall_s ? moment_ms_of_wall(now, rec->spec->begin) : 0;
}

void feed_fill_waiting(const struct control *control, struct moment now,
                       const struct job_record *rec, uint32_t partition, struct plan_job *plan)
{
    feed_fill_job(control->model, rec, partition, begin_ms_of(rec, now), plan);
    if (rec->spec->deadline && rec->state == JOB_PENDING)
        plan->duration_ms = deadline_cut(rec->spec, now.wall_s) * 1000;
    plan->since_ms = moment_ms_of_wall(now, rec->submit_time);
}

static void fill_running(const struct control *control, struct moment now, const struct job *job,
                         struct plan_job *plan)
{
    feed_fill_waiting(control, now, &job->rec, job->partition, plan);
    if (job->partition == PARTITION_NONE)
        plan->partition = 0;
    plan->runs = true;
    plan->end_ms = job_limit_ms(job);
    feed_fill_places(control->model, job, plan);
}

bool job_holds_nodes(const struct job *job)
{
    return job_state_is_active(job->rec.state) || (job->rec.flags & JOB_FLAG_COMPLETING);
}

/* Notes what the planner is told. */
static void fill_usable(struct control *control, struct plan_node *nodes)
{
    for (uint32_t i = 0; i < control->model->nodes_n; i++) {
        nodes[i].usable = node_is_usable(&control->model->nodes[i]);
        if (nodes[i].usable)
            bitset_add(&control->told_usable, i);
        else
            bitset_del(&control->told_usable, i);
    }
}

/* What a rebuild is told of jobs. Tasks of an array share what was filled for the first. */
struct fed_jobs {
    struct plan_job *at;
    uint32_t n;
    uint32_t *owners; /* those whose parts are to be released */
    uint32_t owners_n;
};

static struct plan_job *add_fed(struct fed_jobs *jobs)
{
    *ARRAY_PUSH(jobs->owners, jobs->owners_n) = jobs->n;
    return ARRAY_PUSH(jobs->at, jobs->n);
}

static void clear_fed(struct fed_jobs *jobs)
{
    for (uint32_t i = 0; i < jobs->owners_n; i++)
        feed_clear_plan_job(&jobs->at[jobs->owners[i]]);
    free(jobs->at);
    free(jobs->owners);
}

static void add_tasks(struct control *control, struct moment now, struct job *job,
                      struct fed_jobs *jobs)
{
    struct plan_job first;
    int64_t task = feed_next_task(job);

    if (task < 0)
        return;
    feed_fill_waiting(control, now, &job->rec, job->partition, add_fed(jobs));
    first = jobs->at[--jobs->n];
    for (; task >= 0; task = feed_next_task(job)) {
        struct plan_job *plan = ARRAY_PUSH(jobs->at, jobs->n);

        *plan = first;
        plan->id = feed_id(job->array->id, (uint32_t)task);
        feed_note_told(job, (uint32_t)task);
    }
}

static void add_jobs(struct control *control, struct moment now, struct fed_jobs *jobs)
{
    for (struct job *job = control->model->jobs; job; job = job->hh.next)
        feed_forget_told(job);
    for (struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (job_holds_nodes(job))
            fill_running(control, now, job, add_fed(jobs));
        else if (job_is_eligible(control, job) && job->array)
            add_tasks(control, now, job, jobs);
        else if (job_is_eligible(control, job))
            feed_fill_waiting(control, now, &job->rec, job->partition, add_fed(jobs));
    }
}

static bool plans_for_all(const struct plan_policy *policy)
{
    return !policy->plans_max && !policy->tries_max && !policy->tries_per_user &&
           !policy->tries_per_partition && !policy->window_ms && !policy->reserve_age_ms &&
           !policy->reserve_priority;
}

/* Where not every waiting job has a place, the others are told what a plan for all gives. */
static void rebuild_forecast(struct control *control, struct plan_snapshot *snapshot)
{
    struct plan_policy *policy = &snapshot->policy;

    if (plans_for_all(policy)) {
        control->forecast = planner_free(control->forecast);
        return;
    }
    if (!control->forecast)
        control->forecast = planner_new();
    *policy = (struct plan_policy){
        .select = policy->select,
        .backfill = policy->backfill,
        .spares_first = policy->spares_first,
        .resolution_ms = policy->resolution_ms,
        .forecasts = true,
    };
    planner_rebuild(control->forecast, snapshot);
    control->forecast_stale = true;
}

void feed_rebuild(struct control *control, struct moment now)
{
    struct fed_jobs jobs = { 0 };
    struct plan_snapshot snapshot;
    struct plan_node *nodes;

    feed_fill_cluster(control->model, &snapshot);
    nodes = (struct plan_node *)snapshot.nodes;
    fill_usable(control, nodes);
    add_jobs(control, now, &jobs);
    snapshot.jobs = jobs.at;
    snapshot.jobs_n = jobs.n;
    snapshot.now_ms = now.cluster_ms;
    planner_rebuild(control->planner, &snapshot);
    rebuild_forecast(control, &snapshot);
    clear_fed(&jobs);
    for (uint32_t i = 0; i < snapshot.nodes_n; i++)
        nodes[i].usable = true;
    snapshot.jobs_n = 0;
    planner_rebuild(control->bare, &snapshot);
    feed_clear_cluster(&snapshot);
    control->planner_stale = false;
    control->clock_offset_ms = now.wall_s * 1000 - now.cluster_ms;
}

/* While the planner is to be rebuilt anyway, changes need not reach it. */
static void apply(struct control *control, struct moment now, const struct plan_change *change)
{
    if (control->planner_stale)
        return;
    planner_apply(control->planner, now.cluster_ms, change);
    if (control->forecast)
        planner_apply(control->forecast, now.cluster_ms, change);
    control->forecast_stale = true;
}

/* The planner knows: it was its decision. */
void feed_job_started(struct control *control, struct moment now, struct job *job)
{
    struct plan_job plan;

    feed_forget_told(job);
    if (!control->forecast || control->planner_stale)
        return;
    fill_running(control, now, job, &plan);
    planner_apply(control->forecast, now.cluster_ms,
                  &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    control->forecast_stale = true;
    feed_clear_plan_job(&plan);
}

static void watch_clock(struct control *control, struct moment now)
{
    int64_t jump = now.wall_s * 1000 - now.cluster_ms - control->clock_offset_ms;

    if (jump > CLOCK_JUMP_MS || jump < -CLOCK_JUMP_MS)
        control->planner_stale = true;
}

/* All tasks of a record are asked for with what is filled once. */
static void tell_tasks(struct control *control, struct moment now, struct job *job)
{
    struct plan_job plan;
    int64_t task = feed_next_task(job);

    if (task < 0 || control->planner_stale)
        return;
    feed_fill_waiting(control, now, &job->rec, job->partition, &plan);
    for (; task >= 0; task = feed_next_task(job)) {
        plan.id = feed_id(job->array->id, (uint32_t)task);
        feed_note_told(job, (uint32_t)task);
        apply(control, now, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    }
    feed_clear_plan_job(&plan);
}

void feed_array(struct control *control, struct moment now, struct array *array)
{
    for (struct job *job = array->jobs; job; job = job->array_next) {
        if (job_is_eligible(control, job))
            tell_tasks(control, now, job);
    }
}

void feed_job_waits(struct control *control, struct moment now, struct job *job)
{
    struct plan_job plan;

    if (!job_is_eligible(control, job))
        return;
    watch_clock(control, now);
    deadline_watch(control, now, job);
    if (job->array) {
        feed_array(control, now, job->array);
        return;
    }
    feed_fill_waiting(control, now, &job->rec, job->partition, &plan);
    apply(control, now, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    feed_clear_plan_job(&plan);
}

static void remove_id(struct control *control, struct moment now, uint64_t id)
{
    apply(control, now, &(struct plan_change){ .kind = PLAN_JOB_REMOVED, .id = id });
}

void feed_job_gone(struct control *control, struct moment now, struct job *job)
{
    BITSET_FOREACH (&job->told, task)
        remove_id(control, now, feed_id(job->array->id, (uint32_t)task));
    feed_forget_told(job);
    if (!job_is_task_set(&job->rec))
        remove_id(control, now, feed_id_of(job));
}

void feed_job_end(struct control *control, struct moment now, const struct job *job)
{
    apply(control, now,
          &(struct plan_change){
              .kind = PLAN_JOB_END, .id = feed_id_of(job), .end_ms = job_limit_ms(job) });
}

void feed_priorities(struct control *control, struct moment now,
                     const struct plan_priority *priorities, uint32_t n)
{
    apply(control, now,
          &(struct plan_change){
              .kind = PLAN_PRIORITIES, .priorities = priorities, .priorities_n = n });
}

void feed_node_freed(struct control *control, struct moment now, const struct job *job,
                     uint32_t node)
{
    apply(control, now,
          &(struct plan_change){ .kind = PLAN_NODE_RELEASED, .id = feed_id_of(job), .node = node });
}

void feed_node(struct control *control, struct moment now, const struct node *node)
{
    const bool usable = node_is_usable(node);

    if (usable == bitset_has(&control->told_usable, node->index))
        return;
    if (usable)
        bitset_add(&control->told_usable, node->index);
    else
        bitset_del(&control->told_usable, node->index);
    apply(control, now,
          &(struct plan_change){ .kind = PLAN_NODE_USABLE, .node = node->index, .usable = usable });
}
