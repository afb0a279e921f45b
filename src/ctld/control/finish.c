/* How jobs end: what follows from the last transitions of the state machine. */
#include "ctld/control/hook.h"
#include "ctld/control/jobfsm.h"
#include "ctld/control/mail.h"
#include "ctld/control/node_act.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/text/timetext.h"

int64_t job_position(const struct job *job, const char *node)
{
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (strcmp(job->rec.nodes[i].name, node) == 0)
            return i;
    }
    return -1;
}

struct job_node *job_find_leaving(struct job *job, const char *node)
{
    for (uint32_t i = 0; i < job->rec.leaving_n; i++) {
        if (strcmp(job->rec.leaving[i].name, node) == 0)
            return &job->rec.leaving[i];
    }
    return NULL;
}

struct job_node *job_find_place(struct job *job, const char *node)
{
    const int64_t position = job_position(job, node);

    return position >= 0 ? &job->rec.nodes[position] : job_find_leaving(job, node);
}

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

void order_end(const char *node, uint32_t job_id, uint32_t step_id, uint32_t kill_wait_s,
               const char *message, struct turn *turn)
{
    struct order_end *order = xmalloc(sizeof(*order));

    order_end_init(order);
    order->job_id = job_id;
    order->step_id = step_id;
    order->kill_wait_s = kill_wait_s;
    order->reason = xstrdup(message);
    turn_order(turn, node, MSG_ORDER_END, order);
}

void job_order_end(const struct control *control, const struct job *job,
                   const struct job_node *place, uint32_t kill_wait_s, const char *message,
                   struct turn *turn)
{
    if (!model_find_node(control->model, place->name))
        return;
    hook_order_epilog(control, job, place, job->rec.launch_number, turn);
    order_end(place->name, job->rec.id, COUNT_UNSET, kill_wait_s, message, turn);
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

/* The stream of an srun job ends after its step's last event. */
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

static void wait_again(struct control *control, struct moment now, struct job *job)
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
    job->rec.ncpus = spec_cpus(job->rec.spec);
    job->rec.billing = COUNT_UNSET;
    job->rec.accrue_time = 0;
    job->rec.eligible_time = job->rec.spec->begin > now.wall_s ? job->rec.spec->begin : now.wall_s;
    feed_job_waits(control, now, job);
}

/* All nodes are clean. */
static void complete(struct control *control, struct moment now, struct job *job, struct turn *turn)
{
    job->rec.flags &= ~(uint32_t)JOB_FLAG_COMPLETING;
    job->rec.ending = false;
    feed_job_gone(control, now, job);
    if (job->rec.state == JOB_PENDING)
        wait_again(control, now, job);
    else
        control_wake_at(control, job_retire_ms(control, job));
    turn_note_job(turn, &job->rec);
    depend_tell(control, now, job, turn);
}

void job_check_clean(struct control *control, struct moment now, struct job *job, struct turn *turn)
{
    if ((job->rec.flags & JOB_FLAG_COMPLETING) && is_clean(job))
        complete(control, now, job, turn);
}

/* Every node that still holds something is told; steps that wait are over. */
static void end_on_nodes(struct control *control, struct moment now, struct job *job,
                         const struct job_ending *ending, struct turn *turn)
{
    AUTO_FREE char *message = ending->is_forced ? end_message(now, ending->why_forced) : NULL;

    /* Who is stopped hears no other signal but KILL. */
    if (job->rec.suspended_ms)
        job_order_signal(job, SIGCONT, SIGNAL_WITH_BATCH, turn);
    model_begin_completing(control->model, job);
    control->clean_ms = now.cluster_ms + control->model->config.complete_wait_s * INT64_C(1000);
    job->rec.flags |= JOB_FLAG_COMPLETING;
    job->rec.ending = ending->kill_wait_s > 0;
    for (struct step *step = job->steps; step; step = step->next)
        step_end_with_job(control, now, step, ending, turn);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (!job->rec.nodes[i].clean)
            job_order_end(control, job, &job->rec.nodes[i], ending->kill_wait_s, message, turn);
    }
    job_clean_up(control, job, turn);
    job_check_clean(control, now, job, turn);
}

static void end_waiting(struct control *control, struct moment now, struct job *job,
                        const struct job_ending *ending, struct turn *turn)
{
    feed_job_gone(control, now, job);
    if (job->rec.start_time == 0)
        job->rec.start_time = now.wall_s;
    for (struct step *step = job->steps; step; step = step->next)
        step_end_with_job(control, now, step, ending, turn);
    control_wake_at(control, job_retire_ms(control, job));
    depend_tell(control, now, job, turn);
}

/* "RaisedSignal:9(Killed)", as Slurm writes it. */
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

void job_end(struct control *control, struct moment now, struct job *job,
             const struct job_ending *ending, struct turn *turn)
{
    const bool was_waiting = job->rec.state == JOB_PENDING;
    const bool is_requeued = was_waiting && (job->rec.flags & JOB_FLAG_COMPLETING);

    if (!jobfsm_may(job->rec.state, ending->state))
        return;
    job_note_wait(control, job);
    jobfsm_move(job, ending->state);
    set_end_reason(job, ending);
    job->rec.end_time = now.wall_s;
    job->rec.end_cluster_ms = now.cluster_ms;
    job->rec.ended_by = ending->ended_by;
    count_end(control, ending->state);
    if (!was_waiting)
        end_on_nodes(control, now, job, ending, turn);
    else if (!is_requeued)
        end_waiting(control, now, job, ending, turn);
    if (job->array)
        feed_array(control, now, job->array);
    tell_ended(job, turn);
    job_mail(control, now, job, NEWS_ENDED, turn);
    turn_note_job_end(turn, &job->rec);
}

bool job_may_requeue(const struct control *control, const struct job *job)
{
    const struct job_spec *spec = job->rec.spec;

    if (spec->kind != JOB_KIND_BATCH || spec->requeue == REQUEUE_NO)
        return false;
    return spec->requeue == REQUEUE_YES || control->model->config.requeue;
}

/* The history keeps what came of the run that is given up. */
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
        turn_note_run(turn, &run);
}

void job_requeue(struct control *control, struct moment now, struct job *job,
                 const struct job_ending *ending, struct turn *turn)
{
    const bool was_over = job_state_is_over(job->rec.state);

    note_run(now, job, ending, turn);
    jobfsm_move(job, JOB_PENDING);
    job->rec.flags |= JOB_FLAG_REQUEUED;
    job->rec.restarts++;
    job->rec.submit_time = now.wall_s;
    job->rec.spec->begin = now.wall_s + control->model->config.requeue_delay_s;
    if (ending->reason != REASON_NON_ZERO_EXIT) /* that is told as a failure */
        job_mail(control, now, job, NEWS_REQUEUED, turn);
    if (job->rec.priority > 0) /* else the reason says who holds it */
        job_set_reason(job, ending->reason, ending->reason_text);
    if (!was_over)
        end_on_nodes(control, now, job, ending, turn);
    else if (!(job->rec.flags & JOB_FLAG_COMPLETING))
        wait_again(control, now, job);
    if (job->array)
        feed_array(control, now, job->array);
    turn_note_job(turn, &job->rec);
}

/* Without its first node a batch job has no script. */
static bool goes_on_without(const struct job *job, uint32_t position)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        left += i != position && !job->rec.nodes[i].clean;
    return job->rec.spec->no_kill && left > 0 &&
           (position > 0 || job->rec.spec->kind != JOB_KIND_BATCH);
}

/* Requeued where that is allowed, else over. */
static void fail_for_node(struct control *control, struct moment now, struct job *job,
                          uint32_t position, const char *why, struct turn *turn)
{
    struct job_ending ending = {
        .state = JOB_NODE_FAIL,
        .reason = REASON_NODE_DOWN,
        .is_forced = true,
        .why_forced = "DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS",
        .kill_wait_s = control->model->config.kill_wait_s,
        .ended_by = COUNT_UNSET,
    };
    AUTO_FREE char *text = xasprintf("NodeDown: %s: %s", job->rec.nodes[position].name, why);

    ending.reason_text = text;
    if (job_may_requeue(control, job))
        job_requeue(control, now, job, &ending, turn);
    else
        job_end(control, now, job, &ending, turn);
}

void job_node_failed(struct control *control, struct moment now, struct job *job, uint32_t position,
                     const char *why, struct turn *turn)
{
    if (job_state_is_active(job->rec.state) && !goes_on_without(job, position))
        fail_for_node(control, now, job, position, why, turn);
    job_node_lost(control, now, job, position, why, turn);
}

/* Slurm tries as often, and shows the number as BatchFlag. */
#define LOST_LAUNCHES_MAX 5

void job_step_lost(struct control *control, struct moment now, struct job *job, uint32_t position,
                   const char *why, struct turn *turn)
{
    if (job_may_requeue(control, job) && ++job->rec.lost_launches >= LOST_LAUNCHES_MAX)
        job_hold_for_losses(job);
    fail_for_node(control, now, job, position, why, turn);
}

/* What the job's steps had on a node is over. */
static void node_over(struct control *control, struct moment now, struct job *job, const char *name,
                      const char *why, struct turn *turn)
{
    for (struct step *step = job->steps; step; step = step->next) {
        int64_t at = step_is_active(step) ? step_position(step, name) : -1;

        if (at >= 0)
            step_node_over(control, now, step, (uint32_t)at, NULL, why, turn);
    }
}

static void tell_freed(struct control *control, struct moment now, const struct job *job,
                       const struct job_node *place, struct turn *turn)
{
    struct node *node = model_find_node(control->model, place->name);

    if (!node)
        return;
    node->rec.last_busy = now.wall_s;
    hook_forget(control, job, place, turn);
    feed_node_freed(control, now, job, node->index);
    reboot_go_on(control, now, node, turn);
}

static void give_back(struct control *control, struct moment now, struct job *job,
                      uint32_t position, struct turn *turn)
{
    struct job_node *place = &job->rec.nodes[position];

    model_free_node(control->model, job, position);
    place->clean = true;
    tell_freed(control, now, job, place, turn);
    if ((job->rec.flags & JOB_FLAG_COMPLETING) && is_clean(job))
        complete(control, now, job, turn);
    else
        turn_note_job(turn, &job->rec);
}

void job_node_clean(struct control *control, struct moment now, struct job *job, uint32_t position,
                    struct turn *turn)
{
    if (job->rec.nodes[position].clean || !(job->rec.flags & JOB_FLAG_COMPLETING))
        return;
    node_over(control, now, job, job->rec.nodes[position].name, NULL, turn);
    give_back(control, now, job, position, turn);
}

void job_node_lost(struct control *control, struct moment now, struct job *job, uint32_t position,
                   const char *why, struct turn *turn)
{
    if (position >= job->rec.nodes_n || job->rec.nodes[position].clean)
        return;
    node_over(control, now, job, job->rec.nodes[position].name, why, turn);
    if (position < job->rec.nodes_n && !job->rec.nodes[position].clean)
        give_back(control, now, job, position, turn);
}

void job_leaving_clean(struct control *control, struct moment now, struct job *job,
                       const char *node, const char *why, struct turn *turn)
{
    AUTO_FREE char *name = xstrdup(node); /* it may be that of the place, which goes */
    const struct job_node *place = job_find_leaving(job, name);
    struct job_node gone;

    if (!place)
        return;
    node_over(control, now, job, name, why, turn);
    gone = model_free_leaving(control->model, job, (uint32_t)(place - job->rec.leaving));
    tell_freed(control, now, job, &gone, turn);
    job_node_clear(&gone);
    if ((job->rec.flags & JOB_FLAG_COMPLETING) && is_clean(job))
        complete(control, now, job, turn);
    else
        turn_note_job(turn, &job->rec);
}
