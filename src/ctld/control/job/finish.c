/* How jobs end: what follows from the last transitions of the state machine. */
#include "ctld/control/job/accrue.h"
#include "ctld/control/job/finish.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/text/timetext.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/event.h"
#include "ctld/control/act/follow.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/feed/explain.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/job/configure.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/job/jobfsm.h"
#include "ctld/control/job/mail.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/node/reboot.h"
#include "ctld/control/limit/count.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/request/request.h"
#include "ctld/control/request/spec.h"
#include "ctld/control/step/end.h"
#include "ctld/model/body.h"

struct job_ending job_ending_of(int32_t status, bool out_of_memory)
{
    struct job_ending ending = { .state = JOB_COMPLETE, .ended_by = COUNT_UNSET };

    if (out_of_memory) {
        ending.state = JOB_OOM;
        ending.reason = REASON_OUT_OF_MEMORY;
    } else if (WIFSIGNALED(status)) {
        ending.state = JOB_FAILED;
        ending.reason = REASON_FAIL_SIGNAL;
    } else if (status != 0) {
        ending.state = JOB_FAILED;
        ending.reason = REASON_NON_ZERO_EXIT;
    }
    return ending;
}

char *end_message(struct moment now, const char *why)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_adds(&text, "CANCELLED AT ");
    time_format(&text, now.wall_s, NULL, now.wall_s, "");
    if (why)
        strbuf_addf(&text, " %s", why);
    return strbuf_steal(&text);
}

void order_end(const char *node, const struct order_end *order, struct turn *turn)
{
    struct order_end *copy = xmalloc(sizeof(*copy));

    schema_copy(order_end_schema(), copy, order);
    turn_order(turn, node, MSG_ORDER_END, copy);
}

void job_order_end(struct act *act, const struct job *job, const struct job_node *place,
                   uint32_t kill_wait_s, const char *message)
{
    const struct order_end all = { .job_id = job->rec.id,
                                   .step_id = COUNT_UNSET,
                                   .kill_wait_s = kill_wait_s,
                                   .reason = (char *)(uintptr_t)message };

    if (!model_find_node(act->control->model, place->name))
        return;
    hook_order_epilog(act, job, place, job->rec.launch_number);
    order_end(place->name, &all, act->turn);
}

static void count_end(struct control *control, uint32_t state)
{
    if (state == JOB_COMPLETE)
        control->diag.jobs_completed++;
    else if (state == JOB_CANCELLED)
        control->diag.jobs_canceled++;
    else
        control->diag.jobs_failed++;
}

/* Tells that the job ended. An srun job's stream ends after its step's last event. */
static void tell_ended(struct job *job, struct turn *turn)
{
    const struct step *own = job->rec.spec->kind == JOB_KIND_RUN ? job_find_step(job, 0) : NULL;

    if (!own || own->rec.state == STEP_ENDED)
        job_tell(job, JOB_EVENT_ENDED, NULL, true, turn);
}

static bool is_clean(const struct job *job)
{
    if (job->rec.flags & (JOB_FLAG_RUNS_PROLOG | JOB_FLAG_RUNS_EPILOG))
        return false;
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (!job->rec.nodes[i].clean)
            return false;
    }
    return job->rec.leaving_n == 0;
}

static void wait_again(struct act *act, struct job *job)
{
    job_forget_nodes(job);
    job->rec.start_time = 0;
    job->rec.end_time = 0;
    job->rec.start_cluster_ms = 0;
    job->rec.end_cluster_ms = 0;
    job->rec.suspend_time = 0;
    job->rec.pre_suspend_s = 0;
    job->rec.suspended_ms = 0;
    job->rec.resize_time = 0;
    job->rec.ended_by = COUNT_UNSET;
    job->rec.next_step = 0;
    job->rec.services = 0;
    job->rec.ncpus = spec_cpus(job->rec.spec);
    job->rec.billing = COUNT_UNSET;
    accrue_begin(act->control, job);
    job->rec.eligible_time =
        job->rec.spec->begin > act->now.wall_s ? job->rec.spec->begin : act->now.wall_s;
    feed_job_waits(act, job);
}

/* Ends COMPLETING, once all nodes are clean. */
static void complete(struct act *act, struct job *job)
{
    job->rec.flags &= ~(uint32_t)JOB_FLAG_COMPLETING;
    job->rec.ending = false;
    feed_job_gone(act, job);
    if (job->rec.state == JOB_PENDING)
        wait_again(act, job);
    else
        control_wake_at(act->control, job_retire_ms(act->control, job));
    turn_note_job(act->turn, &job->rec);
    depend_tell(act, job);
}

void job_check_clean(struct act *act, struct job *job)
{
    if ((job->rec.flags & JOB_FLAG_COMPLETING) && is_clean(job))
        complete(act, job);
}

/* Ends the job's steps, and tells every node that still holds something of it. */
static void end_on_nodes(struct act *act, struct job *job, const struct job_ending *ending)
{
    AUTO_FREE char *message = ending->is_forced ? end_message(act->now, ending->why_forced) : NULL;

    /* A job that is stopped hears no other signal but KILL. */
    if (job->rec.suspended_ms)
        job_order_signal(job, SIGCONT, SIGNAL_WITH_BATCH, act->turn);
    model_begin_completing(act->control->model, job);
    act->control->clean_ms =
        act->now.cluster_ms + act->control->model->config.complete_wait_s * INT64_C(1000);
    job->rec.flags |= JOB_FLAG_COMPLETING;
    job->rec.ending = ending->kill_wait_s > 0;
    if (job->rec.resv_id) /* its reservation may be over, or idle from now on */
        control_wake_at(act->control, act->now.cluster_ms);
    for (struct step *step = job->steps; step; step = step->next)
        step_end_with_job(act, step, ending);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (!job->rec.nodes[i].clean)
            job_order_end(act, job, &job->rec.nodes[i], ending->kill_wait_s, message);
    }
    job_clean_up(act, job);
    job_check_clean(act, job);
}

static void end_waiting(struct act *act, struct job *job, const struct job_ending *ending)
{
    feed_job_gone(act, job);
    if (job->rec.start_time == 0)
        job->rec.start_time = act->now.wall_s;
    for (struct step *step = job->steps; step; step = step->next)
        step_end_with_job(act, step, ending);
    control_wake_at(act->control, job_retire_ms(act->control, job));
    depend_tell(act, job);
}

/* Sets the reason to "RaisedSignal:9(Killed)", as Slurm writes it. */
static void set_end_reason(struct job *job, const struct job_ending *ending)
{
    AUTO_FREE char *text = NULL;

    if (ending->reason == REASON_NONE && job->rec.start_cluster_ms == 0)
        return;
    if (ending->reason == REASON_FAIL_SIGNAL)
        text = xasprintf("RaisedSignal:%d(%s)", WTERMSIG(job->rec.exit_status),
                         strsignal(WTERMSIG(job->rec.exit_status)));
    job_set_reason(job, ending->reason, text ? text : ending->reason_text);
}

void job_end(struct act *act, struct job *job, const struct job_ending *ending)
{
    const bool was_waiting = job->rec.state == JOB_PENDING;
    const bool is_requeued = was_waiting && (job->rec.flags & JOB_FLAG_COMPLETING);

    if (!jobfsm_may(job->rec.state, ending->state))
        return;
    job_note_wait(act->control, act->now, job);
    acct_usage_end(act, job);
    jobfsm_move(job, ending->state);
    limit_count(act->control, job);
    set_end_reason(job, ending);
    job->rec.end_time = act->now.wall_s;
    job->rec.end_cluster_ms = act->now.cluster_ms;
    job->rec.ended_by = ending->ended_by;
    count_end(act->control, ending->state);
    if (!was_waiting)
        end_on_nodes(act, job, ending);
    else if (!is_requeued)
        end_waiting(act, job, ending);
    if (job->array)
        feed_array(act, job->array);
    if (job->rec.resv_id) /* which may be over but for this job */
        control_wake_at(act->control, act->now.cluster_ms);
    tell_ended(job, act->turn);
    job_mail(act, job, NEWS_ENDED);
    turn_note_job_end(act->turn, &job->rec, &job->body->msg);
    event_note_end(act, job);
}

bool job_may_requeue(const struct control *control, const struct job *job)
{
    const struct job_spec *spec = job->rec.spec;

    if (spec->kind != JOB_KIND_BATCH || spec->requeue == REQUEUE_NO)
        return false;
    return spec->requeue == REQUEUE_YES || control->model->config.requeue;
}

/* Notes the run that is given up, and what came of it, for the history. */
static void note_run(struct moment now, const struct job *job, const struct job_ending *ending,
                     struct turn *turn)
{
    AUTO(job_record) struct job_record run;

    schema_copy(job_record_schema(), &run, &job->rec);
    if (!job_state_is_over(run.state)) {
        run.state = ending->state;
        run.reason = ending->reason;
        run.end_time = now.wall_s;
        run.ended_by = ending->ended_by;
    }
    if (job_runs(&run) > 0) /* else it ended without having run */
        turn_note_run(turn, &run, &job->body->msg);
}

void job_requeue(struct act *act, struct job *job, const struct job_ending *ending)
{
    const bool was_over = job_state_is_over(job->rec.state);

    note_run(act->now, job, ending, act->turn);
    event_note_job(act, EVENT_JOB_REQUEUED, job, job_state_name(ending->state, 0));
    acct_usage_end(act, job);
    jobfsm_move(job, JOB_PENDING);
    limit_count(act->control, job);
    job->rec.flags |= JOB_FLAG_REQUEUED;
    job->rec.restarts++;
    job->rec.submit_time = act->now.wall_s;
    job->rec.spec->begin = act->now.wall_s + act->control->model->config.requeue_delay_s;
    /* Its time limit may be another, its partition too. */
    limit_read_request(act->control, &job->rec, job->partition, &job->request);
    if (ending->reason != REASON_NON_ZERO_EXIT) /* that is told as a failure */
        job_mail(act, job, NEWS_REQUEUED);
    if (job->rec.priority > 0) /* else the reason says who holds it */
        job_set_reason(job, ending->reason, ending->reason_text);
    if (!was_over)
        end_on_nodes(act, job, ending);
    else if (!(job->rec.flags & JOB_FLAG_COMPLETING))
        wait_again(act, job);
    if (job->array)
        feed_array(act, job->array);
    turn_note_job(act->turn, &job->rec);
}

/* True if the job goes on without the node. A batch job without its first node has no script. */
static bool goes_on_without(const struct job *job, uint32_t position)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        left += i != position && !job->rec.nodes[i].clean;
    return job->rec.spec->no_kill && left > 0 &&
           (position > 0 || job->rec.spec->kind != JOB_KIND_BATCH);
}

/* Requeues the job where that is allowed, else ends it, because its node failed. */
static void fail_for_node(struct act *act, struct job *job, uint32_t position, const char *why)
{
    struct job_ending ending = {
        .state = JOB_NODE_FAIL,
        .reason = REASON_NODE_DOWN,
        .is_forced = true,
        .why_forced = "DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS",
        .kill_wait_s = act->control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };
    AUTO_FREE char *text = xasprintf("NodeDown: %s: %s", job->rec.nodes[position].name, why);

    ending.reason_text = text;
    if (job_may_requeue(act->control, job))
        job_requeue(act, job, &ending);
    else
        job_end(act, job, &ending);
}

/* Ends what the job's steps had on a node. */
static void node_over(struct act *act, struct job *job, const char *name, const char *why)
{
    for (struct step *step = job->steps; step; step = step->next) {
        int64_t at = step_is_active(step) ? step_position(step, name) : -1;

        if (at >= 0)
            step_node_over(act, step, (uint32_t)at, NULL, why);
    }
}

static void tell_freed(struct act *act, const struct job *job, const struct job_node *place)
{
    struct node *node = model_find_node(act->control->model, place->name);

    if (!node)
        return;
    node->rec.last_busy = act->now.wall_s;
    bitset_add(&act->control->outages_due, node->index); /* it may have been drained by this */
    hook_forget(act, job, place);
    feed_node_freed(act, job, node->index);
    reboot_go_on(act, node);
}

static void give_back(struct act *act, struct job *job, uint32_t position)
{
    struct job_node *place = &job->rec.nodes[position];

    model_free_node(act->control->model, job, position);
    place->clean = true;
    tell_freed(act, job, place);
    if ((job->rec.flags & JOB_FLAG_COMPLETING) && is_clean(job))
        complete(act, job);
    else
        turn_note_job(act->turn, &job->rec);
}

/* Takes the node from the job without hope of a word from it: it failed, or is not configured any
 * more. */
static void node_lost(struct act *act, struct job *job, uint32_t position, const char *why)
{
    if (position >= job->rec.nodes_n || job->rec.nodes[position].clean)
        return;
    node_over(act, job, job->rec.nodes[position].name, why);
    if (position < job->rec.nodes_n && !job->rec.nodes[position].clean)
        give_back(act, job, position);
}

void job_node_failed(struct act *act, struct job *job, uint32_t position, const char *why)
{
    if (job_state_is_active(job->rec.state) && !goes_on_without(job, position))
        fail_for_node(act, job, position, why);
    node_lost(act, job, position, why);
}

/* How many lost launches a job may have, as in Slurm, which shows the number as BatchFlag. */
#define LOST_LAUNCHES_MAX 5

void job_step_lost(struct act *act, struct job *job, uint32_t position, const char *why)
{
    if (job_may_requeue(act->control, job) && ++job->rec.lost_launches >= LOST_LAUNCHES_MAX)
        job_hold_for_losses(job);
    fail_for_node(act, job, position, why);
}

void job_node_clean(struct act *act, struct job *job, uint32_t position)
{
    if (job->rec.nodes[position].clean || !(job->rec.flags & JOB_FLAG_COMPLETING))
        return;
    node_over(act, job, job->rec.nodes[position].name, NULL);
    give_back(act, job, position);
}

void job_leaving_clean(struct act *act, struct job *job, const char *node, const char *why)
{
    AUTO_FREE char *name = xstrdup(node); /* it may be that of the place, which goes */
    const struct job_node *place = job_find_leaving(job, name);
    struct job_node gone;

    if (!place)
        return;
    node_over(act, job, name, why);
    gone = model_free_leaving(act->control->model, job, (uint32_t)(place - job->rec.leaving));
    tell_freed(act, job, &gone);
    job_node_clear(&gone);
    if ((job->rec.flags & JOB_FLAG_COMPLETING) && is_clean(job))
        complete(act, job);
    else
        turn_note_job(act->turn, &job->rec);
}
