#include "common/net/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "common/net/dial.h"

/* ---- TCP ---- */

static int open_tcp(const struct net_addr *addr, int *ret_fd)
{
    AUTO_CLOSE int fd =
        socket(addr->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
    if (addr->storage.ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){ 0 }, sizeof(int));
    if (bind(fd, (const struct sockaddr *)&addr->storage, addr->n) < 0 || listen(fd, SOMAXCONN) < 0)
        return -errno;
    *ret_fd = steal_fd(&fd);
    return 0;
}

/* Opens an IPv6 socket that takes IPv4 too, or an IPv4 one when the kernel has no IPv6. */
static int open_any(uint16_t port, int *ret_fd)
{
    struct net_addr addr;
    int rc;

    net_addr_parse("::", port, &addr, NULL);
    rc = open_tcp(&addr, ret_fd);
    if (rc != -EAFNOSUPPORT && rc != -EADDRNOTAVAIL)
        return rc;
    net_addr_parse("0.0.0.0", port, &addr, NULL);
    return open_tcp(&addr, ret_fd);
}

int net_listen_tcp(const char *host, uint16_t port, int *ret_fd, uint16_t *ret_port,
                   struct err *err)
{
    struct net_addr addr;
    int fd, rc;

    if (host) {
        rc = net_addr_parse(host, port, &addr, err);
        if (rc < 0)
            return rc;
    }
    rc = host ? open_tcp(&addr, &fd) : open_any(port, &fd);
    if (rc < 0)
        return err_set(err, -rc, "cannot listen on %s%sport %u: %s", host ? host : "",
                       host ? " " : "", port, strerror(-rc));
    addr.n = sizeof(addr.storage);
    if (ret_port && getsockname(fd, (struct sockaddr *)&addr.storage, &addr.n) == 0)
        *ret_port = net_addr_port(&addr);
    *ret_fd = fd;
    return 0;
}

/* ---- Unix ---- */

int net_listen_abstract(const char *name, int *ret_fd, struct err *err)
{
    struct net_addr addr;
    AUTO_CLOSE int fd = -1;
    int rc = net_addr_abstract(name, &addr, err);

    if (rc < 0)
        return rc;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&addr.storage, addr.n) < 0 ||
        listen(fd, SOMAXCONN) < 0)
        return err_set(err, errno, "cannot listen on socket @%s: %s", name, strerror(errno));
    *ret_fd = steal_fd(&fd);
    return 0;
}

struct net_unix_listener {
    struct safe_path path;
    struct safe_path lock;
    char *where; /* what the kernel is told instead of path.text */
    int fd;
    int lock_fd;
};

static int fail(const struct net_unix_listener *listener, int code, const char *why,
                struct err *err)
{
    return err_set(err, code, "cannot listen on socket %s: %s", listener->path.text, why);
}

/* Returns whether the lock that we hold is still the one that others would find under the name. */
static bool is_current(const struct net_unix_listener *listener)
{
    struct stat held, named;

    return fstat(listener->lock_fd, &held) == 0 &&
           fstatat(listener->lock.dir_fd, listener->lock.name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

static int take_lock(struct net_unix_listener *listener, struct err *err)
{
    const struct safe_file file = { O_RDWR, 0600, (uid_t)-1, (gid_t)-1 };

    for (;;) {
        listener->lock_fd = safe_path_open(&listener->lock, &file, err);
        if (listener->lock_fd < 0)
            return err_prefix(err, "lock of socket %s", listener->path.text);
        if (flock(listener->lock_fd, LOCK_EX | LOCK_NB) < 0)
            return errno == EWOULDBLOCK
                       ? fail(listener, EADDRINUSE, "another process serves it", err)
                       : fail(listener, errno, strerror(errno), err);
        if (is_current(listener))
            return 0;
        close(listener->lock_fd); /* its owner removed it just now */
    }
}

/*
 * Removes a socket that a dead process left. One that answers belongs to somebody, with or without
 * our lock.
 */
static int remove_stale(struct net_unix_listener *listener, struct err *err)
{
    struct stat stat;
    AUTO_CLOSE int fd = -1;
    int rc;

    if (fstatat(listener->path.dir_fd, listener->path.name, &stat, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : fail(listener, errno, strerror(errno), err);
    if (!S_ISSOCK(stat.st_mode))
        return fail(listener, EEXIST, "something that is not a socket is there", err);
    rc = net_dial_unix(listener->where, &fd, NULL);
    if (rc == 0 || rc == -EAGAIN)
        return fail(listener, EADDRINUSE, "another process serves it", err);
    if (unlinkat(listener->path.dir_fd, listener->path.name, 0) < 0 && errno != ENOENT)
        return fail(listener, errno, strerror(errno), err);
    return 0;
}

/*
 * Opens the socket. The umask sets its mode, because its name could lead to another file a moment
 * later.
 */
static int open_unix(struct net_unix_listener *listener, mode_t mode, struct err *err)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    mode_t before;
    int rc = 0;

    memcpy(addr.sun_path, listener->where, strlen(listener->where));
    listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    before = umask(~mode & 0777);
    if (listener->fd < 0 || bind(listener->fd, (struct sockaddr *)&addr, sizeof(addr)) < 0 ||
        listen(listener->fd, SOMAXCONN) < 0)
        rc = fail(listener, errno, strerror(errno), err);
    umask(before);
    return rc;
}

struct net_unix_listener *net_unix_listener_drop(struct net_unix_listener *listener)
{
    if (!listener)
        return NULL;
    if (listener->fd >= 0)
        close(listener->fd);
    if (listener->lock_fd >= 0)
        close(listener->lock_fd);
    safe_path_clear(&listener->path);
    safe_path_clear(&listener->lock);
    free(listener->where);
    free(listener);
    return NULL;
}

struct net_unix_listener *net_unix_listener_free(struct net_unix_listener *listener)
{
    if (!listener)
        return NULL;
    if (listener->fd >= 0)
        unlinkat(listener->path.dir_fd, listener->path.name, 0);
    /* The lock file is removed while it is still locked: see is_current. */
    unlinkat(listener->lock.dir_fd, listener->lock.name, 0);
    return net_unix_listener_drop(listener);
}

/*
 * Returns the path for the kernel. When the directory could become another one a moment later, the
 * path goes through its descriptor.
 */
static char *where_of(const struct safe_path *path)
{
    return path->unsafe && geteuid() == 0
               ? xasprintf("/proc/self/fd/%d/%s", path->dir_fd, path->name)
               : xstrdup(path->text);
}

static int find(struct net_unix_listener *listener, const char *path, struct err *err)
{
    AUTO_FREE char *lock = xasprintf("%s.lock", path);
    int rc = safe_path_find(path, &listener->path, err);

    if (rc == 0)
        rc = safe_path_find(lock, &listener->lock, err);
    if (rc < 0)
        return err_prefix(err, "cannot listen on socket %s", path);
    listener->where = where_of(&listener->path);
    if (strlen(listener->where) >= sizeof(((struct sockaddr_un *)0)->sun_path))
        return fail(listener, ENAMETOOLONG, strerror(ENAMETOOLONG), err);
    return 0;
}

int net_listen_unix(const char *path, mode_t mode, struct net_unix_listener **ret, struct err *err)
{
    struct net_unix_listener *listener;
    int rc;

    if (strlen(path) >= sizeof(((struct sockaddr_un *)0)->sun_path))
        return err_set(err, ENAMETOOLONG, "socket path '%.200s' is longer than %zu bytes", path,
                       sizeof(((struct sockaddr_un *)0)->sun_path) - 1);
    listener = xcalloc(1, sizeof(*listener));
    listener->fd = listener->lock_fd = -1;
    rc = find(listener, path, err);
    if (rc == 0)
        rc = take_lock(listener, err);
    if (rc < 0) {
        net_unix_listener_drop(listener);
        return rc;
    }
    rc = remove_stale(listener, err);
    if (rc == 0)
        rc = open_unix(listener, mode, err);
    if (rc < 0)
        net_unix_listener_free(listener);
    else
        *ret = listener;
    return rc;
}

int net_unix_listener_fd(const struct net_unix_listener *listener)
{
    return listener->fd;
}
