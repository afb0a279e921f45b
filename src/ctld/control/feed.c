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
        job->rec.priority == 0 || job->partition == PARTITION_NONE)
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
    return job->rec.state == JOB_RUNNING || (job->rec.flags & JOB_FLAG_COMPLETING);
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

static struct plan_job *snapshot_jobs(struct control *control, struct moment now, uint32_t *ret_n)
{
    struct plan_job *jobs = NULL;
    uint32_t n = 0;

    for (struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (job_holds_nodes(job))
            fill_running(control, now, job, ARRAY_PUSH(jobs, n));
        else if (job_is_eligible(control, job))
            feed_fill_waiting(control, now, &job->rec, job->partition, ARRAY_PUSH(jobs, n));
    }
    *ret_n = n;
    return jobs;
}

/* Where the policy promises places only to some, the others are told what a plan for all gives. */
static void rebuild_forecast(struct control *control, struct plan_snapshot *snapshot)
{
    const bool is_wanted = snapshot->policy.plans_max > 0;

    if (!is_wanted)
        control->forecast = planner_free(control->forecast);
    else if (!control->forecast)
        control->forecast = planner_new();
    if (!is_wanted)
        return;
    snapshot->policy.plans_max = 0;
    snapshot->policy.turn = PLAN_TURN_RANK;
    snapshot->policy.forecasts = true;
    planner_rebuild(control->forecast, snapshot);
    control->forecast_stale = true;
}

void feed_rebuild(struct control *control, struct moment now)
{
    AUTO_FREE struct plan_job *jobs = NULL;
    struct plan_snapshot snapshot;
    struct plan_node *nodes;

    feed_fill_cluster(control->model, &snapshot);
    nodes = (struct plan_node *)snapshot.nodes;
    fill_usable(control, nodes);
    jobs = snapshot_jobs(control, now, &snapshot.jobs_n);
    snapshot.jobs = jobs;
    snapshot.now_ms = now.cluster_ms;
    planner_rebuild(control->planner, &snapshot);
    rebuild_forecast(control, &snapshot);
    for (uint32_t i = 0; i < snapshot.jobs_n; i++)
        feed_clear_plan_job(&jobs[i]);
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
void feed_job_started(struct control *control, struct moment now, const struct job *job)
{
    struct plan_job plan;

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

void feed_job_waits(struct control *control, struct moment now, struct job *job)
{
    struct plan_job plan;

    if (!job_is_eligible(control, job))
        return;
    watch_clock(control, now);
    feed_fill_waiting(control, now, &job->rec, job->partition, &plan);
    apply(control, now, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
    feed_clear_plan_job(&plan);
}

void feed_job_gone(struct control *control, struct moment now, const struct job *job)
{
    apply(control, now, &(struct plan_change){ .kind = PLAN_JOB_REMOVED, .id = job->rec.id });
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
          &(struct plan_change){ .kind = PLAN_NODE_RELEASED, .id = job->rec.id, .node = node });
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
