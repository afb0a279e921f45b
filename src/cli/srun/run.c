#include "cli/srun/describe.h"
#include "cli/srun/run_inside.h"

#include <string.h>
#include <unistd.h>

#include "cli/srun/request.h"
#include "common/crypt/crypt.h"
#include "common/msg/types.h"

#define REPORT_MS        20 /* exits that come so close are told in one line */
#define JOB_END_S        1  /* the job's end follows the step's at once, or is not worth waiting */
#define MORE_THAN_KILL_S 2

/* ---- ends ---- */

void run_leave(struct run *run, int status)
{
    run->status = status;
    event_base_loopbreak(run->base);
}

static void on_timer(evutil_socket_t fd, short what, void *ctx)
{
    struct run *run = ctx;

    (void)fd;
    (void)what;
    run->on_too_late(run);
}

void run_later(struct run *run, uint32_t seconds, void (*fn)(struct run *run))
{
    struct timeval delay = { (time_t)seconds, 0 };

    run->on_too_late = fn;
    if (seconds > 0)
        event_add(run->too_late, &delay);
    else
        event_del(run->too_late);
}

static void report(struct run *run)
{
    AUTO(strbuf) struct strbuf failed = { 0 };
    AUTO(strbuf) struct strbuf fine = { 0 };
    const char *at;

    tasks_report(run->tasks, &failed, &fine);
    for (at = strbuf_text(&failed); *at; at += strcspn(at, "\n") + 1)
        log_error(run->command->log, "%.*s", (int)strcspn(at, "\n"), at);
    for (at = strbuf_text(&fine); *at; at += strcspn(at, "\n") + 1)
        log_verbose(run->command->log, "%.*s", (int)strcspn(at, "\n"), at);
}

static void on_report(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    report(ctx);
}

static int exit_status(const struct run *run)
{
    int code = tasks_exit_code(run->tasks);

    if (run->status >= 0)
        return run->status;
    if (code == 0)
        code = tasks_code_of(run->end_status);
    return code == 0 && run->end_state > JOB_COMPLETE ? 1 : code;
}

static void leave_now(struct run *run)
{
    run_leave(run, exit_status(run));
}

void run_on_drained(void *ctx)
{
    struct run *run = ctx;

    if (run->in_job || run->job_ended)
        leave_now(run);
    else
        run_later(run, JOB_END_S, leave_now);
}

/*
 * The step is over when the controller says so. While it cannot be asked, it is enough that every
 * task has ended and every node has delivered what they printed.
 */
void run_check_end(struct run *run)
{
    bool over = run->step_ended || (!follow_is_up(run->follow) && tasks_all_exited(run->tasks));

    if (!over || io_server_open(run->io) > 0)
        return;
    if (run->finishing) {
        if (run->job_ended && run->on_too_late == leave_now)
            leave_now(run);
        return;
    }
    run->finishing = true;
    run_later(run, 0, leave_now);
    event_del(run->report);
    report(run);
    if (run->output)
        output_finish(run->output);
    else
        run_on_drained(run);
}

static void on_not_ended(struct run *run)
{
    log_error(run->command->log, "Timed out waiting for job step to complete");
    run_leave(run, tasks_any_exited(run->tasks) ? exit_status(run) : 1);
}

void run_abort(struct run *run)
{
    const struct job_signal request = { .job_id = run->job_id,
                                        .step_id = run->step_id,
                                        .flags = SIGNAL_CANCEL };
    uint32_t patience_s = run->command->cli.conf->kill_wait_s + MORE_THAN_KILL_S;

    if (run->aborting || run->finishing)
        return;
    run->aborting = true;
    log_info(run->command->log,
             "Job step aborted: Waiting up to %u seconds for job step to finish.", patience_s);
    killer_send(run->killer, &request);
    run_later(run, patience_s, on_not_ended);
}

/* ---- tasks ---- */

static void terminate(struct run *run)
{
    log_info(run->command->log, "Terminating StepId=%u.%u", run->job_id, run->step_id);
    run_abort(run);
}

static void on_waited_long(struct run *run)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    log_info(run->command->log, "First task exited %us ago", run->request.step->wait_s);
    tasks_describe(run->tasks, run->job_id, run->step_id, &text);
    command_say(run->command, strbuf_text(&text));
    terminate(run);
}

static void on_exited(uint32_t task, int status, void *ctx)
{
    static const struct timeval soon = { 0, REPORT_MS * 1000 };
    struct run *run = ctx;
    bool first = !tasks_any_exited(run->tasks);

    if (!tasks_exited(run->tasks, task, status))
        return;
    if (!event_pending(run->report, EV_TIMEOUT, NULL))
        event_add(run->report, &soon);
    if (tasks_all_exited(run->tasks) || run->aborting)
        return;
    if (status != 0 && run->request.step->kill_on_bad_exit) {
        report(run);
        terminate(run);
    } else if (first && run->request.step->wait_s > 0) {
        run_later(run, run->request.step->wait_s, on_waited_long);
    }
}

static void on_started(const struct io_task_start *start, const char *node, void *ctx)
{
    struct run *run = ctx;

    for (uint32_t i = 0; i < start->tasks_n && start->code == 0; i++)
        tasks_started(run->tasks, start->tasks[i]);
    if (start->code != 0)
        log_error(run->command->log, "%s: %s", node,
                  start->error ? start->error : err_string(start->code));
    else
        log_verbose(run->command->log, "Node %s, %u tasks started",
                    start->tasks_n ? tasks_node(run->tasks, start->tasks[0]) : node,
                    start->tasks_n);
}

/* ---- the controller's stream ---- */

static void say_launch(struct run *run, const struct step_record *step)
{
    for (uint32_t i = 0; i < step->nodes_n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        describe_launch(step, &step->nodes[i], &text);
        log_verbose(run->command->log, "%s", strbuf_text(&text));
    }
}

static void start_step(struct run *run, const struct step_record *step)
{
    struct err err = { 0 };
    uint32_t rows, columns;

    if (run->created)
        return;
    run->created = true;
    run->job_id = step->job_id;
    run->step_id = step->step_id;
    say_launch(run, step);
    tasks_set_layout(run->tasks, step->nodes, step->nodes_n, step->ntasks);
    if (run_open_streams(run, &err) < 0) {
        command_report(run->command, NULL, &err);
        run->status = command_exit_error();
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
        run_later(run, 0, leave_now); /* -I */
    io_server_start(run->io, run->output, run->input, run->request.step->stdin_task, step->nodes,
                    step->nodes_n);
}

static void node_failed(struct run *run, const struct step_event *event)
{
    log_error(run->command->log, "Node failure on %s%s%s", event->node ? event->node : "?",
              event->text ? ": " : "", event->text ? event->text : "");
    if (event->node)
        tasks_lost(run->tasks, event->node);
}

static void step_ended(struct run *run, const struct step_event *event)
{
    const struct step_record *step = event->step;

    run->step_ended = true;
    if (event->text)
        command_say(run->command, event->text);
    if (step) {
        run->end_state = step->end_state;
        run->end_status = step->exit_status;
        if (run->created && (step->kill_signal != 0 || step->ended_by != COUNT_UNSET)) {
            report(run);
            log_info(run->command->log, "Force Terminated StepId=%u.%u", step->job_id,
                     step->step_id);
        }
    }
    run_check_end(run);
}

static void on_step(const struct step_event *event, void *ctx)
{
    struct run *run = ctx;

    if (event->step && run->in_job)
        run->step_id = event->step->step_id;
    for (uint32_t i = 0; i < event->exits_n; i++)
        on_exited(event->exits[i].task, event->exits[i].status, run);
    switch (event->kind) {
    case STEP_EVENT_WAITING:
        log_info(run->command->log, "Job %u step creation waits: %s", run->job_id,
                 event->text ? event->text : "cpus are in use by other steps");
        break;
    case STEP_EVENT_CREATED:
        if (event->step)
            start_step(run, event->step);
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
    log_info(run->command->log, "Job allocation %u has been revoked", run->job_id);
    run_leave(run, run->status >= 0 ? run->status : 1);
}

static void on_job(const struct job_event *event, void *ctx)
{
    struct run *run = ctx;
    bool queued = run->job_id != 0 && !run->in_job;

    if (event->job)
        run->job_id = event->job->id;
    switch (event->kind) {
    case JOB_EVENT_QUEUED:
        if (!queued && !run->in_job)
            log_info(run->command->log, "job %u queued and waiting for resources", run->job_id);
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
    what = xasprintf("Unable to %s job %u",
                     why->code == E_JOB_ID ? "confirm allocation for" : "create step for",
                     run->job_id);
    command_report(run->command, what, why);
    if (why->code == E_JOB_ID)
        log_info(run->command->log,
                 "Check SLURM_JOB_ID environment variable. Expired or invalid job %u", run->job_id);
}

static void on_over(const struct err *why, void *ctx)
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

static void on_lost(const struct err *why, void *ctx)
{
    struct run *run = ctx;

    log_verbose(run->command->log, "lost the controller, will try again: %s", why->text);
    run_check_end(run);
}

static void on_back(void *ctx)
{
    struct run *run = ctx;

    killer_try_again(run->killer);
}

/* ---- beginning ---- */

static void on_connected(void *ctx)
{
    (void)ctx;
}

static void on_closed(void *ctx)
{
    run_check_end(ctx);
}

static void on_refused(const struct err *why, void *ctx)
{
    struct run *run = ctx;

    log_verbose(run->command->log, "a connection was refused: %s", why->text);
}

static int begin_io(struct run *run, struct err *err)
{
    const struct slurm_conf *conf = run->command->cli.conf;
    struct step_spec *step = run->request.step;
    const struct rpc_session *session = client_session(run->command->cli.client);
    const struct io_server_options options = {
        .base = run->base,
        .cluster = conf->cluster_name,
        .authc = { .socket_path = conf->auth_socket },
        .clock = clock_from_env(),
        .first_port = (uint16_t)conf->srun_ports.first,
        .last_port = (uint16_t)conf->srun_ports.last,
    };
    const struct io_server_callbacks callbacks = { on_started, on_exited, on_connected, on_closed,
                                                   on_refused };

    int rc = io_server_new(&options, &callbacks, run, &run->io, err);
    if (rc < 0)
        return rc;
    submit_blob(&step->io_token, io_server_token(run->io), IO_TOKEN_BYTES);
    srun_fill_addresses(step, io_server_port(run->io),
                        session && rpc_session_peer(session)->is_local);
    rc = srun_make_environment(run->options, conf, run->in_job, io_server_port(run->io), step,
                               &run->environment, err);
    if (rc == 0) {
        uint8_t sha256[SHA256_BYTES];

        crypt_sha256(run->environment.data, run->environment.len, sha256);
        submit_blob(&step->environment_sha256, sha256, sizeof(sha256));
    }
    return rc;
}

static void on_not_immediate(struct run *run)
{
    const struct job_signal request = { .job_id = run->job_id,
                                        .step_id = run->in_job ? run->step_id : COUNT_UNSET,
                                        .flags = SIGNAL_CANCEL };

    log_error(run->command->log, "Unable to allocate resources: %s", err_string(E_NODES_BUSY));
    run->aborting = true;
    run->status = command_exit_immediate();
    if (run->job_id)
        killer_send(run->killer, &request);
    else
        run_leave(run, run->status);
}

static void begin_request(struct run *run)
{
    static const struct follow_callbacks callbacks = { on_job, on_step, on_lost, on_back, on_over };
    struct job_allocate allocate = { run->request.job, run->request.step };
    struct step_run step = { run->job_id, run->request.step };
    const struct follow_request request = {
        .type = run->in_job ? MSG_STEP_RUN : MSG_JOB_ALLOCATE,
        .msg = run->in_job ? (const void *)&step : (const void *)&allocate,
        .blobs = { &run->environment },
        .token = run->in_job ? run->request.step->token : run->request.job->token,
        .job_id = run->job_id,
        .step_id = COUNT_UNSET,
    };

    run->follow = follow_new(run->command->cli.client, &request, &callbacks, run);
    if (run->options->immediate_s != COUNT_UNSET && run->options->immediate_s > 1)
        run_later(run, run->options->immediate_s, on_not_immediate);
    event_base_dispatch(run->base);
}

static void run_clear(struct run *run)
{
    pty_end(&run->pty);
    follow_free(run->follow);
    killer_free(run->killer);
    io_server_free(run->io);
    input_free(run->input);
    if (run->input_fd > STDIN_FILENO)
        close(run->input_fd);
    output_free(run->output);
    tasks_free(run->tasks);
    strbuf_clear(&run->environment);
    event_free(run->report);
    event_free(run->too_late);
    for (uint32_t i = 0; i < run->signals_n; i++)
        event_free(run->signals[i]);
}

int run_step(const struct run_request *request)
{
    struct client *client = request->command->cli.client;
    struct run run = { .request = *request,
                       .command = request->command,
                       .options = request->options,
                       .base = client_base(client),
                       .tasks = tasks_new(),
                       .killer = killer_new(client),
                       .job_id = request->job_id,
                       .step_id = COUNT_UNSET,
                       .in_job = !request->job,
                       .status = -1 };
    struct err err = { 0 };
    int status;

    run.report = evtimer_new(run.base, on_report, &run);
    run.too_late = evtimer_new(run.base, on_timer, &run);
    run_catch_signals(&run);
    if (begin_io(&run, &err) < 0) {
        command_report(run.command, NULL, &err);
        run.status = command_exit_error();
    } else {
        begin_request(&run);
    }
    status = run.status >= 0 ? run.status : 1;
    run_clear(&run);
    return status;
}
