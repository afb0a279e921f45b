/*
 * The lock is one of fcntl: the kernel names its holder, and a forked child does not inherit it, so
 * that a step which outlives its daemon does not keep the next one from starting.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/clock.h"
#include "common/base/safe_path.h"
#include "common/proc/daemon.h"

#define LOOK_MS 10 /* between looks at a lock that may go */

struct proc_pidfile {
    struct safe_path path;
    int fd;
    pid_t pid; /* who opened it, and alone may remove it */
};

static int fail(const char *path, int code, struct err *err)
{
    return err_set(err, code, "pid file %s: %s", path, strerror(code));
}

static int held_by_other(int fd, const char *path, struct err *err)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    if (fcntl(fd, F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK)
        lock.l_pid = 0;
    return err_set(err, EBUSY, "pid file %s: process %d holds it; is the daemon running already?",
                   path, (int)lock.l_pid);
}

/* Returns whether the file under the name is still the one that we locked. */
static bool is_current(int fd, const struct safe_path *path)
{
    struct stat held, named;

    return fstat(fd, &held) == 0 &&
           fstatat(path->dir_fd, path->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/*
 * Opens and locks the file. A daemon that was killed just now holds its lock until the kernel has
 * cleaned up, which is waited for.
 */
static int open_locked(const struct safe_path *path, const struct safe_file *file, int *ret_fd,
                       struct err *err)
{
    const int64_t deadline = clock_mono_ms() + PROC_PATIENCE_MS;

    for (;;) {
        struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        AUTO_CLOSE int fd = safe_path_open(path, file, err);

        if (fd < 0)
            return err_prefix(err, "pid file");
        if (fcntl(fd, F_SETLK, &lock) < 0) {
            if (errno != EAGAIN && errno != EACCES)
                return fail(path->text, errno, err);
            if (clock_mono_ms() >= deadline)
                return held_by_other(fd, path->text, err);
            (void)poll(NULL, 0, LOOK_MS);
            continue;
        }
        if (is_current(fd, path)) {
            *ret_fd = steal_fd(&fd);
            return 0;
        }
    }
}

static int write_pid(int fd, const char *path, struct err *err)
{
    struct stat stat;
    char text[16];
    int n = snprintf(text, sizeof(text), "%d\n", (int)getpid());

    if (fstat(fd, &stat) < 0)
        return fail(path, errno, err);
    if (!S_ISREG(stat.st_mode) || stat.st_nlink != 1)
        return err_set(err, EINVAL, "pid file %s: not a plain file", path);
    if (ftruncate(fd, 0) < 0 || pwrite(fd, text, (size_t)n, 0) != n)
        return fail(path, errno ? errno : EIO, err);
    return 0;
}

int proc_pidfile_open(const char *path, uid_t uid, gid_t gid, struct proc_pidfile **ret,
                      struct err *err)
{
    const struct safe_file file = { O_RDWR, 0644, uid, gid };
    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    AUTO_CLOSE int fd = -1;
    int rc = safe_path_find(path, &found, err);

    if (rc < 0)
        return err_prefix(err, "pid file");
    rc = open_locked(&found, &file, &fd, err);
    if (rc == 0)
        rc = write_pid(fd, found.text, err);
    if (rc < 0)
        return rc;
    *ret = xcalloc(1, sizeof(**ret));
    **ret = (struct proc_pidfile){ found, steal_fd(&fd), getpid() };
    found = (struct safe_path){ .dir_fd = -1 };
    return 0;
}

struct proc_pidfile *proc_pidfile_free(struct proc_pidfile *pidfile)
{
    if (!pidfile)
        return NULL;
    if (pidfile->pid == getpid() && unlinkat(pidfile->path.dir_fd, pidfile->path.name, 0) < 0 &&
        ftruncate(pidfile->fd, 0) < 0)
        errno = 0; /* an old pid is left then; the lock tells that it is old */
    close(pidfile->fd);
    safe_path_clear(&pidfile->path);
    free(pidfile);
    return NULL;
}
