/*
 * run_events.c - what the controller tells: of the job, when there was none before, and of the
 * step.
 */
#include "cli/lib/outcome.h"
#include "cli/srun/describe.h"
#include "cli/srun/run_inside.h"
#include "cli/submit/allocation.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/crypt/crypt.h"
#include "common/text/words.h"

#define NOT_LAUNCHED (1 << 8) /* wait status of exit(1) */

static void say_launch(struct run *run, const struct step_event *event)
{
    const struct step_record *step = event->step;

    if (event->cpu_bind) {
        AUTO(strbuf) struct strbuf text = { 0 };

        describe_binding(event->cpu_bind, &text);
        log_verbose(run->command->log, "%s", strbuf_text(&text));
    }
    for (uint32_t i = 0; i < step->nodes_n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        describe_launch(step, &step->nodes[i], &text);
        log_verbose(run->command->log, "%s", strbuf_text(&text));
    }
}

/*
 * Tells that the step waits: the controller takes its turn without being asked again. Scripts look
 * for the words.
 */
static void step_waits(struct run *run, const char *why)
{
    if (run->waited)
        return;
    run->waited = true;
    log_info(run->command->log,
             "Job %u step creation temporarily disabled, retrying (Requested nodes are busy)",
             run->job_id);
    if (why)
        command_say(run->command, why);
}

/* Answers the nodes, whose tasks start then. */
static void answer_nodes(struct run *run)
{
    run->prolog = srun_hook_free(run->prolog);
    io_server_start(run->io, run->output, run->input, run->request.step->stdin_task,
                    run->step.nodes, run->step.nodes_n);
}

/* Ends srun as if the tasks had been killed: they wait for the prolog and never start. */
static void prolog_failed(struct run *run, int code)
{
    log_error(run->command->log, "srun prolog failed rc = %d. Aborting step.", code);
    if (run->aborting || run->finishing)
        return;
    log_info(run->command->log, "StepId=%u.%u aborted before step completely launched.",
             run->job_id, run->step_id);
    run_abort(run);
    run->status = tasks_code_of(SIGKILL);
}

static void on_prolog_over(int code, void *ctx)
{
    struct run *run = ctx;

    if (code == 0) {
        answer_nodes(run);
        return;
    }
    run->prolog = srun_hook_free(run->prolog);
    prolog_failed(run, code);
}

/* Starts SrunProlog; returns false if there is none, or it could not be started. */
static bool start_prolog(struct run *run)
{
    const struct slurm_conf *conf = run->command->cli.conf;
    const struct srun_hook_plan plan = {
        .path = srun_hook_program(run->options->prolog, conf->srun_prolog),
        .context = "prolog_srun",
        .step = &run->step,
        .command = run->request.step,
        .environment = &run->environment,
        .limit = slurm_conf_prolog_limit(conf),
        .log = run->command->log,
    };

    run->prolog = plan.path ? srun_hook_start(run->base, &plan, on_prolog_over, run) : NULL;
    return run->prolog;
}

/* True if a node will need an encrypted connection, as far as slurm.conf tells. */
static bool comes_from_afar(const struct run *run, const struct step_record *step)
{
    char host[256] = "";

    (void)gethostname(host, sizeof(host) - 1);
    for (uint32_t i = 0; i < step->nodes_n; i++) {
        const struct conf_node *node =
            slurm_conf_find_node(run->command->cli.conf, step->nodes[i].name);

        if (!node || !slurm_conf_node_is_on(node, host))
            return true;
    }
    return false;
}

static void start_step(struct run *run, const struct step_event *event)
{
    const struct step_record *step = event->step;
    struct err err = { 0 };
    uint32_t rows, columns;

    if (run->created)
        return;
    run->created = true;
    run->job_id = step->job_id;
    run->step_id = step->step_id;
    if (run->waited)
        log_info(run->command->log, "Step created for StepId=%u.%u", step->job_id, step->step_id);
    say_launch(run, event);
    tasks_set_layout(run->tasks, step->nodes, step->nodes_n, step->ntasks);
    if (run_open_streams(run, &err) < 0) {
        command_report(run->command, NULL, &err);
        run->status = command_exit_error(); /* and the step goes without more words */
        run_abort(run);
        return;
    }
    output_set_ntasks(run->output, step->ntasks);
    if (run->options->pty) {
        pty_begin(&run->pty);
        if (pty_size(&rows, &columns))
            io_server_set_window(run->io, rows, columns);
    }
    if (!run->aborting)
        run_later(run, 0, run_leave_now); /* -I */
    step_record_clear(&run->step);
    schema_copy(step_record_schema(), &run->step, step);
    if (!start_prolog(run))
        answer_nodes(run);
    if (comes_from_afar(run, step))
        crypt_warm_up(); /* takes longer than all else here, and the nodes are not there yet */
}

/*
 * Gives up a node's connection, which would stand until nothing is heard for long: what is gone
 * says no farewell.
 */
static void give_up_node(struct run *run, const char *node)
{
    for (uint32_t i = 0; i < run->step.nodes_n; i++) {
        if (strcmp(run->step.nodes[i].name, node) == 0)
            io_server_give_up(run->io, i);
    }
}

/*
 * Handles a node's failure. One that could not start its tasks is there still; one that failed took
 * them with it.
 */
static void node_failed(struct run *run, const struct step_event *event)
{
    const char *node = event->node ? event->node : "?";
    const char *why = NULL;

    if (run->status >= 0) /* srun itself did not let it start */
        return;
    if (event->text && word_starts(event->text, "launch failed: ", &why)) {
        log_error(run->command->log, "Task launch for StepId=%u.%u failed on node %s: %s",
                  run->job_id, run->step_id, node, why);
        tasks_lost(run->tasks, node, NOT_LAUNCHED);
        return;
    }
    log_error(run->command->log, "Node failure on %s%s%s", node, event->text ? ": " : "",
              event->text ? event->text : "");
    tasks_lost(run->tasks, node, SIGKILL);
    give_up_node(run, node);
}

/* Tells of tasks that were killed, though nobody said that the step is to end. */
static void say_forced(struct run *run)
{
    if (!run->created || run->said_aborted || run->status >= 0 || !tasks_any_killed(run->tasks))
        return;
    run_report(run);
    log_info(run->command->log, "Force Terminated StepId=%u.%u", run->job_id, run->step_id);
}

static void step_ended(struct run *run, const struct step_event *event)
{
    const struct step_record *step = event->step;

    run->step_ended = true;
    if (event->text && (run->created || run->in_job))
        command_say(run->command, event->text);
    if (step) {
        run->end_state = step->end_state;
        run->end_status = step->exit_status;
        say_forced(run);
    }
    run_check_end(run);
}

void run_on_step(const struct step_event *event, void *ctx)
{
    struct run *run = ctx;

    if (event->step && run->in_job)
        run->step_id = event->step->step_id;
    for (uint32_t i = 0; i < event->exits_n; i++)
        run_on_exited(event->exits[i].task, event->exits[i].status, run);
    switch (event->kind) {
    case STEP_EVENT_WAITING:
        step_waits(run, event->text);
        break;
    case STEP_EVENT_CREATED:
        if (event->step)
            start_step(run, event);
        break;
    case STEP_EVENT_ENDING:
        if (run->created)
            run_await_end(run);
        break;
    case STEP_EVENT_NODE_FAILED:
        node_failed(run, event);
        break;
    case STEP_EVENT_ENDED:
        if (event->step && !run->created && event->step->nodes_n > 0)
            tasks_set_layout(run->tasks, event->step->nodes, event->step->nodes_n,
                             event->step->ntasks);
        step_ended(run, event);
        break;
    default:
        break;
    }
}

static void job_granted(struct run *run, const struct job_record *job, bool queued)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (run->granted)
        return;
    run->granted = true;
    if (queued)
        log_info(run->command->log, "job %u has been allocated resources", run->job_id);
    if (!job)
        return;
    if (!run->in_job)
        srun_hook_set_job(job);
    describe_job(job, &text);
    log_verbose(run->command->log, "%s", strbuf_text(&text));
}

static void job_ended(struct run *run)
{
    run->job_ended = true;
    if (run->created) {
        run_check_end(run);
        return;
    }
    if (!run->granted && !run->aborting) {
        allocation_say_cancelled(run->command, ALLOCATION_NO_RESOURCES);
        run_leave(run, command_exit_error());
        return;
    }
    log_info(run->command->log, "Job allocation %u has been revoked", run->job_id);
    if (run->aborting)
        log_info(run->command->log, "Force Terminated JobId=%u", run->job_id);
    run_leave(run, run->status >= 0 ? run->status : 1);
}

static void say_queued(const struct run *run, const struct job_record *job)
{
    const char *why = job ? outcome_wait_words(job->reason) : NULL;

    if (why)
        log_info(run->command->log, "%s", why);
    log_info(run->command->log, "job %u queued and waiting for resources", run->job_id);
}

void run_on_job(const struct job_event *event, void *ctx)
{
    struct run *run = ctx;
    bool queued = run->job_id != 0 && !run->in_job;

    if (event->job)
        run->job_id = event->job->id;
    switch (event->kind) {
    case JOB_EVENT_QUEUED:
        if (!queued && !run->in_job)
            say_queued(run, event->job);
        break;
    case JOB_EVENT_GRANTED:
        job_granted(run, event->job, queued);
        break;
    case JOB_EVENT_WARNING:
        command_say(run->command, event->text ? event->text : "");
        break;
    case JOB_EVENT_ENDED:
        job_ended(run);
        break;
    default:
        break;
    }
}

static void say_refused(struct run *run, const struct err *why)
{
    AUTO_FREE char *what = NULL;

    if (!run->in_job) {
        command_report(run->command, "Unable to allocate resources", why);
        return;
    }
    if (why->code == E_NODE_COUNT) { /* says all */
        command_report(run->command, NULL, why);
        return;
    }
    what = xasprintf("Unable to %s job %u",
                     why->code == E_JOB_ID ? "confirm allocation for" : "create step for",
                     run->job_id);
    command_report(run->command, what, why);
    if (why->code == E_JOB_ID)
        log_info(run->command->log,
                 "Check SLURM_JOB_ID environment variable. Expired or invalid job %u", run->job_id);
}

void run_on_over(const struct err *why, void *ctx)
{
    struct run *run = ctx;

    if (why && !run->created && !run->aborting)
        say_refused(run, why);
    else if (why && !run->step_ended)
        command_report(run->command, NULL, why);
    if (!run->created) {
        const bool busy = why && why->code == E_NODES_BUSY;

        if (run->status < 0)
            run->status = busy ? command_exit_immediate() : command_exit_error();
        run_leave(run, run->status);
        return;
    }
    run->step_ended = true;
    run->job_ended = true;
    run_check_end(run);
}

void run_on_lost(const struct err *why, void *ctx)
{
    struct run *run = ctx;

    log_verbose(run->command->log, "lost the controller, will try again: %s", why->text);
    run_check_end(run);
}

void run_on_back(void *ctx)
{
    struct run *run = ctx;

    killer_try_again(run->killer);
}
