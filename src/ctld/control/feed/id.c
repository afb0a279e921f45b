/*
 * The planner's numbers: the id of the job or the array, and below it the task's number + 1, so
 * that tasks of an array are neighbours in the queue.
 */
#include "ctld/control/feed/snapshot.h"
uint64_t feed_id(uint32_t job_id, uint32_t task)
{
    return (uint64_t)job_id << 32 | (task == COUNT_UNSET ? 0 : task + 1);
}

uint64_t feed_id_of(const struct job *job)
{
    return feed_id(job->array ? job->array->id : job->rec.id, job->rec.array_task);
}

struct job *feed_find(const struct model *model, uint64_t id, uint32_t *ret_task)
{
    const uint32_t job_id = (uint32_t)(id >> 32), low = (uint32_t)id;

    *ret_task = low ? low - 1 : COUNT_UNSET;
    return low ? model_find_task(model, job_id, low - 1) : model_find_job(model, job_id);
}

void feed_id_format(uint64_t id, struct strbuf *out)
{
    const uint32_t low = (uint32_t)id;

    strbuf_addf(out, "%u", (uint32_t)(id >> 32));
    if (low)
        strbuf_addf(out, "_%u", low - 1);
}
