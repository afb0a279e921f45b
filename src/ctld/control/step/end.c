/* Steps: what nodes say about them, and how they end. */
#include "ctld/control/step/end.h"

#include <signal.h>
#include <string.h>

#include "ctld/control/act/follow.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/job/requeue.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/node/update.h"
#include "ctld/control/step/step.h"
#include "ctld/control/step/usage.h"

int64_t step_position(const struct step *step, const char *node)
{
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        if (strcmp(step->rec.nodes[i].name, node) == 0)
            return i;
    }
    return -1;
}

bool step_is_active(const struct step *step)
{
    return step->rec.state != STEP_PENDING && step->rec.state != STEP_ENDED;
}

/* True for the step whose end with the job is what it is for, however the job ends. */
static bool ends_well(const struct step *step)
{
    return step->rec.step_id == STEP_EXTERN;
}

/* True if the end of a job says something of the job alone. */
static bool is_not_for_steps(uint32_t job_state)
{
    return job_state == JOB_COMPLETE || job_state == JOB_FAILED || job_state == JOB_TIMEOUT;
}

/* Returns the state of a job's steps. As in Slurm the job alone failed for its node. */
static uint32_t state_for_steps(uint32_t job_state)
{
    return is_not_for_steps(job_state) || job_state == JOB_NODE_FAIL ? JOB_CANCELLED : job_state;
}

static void tell_ended(struct step *step, const char *text, struct turn *turn)
{
    struct step_event event;

    step_event_init(&event);
    event.kind = STEP_EVENT_ENDED;
    event.text = (char *)text;
    step_tell(step, &event, true, turn);
}

/* Ends the job with its script, or with an srun's own step. A job that has ended already still
 * takes their exit status. */
static void job_follows(struct act *act, struct step *step, const char *why)
{
    struct job *job = step->job;
    struct job_ending ending;

    /* A script of an earlier run of a requeued job does not end this one. */
    if (step->rec.nodes_n && job->rec.launch_number != step->rec.launch_number)
        return;
    /* As in Slurm, what ended the script of a job that is to run again says nothing of the job. */
    if (job->rec.state != JOB_PENDING)
        job->rec.exit_status = step->rec.exit_status;
    if (!job_state_is_active(job->rec.state)) {
        turn_note_job(act->turn, &job->rec);
        return;
    }
    if (!why && step->rec.end_state == JOB_FAILED && job_requeue_for_exit(act, job))
        return;
    ending = job_ending_of(step->rec.exit_status, step->rec.end_state == JOB_OOM);
    if (why)
        ending.state = JOB_FAILED;
    if (step->rec.end_state == JOB_CANCELLED || step->rec.end_state == JOB_TIMEOUT)
        ending.state = step->rec.end_state;
    if (step->rec.end_state == JOB_CANCELLED)
        ending.reason = REASON_NONE;
    if (step->rec.end_state == JOB_TIMEOUT)
        ending.reason = REASON_TIME_LIMIT;
    if (why && ending.state == JOB_FAILED) {
        ending.reason = REASON_LAUNCH_FAILED;
        ending.reason_text = why;
    }
    ending.ended_by = step->rec.ended_by;
    ending.kill_wait_s = act->control->model->config.kill_wait_s;
    job_end(act, job, &ending);
}

static bool is_the_job(const struct step *step)
{
    return step->rec.step_id == STEP_BATCH || step_stream(step) == COUNT_UNSET;
}

/* True if the step's exit decides how it ended. One that is told to end because its job is over may
 * still end in its own way, or had ended before the job did, on a node that could not say so. */
static bool ends_by_exit(const struct step *step)
{
    if (step->rec.end_state == JOB_PENDING)
        return true;
    return step->rec.end_state == JOB_CANCELLED && step->rec.ended_by == COUNT_UNSET &&
           is_not_for_steps(step->job->rec.state) && step->rec.nodes_n &&
           !WIFSIGNALED(step->rec.exit_status);
}

static uint32_t end_state_of(const struct step *step)
{
    if (!ends_by_exit(step))
        return step->rec.end_state;
    return step->rec.exit_status == 0 ? JOB_COMPLETE : JOB_FAILED;
}

static void end_step(struct act *act, struct step *step, const char *why)
{
    struct job *job = step->job;

    step->rec.end_state = end_state_of(step);
    step->rec.state = STEP_ENDED;
    step->rec.end_time = act->now.wall_s;
    if (step->rec.step_id < STEP_SERVICE_MIN && step->rec.exit_status > job->rec.derived_status) {
        job->rec.derived_status = step->rec.exit_status;
        turn_note_job(act->turn, &job->rec);
    }
    turn_note_step(act->turn, &step->rec);
    tell_ended(step, step->rec.nodes_n ? NULL : why, act->turn);
    if (is_the_job(step))
        job_follows(act, step, why);
    /* The stream of an srun's job that ended before its step ends now. */
    if (step_stream(step) == COUNT_UNSET && job_state_is_over(job->rec.state))
        job_tell(job, JOB_EVENT_ENDED, NULL, true, act->turn);
    if (job->rec.state == JOB_RUNNING && step->rec.nodes_n)
        job_start_steps(act, job);
}

static void order_node(const struct step *step, uint32_t position, uint32_t kill_wait_s,
                       const char *message, struct turn *turn)
{
    const struct order_end order = { .job_id = step->rec.job_id,
                                     .step_id = step->rec.step_id,
                                     .launch_number = step->rec.launch_number,
                                     .kill_wait_s = kill_wait_s,
                                     .reason = (char *)(uintptr_t)message };

    order_end(step->rec.nodes[position].name, &order, turn);
}

/* Tells the step's followers that its tasks are ended, before the tasks say so themselves. */
static void tell_ending(struct step *step, struct turn *turn)
{
    struct step_event event;

    step_event_init(&event);
    event.kind = STEP_EVENT_ENDING;
    step_tell(step, &event, false, turn);
}

/* Returns the seconds between TERM and KILL; 0: KILL at once. */
static uint32_t kill_wait_of(const struct control *control, const struct step *step)
{
    return step->rec.kill_signal == SIGKILL ? 0 : control->model->config.kill_wait_s;
}

static void order_all_to_end(const struct step *step, uint32_t kill_wait_s, const char *message,
                             struct turn *turn)
{
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        if (step->rec.nodes[i].state != STEP_ENDED)
            order_node(step, i, kill_wait_s, message, turn);
    }
}

void step_repeat_end(struct act *act, const struct step *step, uint32_t position)
{
    order_node(step, position, kill_wait_of(act->control, step), NULL, act->turn);
}

void step_stop(struct act *act, struct step *step, const struct step_ending *ending)
{
    AUTO_FREE char *message = NULL;

    if (step->rec.state == STEP_ENDED)
        return;
    step->rec.end_state = ending->state;
    step->rec.ended_by = ending->ended_by;
    step->rec.kill_signal = ending->at_once ? SIGKILL : SIGTERM;
    if (step->rec.state == STEP_PENDING) {
        end_step(act, step, ending->why ? ending->why : "Cancelled pending job step");
        return;
    }
    step->rec.state = STEP_ENDING;
    turn_note_step(act->turn, &step->rec);
    message = end_message(act->now, ending->why);
    if (!ending->is_quiet)
        tell_ending(step, act->turn);
    order_all_to_end(step, kill_wait_of(act->control, step), message, act->turn);
}

void step_end_with_job(struct act *act, struct step *step, const struct job_ending *ending)
{
    if (step->rec.state == STEP_ENDED)
        return;
    if (!ends_well(step) && step->rec.end_state == JOB_PENDING)
        step->rec.end_state = state_for_steps(ending->state);
    if (!ends_well(step) && step->rec.ended_by == COUNT_UNSET)
        step->rec.ended_by = ending->ended_by;
    if (step->rec.state == STEP_PENDING) {
        end_step(act, step, "its job has ended");
        return;
    }
    step->rec.state = STEP_ENDING;
    step->rec.kill_signal = SIGTERM;
    turn_note_step(act->turn, &step->rec);
    tell_ending(step, act->turn);
}

static void take_exits(struct step *step, const struct step_report *report)
{
    for (uint32_t i = 0; i < report->exits_n && !ends_well(step); i++) {
        if (report->exits[i].status > step->rec.exit_status)
            step->rec.exit_status = report->exits[i].status;
    }
    if (!report->out_of_memory)
        return;
    step->rec.end_state = JOB_OOM;
    step->rec.exit_status = OUT_OF_MEMORY_STATUS; /* whatever a shell made of its child's end */
}

static void tell_node(struct step *step, uint32_t position, const struct step_report *report,
                      const char *why, struct turn *turn)
{
    struct step_event event;

    step_event_init(&event);
    event.kind = why ? STEP_EVENT_NODE_FAILED : STEP_EVENT_NODE_ENDED;
    event.node = step->rec.nodes[position].name;
    event.text = (char *)why;
    if (report) {
        event.exits = report->exits;
        event.exits_n = report->exits_n;
    }
    step_tell(step, &event, false, turn);
}

static bool has_ended(const struct step *step)
{
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        if (step->rec.nodes[i].state != STEP_ENDED)
            return false;
    }
    return true;
}

bool step_ends_for_memory(const struct control *control, const struct step *step)
{
    uint32_t said = step->rec.spec ? step->rec.spec->oom_kill : OOM_KILL_DEFAULT;

    if (step->rec.step_id == STEP_EXTERN)
        return false;
    if (said == OOM_KILL_DEFAULT)
        said = step->job->rec.spec->oom_kill;
    return said == OOM_KILL_DEFAULT ? control->model->config.oom_kill_step : said == OOM_KILL_STEP;
}

/* True if the end on one node ends the step everywhere: that node failed, or a task did with
 * --kill-on-bad-exit. A node that the job gives back does not count. */
static bool ends_the_rest(const struct control *control, const struct step *step, uint32_t position,
                          const char *why)
{
    const struct step_spec *spec = step->rec.spec;

    if (step->rec.state == STEP_ENDING ||
        job_find_leaving(step->job, step->rec.nodes[position].name))
        return false;
    if (why)
        return !ends_well(step) && (!spec || !spec->no_kill);
    if (step->rec.end_state == JOB_OOM && step_ends_for_memory(control, step))
        return true;
    return step->rec.exit_status != 0 &&
           ((spec && spec->kill_on_bad_exit) ||
            (control->model->config.kill_on_bad_exit && !step_is_service(step->rec.step_id)));
}

/* Notes that the step runs if no node is still starting. A node that has ended has started, too,
 * though that may never have been told. */
static void note_all_started(struct step *step)
{
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        if (step->rec.nodes[i].state == STEP_STARTING)
            return;
    }
    if (step->rec.state == STEP_STARTING)
        step->rec.state = STEP_RUNNING;
}

void step_node_over(struct act *act, struct step *step, uint32_t position,
                    const struct step_report *report, const char *why)
{
    struct step_node *part = &step->rec.nodes[position];

    if (part->state == STEP_ENDED)
        return;
    part->state = STEP_ENDED;
    if (report) {
        take_exits(step, report);
        step_add_usage(&step->rec, position, report);
    }
    if (why && step->rec.end_state == JOB_PENDING)
        step->rec.end_state = JOB_FAILED;
    tell_node(step, position, report, why, act->turn);
    if (has_ended(step)) {
        end_step(act, step, why);
        return;
    }
    note_all_started(step);
    if (ends_the_rest(act->control, step, position, why)) {
        if (step->rec.end_state == JOB_OOM && step_ends_for_memory(act->control, step))
            step->rec.kill_signal = SIGKILL; /* as its own node did it */
        order_all_to_end(step, kill_wait_of(act->control, step), NULL, act->turn);
        step->rec.state = STEP_ENDING;
    }
    turn_note_step(act->turn, &step->rec);
    if (step->job->rec.state == JOB_RUNNING)
        job_start_steps(act, step->job);
}

static void forget(const char *node, const struct step_report *report, struct turn *turn)
{
    struct order_forget *order = xmalloc(sizeof(*order));

    order_forget_init(order);
    order->job_id = report->job_id;
    order->step_id = report->step_id;
    order->launch_number = report->launch_number;
    turn_order(turn, node, MSG_ORDER_FORGET, order);
}

/*
 * Ends a step that nobody here knows, or that was launched for an earlier allocation. Where its job
 * is to have nothing on that node any more, all that it has left there goes, as at the end of a
 * job; the Epilog runs only where something runs, for else it may have run already.
 */
static void take_stranger(struct act *act, struct job *job, const char *node,
                          const struct step_report *report)
{
    const struct job_node gone = { .name = (char *)(uintptr_t)node };
    const struct job_node *place = job ? job_find_place(job, node) : NULL;
    const bool is_here = place && !place->clean;
    const bool is_alive = report->state == HELD_STARTING || report->state == HELD_RUNNING;
    struct order_end end = { .job_id = report->job_id, .step_id = COUNT_UNSET };

    if (is_here) { /* a step of the same number may be one of the job's that goes on */
        end.step_id = report->step_id;
        end.launch_number = report->launch_number;
    }

    if (is_alive && job && !is_here)
        hook_order_epilog(act, job, place ? place : &gone, report->launch_number);
    if (is_alive || !is_here)
        order_end(node, &end, act->turn);
    if (!is_alive)
        forget(node, report, act->turn);
}

static void take_running(struct step *step, uint32_t position, struct turn *turn)
{
    const struct job *job = step->job;

    if (step->rec.nodes[position].state != STEP_STARTING)
        return;
    step->rec.nodes[position].state = STEP_RUNNING;
    note_all_started(step);
    turn_note_step(turn, &step->rec);
    /* The step may have started after the job was stopped. */
    if (job->rec.state == JOB_SUSPENDED)
        job_repeat_suspend(job, job_position(job, step->rec.nodes[position].name), turn);
}

/*
 * Takes the failure of a launch: the order was refused, could not be carried out, or its outcome is
 * lost. A lost one may have run, so it is the node's failure, and is never tried again under the
 * same number.
 */
static void take_failure(struct act *act, struct step *step, uint32_t position,
                         const struct step_report *report)
{
    const char *name = step->rec.nodes[position].name;
    const bool lost = report->state == HELD_LOST;
    AUTO_FREE char *why = xasprintf("%s: %s", lost ? "launch lost" : "launch failed",
                                    report->error ? report->error : err_string(report->code));
    int64_t at = job_position(step->job, name);

    if (report->code == E_SPOOL)
        node_drain_for(act, model_find_node(act->control->model, name), report->error);
    if (lost && is_the_job(step) && job_state_is_active(step->job->rec.state) && at >= 0)
        job_step_lost(act, step->job, (uint32_t)at, why);
    else if (report->by_node && step->rec.step_id == STEP_BATCH &&
             job_state_is_active(step->job->rec.state))
        job_launch_failed(act, step->job, why);
    if (!lost && step->rec.end_state == JOB_PENDING && step->rec.exit_status == 0)
        step->rec.exit_status = STATUS_NOT_LAUNCHED;
    if (report->code == E_PROLOG)
        step->rec.exit_status = STATUS_PROLOG_FAILED;
    step_node_over(act, step, position, report, why);
}

void step_take_report(struct act *act, const char *node, const struct step_report *report)
{
    struct job *job = model_find_job(act->control->model, report->job_id);
    struct step *step = job ? job_find_step(job, report->step_id) : NULL;
    int64_t position = step ? step_position(step, node) : -1;

    if (position < 0 || report->launch_number != step->rec.launch_number ||
        step->rec.nodes[position].state == STEP_ENDED) {
        take_stranger(act, job, node, report);
        return;
    }
    switch (report->state) {
    case HELD_STARTING:
        return;
    case HELD_RUNNING:
        take_running(step, (uint32_t)position, act->turn);
        return;
    case HELD_ENDED:
        if (report->code)
            take_failure(act, step, (uint32_t)position, report);
        else
            step_node_over(act, step, (uint32_t)position, report, NULL);
        break;
    default:
        take_failure(act, step, (uint32_t)position, report);
    }
    forget(node, report, act->turn);
}

void step_tell_state(struct step *step, struct turn *turn)
{
    struct step_event event;
    const bool over = step->rec.state == STEP_ENDED;

    step_event_init(&event);
    event.kind = over                              ? STEP_EVENT_ENDED
                 : step->rec.state == STEP_PENDING ? STEP_EVENT_WAITING
                                                   : STEP_EVENT_CREATED;
    step_tell(step, &event, over, turn);
}

int step_attach(struct step *step, struct turn *turn)
{
    step->clients_n++;
    step->client_due_ms = 0;
    step_tell_state(step, turn);
    return 0;
}
