#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/net/holder.h"
#include "noded/inventory/inventory.h"
#include "noded/main/daemon.h"

int service_start_monitor(struct daemon *daemon, struct err *err)
{
    const struct settings *settings = &daemon->settings;
    struct monitor_options options = {
        .cluster = settings->conf->cluster_name,
        .node = settings->node->name,
        .boot_id = daemon->boot_id,
        .spool_dir = settings->spool_dir,
        .conf_path = settings->job_conf_path,
        .slurm_uid = settings->slurm_uid,
        .authc = { .socket_path = settings->conf->auth_socket },
        .clock = daemon->clock,
        .task_prolog = settings->conf->task_prolog,
        .task_epilog = settings->conf->task_epilog,
        .cgroups = daemon->cgroups,
        .bounds = &daemon->settings.bounds,
        .bind = &daemon->settings.bind,
        .container = &daemon->settings.container,
        .use_pam = settings->conf->use_pam,
        .sample_s = settings->conf->gather_frequency_s,
        .unkillable = { .timeout_s = settings->conf->unkillable_timeout_s,
                        .program = settings->conf->unkillable_program,
                        .conf_path = settings->conf->path },
        .hooks = { .prolog = settings->conf->prolog,
                   .epilog = settings->conf->epilog,
                   .prolog_limit = slurm_conf_prolog_limit(settings->conf),
                   .epilog_limit = slurm_conf_epilog_limit(settings->conf),
                   .serial = settings->conf->prolog_flags & CONF_PROLOG_SERIAL,
                   .conf_path = settings->conf->path },
        .acts = { .health = settings->conf->health_program,
                  .reboot = settings->conf->reboot_program,
                  .conf_path = settings->conf->path },
        .log = daemon->log,
        .log_path = settings->log_file,
        .log_level = settings->log_level,
        .on_order = reload_on_order,
        .ctx = daemon,
    };

    return monitor_new(daemon->base, &options, &daemon->monitor, err);
}

int service_open_log(struct daemon *daemon, struct err *err)
{
    AUTO_FREE char *copy = NULL;
    int rc;

    if (!daemon->settings.log_file)
        return 0;
    copy = xstrdup(daemon->settings.log_file);
    rc = proc_make_dir(dirname(copy), 0755, (uid_t)-1, (gid_t)-1, err);
    if (rc == 0)
        rc = log_open(daemon->log, daemon->settings.log_file, err);
    log_set_stderr(daemon->log, daemon->options.foreground || rc < 0);
    return rc;
}

/* Moves the log. The network half may not open the file, and steps keep the one they have: both are
 * given it. */
void service_move_log(struct daemon *daemon)
{
    struct err err = { 0 };

    if (service_open_log(daemon, &err) < 0)
        log_error(daemon->log, "%s", err.text);
    else if (daemon->settings.log_file)
        monitor_pass_log(daemon->monitor, log_fd(daemon->log));
}

/* ---- signals ---- */

static void reap(struct daemon *daemon)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) { /* step daemons tell by other ways */
        if (pid == daemon->agent)
            agent_process_ended(daemon, status);
    }
}

static void on_signal(struct daemon *daemon, uint32_t number)
{
    if (number == SIGCHLD) {
        reap(daemon);
    } else if (number == SIGHUP) {
        reload_now(daemon);
    } else if (number == SIGUSR2) {
        service_move_log(daemon);
    } else {
        log_info(daemon->log, "signal %u: stopping, steps go on", number);
        event_base_loopbreak(daemon->base);
    }
}

static void on_signal_fd(evutil_socket_t fd, short what, void *arg)
{
    struct signalfd_siginfo info;

    (void)what;
    while (read(fd, &info, sizeof(info)) == sizeof(info))
        on_signal(arg, info.ssi_signo);
}

/* Watches signals by descriptor, so that no handler of ours is left in the processes that are
 * forked. */
static int watch_signals(struct daemon *daemon, struct err *err)
{
    static const int numbers[] = { SIGCHLD, SIGHUP, SIGUSR2, SIGTERM, SIGINT };
    sigset_t set;

    (void)signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_N(numbers); i++)
        sigaddset(&set, numbers[i]);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    daemon->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (daemon->signal_fd < 0)
        return err_set(err, errno, "cannot watch signals: %s", strerror(errno));
    daemon->signals =
        event_new(daemon->base, daemon->signal_fd, EV_READ | EV_PERSIST, on_signal_fd, daemon);
    event_add(daemon->signals, NULL);
    return 0;
}

static void on_reload(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    reload_if_changed(arg);
}

static void on_restart(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    agent_process_start(arg);
}

/* ---- from the command line to a daemon ---- */

static int open_pid_file(struct daemon *daemon, struct err *err)
{
    AUTO_FREE char *copy = xstrdup(daemon->settings.pid_file);
    int rc = proc_make_dir(dirname(copy), 0755, (uid_t)-1, (gid_t)-1, err);

    if (rc == 0)
        rc = proc_pidfile_open(daemon->settings.pid_file, (uid_t)-1, (gid_t)-1, &daemon->pidfile,
                               err);
    return rc;
}

static int become_daemon(struct daemon *daemon, struct err *err)
{
    int rc = proc_open_std(err);

    daemon->started = clock_wall_s(&daemon->clock);
    daemon->conf_read_ms = clock_mono_ms();
    if (rc == 0)
        rc = settings_load(daemon, &daemon->settings, err);
    if (rc == 0 && !daemon->options.foreground)
        rc = proc_background(&daemon->background, err);
    if (rc == 0)
        rc = service_open_log(daemon, err);
    if (rc == 0)
        rc = open_pid_file(daemon, err);
    if (rc == 0)
        rc = inventory_boot_id(&INVENTORY_WHERE, &daemon->boot_id, err);
    return rc;
}

/* Appends "node worker-1: 3 steps", which `systemctl status` shows. */
static void describe(void *ctx, struct strbuf *out)
{
    const struct daemon *daemon = ctx;

    strbuf_addf(out, "node %s: %u steps", daemon->settings.node->name,
                monitor_steps_n(daemon->monitor));
    if (!daemon->agent)
        strbuf_adds(out, "; the network half is being started again");
}

/* Logs who holds the port: the agent, which is to listen there, cannot see what processes of others
 * hold. */
static void log_port_holder(const struct daemon *daemon)
{
    const uint16_t port = (uint16_t)daemon->settings.node->port;
    struct net_holder holder;

    if (net_find_holder(port, &holder))
        log_error(daemon->log,
                  "SlurmdPort=%u is in use by %s (pid %d): end that, or choose another port", port,
                  holder.name, (int)holder.pid);
}

static void log_start(const struct daemon *daemon)
{
    log_info(daemon->log, "slurmd of node %s starts: %s", daemon->settings.node->name,
             cgroup_root_remark(daemon->cgroups));
    if (daemon->settings.agent_user_is_made_up)
        log_info(daemon->log, "no user slurmd or sluice here: the network half runs as uid %u",
                 daemon->settings.agent_user.uid);
    if (geteuid() != 0)
        log_info(daemon->log, "without root: jobs of uid %u only, no cgroups", geteuid());
}

int service_start(struct daemon *daemon, struct err *err)
{
    int rc = become_daemon(daemon, err);

    if (rc < 0)
        return rc;
    if (daemon->options.nice && setpriority(PRIO_PROCESS, 0, daemon->options.nice) < 0)
        log_error(daemon->log, "cannot set nice %d: %s", daemon->options.nice, strerror(errno));
    if (daemon->options.lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) < 0)
        log_error(daemon->log, "cannot lock memory: %s", strerror(errno));
    daemon->cgroups = settings_find_cgroups(daemon);
    log_start(daemon);
    log_port_holder(daemon);
    daemon->base = event_base_new();
    daemon->restart = evtimer_new(daemon->base, on_restart, daemon);
    daemon->reload = evtimer_new(daemon->base, on_reload, daemon);
    rc = watch_signals(daemon, err);
    if (rc == 0)
        rc = service_start_monitor(daemon, err);
    if (rc < 0)
        return rc;
    agent_process_start(daemon);
    proc_ready(STEAL(daemon->background));
    daemon->manager = net_manager_new(daemon->base, describe, daemon);
    return 0;
}

void service_stop(struct daemon *daemon)
{
    daemon->manager = net_manager_free(daemon->manager);
    if (daemon->restart) {
        agent_process_stop(daemon);
        event_free(daemon->restart);
        event_free(daemon->reload);
    }
    monitor_free(daemon->monitor);
    if (daemon->signals)
        event_free(daemon->signals);
    if (daemon->base)
        event_base_free(daemon->base);
    if (daemon->cgroups)
        cgroup_root_free(daemon->cgroups);
    proc_pidfile_free(daemon->pidfile);
    proc_not_ready(daemon->background);
    settings_clear(&daemon->settings);
    free(daemon->boot_id);
}
