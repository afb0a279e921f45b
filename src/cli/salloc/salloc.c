#include "cli/salloc/salloc.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "cli/salloc/describe.h"
#include "cli/salloc/shell.h"
#include "cli/submit/allocation.h"
#include "cli/submit/request.h"
#include "common/msg/types.h"

#define SIGNALS_MAX 8

extern char **environ;

struct salloc {
    struct command command;
    struct submit_options options;
    char **argv; /* of the command, ended by NULL; NULL: none */
    struct allocation *allocation;
    struct event_base *base;
    struct event *signals[SIGNALS_MAX];
    uint32_t signals_n;
    pid_t pid; /* of the command, 0: does not run */
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
    return salloc->options.bell == UNSAID ? allocation_was_queued(salloc->allocation)
                                          : salloc->options.bell == SAID_YES;
}

static void start_command(struct salloc *salloc, const struct job_event *granted)
{
    AUTO(environment) struct environment environment = { 0 };
    struct err err = { 0 };

    environment_copy(&environment, environ);
    environment_leave_job(&environment);
    environment_describe(&environment, &salloc->options);
    submit_environment(&environment, &salloc->options, salloc->command.cli.conf);
    environment_unset(&environment, "SLURM_PRIO_PROCESS");
    salloc_describe(&environment, granted);
    if (shell_start(salloc->argv, &environment, &salloc->pid, &err) < 0) {
        salloc->wait_status = W_EXITCODE(1, 0);
        command_report(&salloc->command, NULL, &err);
        leave(salloc, command_exit_error());
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
    leave(salloc, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* ---- the job ---- */

static void on_ready(const struct job_event *event, void *ctx)
{
    struct salloc *salloc = ctx;

    if (rings_bell(salloc))
        fputc('\a', stderr);
    if (salloc->options.no_shell)
        leave(salloc, 0);
    else
        start_command(salloc, event);
}

static void on_failed(int status, void *ctx)
{
    leave(ctx, status);
}

/* The command may go on without the job, unless --kill-command says otherwise. */
static void on_revoked(void *ctx)
{
    struct salloc *salloc = ctx;

    if (salloc->pid > 0 && salloc->options.kill_command != COUNT_UNSET)
        kill(-salloc->pid, (int)salloc->options.kill_command);
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
            salloc->options.kill_command = SIGHUP; /* and no waiting for it when the job ends */
    } else {
        log_error(salloc->command.log, "Job allocation %u has been cancelled by signal %d",
                  allocation_job_id(salloc->allocation), signal);
        allocation_take_back(salloc->allocation, 1);
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

static int allocate(struct salloc *salloc)
{
    static const struct allocation_callbacks callbacks = { on_ready, on_failed, on_revoked };

    salloc->base = client_base(salloc->command.cli.client);
    catch_signals(salloc);
    salloc->allocation = allocation_new(&salloc->command, &salloc->options, &callbacks, salloc);
    event_base_dispatch(salloc->base);
    if (!salloc->options.no_shell)
        allocation_release(salloc->allocation, salloc->wait_status);
    allocation_free(salloc->allocation);
    for (uint32_t i = 0; i < salloc->signals_n; i++)
        event_free(salloc->signals[i]);
    return salloc->status;
}

static char *user_shell(void)
{
    const char *shell = getenv("SHELL");
    const struct passwd *user = getpwuid(getuid());

    if (shell && *shell)
        return xstrdup(shell);
    return xstrdup(user && user->pw_shell[0] ? user->pw_shell : "/bin/sh");
}

/* When no command is given: the user's shell, here, or as a step on the job's first node. */
static void use_shell(struct salloc *salloc, uint32_t *n)
{
    const struct slurm_conf *conf = salloc->command.cli.conf;

    if (!conf->use_interactive_step) {
        *ARRAY_PUSH(salloc->argv, *n) = user_shell();
        return;
    }
    *ARRAY_PUSH(salloc->argv, *n) = xstrdup("/bin/sh"); /* which knows $SHELL, and quotes */
    *ARRAY_PUSH(salloc->argv, *n) = xstrdup("-c");
    *ARRAY_PUSH(salloc->argv, *n) = xasprintf("exec srun %s", conf->interactive_step_options);
}

static void fill(struct salloc *salloc, int argc, char **argv, int operand)
{
    struct job_spec *job = &salloc->options.job;
    uint32_t n = 0;

    for (int i = operand; i < argc; i++)
        *ARRAY_PUSH(salloc->argv, n) = xstrdup(argv[i]);
    if (n == 0)
        use_shell(salloc, &n);
    *ARRAY_PUSH(salloc->argv, n) = NULL;
    if (!job->name)
        job->name = xstrdup("interactive");
    job->kind = JOB_KIND_ALLOC;
    submit_obey_conf(&salloc->command, &salloc->options);
    submit_fill_job(&salloc->command, job, &salloc->options, argc, argv);
}

static int run(struct salloc *salloc, int argc, char **argv)
{
    struct command *command = &salloc->command;
    struct err err = { 0 };
    int operand = 0;

    int status = submit_begin(command, &salloc->options, argc, argv, &operand);
    if (status < 0)
        status = submit_check(command, &salloc->options);
    if (status >= 0)
        return status;
    if (cli_load(&command->cli, &err) < 0 ||
        submit_check_cluster(command, &salloc->options, &err) < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    fill(salloc, argc, argv, operand);
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        command_report(command, ALLOCATION_FAILED, &err);
        return command_exit_error();
    }
    return allocate(salloc);
}

int salloc_main(int argc, char **argv)
{
    struct salloc salloc = { 0 };
    int status;

    command_init(&salloc.command, "salloc");
    submit_options_init(&salloc.options, SUBMIT_SALLOC);
    status = run(&salloc, argc, argv);
    for (uint32_t i = 0; salloc.argv && salloc.argv[i]; i++)
        free(salloc.argv[i]);
    free(salloc.argv);
    submit_options_clear(&salloc.options);
    command_clear(&salloc.command);
    return status;
}
