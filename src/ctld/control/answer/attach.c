/* Clients that follow a job or a step: coming back, and gone. */
#include "ctld/control/answer/attach.h"

#include <string.h>

#include "ctld/control/act/follow.h"
#include "ctld/control/act/owner.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/start.h"
#include "ctld/control/step/end.h"

#define CLOSED_GRACE_MS 5000 /* for a client that has closed its connection */

/* Tells an srun's stream again where its step stands. */
static void repeat_step(struct job *job, struct turn *turn)
{
    struct step *own = job->rec.spec->kind == JOB_KIND_RUN ? job_find_step(job, 0) : NULL;

    if (own && own->rec.state != STEP_PENDING)
        step_tell_state(own, turn);
}

int job_attach(const struct model *model, struct job *job, struct turn *turn)
{
    const bool over = job_state_is_over(job->rec.state);

    job->clients_n++;
    job->client_due_ms = 0;
    if (over) {
        repeat_step(job, turn);
        job_tell(job, JOB_EVENT_ENDED, NULL, true, turn);
        return 0;
    }
    if (job_state_is_active(job->rec.state))
        job_tell_granted(model, job, turn);
    else
        job_tell(job, JOB_EVENT_QUEUED, NULL, false, turn);
    job->told_queued = true;
    repeat_step(job, turn);
    return 0;
}

/* True if another run has given the step's number again since the client got its token. */
static bool is_another(const struct step *step, const char *token)
{
    const struct step_spec *spec = step->rec.spec;

    return token && (!spec || !spec->token || strcmp(spec->token, token) != 0);
}

int control_attach(struct act *act, const struct job_attach *request, uint32_t *ret_job_id,
                   uint32_t *ret_step_id, struct err *err)
{
    struct job *job = NULL;
    struct step *step = NULL;
    int rc = 0;

    (void)act->now;
    if (request->job_id == 0)
        job = model_find_token(act->control->model, act->caller->uid, request->token);
    if (!job)
        rc = job_of_caller(act->control, act->caller, request->job_id, &job, err);
    if (rc < 0)
        return rc;
    if (request->step_id != COUNT_UNSET) {
        step = job_find_step(job, request->step_id);
        if (!step || is_another(step, request->token))
            return err_set(err, E_STEP_ID, "%s: job %u has no step %u", err_string(E_STEP_ID),
                           job->rec.id, request->step_id);
    }
    *ret_job_id = job->rec.id;
    *ret_step_id = request->step_id;
    return step ? step_attach(step, act->turn) : job_attach(act->control->model, job, act->turn);
}

static bool salloc_may_go(const struct control *control, const struct job *job)
{
    return job->rec.state != JOB_PENDING &&
           (!control->model->config.inactive_limit || job->rec.spec->no_client);
}

/*
 * True if the job is nothing without its client. A batch job needs nobody, and what salloc got
 * stays until it is released, as Slurm has it, or until InactiveLimit. A job that still waits for
 * its client to use it, an srun's job, and a step end after the grace.
 */
static bool needs_client(const struct control *control, const struct job *job)
{
    const uint32_t kind = job->rec.spec->kind;

    return !job_state_is_over(job->rec.state) &&
           (kind == JOB_KIND_RUN || (kind == JOB_KIND_ALLOC && !salloc_may_go(control, job)));
}

/* Ends the job because its client is gone: as a timeout where Slurm knows of the limit, too. */
static void end_for_client(struct act *act, struct job *job)
{
    const bool times_out = act->control->model->config.inactive_limit &&
                           job->rec.state != JOB_PENDING && !job->client_closed;
    const struct job_ending ending = {
        .state = times_out ? JOB_TIMEOUT : JOB_CANCELLED,
        .reason = times_out ? REASON_INACTIVE_LIMIT : REASON_NONE,
        .reason_text = "its client is gone",
        .is_forced = true,
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = times_out ? COUNT_UNSET : job->rec.uid,
    };

    job_end(act, job, &ending);
}

/* Returns when the client's grace ends. It is short where the connection was closed, for then the
 * client is no more or comes back at once; one that falls silent may be cut off. */
static int64_t due_ms(struct act *act, bool closed)
{
    int64_t grace_ms = act->control->model->config.client_grace_s * INT64_C(1000);

    if (closed && grace_ms > CLOSED_GRACE_MS)
        grace_ms = CLOSED_GRACE_MS;
    control_wake_at(act->control, act->now.cluster_ms + grace_ms);
    return act->now.cluster_ms + grace_ms;
}

void control_client_gone(struct act *act, uint32_t job_id, uint32_t step_id, bool closed)
{
    struct job *job = model_find_job(act->control->model, job_id);
    struct step *step = job && step_id != COUNT_UNSET ? job_find_step(job, step_id) : NULL;

    (void)act->turn;
    if (step && step->clients_n && --step->clients_n == 0) {
        step->client_due_ms = due_ms(act, closed);
    } else if (job && step_id == COUNT_UNSET && job->clients_n && --job->clients_n == 0) {
        job->client_closed = closed && job->rec.spec->kind == JOB_KIND_RUN;
        job->client_due_ms = due_ms(act, job->client_closed);
    }
}

void attach_await_clients(struct act *act, struct job *job)
{
    if (needs_client(act->control, job))
        job->client_due_ms = due_ms(act, false);
    for (struct step *step = job->live; step; step = step->live_next) {
        if (step->rec.state != STEP_ENDED && step->rec.spec && step_stream(step) != COUNT_UNSET)
            step->client_due_ms = due_ms(act, false);
    }
}

/* True if that moment has come, and then clears it; otherwise the controller wakes up for it. */
static bool is_due(struct act *act, int64_t *due_ms)
{
    if (*due_ms == 0)
        return false;
    if (act->now.cluster_ms < *due_ms) {
        control_wake_at(act->control, *due_ms);
        return false;
    }
    *due_ms = 0;
    return true;
}

void attach_tick(struct act *act, struct job *job)
{
    const struct step_ending gone = { .state = JOB_CANCELLED, .ended_by = job->rec.uid };

    if (is_due(act, &job->client_due_ms) && needs_client(act->control, job))
        end_for_client(act, job);
    for (struct step *step = job->live; step; step = step->live_next) {
        if (is_due(act, &step->client_due_ms))
            step_stop(act, step, &gone);
    }
}

int control_may_read_script(const struct control *control, const struct caller *caller,
                            uint32_t job_id, const struct job **ret_job, struct err *err)
{
    const struct array *array = model_find_array(control->model, job_id);
    struct job *job;

    /* The record with the array's own id may have left before the others. */
    if (array && !model_find_job(control->model, job_id))
        job_id = array->jobs->rec.id;
    job = model_find_job(control->model, job_id);
    if (!job)
        return err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    if (job->rec.uid != caller->uid && !caller_has_level(caller, LEVEL_OPERATOR))
        return err_set(err, E_USER_ID, "%s", err_string(E_USER_ID));
    if (job->rec.spec->kind != JOB_KIND_BATCH)
        return err_set(err, E_NO_SCRIPT, "job %u has no script", job_id);
    *ret_job = job;
    return 0;
}
