/* process.c - from a place in a configuration to a daemon that runs as SlurmUser with its sockets
 * open. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "common/net/holder.h"
#include "ctld/main/start.h"

#define LOOK_MS 10 /* between looks at a port that may become free */

int start_find_user(const struct start_place *place, struct proc_user *ret_user, struct err *err)
{
    int rc = proc_user_lookup_apart(place->user, ret_user, err);

    if (rc < 0)
        return err_prefix(err, "SlurmUser=%s in %s", place->user, place->conf);
    if (geteuid() != 0 && geteuid() != ret_user->uid)
        return err_set(err, EPERM, "started by uid %u, must be root or SlurmUser (%s)", geteuid(),
                       place->user);
    return 0;
}

static int make_parent_dir(const char *path, const struct proc_user *user, struct err *err)
{
    AUTO_FREE char *copy = xstrdup(path);

    return proc_make_dir(dirname(copy), 0755, user->uid, user->gid, err);
}

static int open_log(struct log *log, const struct start_place *place, const struct started *started,
                    struct err *err)
{
    const char *path = started->options.log_path ? started->options.log_path : place->log_path;
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
        rc = log_use(log, fd, err);
    log_set_stderr(log, started->options.foreground || rc < 0);
    return rc;
}

/* Fails, telling who has the port as far as it can be seen: only root sees all processes. */
static int err_port_taken(const struct start_place *place, struct err *err)
{
    struct net_holder holder;

    if (net_find_holder(place->port, &holder))
        return err_set(err, EADDRINUSE,
                       "%s=%u is in use by %s (pid %d): end that, or choose another port",
                       place->port_key, place->port, holder.name, (int)holder.pid);
    return err_set(err, EADDRINUSE,
                   "%s=%u is in use by another program, or a %s with another pid file than %s: "
                   "`ss -ltnp 'sport = :%u'` says which; end that, or choose another port",
                   place->port_key, place->port, place->program, place->pid_path, place->port);
}

static int listen_once(const struct start_place *place, struct started *started, struct err *err)
{
    int rc = 0;

    if (started->tcp_fd < 0)
        rc = net_listen_tcp(place->address, place->port, &started->tcp_fd, NULL, err);
    if (rc == -EADDRINUSE)
        return err_port_taken(place, err);
    if (rc < 0 || !place->socket_path)
        return rc;
    return net_listen_unix(place->socket_path, 0666, &started->unix_listener, err);
}

/* Opens the sockets. The pid file is ours, but a predecessor that was killed may have its sockets a
 * moment longer. */
static int open_sockets(const struct start_place *place, struct started *started, struct err *err)
{
    const int64_t deadline = clock_mono_ms() + PROC_PATIENCE_MS;
    int rc = place->socket_path ? make_parent_dir(place->socket_path, &started->user, err) : 0;

    if (rc == 0)
        rc = listen_once(place, started, err);
    while (rc == -EADDRINUSE && clock_mono_ms() < deadline) {
        (void)poll(NULL, 0, LOOK_MS);
        rc = listen_once(place, started, err);
    }
    return rc;
}

static int open_paths(const struct start_place *place, struct started *started, struct err *err)
{
    const struct proc_user *user = &started->user;
    AUTO_CLOSE int state = -1;
    int rc = make_parent_dir(place->pid_path, user, err);

    if (rc == 0)
        rc = proc_pidfile_open(place->pid_path, user->uid, user->gid, &started->pidfile, err);
    if (rc == 0 && place->dir)
        rc = proc_make_dir(place->dir, 0700, user->uid, user->gid, err);
    if (rc == 0 && place->dir)
        rc = state = proc_open_own_dir(place->dir, user->uid, err);
    if (rc >= 0)
        rc = open_sockets(place, started, err);
    return rc;
}

int start_daemon(struct log *log, const struct start_place *place, struct started *started,
                 struct err *err)
{
    int rc = start_find_user(place, &started->user, err);

    if (rc == 0 && !started->options.foreground)
        rc = proc_background(&started->background, err);
    if (rc == 0)
        rc = open_log(log, place, started, err);
    if (rc == 0)
        rc = open_paths(place, started, err);
    if (rc == 0)
        rc = proc_become(&started->user, false, err);
    return rc;
}
