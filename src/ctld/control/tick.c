/* Everything that happens because time passes. */
#include "ctld/control/tick.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/answer/attach.h"
#include "ctld/control/feed/all.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/job/deadline.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/mail.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/limit/used.h"
#include "ctld/control/node/health.h"
#include "ctld/control/node/reboot.h"
#include "ctld/control/node/update.h"
#include "ctld/control/reserve/reserve.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/step/end.h"

/* Returns when the job times out: it may go on beyond its limit for as long as OverTimeLimit, but
 * not longer than its reservation lets it. */
static int64_t time_out_ms(const struct control *control, struct moment now, const struct job *job)
{
    const int64_t limit_ms = job_limit_ms(job);
    const int64_t resv_ms = resv_ends_job_ms(control, now, &job->rec);
    int64_t over_s = 0;

    if (job->partition != PARTITION_NONE)
        over_s = control->model->partitions[job->partition].conf->over_time;
    if (limit_ms == INT64_MAX || over_s == LIMIT_INFINITE)
        return resv_ms;
    return MIN(limit_ms + (over_s > 0 ? over_s * 1000 : 0), resv_ms);
}

static void time_out(struct act *act, struct job *job)
{
    const struct job_ending ending = {
        .state = JOB_TIMEOUT,
        .reason = REASON_TIME_LIMIT,
        .is_forced = true,
        .why_forced = "DUE TO TIME LIMIT",
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };

    job_end(act, job, &ending);
    job_mail(act, job, NEWS_TIME_LIMIT);
}

static void warn(struct job *job, struct turn *turn)
{
    const struct job_spec *spec = job->rec.spec;

    job->rec.flags |= JOB_FLAG_WARNED;
    job_order_signal(job, spec->warn_signal,
                     spec->warn_batch ? SIGNAL_BATCH_ONLY : SIGNAL_STEPS_ONLY, turn);
    turn_note_job(turn, &job->rec);
}

static void tick_steps(struct act *act, struct job *job)
{
    static const struct step_ending time_over = {
        .state = JOB_TIMEOUT, .ended_by = COUNT_UNSET, .why = "DUE TO TIME LIMIT", .is_quiet = true
    };

    for (struct step *step = job->live; step; step = step->live_next) {
        if (step->rec.state == STEP_PENDING || step->rec.state >= STEP_ENDING)
            continue;
        if (act->now.cluster_ms >= step_limit_ms(step))
            step_stop(act, step, &time_over);
        else
            control_wake_at(act->control, step_limit_ms(step));
    }
}

/* Ends the job because of a limit on what it uses together with others. */
static void use_up(struct act *act, struct job *job, const struct limit *limit)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct job_ending ending = {
        .state = JOB_TIMEOUT,
        .reason = limit_reason(limit),
        .is_forced = true,
        .why_forced = "DUE TO TIME LIMIT",
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };

    strbuf_addf(&text, "%s: ", job_reason_name(ending.reason));
    limit_tell(limit, &text);
    ending.reason_text = strbuf_text(&text);
    job_end(act, job, &ending);
    job_mail(act, job, NEWS_TIME_LIMIT);
}

static void tick_running(struct act *act, struct job *job)
{
    const struct limit *limit =
        limit_counts_use(act->control) ? limit_used_up(act->control, act->now, job) : NULL;

    if (limit) {
        use_up(act, job, limit);
        return;
    }
    if (act->now.cluster_ms >= time_out_ms(act->control, act->now, job)) {
        time_out(act, job);
        return;
    }
    if (act->now.cluster_ms >= job_warn_ms(job))
        warn(job, act->turn);
    job_mail_parts(act, job);
    control_wake_at(act->control, time_out_ms(act->control, act->now, job));
    control_wake_at(act->control, job_warn_ms(job));
    control_wake_at(act->control, job_mail_ms(job));
    tick_steps(act, job);
}

static void tick_waiting(struct act *act, struct job *job)
{
    depend_tick(act, job);
    if (!deadline_end(act, job) && job_is_eligible(job))
        deadline_watch(act, job);
}

/* True if tasks of the job's array are known, which keep the job that has the array's id. */
static bool is_head_of_others(const struct job *job)
{
    const struct array *array = job->array;

    return array && job->rec.id == array->id && array->jobs->array_next;
}

static void drop(struct act *act, struct job *job)
{
    /* The head of the array may be due by now. */
    if (job->array && job->array->jobs->array_next)
        control_wake_at(act->control, act->now.cluster_ms);
    turn_note_job_retired(act->turn, &job->rec);
    model_drop_job(act->control->model, job);
}

/* Forgets the job if it is due; true: it is gone. */
static bool retire(struct act *act, struct job *job)
{
    if (!job_state_is_over(job->rec.state) || (job->rec.flags & JOB_FLAG_COMPLETING))
        return false;
    if (act->now.cluster_ms < job_retire_ms(act->control, job)) {
        control_wake_at(act->control, job_retire_ms(act->control, job));
        return false;
    }
    if (is_head_of_others(job))
        return false; /* until they are gone: see drop */
    drop(act, job);
    return true;
}

static void tick_job(struct act *act, struct job *job)
{
    if (retire(act, job))
        return;
    attach_tick(act, job);
    if (job->rec.state == JOB_RUNNING)
        tick_running(act, job);
    else if (job->rec.state == JOB_PENDING)
        tick_waiting(act, job);
}

static void tick_node(struct act *act, struct node *node)
{
    const int64_t timeout_ms = act->control->model->config.slurmd_timeout_s * INT64_C(1000);

    reboot_tick(act, node);
    node_resume_tick(act, node);
    if (timeout_ms == 0 || node->rec.down || (node_is_future(node) && node->jobs_n == 0))
        return;
    if (act->now.cluster_ms - node->seen_ms >= timeout_ms) {
        node->online = false; /* a session that is still open is of no use: it is closed */
        node_go_down_for(act, node, "Not responding", true);
    } else {
        control_wake_at(act->control, node->seen_ms + timeout_ms);
    }
}

void control_tick(struct act *act)
{
    if (act->now.cluster_ms < act->control->next_ms)
        return;
    act->control->next_ms = INT64_MAX;
    usage_tick(act);
    rank_tick(act);
    feed_use(act);
    reserve_tick(act);
    health_tick(act);
    for (uint32_t i = 0; i < act->control->model->nodes_n; i++)
        tick_node(act, &act->control->model->nodes[i]);
    for (struct job *job = act->control->model->jobs, *next; job; job = next) {
        next = job->hh.next;
        tick_job(act, job);
    }
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
