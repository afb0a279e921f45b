#include "auth/main/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/safe_path.h"
#include "common/proc/daemon.h"

enum { BACKLOG = 1024 };

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return xstrdup(".");
    return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

static bool may_own(const struct place_owner *owner, uid_t uid)
{
    return uid == 0 || uid == geteuid() || uid == owner->uid || uid == owner->trusted;
}

static int check_directory(const char *dir, const struct place_owner *owner, struct err *err)
{
    struct stat st;

    if (stat(dir, &st) < 0)
        return err_set(err, errno, "directory '%s': %s", dir, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ENOTDIR, "'%s' is not a directory", dir);
    if (owner->force || st.st_mode & S_ISVTX)
        return 0;
    if (st.st_mode & S_IWOTH)
        return err_set(err, EPERM, "directory '%s' is insecure: all may write to it", dir);
    if (!may_own(owner, st.st_uid))
        return err_set(err, EPERM, "directory '%s' is insecure: uid %u owns it", dir, st.st_uid);
    return 0;
}

int place_directory_of(const char *path, mode_t mode, const struct place_owner *owner,
                       struct err *err)
{
    AUTO_FREE char *dir = directory_of(path);

    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    int rc = safe_path_find(dir, &found, err); /* its own directory is not made */

    if (rc < 0)
        return err_prefix(err, "cannot make directory '%s'", dir);
    if (faccessat(found.dir_fd, found.name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
        rc = proc_make_dir(dir, mode, owner->uid, owner->gid, err);
    return rc < 0 ? rc : check_directory(dir, owner, err);
}

/* Of this user's, who may be root and another than the one to be. */
static int open_owned(const char *path, int flags, mode_t mode, const struct place_owner *owner,
                      struct err *err)
{
    const struct safe_file file = { flags, mode, owner->uid, owner->gid };
    AUTO_CLOSE int fd = safe_open(path, &file, err);
    struct stat st;

    if (fd < 0)
        return steal_fd(&fd);
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)
        return err_set(err, EINVAL, "'%s' is not a regular file with one name", path);
    return steal_fd(&fd);
}

int place_pid_file(const char *path, const struct place_owner *owner, struct err *err)
{
    AUTO_CLOSE int fd = open_owned(path, O_WRONLY, 0644, owner, err);

    if (fd < 0)
        return steal_fd(&fd);
    if (ftruncate(fd, 0) < 0 || fchmod(fd, 0644) < 0 || dprintf(fd, "%d\n", getpid()) < 0)
        return err_set(err, errno, "cannot write '%s': %s", path, strerror(errno));
    return 0;
}

int place_log_file(const char *path, const struct place_owner *owner, struct err *err)
{
    AUTO_CLOSE int fd = open_owned(path, O_WRONLY | O_APPEND, 0640, owner, err);

    return fd < 0 ? steal_fd(&fd) : 0;
}

static int fill_address(const char *path, struct sockaddr_un *addr, struct err *err)
{
    size_t n = strlen(path);

    if (n >= sizeof(addr->sun_path))
        return err_set(err, ENAMETOOLONG, "socket path '%s': %zu bytes, the limit is %zu", path, n,
                       sizeof(addr->sun_path) - 1);
    *addr = (struct sockaddr_un){ .sun_family = AF_UNIX };
    memcpy(addr->sun_path, path, n);
    return 0;
}

int place_find_daemon(const char *path, pid_t *ret_pid, struct err *err)
{
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un addr;
    struct ucred peer;
    socklen_t n = sizeof(peer);
    int rc = fill_address(path, &addr, err);

    if (rc < 0)
        return rc;
    if (fd < 0 || connect(fd, (const struct sockaddr *)&addr, sizeof(addr)) < 0)
        return err_set(err, errno, "no daemon at socket '%s': %s", path, strerror(errno));
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) < 0 || peer.pid <= 0)
        return err_set(err, ESRCH, "the daemon at socket '%s' is not in this pid namespace", path);
    *ret_pid = peer.pid;
    return 0;
}

static int take_lock(const char *path, const struct place_owner *owner, struct err *err)
{
    AUTO_FREE char *lock = xasprintf("%s.lock", path);
    AUTO_CLOSE int fd = open_owned(lock, O_RDWR, 0600, owner, err);

    if (fd < 0)
        return steal_fd(&fd);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return err_set(err, errno, "socket '%s': another munged holds '%s'", path, lock);
    return steal_fd(&fd);
}

static int remove_old_socket(const char *path, const struct place_owner *owner, struct err *err)
{
    struct stat st;
    pid_t pid;

    if (lstat(path, &st) < 0)
        return 0;
    if (!S_ISSOCK(st.st_mode))
        return err_set(err, EEXIST, "'%s' exists and is no socket", path);
    if (!owner->force && place_find_daemon(path, &pid, NULL) == 0)
        return err_set(err, EADDRINUSE, "socket '%s': munged runs there already, as pid %d", path,
                       pid);
    if (unlink(path) < 0)
        return err_set(err, errno, "cannot remove old socket '%s': %s", path, strerror(errno));
    return 0;
}

static int listen_at(const char *path, struct err *err)
{
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un addr;
    int rc = fill_address(path, &addr, err);

    if (rc < 0)
        return rc;

    /* By umask and not by chmod after: the path may be another file's by then. */
    mode_t before = umask(0);

    if (fd < 0 || bind(fd, (const struct sockaddr *)&addr, sizeof(addr)) < 0 ||
        listen(fd, BACKLOG) < 0)
        rc = err_set(err, errno, "cannot listen at socket '%s': %s", path, strerror(errno));
    umask(before);
    return rc < 0 ? rc : steal_fd(&fd);
}

int place_socket(const char *path, const struct place_owner *owner, int *ret_fd, int *ret_lock_fd,
                 struct err *err)
{
    AUTO_CLOSE int lock_fd = take_lock(path, owner, err);

    if (lock_fd < 0)
        return steal_fd(&lock_fd);

    int rc = remove_old_socket(path, owner, err);
    int fd = rc < 0 ? rc : listen_at(path, err);

    if (fd < 0)
        return fd;
    *ret_fd = fd;
    *ret_lock_fd = steal_fd(&lock_fd);
    return 0;
}
