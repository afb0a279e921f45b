/* Requeueing, on request or for an exit code: a batch job that ran waits once more. */
#include "ctld/control/job/requeue.h"

#include <sys/wait.h>

#include "ctld/control/act/state.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/mail.h"

/* Mails that the run failed: as in Slurm, the mail does not say that there will be another. */
static void tell_failed(struct act *act, const struct job *job)
{
    struct job ended = *job; /* only looked at */

    ended.rec.state = JOB_FAILED;
    ended.rec.end_time = act->now.wall_s;
    job_mail(act, &ended, NEWS_ENDED);
}

bool job_requeue_for_exit(struct act *act, struct job *job)
{
    const struct model_config *config = &act->control->model->config;
    const struct job_ending ending = {
        .state = JOB_FAILED,
        .reason = REASON_NON_ZERO_EXIT,
        .kill_wait_s = config->kill_wait_s,
        .ended_by = COUNT_UNSET,
    };
    const int32_t status = job->rec.exit_status;
    uint32_t code;

    if (job->rec.spec->kind != JOB_KIND_BATCH || !WIFEXITED(status))
        return false;
    code = (uint32_t)WEXITSTATUS(status);
    if (bitset_has(&config->requeue_exit_hold, code)) {
        job_hold(job, false); /* with other words than on request, as in Slurm */
        job->rec.flags |= JOB_FLAG_SPECIAL_EXIT;
    } else if (!bitset_has(&config->requeue_exit, code)) {
        return false;
    }
    tell_failed(act, job);
    job_requeue(act, job, &ending);
    return true;
}

void job_launch_failed(struct act *act, struct job *job, const char *why)
{
    const struct job_ending ending = {
        .state = JOB_CANCELLED,
        .reason = REASON_LAUNCH_FAILED,
        .reason_text = why,
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = 0, /* as in Slurm, where slurmd cancels it */
    };

    if (!job_may_requeue(act->control, job)) {
        job_end(act, job, &ending);
        return;
    }
    job_hold_unlaunched(job);
    job_requeue(act, job, &ending);
}

static bool is_left_alone(const struct job *job, const struct job_rerun *request)
{
    return job_state_is_over(job->rec.state) && (request->flags & REQUEUE_INCOMPLETE);
}

static int check(struct act *act, struct job *job, uint32_t jobs_n, const void *arg,
                 struct err *err)
{
    (void)jobs_n;
    if (is_left_alone(job, arg))
        return 0;
    if (job->rec.state == JOB_PENDING)
        return alter_refuse(E_JOB_PENDING, err);
    if (job->rec.spec->kind != JOB_KIND_BATCH)
        return alter_refuse(E_BATCH_ONLY, err);
    if (!job_may_requeue(act->control, job))
        return alter_refuse(E_DISABLED, err);
    return 0;
}

static int requeue_one(struct act *act, struct job *job, const void *arg, struct err *err)
{
    const struct job_rerun *request = arg;
    const struct job_ending ending = {
        .state = JOB_CANCELLED,
        .is_forced = true,
        .why_forced = "DUE TO JOB REQUEUE",
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };
    int rc = check(act, job, job_jobs_n(job), request, err);

    if (rc < 0 || is_left_alone(job, request))
        return rc;
    if (request->flags & (REQUEUE_HOLD | REQUEUE_SPECIAL_EXIT))
        job_hold_requeued(job, request->flags & REQUEUE_SPECIAL_EXIT);
    job_requeue(act, job, &ending);
    return 0;
}

int control_requeue(struct act *act, const struct job_rerun *request, struct job_altered *ret,
                    struct err *err)
{
    static const struct alter_way way = { check, requeue_one };

    return alter_named(act, request->job_id, request->tasks, &way, request, ret, err);
}
