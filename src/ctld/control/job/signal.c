/* scancel and its like: ending and signalling jobs and steps, and giving allocations back. */
#include "ctld/control/job/signal.h"

#include <errno.h>
#include <signal.h>

#include "ctld/control/act/owner.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/array.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/step/end.h"

#define SIGNAL_MAX 64

static void order_signal(const char *node, uint32_t job_id, uint32_t step_id, uint32_t signal,
                         uint32_t flags, struct turn *turn)
{
    struct order_signal *order = xmalloc(sizeof(*order));

    order_signal_init(order);
    order->job_id = job_id;
    order->step_id = step_id;
    order->signal = signal;
    order->flags = flags;
    turn_order(turn, node, MSG_ORDER_SIGNAL, order);
}

void job_order_signal(const struct job *job, uint32_t signal, uint32_t flags, struct turn *turn)
{
    const uint32_t nodes_n = flags & SIGNAL_BATCH_ONLY ? 1 : job->rec.nodes_n;

    for (uint32_t i = 0; i < nodes_n; i++) {
        if (!job->rec.nodes[i].clean)
            order_signal(job->rec.nodes[i].name, job->rec.id, COUNT_UNSET, signal, flags, turn);
    }
}

void job_repeat_suspend(const struct job *job, int64_t position, struct turn *turn)
{
    const uint32_t signal = job->rec.state == JOB_SUSPENDED ? SIGSTOP : SIGCONT;

    if (position >= 0 && !job->rec.nodes[position].clean)
        order_signal(job->rec.nodes[position].name, job->rec.id, COUNT_UNSET, signal,
                     SIGNAL_WITH_BATCH, turn);
}

static void step_order_signal(const struct step *step, uint32_t signal, struct turn *turn)
{
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        if (step->rec.nodes[i].state != STEP_ENDED)
            order_signal(step->rec.nodes[i].name, step->rec.job_id, step->rec.step_id, signal, 0,
                         turn);
    }
}

static struct job_ending cancelled(const struct control *control, uint32_t uid)
{
    return (struct job_ending){
        .state = JOB_CANCELLED,
        .is_forced = true,
        .kill_wait_s = control->model->config.kill_wait_s,
        .ended_by = uid,
    };
}

/* True if the request ends the job: KILL for the whole of it is no signal that it could be told of
 * later. */
static bool ends_it(const struct job_signal *request)
{
    const uint32_t parts = SIGNAL_BATCH_ONLY | SIGNAL_STEPS_ONLY;

    return (request->flags & SIGNAL_CANCEL) ||
           (request->signal == SIGKILL && !(request->flags & parts));
}

/* True if the request ends a job without processes: KILL does, whatever part it was for. */
static bool ends_pending(const struct job_signal *request)
{
    return ends_it(request) || request->signal == SIGKILL;
}

static int signal_step(struct act *act, struct job *job, const struct job_signal *request,
                       struct err *err)
{
    struct step *step = job_find_step(job, request->step_id);
    const bool gently = request->flags & SIGNAL_GENTLY;
    const struct step_ending ending = {
        .state = JOB_CANCELLED, .ended_by = act->caller->uid, .at_once = !gently, .is_quiet = gently
    };

    if (!step || step->rec.state == STEP_ENDED)
        return err_set(err, E_STEP_ID, "%s: job %u has no step %u", err_string(E_STEP_ID),
                       job->rec.id, request->step_id);
    if (ends_it(request))
        step_stop(act, step, &ending);
    else
        step_order_signal(step, request->signal, act->turn);
    return 0;
}

static void signal_job(struct act *act, struct job *job, const struct job_signal *request)
{
    const struct job_ending ending = cancelled(act->control, act->caller->uid);
    uint32_t flags = request->flags;

    if (job->rec.state == JOB_PENDING || ends_it(request)) {
        job_end(act, job, &ending);
        return;
    }
    if (!(flags & (SIGNAL_BATCH_ONLY | SIGNAL_WITH_BATCH)))
        flags |= SIGNAL_STEPS_ONLY;
    job_order_signal(job, request->signal, flags, act->turn);
}

static int signal_one(struct act *act, const struct named_job *named,
                      const struct job_signal *request, struct err *err)
{
    const uint32_t state = named->job->rec.state;
    struct job *job;

    if (job_state_is_over(state))
        return err_set(err, E_ALREADY_DONE, "%s", err_string(E_ALREADY_DONE));
    if (state == JOB_PENDING && request->step_id == COUNT_UNSET && !ends_pending(request))
        return err_set(err, E_TRANSITION, "%s", err_string(E_TRANSITION));
    if (state == JOB_PENDING && request->step_id != COUNT_UNSET)
        return 0; /* as in Slurm: there is none that could go on */
    job = named_job_take(act, named);
    if (request->step_id != COUNT_UNSET)
        return signal_step(act, job, request, err);
    signal_job(act, job, request);
    return 0;
}

int control_signal(struct act *act, const struct job_signal *request, struct err *err)
{
    struct named_job *named = NULL;
    struct err first = { 0 };
    uint32_t named_n = 0, done_n = 0;
    int rc;

    if (!ends_it(request) && (request->signal == 0 || request->signal > SIGNAL_MAX))
        return err_set(err, EINVAL, "there is no signal %u (1 to %d)", request->signal, SIGNAL_MAX);
    rc = jobs_named(act->control, act->caller, request->job_id, request->tasks, &named, &named_n,
                    err);
    if (rc < 0)
        return request->step_id == COUNT_UNSET ? rc : say_user_id(rc, err);
    for (uint32_t i = 0; i < named_n; i++)
        done_n += signal_one(act, &named[i], request, first.code ? NULL : &first) == 0;
    named_jobs_free(named, named_n);
    return done_n ? 0 : err_set(err, first.code, "%s", first.text);
}

int control_release(struct act *act, const struct job_release *request, struct err *err)
{
    struct job *job = NULL;
    struct job_ending ending;
    int rc = job_of_caller(act->control, act->caller, request->job_id, &job, err);

    if (rc < 0)
        return rc;
    if (job_state_is_over(job->rec.state))
        return err_set(err, E_ALREADY_DONE, "%s", err_string(E_ALREADY_DONE));
    if (job->rec.spec->kind == JOB_KIND_BATCH)
        return err_set(err, EINVAL, "job %u is a batch job: it ends with its script", job->rec.id);
    ending = job_ending_of(request->exit_status, false);
    ending.kill_wait_s = act->control->model->config.kill_wait_s;
    if (job->rec.state == JOB_PENDING)
        ending = cancelled(act->control, act->caller->uid);
    job->rec.exit_status = request->exit_status;
    job_end(act, job, &ending);
    return 0;
}
