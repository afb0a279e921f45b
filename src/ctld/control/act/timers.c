#include "ctld/control/act/timers.h"

#include "ctld/control/act/state.h"
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
