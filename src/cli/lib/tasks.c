#include "cli/lib/tasks.h"

#include <stdlib.h>

#include "common/text/tasks.h"

#define TASKS_LENGTH     64 /* as Slurm */
#define TASKS_LENGTH_MAX (1l << 20)

uint32_t tasks_read_length(const char *text)
{
    const long length = text ? strtol(text, NULL, 10) : TASKS_LENGTH;

    return (uint32_t)(length < 0 || length > TASKS_LENGTH_MAX ? TASKS_LENGTH : length);
}

bool refs_name_job(const struct job_refs *refs, const struct job_record *job)
{
    for (uint32_t i = 0; i < refs->n; i++) {
        const struct job_ref *ref = &refs->at[i];

        if (ref->array_task == NO_VAL &&
            (ref->job == job->id || (job->array_job_id && ref->job == job->array_job_id)))
            return true;
    }
    return refs->n == 0;
}

void job_tasks(const struct job_record *job, struct bitset *ret)
{
    uint32_t limit;

    if (job->array_tasks && tasks_parse(job->array_tasks, ARRAY_TASKS_MAX, ret, &limit, NULL) == 0)
        return;
    if (job->array_task == COUNT_UNSET)
        return;
    bitset_init(ret, job->array_task + 1);
    bitset_add(ret, job->array_task);
}

void refs_name_tasks(const struct job_refs *refs, const struct job_record *job, struct bitset *ret)
{
    AUTO(bitset) struct bitset tasks = { 0 };

    job_tasks(job, &tasks);
    bitset_init(ret, tasks.size);
    for (uint32_t i = 0; i < refs->n; i++) {
        const struct job_ref *ref = &refs->at[i];

        if (job->array_job_id && ref->job == job->array_job_id && ref->array_task < tasks.size &&
            bitset_has(&tasks, ref->array_task))
            bitset_add(ret, ref->array_task);
    }
}

bool refs_name_part(const struct job_refs *refs, const struct job_record *job)
{
    AUTO(bitset) struct bitset tasks = { 0 };

    refs_name_tasks(refs, job, &tasks);
    return refs_name_job(refs, job) || !bitset_is_empty(&tasks);
}

static bool goes_with(const struct job_ref *a, const struct job_ref *b)
{
    return a->job == b->job && a->step == b->step && b->array_task != NO_VAL;
}

char *refs_take_tasks(const struct job_refs *refs, uint32_t *at)
{
    const struct job_ref *first = &refs->at[*at];
    AUTO(strbuf) struct strbuf text = { 0 };

    *at += 1;
    if (first->array_task == NO_VAL)
        return NULL;
    strbuf_addf(&text, "%u", first->array_task);
    for (; *at < refs->n && goes_with(first, &refs->at[*at]); *at += 1)
        strbuf_addf(&text, ",%u", refs->at[*at].array_task);
    return strbuf_steal(&text);
}

struct job_record job_as_task(const struct job_record *job, uint32_t task)
{
    struct job_record copy = *job;

    copy.array_task = task;
    copy.array_tasks = NULL;
    return copy;
}

struct job_ref step_ref(const struct step_record *step)
{
    if (!step->array_job_id)
        return (struct job_ref){ step->job_id, NO_VAL, step->step_id, false };
    return (struct job_ref){ step->array_job_id, step->array_task, step->step_id, false };
}

bool refs_name_step(const struct job_refs *refs, const struct step_record *step)
{
    for (uint32_t i = 0; i < refs->n; i++) {
        const struct job_ref *ref = &refs->at[i];
        const bool is_job = ref->array_task == NO_VAL &&
                            (ref->job == step->job_id || ref->job == step->array_job_id);
        const bool is_task = ref->job == step->array_job_id && ref->array_task == step->array_task;

        if ((is_job || is_task) && (ref->step == NO_VAL || ref->step == step->step_id))
            return true;
    }
    return refs->n == 0;
}
