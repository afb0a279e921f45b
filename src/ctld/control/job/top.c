/*
 * scontrol top: a job goes before the other waiting jobs of its user in the same partition, account
 * and QOS. What it gains is what they lose, through --nice, so that nobody else is passed.
 */
#include "ctld/control/job/top.h"

#include <stdlib.h>

#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/job/alter.h"

static bool is_peer(const struct job *job, const struct job *other)
{
    return other->rec.state == JOB_PENDING && !job_is_held(other) &&
           other->rec.uid == job->rec.uid && other->partition == job->partition &&
           text_is(other->rec.spec->account, job->rec.spec->account) &&
           text_is(other->rec.spec->qos, job->rec.spec->qos);
}

/* Sorts jobs by priority, the highest first; of equals, the one that came first. */
static int compare(const void *a, const void *b)
{
    const struct job *left = *(struct job *const *)a, *right = *(struct job *const *)b;

    if (left->rec.priority != right->rec.priority)
        return left->rec.priority > right->rec.priority ? -1 : 1;
    return left->rec.id < right->rec.id ? -1 : left->rec.id > right->rec.id;
}

static void set_priority(struct act *act, struct job *job, uint64_t priority)
{
    struct job_spec *spec = job->rec.spec;
    const int32_t nice_before = spec->nice;

    if (priority == job->rec.priority)
        return;
    job_leave_plan(act, job);
    if (spec->priority != COUNT_UNSET)
        spec->priority = (uint32_t)priority;
    else
        spec->nice = (int32_t)(spec->nice + (int64_t)(job->rec.priority - priority));
    rank_again(act->control, act->now, job, nice_before);
    job_enter_plan(act, job);
}

/* Puts the job before its peers: each that was before it takes the priority of the next one. */
static void put_first(struct act *act, struct job *job)
{
    struct job **peers = NULL;
    uint32_t n = 0, at = 0;
    uint64_t first;

    for (struct job *other = act->control->model->jobs; other; other = other->hh.next) {
        if (is_peer(job, other))
            *ARRAY_PUSH(peers, n) = other;
    }
    qsort(peers, n, sizeof(struct job *), compare);
    while (peers[at] != job)
        at++;
    first = peers[0]->rec.priority;
    if (at > 0 && first == job->rec.priority)
        first++; /* they are all alike */
    for (uint32_t i = 0; i < at; i++)
        set_priority(act, peers[i], peers[i + 1]->rec.priority);
    set_priority(act, job, first);
    free(peers);
}

static int check(struct act *act, struct job *job, uint32_t jobs_n, const void *arg,
                 struct err *err)
{
    (void)jobs_n;
    (void)arg;
    if (!caller_has_level(act->caller, LEVEL_OPERATOR))
        return alter_refuse(E_ACCESS, err);
    if (job_state_is_over(job->rec.state))
        return alter_refuse(E_JOB_FINISHED, err);
    if (job->rec.state != JOB_PENDING)
        return alter_refuse(E_NOT_PENDING, err);
    if (job_is_held(job))
        return alter_refuse(E_JOB_HELD, err);
    return 0;
}

static int top_one(struct act *act, struct job *job, const void *arg, struct err *err)
{
    int rc = check(act, job, job_jobs_n(job), arg, err);

    if (rc < 0)
        return rc;
    put_first(act, job);
    return 0;
}

int control_top(struct act *act, const struct job_top *request, struct job_altered *ret,
                struct err *err)
{
    static const struct alter_way way = { check, top_one };

    return alter_named(act, request->job_id, request->tasks, &way, request, ret, err);
}
