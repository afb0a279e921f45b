#include "noded/stepd/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/stepd/spare.h"

#define DIR_FORMAT "job%05u"
#define FILE_NAME  "slurm_script"
#define MODE       0700

/* Of scripts that are over; what a user's process may still hold open serves only that user. */
#define SPARE "spare_job"

static void dir_name(uint32_t job_id, char ret[32])
{
    snprintf(ret, 32, DIR_FORMAT, job_id);
}

static int open_dir(int spool_fd, uint32_t job_id)
{
    char name[32];

    dir_name(job_id, name);
    return openat(spool_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_of(int fd, const struct launch_cred *cred)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
           status.st_uid == cred->uid && status.st_gid == cred->gid &&
           (status.st_mode & 07777) == MODE;
}

/* One of an earlier job of the user, still full. -1: none. */
static int open_kept(int dir, const struct launch_cred *cred)
{
    AUTO_CLOSE int fd = openat(dir, FILE_NAME, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    return fd >= 0 && is_of(fd, cred) ? steal_fd(&fd) : -1;
}

static int open_new(int dir, const struct launch_cred *cred)
{
    AUTO_CLOSE int fd = -1;

    (void)unlinkat(dir, FILE_NAME, 0);
    fd = openat(dir, FILE_NAME, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE);
    if (fd < 0 || fchmod(fd, MODE) < 0 || (geteuid() == 0 && fchown(fd, cred->uid, cred->gid) < 0))
        return -1;
    return steal_fd(&fd);
}

int as_root_script_make(int spool_fd, const struct launch_cred *cred, int *ret_fd, struct err *err)
{
    AUTO_CLOSE int dir = -1;
    char name[32];
    int fd;

    dir_name(cred->job_id, name);
    if (!spare_take(spool_fd, SPARE, cred->job_id, name) && mkdirat(spool_fd, name, 0755) < 0 &&
        errno != EEXIST)
        return err_set(err, errno, "cannot make %s for the script: %s", name, strerror(errno));
    dir = open_dir(spool_fd, cred->job_id);
    if (dir < 0 || fchmod(dir, 0755) < 0) /* whatever the daemon's umask took away */
        return err_set(err, errno, "cannot open %s for the script: %s", name, strerror(errno));
    fd = open_kept(dir, cred);
    if (fd < 0)
        fd = open_new(dir, cred);
    if (fd < 0)
        return err_set(err, errno, "cannot make %s/%s: %s", name, FILE_NAME, strerror(errno));
    *ret_fd = fd;
    return 0;
}

void as_root_script_remove(int spool_fd, uint32_t job_id)
{
    AUTO_CLOSE int dir = open_dir(spool_fd, job_id);
    char name[32];

    if (dir < 0)
        return;
    dir_name(job_id, name);
    if (spare_keep(spool_fd, SPARE, job_id, name))
        return;
    (void)unlinkat(dir, FILE_NAME, 0);
    (void)unlinkat(spool_fd, name, AT_REMOVEDIR);
}

char *script_path(const char *spool_dir, uint32_t job_id)
{
    return xasprintf("%s/" DIR_FORMAT "/" FILE_NAME, spool_dir, job_id);
}
