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
#include "cli/submit/follow.h"
#include "cli/submit/killer.h"
#include "cli/submit/request.h"
#include "common/msg/types.h"

#define SIGNALS_MAX 8
#define FAILED      "Job submit/allocate failed"
#define RELEASE_MS  10000

extern char **environ;

struct salloc {
    struct command command;
    struct submit_options options;
    char **argv; /* of the command, ended by NULL; NULL: none */
    struct follow *follow;
    struct killer *killer;
    struct event_base *base;
    struct event *signals[SIGNALS_MAX];
    uint32_t signals_n;
    struct event *immediate;
    uint32_t job_id;
    pid_t pid; /* of the command, 0: does not run */
    bool queued, granted, ready, revoked;
    bool refused; /* the request failed, or was taken back */
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
    return salloc->options.bell == UNSAID ? salloc->queued : salloc->options.bell == SAID_YES;
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

static void on_granted(struct salloc *salloc)
{
    if (salloc->granted)
        return;
    salloc->granted = true;
    event_del(salloc->immediate);
    if (salloc->queued)
        log_info(salloc->command.log, "job %u has been allocated resources", salloc->job_id);
    log_info(salloc->command.log, "Granted job allocation %u", salloc->job_id);
    if (rings_bell(salloc))
        fputc('\a', stderr);
}

/* Told once more when what the cluster does for the job before is over. */
static void on_nodes(struct salloc *salloc, const struct job_event *event)
{
    const bool waited = salloc->granted;

    if (salloc->ready || !event->job)
        return;
    on_granted(salloc);
    salloc->ready = !(event->job->flags & JOB_FLAG_CONFIGURING);
    if (!salloc->ready && !waited)
        log_info(salloc->command.log, "Waiting for resource configuration");
    if (!salloc->ready)
        return;
    if (waited)
        log_info(salloc->command.log, "Nodes %s are ready for job", event->job->node_list);
    if (salloc->options.no_shell)
        leave(salloc, 0);
    else
        start_command(salloc, event);
}

/* The command may go on without the job, unless --kill-command says otherwise. */
static void on_revoked(struct salloc *salloc, const struct job_record *job)
{
    if (salloc->revoked)
        return;
    salloc->revoked = true;
    if (job && job->state == JOB_TIMEOUT)
        log_info(salloc->command.log,
                 "Job %u has exceeded its time limit and its allocation has been revoked.",
                 salloc->job_id);
    else
        log_info(salloc->command.log, "Job allocation %u has been revoked.", salloc->job_id);
    if (salloc->pid > 0 && salloc->options.kill_command != COUNT_UNSET)
        kill(-salloc->pid, (int)salloc->options.kill_command);
    else if (salloc->pid > 0 && isatty(STDIN_FILENO))
        kill(-salloc->pid, SIGHUP);
    else if (salloc->pid == 0)
        leave(salloc, salloc->refused ? salloc->status : command_exit_error());
}

static void on_job(const struct job_event *event, void *ctx)
{
    struct salloc *salloc = ctx;

    if (event->job)
        salloc->job_id = event->job->id;
    switch (event->kind) {
    case JOB_EVENT_QUEUED:
        if (!salloc->queued) {
            log_info(salloc->command.log, "Pending job allocation %u", salloc->job_id);
            log_info(salloc->command.log, "job %u queued and waiting for resources",
                     salloc->job_id);
        }
        salloc->queued = true;
        break;
    case JOB_EVENT_GRANTED:
        on_nodes(salloc, event);
        break;
    case JOB_EVENT_WARNING:
        command_say(&salloc->command, event->text ? event->text : "");
        break;
    case JOB_EVENT_ENDED:
        on_revoked(salloc, event->job);
        break;
    default:
        break;
    }
}

static void on_over(const struct err *why, void *ctx)
{
    struct salloc *salloc = ctx;

    if (why && !salloc->granted && !salloc->refused) {
        const bool busy = why->code == E_NODES_BUSY;

        command_report(&salloc->command, busy ? "Unable to allocate resources" : FAILED, why);
        leave(salloc, busy ? command_exit_immediate() : command_exit_error());
        return;
    }
    on_revoked(salloc, NULL);
}

static void on_back(void *ctx)
{
    struct salloc *salloc = ctx;

    killer_try_again(salloc->killer);
}

/* ---- giving up ---- */

static void take_back(struct salloc *salloc, int status)
{
    const struct job_signal request = { .job_id = salloc->job_id,
                                        .step_id = COUNT_UNSET,
                                        .flags = SIGNAL_CANCEL };

    if (salloc->refused || salloc->job_id == 0) {
        leave(salloc, status);
        return;
    }
    salloc->refused = true;
    salloc->status = status;
    killer_send(salloc->killer, &request);
}

static void on_not_immediate(evutil_socket_t fd, short what, void *ctx)
{
    struct salloc *salloc = ctx;

    (void)fd;
    (void)what;
    log_error(salloc->command.log, "Unable to allocate resources: %s", err_string(E_NODES_BUSY));
    take_back(salloc, command_exit_immediate());
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
                  salloc->job_id, signal);
        take_back(salloc, 1);
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

static void release(struct salloc *salloc)
{
    const struct job_release request = { .job_id = salloc->job_id,
                                         .exit_status = salloc->wait_status };
    struct client *client = salloc->command.cli.client;
    struct err err = { 0 };

    if (!salloc->granted || salloc->revoked || salloc->options.no_shell)
        return;
    log_info(salloc->command.log, "Relinquishing job allocation %u", salloc->job_id);
    salloc->follow = follow_free(salloc->follow);
    if (client_reconnect(client, RELEASE_MS, &err) < 0 ||
        client_call(client, MSG_JOB_RELEASE, &request, MSG_OK, NULL, &err) < 0)
        command_report(&salloc->command, NULL, &err);
}

static int allocate(struct salloc *salloc)
{
    static const struct follow_callbacks callbacks = { .on_job = on_job,
                                                       .on_back = on_back,
                                                       .on_over = on_over };
    const struct job_allocate msg = { &salloc->options.job, NULL };
    const struct follow_request request = { .type = MSG_JOB_ALLOCATE,
                                            .msg = &msg,
                                            .token = salloc->options.job.token,
                                            .step_id = COUNT_UNSET };
    uint32_t seconds = salloc->options.immediate_s;
    struct client *client = salloc->command.cli.client;

    salloc->base = client_base(client);
    salloc->killer = killer_new(client);
    salloc->immediate = evtimer_new(salloc->base, on_not_immediate, salloc);
    if (seconds != COUNT_UNSET && seconds > 1)
        event_add(salloc->immediate, &(struct timeval){ (time_t)seconds, 0 });
    catch_signals(salloc);
    salloc->follow = follow_new(client, &request, &callbacks, salloc);
    event_base_dispatch(salloc->base);
    release(salloc);
    follow_free(salloc->follow);
    killer_free(salloc->killer);
    event_free(salloc->immediate);
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
        command_report(command, FAILED, &err);
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
