/* Turns what the planner decides into starts. */
#include "ctld/control/schedule.h"

#include <string.h>

#include "ctld/control/act/follow.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/feed/all.h"
#include "ctld/control/feed/explain.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/job/accrue.h"
#include "ctld/control/job/array.h"
#include "ctld/control/job/deadline.h"
#include "ctld/control/job/start.h"
#include "ctld/control/limit/standing.h"

/* True if the job can start as planned. The plan was made from changes that arrived in order, so
 * this fails only for a defect. */
static bool still_fits(const struct control *control, const struct job *job,
                       const struct plan_decision *decision)
{
    if (job->rec.state != JOB_PENDING || decision->places_n == 0)
        return false;
    for (uint32_t i = 0; i < decision->places_n; i++) {
        if (!feed_place_fits(control->model, &decision->places[i]))
            return false;
    }
    return true;
}

/* Starts the job if that is the decision. Other decisions are asked for when somebody wants to know
 * (feed/explain.c). */
static void take_decision(struct act *act, const struct plan_decision *decision)
{
    uint32_t task;
    struct job *job = feed_find(act->control->model, decision->job_id, &task);

    if (decision->verdict != PLAN_START || !job || job->rec.state != JOB_PENDING ||
        (job->rec.flags & JOB_FLAG_COMPLETING) || deadline_end(act, job))
        return;
    if (!still_fits(act->control, job, decision)) {
        act->control->planner_stale = true;
        return;
    }
    if (job_is_task_set(&job->rec))
        job = array_take(act, job, task);
    job_start(act, job, decision);
    feed_job_started(act, job);
    if (job->rec.state == JOB_RUNNING &&
        (job->rec.spec->deadline || job->rec.spec->time_min >= 0 ||
         (job->rec.spec->time_is_partitions && job->request.others_n > 0)))
        feed_job_end(act, job); /* sooner than was planned, perhaps */
}

/* Copies decisions, for to start a job that fails at once lets the planner overwrite them. */
static struct plan_decision *copy_decisions(const struct plan_decision *from, uint32_t n)
{
    struct plan_decision *copies = xmemdup(from, n * sizeof(*copies));

    for (uint32_t i = 0; i < n; i++)
        copies[i].places = plan_places_copy(from[i].places, from[i].places_n);
    return copies;
}

static void free_decisions(struct plan_decision *decisions, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        plan_places_free(decisions[i].places, decisions[i].places_n);
    free(decisions);
}

/* Tells the clients of waiting jobs that they wait, and why. It is told once the planner has come
 * to the job, for one that starts at once gets no word about waiting. */
static void tell_waiting(struct act *act)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < act->control->untold_n; i++) {
        struct job *job = model_find_job(act->control->model, act->control->untold[i]);
        struct plan_decision decision;

        if (!job || job->told_queued || job->rec.state != JOB_PENDING)
            continue;
        if (job_explain(act->control, job, &decision) || !job_is_eligible(job)) {
            job_note_wait(act->control, act->now, job);
            job_tell_queued(job, act->turn);
        } else {
            act->control->untold[kept++] = act->control->untold[i];
        }
    }
    act->control->untold_n = kept;
}

/*
 * True while planning waits for nodes. After a start they come back one by one, and to plan with
 * the first of them would let small jobs pass large ones that come before them; the wait is short.
 */
static bool awaits_nodes(struct act *act)
{
    if (act->now.cluster_ms >= act->control->hold_ms)
        return false;
    for (uint32_t i = 0; i < act->control->model->nodes_n; i++) {
        const struct node *node = &act->control->model->nodes[i];

        if (node_is_known(node) && !node->online && !node->rec.down) {
            control_wake_at(act->control, act->control->hold_ms);
            return true;
        }
    }
    act->control->hold_ms = 0;
    return false;
}

/* The forecast gets so much work in each second at most, some tenth of a core, however many jobs
 * there are. */
#define FORECAST_MS    1000
#define FORECAST_UNITS 8000

/* Goes on with the forecast; true when there is more to do. People read it, so it need not follow
 * each event: it is made once a second at most, and takes several where the queue is long. */
static bool step_forecast(struct act *act, uint32_t work)
{
    const struct plan_decision *none;
    uint32_t n;

    if (!act->control->forecast || !act->control->forecast_stale)
        return false;
    if (act->now.cluster_ms >= act->control->forecast_ms) {
        act->control->forecast_ms = act->now.cluster_ms + FORECAST_MS;
        act->control->forecast_units = FORECAST_UNITS;
    }
    if (work > act->control->forecast_units)
        work = act->control->forecast_units;
    act->control->forecast_units -= work;
    if (work)
        act->control->forecast_stale =
            planner_step(act->control->forecast, act->now.cluster_ms, work, &none, &n);
    if (!act->control->forecast_stale)
        act->control->forecast_units = 0;
    if (act->control->forecast_stale && act->control->forecast_units == 0)
        control_wake_at(act->control, act->control->forecast_ms);
    return act->control->forecast_stale && act->control->forecast_units > 0;
}

/* Counts how a pass ended. One that took several calls ends with the last, which may have decided
 * nothing. */
static void count_end(struct control *control)
{
    const struct plan_counts counts = planner_counts(control->planner);
    struct diag *diag = &control->diag;

    if (counts.tries_used)
        diag->ended_at_tests++;
    else if (counts.starts_used)
        diag->ended_at_starts++;
    else
        diag->ended_at_queue++;
}

/* Counts a pass of `n` starts; a call that decides nothing and leaves nothing is no pass. */
static void count_pass(struct act *act, uint32_t n)
{
    const struct plan_counts counts = planner_counts(act->control->planner);
    struct diag *diag = &act->control->diag;

    diag->cycles++;
    diag->cycle_last_at = act->now.wall_s;
    diag->depth_last = n + counts.planned;
    diag->cycle_depth_total += diag->depth_last;
    diag->depth_try_total += n;
    diag->depth_try_last = n;
    diag->queue_length = counts.queued + n;
    diag->queue_total += diag->queue_length;
    diag->table_size = counts.planned;
    diag->table_total += counts.planned;
}

bool control_schedule(struct act *act, uint32_t work)
{
    const struct plan_decision *decided = NULL;
    struct plan_decision *decisions;
    const bool ranks = rank_step(act, work);
    uint32_t n = 0;
    bool more;

    limit_refresh(act->control);
    accrue_settle(act);
    if (act->control->use_changed)
        feed_use(act);
    if (feed_go_on(act, work))
        return true;
    if (awaits_nodes(act) || control_awaits_cleaning(act->control, act->now))
        return questions_ponder(act, work) || ranks;
    questions_pose(act);
    more = planner_step(act->control->planner, act->now.cluster_ms, work, &decided, &n);
    if (n > 0 || (more && !questions_occupy(act->control, act->control->planner)))
        count_pass(act, n);
    if (!more && (n > 0 || act->control->pass_goes_on))
        count_end(act->control);
    act->control->pass_goes_on = more && !questions_occupy(act->control, act->control->planner);
    decisions = copy_decisions(decided, n);
    for (uint32_t i = 0; i < n; i++)
        take_decision(act, &decisions[i]);
    free_decisions(decisions, n);
    if (act->control->use_changed)
        feed_use(act);
    tell_waiting(act);
    more |= questions_go_on(act, work);
    return ranks || more || step_forecast(act, work) || feed_free_retired(act->control, work);
}

uint64_t control_passes(const struct control *control)
{
    return control->diag.cycles;
}
