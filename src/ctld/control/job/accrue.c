#include "ctld/control/job/accrue.h"

#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/array.h"
#include "ctld/control/limit/standing.h"

static struct standing *standing_of(struct control *control, const struct job *job)
{
    const bool is_anywhere = job->partition != PARTITION_NONE;

    return limit_standing(control, &job->rec,
                          is_anywhere ? &control->model->partitions[job->partition] : NULL);
}

void accrue_begin(struct control *control, struct job *job)
{
    control->accrual_stale = true;
    job->rec.accrue_time = 0;
    job->rec.accrues_not = standing_of(control, job)->bounds_accrual;
}

/* Returns whether the job could start but for resources and limits. */
static bool is_eligible(struct moment now, const struct job *job)
{
    const struct job_record *rec = &job->rec;

    return rec->state == JOB_PENDING && rec->priority > 0 && rec->eligible_time > 0 &&
           rec->eligible_time <= now.wall_s;
}

bool accrue_counts(struct moment now, const struct job *job)
{
    return is_eligible(now, job) && !job->rec.accrues_not;
}

static void take_places(const struct standing *standing, uint32_t n)
{
    for (uint32_t i = 0; i < standing->limits_n; i++) {
        if (standing->limits[i].row->what == LIMIT_ACCRUING)
            standing->limits[i].pot->accruing_n += n;
    }
}

static uint32_t places_left(const struct standing *standing)
{
    uint64_t left = UINT32_MAX;

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];
        const uint64_t used = limit->row->what == LIMIT_ACCRUING ? limit->pot->accruing_n : 0;

        if (limit->row->what != LIMIT_ACCRUING)
            continue;
        if (limit->most < used + left)
            left = limit->most > used ? limit->most - used : 0;
    }
    return (uint32_t)left;
}

/* Counts the jobs that have places. A job that may not start loses its own. */
static void count_holders(struct act *act)
{
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        const struct standing *standing;

        if (job->rec.state != JOB_PENDING || job->rec.accrues_not)
            continue;
        standing = standing_of(act->control, job);
        if (!standing->bounds_accrual)
            continue;
        if (is_eligible(act->now, job)) {
            take_places(standing, job_jobs_n(job));
            continue;
        }
        accrue_begin(act->control, job);
        turn_note_job(act->turn, &job->rec);
    }
}

static void begin_to_age(struct act *act, struct job *job)
{
    job->rec.accrues_not = false;
    if (job->rec.eligible_time < act->now.wall_s)
        job->rec.accrue_time = act->now.wall_s;
    turn_note_job(act->turn, &job->rec);
}

/* Gives the job a place, or as many of the tasks that it stands for as there are places. */
static void give_places(struct act *act, struct job *job)
{
    const struct standing *standing = standing_of(act->control, job);
    uint32_t left = places_left(standing);

    if (left >= job_jobs_n(job)) {
        take_places(standing, job_jobs_n(job));
        begin_to_age(act, job);
        return;
    }
    for (; left > 0; left--) {
        struct job *task = array_take(act, job, (uint32_t)bitset_next(&job->tasks, 0));

        take_places(standing, 1);
        begin_to_age(act, task);
    }
}

void accrue_settle(struct act *act)
{
    struct control *control = act->control;

    if (!control->accrual_stale && act->now.cluster_ms < control->accrual_due_ms)
        return;
    control->accrual_stale = false;
    control->accrual_due_ms = INT64_MAX;
    limit_refresh(control);
    if (!limit_bounds_accrual(control) && !control->accrual_held)
        return; /* no limit is on ages, as for most: nothing is looked at for each job that comes */
    control->accrual_held = false;
    limit_begin_accrual(control);
    count_holders(act);
    for (struct job *job = control->model->jobs, *next; job; job = next) {
        next = job->hh.next;
        if (job->rec.state != JOB_PENDING || !job->rec.accrues_not)
            continue;
        control->accrual_held = true;
        if (is_eligible(act->now, job)) {
            give_places(act, job);
        } else if (job->rec.eligible_time > act->now.wall_s) {
            const int64_t due_ms = moment_ms_of_wall(act->now, job->rec.eligible_time);

            if (due_ms < control->accrual_due_ms)
                control->accrual_due_ms = due_ms;
            control_wake_at(control, due_ms);
        }
    }
    control->accrual_stale = false;
}
