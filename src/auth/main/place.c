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

#include "auth/key/safety.h"
#include "common/base/alloc.h"
#include "common/base/safe_path.h"
#include "common/proc/daemon.h"

enum { BACKLOG = 1024 };

/* Handles what is insecure: an error, or with force a warning, of which the first is kept. */
static int insecure(const struct place_owner *owner, const struct err *what, struct err *err)
{
    if (!owner->force)
        return err_set(err, what->code, "%s", what->text);
    if (owner->warning && !owner->warning->code)
        *owner->warning = *what;
    return 0;
}

static int check_directories(const char *what, const char *path, bool group_may_write,
                             const struct place_owner *owner, struct err *err)
{
    const uid_t owners[] = { geteuid(), owner->uid, owner->trusted };
    const struct safety safety = { owners, ARRAY_N(owners), owner->trusted_gid, group_may_write };
    struct err found = { 0 };

    if (safety_check_directories(what, path, &safety, &found) < 0)
        return insecure(owner, &found, err);
    return 0;
}

int place_directory_of(const char *path, mode_t mode, const struct place_owner *owner,
                       struct err *err)
{
    AUTO_FREE char *dir = safety_directory_of(path);

    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    int rc = safe_path_find(dir, &found, err); /* its own directory is not made */

    if (rc < 0)
        return err_prefix(err, "cannot make directory '%s'", dir);
    if (faccessat(found.dir_fd, found.name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
        rc = proc_make_dir(dir, mode, owner->uid, owner->gid, err);
    return rc < 0 ? rc : 0;
}

/* Opens a file that must be this user's, who may be root and another than the one to become. */
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
    int rc = check_directories("Pidfile", path, false, owner, err);
    AUTO_CLOSE int fd = rc < 0 ? rc : open_owned(path, O_WRONLY, 0644, owner, err);

    if (fd < 0)
        return steal_fd(&fd);
    if (ftruncate(fd, 0) < 0 || fchmod(fd, 0644) < 0 || dprintf(fd, "%d\n", getpid()) < 0)
        return err_set(err, errno, "cannot write '%s': %s", path, strerror(errno));
    return 0;
}

/* Checks the log: a link, and a file that others write to, are insecure; a log must be a file. */
static int check_log_file(const char *path, const struct place_owner *owner, struct err *err)
{
    struct err what = { 0 };
    struct stat st;

    if (lstat(path, &st) < 0)
        return 0;
    if (S_ISLNK(st.st_mode))
        err_set(&what, ELOOP, "Logfile is insecure: \"%s\" should not be a symbolic link", path);
    else if (!S_ISREG(st.st_mode))
        return err_set(err, EINVAL, "Logfile \"%s\" must be a regular file", path);
    else if (st.st_mode & (S_IWGRP | S_IWOTH))
        err_set(&what, EPERM,
                "Logfile is insecure: \"%s\" is writable by its group or others: its mode is %04o",
                path, st.st_mode & 07777);
    return what.code ? insecure(owner, &what, err) : 0;
}

/* Opens a log whose link was let pass with force; follows the link. */
static int open_linked(const char *path, const struct place_owner *owner, struct err *err)
{
    AUTO_CLOSE int fd =
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_set(err, errno, "Failed to open logfile \"%s\": %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_nlink != 1)
        return err_set(err, EINVAL, "Logfile \"%s\" must be a regular file with one name", path);
    if (st.st_uid != owner->uid && fchown(fd, owner->uid, owner->gid) < 0)
        return err_set(err, errno, "Logfile \"%s\" cannot be given to uid %u: %s", path, owner->uid,
                       strerror(errno));
    return 0;
}

static int open_log_file(const char *path, const struct place_owner *owner, struct err *err)
{
    AUTO_CLOSE int fd = -1;

    if (owner->force)
        return open_linked(path, owner, err);
    fd = open_owned(path, O_WRONLY | O_APPEND, 0640, owner, err);
    return fd < 0 ? steal_fd(&fd) : 0;
}

int place_log_file(const char *path, const struct place_owner *owner, struct err *err)
{
    int rc = check_log_file(path, owner, err);

    if (rc == 0)
        rc = check_directories("Logfile", path, true, owner, err);
    return rc < 0 ? rc : open_log_file(path, owner, err);
}

int place_seed_file(const char *path, const struct place_owner *owner, const void *bytes, size_t n,
                    struct err *err)
{
    AUTO_CLOSE int fd = open_owned(path, O_WRONLY, 0600, owner, err);

    if (fd < 0)
        return steal_fd(&fd);
    if (ftruncate(fd, 0) < 0 || fchmod(fd, 0600) < 0 || write(fd, bytes, n) != (ssize_t)n)
        return err_set(err, errno ? errno : EIO, "cannot write '%s': %s", path, strerror(errno));
    return 0;
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

/* Checks that nobody else can open the lock: he could hold it, and no daemon would start. */
static int check_lock(const char *path, int fd, struct err *err)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return err_set(err, errno, "lockfile \"%s\": %s", path, strerror(errno));
    if ((st.st_mode & 07777) != S_IWUSR)
        return err_set(err, EPERM,
                       "Failed to lock \"%s\" with mode %04o: it should have permissions for write "
                       "by user only (0200); remove it when no munged runs",
                       path, st.st_mode & 07777);
    return 0;
}

static int take_lock(const char *path, const struct place_owner *owner, struct err *err)
{
    AUTO_FREE char *lock = xasprintf("%s.lock", path);
    AUTO_CLOSE int fd = open_owned(lock, O_WRONLY, S_IWUSR, owner, err);
    int rc = fd < 0 ? fd : check_lock(lock, fd, err);

    if (rc < 0)
        return rc;
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return err_set(err, errno, "Failed to lock \"%s\": another munged serves '%s'", lock, path);
    if (ftruncate(fd, 0) < 0)
        return err_set(err, errno, "lockfile \"%s\": %s", lock, strerror(errno));
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

    /* The umask is set, not the mode by chmod after: the path may be another file's by then. */
    mode_t before = umask(0);

    if (fd < 0 || bind(fd, (const struct sockaddr *)&addr, sizeof(addr)) < 0 ||
        listen(fd, BACKLOG) < 0)
        rc = err_set(err, errno, "cannot listen at socket '%s': %s", path, strerror(errno));
    umask(before);
    return rc < 0 ? rc : steal_fd(&fd);
}

/* Checks that all users can go through the directory: they connect under their own rights. */
static int check_reach(const char *path, const struct place_owner *owner, struct err *err)
{
    enum { SEARCH = S_IXUSR | S_IXGRP | S_IXOTH };
    AUTO_FREE char *dir = safety_directory_of(path);
    struct err what = { 0 };
    struct stat st;

    if (stat(dir, &st) < 0 || (st.st_mode & SEARCH) == SEARCH)
        return 0;
    err_set(&what, EPERM,
            "Socket is inaccessible: execute permissions for all are missing on \"%s\"", dir);
    return insecure(owner, &what, err);
}

int place_socket(const char *path, const struct place_owner *owner, int *ret_fd, int *ret_lock_fd,
                 struct err *err)
{
    int rc = check_directories("Socket", path, false, owner, err);

    if (rc == 0)
        rc = check_reach(path, owner, err);

    AUTO_CLOSE int lock_fd = rc < 0 ? rc : take_lock(path, owner, err);

    if (lock_fd < 0)
        return steal_fd(&lock_fd);
    rc = remove_old_socket(path, owner, err);
    int fd = rc < 0 ? rc : listen_at(path, err);

    if (fd < 0)
        return fd;
    *ret_fd = fd;
    *ret_lock_fd = steal_fd(&lock_fd);
    return 0;
}
