/*
 * interrupt.c - what signals to srun do: ^C asks first, TERM and HUP end the step, USR1 and others
 * go on to the tasks. Before there are any tasks, signals end the wait.
 */
#include "cli/srun/run_inside.h"

#include <signal.h>

#include "common/base/clock.h"

#define AGAIN_MS 1000
#define FORCING  "forcing job termination"
#define TO_END_S 1 /* for tasks, between ^C and the end of the step */

/* Takes back what was asked for: nothing runs yet. */
static void give_up(struct run *run, int signal)
{
    const struct job_signal request = { .job_id = run->job_id,
                                        .step_id = run->in_job ? run->step_id : COUNT_UNSET,
                                        .flags = SIGNAL_CANCEL };

    if (run->aborting || run->job_id == 0 || (run->in_job && run->step_id == COUNT_UNSET)) {
        run_leave(run, 128 + signal);
        return;
    }
    run->aborting = true;
    run->status = run->in_job ? 128 + signal : command_exit_error();
    if (run->in_job)
        log_info(run->command->log, "Cancelled pending job step with signal %d", signal);
    killer_send(run->killer, &request);
}

static void pass_on(struct run *run)
{
    log_info(run->command->log, "sending Ctrl-C to StepId=%u.%u", run->job_id, run->step_id);
    io_server_signal(run->io, SIGINT);
}

/* Tells at once that the step ends; but the tasks first get a moment to end by themselves. */
static void pass_on_and_end(struct run *run)
{
    pass_on(run);
    run->passed_on = true;
    if (run->aborting)
        return;
    log_info(run->command->log, FORCING);
    run_say_aborted(run);
    run_later(run, TO_END_S, run_abort);
}

/* Does one thing more each time: tells the state, passes ^C on, ends the step, ends srun. */
static void on_interrupt(struct run *run)
{
    int64_t now = clock_mono_ms();
    bool again = run->interrupted_ms && now - run->interrupted_ms <= AGAIN_MS;

    run->interrupted_ms = now;
    if (run->aborting && again) {
        run_leave(run, 128 + SIGINT);
    } else if (run->passed_on && again) {
        run_abort(run);
    } else if (again || run->options->quit_on_interrupt || run->aborting) {
        pass_on_and_end(run);
    } else if (run->options->disable_status) {
        pass_on(run);
    } else {
        AUTO(strbuf) struct strbuf text = { 0 };

        log_info(run->command->log, "interrupt (one more within 1 sec to abort)");
        tasks_describe(run->tasks, run->job_id, run->step_id, &text);
        command_say(run->command, strbuf_text(&text));
    }
}

static void on_terminate(struct run *run, int signal)
{
    if (run->aborting) {
        run_leave(run, 128 + signal);
        return;
    }
    if (signal == SIGQUIT)
        log_info(run->command->log, "Quit");
    log_info(run->command->log, FORCING);
    run_abort(run);
}

static void on_resize(struct run *run)
{
    uint32_t rows, columns;

    if (run->options->pty && pty_size(&rows, &columns))
        io_server_set_window(run->io, rows, columns);
}

static bool asks_to_end(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

static void on_continue(struct run *run)
{
    if (run->created)
        log_info(run->command->log, "got SIGCONT");
    if (run->input)
        input_try_again(run->input);
}

/* True if the signal ends the wait: a job's by any signal, a step's by one that asks to end it. */
static bool gives_up(const struct run *run, int signal)
{
    return !run->created && (!run->in_job || asks_to_end(signal));
}

static void on_signal(evutil_socket_t number, short what, void *ctx)
{
    struct run *run = ctx;
    int signal = (int)number;

    (void)what;
    if (signal == SIGWINCH)
        on_resize(run);
    else if (signal == SIGCONT)
        on_continue(run);
    else if (gives_up(run, signal))
        give_up(run, signal);
    else if (signal == SIGALRM)
        return; /* as in Slurm, the one that tasks hear nothing of */
    else if (!asks_to_end(signal))
        io_server_signal(run->io, signal);
    else if (signal == SIGINT)
        on_interrupt(run);
    else
        on_terminate(run, signal);
}

void run_catch_signals(struct run *run)
{
    static const int caught[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                                  SIGUSR2, SIGALRM, SIGCONT, SIGWINCH };

    _Static_assert(ARRAY_N(caught) <= RUN_SIGNALS_MAX, "run.signals is too short");
    signal(SIGTTIN, SIG_IGN); /* input.c looks whether srun is in the foreground */
    signal(SIGTTOU, SIG_IGN);
    for (size_t i = 0; i < ARRAY_N(caught); i++) {
        struct event *event = evsignal_new(run->base, caught[i], on_signal, run);

        event_add(event, NULL);
        run->signals[run->signals_n++] = event;
    }
}
