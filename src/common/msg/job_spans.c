#include "common/msg/job_spans.h"

#include <inttypes.h>

#include "common/base/err.h"
#include "common/msg/step.h"
#include "common/text/tasks.h"

#define CPUS_MAX  (1u << 30)
#define TIME_LAST (INT64_C(1) << 32) /* in the year 2106; so many seconds have a million hours */

int64_t span_within(const struct span *span, int64_t from, int64_t until)
{
    const int64_t begin = span->from > from ? span->from : from;
    const int64_t end = span->until < until ? span->until : until;

    return end > begin ? end - begin : 0;
}

int64_t job_until(const struct job_record *job, int64_t now)
{
    return job_state_is_over(job->state) ? job->end_time : now;
}

static uint32_t add(struct span *spans, uint32_t n, int64_t from, int64_t until)
{
    if (until <= from)
        return n;
    spans[n] = (struct span){ from, until };
    return n + 1;
}

uint32_t job_spans(const struct job_record *job, int64_t now, struct span ret[JOB_SPANS_MAX])
{
    const int64_t until = job_until(job, now);
    uint32_t n = 0;

    if (!job->start_time || job->state == JOB_PENDING) /* one that waits again has its old start */
        return 0;
    if (!job->suspend_time)
        return add(ret, n, job->start_time, until);
    n = add(ret, n, job->start_time, job->start_time + job->pre_suspend_s);
    if (!job->suspended_ms)
        n = add(ret, n, job->suspend_time, until);
    return n;
}

int64_t job_run_time(const struct job_record *job, int64_t now)
{
    struct span spans[JOB_SPANS_MAX];
    int64_t ran = 0;

    for (uint32_t i = 0, n = job_spans(job, now, spans); i < n; i++)
        ran += spans[i].until - spans[i].from;
    return ran;
}

bool job_wait_span(const struct job_record *job, int64_t now, struct span *ret)
{
    const int64_t start = job->start_time ? job->start_time : job_until(job, now);

    *ret = (struct span){ job->eligible_time, start };
    return job->eligible_time && start > job->eligible_time;
}

static int check_words(const struct job_record *job, struct err *err)
{
    if (job->state >= JOB_STATES_N)
        return err_set(err, E_PROTO, "job %u is in state %u, which there is not", job->id,
                       job->state);
    if (!job_reason_is_known(job->reason))
        return err_set(err, E_PROTO, "job %u waits for reason %u, which there is not", job->id,
                       job->reason);
    if (job->ncpus > CPUS_MAX)
        return err_set(err, E_PROTO, "job %u has %u cpus: more than %u are not counted", job->id,
                       job->ncpus, CPUS_MAX);
    return 0;
}

int step_check_record(const struct step_record *step, struct err *err)
{
    if (step->state > STEP_ENDED || step->end_state >= JOB_STATES_N)
        return err_set(err, E_PROTO, "a step of job %u is in state %u, and ended in %u",
                       step->job_id, step->state, step->end_state);
    if (step->ncpus > CPUS_MAX)
        return err_set(err, E_PROTO, "a step of job %u has %u cpus: more than %u are not counted",
                       step->job_id, step->ncpus, CPUS_MAX);
    if (step->start_time < 0 || step->start_time > TIME_LAST || step->end_time < 0 ||
        step->end_time > TIME_LAST)
        return err_set(err, E_PROTO,
                       "a step of job %u ran from %" PRId64 " to %" PRId64
                       " (seconds since 1970), which is not between 1970 and 2106",
                       step->job_id, step->start_time, step->end_time);
    return 0;
}

int job_check_record(const struct job_record *job, struct err *err)
{
    struct span spans[JOB_SPANS_MAX + 1];
    uint32_t n = 0;
    int rc = check_words(job, err);

    if (rc < 0)
        return rc;
    if (job->pre_suspend_s < 0 || job->pre_suspend_s > TIME_LAST)
        return err_set(err, E_PROTO, "job %u had run for %" PRId64 " s when it was suspended",
                       job->id, job->pre_suspend_s);
    n = job_spans(job, TIME_LAST, spans);
    n += job_wait_span(job, TIME_LAST, &spans[n]);
    for (uint32_t i = 0; i < n; i++) {
        if (spans[i].from < 0 || spans[i].until > TIME_LAST)
            return err_set(err, E_PROTO,
                           "job %u ran or waited from %" PRId64 " to %" PRId64
                           " (seconds since 1970), which is not between 1970 and 2106",
                           job->id, spans[i].from, spans[i].until);
    }
    return 0;
}

uint32_t job_tasks_n(const struct job_record *job)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    uint32_t limit;

    if (!job->array_tasks ||
        tasks_parse(job->array_tasks, ARRAY_TASKS_MAX, &tasks, &limit, NULL) < 0)
        return 1;
    return bitset_count(&tasks);
}
