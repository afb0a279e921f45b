#include "ctld/control/limit/count.h"

#include "ctld/control/act/state.h"
#include "ctld/control/limit/several.h"

static void add(struct standing *standing, uint32_t n, bool is_more)
{
    for (uint32_t i = 0; standing && i < standing->limits_n; i++) {
        struct limit *limit = &standing->limits[i];

        if (limit->row->what != LIMIT_SUBMITTED)
            continue;
        if (is_more)
            limit->pot->submitted_n += n;
        else
            limit->pot->submitted_n -= n;
    }
}

static uint32_t jobs_of(const struct job *job)
{
    return job_state_is_over(job->rec.state) ? 0 : job_jobs_n(job);
}

static const struct partition *partition_of(const struct control *control, const struct job *job)
{
    return job->partition == PARTITION_NONE ? NULL : &control->model->partitions[job->partition];
}

void limit_count(struct control *control, struct job *job)
{
    if (!(control->model->config.acct_enforce & ACCT_ENFORCE_LIMITS))
        return;
    limit_refresh(control);
    add(job->standing, job->counted_n, false);
    job->counted_n = jobs_of(job);
    job->standing =
        job->counted_n ? limit_standing(control, &job->rec, partition_of(control, job)) : NULL;
    add(job->standing, job->counted_n, true);
}

/* Returns whether the job is one of those in the limit's pot. */
static bool is_counted(const struct job *job, const struct limit *limit)
{
    const struct standing *standing = job ? job->standing : NULL;

    for (uint32_t i = 0; standing && i < standing->limits_n; i++) {
        if (standing->limits[i].pot == limit->pot)
            return true;
    }
    return false;
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
