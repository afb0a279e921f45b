#include "cli/import/queue/save.h"

#include <time.h>

#include "cli/import/queue/wish.h"

#define ROUNDS_MAX 10 /* in which jobs are held, while users submit others */

static void fill_head(const struct old *old, struct saved *saved)
{
    queue_head_clear(&saved->head);
    saved->head.cluster = xstrdup(old->cluster);
    saved->head.saved = (int64_t)time(NULL);
}

/* Looks at a job: at its script and the like if it can come. */
static int look_at(const struct old *old, struct queue_job *job, struct err *err)
{
    int rc = old_show(old, job, err);

    return rc < 0 || wish_why_stays(job) ? rc : old_look(old, job, err);
}

int save_look(const struct old *old, const char *path, struct saved *ret, struct err *err)
{
    int rc = old_list(old, ret, err);

    for (uint32_t i = 0; rc == 0 && i < ret->jobs_n; i++) {
        if (ret->jobs[i].waits)
            rc = look_at(old, &ret->jobs[i], err);
    }
    fill_head(old, ret);
    if (rc == 0 && path)
        rc = saved_write(path, ret, err);
    if (rc < 0)
        saved_clear(ret);
    return rc;
}

/* Reads what an earlier call left, if there was one. */
static int read_earlier(const struct old *old, const char *path, struct saved *ret, struct err *err)
{
    struct err why = { 0 };
    int rc = saved_read(path, ret, &why);

    if (rc == -ENOENT)
        return 0;
    if (rc < 0)
        return err_set(err, why.code, "%s", why.text);
    if (strcmp(ret->head.cluster, old->cluster) == 0)
        return 0;
    return err_set(err, EEXIST, "%s is the queue of cluster %s, and this one is %s", path,
                   ret->head.cluster, old->cluster);
}

/* True if the import has to hold the job, whatever its owner does. */
static bool is_loose(const struct queue_job *job)
{
    return job->waits && job->hold != QUEUE_HOLD_ADMIN && !wish_why_stays(job);
}

/* Lists the queue and looks at it: in full at jobs that are held, for these stay as they are. */
static int look(const struct old *old, struct saved *ret, uint32_t *ret_loose_n, struct err *err)
{
    int rc = old_list(old, ret, err);

    *ret_loose_n = 0;
    for (uint32_t i = 0; rc == 0 && i < ret->jobs_n; i++) {
        struct queue_job *job = &ret->jobs[i];

        if (!job->waits)
            continue;
        if (job->hold == QUEUE_HOLD_ADMIN)
            rc = look_at(old, job, err);
        else
            rc = old_show(old, job, err);
        *ret_loose_n += is_loose(job);
    }
    return rc;
}

/* Returns the earlier record of a job; of a task that has left its record since, that record. */
static const struct queue_job *find_earlier(const struct saved *earlier,
                                            const struct queue_job *job)
{
    const struct queue_job *found = saved_find(earlier, job);

    for (uint32_t i = 0; !found && job->array_id && i < earlier->jobs_n; i++) {
        const struct queue_job *before = &earlier->jobs[i];

        if (before->array_id == job->array_id && before->job_id == job->array_id &&
            strcmp(before->submitted, job->submitted) == 0)
            found = before;
    }
    return found;
}

/* Takes over from an earlier list how jobs were held before any was held by this. */
static void remember_holds(const struct saved *earlier, struct saved *saved)
{
    for (uint32_t i = 0; earlier->head.holds && i < saved->jobs_n; i++) {
        const struct queue_job *before = find_earlier(earlier, &saved->jobs[i]);

        if (before && before->waits)
            saved->jobs[i].hold = before->hold;
    }
}

static int hold_loose(const struct old *old, const bool *loose, const struct saved *saved,
                      struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < saved->jobs_n; i++) {
        if (loose[i])
            rc = old_hold(old, &saved->jobs[i], err);
    }
    return rc;
}

/* One round: looks, writes, holds what is not held. 1: all was held when it looked. */
static int hold_round(const struct old *old, const char *path, struct saved *earlier,
                      struct err *err)
{
    AUTO_FREE bool *loose = NULL;
    struct saved saved;
    uint32_t loose_n;
    int rc = look(old, &saved, &loose_n, err);

    if (rc < 0) {
        saved_clear(&saved);
        return rc;
    }
    loose = xcalloc(saved.jobs_n + 1, sizeof(*loose));
    for (uint32_t i = 0; i < saved.jobs_n; i++)
        loose[i] = is_loose(&saved.jobs[i]);
    fill_head(old, &saved);
    remember_holds(earlier, &saved);
    saved.head.holds = true;
    saved.head.held = loose_n == 0;
    rc = saved_write(path, &saved, err);
    if (rc == 0)
        rc = hold_loose(old, loose, &saved, err);
    saved_clear(earlier);
    *earlier = saved;
    return rc < 0 ? rc : loose_n == 0;
}

int save_and_hold(const struct old *old, const char *path, struct saved *ret, struct err *err)
{
    int rc = read_earlier(old, path, ret, err);

    for (int i = 0; rc == 0 && i < ROUNDS_MAX; i++)
        rc = hold_round(old, path, ret, err);
    if (rc == 0)
        rc = err_set(err, EAGAIN,
                     "jobs are still not held, or new ones keep coming: stop submission there "
                     "(scontrol update PartitionName=NAME State=DRAIN) and save again");
    if (rc < 0)
        saved_clear(ret);
    return rc < 0 ? rc : 0;
}

int save_undo(const struct old *old, const char *path, struct err *err)
{
    AUTO(saved) struct saved saved = { 0 };
    int rc = saved_read(path, &saved, err);

    if (rc == 0 && strcmp(saved.head.cluster, old->cluster) != 0)
        return err_set(err, EINVAL, "%s is the queue of cluster %s, and this one is %s", path,
                       saved.head.cluster, old->cluster);
    if (rc == 0 && !saved.head.holds)
        return err_set(err, EINVAL, "%s was saved without --hold: there is nothing to release",
                       path);
    /* To release an array releases all its tasks: those that were held come after it. */
    for (uint32_t hold = QUEUE_HOLD_NONE; hold <= QUEUE_HOLD_USER; hold++) {
        for (uint32_t i = 0; rc == 0 && i < saved.jobs_n; i++) {
            const struct queue_job *job = &saved.jobs[i];

            if (job->waits && job->hold == hold && !wish_why_stays(job))
                rc = old_unhold(old, job, err);
        }
    }
    return rc;
}
