/*
 * Job arrays: one record stands for all tasks that wait, and gives up those that start or are
 * touched alone. A task's record has a job id of its own; the last one keeps the array's.
 */
#include "ctld/control/job/array.h"

#include <errno.h>

#include "common/text/tasks.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/ids.h"
#include "ctld/control/limit/count.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/request/request.h"

/* Makes a record for some of the tasks, which the planner knows under their numbers of before. */
static struct job *new_record(struct act *act, const struct job *from, const struct bitset *tasks)
{
    AUTO(job_record) struct job_record rec;
    AUTO(strbuf) struct strbuf text = { 0 };
    struct job *job;

    schema_copy(job_record_schema(), &rec, &from->rec);
    job_give_id(act, &rec);
    xstrset(&rec.spec->token, NULL); /* it names the array */
    tasks_format(tasks, &text);
    xstrset(&rec.array_tasks, strbuf_text(&text));
    job = model_add_job(act->control->model, &rec, from->body);
    limit_read_request(act->control, &job->rec, job->partition, &job->request);
    depend_watch(act->control->depend, job);
    BITSET_FOREACH (tasks, task) {
        if (bitset_has(&from->told, (uint32_t)task))
            bitset_add(&job->told, (uint32_t)task);
    }
    return job;
}

static struct job *split_off(struct act *act, struct job *job, const struct bitset *tasks)
{
    AUTO(bitset) struct bitset rest = { 0 };
    struct job *part;

    bitset_copy(&rest, &job->tasks);
    bitset_minus(&rest, tasks);
    model_set_tasks(act->control->model, job, &rest);
    part = new_record(act, job, tasks);
    bitset_minus(&job->told, tasks);
    limit_count(act->control, job);
    limit_count(act->control, part);
    turn_note_job(act->turn, &job->rec);
    return part;
}

/* Returns the record of exactly these tasks, some or all of those that `job` stands for: `job`
 * itself, or a new one. It is noted. The record of one task is that task's own. */
static struct job *split(struct act *act, struct job *job, const struct bitset *tasks)
{
    if (!bitset_equal(&job->tasks, tasks))
        job = split_off(act, job, tasks);
    if (job_is_task_set(&job->rec) && bitset_count(&job->tasks) == 1)
        model_make_task(act->control->model, job);
    turn_note_job(act->turn, &job->rec);
    return job;
}

struct job *array_take(struct act *act, struct job *job, uint32_t task)
{
    AUTO(bitset) struct bitset tasks = { 0 };

    bitset_init(&tasks, job->tasks.size);
    bitset_add(&tasks, task);
    return split(act, job, &tasks);
}

void array_set_limit(struct act *act, struct array *array, uint32_t limit)
{
    for (struct job *job = array->jobs; job; job = job->array_next) {
        if (job_is_eligible(job))
            feed_job_gone(act, job);
        job->rec.array_limit = limit;
        turn_note_job(act->turn, &job->rec);
    }
    feed_array(act, array);
}

/* ---- what users name ---- */

struct names {
    const struct control *control;
    const struct caller *caller;
    struct named_job *at;
    uint32_t n;
};

/* Tasks of one array may have come to run under several accounts: each is looked at. */
static int check_rights(const struct names *names, const struct job *job, struct err *err)
{
    if (acct_may_alter_job(names->control, names->caller, &job->rec))
        return 0;
    return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
}

static struct named_job *add_name(struct names *names, struct job *job)
{
    struct named_job *named = ARRAY_PUSH(names->at, names->n);

    *named = (struct named_job){ .job = job };
    return named;
}

static int name_all(struct names *names, struct job *jobs, struct err *err)
{
    for (struct job *job = jobs; job; job = job->array_next) {
        if (check_rights(names, job, err) < 0)
            return -E_ACCESS;
        add_name(names, job);
    }
    return 0;
}

/* Names the wanted tasks that the record stands for; one that is over is taken whole. */
static int name_part(struct names *names, struct job *job, const struct bitset *wanted,
                     struct err *err)
{
    AUTO(bitset) struct bitset part = { 0 };
    int rc;

    bitset_init(&part, job->tasks.size);
    BITSET_FOREACH (&job->tasks, task) {
        if ((uint32_t)task < wanted->size && bitset_has(wanted, (uint32_t)task))
            bitset_add(&part, (uint32_t)task);
    }
    if (bitset_is_empty(&part))
        return 0;
    rc = check_rights(names, job, err);
    if (rc < 0)
        return rc;
    if (job_state_is_over(job->rec.state) || bitset_equal(&part, &job->tasks))
        add_name(names, job);
    else
        bitset_copy(&add_name(names, job)->part, &part);
    return 0;
}

static int name_tasks(struct names *names, const struct array *array, const char *text,
                      struct err *err)
{
    AUTO(bitset) struct bitset wanted = { 0 };
    uint32_t limit;
    int rc = tasks_parse(text, ARRAY_TASKS_MAX, &wanted, &limit, err);

    for (struct job *job = array->jobs; rc == 0 && job; job = job->array_next)
        rc = name_part(names, job, &wanted, err);
    if (rc < 0)
        return rc;
    return names->n ? 0 : err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
}

void named_jobs_free(struct named_job *named, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        bitset_clear(&named[i].part);
    free(named);
}

struct job *named_job_take(struct act *act, const struct named_job *named)
{
    struct job *job = named->job;

    if (named->part.size)
        return split(act, job, &named->part);
    /* A set of one task is that task's own from the moment it is touched. */
    if (job_is_task_set(&job->rec) && !job_state_is_over(job->rec.state) &&
        bitset_count(&job->tasks) == 1)
        return split(act, job, &job->tasks);
    return job;
}

int jobs_named(const struct control *control, const struct caller *caller, uint32_t job_id,
               const char *tasks, struct named_job **ret, uint32_t *ret_n, struct err *err)
{
    struct names names = { .control = control, .caller = caller };
    const struct array *array = model_find_array(control->model, job_id);
    struct job *job = array ? NULL : model_find_job(control->model, job_id);
    int rc;

    if (array && tasks)
        rc = name_tasks(&names, array, tasks, err);
    else if (array)
        rc = name_all(&names, array->jobs, err);
    else if (tasks || !job)
        rc = err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    else
        rc = check_rights(&names, job, err);
    if (rc == 0 && job)
        add_name(&names, job);
    if (rc < 0) {
        named_jobs_free(names.at, names.n);
        return rc;
    }
    *ret = names.at;
    *ret_n = names.n;
    return 0;
}
