#include "noded/stepd/script.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "noded/stepd/spare.h"

#define DIR_FORMAT "job%05u"
#define FILE_NAME  "slurm_script"
#define MODE       0700

/*
 * Files of scripts that are over: root's, wiped, small, with no other name, and open nowhere, so
 * that nobody whose they were can write to the next one, and nothing that still reads one reads the
 * next one.
 */
#define SPARE      "spare_job"
#define SPARE_MODE 0600
#define SPARE_MOST (64 * 1024) /* bytes */

static void dir_name(uint32_t job_id, char ret[32])
{
    snprintf(ret, 32, DIR_FORMAT, job_id);
}

/* Returns whether the file is open nowhere else. If somebody opens it meanwhile, the signal that
 * tells so does nothing. */
static bool is_alone(int fd)
{
    if (fcntl(fd, F_SETSIG, SIGURG) < 0 || fcntl(fd, F_SETLEASE, F_WRLCK) < 0)
        return false;
    return fcntl(fd, F_SETLEASE, F_UNLCK) == 0;
}

/* Opens that script, to be written to; -1 for anything else of its name. */
static int open_plain(int dir, struct stat *ret_status)
{
    AUTO_CLOSE int fd = openat(dir, FILE_NAME, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0 || fstat(fd, ret_status) < 0 || !S_ISREG(ret_status->st_mode) ||
        ret_status->st_nlink != 1)
        return -1;
    return steal_fd(&fd);
}

/* Wipes the file, which its next owner may read before it is written over. */
static bool blank(int fd, const struct stat *status)
{
    static const char nothing[SPARE_MOST];

    return pwrite(fd, nothing, (size_t)status->st_size, 0) == status->st_size;
}

static bool make_spare(int dir)
{
    struct stat status;
    AUTO_CLOSE int fd = open_plain(dir, &status);

    return fd >= 0 && status.st_size <= SPARE_MOST && status.st_blocks <= SPARE_MOST / 512 &&
           fchmod(fd, SPARE_MODE) == 0 && fchown(fd, geteuid(), getegid()) == 0 && is_alone(fd) &&
           blank(fd, &status);
}

static bool give(int fd, const struct launch_cred *cred)
{
    return fchmod(fd, MODE) == 0 && (geteuid() != 0 || fchown(fd, cred->uid, cred->gid) == 0);
}

/* Opens a spare script, which is as long as it was, and gives it to the user; -1: there is none. */
static int open_spare(int dir, const struct launch_cred *cred)
{
    struct stat status;
    AUTO_CLOSE int fd = open_plain(dir, &status);

    if (fd < 0 || status.st_uid != geteuid() || (status.st_mode & 07777) != SPARE_MODE ||
        !give(fd, cred))
        return -1;
    return steal_fd(&fd);
}

static int open_new(int dir, const struct launch_cred *cred)
{
    AUTO_CLOSE int fd = -1;

    (void)unlinkat(dir, FILE_NAME, 0);
    fd = openat(dir, FILE_NAME, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE);
    return fd >= 0 && give(fd, cred) ? steal_fd(&fd) : -1;
}

int as_root_script_make(int spool_fd, const struct launch_cred *cred, int *ret_fd, struct err *err)
{
    AUTO_CLOSE int dir = -1;
    char name[32];
    int fd;

    dir_name(cred->job_id, name);
    (void)spare_take(spool_fd, SPARE, cred->job_id, name);
    dir = safe_own_dir(spool_fd, name, 0755, name, err);
    if (dir < 0)
        return steal_fd(&dir);
    if (fchmod(dir, 0755) < 0) /* whatever the daemon's umask took away */
        return err_set(err, errno, "cannot open %s for the script: %s", name, strerror(errno));
    fd = open_spare(dir, cred);
    if (fd < 0)
        fd = open_new(dir, cred);
    if (fd < 0)
        return err_set(err, errno, "cannot make %s/%s: %s", name, FILE_NAME, strerror(errno));
    *ret_fd = fd;
    return 0;
}

void as_root_script_remove(int spool_fd, uint32_t job_id)
{
    AUTO_CLOSE int dir = -1;
    char name[32];

    dir_name(job_id, name);
    dir = openat(spool_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return;
    if (make_spare(dir) && spare_keep(spool_fd, SPARE, job_id, name))
        return;
    (void)unlinkat(dir, FILE_NAME, 0);
    (void)unlinkat(spool_fd, name, AT_REMOVEDIR);
}

char *script_path(const char *spool_dir, uint32_t job_id)
{
    return xasprintf("%s/" DIR_FORMAT "/" FILE_NAME, spool_dir, job_id);
}
