/* Which record stands for which task of an array. */
#include <utlist.h>

#include "common/text/tasks.h"
#include "ctld/model/array.h"

struct array *model_find_array(const struct model *model, uint32_t array_job_id)
{
    struct array *array;

    HASH_FIND(hh, model->arrays, &array_job_id, sizeof(array_job_id), array);
    return array;
}

struct job *model_find_task(const struct model *model, uint32_t array_job_id, uint32_t task)
{
    const struct array *array = model_find_array(model, array_job_id);

    return array && task < array->tasks_n ? array->task[task] : NULL;
}

/* Reads the tasks of the record; one that cannot be read names none. */
static void read_tasks(struct job *job)
{
    uint32_t none;

    if (!job_is_task_set(&job->rec)) {
        bitset_init(&job->tasks, job->rec.array_task + 1);
        bitset_add(&job->tasks, job->rec.array_task);
    } else if (tasks_parse(job->rec.array_tasks, ARRAY_TASKS_MAX, &job->tasks, &none, NULL) < 0) {
        bitset_init(&job->tasks, 0);
    }
    bitset_init(&job->told, job->tasks.size);
}

static void make_room(struct array *array, uint32_t tasks_n)
{
    if (tasks_n <= array->tasks_n)
        return;
    array->task = xreallocarray(array->task, tasks_n, sizeof(struct job *));
    while (array->tasks_n < tasks_n)
        array->task[array->tasks_n++] = NULL;
}

/* Returns how many ids the tasks will need: the last one keeps the record's. */
static uint32_t ids_owed(const struct job *job)
{
    const uint32_t tasks_n = job_is_task_set(&job->rec) ? bitset_count(&job->tasks) : 0;

    return tasks_n ? tasks_n - 1 : 0;
}

void model_join_array(struct model *model, struct job *job)
{
    struct array *array = model_find_array(model, job->rec.array_job_id);

    if (job->rec.array_job_id == 0)
        return;
    if (!array) {
        array = xcalloc(1, sizeof(*array));
        array->id = job->rec.array_job_id;
        HASH_ADD(hh, model->arrays, id, sizeof(array->id), array);
    }
    read_tasks(job);
    make_room(array, job->tasks.size);
    BITSET_FOREACH (&job->tasks, task)
        array->task[task] = job;
    DL_APPEND2(array->jobs, job, array_prev, array_next);
    array->active_n += job_state_is_active(job->rec.state);
    model->ids_owed += ids_owed(job);
    job->array = array;
}

void model_leave_array(struct model *model, struct job *job)
{
    struct array *array = job->array;

    if (!array)
        return;
    model->ids_owed -= ids_owed(job);
    BITSET_FOREACH (&job->tasks, task)
        array->task[task] = NULL;
    DL_DELETE2(array->jobs, job, array_prev, array_next);
    bitset_clear(&job->tasks);
    bitset_clear(&job->told);
    if (array->jobs)
        return;
    HASH_DEL(model->arrays, array);
    free(array->task);
    free(array);
}

void model_set_tasks(struct model *model, struct job *job, const struct bitset *tasks)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    model->ids_owed -= ids_owed(job);
    BITSET_FOREACH (&job->tasks, task)
        job->array->task[task] = NULL;
    bitset_copy(&job->tasks, tasks);
    BITSET_FOREACH (&job->tasks, task)
        job->array->task[task] = job;
    tasks_format(&job->tasks, &text);
    xstrset(&job->rec.array_tasks, strbuf_text(&text));
    model->ids_owed += ids_owed(job);
}

void model_make_task(struct model *model, struct job *job)
{
    model->ids_owed -= ids_owed(job);
    job->rec.array_task = (uint32_t)bitset_next(&job->tasks, 0);
    xstrset(&job->rec.array_tasks, NULL);
}
