/* run_end.c - what becomes of the tasks, and when all is over. */
#include "cli/srun/run_inside.h"

#include <string.h>

#define REPORT_MS        20 /* exits that come so close are told in one line */
#define JOB_END_S        1  /* the job's end follows the step's at once, or is not worth waiting */
#define MORE_THAN_KILL_S 2

void run_leave(struct run *run, int status)
{
    run->status = status;
    event_base_loopbreak(run->base);
}

void run_on_timer(evutil_socket_t fd, short what, void *ctx)
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

void run_report(struct run *run)
{
    AUTO(strbuf) struct strbuf failed = { 0 };
    AUTO(strbuf) struct strbuf fine = { 0 };
    const char *at;

    tasks_report(run->tasks, &failed, &fine);
    for (at = strbuf_text(&failed); *at; at += strcspn(at, "\n") + 1) {
        if (run->passed_on) /* nothing that the user at the terminal does not know */
            log_verbose(run->command->log, "%.*s", (int)strcspn(at, "\n"), at);
        else
            log_error(run->command->log, "%.*s", (int)strcspn(at, "\n"), at);
    }
    for (at = strbuf_text(&fine); *at; at += strcspn(at, "\n") + 1)
        log_verbose(run->command->log, "%.*s", (int)strcspn(at, "\n"), at);
}

void run_on_report(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    run_report(ctx);
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

void run_leave_now(struct run *run)
{
    run_leave(run, exit_status(run));
}

void run_on_drained(void *ctx)
{
    struct run *run = ctx;

    if (run->in_job || run->job_ended)
        run_leave_now(run);
    else
        run_later(run, JOB_END_S, run_leave_now);
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
        if (run->job_ended && run->on_too_late == run_leave_now)
            run_leave_now(run);
        return;
    }
    run->finishing = true;
    run_later(run, 0, run_leave_now);
    event_del(run->report);
    run_report(run);
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

static uint32_t patience_s(const struct run *run)
{
    return run->command->cli.conf->kill_wait_s + MORE_THAN_KILL_S;
}

void run_say_aborted(struct run *run)
{
    if (run->said_aborted || run->finishing || run->status >= 0)
        return;
    run->said_aborted = true;
    log_info(run->command->log,
             "Job step aborted: Waiting up to %u seconds for job step to finish.", patience_s(run));
}

/*
 * Ends the wait unless all tasks have exited: output that is still being taken has all the time it
 * needs.
 */
static void on_not_ended_by_others(struct run *run)
{
    if (!tasks_all_exited(run->tasks))
        on_not_ended(run);
}

void run_await_end(struct run *run)
{
    const bool anew = !run->said_aborted && !run->aborting;

    run_say_aborted(run);
    if (anew && run->said_aborted)
        run_later(run, patience_s(run), on_not_ended_by_others);
}

static void ask_to_end(struct run *run, uint32_t flags)
{
    const struct job_signal request = { .job_id = run->job_id,
                                        .step_id = run->step_id,
                                        .flags = flags };

    run->aborting = true;
    killer_send(run->killer, &request);
    run_later(run, patience_s(run), on_not_ended);
}

void run_abort(struct run *run)
{
    if (run->aborting || run->finishing)
        return;
    run_say_aborted(run);
    ask_to_end(run, SIGNAL_CANCEL);
}

static void say_terminating(struct run *run)
{
    log_info(run->command->log, "Terminating StepId=%u.%u", run->job_id, run->step_id);
}

static void on_waited_long(struct run *run)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    log_info(run->command->log, "First task exited %us ago", run->request.step->wait_s);
    tasks_describe(run->tasks, run->job_id, run->step_id, &text);
    command_say(run->command, strbuf_text(&text));
    say_terminating(run);
    run_abort(run);
}

static void end_the_rest(struct run *run)
{
    run_report(run);
    say_terminating(run);
    ask_to_end(run, SIGNAL_CANCEL | SIGNAL_GENTLY);
}

void run_on_exited(uint32_t task, int status, void *ctx)
{
    static const struct timeval soon = { 0, REPORT_MS * 1000 };
    struct run *run = ctx;
    bool first = !tasks_any_exited(run->tasks);

    if (!tasks_exited(run->tasks, task, status))
        return;
    if (!event_pending(run->report, EV_TIMEOUT, NULL))
        event_add(run->report, &soon);
    if (tasks_all_exited(run->tasks) || run->aborting || run->said_aborted)
        return;
    if (status != 0 && run->request.step->kill_on_bad_exit)
        end_the_rest(run);
    else if (first && run->request.step->wait_s > 0)
        run_later(run, run->request.step->wait_s, on_waited_long);
}

void run_on_broken(uint32_t task, void *ctx)
{
    struct run *run = ctx;

    (void)task;
    if (!tasks_all_exited(run->tasks) && !run->aborting && !run->said_aborted &&
        run->options->kill_on_bad_exit != SAID_NO)
        end_the_rest(run);
}

static const char *program_of(const struct step_spec *step, uint32_t task)
{
    for (uint32_t i = 0; i < step->programs_n; i++) {
        const struct step_program *program = &step->programs[i];

        for (uint32_t k = 0; k < program->tasks_n; k++)
            if (program->tasks[k] == task)
                return program->argv[0];
    }
    return step->argv[0];
}

/* Prints what a debugger would read of its table of processes. */
static void say_stopped(struct run *run, const struct io_task_start *start)
{
    for (uint32_t i = 0; i < start->tasks_n; i++)
        log_info(run->command->log, "task:%u, host:%s, pid:%u, executable:%s", start->tasks[i],
                 tasks_node(run->tasks, start->tasks[i]), i < start->pids_n ? start->pids[i] : 0,
                 program_of(run->request.step, start->tasks[i]));
}

void run_on_started(const struct io_task_start *start, const char *node, void *ctx)
{
    struct run *run = ctx;

    for (uint32_t i = 0; i < start->tasks_n && start->code == 0; i++)
        tasks_started(run->tasks, start->tasks[i]);
    if (run->options->debugger_test)
        say_stopped(run, start);
    if (start->code != 0)
        log_error(run->command->log, "%s: %s", node,
                  start->error ? start->error : err_string(start->code));
    else
        log_verbose(run->command->log, "Node %s, %u tasks started",
                    start->tasks_n ? tasks_node(run->tasks, start->tasks[0]) : node,
                    start->tasks_n);
}
