/* Entries that no longer hold are left out when somebody asks, not when they cease to. */
#include "ctld/control/job/depend.h"

#include "common/text/dependency.h"

struct depend_target {
    uint32_t id;
    uint32_t *waiting;
    uint32_t waiting_n;
    UT_hash_handle hh;
};

uint32_t depend_id(const struct job *job)
{
    return job->array ? job->array->id : job->rec.id;
}

static void drop_target(struct depend *depend, struct depend_target *target)
{
    HASH_DEL(depend->targets, target);
    free(target->waiting);
    free(target);
}

void depend_clear(struct depend *depend)
{
    for (struct depend_target *target = depend->targets, *next; target; target = next) {
        next = target->hh.next;
        drop_target(depend, target);
    }
    free(depend->changed);
    *depend = (struct depend){ 0 };
}

struct depend *depend_new(void)
{
    return xcalloc(1, sizeof(struct depend));
}

struct depend *depend_free(struct depend *depend)
{
    depend_clear(depend);
    free(depend);
    return NULL;
}

/* Adds an id to the list, once for a job that waits for several tasks of one array. */
static void add_id(uint32_t **ids, uint32_t *n, uint32_t id)
{
    if (*n == 0 || (*ids)[*n - 1] != id)
        *ARRAY_PUSH(*ids, *n) = id;
}

static void watch_target(struct depend *depend, uint32_t id, const struct job *job)
{
    struct depend_target *target;

    HASH_FIND(hh, depend->targets, &id, sizeof(id), target);
    if (!target) {
        target = xcalloc(1, sizeof(*target));
        target->id = id;
        HASH_ADD(hh, depend->targets, id, sizeof(target->id), target);
    }
    add_id(&target->waiting, &target->waiting_n, job->rec.id);
}

void depend_watch(struct depend *depend, struct job *job)
{
    for (uint32_t i = 0; i < job->rec.dependencies_n; i++) {
        const struct job_dependency *dependency = &job->rec.dependencies[i];

        if (dependency->kind == DEPEND_SINGLETON)
            add_id(&job->namesakes->waiting, &job->namesakes->waiting_n, job->rec.id);
        else
            watch_target(depend, dependency->job_id, job);
    }
}

/* True if the job `waiting` still waits for `id`; 0 stands for the name. */
static bool still_waits(const struct model *model, uint32_t waiting, uint32_t id,
                        const struct namesakes *namesakes)
{
    const struct job *job = model_find_job(model, waiting);

    if (!job || job->rec.state != JOB_PENDING || (id == 0 && job->namesakes != namesakes))
        return false;
    for (uint32_t i = 0; i < job->rec.dependencies_n; i++) {
        if (job->rec.dependencies[i].job_id == id)
            return true;
    }
    return false;
}

/* Drops those that do not wait any more from the list, and adds the others to *ids. */
static void sift(const struct model *model, uint32_t id, const struct namesakes *namesakes,
                 uint32_t *waiting, uint32_t *waiting_n, uint32_t **ids, uint32_t *n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < *waiting_n; i++) {
        if (!still_waits(model, waiting[i], id, namesakes))
            continue;
        *ARRAY_PUSH(*ids, *n) = waiting[i];
        waiting[kept++] = waiting[i];
    }
    *waiting_n = kept;
}

uint32_t *depend_waiting(struct depend *depend, const struct model *model, const struct job *job,
                         uint32_t *ret_n)
{
    struct namesakes *namesakes = job->namesakes;
    const uint32_t id = depend_id(job);
    struct depend_target *target;
    uint32_t *ids = NULL;

    *ret_n = 0;
    HASH_FIND(hh, depend->targets, &id, sizeof(id), target);
    if (target)
        sift(model, id, NULL, target->waiting, &target->waiting_n, &ids, ret_n);
    if (target && target->waiting_n == 0)
        drop_target(depend, target);
    sift(model, 0, namesakes, namesakes->waiting, &namesakes->waiting_n, &ids, ret_n);
    return ids;
}
