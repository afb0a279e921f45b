#include "ctld/control/limit/several.h"

#include "common/msg/acct.h"
#include "common/text/duration.h"
#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/request/spec.h"
#include "ctld/model/exempt.h"

const struct partition **limit_partitions(const struct control *control,
                                          const struct job_record *rec,
                                          const struct partition *part, uint32_t *ret_n)
{
    const char *list = rec->spec->partition ? rec->spec->partition : "";
    AUTO(words) struct words names = words_split(list, ",");
    const struct partition **parts = NULL;

    *ret_n = 0;
    *ARRAY_PUSH(parts, *ret_n) = part;
    for (uint32_t i = 0; i < names.n; i++) {
        const struct partition *other = model_find_partition(control->model, names.at[i]);

        if (other && other != part)
            *ARRAY_PUSH(parts, *ret_n) = other;
    }
    return parts;
}

static int64_t shorter(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return a < b ? a : b;
}

/* Returns the MaxTime of the partition in seconds where the job may not exceed it. A job that can
 * do with less time than it asks for may start there, but has no more. */
static int64_t max_time_of(const struct control *control, const struct tres_job *job)
{
    const struct job_spec *spec = job->rec->spec;

    if (spec->time_min < 0 || (model_exempt(control->model, spec->qos) & QOS_PARTITION_TIME_LIMIT))
        return LIMIT_INFINITE;
    return job->part->conf->max_time;
}

int64_t limit_time_in(struct control *control, const struct tres_job *job)
{
    const struct job_spec *spec = job->rec->spec;
    int64_t time = spec->time_limit;

    if (spec->time_is_partitions)
        time = shorter(spec_default_time(job->part->conf), limit_longest(control, job));
    return shorter(time, max_time_of(control, job));
}

void limit_fill_time(struct control *control, struct job_record *rec,
                     const struct job_request *request, uint32_t partition)
{
    if (partition == PARTITION_NONE || rec->state != JOB_PENDING || !rec->spec->time_is_partitions)
        return;
    rec->spec->time_limit = limit_time_in(
        control, &(struct tres_job){ rec, request, &control->model->partitions[partition] });
}

int64_t limit_time_to_plan(struct control *control, const struct tres_job *job)
{
    int64_t longest = limit_time_in(control, job);

    if (!job->rec->spec->time_is_partitions && job->rec->spec->time_min < 0)
        return longest;
    for (uint32_t i = 0; i < job->request->others_n && longest >= 0; i++) {
        const struct tres_job there = { job->rec, job->request,
                                        &control->model->partitions[job->request->others[i]] };
        const int64_t time = limit_time_in(control, &there);

        if (time < 0 || time > longest)
            longest = time;
    }
    return longest;
}
