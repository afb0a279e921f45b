#include "cli/import/queue/units.h"

#include <stdio.h>
#include <string.h>

#include "common/text/dependency.h"
#include "common/text/jobid.h"
#include "common/text/tasks.h"

/* ---- making them ---- */

static bool blobs_equal(const struct blob *one, const struct blob *other)
{
    return one->n == other->n && (one->n == 0 || memcmp(one->data, other->data, one->n) == 0);
}

/* True if the record's tasks can go into the unit. */
static bool takes(const struct unit *unit, const struct queue_job *job, const struct wish *wish)
{
    const struct queue_job *first = unit->jobs[0];

    return job->array_id && job->array_id == first->array_id && job->waits && first->waits &&
           job->hold == first->hold && job->nice == first->nice && job->uid == first->uid &&
           job->gid == first->gid && wish_equal(wish, &unit->wish) &&
           blobs_equal(&job->script, &first->script) &&
           blobs_equal(&job->environment, &first->environment);
}

static struct unit *find_unit(const struct units *units, const struct queue_job *job,
                              const struct wish *wish)
{
    for (uint32_t i = units->n; job->array_id && i-- > 0;) {
        if (takes(&units->at[i], job, wish))
            return &units->at[i];
    }
    return NULL;
}

void unit_stay(struct unit *unit, const char *why, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, why);
    strbuf_vaddf(&text, why, args);
    va_end(args);
    unit->state = UNIT_STAYS;
    xstrset(&unit->why, strbuf_text(&text));
}

static int read_tasks(const struct queue_job *job, struct bitset *ret)
{
    uint32_t limit;

    return tasks_parse(job->tasks ? job->tasks : "", ARRAY_TASKS_MAX, ret, &limit, NULL);
}

/* Writes the tasks of all its records as --array takes them. */
static void name_tasks(struct unit *unit)
{
    AUTO(bitset) struct bitset all = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (!unit->jobs[0]->array_id || unit->state == UNIT_STAYS)
        return;
    bitset_init(&all, ARRAY_TASKS_MAX);
    for (uint32_t i = 0; i < unit->jobs_n; i++) {
        AUTO(bitset) struct bitset tasks = { 0 };

        if (read_tasks(unit->jobs[i], &tasks) < 0) {
            unit_stay(unit, "its tasks are '%.100s'", unit->jobs[i]->tasks);
            return;
        }
        BITSET_FOREACH (&tasks, task)
            bitset_add(&all, (uint32_t)task);
    }
    tasks_format(&all, &text);
    if (unit->wish.array_limit)
        strbuf_addf(&text, "%%%u", unit->wish.array_limit);
    unit->tasks = strbuf_steal(&text);
}

static void add_job(struct units *units, const struct queue_job *job)
{
    struct unit *unit;
    struct wish wish;

    wish_make(job, units->saved->head.saved, &wish);
    unit = find_unit(units, job, &wish);
    if (unit) {
        wish_clear(&wish);
        *ARRAY_PUSH(unit->jobs, unit->jobs_n) = job;
        return;
    }
    unit = ARRAY_PUSH(units->at, units->n);
    *unit = (struct unit){ .wish = wish, .state = UNIT_NEW };
    *ARRAY_PUSH(unit->jobs, unit->jobs_n) = job;
    unit->origin = xasprintf("%s:%u@%s", units->saved->head.cluster, job->job_id, job->submitted);
    if (wish.stays)
        unit_stay(unit, "%s", wish.stays);
}

void units_make(const struct saved *saved, struct units *ret)
{
    *ret = (struct units){ .saved = saved };
    for (uint32_t i = 0; i < saved->jobs_n; i++)
        add_job(ret, &saved->jobs[i]);
    for (uint32_t i = 0; i < ret->n; i++)
        name_tasks(&ret->at[i]);
}

void units_clear(struct units *units)
{
    for (uint32_t i = 0; i < units->n; i++) {
        struct unit *unit = &units->at[i];

        free(unit->jobs);
        wish_clear(&unit->wish);
        free(unit->tasks);
        free(unit->origin);
        free(unit->why);
        free(unit->dependency);
    }
    free(units->at);
    *units = (struct units){ 0 };
}

void units_auto_(struct units *units)
{
    units_clear(units);
}

/* ---- dependencies ---- */

struct mapping {
    const struct units *units;
    struct dependencies to;
    const char *lacks;
    bool waits; /* for a unit without a number */
};

/* True if the unit is, or has a task of, what the dependency names. */
static bool is_meant(const struct unit *unit, const struct dependency *from)
{
    for (uint32_t i = 0; i < unit->jobs_n; i++) {
        const struct queue_job *job = unit->jobs[i];
        AUTO(bitset) struct bitset tasks = { 0 };

        if (from->task == NO_VAL) {
            if (job->job_id == from->job || job->array_id == from->job)
                return true;
            continue;
        }
        if (job->array_id == from->job && read_tasks(job, &tasks) == 0 && from->task < tasks.size &&
            bitset_has(&tasks, from->task))
            return true;
    }
    return false;
}

/* Takes over what the unit stands for, or notes why that cannot be. */
static void map_to(struct mapping *mapping, const struct dependency *from, const struct unit *unit)
{
    struct dependency *to;

    if (unit->state == UNIT_STAYS) {
        if (from->kind == DEPEND_AFTER && !unit->jobs[0]->waits && !from->minutes)
            return; /* it has begun */
        mapping->lacks = "it waits for a job that does not come";
        return;
    }
    if (!unit->job_id) {
        mapping->waits = true;
        return;
    }
    to = ARRAY_PUSH(mapping->to.at, mapping->to.n);
    *to = *from;
    to->job = unit->job_id;
    to->all_tasks = from->task == NO_VAL && unit->tasks;
}

static void map_one(struct mapping *mapping, const struct dependency *from)
{
    bool found = false;

    if (from->kind == DEPEND_SINGLETON) {
        *ARRAY_PUSH(mapping->to.at, mapping->to.n) = *from;
        return;
    }
    for (uint32_t i = 0; i < mapping->units->n; i++) {
        if (!is_meant(&mapping->units->at[i], from))
            continue;
        map_to(mapping, from, &mapping->units->at[i]);
        found = true;
    }
    if (!found)
        mapping->lacks = "it waits for a job that is not in the queue";
}

bool units_map_dependency(const struct units *units, struct unit *unit)
{
    struct mapping mapping = { .units = units };
    AUTO(dependencies) struct dependencies from = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    xstrset(&unit->dependency, NULL);
    unit->dependency_lacks = NULL;
    if (!unit->wish.dependency)
        return true;
    if (dependencies_parse(unit->wish.dependency, &from, NULL) < 0)
        mapping.lacks = "its dependency cannot be read";
    mapping.to.any = from.any;
    for (uint32_t i = 0; i < from.n; i++)
        map_one(&mapping, &from.at[i]);
    if (from.any && mapping.to.n)
        mapping.lacks = NULL; /* one is enough */
    if (strstr(unit->wish.dependency, "(failed)"))
        mapping.lacks = "what it waits for has failed";
    dependencies_format(&mapping.to, &text);
    unit->dependency = text.len ? strbuf_steal(&text) : NULL;
    unit->dependency_lacks = mapping.lacks;
    dependencies_clear(&mapping.to);
    return !mapping.waits;
}
