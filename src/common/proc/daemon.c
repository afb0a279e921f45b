#include "common/proc/daemon.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/safe_path.h"

/* ---- descriptors ---- */

int proc_open_std(struct err *err)
{
    int fd;

    do { /* open takes the lowest free number */
        fd = open("/dev/null", O_RDWR);
        if (fd < 0)
            return err_set(err, errno, "/dev/null: %s", strerror(errno));
    } while (fd <= STDERR_FILENO);
    close(fd);
    return 0;
}

static int null_over(int first, int last, struct err *err)
{
    AUTO_CLOSE int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (fd < 0)
        return err_set(err, errno, "/dev/null: %s", strerror(errno));
    for (int i = first; i <= last; i++) {
        if (dup2(fd, i) < 0)
            return err_set(err, errno, "/dev/null: %s", strerror(errno));
    }
    return 0;
}

/* ---- directories ---- */

static int fail_dir(const char *path, int code, struct err *err)
{
    return err_set(err, code, "directory %s: %s", path, strerror(code));
}

static bool is_empty(int dir_fd)
{
    int fd = dup(dir_fd);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    unsigned entries = 0;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (readdir(dir))
        entries++;
    closedir(dir);
    return entries == 2; /* . and .. */
}

/*
 * Hands a directory that root made for the daemon over. Who could put another directory of root's
 * under that name could write into it anyway, and an empty one holds nothing to gain.
 */
static int hand_over(int fd, const char *path, const struct safe_file *dir, bool is_new,
                     struct err *err)
{
    struct stat stat;

    if (fstat(fd, &stat) < 0)
        return fail_dir(path, errno, err);
    if (is_new && fchmod(fd, dir->mode) < 0)
        return fail_dir(path, errno, err);
    if (geteuid() != 0 || dir->uid == (uid_t)-1 || stat.st_uid == dir->uid)
        return 0;
    if ((is_new || (stat.st_uid == 0 && is_empty(fd))) && fchown(fd, dir->uid, dir->gid) < 0)
        return fail_dir(path, errno, err);
    return 0;
}

static int make_dir(const struct safe_path *path, const struct safe_file *dir, struct err *err)
{
    const bool is_new = mkdirat(path->dir_fd, path->name, 0700) == 0;
    AUTO_CLOSE int fd = -1;
    int rc;

    if (!is_new && errno != EEXIST)
        return fail_dir(path->text, errno, err);
    fd = openat(path->dir_fd, path->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail_dir(path->text, errno, err);
    rc = hand_over(fd, path->text, dir, is_new, err);
    return rc < 0 ? rc : steal_fd(&fd);
}

int proc_make_dir(const char *path, mode_t mode, uid_t uid, gid_t gid, struct err *err)
{
    const struct safe_file dir = { 0, mode, uid, gid };
    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    AUTO_CLOSE int fd = -1;
    int rc = safe_path_make(path, &found, err);

    if (rc == 0)
        rc = fd = make_dir(&found, &dir, err);
    return rc < 0 ? rc : 0;
}

/* Checks the owner of a directory, who decides what the daemon finds in it. */
static int check_own(int fd, const char *path, uid_t also, struct err *err)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        return fail_dir(path, errno, err);
    if (status.st_uid != 0 && status.st_uid != also)
        return err_set(err, EPERM, "%s belongs to uid %u, not to root or SlurmUser: chown root %s",
                       path, status.st_uid, path);
    if ((status.st_mode & S_ISVTX) && (status.st_mode & S_IWOTH))
        return err_set(err, EPERM, "%s is open to all (mode %04o): name a directory below it", path,
                       status.st_mode & 07777u);
    if ((status.st_mode & S_IWOTH) && fchmod(fd, status.st_mode & 07777 & ~(mode_t)S_IWOTH) < 0)
        return fail_dir(path, errno, err);
    return 0;
}

int proc_open_own_dir(const char *path, uid_t also, struct err *err)
{
    AUTO(safe_path) struct safe_path found = { .dir_fd = -1 };
    AUTO_CLOSE int fd = -1;
    int rc = safe_path_find(path, &found, err);

    if (rc < 0)
        return rc;
    fd = openat(found.dir_fd, found.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail_dir(found.text, errno, err);
    rc = geteuid() == 0 ? check_own(fd, found.text, also, err) : 0;
    return rc < 0 ? rc : steal_fd(&fd);
}

/* ---- background ---- */

struct proc_background {
    int fd; /* one byte tells the parent that all is well */
};

/* Waits until the daemon serves or is gone, and exits. */
static NO_RETURN void wait_for_child(int fd, pid_t child)
{
    char byte;
    ssize_t n;
    int status;

    do
        n = read(fd, &byte, 1);
    while (n < 0 && errno == EINTR);
    if (n == 1)
        _exit(EXIT_SUCCESS);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

int proc_background(struct proc_background **ret, struct err *err)
{
    int fds[2];
    pid_t child;

    fflush(NULL);
    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_set(err, errno, "cannot go into the background: %s", strerror(errno));
    child = fork();
    if (child < 0) {
        close(fds[0]);
        close(fds[1]);
        return err_set(err, EAGAIN, "cannot go into the background: %s", strerror(EAGAIN));
    }
    if (child > 0) {
        close(fds[1]);
        wait_for_child(fds[0], child);
    }
    close(fds[0]);
    *ret = xcalloc(1, sizeof(**ret));
    (*ret)->fd = fds[1];
    if (setsid() < 0 || chdir("/") < 0)
        return err_set(err, errno, "cannot go into the background: %s", strerror(errno));
    return null_over(STDIN_FILENO, STDIN_FILENO, err);
}

void proc_ready(struct proc_background *background)
{
    ssize_t n;

    if (!background)
        return;
    fflush(NULL);
    null_over(STDOUT_FILENO, STDERR_FILENO, NULL);
    do
        n = write(background->fd, "r", 1);
    while (n < 0 && errno == EINTR);
    close(background->fd);
    free(background);
}

void proc_not_ready(struct proc_background *background)
{
    if (background)
        close(background->fd);
    free(background);
}
