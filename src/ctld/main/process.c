/* process.c - from a command line to a daemon that runs as SlurmUser with its sockets open. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "common/conf/beside.h"
#include "common/conf/paths.h"
#include "common/net/here.h"
#include "common/net/holder.h"
#include "ctld/main/start.h"

#define LOOK_MS 10 /* between looks at a port that may become free */

void start_log_notes(struct log *log, const struct conf_notes *notes)
{
    for (uint32_t i = 0; i < notes->notes_n; i++) {
        AUTO_FREE char *text = conf_note_format(&notes->notes[i]);

        log_info(log, "%s", text);
    }
}

int start_read_conf(const char *path, struct slurm_conf **ret_conf, struct conf_notes *notes,
                    struct err *err)
{
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load(path, &conf, notes, err);

    if (rc == 0)
        rc = conf_load_beside(conf, notes, err);
    if (rc < 0)
        slurm_conf_free(conf);
    else
        *ret_conf = conf;
    return rc;
}

void start_read_cgroup(struct ctld *ctld)
{
    struct err err = { 0 };

    conf_cgroup_clear(&ctld->cgroup);
    if (conf_cgroup_load(ctld->conf->path, conf_read_disk, NULL, NULL, &ctld->cgroup, &err) < 0)
        log_error(ctld->log, "%s: scontrol show config has defaults instead", err.text);
}

static int load_conf(struct ctld *ctld, const struct start_options *options, struct err *err)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    int rc = start_read_conf(options->conf_path, &ctld->conf, &notes, err);

    if (rc < 0)
        return rc;
    log_set_level(ctld->log,
                  (enum log_level)ctld->conf->slurmctld_debug + (unsigned)options->verbose);
    start_log_notes(ctld->log, &notes);
    start_read_cgroup(ctld);
    return 0;
}

int start_find_user(const struct slurm_conf *conf, struct proc_user *ret_user, struct err *err)
{
    int rc = proc_user_lookup_apart(conf->slurm_user, ret_user, err);

    if (rc < 0)
        return err_prefix(err, "SlurmUser=%s in %s", conf->slurm_user, conf->path);
    if (geteuid() != 0 && geteuid() != ret_user->uid)
        return err_set(err, EPERM, "started by uid %u, must be root or SlurmUser (%s)", geteuid(),
                       conf->slurm_user);
    return 0;
}

static int make_parent_dir(const char *path, const struct proc_user *user, struct err *err)
{
    AUTO_FREE char *copy = xstrdup(path);

    return proc_make_dir(dirname(copy), 0755, user->uid, user->gid, err);
}

static int open_log(struct ctld *ctld, const struct started *started, struct err *err)
{
    const char *path =
        started->options.log_path ? started->options.log_path : ctld->conf->slurmctld_log_file;
    const struct safe_file file = { O_WRONLY | O_APPEND, 0600, started->user.uid,
                                    started->user.gid };
    AUTO_CLOSE int fd = -1;
    int rc;

    if (!path)
        return 0;
    rc = make_parent_dir(path, &started->user, err);
    if (rc == 0)
        rc = fd = safe_open(path, &file, err);
    if (rc >= 0)
        rc = log_use(ctld->log, fd, err);
    log_set_stderr(ctld->log, started->options.foreground || rc < 0);
    return rc;
}

/* Returns a loopback address of the file, which asks to be heard on this machine only, or NULL. */
static const char *listen_address(const struct slurm_conf *conf)
{
    const char *address = conf->controllers[0].addr;

    return net_is_loopback(address) ? address : NULL;
}

/* Fails, telling who has the port as far as it can be seen: only root sees all processes. */
static int err_port_taken(const struct slurm_conf *conf, struct err *err)
{
    const uint16_t port = (uint16_t)conf->slurmctld_ports.first;
    struct net_holder holder;

    if (net_find_holder(port, &holder))
        return err_set(
            err, EADDRINUSE,
            "SlurmctldPort=%u is in use by %s (pid %d): end that, or choose another port", port,
            holder.name, (int)holder.pid);
    return err_set(err, EADDRINUSE,
                   "SlurmctldPort=%u is in use by another program, or a slurmctld with another "
                   "pid file than %s: `ss -ltnp 'sport = :%u'` says which; end that, or choose "
                   "another port",
                   port, conf->slurmctld_pid_file, port);
}

static int listen_once(struct ctld *ctld, struct started *started, const char *socket_path,
                       struct err *err)
{
    const uint16_t port = (uint16_t)ctld->conf->slurmctld_ports.first;
    int rc = 0;

    if (started->tcp_fd < 0)
        rc = net_listen_tcp(listen_address(ctld->conf), port, &started->tcp_fd, NULL, err);
    if (rc == -EADDRINUSE)
        return err_port_taken(ctld->conf, err);
    return rc < 0 ? rc : net_listen_unix(socket_path, 0666, &started->unix_listener, err);
}

/* Opens the sockets. The pid file is ours, but a predecessor that was killed may have its sockets a
 * moment longer. */
static int open_sockets(struct ctld *ctld, struct started *started, struct err *err)
{
    AUTO_FREE char *socket_path = conf_controller_socket(ctld->conf);
    const int64_t deadline = clock_mono_ms() + PROC_PATIENCE_MS;
    int rc = make_parent_dir(socket_path, &started->user, err);

    if (rc == 0)
        rc = listen_once(ctld, started, socket_path, err);
    while (rc == -EADDRINUSE && clock_mono_ms() < deadline) {
        (void)poll(NULL, 0, LOOK_MS);
        rc = listen_once(ctld, started, socket_path, err);
    }
    return rc;
}

static int open_paths(struct ctld *ctld, struct started *started, struct err *err)
{
    const struct proc_user *user = &started->user;
    AUTO_CLOSE int state = -1;
    int rc = make_parent_dir(ctld->conf->slurmctld_pid_file, user, err);

    if (rc == 0)
        rc = proc_pidfile_open(ctld->conf->slurmctld_pid_file, user->uid, user->gid,
                               &started->pidfile, err);
    if (rc == 0)
        rc = proc_make_dir(ctld->conf->state_save_location, 0700, user->uid, user->gid, err);
    if (rc == 0)
        rc = state = proc_open_own_dir(ctld->conf->state_save_location, user->uid, err);
    if (rc >= 0)
        rc = open_sockets(ctld, started, err);
    return rc;
}

int start_process(struct ctld *ctld, struct started *started, struct err *err)
{
    int rc = proc_open_std(err);

    if (rc == 0)
        rc = load_conf(ctld, &started->options, err);
    if (rc == 0)
        rc = start_find_place(ctld->conf, &started->host, err);
    if (rc == 0)
        rc = start_find_user(ctld->conf, &started->user, err);
    if (rc == 0)
        ctld->slurm_uid = started->user.uid;
    if (rc == 0 && !started->options.foreground)
        rc = proc_background(&started->background, err);
    if (rc == 0)
        rc = open_log(ctld, started, err);
    if (rc == 0)
        rc = open_paths(ctld, started, err);
    if (rc == 0)
        rc = proc_become(&started->user, false, err);
    return rc;
}
