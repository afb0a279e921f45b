/* Which waiting tasks of arrays the planner knows: as many as may start under the array's limit. */
#include "ctld/control/feed/array.h"
/* Returns how many more tasks of the array may run. */
static uint32_t room_of(const struct array *array)
{
    const uint32_t limit = array->jobs->rec.array_limit;
    const uint32_t taken = array->active_n + array->told_n;

    if (limit == 0)
        return UINT32_MAX;
    return limit > taken ? limit - taken : 0;
}

int64_t feed_next_task(const struct job *job)
{
    const uint32_t words = (job->tasks.size + 63) / 64;

    if (room_of(job->array) == 0)
        return -1;
    for (uint32_t i = 0; i < words; i++) {
        const uint64_t left = job->tasks.words[i] & ~job->told.words[i];

        if (left)
            return i * INT64_C(64) + __builtin_ctzll(left);
    }
    return -1;
}

void feed_note_told(struct job *job, uint32_t task)
{
    bitset_add(&job->told, task);
    job->array->told_n++;
}

void feed_forget_told(struct job *job)
{
    if (!job->array)
        return;
    job->array->told_n -= bitset_count(&job->told);
    bitset_empty(&job->told);
}

bool job_awaits_array(const struct job *job)
{
    return job->array && bitset_is_empty(&job->told) && room_of(job->array) == 0;
}
