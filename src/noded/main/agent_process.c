#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/conf/paths.h"
#include "common/proc/signals.h"
#include "noded/main/daemon.h"
#include "noded/priv/channel.h"

#define CHANNEL_FD     3
#define RESTART_MOST_S 30
#define GOOD_AFTER_MS  60000 /* an agent that lived so long was not broken from the start */

/* Opens the log anew in the same file: the daemon's own handle is closed with all that it had
 * open. */
static struct log *open_log(const struct daemon *daemon)
{
    struct log *log = log_new_daemon("slurmd", daemon->settings.log_level);

    if (daemon->settings.log_file && log_open(log, daemon->settings.log_file, NULL) == 0)
        log_set_stderr(log, daemon->options.foreground);
    return log;
}

/* Drops all that the agent, which begins as a copy of root's process, has open, but for its
 * socket. */
static int drop_all(const struct daemon *daemon, int fd, struct log **ret_log, struct err *err)
{
    if (fd != CHANNEL_FD && dup3(fd, CHANNEL_FD, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot keep the agent's socket: %s", strerror(errno));
    if (close_range(CHANNEL_FD + 1, ~0U, 0) < 0)
        return err_set(err, errno, "cannot close what is root's: %s", strerror(errno));
    *ret_log = open_log(daemon);
    if (geteuid() != 0)
        return 0;
    return proc_become(&daemon->settings.agent_user, true, err);
}

/* Leaves the terminal: whoever started the daemon may wait for its output to end, and the log file
 * is ours from now on. */
static void leave_terminal(const struct daemon *daemon)
{
    AUTO_CLOSE int null = -1;

    if (daemon->options.foreground || !daemon->settings.log_file)
        return;
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0) {
        /* The streams then stay open; nothing is written there. */
    }
}

static int run(const struct daemon *daemon, int fd)
{
    const struct settings *settings = &daemon->settings;
    struct err err = { 0 };
    struct agent_options options = {
        .cluster = settings->conf->cluster_name,
        .node = settings->node->name,
        .host = daemon->host,
        .boot_id = daemon->boot_id,
        .controllers = settings->controllers,
        .controllers_n = settings->conf->controllers_n,
        .controller_port = (uint16_t)settings->conf->slurmctld_ports.first,
        .heartbeat_ms = conf_node_heartbeat_ms(settings->conf),
        .slurm_uid = settings->slurm_uid,
        .port = (uint16_t)settings->node->port,
        .tmp_fs = settings->conf->tmp_fs,
        .cgroup_mode = cgroup_root_mode_name(daemon->cgroups),
        .devices = settings->node->devices,
        .devices_n = settings->node->devices_n,
        .gpus = settings->gpus,
        .gpus_n = settings->gpus_n,
        .log_file = settings->log_file,
        .started = daemon->started,
        .conf_read_ms = daemon->conf_read_ms,
        .conf_digest = settings->conf->digest,
        .hooks = (settings->conf->prolog ? NODE_HAS_PROLOG : 0u) |
                 (settings->conf->epilog ? NODE_HAS_EPILOG : 0u) |
                 (settings->conf->health_program ? NODE_HAS_HEALTH : 0u) |
                 (settings->conf->reboot_program ? NODE_HAS_REBOOT : 0u),
        .authc = { .socket_path = settings->conf->auth_socket },
        .clock = daemon->clock,
    };

    signals_reset();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    int rc = drop_all(daemon, fd, &options.log, &err);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* becoming another user has cleared it */
    if (rc < 0) {
        log_error(options.log, "agent: %s", err.text);
        return EXIT_FAILURE;
    }
    leave_terminal(daemon);
    return agent_run(&options, CHANNEL_FD);
}

void agent_process_start(struct daemon *daemon)
{
    int fds[2];
    struct err err = { 0 };
    pid_t pid;

    if (priv_socketpair(fds, &err) < 0) {
        log_error(daemon->log, "agent: %s", err.text);
        agent_process_ended(daemon, 0);
        return;
    }
    pid = fork();
    if (pid == 0)
        _exit(run(daemon, fds[1]));
    close(fds[1]);
    daemon->agent = pid > 0 ? pid : 0;
    daemon->agent_started_ms = clock_mono_ms();
    monitor_attach(daemon->monitor, fds[0]);
    if (pid < 0)
        agent_process_ended(daemon, 0);
}

void agent_process_ended(struct daemon *daemon, int status)
{
    struct timeval wait;

    daemon->agent = 0;
    if (clock_mono_ms() - daemon->agent_started_ms > GOOD_AFTER_MS)
        daemon->restart_s = 0;
    log_error(daemon->log, "the network half ended (%s %d), another one starts in %d s",
              WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), daemon->restart_s);
    wait = (struct timeval){ daemon->restart_s, 0 };
    event_add(daemon->restart, &wait);
    daemon->restart_s = daemon->restart_s ? daemon->restart_s * 2 : 1;
    if (daemon->restart_s > RESTART_MOST_S)
        daemon->restart_s = RESTART_MOST_S;
}

void agent_process_stop(struct daemon *daemon)
{
    event_del(daemon->restart);
    if (daemon->agent <= 0)
        return;
    (void)kill(daemon->agent, SIGKILL); /* it holds nothing that could be lost */
    (void)waitpid(daemon->agent, NULL, 0);
    daemon->agent = 0;
}
