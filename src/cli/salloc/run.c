#include "cli/salloc/run.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "cli/salloc/describe.h"
#include "cli/salloc/shell.h"
#include "cli/submit/allocation.h"
#include "cli/submit/destination.h"
#include "cli/submit/request.h"
#include "common/msg/types.h"

#define SIGNALS_MAX 8

extern char **environ;

struct salloc {
    struct command *command;
    struct submit_options *options;
    char **argv; /* of the command, ended by NULL; NULL: none */
    struct allocation *allocation;
    struct event_base *base;
    struct event *signals[SIGNALS_MAX];
    uint32_t signals_n;
    bool aborted; /* by a signal, before there was a command */
    pid_t pid;    /* of the command, 0: does not run */
    int wait_status;
    int status;
};

static void leave(struct salloc *salloc, int status)
{
    salloc->status = status;
    event_base_loopbreak(salloc->base);
}

/* ---- the command ---- */

static bool rings_bell(const struct salloc *salloc)
{
    if (!isatty(STDERR_FILENO)) /* somebody reads the lines */
        return false;
    return salloc->options->bell == UNSAID ? allocation_was_queued(salloc->allocation)
                                           : salloc->options->bell == SAID_YES;
}

static void start_command(struct salloc *salloc, const struct job_event *granted)
{
    AUTO(environment) struct environment environment = { 0 };
    struct err err = { 0 };

    environment_copy(&environment, environ);
    environment_leave_job(&environment);
    environment_describe(&environment, salloc->options);
    submit_environment(&environment, salloc->options, salloc->command->cli.conf);
    destination_describe(salloc->command, salloc->options, &environment);
    environment_unset(&environment, "SLURM_PRIO_PROCESS");
    salloc_describe(&environment, granted);
    if (shell_start(salloc->argv, &environment, &salloc->pid, &err) < 0) {
        salloc->wait_status = W_EXITCODE(1, 0);
        command_report(salloc->command, NULL, &err);
        leave(salloc, command_exit_error());
    }
}

/* Returns the exit status; a command that its user ended by hand is no failure, as in Slurm. */
static int status_after(const struct salloc *salloc, int status)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    log_verbose(salloc->command->log, "Command \"%s\" was terminated by signal %d", salloc->argv[0],
                WTERMSIG(status));
    switch (WTERMSIG(status)) {
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
    case SIGKILL:
        return 0;
    default:
        return 1;
    }
}

static void on_child(struct salloc *salloc)
{
    int status;

    if (salloc->pid <= 0 || waitpid(salloc->pid, &status, WNOHANG | WUNTRACED) != salloc->pid)
        return;
    if (WIFSTOPPED(status)) { /* ^Z: stop with it, and go on with it */
        shell_take_terminal();
        raise(SIGSTOP);
        shell_give_terminal(salloc->pid);
        kill(-salloc->pid, SIGCONT);
        return;
    }
    salloc->pid = 0;
    salloc->wait_status = status;
    shell_take_terminal();
    leave(salloc, status_after(salloc, status));
}

/* ---- the job ---- */

static void on_ready(const struct job_event *event, void *ctx)
{
    struct salloc *salloc = ctx;

    if (rings_bell(salloc))
        fputc('\a', stderr);
    if (salloc->options->no_shell)
        leave(salloc, 0);
    else
        start_command(salloc, event);
}

static void on_failed(int status, void *ctx)
{
    struct salloc *salloc = ctx;

    if (salloc->aborted)
        log_info(salloc->command->log, "Job aborted due to signal");
    leave(salloc, status);
}

/* Lets the command go on without the job, unless --kill-command says otherwise. */
static void on_revoked(void *ctx)
{
    struct salloc *salloc = ctx;

    if (salloc->pid > 0 && salloc->options->kill_command != COUNT_UNSET)
        kill(-salloc->pid, (int)salloc->options->kill_command);
    else if (salloc->pid > 0 && isatty(STDIN_FILENO))
        kill(-salloc->pid, SIGHUP);
    else if (salloc->pid == 0)
        leave(salloc, command_exit_error());
}

static void on_signal(evutil_socket_t number, short what, void *ctx)
{
    struct salloc *salloc = ctx;
    int signal = (int)number;

    (void)what;
    if (signal == SIGCHLD) {
        on_child(salloc);
    } else if (salloc->pid > 0) {
        kill(-salloc->pid, signal);
        if (signal == SIGHUP || signal == SIGTERM)
            salloc->options->kill_command = SIGHUP; /* and no waiting for it when the job ends */
    } else {
        salloc->aborted = true;
        allocation_take_back(salloc->allocation, command_exit_error());
    }
}

static void catch_signals(struct salloc *salloc)
{
    static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD };

    _Static_assert(ARRAY_N(caught) <= SIGNALS_MAX, "salloc.signals is too short");
    signal(SIGTTOU, SIG_IGN);
    signal(SIGTTIN, SIG_IGN);
    for (size_t i = 0; i < ARRAY_N(caught); i++) {
        struct event *event = evsignal_new(salloc->base, caught[i], on_signal, salloc);

        event_add(event, NULL);
        salloc->signals[salloc->signals_n++] = event;
    }
}

/* ---- the way through ---- */

int salloc_run(struct command *command, struct submit_options *options, char **argv)
{
    static const struct allocation_callbacks callbacks = { on_ready, on_failed, on_revoked };
    struct salloc salloc = { .command = command,
                             .options = options,
                             .argv = argv,
                             .base = client_base(command->cli.client) };

    catch_signals(&salloc);
    salloc.allocation = allocation_new(command, options, &callbacks, &salloc);
    event_base_dispatch(salloc.base);
    if (!options->no_shell)
        allocation_release(salloc.allocation, salloc.wait_status);
    allocation_free(salloc.allocation);
    for (uint32_t i = 0; i < salloc.signals_n; i++)
        event_free(salloc.signals[i]);
    return salloc.status;
}
