#include "cli/import/queue/take.h"

#include <stdio.h>

#include "common/base/plain.h"

/* ---- telling ---- */

static void name_unit(const struct unit *unit, struct strbuf *out)
{
    const struct queue_job *job = unit->jobs[0];

    if (!job->array_id)
        strbuf_addf(out, "%u", job->job_id);
    else
        strbuf_addf(out, "%u_[%s]", job->array_id, unit->tasks ? unit->tasks : job->tasks);
}

static void fail(struct taking *taking, const struct unit *unit, const struct err *err)
{
    AUTO(strbuf) struct strbuf name = { 0 };

    name_unit(unit, &name);
    log_error(taking->log, "job %s: %s", strbuf_text(&name), err->text);
    taking->failures_n++;
}

static void say_fate(const struct unit *unit, bool is_done, struct strbuf *out)
{
    const struct queue_job *job = unit->jobs[0];

    if (unit->state == UNIT_STAYS) {
        strbuf_addf(out, "stays: %s", unit->why);
        return;
    }
    if (unit->state == UNIT_HERE)
        strbuf_addf(out, "%s job %u", is_done ? "is" : "is here already:", unit->job_id);
    else if (unit->state == UNIT_ARRIVING)
        strbuf_addf(out, "is job %u, not released yet", unit->job_id);
    else
        strbuf_adds(out, is_done ? "did not come" : "comes");
    if (unit->dependency_lacks)
        strbuf_addf(out, ", held: %s (%s)", unit->dependency_lacks, unit->wish.dependency);
    else if (job->hold != QUEUE_HOLD_NONE)
        strbuf_adds(out, job->hold == QUEUE_HOLD_ADMIN ? ", held by an administrator" : ", held");
    if (unit->wish.notes.len)
        strbuf_addf(out, "; %s", strbuf_text(&unit->wish.notes));
}

void take_print(const struct taking *taking, bool is_done)
{
    uint32_t stays_n = 0;

    printf("%-20s %-12s %s\n", "JOB THERE", "USER", is_done ? "HERE" : "WHAT WOULD COME");
    for (uint32_t i = 0; i < taking->units->n; i++) {
        const struct unit *unit = &taking->units->at[i];
        AUTO(strbuf) struct strbuf name = { 0 };
        AUTO(strbuf) struct strbuf fate = { 0 };

        name_unit(unit, &name);
        say_fate(unit, is_done, &fate);
        plain_escape(&fate, 0);
        printf("%-20s %-12s %s\n", strbuf_text(&name), unit->jobs[0]->user_name,
               strbuf_text(&fate));
        stays_n += unit->state == UNIT_STAYS;
    }
    printf("%u jobs and arrays; %u of them stay\n", taking->units->n, stays_n);
}

/* ---- the other cluster ---- */

/* Returns the record as the other cluster has it now, or NULL. */
static const struct queue_job *now_there(const struct saved *now, const struct queue_job *job)
{
    return saved_find(now, job);
}

/* Leaves out what has changed there since the queue was saved: such a job may run there. */
static void check_there(const struct taking *taking, const struct saved *now, struct unit *unit)
{
    for (uint32_t i = 0; unit->state == UNIT_NEW && i < unit->jobs_n; i++) {
        const struct queue_job *job = now_there(now, unit->jobs[i]);

        if (!job)
            unit_stay(unit, "it is no longer in the queue of %s", taking->old->cluster);
        else if (!job->waits)
            unit_stay(unit, "it was released in %s, and runs", taking->old->cluster);
        else if (job->hold != QUEUE_HOLD_ADMIN)
            unit_stay(unit, "it was released in %s; save again", taking->old->cluster);
    }
}

static int check_all_there(struct taking *taking, struct err *err)
{
    AUTO(saved) struct saved now = { 0 };
    int rc = taking->old ? old_list(taking->old, &now, err) : 0;

    for (uint32_t i = 0; rc == 0 && taking->old && i < taking->units->n; i++)
        check_there(taking, &now, &taking->units->at[i]);
    return rc;
}

static int cancel_unit(const struct taking *taking, const struct saved *now,
                       const struct unit *unit, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < unit->jobs_n; i++) {
        const struct queue_job *job = now_there(now, unit->jobs[i]);

        if (job && job->waits && job->hold == QUEUE_HOLD_ADMIN)
            rc = old_cancel(taking->old, unit->jobs[i], err);
    }
    return rc;
}

/* Cancels what has come, where it is still held, and looks what is there then. */
static int cancel_there(const struct taking *taking, struct saved *ret_now, struct err *err)
{
    AUTO(saved) struct saved before = { 0 };
    int rc = old_list(taking->old, &before, err);

    for (uint32_t i = 0; rc == 0 && i < taking->units->n; i++) {
        if (taking->units->at[i].state == UNIT_ARRIVING)
            rc = cancel_unit(taking, &before, &taking->units->at[i], err);
    }
    return rc < 0 ? rc : old_list(taking->old, ret_now, err);
}

/* Says whether the other cluster has let the unit go. If it runs there, it must not run here. */
static bool is_let_go(struct taking *taking, const struct saved *now, struct unit *unit)
{
    for (uint32_t i = 0; i < unit->jobs_n; i++) {
        const struct queue_job *job = now_there(now, unit->jobs[i]);
        struct err err = { 0 };

        if (!job)
            continue;
        err_fill(&err, EAGAIN,
                 "cluster %s has not cancelled it; here it stays held until the "
                 "import is repeated",
                 taking->old->cluster);
        if (!job->waits && here_cancel(taking->here, unit, &err) == 0) {
            unit_stay(unit, "it was released in %s, and runs", taking->old->cluster);
            return false;
        }
        fail(taking, unit, &err);
        return false;
    }
    return true;
}

/* ---- here ---- */

/* Submits what has all that it waits for; returns how many were submitted, or have failed. */
static uint32_t submit_round(struct taking *taking)
{
    uint32_t done_n = 0;

    for (uint32_t i = 0; i < taking->units->n; i++) {
        struct unit *unit = &taking->units->at[i];
        struct err err = { 0 };

        if (unit->state != UNIT_NEW || !units_map_dependency(taking->units, unit))
            continue;
        if (here_submit(taking->here, unit, &err) < 0) {
            fail(taking, unit, &err);
            unit_stay(unit, "%s", err.text);
        }
        done_n++;
    }
    return done_n;
}

static void finish_all(struct taking *taking, const struct saved *now)
{
    for (uint32_t i = 0; i < taking->units->n; i++) {
        struct unit *unit = &taking->units->at[i];
        struct err err = { 0 };

        if (unit->state != UNIT_ARRIVING || !is_let_go(taking, now, unit))
            continue;
        (void)units_map_dependency(taking->units, unit);
        if (here_finish(taking->here, unit, &err) < 0)
            fail(taking, unit, &err);
    }
}

int take_all(struct taking *taking, struct err *err)
{
    AUTO(saved) struct saved now = { 0 };
    int rc = here_find(taking->here, taking->units, err);

    if (rc == 0)
        rc = check_all_there(taking, err);
    if (rc < 0)
        return rc;
    while (submit_round(taking) > 0)
        continue;
    if (taking->old)
        rc = cancel_there(taking, &now, err);
    if (rc == 0)
        finish_all(taking, &now);
    return rc;
}

int take_plan(struct taking *taking, struct err *err)
{
    int rc = here_find(taking->here, taking->units, err);

    for (uint32_t i = 0; rc == 0 && i < taking->units->n; i++) {
        struct unit *unit = &taking->units->at[i];
        struct err why = { 0 };

        if (unit->state == UNIT_STAYS)
            continue;
        (void)units_map_dependency(taking->units, unit);
        xstrset(&unit->dependency, NULL); /* numbers of here are not all known yet */
        if (unit->state == UNIT_NEW && here_try(taking->here, unit, &why) < 0)
            unit_stay(unit, "it is refused here: %s", why.text);
    }
    return rc;
}
