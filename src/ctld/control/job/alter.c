/* Altering jobs: what all such requests have in common. */
#include "ctld/control/job/alter.h"

#include <string.h>

#include "common/text/tasks.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/feed/explain.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/job/array.h"
#include "ctld/control/job/depend.h"

int alter_refuse(int code, struct err *err)
{
    return err_set(err, code, "%s", err_string(code));
}

bool job_update_sets(const struct job_update *request, uint32_t tag)
{
    for (uint32_t i = 0; i < request->set_n; i++) {
        if (request->set[i] == tag)
            return true;
    }
    return false;
}

/* ---- refusals ---- */

/* Refusals for one cause, with the tasks of an array that it concerns. */
struct refusals {
    uint32_t job_id;
    struct err why;
    struct bitset tasks; /* empty: the job is no part of an array */
};

struct gathered {
    struct refusals *at;
    uint32_t n;
};

static struct refusals *find_refusals(struct gathered *gathered, uint32_t job_id,
                                      const struct err *why)
{
    struct refusals *made;

    for (uint32_t i = 0; i < gathered->n; i++) {
        if (gathered->at[i].job_id == job_id && gathered->at[i].why.code == why->code &&
            strcmp(gathered->at[i].why.text, why->text) == 0)
            return &gathered->at[i];
    }
    made = ARRAY_PUSH(gathered->at, gathered->n);
    *made = (struct refusals){ .job_id = job_id, .why = *why };
    return made;
}

static void add_refusal(struct gathered *gathered, const struct named_job *named,
                        const struct err *why)
{
    const struct job *job = named->job;
    const struct array *array = job->array;
    const struct bitset *tasks = named->part.size ? &named->part : &job->tasks;
    struct refusals *refusals = find_refusals(gathered, array ? array->id : job->rec.id, why);

    if (!array)
        return;
    if (refusals->tasks.size == 0)
        bitset_init(&refusals->tasks, array->tasks_n);
    BITSET_FOREACH (tasks, task)
        bitset_add(&refusals->tasks, (uint32_t)task);
}

/* Refuses tasks that are named but not there (any more), while others are. */
static void refuse_missing(const struct control *control, uint32_t job_id, const char *tasks,
                           struct gathered *gathered)
{
    const struct array *array = model_find_array(control->model, job_id);
    AUTO(bitset) struct bitset wanted = { 0 };
    struct refusals *refusals;
    struct err why = { 0 };
    uint32_t limit;

    if (!tasks || !array || tasks_parse(tasks, ARRAY_TASKS_MAX, &wanted, &limit, NULL) < 0)
        return;
    for (uint32_t task = 0; task < array->tasks_n && task < wanted.size; task++) {
        if (array->task[task])
            bitset_del(&wanted, task);
    }
    if (bitset_is_empty(&wanted))
        return;
    alter_refuse(E_JOB_ID, &why);
    refusals = find_refusals(gathered, job_id, &why);
    bitset_copy(&refusals->tasks, &wanted);
}

static void show_refusals(struct gathered *gathered, struct job_altered *ret)
{
    for (uint32_t i = 0; i < gathered->n; i++) {
        struct refusals *refusals = &gathered->at[i];
        struct job_refusal *refusal = ARRAY_PUSH(ret->refused, ret->refused_n);
        AUTO(strbuf) struct strbuf text = { 0 };

        job_refusal_init(refusal);
        refusal->job_id = refusals->job_id;
        refusal->code = (uint32_t)refusals->why.code;
        refusal->text = xstrdup(refusals->why.text);
        if (refusals->tasks.size) {
            tasks_format(&refusals->tasks, &text);
            refusal->tasks = xstrdup(strbuf_text(&text));
        }
        bitset_clear(&refusals->tasks);
    }
    free(gathered->at);
}

/* Alters one job. An array's record is split only when all is checked and nothing is refused. */
static int alter_one(struct act *act, const struct alter_way *way, const struct named_job *named,
                     const void *request, struct err *err)
{
    if (named->part.size) {
        int rc = way->check(act, named->job, bitset_count(&named->part), request, err);

        if (rc < 0)
            return rc;
    }
    return way->alter(act, named_job_take(act, named), request, err);
}

int alter_named(struct act *act, uint32_t job_id, const char *tasks, const struct alter_way *way,
                const void *request, struct job_altered *ret, struct err *err)
{
    struct named_job *named = NULL;
    struct gathered refused = { 0 };
    uint32_t named_n = 0;
    int rc = jobs_named(act->control, act->caller, job_id, tasks, &named, &named_n, err);

    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < named_n; i++) {
        struct err why = { 0 };

        if (alter_one(act, way, &named[i], request, &why) < 0)
            add_refusal(&refused, &named[i], &why);
    }
    named_jobs_free(named, named_n);
    refuse_missing(act->control, job_id, tasks, &refused);
    show_refusals(&refused, ret);
    return 0;
}

/* ---- holding ---- */

void job_hold(struct job *job, bool by_operator)
{
    const bool stays = job_is_held(job) && job->rec.reason == REASON_HELD_ADMIN;

    job->rec.spec->hold = true;
    job->rec.priority = 0;
    job_set_reason(job, by_operator || stays ? REASON_HELD_ADMIN : REASON_HELD_USER, NULL);
}

static const char lost_too_often[] = "launch failure limit exceeded requeued held";

const char *job_requeued_why(const struct job *job)
{
    if (job->rec.reason == REASON_MAX_REQUEUE)
        return lost_too_often;
    return job->rec.flags & JOB_FLAG_LAUNCH_FAILED ? "launch failed requeued held"
                                                   : "job requeued in held state";
}

void job_hold_requeued(struct job *job, bool special_exit)
{
    job_hold(job, false);
    job->rec.flags |= JOB_FLAG_REQUEUED_HELD;
    job_set_reason(job, job->rec.reason, job_requeued_why(job));
    if (special_exit)
        job->rec.flags |= JOB_FLAG_SPECIAL_EXIT;
}

void job_hold_unlaunched(struct job *job)
{
    job->rec.flags |= JOB_FLAG_LAUNCH_FAILED;
    job_hold_requeued(job, false);
}

void job_hold_without_reservation(struct job *job, const char *why)
{
    job_hold(job, true);
    job->rec.flags |= JOB_FLAG_RESV_DELETED;
    job_set_reason(job, REASON_RESERVATION_DELETED, why);
}

void job_hold_for_losses(struct job *job)
{
    job_hold_requeued(job, false);
    job_set_reason(job, REASON_MAX_REQUEUE, lost_too_often);
}

/* Releases the job. As in Slurm, to release a job that is not held puts it where it would be
 * without --nice. */
void job_release(struct act *act, struct job *job)
{
    if (!job_is_held(job))
        job->rec.spec->nice = 0;
    job->rec.flags &= ~(uint32_t)(JOB_FLAG_SPECIAL_EXIT | JOB_FLAG_REQUEUED_HELD |
                                  JOB_FLAG_LAUNCH_FAILED | JOB_FLAG_RESV_DELETED);
    job->rec.lost_launches = 0;
    job->rec.spec->hold = false;
    job->rec.spec->priority = COUNT_UNSET;
    rank_take(act, job);
}

/* ---- in the plan and out ---- */

static bool is_planned(const struct job *job)
{
    return job->rec.state == JOB_PENDING && !(job->rec.flags & JOB_FLAG_COMPLETING);
}

void job_leave_plan(struct act *act, struct job *job)
{
    if (is_planned(job))
        feed_job_gone(act, job);
}

void job_enter_plan(struct act *act, struct job *job)
{
    if (is_planned(job) && job->rec.dependencies_n > 0) {
        depend_decide(act, job);
    } else if (is_planned(job)) {
        job_set_first_reason(act->control, act->now, job);
        feed_job_waits(act, job);
    }
    if (is_planned(job) && job->array)
        feed_array(act, job->array);
    turn_note_number(act->turn, CONTROL_NUMBER_NEXT_PRIORITY, (int64_t)act->control->next_priority);
    turn_note_job(act->turn, &job->rec);
}
