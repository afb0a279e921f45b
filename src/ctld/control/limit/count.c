#include "ctld/control/limit/count.h"

#include "ctld/control/act/state.h"
#include "ctld/control/limit/several.h"

/* Returns whether the job is one of those in the limit's pot. */
static bool is_counted(const struct job *job, const struct limit *limit)
{
    for (uint32_t i = 0; job && i < job->pots_n; i++) {
        if (job->pots[i] == limit->pot)
            return true;
    }
    return false;
}

static uint32_t jobs_of(const struct job *job)
{
    return job_state_is_over(job->rec.state) ? 0 : job_jobs_n(job);
}

static const struct partition *partition_of(const struct control *control, const struct job *job)
{
    return job->partition == PARTITION_NONE ? NULL : &control->model->partitions[job->partition];
}

static void leave_pots(struct job *job)
{
    for (uint32_t i = 0; i < job->pots_n; i++)
        job->pots[i]->submitted_n -= job->counted_n;
    job->pots_n = 0;
    free(STEAL(job->pots));
}

/* Counts the job in what limits of the standing speak of, and not twice. */
static void enter_pots(struct job *job, const struct standing *standing)
{
    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];

        if (limit->row->what != LIMIT_SUBMITTED || is_counted(job, limit))
            continue;
        limit->pot->submitted_n += job->counted_n;
        *ARRAY_PUSH(job->pots, job->pots_n) = limit->pot;
    }
}

void limit_count(struct control *control, struct job *job)
{
    const struct partition *part = partition_of(control, job);
    AUTO_FREE const struct partition **parts = NULL;
    uint32_t n = 1;

    if (!(control->model->config.acct_enforce & ACCT_ENFORCE_LIMITS))
        return;
    limit_refresh(control);
    leave_pots(job);
    job->counted_n = jobs_of(job);
    if (job->counted_n == 0)
        return;
    if (job->rec.state == JOB_PENDING)
        parts = limit_partitions(control, &job->rec, part, &n);
    for (uint32_t i = 0; i < n; i++)
        enter_pots(job, limit_standing(control, &job->rec, parts ? parts[i] : part));
}

/* Checks the limits of one of the job's partitions. */
static int check_in(struct control *control, const struct job_record *rec,
                    const struct partition *part, const struct job *counted, uint32_t jobs_n,
                    struct err *err)
{
    const struct standing *standing = limit_standing(control, rec, part);

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];

        if (limit->row->what == LIMIT_SUBMITTED && !is_counted(counted, limit) &&
            (uint64_t)limit->pot->submitted_n + jobs_n > limit->most)
            return limit_refuse(limit, err);
    }
    return 0;
}

int limit_check_count(struct control *control, const struct job_record *rec,
                      const struct partition *part, const struct job *counted, uint32_t jobs_n,
                      struct err *err)
{
    AUTO_FREE const struct partition **parts = NULL;
    uint32_t n;
    int rc = 0;

    if (!(control->model->config.acct_enforce & ACCT_ENFORCE_LIMITS))
        return 0;
    parts = limit_partitions(control, rec, part, &n);
    for (uint32_t i = 0; rc == 0 && i < n; i++)
        rc = check_in(control, rec, parts[i], counted, jobs_n, err);
    return rc;
}
