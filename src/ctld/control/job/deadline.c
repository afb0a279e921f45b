/*
 * --deadline: a job that could not end by then is not started; it ends as DEADLINE instead, as soon
 * as that is certain. As in Slurm, one that is held, waits for others or for its begin is let be
 * until it could start but for resources.
 */
#include "ctld/control/job/deadline.h"

#include "ctld/control/act/timers.h"
#include "ctld/control/job/finish.h"
#define TIME_MIN_DEFAULT_S 60 /* of a job that says nothing about its time */
#define MINUTE_S           60
#define NOT_RUN_STATUS     1 /* shown as ExitCode=0:1, as by Slurm */

int deadline_accept(struct moment now, struct job_spec *spec, struct err *err)
{
    if (spec->deadline == 0)
        return 0;
    if (spec->deadline < now.wall_s)
        return err_set(err, E_TIME_LIMIT, "%s: the deadline is over", err_string(E_TIME_LIMIT));
    if (spec->time_limit == LIMIT_UNSET && spec->time_min == LIMIT_UNSET)
        spec->time_min = TIME_MIN_DEFAULT_S;
    else if (spec->time_min > spec->deadline - now.wall_s)
        return err_set(err, E_TIME_MIN, "%s: --time-min reaches beyond the deadline",
                       err_string(E_TIME_MIN));
    return 0;
}

/* Returns the last second of the wall clock at which the job can start. */
static int64_t latest_start(const struct job_spec *spec)
{
    const int64_t least = spec->time_min >= 0 ? spec->time_min : spec->time_limit;

    if (spec->deadline == 0)
        return INT64_MAX;
    return least < 0 ? 0 : spec->deadline - least;
}

int64_t deadline_cut(const struct job_spec *spec, int64_t limit_s, int64_t now_s)
{
    const int64_t left = spec->deadline - now_s;

    if (spec->deadline == 0 || (limit_s >= 0 && limit_s <= left))
        return limit_s;
    return left > MINUTE_S ? left / MINUTE_S * MINUTE_S : MINUTE_S;
}

static bool is_subject(struct moment now, const struct job *job)
{
    return job->rec.spec->deadline && job->rec.state == JOB_PENDING && job->rec.priority > 0 &&
           !(job->rec.flags & JOB_FLAG_COMPLETING) && job->rec.dependencies_n == 0 &&
           job->rec.spec->begin <= now.wall_s;
}

void deadline_watch(struct act *act, const struct job *job)
{
    const struct job_spec *spec = job->rec.spec;
    const int64_t latest = latest_start(spec);

    if (latest != INT64_MAX)
        control_wake_at(
            act->control,
            moment_ms_of_wall(act->now, latest < spec->begin ? spec->begin : latest + 1));
}

bool deadline_end(struct act *act, struct job *job)
{
    const struct job_ending ending = {
        .state = JOB_DEADLINE,
        .reason = REASON_DEADLINE,
        .ended_by = COUNT_UNSET,
    };

    if (!is_subject(act->now, job) || act->now.wall_s <= latest_start(job->rec.spec))
        return false;
    job->rec.exit_status = NOT_RUN_STATUS;
    job_end(act, job, &ending);
    return true;
}
