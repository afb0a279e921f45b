/* From what is asked to what a job waits for. */
#include "ctld/control/job/depend.h"

#include "common/text/dependency.h"
#include "common/text/jobid.h"
#include "ctld/control/act/state.h"

/* ---- names ---- */

/* Finds what the dependency is on. False: nothing of it is known (any more), so as in Slurm nobody
 * waits for it. */
static bool find_target(const struct model *model, const struct dependency *asked,
                        struct job_dependency *ret)
{
    const struct job *job = model_find_job(model, asked->job);
    const struct array *array = model_find_array(model, asked->job);

    ret->job_id = asked->job;
    if (asked->kind == DEPEND_SINGLETON)
        return true;
    if (asked->task != NO_VAL) {
        ret->array_task = asked->task;
        return model_find_task(model, asked->job, asked->task);
    }
    ret->is_array = array;
    if (!array && job && job->array) { /* a task that was named by the job id of its own */
        ret->job_id = job->array->id;
        ret->array_task = job->rec.array_task;
    }
    return array || job;
}

/* Fills a record without dependencies. Where one is enough, a fulfilled one leaves none. */
static void fill(const struct model *model, const struct dependencies *asked,
                 struct job_record *rec)
{
    rec->any_dependency = asked->any;
    for (uint32_t i = 0; i < asked->n; i++) {
        struct job_dependency dependency;

        job_dependency_init(&dependency);
        dependency.kind = asked->at[i].kind;
        dependency.minutes = asked->at[i].minutes;
        if (find_target(model, &asked->at[i], &dependency)) {
            *ARRAY_PUSH(rec->dependencies, rec->dependencies_n) = dependency;
        } else if (asked->any) {
            job_forget_dependencies(rec);
            return;
        }
    }
}

int depend_accept(const struct control *control, struct job_record *rec, struct err *err)
{
    AUTO(dependencies) struct dependencies asked = { 0 };
    const char *text = rec->spec->dependency;
    int rc = text ? dependencies_parse(text, &asked, err) : 0;

    if (rc == 0)
        fill(control->model, &asked, rec);
    return rc;
}

/* ---- circles ---- */

/* Numbers of jobs and arrays that are followed, in the order in which they are met. */
struct trail {
    struct met {
        uint32_t id;
        UT_hash_handle hh;
    } * met; /* uthash, which keeps that order */
};

static void meet(struct trail *trail, uint32_t id)
{
    struct met *met;

    HASH_FIND(hh, trail->met, &id, sizeof(id), met);
    if (met || id == 0)
        return;
    met = xcalloc(1, sizeof(*met));
    met->id = id;
    HASH_ADD(hh, trail->met, id, sizeof(met->id), met);
}

static void meet_all_of(struct trail *trail, const struct job_record *rec)
{
    for (uint32_t i = 0; i < rec->dependencies_n; i++)
        meet(trail, rec->dependencies[i].job_id);
}

/* Adds to the trail what `id` waits for, with all its tasks together. */
static void go_on_from(const struct model *model, struct trail *trail, uint32_t id)
{
    const struct array *array = model_find_array(model, id);
    const struct job *job = model_find_job(model, id);

    if (!array && job)
        meet_all_of(trail, &job->rec);
    for (job = array ? array->jobs : NULL; job; job = job->array_next)
        meet_all_of(trail, &job->rec);
}

static void clear_trail(struct trail *trail)
{
    for (struct met *met = trail->met, *next; met; met = next) {
        next = met->hh.next;
        HASH_DEL(trail->met, met);
        free(met);
    }
}

/* True if what `rec` waits for comes to wait for `own_id` in the end. */
static bool is_circular(const struct model *model, const struct job_record *rec, uint32_t own_id)
{
    struct trail trail = { 0 };
    bool is_met = false;

    meet_all_of(&trail, rec);
    for (struct met *met = trail.met; met && !is_met; met = met->hh.next) {
        is_met = met->id == own_id;
        go_on_from(model, &trail, met->id);
    }
    clear_trail(&trail);
    return is_met;
}

/* ---- scontrol update ---- */

static bool waits_for(const struct job_record *rec, uint32_t id)
{
    for (uint32_t i = 0; i < rec->dependencies_n; i++) {
        if (rec->dependencies[i].job_id == id)
            return true;
    }
    return false;
}

int depend_check(const struct control *control, const struct job *job, const char *text,
                 struct err *err)
{
    const uint32_t id = depend_id(job);
    AUTO(dependencies) struct dependencies asked = { 0 };
    AUTO(job_record) struct job_record rec;
    int rc = dependencies_parse(text, &asked, err);

    job_record_init(&rec);
    if (rc < 0)
        return rc;
    fill(control->model, &asked, &rec);
    if (waits_for(&rec, id))
        return err_set(err, E_DEPENDENCY, "%s: job %u would wait for itself",
                       err_string(E_DEPENDENCY), id);
    if (is_circular(control->model, &rec, id))
        return err_set(err, E_CIRCULAR, "%s: what job %u would wait for waits for it",
                       err_string(E_CIRCULAR), id);
    return 0;
}
