/*
 * Suspending: a job's processes are stopped, and its time with them. It keeps its nodes: what it
 * holds there is given to nobody else, so that it can go on at any time.
 */
#include "ctld/control/job/suspend.h"

#include <signal.h>

#include "ctld/control/acct/usage.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/jobfsm.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/step/end.h"
#include "ctld/control/step/step.h"

static void suspend(struct act *act, struct job *job)
{
    const int64_t since = job->rec.suspend_time ? job->rec.suspend_time : job->rec.start_time;

    acct_usage_end(act, job);
    jobfsm_move(job, JOB_SUSPENDED);
    if (act->now.wall_s > since)
        job->rec.pre_suspend_s += act->now.wall_s - since;
    job->rec.suspend_time = act->now.wall_s;
    job->rec.suspended_ms = act->now.cluster_ms;
    job_order_signal(job, SIGSTOP, SIGNAL_WITH_BATCH, act->turn);
    feed_job_end(act, job);
    turn_note_job(act->turn, &job->rec);
}

/* Moves the limits, which count from the start; that moves by as long as nothing ran. */
static void move_limits(struct job *job, int64_t pause_ms, struct turn *turn)
{
    job->rec.start_cluster_ms += pause_ms;
    if (job->rec.end_time)
        job->rec.end_time += pause_ms / 1000;
    for (struct step *step = job->steps; step; step = step->next) {
        if (!step_is_active(step))
            continue;
        step->rec.start_cluster_ms += pause_ms;
        turn_note_step(turn, &step->rec);
    }
}

static void resume(struct act *act, struct job *job)
{
    jobfsm_move(job, JOB_RUNNING);
    acct_usage_begin(act, job);
    move_limits(job, act->now.cluster_ms - job->rec.suspended_ms, act->turn);
    job->rec.suspend_time = act->now.wall_s;
    job->rec.suspended_ms = 0;
    job_order_signal(job, SIGCONT, SIGNAL_WITH_BATCH, act->turn);
    feed_job_end(act, job);
    control_wake_at(act->control, act->now.cluster_ms); /* its limits are counted again */
    job_start_steps(act, job);
    turn_note_job(act->turn, &job->rec);
}

static int check(struct act *act, struct job *job, uint32_t jobs_n, const void *arg,
                 struct err *err)
{
    const struct job_suspend *request = arg;
    const uint32_t state = job->rec.state;

    (void)jobs_n;
    if (!caller_has_level(act->caller, LEVEL_OPERATOR))
        return alter_refuse(E_ACCESS, err);
    if (job_state_is_over(state))
        return alter_refuse(E_ALREADY_DONE, err);
    if (state == JOB_PENDING)
        return alter_refuse(E_JOB_PENDING, err);
    if (request->resume && state != JOB_SUSPENDED)
        return alter_refuse(E_NOT_SUSPENDED, err);
    return 0;
}

static int suspend_one(struct act *act, struct job *job, const void *arg, struct err *err)
{
    const struct job_suspend *request = arg;
    int rc = check(act, job, job_jobs_n(job), arg, err);

    if (rc < 0)
        return rc;
    if (request->resume)
        resume(act, job);
    else if (job->rec.state == JOB_RUNNING)
        suspend(act, job);
    return 0;
}

int control_suspend(struct act *act, const struct job_suspend *request, struct job_altered *ret,
                    struct err *err)
{
    static const struct alter_way way = { check, suspend_one };

    return alter_named(act, request->job_id, request->tasks, &way, request, ret, err);
}
