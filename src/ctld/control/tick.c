/* Everything that happens because time passes. */
#include "ctld/control/core.h"
#include "ctld/control/mail.h"
#include "ctld/control/node_act.h"

#include <string.h>

/* Retiring waits for the next full second, so that many jobs share a look at all of them. */
#define RETIRE_STEP_MS 1000

void control_wake_at(struct control *control, int64_t cluster_ms)
{
    if (cluster_ms < control->next_ms)
        control->next_ms = cluster_ms;
}

int64_t job_limit_ms(const struct job *job)
{
    if (job->rec.spec->time_limit < 0 || job->rec.state == JOB_SUSPENDED)
        return INT64_MAX;
    return job->rec.start_cluster_ms + job->rec.spec->time_limit * 1000;
}

int64_t job_warn_ms(const struct job *job)
{
    int64_t limit = job_limit_ms(job);

    if (job->rec.spec->warn_signal == 0 || limit == INT64_MAX || (job->rec.flags & JOB_FLAG_WARNED))
        return INT64_MAX;
    return limit - job->rec.spec->warn_before_s * INT64_C(1000);
}

int64_t step_limit_ms(const struct step *step)
{
    if (!step->rec.spec || step->rec.spec->time_limit < 0)
        return INT64_MAX;
    return step->rec.start_cluster_ms + step->rec.spec->time_limit * 1000;
}

int64_t job_retire_ms(const struct control *control, const struct job *job)
{
    int64_t due = job->rec.end_cluster_ms + control->model->config.min_job_age_s * INT64_C(1000);

    return (due / RETIRE_STEP_MS + 1) * RETIRE_STEP_MS;
}

/* As long as OverTimeLimit, jobs may go on beyond their limit. */
static int64_t time_out_ms(const struct control *control, const struct job *job)
{
    const int64_t limit_ms = job_limit_ms(job);
    int64_t over_s = 0;

    if (job->partition != PARTITION_NONE)
        over_s = control->model->partitions[job->partition].conf->over_time;
    if (limit_ms == INT64_MAX || over_s == LIMIT_INFINITE)
        return INT64_MAX;
    return limit_ms + (over_s > 0 ? over_s * 1000 : 0);
}

static void time_out(struct control *control, struct moment now, struct job *job, struct turn *turn)
{
    const struct job_ending ending = {
        .state = JOB_TIMEOUT,
        .reason = REASON_TIME_LIMIT,
        .is_forced = true,
        .why_forced = "DUE TO TIME LIMIT",
        .kill_wait_s = control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };

    job_end(control, now, job, &ending, turn);
    job_mail(control, now, job, NEWS_TIME_LIMIT, turn);
}

static void warn(struct job *job, struct turn *turn)
{
    const struct job_spec *spec = job->rec.spec;

    job->rec.flags |= JOB_FLAG_WARNED;
    job_order_signal(job, spec->warn_signal,
                     spec->warn_batch ? SIGNAL_BATCH_ONLY : SIGNAL_STEPS_ONLY, turn);
    turn_note_job(turn, &job->rec);
}

static void tick_steps(struct control *control, struct moment now, struct job *job,
                       struct turn *turn)
{
    static const struct step_ending time_over = {
        .state = JOB_TIMEOUT, .ended_by = COUNT_UNSET, .why = "DUE TO TIME LIMIT", .is_quiet = true
    };

    for (struct step *step = job->live; step; step = step->live_next) {
        if (step->rec.state == STEP_PENDING || step->rec.state >= STEP_ENDING)
            continue;
        if (now.cluster_ms >= step_limit_ms(step))
            step_stop(control, now, step, &time_over, turn);
        else
            control_wake_at(control, step_limit_ms(step));
    }
}

static void tick_running(struct control *control, struct moment now, struct job *job,
                         struct turn *turn)
{
    if (now.cluster_ms >= time_out_ms(control, job)) {
        time_out(control, now, job, turn);
        return;
    }
    if (now.cluster_ms >= job_warn_ms(job))
        warn(job, turn);
    job_mail_parts(control, now, job, turn);
    control_wake_at(control, time_out_ms(control, job));
    control_wake_at(control, job_warn_ms(job));
    control_wake_at(control, job_mail_ms(job));
    tick_steps(control, now, job, turn);
}

static void tick_waiting(struct control *control, struct moment now, struct job *job,
                         struct turn *turn)
{
    depend_tick(control, now, job, turn);
    if (!deadline_end(control, now, job, turn) && job_is_eligible(control, job))
        deadline_watch(control, now, job);
}

/* As long as a task of an array is known, so is the job that has the array's id. */
static bool is_head_of_others(const struct job *job)
{
    const struct array *array = job->array;

    return array && job->rec.id == array->id && array->jobs->array_next;
}

static void drop(struct control *control, struct moment now, struct job *job, struct turn *turn)
{
    /* The head may be due by now. */
    if (job->array && job->array->jobs->array_next)
        control_wake_at(control, now.cluster_ms);
    turn_note_job_retired(turn, &job->rec);
    model_drop_job(control->model, job);
}

/* True: the job is gone. */
static bool retire(struct control *control, struct moment now, struct job *job, struct turn *turn)
{
    if (!job_state_is_over(job->rec.state) || (job->rec.flags & JOB_FLAG_COMPLETING))
        return false;
    if (now.cluster_ms < job_retire_ms(control, job)) {
        control_wake_at(control, job_retire_ms(control, job));
        return false;
    }
    if (is_head_of_others(job))
        return false; /* until they are gone: see drop */
    drop(control, now, job, turn);
    return true;
}

static void tick_job(struct control *control, struct moment now, struct job *job, struct turn *turn)
{
    if (retire(control, now, job, turn))
        return;
    attach_tick(control, now, job, turn);
    if (job->rec.state == JOB_RUNNING)
        tick_running(control, now, job, turn);
    else if (job->rec.state == JOB_PENDING)
        tick_waiting(control, now, job, turn);
}

static void tick_node(struct control *control, struct moment now, struct node *node,
                      struct turn *turn)
{
    const int64_t timeout_ms = control->model->config.slurmd_timeout_s * INT64_C(1000);

    reboot_tick(control, now, node, turn);
    node_resume_tick(control, now, node, turn);
    if (timeout_ms == 0 || node->rec.down || (node_is_future(node) && node->jobs_n == 0))
        return;
    if (now.cluster_ms - node->seen_ms >= timeout_ms) {
        node->online = false; /* a session that is still open is of no use: it is closed */
        node_go_down_for(control, now, node, "Not responding", true, turn);
    } else {
        control_wake_at(control, node->seen_ms + timeout_ms);
    }
}

void control_tick(struct control *control, struct moment now, struct turn *turn)
{
    if (now.cluster_ms < control->next_ms)
        return;
    control->next_ms = INT64_MAX;
    rank_tick(control, now);
    health_tick(control, now, turn);
    for (uint32_t i = 0; i < control->model->nodes_n; i++)
        tick_node(control, now, &control->model->nodes[i], turn);
    for (struct job *job = control->model->jobs, *next; job; job = next) {
        next = job->hh.next;
        tick_job(control, now, job, turn);
    }
}

bool control_awaits_cleaning(const struct control *control, struct moment now)
{
    if (now.cluster_ms >= control->clean_ms)
        return false;
    for (uint32_t i = 0; i < control->model->nodes_n; i++) {
        if (control->model->nodes[i].completing_n > 0)
            return true;
    }
    return false;
}

int64_t control_next_ms(const struct control *control, struct moment now)
{
    int64_t plan = feed_is_told(control) ? planner_wakes_at(control->planner) : now.cluster_ms;

    if (plan < control->hold_ms)
        plan = control->hold_ms;
    if (plan < control->clean_ms && control_awaits_cleaning(control, now))
        plan = control->clean_ms;
    return plan < control->next_ms ? plan : control->next_ms;
}
