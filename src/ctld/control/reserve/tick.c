/* A reservation's time comes, ends, and comes again. */
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/reserved.h"
#include "ctld/control/feed/resv.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/reserve/replace.h"
#include "ctld/control/reserve/reserve.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/resv/span.h"

/* Lets a waiting job go on without the reservation, or holds it. */
static void part_job(struct act *act, struct job *job, const struct reservation_record *resv)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    feed_job_gone(act, job);
    resv_forget_name(&job->rec, resv->name);
    if (!job->rec.spec->reservation && !(resv->flags & RESV_NO_HOLD_JOBS)) {
        strbuf_addf(&text, "Reservation %s was deleted", resv->name);
        job_hold_without_reservation(job, strbuf_text(&text));
    }
    feed_job_waits(act, job);
    turn_note_job(act->turn, &job->rec);
}

/* Begins or ends its time, with ResvProlog or ResvEpilog. The record goes to disk with the order,
 * so that none is given twice. */
static void set_open(struct act *act, struct reservation_record *resv, bool is_open)
{
    resv->is_open = is_open;
    resv->idle_since = 0;
    act->control->resv_marked = false;
    *ARRAY_PUSH(act->turn->reservations, act->turn->reservations_n) =
        (struct reservation_order){ .name = xstrdup(resv->name), .is_over = !is_open };
    kept_note(act, KEPT_RESERVATION, resv);
}

static void remove_it(struct act *act, struct reservation_record *resv)
{
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        if (job->rec.state == JOB_PENDING && resv_is_named(&job->rec, resv))
            part_job(act, job, resv);
    }
    if (resv->is_open)
        set_open(act, resv, false);
    reserve_gone(act, resv);
}

/* Moves it to the first time that is not over. */
static void come_again(struct act *act, struct reservation_record *resv)
{
    const int64_t length = resv_length(resv);

    while (resv->end <= act->now.wall_s) {
        resv->start = resv_next_start(resv, resv->start);
        resv->end = resv->start + length;
    }
    kept_note(act, KEPT_RESERVATION, resv);
    feed_reservation(act, resv);
}

/* Returns whether the reservation is still there: it is while jobs of it run, and has no nodes
 * then. */
static bool end_time(struct act *act, struct reservation_record *resv)
{
    if (resv->flags & RESV_COMES_AGAIN) {
        come_again(act, resv);
        return true;
    }
    if (resv_is_used(act->control, resv))
        return true;
    remove_it(act, resv);
    return false;
}

/* Notes whether nothing of an open one is used, for PURGE_COMP. Returns whether it is to go. */
static bool is_to_be_purged(struct act *act, struct reservation_record *resv)
{
    const int64_t now_s = act->now.wall_s;
    int64_t idle_since = resv->idle_since ? resv->idle_since : now_s;

    if (!(resv->flags & RESV_PURGE_COMP))
        return false;
    if (resv_is_used(act->control, resv))
        idle_since = 0;
    if (resv->idle_since != idle_since) {
        resv->idle_since = idle_since;
        kept_note(act, KEPT_RESERVATION, resv);
    }
    if (idle_since == 0)
        return false;
    control_wake_at(act->control, moment_ms_of_wall(act->now, idle_since + resv->purge_comp_s));
    return now_s >= idle_since + resv->purge_comp_s;
}

/* What is due by the clock on the wall is due sooner when that is put on, of which nobody tells. */
#define LOOK_MS 60000

static void tick_one(struct act *act, struct reservation_record *resv)
{
    const int64_t now_s = act->now.wall_s;

    if (resv->is_open && !resv_is_open(resv, now_s))
        set_open(act, resv, false);
    if (resv->flags & RESV_TIME_FLOAT)
        return;
    if (resv->end <= now_s && !end_time(act, resv))
        return;
    if (resv->start > now_s) {
        control_wake_at(act->control, moment_ms_of_wall(act->now, resv->start));
        return;
    }
    if (resv->end <= now_s)
        return;
    control_wake_at(act->control, moment_ms_of_wall(act->now, resv->end));
    if (!resv->is_open)
        set_open(act, resv, true);
    if (is_to_be_purged(act, resv))
        remove_it(act, resv);
}

void reserve_tick(struct act *act)
{
    struct reservation_record *resv;
    uint64_t at = 0;

    if (!resv_any(act->control) && act->control->resv_marked)
        return;
    feed_watch_clock(act);
    control_wake_at(act->control, act->now.cluster_ms + LOOK_MS);
    while ((resv = resv_next(act->control, &at)))
        tick_one(act, resv);
    reserve_replace(act);
    if (!act->control->resv_marked) {
        resv_mark_nodes(act->control, act->now.wall_s);
        feed_watch_reserved(act);
    }
    act->control->resv_marked = true;
}
