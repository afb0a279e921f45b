/*
 * What becomes of a job's dependencies. Decided here alone: when a job that others wait for starts
 * or ends, when minutes are over, and when a job is accepted or changed.
 *
 * A dependency that is fulfilled leaves the record; one that can not be fulfilled any more stays,
 * as failed. What is known of a task of an array stays in the record too, for the task may be
 * forgotten before the others have ended.
 */
#include "ctld/control/job/depend.h"

#include "common/text/dependency.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/feed/explain.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/job/array.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/mail.h"
#include "ctld/control/job/submit.h"

enum outcome { OPEN, FULFILLED, FAILED };

/* ---- what is waited for ---- */

struct target {
    bool is_known;      /* something of it is in memory */
    bool waits;         /* or a task of it */
    bool is_over;       /* and all its tasks */
    bool did_fail;      /* or a task of it */
    int64_t started_ms; /* the last of its tasks */
};

static bool is_over(const struct job *job)
{
    return job_state_is_over(job->rec.state) && !(job->rec.flags & JOB_FLAG_COMPLETING);
}

static bool did_fail(const struct job *job)
{
    return is_over(job) && job->rec.state != JOB_COMPLETE;
}

static void add_job(struct target *target, const struct job *job)
{
    const int64_t started_ms =
        job->rec.start_cluster_ms ? job->rec.start_cluster_ms : job->rec.end_cluster_ms;

    target->is_known = true;
    target->waits |= job->rec.state == JOB_PENDING;
    target->is_over &= is_over(job);
    target->did_fail |= did_fail(job);
    if (started_ms > target->started_ms)
        target->started_ms = started_ms;
}

/* Returns the task that this one waits for where each task waits for the one with its number; NULL:
 * there is none. */
static const struct job *counterpart(const struct control *control, const struct job *job,
                                     const struct job_dependency *dependency)
{
    if (dependency->kind != DEPEND_AFTER_CORR || job->rec.array_task == COUNT_UNSET)
        return NULL;
    return model_find_task(control->model, dependency->job_id, job->rec.array_task);
}

static struct target look_at(const struct control *control, const struct job *job,
                             const struct job_dependency *dependency)
{
    struct target target = { .is_over = true, .did_fail = dependency->did_fail };
    const struct array *array = NULL;
    const struct job *one = counterpart(control, job, dependency);

    if (one)
        target.did_fail = false;
    else if (dependency->is_array)
        array = model_find_array(control->model, dependency->job_id);
    else if (dependency->array_task != COUNT_UNSET)
        one = model_find_task(control->model, dependency->job_id, dependency->array_task);
    else
        one = model_find_job(control->model, dependency->job_id);
    if (one)
        add_job(&target, one);
    for (const struct job *task = array ? array->jobs : NULL; task; task = task->array_next) {
        add_job(&target, task);
        if (dependency->kind == DEPEND_AFTER ? target.waits : !target.is_over)
            break; /* what failed is kept in the dependency */
    }
    return target;
}

/* ---- one dependency ---- */

/* Tells whether the minutes of a dependency are over. When that will be is kept with the
 * dependency, for its target may be forgotten by then. */
static enum outcome wait_minutes(struct act *act, const struct target *target,
                                 struct job_dependency *dependency)
{
    const int64_t due_ms = target->started_ms + dependency->minutes * INT64_C(60000);

    if (target->waits)
        dependency->due_ms = 0;
    else if (target->is_known && due_ms > dependency->due_ms)
        dependency->due_ms = due_ms;
    if (target->waits)
        return OPEN;
    if (dependency->minutes == 0 || act->now.cluster_ms >= dependency->due_ms)
        return FULFILLED;
    control_wake_at(act->control, dependency->due_ms);
    return OPEN;
}

/* As in Slurm, true if no older job of the name waits and none runs, fellow tasks aside. */
static bool is_alone(const struct job *job)
{
    if (job->rec.priority == 0)
        return false;
    for (const struct job *other = job->namesakes->jobs; other; other = other->namesake_next) {
        if (depend_id(other) == depend_id(job) || is_over(other))
            continue;
        if (other->rec.state != JOB_PENDING || depend_id(other) < depend_id(job))
            return false;
    }
    return true;
}

static enum outcome end_outcome(const struct target *target, uint32_t kind)
{
    if (!target->is_over)
        return OPEN;
    if (kind == DEPEND_AFTER_OK || kind == DEPEND_AFTER_CORR)
        return target->did_fail ? FAILED : FULFILLED;
    if (kind == DEPEND_AFTER_NOT_OK)
        return target->did_fail ? FULFILLED : FAILED;
    return FULFILLED;
}

static enum outcome outcome_of(struct act *act, const struct job *job,
                               struct job_dependency *dependency)
{
    struct target target;

    if (dependency->is_failed)
        return FAILED;
    if (dependency->kind == DEPEND_SINGLETON)
        return is_alone(job) ? FULFILLED : OPEN;
    target = look_at(act->control, job, dependency);
    if (dependency->kind == DEPEND_AFTER)
        return wait_minutes(act, &target, dependency);
    return end_outcome(&target, dependency->kind);
}

/* ---- a job ---- */

void job_forget_dependencies(struct job_record *rec)
{
    for (uint32_t i = 0; i < rec->dependencies_n; i++)
        job_dependency_clear(&rec->dependencies[i]);
    free(rec->dependencies);
    rec->dependencies = NULL;
    rec->dependencies_n = 0;
}

uint32_t job_dependency_reason(const struct job_record *rec)
{
    uint32_t failed_n = 0;

    for (uint32_t i = 0; i < rec->dependencies_n; i++)
        failed_n += rec->dependencies[i].is_failed;
    if (rec->dependencies_n == 0)
        return REASON_NONE;
    if (failed_n > 0 && (!rec->any_dependency || failed_n == rec->dependencies_n))
        return REASON_DEPENDENCY_NEVER;
    return REASON_DEPENDENCY;
}

/* Decides each dependency. A fulfilled one leaves the record, and with it all the others where one
 * is enough. */
static void weigh(struct act *act, struct job *job)
{
    struct job_record *rec = &job->rec;
    uint32_t open_n = 0, fulfilled_n = 0;

    for (uint32_t i = 0; i < rec->dependencies_n; i++) {
        struct job_dependency *dependency = &rec->dependencies[i];
        const enum outcome outcome = outcome_of(act, job, dependency);

        dependency->is_failed = outcome == FAILED;
        if (outcome == FULFILLED)
            fulfilled_n++;
        else
            rec->dependencies[open_n++] = *dependency;
    }
    rec->dependencies_n = open_n;
    if (open_n == 0 || (rec->any_dependency && fulfilled_n > 0))
        job_forget_dependencies(rec);
}

static bool is_killed(const struct control *control, const struct job *job)
{
    const uint32_t asked = job->rec.spec->kill_invalid_dep;

    return asked == KILL_INVALID_YES ||
           (asked == KILL_INVALID_DEFAULT && control->model->config.kill_invalid_depend);
}

static void end_never(struct act *act, struct job *job)
{
    const struct job_ending ending = {
        .state = JOB_CANCELLED,
        .reason = REASON_DEPENDENCY_NEVER,
        .ended_by = COUNT_UNSET,
    };

    job_end(act, job, &ending);
}

static void decide(struct act *act, struct job *job, uint32_t reason_before)
{
    const uint32_t reason = job_dependency_reason(&job->rec);

    job_set_first_reason(act->control, act->now, job);
    if (reason == REASON_NONE) { /* it waits for resources, unless it is held or for its time */
        job_follow_spec(&job->rec, act->now);
        feed_job_waits(act, job);
    }
    if (reason == REASON_DEPENDENCY_NEVER && reason_before != reason)
        job_mail(act, job, NEWS_INVALID_DEPEND);
    if (reason == REASON_DEPENDENCY_NEVER && is_killed(act->control, job))
        end_never(act, job);
    turn_note_job(act->turn, &job->rec);
}

void depend_decide(struct act *act, struct job *job)
{
    const uint32_t reason_before = job_dependency_reason(&job->rec);

    if (job->rec.dependencies_n == 0 || job->rec.state != JOB_PENDING ||
        (job->rec.flags & JOB_FLAG_COMPLETING))
        return;
    weigh(act, job);
    decide(act, job, reason_before);
}

/* ---- news of a job that others wait for ---- */

static bool waits_for_array(const struct job_dependency *dependency, const struct job *target)
{
    return target->array && dependency->is_array && dependency->job_id == target->array->id;
}

/* Notes that the target failed: it may be forgotten before all of its array is over. */
static void note_failure(struct job *job, const struct job *target)
{
    for (uint32_t i = 0; i < job->rec.dependencies_n; i++) {
        if (waits_for_array(&job->rec.dependencies[i], target))
            job->rec.dependencies[i].did_fail |= did_fail(target);
    }
}

/* Returns the task that waits for just this one, taken out of its array, or NULL. */
static struct job *take_counterpart(struct act *act, struct job *job, const struct job *target)
{
    const uint32_t task = target->rec.array_task;

    if (!job_is_task_set(&job->rec) || !is_over(target) || task >= job->tasks.size ||
        !bitset_has(&job->tasks, task))
        return NULL;
    for (uint32_t i = 0; i < job->rec.dependencies_n; i++) {
        if (job->rec.dependencies[i].kind == DEPEND_AFTER_CORR &&
            waits_for_array(&job->rec.dependencies[i], target))
            return array_take(act, job, task);
    }
    return NULL;
}

/* Notes what the target's end means for the job, and decides about a task that waited for just this
 * target. The caller decides about the job itself. */
static void learn(struct act *act, struct job *job, const struct job *target)
{
    struct job *part;

    note_failure(job, target);
    part = take_counterpart(act, job, target);
    if (part && part != job)
        depend_decide(act, part);
}

static void tell_waiting(struct act *act, uint32_t id)
{
    const struct job *target = model_find_job(act->control->model, id);
    AUTO_FREE uint32_t *ids = NULL;
    uint32_t n = 0;

    if (target)
        ids = depend_waiting(act->control->depend, act->control->model, target, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct job *job = model_find_job(act->control->model, ids[i]);

        learn(act, job, target);
        depend_decide(act, job);
    }
}

/* Tells the jobs that wait for this one. They are told one by one, for news may end jobs that
 * others wait for, in chains of any length. */
void depend_tell(struct act *act, const struct job *job)
{
    struct depend *depend = act->control->depend;

    *ARRAY_PUSH(depend->changed, depend->changed_n) = job->rec.id;
    if (depend->is_telling)
        return;
    depend->is_telling = true;
    for (uint32_t i = 0; i < depend->changed_n; i++)
        tell_waiting(act, depend->changed[i]);
    depend->changed_n = 0;
    depend->is_telling = false;
}

void depend_tick(struct act *act, struct job *job)
{
    bool is_due = false;

    for (uint32_t i = 0; i < job->rec.dependencies_n; i++) {
        const struct job_dependency *dependency = &job->rec.dependencies[i];

        if (dependency->due_ms == 0 || dependency->is_failed)
            continue;
        is_due |= act->now.cluster_ms >= dependency->due_ms;
        control_wake_at(act->control, dependency->due_ms);
    }
    if (is_due)
        depend_decide(act, job);
}

/* ---- a new job, or one that waits for others from now on ---- */

/* Notes in the job's record what has become of those tasks of the array that are over. */
static void learn_array(struct act *act, struct job *job, uint32_t array_id)
{
    struct array *array = model_find_array(act->control->model, array_id);

    for (struct job *task = array ? array->jobs : NULL; task; task = task->array_next) {
        if (is_over(task))
            learn(act, job, task);
    }
}

/* Puts the job into the index, and notes what is known already of those it waits for. */
static void join(struct act *act, struct job *job)
{
    uint32_t *arrays = NULL;
    uint32_t arrays_n = 0;

    depend_watch(act->control->depend, job);
    for (uint32_t i = 0; i < job->rec.dependencies_n; i++) {
        if (job->rec.dependencies[i].is_array)
            *ARRAY_PUSH(arrays, arrays_n) = job->rec.dependencies[i].job_id;
    }
    for (uint32_t i = 0; i < arrays_n; i++)
        learn_array(act, job, arrays[i]);
    free(arrays);
}

void depend_begin(struct act *act, struct job *job)
{
    join(act, job);
    weigh(act, job);
    decide(act, job, REASON_DEPENDENCY);
}

void depend_again(struct act *act, struct job *job)
{
    job_forget_dependencies(&job->rec);
    depend_accept(act->control, &job->rec, NULL);
    join(act, job);
}

void depend_rename(struct act *act, struct job *job)
{
    uint32_t n;
    AUTO_FREE uint32_t *ids = depend_waiting(act->control->depend, act->control->model, job, &n);

    model_name_changed(act->control->model, job);
    depend_watch(act->control->depend, job);
    for (uint32_t i = 0; i < n; i++)
        depend_decide(act, model_find_job(act->control->model, ids[i]));
}

void depend_settle(struct control *control)
{
    depend_clear(control->depend);
    for (struct job *job = control->model->jobs; job; job = job->hh.next)
        job->namesakes->waiting_n = 0;
    for (struct job *job = control->model->jobs; job; job = job->hh.next)
        depend_watch(control->depend, job);
}
